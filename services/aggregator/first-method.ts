import { appendDecisions } from '@catalog/aggregator/matching/append-decisions.ts'
import type { Method } from '@catalog/core/median/median.ts'
import { instant } from '@catalog/core/time.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { Store } from '@catalog/store/db.ts'
import { isMethodDecided } from '@catalog/store/vendor/as-of-queries.ts'

type FirstRunDeps = Readonly<{
  store: Store
  log: EventLog
  catchUp: () => Promise<void>
  now: () => Date
  methodOfNewCatalogs?: Method
}>

/**
 * Records the method of a new catalog as of its first run, unless a person decided on one. Where all runs were taken back, the next one
 * is the first again.
 */
export async function decideFirstMethod(
  deps: FirstRunDeps,
  { asOf, isFirstRun }: { asOf: string; isFirstRun: boolean },
): Promise<void> {
  const { store, log, methodOfNewCatalogs: method } = deps
  if (method === undefined || (await isMethodDecided(store, isFirstRun ? null : asOf))) return
  const reason = 'method of new catalogs'
  const decision = { type: 'MethodChanged' as const, decided_at: asOf, method: method.name, reason }
  await appendDecisions({ log, recordedAt: instant(deps.now()) }, [decision])
  await deps.catchUp()
}
