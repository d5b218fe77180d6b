import { setTimeout as delay } from 'node:timers/promises'

/** Kafka replaces a dead leader within 10 s; these attempts together wait about 20 s. */
export const FAILOVER = { firstWaitMs: 100, waitMsMax: 2_000, retries: 14 } as const
/** About 6 s, long enough for a group's coordinator to load. Then the subscription rejects, and the caller retries. */
export const GROUP_RETRIES = 6

/** The wait before this retry, counted from 0. */
export const waitMsOf = (retry: number) => Math.min(FAILOVER.firstWaitMs * 2 ** retry, FAILOVER.waitMsMax)

/** Runs the work until it succeeds, {@link FAILOVER} ends, or an error is final. Throws the error of the last attempt. */
export async function throughFailover<T>(
  work: (attempt: number) => T | Promise<T>,
  isFinal: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt === FAILOVER.retries || isFinal(error)) throw error
      await delay(waitMsOf(attempt))
    }
  }
}
