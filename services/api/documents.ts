import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The media type of every JSON answer. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** A rendered answer: bytes that stay as they are, so they are hashed once and can be sent again and again. */
export type RenderedDocument = Readonly<{
  bytes: Buffer
  /** Strong: the hash of the bytes, quoted. */
  etag: string
  /** Content-Type, and what else describes these bytes. */
  headers: Readonly<Record<string, string>>
}>

export function documentOf(text: string, headers: Readonly<Record<string, string>>): RenderedDocument {
  const bytes = Buffer.from(text)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`, headers }
}

/** Rendered documents, the least recently used thrown out first. */
export interface DocumentCache {
  /**
   * The document of this key as of this version, rendered when it is not there. Callers that ask for it meanwhile wait
   * for the same rendering. What `render` throws is not kept.
   */
  get(asked: { key: string; version: string }, render: () => Promise<RenderedDocument>): Promise<RenderedDocument>
}

/** 2,000 pages of 50 items are 34 MB. */
export const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024
/** What an entry costs beside its bytes. */
const ENTRY_BYTES = 500

export function documentCache({ bytesMax }: { bytesMax: number }): DocumentCache {
  type Entry = Readonly<{ version: string; document: RenderedDocument; size: number }>
  // A Map iterates in order of insertion: an entry that is used moves to the end.
  const entries = new Map<string, Entry>()
  const rendering = new Map<string, Promise<RenderedDocument>>()
  let bytes = 0

  function forget(key: string, entry: Entry): void {
    entries.delete(key)
    bytes -= entry.size
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
      const promise = render()
      rendering.set(name, promise)
      try {
        const document = await promise
        const former = entries.get(key)
        if (former !== undefined) forget(key, former)
        const size = document.bytes.length + 2 * key.length + ENTRY_BYTES
        if (size <= bytesMax) {
          entries.set(key, { version, document, size })
          bytes += size
        }
        for (const [oldest, entry] of entries) {
          if (bytes <= bytesMax) break
          forget(oldest, entry)
        }
        return document
      } finally {
        rendering.delete(name)
      }
    },
  }
}

/** Sends the document, or 304 when the caller has it. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: RenderedDocument): FastifyReply {
  // Caches may keep it, but ask every time: a publication is visible within a quarter of a second, and a 304 is cheap.
  reply.header('etag', document.etag).header('cache-control', 'public, no-cache').headers(document.headers)
  if (holds(request.headers['if-none-match'], document.etag)) return reply.code(304).send()
  return reply.send(document.bytes)
}

/** RFC 9110 §13.1.2: a list of tags, compared weakly, or `*` for whatever there is. */
function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
