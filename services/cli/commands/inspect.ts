import { status } from '@catalog/cli/inspect/status.ts'
import { verifyNightly, verifyTables } from '@catalog/cli/inspect/verify.ts'
import type { QualityFlags } from '@catalog/cli/quality/quality.ts'
import { withCatalog, withEnvironment } from '@catalog/cli/shared/context.ts'
import { parseInstant } from '@catalog/cli/shared/instants.ts'
import { isRegion } from '@catalog/core/events/sources.ts'
import { regionsExpected } from '@catalog/core/median/regions.ts'
import { isSubdivision } from '@catalog/core/median/subdivisions.ts'
import type { Actions } from './actions.ts'

// Actions import modules that no other command here needs.

export const ACTIONS: Actions = {
  status: withCatalog(async ({ catalog, terminal }) => {
    process.exitCode = await status(catalog, terminal)
  }),
  doctor: withEnvironment(async ({ env, terminal }) => {
    const { doctor } = await import('@catalog/cli/doctor/doctor.ts')
    return await doctor(env, terminal)
  }),
  'embedder calibrate': withCatalog(async (context) => {
    const { calibrateEmbedder } = await import('@catalog/cli/shared/calibrations.ts')
    await calibrateEmbedder(context)
  }),
  verify: withCatalog(async (context, flags: { rate: string; nightly?: boolean }) => {
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
  explain: withCatalog(async ({ catalog, terminal }, itemId: string, { asOf, run, region }: ExplainFlags) => {
    const { explain } = await import('@catalog/cli/inspect/explain.ts')
    return explain(catalog, terminal, {
      itemId,
      ...(asOf !== undefined && { asOf: parseInstant(asOf, '--as-of') }),
      ...(run !== undefined && { runId: run }),
      ...(region !== undefined && { region: marketNamed(region) }),
    })
  }),
  quality: withCatalog(async (context, flags: QualityFlags) => {
    const { reportQuality } = await import('@catalog/cli/quality/quality.ts')
    return reportQuality(context, flags)
  }),
}

type ExplainFlags = { asOf?: string; run?: string; region?: string }

function marketNamed(written: string): string {
  const region = written.toUpperCase()
  if (!isRegion(region) && !isSubdivision(region)) throw new Error(`--region '${written}': ${regionsExpected(region)}`)
  return region
}
