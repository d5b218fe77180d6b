import { eventId } from '@catalog/core/events/ids.ts'
import type { MethodChanged } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
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
  const content = {
    type: 'MethodChanged' as const,
    v: 1 as const,
    decided_at: asOf,
    method: method.name,
    reason: 'method of new catalogs',
  }
  const event: MethodChanged = { ...content, event_id: eventId(content), recorded_at: instant(deps.now()) }
  await log.append(TOPICS.decisions, [{ key: event.type, value: JSON.stringify(event) }])
  await deps.catchUp()
}
