import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'
import { acceptsCoding, CODINGS, type Coding, preferredCoding } from './negotiate.ts'

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
  /** When the version of these bytes began; absent where nobody knows, and for a document that every request renders. */
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
  /** The value of the Last-Modified header; undefined while the change is so new that a date would not tell versions apart. */
  date(): string | undefined
  /** Whether these bytes have not changed since the If-Modified-Since value. */
  isProvenBy(ifModifiedSince: string): boolean
}>

/** Exceeds the delay of a publication and the clock skew between two servers. */
const SETTLING_MS = 2_000

/**
 * The modification date of a document whose version began at an instant of the database, which all processes read alike: the
 * second by which every process shows it. The instant of a run would not do: a run gives all its changes the same instant,
 * and vendor prices change without a publication.
 *
 * Law: whoever received other bytes, at that second or later, received newer ones. A second is coarser than a publication.
 * The date is therefore sent, and compared, only once its second has come.
 */
export function modifiedAt(changedMs: number, now: () => Date): Modified {
  const settledMs = Math.ceil((changedMs + SETTLING_MS) / 1000) * 1000
  const settled = new Date(settledMs).toUTCString()
  return {
    date: () => (now().getTime() < settledMs ? undefined : settled),
    isProvenBy(ifModifiedSince) {
      // A date of the future is that of a wrong clock.
      const nowMs = now().getTime()
      const sinceMs = httpDateMs(ifModifiedSince)
      return nowMs >= settledMs && sinceMs >= settledMs && sinceMs <= nowMs
    },
  }
}

/** The date of bytes that are alone at their address for ever: any date since then proves them. */
export function unchangedSince(sinceMs: number): Modified {
  const wholeMs = Math.floor(sinceMs / 1000) * 1000
  return {
    date: () => (Number.isNaN(wholeMs) ? undefined : new Date(wholeMs).toUTCString()),
    isProvenBy: (ifModifiedSince) => httpDateMs(ifModifiedSince) >= wholeMs,
  }
}

const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
]
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/** Milliseconds of a date in one of the three forms of RFC 9110 §5.6.7; NaN for other text. */
function httpDateMs(text: string): number {
  if (DATES.some((form) => form.test(text))) return Date.parse(text)
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
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

/** Whether the caller has this document: {@link sendDocument} would answer 304. */
export const isCurrent = (request: FastifyRequest, document: RenderedDocument): boolean =>
  matchingTag(request.headers, document, codingFor(request, document)) !== undefined

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

const FORMS = ['identity', ...CODINGS] as const

/**
 * The ETag of the caller's representation; undefined when it is outdated or unknown. If-None-Match lists tags, compared
 * weakly, or `*` (RFC 9110 §13.1.2). The tag of each coding that the request accepts matches, since the server may select any
 * of those; a cache may then reuse what it stored. The tag of another coding does not: a cache would hand its reader bytes that
 * this reader cannot decode. If-Modified-Since counts only without it (§13.1.3).
 */
function matchingTag(
  headers: FastifyRequest['headers'],
  document: RenderedDocument,
  coding: Coding | 'identity',
): string | undefined {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) {
    const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    const ours = [coding, ...FORMS.filter((form) => acceptsCoding(headers['accept-encoding'], form))].map((form) =>
      tagOf(document, form),
    )
    return tags.includes('*') ? ours[0] : ours.find((tag) => tags.includes(tag))
  }
  const ifModifiedSince = headers['if-modified-since']
  const proven = ifModifiedSince !== undefined && document.modified?.isProvenBy(ifModifiedSince) === true
  return proven ? tagOf(document, coding) : undefined
}
