import { setTimeout as delay } from 'node:timers/promises'
import type { Replica } from '@catalog/replica/follow/replica.ts'
import { isFileError, isRowError, type Tables } from '@catalog/replica/tables.ts'
import { type CatalogVersion, readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { boundedStore } from './bounded.ts'
import type { VersionOf } from './cache.ts'
import { type CachedRead, cachedRead } from './cached-read.ts'
import { ApiError } from './errors.ts'

/** Readers see a publication at most this long after its commit; a catalog in use costs at most seven reads a second. */
const VERSION_AGE_MAX_MS = 200
/** A store that answers later than this counts as away, where a replica can answer. */
const ASKING_BOUNDS = { answerMs: 2_000, waitingMax: 10 }
const BEHIND_RETRY_SECONDS = 1

/** How long a reader waits who knows a newer change than this process. */
const CATCH_UP_MAX_MS = 2_000

/** The version of the catalog that readers see. */
export type WatchedCatalog = Readonly<{
  /** That of the store, at most 200 ms old; an older one while the replica is behind. Throws before the replica was filled. */
  version: CachedRead<CatalogVersion>
  read: ReadCatalog
  /** Reads the store's version anew, and waits for the replica. Throws where it is too far behind; not while the store is away. */
  catchUp: () => Promise<void>
  /** Why nothing can be read yet; undefined once something can. */
  emptiness: () => ApiError | undefined
  /** The version of the store as of the last look; undefined where it did not answer. */
  stored: () => CatalogVersion | undefined
  /** How long the store has been away, in milliseconds; undefined while it answers. */
  awayMs: () => number | undefined
  isAway: () => boolean
}>

export function watchCatalog({
  store,
  replica,
  now,
}: {
  store: Store
  replica: Replica
  now: () => Date
}): WatchedCatalog {
  const patient = boundedStore(store, ASKING_BOUNDS)
  /** When the store answered last, while it is away. */
  let awaySinceMs: number | undefined
  let answeredMs = now().getTime()
  let asking: Promise<CatalogVersion> | undefined
  let stored: CatalogVersion | undefined

  /** One statement at a time: a store that is away may keep it for seconds. */
  function ask(): Promise<CatalogVersion> {
    asking ??= readCatalogVersion(patient)
      .then((version) => {
        stored = version
        answeredMs = now().getTime()
        awaySinceMs = undefined
        return version
      })
      .catch((error: unknown) => {
        stored = undefined
        throw error
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  /** Undefined while the store is away. */
  async function askAgain(): Promise<CatalogVersion | undefined> {
    const answer = ask().catch(() => undefined)
    // Nobody waits for a store that was away a moment ago.
    const version = awaySinceMs === undefined ? await answer : await Promise.race([answer, delay(0, undefined)])
    if (version === undefined) awaySinceMs ??= answeredMs
    return version
  }

  async function read(): Promise<CatalogVersion> {
    const asked = replica.last() === undefined ? await ask() : await askAgain()
    if (asked !== undefined && (await replica.reach(asked))) return asked
    const last = replica.last()
    if (last === undefined) throw notFilled(replica.filling())
    // A copy, which caches compare again: documents that depend on the hour go on to change.
    return { ...last.version }
  }

  return {
    version: cachedRead(read, { ageMaxMs: VERSION_AGE_MAX_MS, now }),
    read: readerOf(replica),
    async catchUp() {
      const asked = await askAgain()
      if (asked === undefined || (await replica.reach(asked, CATCH_UP_MAX_MS))) return
      throw new ApiError('not_ready', 'the copy of the catalog is behind', { retryAfterSeconds: BEHIND_RETRY_SECONDS })
    },
    emptiness: () => (replica.last() === undefined ? notFilled(replica.filling()) : undefined),
    stored: () => stored,
    awayMs: () => (awaySinceMs === undefined ? undefined : now().getTime() - awaySinceMs),
    isAway: () => awaySinceMs !== undefined,
  }
}

/** Whole seconds since the store answered, for the header Age (RFC 9111 §5.1). */
export const ageSeconds = (awayMs: number): number => Math.max(0, Math.floor(awayMs / 1000))

/** Version of documents that only publications change. */
export const publicationVersion = versionOf(({ gen, seq }) => `${gen} ${seq}`, 'seq')

/** Version of documents that show the state of feeds, digests and snapshots. */
export const feedsVersion = versionOf(
  ({ gen, seq, bulk, floors }) => `${gen} ${seq} ${bulk} ${floors}`,
  'seq',
  'bulk',
  'floors',
)

/** Version of closed pages, which stay the same until retention drops them. */
export const retentionVersion = ({ gen, floors }: CatalogVersion): string => `${gen} ${floors}`

/** Version of digests, which stay the same until so many newer ones exist that the store drops them. */
export const digestsVersion = ({ gen, bulk }: CatalogVersion): string => `${gen} ${bulk}`

/** Version of documents that also show vendor data, which changes without a publication. */
export const projectionVersion = versionOf(({ gen, checkpoints }) => `${gen} ${checkpoints}`, 'checkpoints')

/** A version, which changes when one of these parts of the catalog does. */
function versionOf(of: (version: CatalogVersion) => string, ...parts: (keyof CatalogVersion['changed'])[]): VersionOf {
  const changedMs = ({ changed }: CatalogVersion) =>
    // A replica that an earlier release filled says nothing of changes.
    Math.max(...parts.map((part) => changed?.[part] ?? Number.NEGATIVE_INFINITY))
  return Object.assign(of, { changedMs })
}

/**
 * Reads the public catalog from the replica of this host: one call sees one state. Throws not_ready before the replica was
 * filled, and where its file proves bad.
 */
export type ReadCatalog = <T>(read: (tables: Tables) => T) => T

/** A filling of 100,000 items takes seconds. */
const RETRY_SECONDS = 5

export function readerOf(replica: Pick<Replica, 'last' | 'filling'>): ReadCatalog {
  return (read) => {
    const last = replica.last()
    if (last === undefined) throw notFilled(replica.filling())
    try {
      return last.tables.read(read)
    } catch (error) {
      throw problemOf(last.tables, error)
    }
  }
}

/** Shows rows that were read; see {@link problemOf} for one that cannot be shown. */
export async function shownRows<T>(read: ReadCatalog, show: () => Promise<T>): Promise<T> {
  try {
    return await show()
  } catch (error) {
    throw isRowError(error) ? read((tables) => problemOf(tables, error)) : error
  }
}

/**
 * The error that a reader gets. Where a row cannot be shown, the tables check their file, which separates damage from a fault
 * of the code. If a check found the file sound lately, the reader gets the fault.
 */
function problemOf(tables: Tables, error: unknown): unknown {
  const isBad = isFileError(error) || (isRowError(error) && tables.suspect(error))
  return isBad ? notReady('the file of the catalog is damaged, or is being checked', error) : error
}

function notFilled(filling: ReturnType<Replica['filling']>): ApiError {
  const done = filling === undefined ? '' : `: it has ${filling.items} of ${filling.of} items`
  return notReady(`the server copies the catalog${done}`)
}

const notReady = (details: string, cause?: unknown) =>
  new ApiError('not_ready', details, { retryAfterSeconds: RETRY_SECONDS, cause })
