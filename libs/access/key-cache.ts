import { LRUCache } from 'lru-cache'
import type { Usage } from './usage.ts'

/** Credentials of callers in memory for a short time, so that nearly every request skips the database. */

/** One cached credential. */
export type CacheEntry<Row> = {
  /** Its row at the last read; undefined for an unknown credential. */
  row: Row | undefined
  readAtMs: number
  /** The API fills it in on first use. */
  usage?: Usage
}

export interface KeyCache<Row> {
  /** The fresh entry of a name; undefined when the caller must {@link load} it. */
  get(name: string): CacheEntry<Row> | undefined
  /** Reads the database. */
  load(name: string): Promise<CacheEntry<Row>>
  /** Refuses the name in this process from now on, whatever later reads return; other processes follow within 30 s. */
  revoke(name: string, at: string): void
}

/** Maximum age of a served entry, and so the longest delay of another process's revocation. */
export const CACHE_AGE_MAX_MS = 25_000
/** From this age on the cache refreshes an entry in the background. */
const REFRESH_AGE_MS = 10_000
/** About 15 MB. */
const KNOWN_MAX = 50_000
/** Unknown names have a cache of their own, so that a flood of them evicts no known key. */
const UNKNOWN_MAX = 10_000

export function openKeyCache<Row extends { readonly revoked_at: string | null }>({
  find,
  now,
  isAway = () => false,
}: {
  find: (name: string) => Promise<Row | undefined>
  now: () => Date
  /** While the database does not answer, known credentials of any age are served; nobody can revoke one there meanwhile. */
  isAway?: (() => boolean) | undefined
}): KeyCache<Row> {
  const known = new LRUCache<string, CacheEntry<Row>>({ max: KNOWN_MAX })
  const unknown = new LRUCache<string, CacheEntry<Row>>({ max: UNKNOWN_MAX })
  const loading = new Map<string, Promise<CacheEntry<Row>>>()

  const entryOf = (name: string) => known.get(name) ?? unknown.get(name)

  function load(name: string): Promise<CacheEntry<Row>> {
    const underWay = loading.get(name)
    if (underWay !== undefined) return underWay
    const readAtMs = now().getTime()
    const loaded = find(name)
      .then((row) => save(name, row, readAtMs))
      .finally(() => loading.delete(name))
    loading.set(name, loaded)
    return loaded
  }

  function save(name: string, row: Row | undefined, readAtMs: number): CacheEntry<Row> {
    const entry = entryOf(name)
    if (entry !== undefined) {
      // A revocation is final: a row from an earlier read must not undo it.
      if (typeof entry.row?.revoked_at !== 'string') entry.row = row
      entry.readAtMs = readAtMs
      return entry
    }
    const added = { row, readAtMs }
    const cache = row === undefined ? unknown : known
    cache.set(name, added)
    return added
  }

  return {
    get(name) {
      const entry = entryOf(name)
      if (entry === undefined) return undefined
      const ageMs = now().getTime() - entry.readAtMs
      if (entry.row !== undefined && isAway()) return entry
      if (ageMs < 0 || ageMs >= CACHE_AGE_MAX_MS) return undefined
      // Ignore a failed refresh: an outage shows once the entry is too old to serve.
      if (ageMs >= REFRESH_AGE_MS) load(name).catch(() => {})
      return entry
    },
    load,
    revoke(name, at) {
      const entry = entryOf(name)
      if (entry?.row !== undefined) entry.row = { ...entry.row, revoked_at: at }
    },
  }
}
