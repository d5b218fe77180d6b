import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import { LRUCache } from 'lru-cache'
import type { CachedRead } from './cached-read.ts'
import { modifiedAt, type RenderedDocument } from './documents.ts'

/**
 * An LRU cache of rendered documents. It keeps those that were asked for twice: readers that walk the catalog ask for each
 * page once, and would displace what others ask for again.
 */
export interface DocumentCache {
  /**
   * The document of this key, rendered when the cache lacks it or when its version changed. `versionOf` derives that
   * version from the catalog's. The first document of a key is not kept, and has no `cachedAs`. Concurrent callers share one rendering. An error of `render` is not cached.
   */
  get(
    request: { key: string; versionOf: VersionOf },
    render: () => Promise<RenderedDocument>,
  ): Promise<RenderedDocument>
  /** The document of this key if it is cached and known to be current, without waiting. */
  peek(key: string): RenderedDocument | undefined
  /** Forgets all documents, as when they may be wrong. */
  clear(): void
}

/** The version of a document, derived from that of the catalog, and when it became that. */
export type VersionOf = ((version: CatalogVersion) => string) &
  Readonly<{
    /** In milliseconds since 1970; negative infinity where nobody knows. */
    changedMs?: (version: CatalogVersion) => number
  }>

/** 2,000 pages of 50 items take 34 MB, and about 42 MB with both compressed forms. */
export const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024
/** Overhead of an entry beside its bytes. */
const ENTRY_BYTES = 500

/** Compressed forms count towards `bytesMax` too. */
export function documentCache({
  catalogVersion,
  bytesMax,
  now,
}: {
  catalogVersion: CachedRead<CatalogVersion>
  bytesMax: number
  now: () => Date
}): DocumentCache {
  type Entry = {
    readonly version: string
    readonly versionOf: VersionOf
    readonly document: RenderedDocument
    readonly size: number
    /** The catalog version of the last successful comparison. */
    comparedTo: CatalogVersion | undefined
  }
  const entries = new LRUCache<string, Entry>({ maxSize: bytesMax, sizeCalculation: ({ size }) => size })
  const askedOnce = recentKeys(KEYS_MAX)
  const rendering = new Map<string, Promise<RenderedDocument>>()
  let serial = 0

  function keep(key: string, entry: Entry): void {
    entries.set(key, entry)
    entry.document.onGrowth((bytes) => {
      const present = entries.peek(key)
      if (present?.document === entry.document) entries.set(key, { ...present, size: present.size + bytes })
    })
  }

  function modifiedBy({ changedMs }: VersionOf, catalog: CatalogVersion): Pick<RenderedDocument, 'modified'> {
    const atMs = changedMs?.(catalog) ?? Number.NEGATIVE_INFINITY
    return Number.isFinite(atMs) ? { modified: modifiedAt(atMs, now) } : {}
  }

  return {
    async get({ key, versionOf }, render) {
      const catalog = await catalogVersion.get()
      const version = versionOf(catalog)
      const entry = entries.get(key)
      if (entry?.version === version) return entry.document
      const name = `${version}\n${key}`
      const underWay = rendering.get(name)
      if (underWay !== undefined) return await underWay
      const isFirst = entry === undefined && !askedOnce.has(key)
      if (isFirst) askedOnce.add(key)
      const modified = modifiedBy(versionOf, catalog)
      const promise = render().then((rendered) => {
        const former = entries.get(key)
        if (former === undefined && isFirst) return { ...modified, ...rendered }
        // An unrelated change gave equal bytes: keep the compressed forms. The date is that of other processes, which may
        // not have had these bytes before.
        if (former !== undefined && isSame(former.document, rendered)) {
          const document = { ...former.document, ...modified, ...dateOf(rendered) }
          keep(key, { ...former, version, versionOf, document, comparedTo: undefined })
          return document
        }
        const document = { ...modified, ...rendered, cachedAs: { key, serial: ++serial } }
        const size = document.bytes.length + 2 * key.length + ENTRY_BYTES
        keep(key, { version, versionOf, document, size, comparedTo: undefined })
        return document
      })
      rendering.set(name, promise)
      try {
        return await promise
      } finally {
        rendering.delete(name)
      }
    },
    peek(key) {
      const entry = entries.get(key)
      const present = catalogVersion.peek()
      if (entry === undefined || present === undefined) return undefined
      if (entry.comparedTo !== present && entry.versionOf(present) !== entry.version) return undefined
      entry.comparedTo = present
      return entry.document
    },
    clear: () => entries.clear(),
  }
}

/** A document may bring a date of its own, which goes before that of its version. */
const dateOf = ({ modified }: RenderedDocument) => (modified === undefined ? {} : { modified })

/** Keys that were asked for once, some 100 bytes each. */
const KEYS_MAX = 20_000

/** The last keys, at least `max` and at most twice as many. */
function recentKeys(max: number): { has(key: string): boolean; add(key: string): void } {
  let [newer, older] = [new Set<string>(), new Set<string>()]
  return {
    has: (key) => newer.has(key) || older.has(key),
    add(key) {
      if (newer.size >= max) [newer, older] = [new Set(), newer]
      newer.add(key)
    },
  }
}

function isSame(a: RenderedDocument, b: RenderedDocument): boolean {
  return a.etag === b.etag && JSON.stringify(a.headers) === JSON.stringify(b.headers)
}
