import type { Queryable } from '@catalog/store/db.ts'
import { storeClock } from './lease.ts'

/** Clocks that NTP sets differ by far less. */
const SKEW_MS_MAX = 60_000

type Clocks = Readonly<{ store: Queryable; now: () => Date }>

/**
 * Throws where this machine's clock and the database's are more than a minute apart. A run, a crawl or a retraction of tomorrow
 * would keep every other machine from publishing until then, because history is made by running forward.
 */
export async function requireSameClock({ store, now }: Clocks): Promise<void> {
  const beganMs = performance.now()
  const skewMs = Math.abs((await storeClock(store)).getTime() - now().getTime()) - (performance.now() - beganMs)
  if (skewMs <= SKEW_MS_MAX) return
  throw new Error(
    `the clocks of this machine and of the database are ${Math.round(skewMs / 1_000)} s apart, expected at most ` +
      `${SKEW_MS_MAX / 1_000} s; let NTP set both`,
  )
}
