/** A value that is read again once it is too old. */
export type CachedRead<T> = Readonly<{
  /** Concurrent callers share one read. A failure is not cached. */
  get(): Promise<T>
  /** The cached value, without waiting; undefined when there is none or it is too old. */
  peek(): T | undefined
}>

/** A value that is asked for so long before it expires is read again, beside the requests: longer than a read takes. */
const REFRESH_AHEAD_MS = 50

/**
 * Caches the value of `read` for at most `ageMaxMs`; with an infinite one for good, whatever the clock says. A value in
 * constant use is replaced before that, so that no caller waits, and no group of callers meets an old value at once.
 */
export function cachedRead<T>(
  read: () => Promise<T>,
  { ageMaxMs, now }: { ageMaxMs: number; now: () => Date },
): CachedRead<T> {
  let readAtMs = Number.NEGATIVE_INFINITY
  let pending: Promise<T> | undefined
  let cached: T | undefined
  let refreshing = false
  // A clock set back makes the age negative: read again, unless the value has no limit.
  const isFresh = () => {
    if (ageMaxMs === Number.POSITIVE_INFINITY) return true
    const ageMs = now().getTime() - readAtMs
    if (ageMs < 0 || ageMs >= ageMaxMs) return false
    if (ageMs >= ageMaxMs - REFRESH_AHEAD_MS && cached !== undefined && !refreshing) refresh()
    return true
  }

  function refresh(): void {
    refreshing = true
    const beganMs = now().getTime()
    const reading = read()
    const conclude = (value?: T) => {
      refreshing = false
      // An expired value was read again meanwhile; a failure is reported by the read after the expiry.
      if (value === undefined || beganMs <= readAtMs) return
      readAtMs = beganMs
      pending = reading
      cached = value
    }
    reading.then(conclude, () => conclude())
  }

  return {
    get() {
      if (pending === undefined || !isFresh()) {
        readAtMs = now().getTime()
        const reading = read()
        pending = reading
        cached = undefined
        reading.then(
          (value) => {
            if (pending === reading) cached = value
          },
          () => {
            if (pending === reading) pending = undefined
          },
        )
      }
      return pending
    },
    peek: () => (isFresh() ? cached : undefined),
  }
}
