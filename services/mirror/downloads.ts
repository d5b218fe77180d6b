import { open, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { MirrorError } from './mirror-error.ts'

/** Bounds on answers, time and attempts. */
export type Limits = Readonly<{
  /** Size of one decoded answer: a page of 500 large items has some megabytes, a shard of ten million items thirty. */
  bytesMax: number
  /** Longest time without a byte. */
  stallMs: number
  /** Longest time for one answer. */
  answerMs: number
  /** Attempts for one address, the first included. */
  attempts: number
}>
const LIMITS: Limits = { bytesMax: 256 * 1024 * 1024, stallMs: 30_000, answerMs: 600_000, attempts: 6 }

const BACKOFF_MS_MIN = 500
const BACKOFF_MS_MAX = 30_000
/** The mirror gives up when Retry-After asks for more. */
const RETRY_AFTER_MS_MAX = 300_000
const REDIRECTS_MAX = 3

/** Request headers that make a repeated request conditional. */
export type Validators = Readonly<Record<string, string>>
export type Answer =
  /** `type`: the media type in lower case, without parameters; '' for none. */
  | Readonly<{ kind: 'found'; bytes: Uint8Array; type: string; validators: Validators }>
  | Readonly<{ kind: 'unchanged' }>
  /** 400, 404, 409 or 410: not understood, missing, or no longer there. */
  | Readonly<{ kind: 'absent'; status: number }>

export type RequestOptions = Readonly<{
  /** Bypasses all caches. */
  isFresh?: boolean
  validators?: Validators
  signal?: AbortSignal
  /** The media type to ask for; absent: any. */
  accept?: string
  /**
   * Streams a body of any size to this file, behind the bytes that it has already; `bytes` of the answer is then empty.
   * The caller verifies the whole.
   */
  file?: string
}>

/**
 * GET with retries and bounds. Throws a MirrorError that names the address; throws the signal's reason when it aborts.
 */
export type Downloads = Readonly<{
  get: (url: string, options?: RequestOptions) => Promise<Answer>
  /** Counts answers, also unchanged and absent ones. */
  requests: () => number
}>

export type DownloadOptions = Readonly<{
  fetch?: typeof globalThis.fetch
  /** Interprets a date in Retry-After. */
  now?: () => Date
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>
  limits?: Partial<Limits>
}>

export function openDownloads({
  fetch = globalThis.fetch,
  now = () => new Date(),
  wait = waitFor,
  limits: given = {},
}: DownloadOptions): Downloads {
  const limits = { ...LIMITS, ...given }
  let requests = 0

  async function attempt(url: string, options: RequestOptions, part: Part): Promise<Answer | AttemptFailure> {
    const { isFresh, validators, signal, accept } = options
    if (signal?.aborted) throw signal.reason
    using deadline = openDeadline(limits, signal)
    try {
      const asked = { 'user-agent': 'ccm-mirror/1', 'accept-encoding': CODINGS, ...(accept && { accept }) }
      const headers = { ...asked, ...validators, ...(isFresh && BYPASS_CACHES), ...rangeOf(part) }
      const response = await fetchFollowing(fetch, url, { headers, signal: deadline.signal })
      requests += 1
      const { status } = response
      if (status === 304) return { kind: 'unchanged' }
      const continues = status === 206 && isRest(response.headers, part)
      if (status === 200 || status === 416 || (status === 206 && !continues)) restart(part, response.headers)
      if (status !== 200 && !continues) {
        await response.body?.cancel()
        if ([400, 404, 409, 410].includes(status)) return { kind: 'absent', status }
        // A range that cannot be had: the next attempt asks for the whole.
        const isRange = status === 206 || status === 416
        const isTransient = isRange || status === 408 || status === 429 || status >= 500
        const waitMs = isTransient ? retryAfterMs(response.headers.get('retry-after'), now()) : undefined
        return { kind: 'failure', isTransient, waitMs, error: new Error(`status ${status}`) }
      }
      const bytes = await readBody(response, { deadline, part, bytesMax: limits.bytesMax })
      return { kind: 'found', bytes, type: typeOf(response.headers), validators: validatorsOf(response.headers) }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const isTransient = !(error instanceof RedirectRefused || error instanceof BodyTooLong)
      return { kind: 'failure', isTransient, error: error as Error }
    }
  }

  return {
    requests: () => requests,
    async get(url, options = {}) {
      const part = await openPart(options.file)
      for (
        let attempts = 1, backoffMs = BACKOFF_MS_MIN;
        ;
        attempts++, backoffMs = Math.min(backoffMs * 2, BACKOFF_MS_MAX)
      ) {
        const outcome = await attempt(url, options, part)
        if (outcome.kind !== 'failure') return outcome
        const { isTransient, error, waitMs = 0 } = outcome
        if (!isTransient || attempts >= limits.attempts || waitMs > RETRY_AFTER_MS_MAX) {
          const retryNote = waitMs === 0 ? '' : `; it asks to come again in ${Math.ceil(waitMs / 1000)} s`
          const { message } = (error.cause as Error | undefined) ?? error
          throw new MirrorError(`GET ${url}: ${message} (attempt ${attempts})${retryNote}`, {
            kind: 'unreachable',
            cause: error,
          })
        }
        // Jitter keeps mirrors that were refused together from returning together.
        await wait(Math.max(waitMs, backoffMs * (0.5 + Math.random() / 2)), options.signal)
      }
    },
  }
}

type Deadline = Disposable &
  Readonly<{ signal: AbortSignal; abort: (reason: unknown) => void; restartStall: () => void }>

/** Aborts when the answer takes too long in all, stalls, or the caller aborts. */
function openDeadline({ answerMs, stallMs }: Limits, signal: AbortSignal | undefined): Deadline {
  const ending = new AbortController()
  const abortAfter = (ms: number) => setTimeout(() => ending.abort(new Error(`no answer within ${ms} ms`)), ms).unref()
  const whole = abortAfter(answerMs)
  let stall = abortAfter(stallMs)
  const stop = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  return {
    signal: ending.signal,
    abort: (reason) => ending.abort(reason),
    restartStall() {
      clearTimeout(stall)
      stall = abortAfter(stallMs)
    },
    [Symbol.dispose]() {
      clearTimeout(whole)
      clearTimeout(stall)
      signal?.removeEventListener('abort', stop)
    },
  }
}

/** What has arrived of a body, over all attempts: a broken download goes on where it stopped. */
type Part = {
  readonly file: string | undefined
  size: number
  chunks: Uint8Array[]
  /** The validator of these bytes, without which other bytes could follow them; null: ask for the whole. */
  ifRange: string | null
}

async function openPart(file: string | undefined): Promise<Part> {
  const size = file === undefined ? 0 : ((await stat(file).catch(() => null))?.size ?? 0)
  return { file, size, chunks: [], ifRange: null }
}

/** The request headers for the rest. The caller of a file verifies the whole, so that its rest needs no validator. */
function rangeOf({ file, size, ifRange }: Part): Record<string, string> {
  if (size === 0 || (file === undefined && ifRange === null)) return {}
  return { range: `bytes=${size}-`, 'accept-encoding': 'identity', ...(ifRange !== null && { 'if-range': ifRange }) }
}

const isRest = (headers: Headers, { size }: Part) =>
  size > 0 && headers.get('content-range')?.startsWith(`bytes ${size}-`) === true

/** Begins anew with an answer that is whole; a coded body has other sizes than its bytes, so that it cannot go on. */
function restart(part: Part, headers: Headers): void {
  const etag = headers.get('etag')
  const isStrong = etag?.startsWith('"') === true && headers.get('content-encoding') === null
  Object.assign(part, { size: 0, chunks: [], ifRange: isStrong ? etag : null })
}

/**
 * Reads the body into memory, or writes it to the file of the part and answers no bytes. Throws BodyTooLong past
 * `bytesMax` in memory.
 */
async function readBody(
  response: Response,
  { deadline, part, bytesMax }: { deadline: Deadline; part: Part; bytesMax: number },
): Promise<Uint8Array> {
  await using file = part.file === undefined ? null : await open(part.file, part.size === 0 ? 'w' : 'a')
  for await (const chunk of response.body ?? []) {
    deadline.restartStall()
    if (file === null && part.size + chunk.length > bytesMax) {
      const error = new BodyTooLong(`the answer has more than ${bytesMax} bytes`)
      deadline.abort(error)
      throw error
    }
    if (file === null) part.chunks.push(chunk)
    else await file.writeFile(chunk)
    part.size += chunk.length
  }
  await file?.sync()
  return Buffer.concat(part.chunks)
}

class BodyTooLong extends Error {
  override name = 'BodyTooLong'
}

export async function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal === undefined ? {} : { signal })
}

