import { type Head, readHead } from '@catalog/store/catalog.ts'
import type { Store } from '@catalog/store/db.ts'

/** A publication is seen by readers at most this long after its commit, and a quiet catalog costs four reads a second. */
const HEAD_AGE_MAX_MS = 200

/** Where the catalog stands, at most 200 ms old; callers that ask while it is being read share one read. */
export function watchHead({ store, now }: { store: Store; now: () => Date }): () => Promise<Head> {
  let readAtMs = Number.NEGATIVE_INFINITY
  let head: Promise<Head> | undefined
  return () => {
    const ageMs = now().getTime() - readAtMs
    // A clock that was set back makes the age negative, and the head is read again.
    if (head === undefined || ageMs >= HEAD_AGE_MAX_MS || ageMs < 0) {
      readAtMs = now().getTime()
      const reading = readHead(store)
      head = reading
      reading.catch(() => {
        if (head === reading) head = undefined
      })
    }
    return head
  }
}
