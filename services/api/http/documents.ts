import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'
import { CODINGS, type Coding, preferredCoding } from './negotiate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The document that is sent for it, without a coding when the caller has it; null where there is none. */
    sentDocument: Readonly<{ document: RenderedDocument; coding?: Coding | 'identity' }> | null
  }
}

/** The media type of every JSON answer. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** A rendered answer: bytes that stay as they are, so they are hashed once and can be sent again and again. */
export type RenderedDocument = Readonly<{
  bytes: Buffer
  /** Strong: the hash of the bytes, quoted. The same bytes in a coding are another representation: see {@link tagOf}. */
  etag: string
  /** Content-Type, and what else describes these bytes; Cache-Control where they may be kept otherwise than usual. */
  headers: Readonly<Record<string, string>>
  /** The bytes in a coding: compressed outside the event loop when they are first asked for, and kept. */
  coded(coding: Coding | 'identity'): Promise<Buffer> | Buffer
  /** The bytes in a coding, if they are at hand. */
  peek(coding: Coding | 'identity'): Buffer | undefined
  /** Tells whoever keeps the document by how many bytes it grows when it is compressed. */
  onGrowth(listener: (bytes: number) => void): void
  /** Absent where nobody keeps it. */
  cachedAs?: CacheIdentity
}>

export type CacheIdentity = Readonly<{
  /** Under which it is kept. */
  key: string
  /** No two kept documents have the same, whatever their keys. */
  serial: number
  /** Since when these bytes are the answer. */
  modified: Modified
}>

export function documentOf(text: string | Buffer, headers: Readonly<Record<string, string>>): RenderedDocument {
  const bytes = Buffer.from(text)
  /** A promise while it is being compressed. */
  const forms = new Map<Coding | 'identity', Promise<Buffer> | Buffer>([['identity', bytes]])
  let grow = (_bytes: number) => {}
  return {
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    headers,
    coded(coding) {
      const form = forms.get(coding)
      if (form !== undefined || coding === 'identity') return form ?? bytes
      const compressing = COMPRESS[coding](bytes)
      forms.set(coding, compressing)
      compressing.then(
        (compressed) => {
          forms.set(coding, compressed)
          grow(compressed.length)
        },
        () => forms.delete(coding),
      )
      return compressing
    },
    peek(coding) {
      const form = forms.get(coding)
      return form instanceof Promise ? undefined : form
    },
    onGrowth(listener) {
      grow = listener
    },
  }
}

/** Shorter bodies gain nothing: with its headers an answer of a kilobyte is one packet or two either way. */
const COMPRESSED_BYTES_MIN = 1_024
/** A page of 50 items, 15 kB, in 0.3 ms to 1.9 kB; quality 9 takes 40 times as long for no byte less, 11 200 times for 9 %. */
const BROTLI_QUALITY = 5
const GZIP_LEVEL = 6

const brotli = promisify(brotliCompress)
const deflate = promisify<Buffer, { level: number }, Buffer>(gzip)
const COMPRESS: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => deflate(bytes, { level: GZIP_LEVEL }),
}

