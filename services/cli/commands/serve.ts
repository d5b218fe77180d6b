import { type Context, withCatalog } from '@catalog/cli/shared/context.ts'
import { instantsBetween, parseInstant } from '@catalog/cli/shared/instants.ts'
import { instant } from '@catalog/core/time.ts'
import { keepHeapSmall } from '@catalog/runtime/heap.ts'
import { type Command, Option } from 'commander'

// The API and its pages alone have a thousand modules: each action imports its own, so that a run of the aggregator and the
// help need none of them.

const host = new Option('--host <address>', 'address to listen on').default('127.0.0.1')
const port = new Option('--port <number>', 'port to listen on (default: PORT or 8080)')

export function addUp(program: Command): void {
  program
    .command('up')
    .description('crawl, project, aggregate and serve in one process tree, on the embedded defaults')
    .option('--sample', 'with the sample market, brought up to today')
    .option('--preset <id>', 'with a public price list (catalog presets), added to the sources file and crawled first')
    .option('--param <name=value...>', 'with --preset: a parameter of it')
    .option('--file <path>', 'with --preset: the file that you fetched')
    .addOption(port)
    .addOption(host)
    .action(
      withCatalog(
        async (context, { sample = false, host, preset: id, param = [], file }: UpFlags) => {
          const { observed } = await import('@catalog/cli/serve/metrics.ts')
          const { up } = await import('@catalog/cli/serve/up.ts')
          const { saidOf } = await import('@catalog/cli/presets/add-preset.ts')
          return observed(context, 'up', (metrics) => {
            const preset = id === undefined ? undefined : { id, said: saidOf(param), file }
            return up(context, { sample, host, preset, metrics })
          })
        },
        { projects: true },
      ),
    )
}

type UpFlags = { sample?: boolean; host: string; preset?: string; param?: string[]; file?: string }

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the public API alone')
    .addOption(port)
    .addOption(host)
    .action(
      withCatalog(async (context, options: { host: string }) => {
        const { observed } = await import('@catalog/cli/serve/metrics.ts')
        const { serve } = await import('@catalog/cli/serve/serve.ts')
        return observed(context, 'serve', (metrics) => serve(context, { ...options, metrics }))
      }),
    )
}

export function addProject(program: Command): void {
  program
    .command('project')
    .description('follow the log into the read models and the index')
    .option('--once', 'stop at the present end of the log')
    .action(
      withCatalog(
        async (context, options: { once?: boolean }) => {
          if (!options.once) {
            const { observed } = await import('@catalog/cli/serve/metrics.ts')
            const { project } = await import('@catalog/cli/serve/project.ts')
            return observed(context, 'project', () => project(context))
          }
          await context.catalog.catchUp()
          const { status } = await import('@catalog/cli/inspect/status.ts')
          return status(context.catalog, context.terminal)
        },
        { projects: true },
      ),
    )
}

export function addAggregate(program: Command): void {
  program
    .command('aggregate')
    .description('match new SKUs and publish what changed')
    .option('--as-of <instant>', 'the instant of the run (default: now)')
    .option('--from <instant>', 'first of several runs')
    .option('--to <instant>', 'last of several runs (default: now)')
    .option('--every <step>', 'step between them: 1d, 2w, 1mo', '1d')
    .option('--run <id>', 'print the medians of a past run again, from the facts that it read')
    .option('--full', 'evaluate every item, not only those that can have changed')
    .option('--dry-run', 'print what a run would publish, and publish nothing')
    .option('--nightly', 'stay, and run at the instants of AGGREGATE_CRON, in one process of several')
    .action(withCatalog((context, flags: AggregateFlags) => runAggregate(context, flags)))
}

type AggregateFlags = {
  asOf?: string
  from?: string
  to?: string
  every: string
  run?: string
  full?: boolean
  dryRun?: boolean
  nightly?: boolean
}

async function runAggregate(context: Context, flags: AggregateFlags): Promise<void> {
  keepHeapSmall()
  const { aggregateDryRun, aggregateNightly, aggregateRuns, reproduceRun } = await import(
    '@catalog/cli/aggregate/aggregate.ts'
  )
  if (flags.nightly) {
    const { observed } = await import('@catalog/cli/serve/metrics.ts')
    return observed(context, 'aggregate', () => aggregateNightly(context))
  }
  const { catalog, terminal } = context
  const now = instant(catalog.now())
  const asOf = flags.asOf === undefined ? now : parseInstant(flags.asOf, '--as-of')
  if (flags.run !== undefined) return reproduceRun(catalog, terminal, flags.run)
  if (flags.dryRun) return aggregateDryRun(catalog, terminal, asOf)
  const asOfs =
    flags.from === undefined
      ? [asOf]
      : instantsBetween({
          from: parseInstant(flags.from, '--from'),
          to: flags.to === undefined ? now : parseInstant(flags.to, '--to'),
          every: flags.every,
        })
  return aggregateRuns(catalog, terminal, { asOfs, full: flags.full ?? false })
}
