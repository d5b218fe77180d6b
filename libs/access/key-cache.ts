import { LRUCache } from 'lru-cache'
import type { Use } from './usage.ts'

/** What callers present, remembered for a short time, so that nearly no request asks the database. */

/** What is remembered of one of them. */
export type Seen<Found> = {
  /** Its row as it was read; undefined for one that never was. */
  found: Found | undefined
  readAtMs: number
  /** Made by whoever counts it, when it is first used. */
  use?: Use
}

export interface Ring<Found> {
  /** What is remembered under the name; undefined when the database must be asked. */
  recall(name: string): Seen<Found> | undefined
  /** Asks the database. */
  look(name: string): Promise<Seen<Found>>
  /** From now on it is refused here, whatever was or will be read; other processes notice within 30 s. */
  revoke(name: string, at: string): void
}

/** A caller is served by what was read of it so long ago at most: the longest that another process's revocation takes. */
export const SEEN_AGE_MAX_MS = 25_000
/** From this age on it is read again beside the request, which need not wait. */
const SEEN_REFRESH_MS = 10_000
/** About 15 MB. */
const SEEN_MAX = 50_000
/** Those that never were are remembered apart, so that a flood of them pushes nobody out. */
const UNKNOWN_MAX = 10_000

export function openRing<Found extends { readonly revoked_at: string | null }>({
  find,
  now,
}: {
  find: (name: string) => Promise<Found | undefined>
  now: () => Date
}): Ring<Found> {
  const known = new LRUCache<string, Seen<Found>>({ max: SEEN_MAX })
  const unknown = new LRUCache<string, Seen<Found>>({ max: UNKNOWN_MAX })
  const asking = new Map<string, Promise<Seen<Found>>>()

  const seenUnder = (name: string) => known.get(name) ?? unknown.get(name)

  function ask(name: string): Promise<Seen<Found>> {
    const underWay = asking.get(name)
    if (underWay !== undefined) return underWay
    const readAtMs = now().getTime()
    const answer = find(name)
      .then((found) => remember(name, found, readAtMs))
      .finally(() => asking.delete(name))
    asking.set(name, answer)
    return answer
  }

  function remember(name: string, found: Found | undefined, readAtMs: number): Seen<Found> {
    const seen = seenUnder(name)
    if (seen !== undefined) {
      // A revocation is for ever: what was read before it must not undo it.
      if (typeof seen.found?.revoked_at !== 'string') seen.found = found
      seen.readAtMs = readAtMs
      return seen
    }
    const first = { found, readAtMs }
    const ring = found === undefined ? unknown : known
    ring.set(name, first)
    return first
  }

  return {
    recall(name) {
      const seen = seenUnder(name)
      if (seen === undefined) return undefined
      const ageMs = now().getTime() - seen.readAtMs
      if (ageMs < 0 || ageMs >= SEEN_AGE_MAX_MS) return undefined
      // A store that is away shows when what was read is too old to be served.
      if (ageMs >= SEEN_REFRESH_MS) ask(name).catch(() => {})
      return seen
    },
    look: ask,
    revoke(name, at) {
      const seen = seenUnder(name)
      if (seen?.found !== undefined) seen.found = { ...seen.found, revoked_at: at }
    },
  }
}
