import type { EventLog } from '@catalog/log/log.ts'
import { requireSameClock } from '@catalog/store/clock.ts'
import type { Store } from '@catalog/store/db.ts'

/** Appends compare the clocks once in so long. */
const CHECK_EVERY_MS = 60_000

/** The log of every writer: appends nothing while this machine's clock is not the database's. */
export function clockedLog(log: EventLog, clocks: Readonly<{ store: Store; now: () => Date }>): EventLog {
  let checkedMs = Number.NEGATIVE_INFINITY
  return {
    ...log,
    async append(topic, events) {
      if (performance.now() > checkedMs + CHECK_EVERY_MS) {
        await requireSameClock(clocks)
        checkedMs = performance.now()
      }
      await log.append(topic, events)
    },
  }
}