/** The strong entity tag of a document in a coding: `"hash"`, `"hash-br"`, `"hash-gzip"`. */
function tagOf({ etag }: Pick<RenderedDocument, 'etag'>, coding: Coding | 'identity'): string {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`
}

export type Modified = Readonly<{
  /** For the header Last-Modified. */
  date(): string
  /** Whether this If-Modified-Since is the date that came with these bytes. */
  isProvenBy(ifModifiedSince: string): boolean
}>

/** Longer than a publication takes to be seen and the clocks of two servers differ. */
const SETTLING_MS = 2_000

/**
 * When a document became what it is: the second by which this process had rendered it. Instants of publication would not
 * do, because a run publishes all its changes as of one instant, and vendors' prices change without any. Law: a date that
 * came with other bytes is never taken for these. A second is coarser than a publication, so the date is given out when no
 * answer of that second can still be under way; until then it is one from before, which proves nothing.
 */
export function modifiedAt(
  { beganMs, renderedMs }: { beganMs: number; renderedMs: number },
  now: () => Date,
): Modified {
  const settledMs = Math.ceil(renderedMs / 1000) * 1000
  const settled = new Date(settledMs).toUTCString()
  const before = new Date(beganMs - SETTLING_MS).toUTCString()
  return {
    date: () => (now().getTime() < settledMs + SETTLING_MS ? before : settled),
    isProvenBy: (ifModifiedSince) => ifModifiedSince === settled,
  }
}

/**
 * Sends the document in the coding that suits the caller, or 304 when the caller has it. Throws not_acceptable when every
 * coding is refused, and what `charge()` throws: an answer of 304 costs nothing.
 */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: RenderedDocument,
): Promise<FastifyReply> {
  const coding = codingFor(request, document)
  if (!reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
  const matching = matchingTag(request.headers, document, coding)
  // Read before anything is waited for, while the document is what the catalog holds.
  const modified = document.cachedAs?.modified.date()
  if (matching === undefined) await request.charge()
  reply.header('etag', matching ?? tagOf(document, coding))
  if (matching !== undefined) {
    const location = document.headers['content-location']
    if (location !== undefined) reply.header('content-location', location)
    reply.header('cache-control', cacheControl(request, document.headers)).code(304)
    request.sentDocument = { document }
    return reply.send()
  }
  if (modified !== undefined) reply.header('last-modified', modified)
  describe(request, reply, document, coding)
  request.sentDocument = { document, coding }
  return reply.send(await document.coded(coding))
}

/** Sends 304 to a caller that named no tag, but has shown otherwise that it has all there is. */
export function sendUnchanged(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', cacheControl(request)).code(304).send()
}

/** Sends an answer that is made anew for every request, so that no tag or date can spare the work. */
export async function sendOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  document: RenderedDocument,
): Promise<FastifyReply> {
  const coding = codingFor(request, document)
  describe(request, reply, document, coding)
  return reply.send(await document.coded(coding))
}

function codingFor({ headers }: FastifyRequest, { bytes }: RenderedDocument): Coding | 'identity' {
  const coding = preferredCoding(headers['accept-encoding'], { small: bytes.length < COMPRESSED_BYTES_MIN })
  if (coding === undefined) {
    throw new ApiError(
      'not_acceptable',
      `Accept-Encoding: expected ${CODINGS.join(', ')} or identity not to be refused`,
    )
  }
  return coding
}

function describe(
  request: FastifyRequest,
  reply: FastifyReply,
  { headers }: RenderedDocument,
  coding: Coding | 'identity',
): void {
  reply.headers(headers).header('cache-control', cacheControl(request, headers))
  if (coding !== 'identity') reply.header('content-encoding', coding)
}

/** For bytes that never change: a year, which caches take for ever. */
export const IMMUTABLE = { 'cache-control': 'max-age=31536000, immutable' } as const

/**
 * Caches may keep it, but ask every time: a publication is visible within a quarter of a second, and a 304 is cheap. What
 * was asked for with a key is no business of a shared cache.
 */
function cacheControl({ headers }: FastifyRequest, document: RenderedDocument['headers'] = {}): string {
  return `${headers.authorization === undefined ? 'public' : 'private'}, ${document['cache-control'] ?? 'no-cache'}`
}

/**
 * The tag of the representation that the caller has, undefined when it has none that still holds. If-None-Match is a list
 * of tags, compared weakly, or `*` for whatever there is (RFC 9110 §13.1.2); a tag of any coding will do, since all decode
 * to the same bytes. If-Modified-Since counts only without it (§13.1.3).
 */
function matchingTag(
  headers: FastifyRequest['headers'],
  document: RenderedDocument,
  coding: Coding | 'identity',
): string | undefined {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) {
    const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    const ours = [coding, 'identity' as const, ...CODINGS].map((coding) => tagOf(document, coding))
    return tags.includes('*') ? ours[0] : ours.find((tag) => tags.includes(tag))
  }
  const ifModifiedSince = headers['if-modified-since']
  const proven = ifModifiedSince !== undefined && document.cachedAs?.modified.isProvenBy(ifModifiedSince) === true
  return proven ? tagOf(document, coding) : undefined
}
