import { makeDigest, readNewestMark } from '@catalog/store/catalog/digests.ts'
import type { Store } from '@catalog/store/db.ts'

/**
 * Makes the digests of the newest mark unless they exist. Returns whether it made them. Skips superseded marks: clients
 * verify the newest one. Any number of processes may run it at once, and the first one's rows stay.
 */
export async function digestNewestMark(store: Store, signal?: AbortSignal): Promise<boolean> {
  const newest = await readNewestMark(store)
  if (newest === undefined || newest.hasDigest) return false
  return makeDigest(store, newest, signal === undefined ? {} : { signal })
}
