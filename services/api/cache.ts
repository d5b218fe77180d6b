import { modifiedAt, type RenderedDocument } from './documents.ts'

/** Rendered documents, the least recently used thrown out first. */
export interface DocumentCache {
  /**
   * The document of this key as of this version, rendered when it is not there. Callers that ask for it meanwhile wait
   * for the same rendering. What `render` throws is not kept.
   */
  get(asked: { key: string; version: string }, render: () => Promise<RenderedDocument>): Promise<RenderedDocument>
}

/** 2,000 pages of 50 items are 34 MB, and about 42 MB with both compressed forms of each. */
export const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024
/** What an entry costs beside its bytes. */
const ENTRY_BYTES = 500

/** The compressed forms of a document count as its bytes do. */
export function documentCache({ bytesMax, now }: { bytesMax: number; now: () => Date }): DocumentCache {
  type Entry = { readonly version: string; readonly document: RenderedDocument; size: number }
  // A Map iterates in order of insertion: an entry that is used moves to the end.
  const entries = new Map<string, Entry>()
  const rendering = new Map<string, Promise<RenderedDocument>>()
  let bytes = 0

  function forget(key: string, entry: Entry): void {
    entries.delete(key)
    bytes -= entry.size
  }

  function keep(key: string, entry: Entry): void {
    entries.set(key, entry)
    bytes += entry.size
    entry.document.onGrowth((more) => {
      if (entries.get(key) !== entry) return
      entry.size += more
      bytes += more
      shrink()
    })
    shrink()
  }

  function shrink(): void {
    for (const [oldest, entry] of entries) {
      if (bytes <= bytesMax) break
      forget(oldest, entry)
    }
  }

  return {
    async get({ key, version }, render) {
      const entry = entries.get(key)
      if (entry?.version === version) {
        entries.delete(key)
        entries.set(key, entry)
        return entry.document
      }
      const name = `${version}\n${key}`
      const underWay = rendering.get(name)
      if (underWay !== undefined) return await underWay
      const beganMs = now().getTime()
      const promise = render().then((rendered) => {
        const former = entries.get(key)
        if (former !== undefined) forget(key, former)
        // What changed elsewhere left this as it was: its compressed forms and its date stay with it.
        if (former !== undefined && isSame(former.document, rendered)) {
          keep(key, { ...former, version })
          return former.document
        }
        const document = { ...rendered, modified: modifiedAt({ beganMs, renderedMs: now().getTime() }, now) }
        const size = document.bytes.length + 2 * key.length + ENTRY_BYTES
        if (size <= bytesMax) keep(key, { version, document, size })
        return document
      })
      rendering.set(name, promise)
      try {
        return await promise
      } finally {
        rendering.delete(name)
      }
    },
  }
}

function isSame(a: RenderedDocument, b: RenderedDocument): boolean {
  return a.etag === b.etag && JSON.stringify(a.headers) === JSON.stringify(b.headers)
}
