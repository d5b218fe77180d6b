import { setTimeout as delay } from 'node:timers/promises'
import { freePort, publicBaseUrlOf } from '@catalog/cli/serve/free-port.ts'
import { openLoading } from '@catalog/cli/serve/loading.ts'
import { type Context, inCatalog, withCatalog, withEnvironment } from '@catalog/cli/shared/context.ts'
import { instantsBetween, parseInstant } from '@catalog/cli/shared/instants.ts'
import { instant } from '@catalog/core/time.ts'
import { keepHeapSmall } from '@catalog/runtime/heap.ts'
import type { Actions } from './actions.ts'

// The API and its pages alone have a thousand modules: each action imports its own, so that a run of the aggregator needs
// none of them.

const upWith = withEnvironment(async (context, { sample = false, host, preset: id, param = [], file }: UpFlags) => {
  // Report a port in use before the store is created, which takes time.
  const port = await freePort(host, context.env.PORT)
  const publicBaseUrl = publicBaseUrlOf(context.env, { host, port })
  await using loading = await openLoading({ host, port, publicBaseUrl })
  context.terminal.note(`${publicBaseUrl}/ shows how far the start is`)
  const env = { ...context.env, PORT: port }
  await import('@catalog/cli/shared/wire.ts')
  // The API and its pages load while processes of the store begin.
  const loaded = delay(STORE_BEGINS_MS).then(async () => {
    const { observed } = await import('@catalog/cli/serve/metrics.ts')
    const { up } = await import('@catalog/cli/serve/up.ts')
    const { saidOf } = await import('@catalog/cli/presets/add-preset.ts')
    const { loadVocabularies } = await import('@catalog/api/search/finder.ts')
    loadVocabularies()
    return { observed, up, saidOf }
  })
  return await inCatalog({ ...context, env }, { name: 'up', projects: true }, async (context) => {
    const { observed, up, saidOf } = await loaded
    return observed(context, 'up', (metrics) => {
      const preset = id === undefined ? undefined : { id, said: saidOf(param), file }
      return up(context, { sample, host, preset, metrics, loading })
    })
  })
})

/** Opening a store forks its process, or starts its thread, within this time. */
const STORE_BEGINS_MS = 50

export const ACTIONS: Actions = {
  up(...given: Parameters<typeof upWith>) {
    keepHeapSmall()
    return upWith(...given)
  },
  serve: withCatalog(async (context, options: { host: string }) => {
    const { observed } = await import('@catalog/cli/serve/metrics.ts')
    const { serve } = await import('@catalog/cli/serve/serve.ts')
    return observed(context, 'serve', (metrics) => serve(context, { ...options, metrics }))
  }),
  project: withCatalog(
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
  aggregate: withCatalog((context, flags: AggregateFlags) => runAggregate(context, flags)),
}

type UpFlags = { sample?: boolean; host: string; preset?: string; param?: string[]; file?: string }

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
  const { catalog, terminal, signal } = context
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
  return aggregateRuns(catalog, terminal, { asOfs, full: flags.full ?? false, signal })
}
