import { status } from '@catalog/cli/inspect/status.ts'
import { verifyNightly, verifyTables } from '@catalog/cli/inspect/verify.ts'
import type { QualityFlags } from '@catalog/cli/quality/quality.ts'
import { withCatalog, withEnvironment } from '@catalog/cli/shared/context.ts'
import { parseInstant } from '@catalog/cli/shared/instants.ts'
import { isRegion } from '@catalog/core/events/sources.ts'
import { regionsExpected } from '@catalog/core/median/regions.ts'
import { isSubdivision } from '@catalog/core/median/subdivisions.ts'
import { VERIFY_RATE } from '@catalog/projector/verify/verify.ts'
import type { Command } from 'commander'

// Actions import modules that no other command here needs.

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('positions, lag, counts, roots')
    .addHelpText('after', '\nExit code: 0, or 3 while the log is away, 4 while the index is, 1 without a store.')
    .action(
      withCatalog(async ({ catalog, terminal }) => {
        process.exitCode = await status(catalog, terminal)
      }),
    )
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('look for what would cost data, readers or a night, each with its remedy')
    .addHelpText(
      'after',
      '\nThe exit code is 1 if a finding is an error. It changes nothing that another command would not change.',
    )
    .action(
      withEnvironment(async ({ env, terminal }) => {
        const { doctor } = await import('@catalog/cli/doctor/doctor.ts')
        return await doctor(env, terminal)
      }),
    )
}

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('prove that the tables are the fold of the log, while everything else goes on')
    .option('--rate <records>', 'records and rows to read in a second at most; 0 for no limit', String(VERIFY_RATE))
    .option('--nightly', 'stay, and compare at the instants of VERIFY_CRON, in one process of several')
    .action(
      withCatalog(async (context, flags: { rate: string; nightly?: boolean }) => {
        const { catalog, terminal, signal } = context
        const rate = Number(flags.rate)
        if (!Number.isInteger(rate) || rate < 0)
          throw new Error(`--rate '${flags.rate}': expected a whole number from 0 on`)
        if (flags.nightly) {
          const { observed } = await import('@catalog/cli/serve/metrics.ts')
          return observed(context, 'verify', () => verifyNightly(context, { rate }))
        }
        return verifyTables(catalog, terminal, { rate, signal })
      }),
    )
}

export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('show the votes, weights and exclusions behind a median')
    .argument('<item>', 'id of the item')
    .option('--as-of <instant>', 'at another instant than the last run’s')
    .option('--run <id>', 'as a past run saw it')
    .option('--region <code>', 'of one market alone: a region, or a subdivision such as BR-SP')
    .action(
      withCatalog(async ({ catalog, terminal }, itemId: string, { asOf, run, region }: ExplainFlags) => {
        const { explain } = await import('@catalog/cli/inspect/explain.ts')
        return explain(catalog, terminal, {
          itemId,
          ...(asOf !== undefined && { asOf: parseInstant(asOf, '--as-of') }),
          ...(run !== undefined && { runId: run }),
          ...(region !== undefined && { region: marketNamed(region) }),
        })
      }),
    )
}

type ExplainFlags = { asOf?: string; run?: string; region?: string }

function marketNamed(written: string): string {
  const region = written.toUpperCase()
  if (!isRegion(region) && !isSubdivision(region)) throw new Error(`--region '${written}': ${regionsExpected(region)}`)
  return region
}

export function addQuality(program: Command): void {
  program
    .command('quality')
    .description('show how much the data of each source can be trusted, and which thresholds it exceeds')
    .option('--source <source>', 'id or name of one source, with examples (default: all, by id)')
    .option('--after <id>', 'the sources after this id')
    .option('--limit <n>', 'sources to show', '100')
    .addHelpText(
      'after',
      `
The exit code is 1 if a source exceeds a threshold of the sources file (quality: ...).

Examples:
  catalog quality
  catalog quality --source Obramat
  catalog quality --json | jq '.sources[] | select(.breaches != [])'`,
    )
    .action(
      withCatalog(async (context, flags: QualityFlags) => {
        const { reportQuality } = await import('@catalog/cli/quality/quality.ts')
        return reportQuality(context, flags)
      }),
    )
}
