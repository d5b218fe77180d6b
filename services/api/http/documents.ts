import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'
import { CODINGS, type Coding, preferredCoding } from './negotiate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The document of the answer, with its coding; no coding for a 304; null for other answers. */
    sentDocument: Readonly<{ document: RenderedDocument; coding?: Coding | 'identity' }> | null
  }
}

/** The media type of every JSON answer. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** A rendered answer with immutable bytes, hashed once and sent many times. */
export type RenderedDocument = Readonly<{
  bytes: Buffer
  /** A strong ETag: the quoted hash of the bytes. Each coding has its own: see {@link tagOf}. */
  etag: string
  /** Content-Type and other headers of these bytes; Cache-Control where it differs from the usual one. */
  headers: Readonly<Record<string, string>>
  /** The bytes in a coding. The first call compresses them outside the event loop; later calls use the result. */
  coded(coding: Coding | 'identity'): Promise<Buffer> | Buffer
  /** The bytes in a coding, if they are available without waiting. */
  peek(coding: Coding | 'identity'): Buffer | undefined
  /** Calls the listener with the size of each compressed form. */
  onGrowth(listener: (bytes: number) => void): void
  /** When these bytes became the answer; absent for a document that every request renders. */
  modified?: Modified
  /** Absent for a document that no cache holds. */
  cachedAs?: CacheIdentity
}>

export type CacheIdentity = Readonly<{
  /** The key in the cache. */
  key: string
  /** Unique among all cached documents. */
  serial: number
}>

export function documentOf(text: string | Buffer, headers: Readonly<Record<string, string>>): RenderedDocument {
  const bytes = Buffer.from(text)
  /** Holds a promise during compression. */
  const forms = new Map<Coding | 'identity', Promise<Buffer> | Buffer>([['identity', bytes]])
  let grow = (_bytes: number) => {}
  return {
    bytes,
    etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
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

/** Compressing less gains nothing: with headers, a kilobyte takes one or two packets either way. */
const COMPRESSED_BYTES_MIN = 1_024
/**
 * Quality 5 compresses a page of 50 items from 15 kB to 1.9 kB in 0.3 ms. Quality 9 takes 40 times as long and saves
 * nothing; 11 takes 200 times as long and saves 9 %.
 */
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

/** The strong ETag of a document in a coding: `"hash"`, `"hash-br"`, `"hash-gzip"`. */
function tagOf({ etag }: Pick<RenderedDocument, 'etag'>, coding: Coding | 'identity'): string {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`
}

export type Modified = Readonly<{
  /** The value of the Last-Modified header. */
  date(): string
  /** Whether this If-Modified-Since value was sent with these bytes. */
  isProvenBy(ifModifiedSince: string): boolean
}>

/** Exceeds the delay of a publication and the clock skew between two servers. */
const SETTLING_MS = 2_000

/**
 * The modification date of a document: the second in which this process rendered it. The instant of publication would
 * not do: a run gives all its changes the same instant, and vendor prices change without a publication.
 *
 * Law: a date that was sent with other bytes never matches these. A second is coarser than a publication. The date is
 * therefore sent only when no answer of that second can be under way; before that, an earlier date is, which matches
 * nothing.
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
 * Sends the document in the best coding for the caller, or 304 when the caller has it. Throws not_acceptable when the
 * caller refuses every coding, and the errors of `charge()`: only a 304 is free.
 */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: RenderedDocument,
): Promise<FastifyReply> {
  const coding = codingFor(request, document)
  if (!reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
  const matching = matchingTag(request.headers, document, coding)
  // Read before any wait, while the document is current.
  const modified = document.modified?.date()
  if (matching === undefined) await request.charge()
  reply.header('etag', matching ?? tagOf(document, coding))
  if (matching !== undefined) {
    // The fields of a 304 replace those of the stored answer (RFC 9111 §3.2): a page must keep its own policy.
    const { 'content-type': _body, ...kept } = document.headers
    reply.headers(kept).header('cache-control', cacheControl(request, document.headers)).code(304)
    request.sentDocument = { document }
    return reply.send()
  }
  if (modified !== undefined) reply.header('last-modified', modified)
  describe(request, reply, document, coding)
  request.sentDocument = { document, coding }
  return reply.send(await document.coded(coding))
}

/** Sends 304 to a caller without an ETag that is up to date by other evidence. */
export function sendUnchanged(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', cacheControl(request)).code(304).send()
}

/** Sends an answer that every request computes anew, so that an ETag or a date would save nothing. */
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

/** One year, which caches take as forever. */
export const IMMUTABLE = { 'cache-control': 'max-age=31536000, immutable' } as const

/**
 * Caches may store answers but must revalidate: readers see a publication within a quarter of a second, and a 304 is
 * cheap. Shared caches must not store answers to callers with a key.
 */
export function cacheControl(
  { headers }: Pick<FastifyRequest, 'headers'>,
  document: RenderedDocument['headers'] = {},
): string {
  return `${headers.authorization === undefined ? 'public' : 'private'}, ${document['cache-control'] ?? 'no-cache'}`
}

/**
 * The ETag of the caller's representation; undefined when it is outdated or unknown. If-None-Match lists tags, compared
 * weakly, or `*` (RFC 9110 §13.1.2). A tag of any coding matches, since all decode to the same bytes. If-Modified-Since
 * counts only without it (§13.1.3).
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
  const proven = ifModifiedSince !== undefined && document.modified?.isProvenBy(ifModifiedSince) === true
  return proven ? tagOf(document, coding) : undefined
}
