import { EmbedderUnavailable } from '@catalog/embed/embed.ts'

/**
 * A way to the provider with places of its own, and with a breaker: after so many failures in a row nothing is sent for a
 * while, then one attempt alone, whose outcome opens the way again or keeps it closed for twice as long.
 *
 * Queries and documents have a lane each, so that neither the requests nor the failures of one hold up the other.
 */
export type Lane = Readonly<{
  /**
   * Runs the attempt when a place is free; it says whether the provider answered. Throws EmbedderUnavailable, without running it, while the way is closed, and the
   * signal's reason when it aborts first.
   */
  through: <T>(
    attempt: () => Promise<{ readonly value: T; readonly answered: boolean }>,
    signal: AbortSignal,
  ) => Promise<T>
  /** Sends nothing for so long. */
  close: (forMs: number) => void
  /** Milliseconds until something may be sent again; 0 while the way is open. */
  closedMs: () => number
}>

/** `now` is a clock in milliseconds that never goes back; the lane has `places` requests under way at most. */
export function openLane({ now, places }: { now: () => number; places: number }): Lane {
  let free = places
  const waiting: (() => void)[] = []
  let failures = 0
  /** Until when nothing is sent; null while the way is open. From then on one attempt at a time is. */
  let closedUntil: number | null = null
  let pauseMs = PAUSE_MS_MIN
  let isTrying = false

  function close(forMs: number): void {
    closedUntil = Math.max(closedUntil ?? 0, now() + forMs)
  }

  function closedMs(): number {
    if (closedUntil === null) return 0
    // Whoever comes while the one attempt is under way comes again shortly.
    return isTrying ? PAUSE_MS_MIN : Math.max(0, closedUntil - now())
  }

  async function place(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free--
      return
    }
    const given = Promise.withResolvers<void>()
    const take = () => given.resolve()
    const leave = () => {
      waiting.splice(waiting.indexOf(take), 1)
      given.reject(signal.reason)
    }
    waiting.push(take)
    signal.addEventListener('abort', leave, { once: true })
    await given.promise.finally(() => signal.removeEventListener('abort', leave))
  }

  function giveBack(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }

  function learn(answered: boolean, isTheOne: boolean): void {
    if (answered) {
      failures = 0
      closedUntil = null
      pauseMs = PAUSE_MS_MIN
      return
    }
    failures++
    // Those that were under way when the way was closed say nothing new.
    if (failures < FAILURES_MAX || (closedUntil !== null && !isTheOne)) return
    close(pauseMs)
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)
  }

  return {
    close,
    closedMs,
    async through(attempt, signal) {
      await place(signal)
      let isTheOne = false
      try {
        const waitMs = closedMs()
        if (waitMs > 0) {
          const seconds = Math.ceil(waitMs / 1000)
          throw new EmbedderUnavailable(`the embeddings provider failed; it is asked again in ${seconds} s`, seconds)
        }
        isTheOne = closedUntil !== null
        isTrying ||= isTheOne
        const { value, answered } = await attempt()
        learn(answered, isTheOne)
        return value
      } finally {
        if (isTheOne) isTrying = false
        giveBack()
      }
    },
  }
}

/** Failures in a row after which the provider is left alone: fewer happen by chance, more make readers wait for nothing. */
const FAILURES_MAX = 5
const PAUSE_MS_MIN = 5_000
const PAUSE_MS_MAX = 120_000
