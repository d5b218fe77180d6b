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

/** Records the method of a new catalog as of its first run, unless a person decided on one. */
export async function decideFirstMethod(deps: FirstRunDeps, asOf: string): Promise<void> {
  const { store, log, methodOfNewCatalogs: method } = deps
  if (method === undefined || (await isMethodDecided(store))) return
  const reason = 'method of new catalogs'
  const decision = { type: 'MethodChanged' as const, decided_at: asOf, method: method.name, reason }
  await appendDecisions(log, [decision], { recordedAt: instant(deps.now()) })
  await deps.catchUp()
}
