import type { Head } from '@catalog/store/catalog/queries.ts'
import { LRUCache } from 'lru-cache'
import { modifiedAt, type RenderedDocument } from './documents.ts'
import type { Recent } from './publication-watch.ts'

/** Rendered documents, the least recently used thrown out first. */
export interface DocumentCache {
  /**
   * The document of this key, rendered when it is not there or when its version has changed: what `asOf` says of where the
   * catalog stands. Callers that ask for it meanwhile wait for the same rendering. What `render` throws is not kept.
   */
  get(
    asked: { key: string; asOf: (head: Head) => string },
    render: () => Promise<RenderedDocument>,
  ): Promise<RenderedDocument>
  /** The document of this key, if it is there and no waiting is needed to know that it holds. */
  held(key: string): RenderedDocument | undefined
}

/** 2,000 pages of 50 items are 34 MB, and about 42 MB with both compressed forms of each. */
export const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024
/** What an entry costs beside its bytes. */
const ENTRY_BYTES = 500

/** The compressed forms of a document count as its bytes do. */
export function documentCache({
  head,
  bytesMax,
  now,
}: {
  head: Recent<Head>
  bytesMax: number
  now: () => Date
}): DocumentCache {
  type Entry = {
    readonly version: string
    readonly asOf: (head: Head) => string
    readonly document: RenderedDocument
    readonly size: number
    /** Under which the version was compared last. */
    comparedTo: Head | undefined
  }
  const entries = new LRUCache<string, Entry>({ maxSize: bytesMax, sizeCalculation: ({ size }) => size })
  const rendering = new Map<string, Promise<RenderedDocument>>()
  let serial = 0

  function keep(key: string, entry: Entry): void {
    entries.set(key, entry)
    entry.document.onGrowth((bytes) => {
      const present = entries.peek(key)
      if (present?.document === entry.document) entries.set(key, { ...present, size: present.size + bytes })
    })
  }

  return {
    async get({ key, asOf }, render) {
      const version = asOf(await head.get())
      const entry = entries.get(key)
      if (entry?.version === version) return entry.document
      const name = `${version}\n${key}`
      const underWay = rendering.get(name)
      if (underWay !== undefined) return await underWay
      const beganMs = now().getTime()
      const promise = render().then((rendered) => {
        const former = entries.get(key)
        // What changed elsewhere left this as it was: its compressed forms and its date stay with it.
        if (former !== undefined && isSame(former.document, rendered)) {
          keep(key, { ...former, version, asOf, comparedTo: undefined })
          return former.document
        }
        const modified = modifiedAt({ beganMs, renderedMs: now().getTime() }, now)
        const document = { ...rendered, kept: { key, serial: ++serial, modified } }
        const size = document.bytes.length + 2 * key.length + ENTRY_BYTES
        keep(key, { version, asOf, document, size, comparedTo: undefined })
        return document
      })
      rendering.set(name, promise)
      try {
        return await promise
      } finally {
        rendering.delete(name)
      }
    },
    held(key) {
      const entry = entries.get(key)
      const present = head.held()
      if (entry === undefined || present === undefined) return undefined
      if (entry.comparedTo !== present && entry.asOf(present) !== entry.version) return undefined
      entry.comparedTo = present
      return entry.document
    },
  }
}

function isSame(a: RenderedDocument, b: RenderedDocument): boolean {
  return a.etag === b.etag && JSON.stringify(a.headers) === JSON.stringify(b.headers)
}
