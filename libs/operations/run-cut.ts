import { instant } from '@catalog/core/time.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'
import { latestRuns, runById } from '@catalog/store/vendor/runs.ts'
import type { Catalog } from './catalog.ts'

/**
 * The facts of a past run, or all facts known at an instant (by default now). Throws an error that lists the latest
 * runs.
 */
export async function cutOf({ store, now }: Catalog, { runId, asOf }: { runId?: string; asOf?: string }): Promise<Cut> {
  if (runId !== undefined) {
    const run = await runById(store, runId)
    if (run === undefined) {
      const known = (await latestRuns(store, 5)).map((run) => `${run.runId} (${run.asOf})`)
      throw new Error(`run '${runId}': expected a known run, of which the latest are ${known.join(', ') || 'none'}`)
    }
    return { asOf: run.asOf, positions: run.positions }
  }
  return { asOf: asOf ?? instant(now()), positions: null }
}
