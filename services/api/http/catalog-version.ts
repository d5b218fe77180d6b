import type { Replica } from '@catalog/replica/follow/replica.ts'
import { type CatalogVersion, readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import type { VersionOf } from './cache.ts'
import { type CachedRead, cachedRead } from './cached-read.ts'
import type { ReplicaTables } from './context.ts'
import { storeUnavailable } from './errors.ts'

/** Readers see a publication at most this long after its commit; a catalog in use costs at most seven reads a second. */
const VERSION_AGE_MAX_MS = 200
/** A store that answers later than this counts as away, where a replica can answer. */
const ANSWER_MAX_MS = 2_000

/** The head of the catalog, and the replica from which public data is read. */
export type WatchedCatalog = Readonly<{
  /** At most 200 ms old; while the store is away, that of the replica. Throws where there is neither. */
  version: CachedRead<CatalogVersion>
  /** The replica, when it is as new as the version; undefined: ask the store. */
  tables: ReplicaTables
  /** How long the store has been away, in milliseconds; undefined while it answers. */
  awayMs: () => number | undefined
}>

export function watchCatalog({
  store,
  replica,
  now,
}: {
  store: Store
  replica?: Replica | undefined
  now: () => Date
}): WatchedCatalog {
  /** When the store answered last, while it is away. */
  let awaySinceMs: number | undefined
  let answeredMs = now().getTime()
  let asking: Promise<CatalogVersion> | undefined

  /** One statement at a time: a store that is away may keep it for seconds. */
  function ask(): Promise<CatalogVersion> {
    asking ??= within(readCatalogVersion(store), ANSWER_MAX_MS)
      .then((version) => {
        if (version === undefined) throw storeUnavailable(new Error(`no answer within ${ANSWER_MAX_MS} ms`))
        answeredMs = now().getTime()
        awaySinceMs = undefined
        return version
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  async function read(replica: Replica): Promise<CatalogVersion> {
    const asked = ask()
    const last = replica.last()
    if (last === undefined) {
      const version = await asked
      await replica.reach(version)
      return version
    }
    // Nobody waits for a store that was away a moment ago.
    const answer = asked.catch(() => undefined)
    const version = awaySinceMs === undefined ? await answer : await within(answer, 0)
    if (version === undefined) {
      awaySinceMs ??= answeredMs
      // A copy, which caches compare again: documents that depend on the hour go on to change.
      return { ...last.version }
    }
    await replica.reach(version)
    return version
  }

  return {
    version: cachedRead(() => (replica === undefined ? readCatalogVersion(store) : read(replica)), {
      ageMaxMs: VERSION_AGE_MAX_MS,
      now,
    }),
    tables: Object.assign(() => (awaySinceMs === undefined ? replica?.current() : replica?.last()?.tables), {
      last: () => replica?.last()?.tables,
    }),
    awayMs: () => (awaySinceMs === undefined ? undefined : now().getTime() - awaySinceMs),
  }
}

/** Whole seconds since the store answered, for the header Age (RFC 9111 §5.1). */
export const ageSeconds = (awayMs: number): number => Math.max(0, Math.floor(awayMs / 1000))

/** The value if it arrives in time; undefined otherwise. */
async function within<T>(value: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs).unref()
  })
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}

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
