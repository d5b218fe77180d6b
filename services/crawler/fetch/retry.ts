import { DAY_MS } from '@catalog/core/time.ts'
import { ForbiddenAddress, type GuardedRequest } from '@catalog/runtime/fetch.ts'
import { statusFailure } from './bot-protection.ts'
import { type Clock, HostQueue, type Politeness, QueueFull, type TakeTurn } from './host-queue.ts'
import { type OwnHeaders, ownHeadersFor } from './own-headers.ts'

export type RequestOptions = Readonly<{
  headers: Record<string, string>
  attempts: Attempts
  signal: AbortSignal | undefined
  /** The operator's, for some origins. */
  own?: OwnHeaders | undefined
}>
/** Counts the requests for one address. */
export type Attempts = { count: number }
type Failure = Readonly<{
  sentence: string
  httpStatus: number | null
  retryAfterMs?: number | undefined
  protection?: string | null
}>

/** A response that holds its host's slot until it is disposed of, which is due when its body was read. */
export type OpenResponse = Disposable &
  Readonly<{
    url: URL
    response: Awaited<ReturnType<GuardedRequest>>
    signal: AbortSignal | undefined
    /** Aborts when the response as a whole takes too long. */
    deadline: AbortSignal
  }>

/** Why an address gave no body. */
export class NotFetched extends Error {
  override name = 'NotFetched'
  readonly status: 'refused' | 'failed'
  readonly url: URL
  readonly httpStatus: number | null
  readonly retryAt: Date | null
  /** A request for it went to the host. */
  readonly isRequested: boolean
  /** The bot protection that turned the request away; null where none said so. */
  readonly protection: string | null
  constructor(
    sentence: string,
    {
      status,
      url,
      httpStatus = null,
      retryAt = null,
      isRequested = status === 'failed',
      protection = null,
      cause,
    }: Pick<NotFetched, 'status' | 'url'> &
      Partial<Pick<NotFetched, 'httpStatus' | 'retryAt' | 'isRequested' | 'protection'>> & { cause?: unknown },
  ) {
    super(`${displayUrl(url)}: ${sentence}`, { cause })
    this.status = status
    this.url = url
    this.httpStatus = httpStatus
    this.retryAt = retryAt
    this.isRequested = isRequested
    this.protection = protection
  }
}

/** An address for display: without credentials, and at most {@link URL_CHARS_MAX} characters long. */
export function displayUrl(url: URL): string {
  const { href } = Object.assign(new URL(url), { username: '', password: '' })
  return href.length <= URL_CHARS_MAX ? href : `${href.slice(0, URL_CHARS_MAX)}…`
}
export const URL_CHARS_MAX = 2_000

export type RetryLimits = Readonly<{
  /** Time without a byte; checked about once a second. */
  stallMs: number
  /** For one response, its body included. */
  answerMs: number
  /** Requests for one address, the first included. */
  attempts: number
  /** The longest Retry-After that the client waits for. */
  retryAfterMs: number
  /** Pause of a host that keeps failing, or answers 429 or 503. */
  pauseMs: number
  /** Addresses in a row that fail for the host's reasons before the host is paused. */
  hostFailures: number
}>

const BACKOFF_MS_MIN = 1_000
const BACKOFF_MS_MAX = 60_000
/** Bounds the pause that a host may ask for: a date in a far year would last for ever. */
const PAUSE_MS_MAX = DAY_MS
const HOSTS_IN_TROUBLE_MAX = 10_000

/** Statuses that a retry may change. */
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504])
/** Statuses by which a host asks for fewer requests. */
const OVERLOADED = new Set([429, 503])

type ClientOptions = Readonly<{
  request: GuardedRequest
  /** Headers of every request. */
  headers: Record<string, string>
  clock: Clock
  /** From 0 to below 1; shortens a backoff by up to half. */
  random: () => number
  politeness: Politeness
  takeTurn: TakeTurn | undefined
  limits: RetryLimits
}>

/** Sends requests through the host queue and retries them with exponential backoff. */
export class RetryingClient {
  readonly #options: ClientOptions
  readonly #queue: HostQueue
  /** Hosts in trouble: how many addresses failed in a row, and until when the host is paused. */
  readonly #troubles = new Map<string, { inRow: number; untilMs: number }>()

  constructor(options: ClientOptions) {
    this.#options = options
    this.#queue = new HostQueue(options.politeness, options.clock, options.takeTurn)
  }

