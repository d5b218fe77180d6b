export type Recent<T> = Readonly<{
  /** Callers that ask while it is being read share one read. A failure is not kept. */
  get(): Promise<T>
  /** What is at hand without waiting, if anything is. */
  held(): T | undefined
}>

/** What `read` answers, at most so old. */
export function recent<T>(read: () => Promise<T>, { ageMaxMs, now }: { ageMaxMs: number; now: () => Date }): Recent<T> {
  let readAtMs = Number.NEGATIVE_INFINITY
  let answer: Promise<T> | undefined
  let held: T | undefined
  // A clock that was set back makes the age negative, and it is read again.
  const isRecent = () => {
    const ageMs = now().getTime() - readAtMs
    return ageMs >= 0 && ageMs < ageMaxMs
  }
  return {
    get() {
      if (answer === undefined || !isRecent()) {
        readAtMs = now().getTime()
        const reading = read()
        answer = reading
        held = undefined
        reading.then(
          (value) => {
            if (answer === reading) held = value
          },
          () => {
            if (answer === reading) answer = undefined
          },
        )
      }
      return answer
    },
    held: () => (isRecent() ? held : undefined),
  }
}
