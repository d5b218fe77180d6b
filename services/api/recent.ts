/**
 * What `read` answers, at most so old; callers that ask while it is being read share one read. A failure is not kept.
 */
export function recent<T>(
  read: () => Promise<T>,
  { ageMaxMs, now }: { ageMaxMs: number; now: () => Date },
): () => Promise<T> {
  let readAtMs = Number.NEGATIVE_INFINITY
  let answer: Promise<T> | undefined
  return () => {
    const ageMs = now().getTime() - readAtMs
    // A clock that was set back makes the age negative, and it is read again.
    if (answer === undefined || ageMs >= ageMaxMs || ageMs < 0) {
      readAtMs = now().getTime()
      const reading = read()
      answer = reading
      reading.catch(() => {
        if (answer === reading) answer = undefined
      })
    }
    return answer
  }
}
