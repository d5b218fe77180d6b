/** A value that is read again once it is too old. */
export type CachedRead<T> = Readonly<{
  /** Concurrent callers share one read. A failure is not cached. */
  get(): Promise<T>
  /** The cached value, without waiting; undefined when there is none or it is too old. */
  peek(): T | undefined
}>

/** Caches the value of `read` for at most `ageMaxMs`. */
export function cachedRead<T>(
  read: () => Promise<T>,
  { ageMaxMs, now }: { ageMaxMs: number; now: () => Date },
): CachedRead<T> {
  let readAtMs = Number.NEGATIVE_INFINITY
  let pending: Promise<T> | undefined
  let cached: T | undefined
  // A clock set back makes the age negative: read again.
  const isFresh = () => {
    const ageMs = now().getTime() - readAtMs
    return ageMs >= 0 && ageMs < ageMaxMs
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