  /** The first response with a status that is not transient. Throws NotFetched, and the signal's reason. */
  async send(url: URL, options: RequestOptions): Promise<OpenResponse> {
    for (;;) {
      let failure: Failure
      try {
        options.attempts.count++
        const open = await this.#sendOnce(url, options)
        const { statusCode: httpStatus, headers } = open.response
        if (!TRANSIENT.has(httpStatus)) {
          this.#troubles.delete(url.hostname)
          return open
        }
        const retryAfterMs = retryAfterOf(headers['retry-after'], this.#options.clock.now())
        await drain(open)
        failure = { ...statusFailure(httpStatus, headers), retryAfterMs }
      } catch (error) {
        if (error instanceof NotFetched) throw error
        options.signal?.throwIfAborted()
        failure = { sentence: (error as Error).message, httpStatus: null }
      }
      await this.backOff(url, options, failure)
    }
  }

  /** Pauses the host before the next attempt. Throws NotFetched when this was the last one. */
  async backOff(url: URL, { attempts, signal }: RequestOptions, failure: Failure): Promise<void> {
    const { sentence, httpStatus, retryAfterMs = 0, protection = null } = failure
    const limits = this.#options.limits
    const host = url.hostname
    if (retryAfterMs > limits.retryAfterMs) {
      const retryAt = new Date(this.#pause(host, this.#troubles.get(host)?.inRow ?? 0, retryAfterMs))
      const limit = `expected at most ${limits.retryAfterMs / 1000} s`
      const detail = `${sentence}; it asks for a retry in ${Math.ceil(retryAfterMs / 1000)} s, ${limit}`
      throw new NotFetched(detail, { status: 'failed', url, httpStatus, retryAt, protection })
    }
    if (attempts.count >= limits.attempts) {
      const inRow = (this.#troubles.get(host)?.inRow ?? 0) + 1
      const isPaused = inRow >= limits.hostFailures || (httpStatus !== null && OVERLOADED.has(httpStatus))
      const untilMs = this.#pause(host, inRow, isPaused ? Math.max(limits.pauseMs, retryAfterMs) : retryAfterMs)
      const retryAt = untilMs > this.#options.clock.now() ? new Date(untilMs) : null
      const tried = `${sentence} (${attempts.count} attempts)`
      throw new NotFetched(tried, { status: 'failed', url, httpStatus, retryAt, protection })
    }
    const backoffMs = Math.min(BACKOFF_MS_MIN * 2 ** (attempts.count - 1), BACKOFF_MS_MAX)
    // Jitter spreads the retries of many requests that failed together. Meanwhile the whole host rests.
    const waitMs = Math.max(retryAfterMs, backoffMs * (0.5 + this.#options.random() / 2))
    this.#queue.pauseUntil(host, this.#options.clock.now() + waitMs)
    signal?.throwIfAborted()
  }

  setIntervalMs(host: string, intervalMs: number): void {
    this.#queue.setIntervalMs(host, intervalMs)
  }

  /** Why a response broke off, for readers of its body. Throws where a retry is no use. */
  interruption(error: unknown, { url, signal, deadline }: Pick<OpenResponse, 'url' | 'signal' | 'deadline'>): Error {
    signal?.throwIfAborted()
    if (deadline.aborted) {
      const sentence = `the answer took longer than ${this.#options.limits.answerMs} ms, expected it whole by then`
      throw new NotFetched(sentence, { status: 'failed', url, cause: error })
    }
    if (error instanceof ForbiddenAddress) throw new NotFetched(error.message, { status: 'refused', url, cause: error })
    const { code, message } = error as Error & { code?: string }
    if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
      return new Error(`nothing came for ${this.#options.limits.stallMs} ms, expected a byte`, { cause: error })
    }
    if (code === 'UND_ERR_SOCKET') return new Error('the connection ended, expected a whole answer', { cause: error })
    return new Error(`${message || code}, expected an answer`, { cause: error })
  }

  async #sendOnce(url: URL, { headers, signal, own }: RequestOptions): Promise<OpenResponse> {
    const slot = await this.#acquire(url, signal)
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(), this.#options.limits.answerMs)
    const dispose = () => {
      clearTimeout(timer)
      slot[Symbol.dispose]()
    }
    const deadline = ending.signal
    try {
      const response = await this.#options.request(url, {
        headers: { ...this.#options.headers, ...headers, ...ownHeadersFor(url, own) },
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        stallMs: this.#options.limits.stallMs,
      })
      // A reader of the body gets its errors. Without a reader an error would end the process.
      response.body.on('error', () => {})
      own?.cookies?.keep(url, response.headers['set-cookie'])
      return { url, response, signal, deadline, [Symbol.dispose]: dispose }
    } catch (error) {
      dispose()
      throw this.interruption(error, { url, signal, deadline })
    }
  }

  async #acquire(url: URL, signal: AbortSignal | undefined): Promise<Disposable> {
    this.#checkPause(url)
    try {
      const slot = await this.#queue.acquire(url.hostname, signal)
      try {
        // While it waited, another request may have paused the host.
        this.#checkPause(url)
        return slot
      } catch (error) {
        slot[Symbol.dispose]()
        throw error
      }
    } catch (error) {
      if (error instanceof QueueFull) throw new NotFetched(error.message, { status: 'refused', url, cause: error })
      throw error
    }
  }

  #checkPause(url: URL): void {
    const { untilMs = 0 } = this.#troubles.get(url.hostname) ?? {}
    if (untilMs <= this.#options.clock.now()) return
    const retryAt = new Date(untilMs)
    const sentence = `${url.hostname} failed or is overloaded and is paused until ${retryAt.toISOString()}`
    const details = { status: 'failed', url, retryAt, isRequested: false } as const
    throw new NotFetched(`${sentence}, expected a request after that`, details)
  }

  #pause(host: string, inRow: number, ms: number): number {
    if (this.#troubles.size >= HOSTS_IN_TROUBLE_MAX) {
      for (const [name, { untilMs }] of this.#troubles)
        if (untilMs <= this.#options.clock.now()) this.#troubles.delete(name)
    }
    const untilMs = this.#options.clock.now() + Math.min(ms, PAUSE_MS_MAX)
    this.#troubles.set(host, { inRow, untilMs })
    return untilMs
  }
}

/** Reads a small rest of an unwanted body, so that its connection can be used again. */
export async function drain(open: OpenResponse): Promise<void> {
  using _ = open
  await open.response.body.dump({ limit: DRAIN_BYTES_MAX, signal: AbortSignal.timeout(DRAIN_MS_MAX) }).catch(() => {})
}
const DRAIN_BYTES_MAX = 16_384
const DRAIN_MS_MAX = 2_000

/** Milliseconds of a Retry-After in seconds or as a date; undefined when it is missing or unreadable. */
function retryAfterOf(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** The first value of a header; null when it is missing. */
export const headerText = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header[0] : header) ?? null