type AttemptFailure = Readonly<{ kind: 'failure'; isTransient: boolean; error: Error; waitMs?: number | undefined }>
/** fetch decodes these, but asks for br over https alone. `bytesMax` bounds the decoded bytes. */
const CODINGS = 'br, gzip'
const BYPASS_CACHES = { 'cache-control': 'no-cache', pragma: 'no-cache' }

/** Follows redirects within one origin only, because the user chose whom to trust. */
async function fetchFollowing(
  fetch: typeof globalThis.fetch,
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
): Promise<Response> {
  let at = url
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(at, { ...init, redirect: 'manual' })
    const location = response.headers.get('location')
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response
    await response.body?.cancel()
    const to = new URL(location, at)
    if (!isSameSite(new URL(at), to))
      throw new RedirectRefused(`redirect to ${to.origin}, expected ${new URL(at).origin}`)
    if (redirects === REDIRECTS_MAX) throw new RedirectRefused(`more than ${REDIRECTS_MAX} redirects`)
    at = to.href
  }
}

class RedirectRefused extends Error {
  override name = 'RedirectRefused'
}

/** The same origin, or the same host moved from http to https. */
const isSameSite = (from: URL, to: URL) =>
  to.origin === from.origin || (from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname)

/** Milliseconds that Retry-After asks for, as seconds or as a date; undefined without the header. */
function retryAfterMs(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const typeOf = (headers: Headers) => (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

function validatorsOf(headers: Headers): Validators {
  const etag = headers.get('etag')
  if (etag !== null) return { 'if-none-match': etag }
  // Plain file servers may send no ETag. A file may change again in the second that it names (RFC 9110 §8.8.2.2).
  const modified = headers.get('last-modified')
  const isOver = modified !== null && Date.parse(headers.get('date') ?? '') - Date.parse(modified) >= 1_000
  return isOver ? { 'if-modified-since': modified } : {}
}
