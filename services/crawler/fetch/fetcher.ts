import { isUtf8 } from 'node:buffer'
import { rename, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { MIMEType } from 'node:util'
import type { GuardedRequest } from '@catalog/runtime/fetch.ts'
import { BodyChanged, BodyCut, bodyChunks } from './body-chunks.ts'
import { gateOf, statusFailure } from './bot-protection.ts'
import { BadBody, type BodyLimits, CODINGS, download } from './download.ts'
import type { Clock, Politeness, TakeTurn } from './host-queue.ts'
import { nextPageOf } from './link-header.ts'
import type { OwnHeaders } from './own-headers.ts'
import {
  displayUrl,
  drain,
  headerText,
  NotFetched,
  type OpenResponse,
  RetryingClient,
  type RetryLimits,
  URL_CHARS_MAX,
} from './retry.ts'
import { type FollowOptions, RobotsCache } from './robots-cache.ts'

/**
 * Fetches published documents politely: names its operator, obeys robots.txt (RFC 9309), spaces the requests to a host, pauses
 * when the host asks for that, sends conditional requests, and keeps only bodies that came whole and within bounds.
 *
 * undici has interceptors for redirects, retries and decoding, and none of them fits. Its redirects skip robots.txt and the
 * next host's queue. Its retries skip the queue and resume with If-Match, which costs a round trip where If-Range brings the
 * new body at once. Its decoding hides the number of encoded bytes.
 */
export type Fetcher = Readonly<{
  /** Writes the decoded body to `into`, which is replaced whole or not at all. Throws the signal's reason. */
  get: (url: string, options: FetchOptions) => Promise<Fetched>
  /** Sitemap addresses in the robots.txt of an origin, as written; none where it is unreadable. Throws as `get`. */
  sitemaps: (origin: string, signal?: AbortSignal) => Promise<readonly string[]>
}>

export type FetchOptions = Readonly<{
  into: string
  /** Validators of an earlier response, which make the request conditional. */
  etag?: string | null
  lastModified?: string | null
  /** Bounds of this body that replace the fetcher's. */
  limits?: Partial<BodyLimits>
  signal?: AbortSignal
  own?: OwnHeaders | undefined
}>

/** `url` is the address after redirects. A sentence names the address, the found and the expected. */
export type Fetched =
  | (Found & Readonly<{ status: 'fetched'; bytes: number; sha256: string }>)
  | (Found & Readonly<{ status: 'not modified'; sentence: string }>)
  /** 'refused': the fetcher may not request it. 'failed': it requested it, and no body came. */
  | Readonly<{
      status: 'refused' | 'failed'
      url: string
      sentence: string
      /** The status of the last response; null without one. */
      httpStatus: number | null
      /** No retry before then; null where one may come at any time. */
      retryAt: Date | null
      /** False when no request was sent: the address is refused, or its host is paused since before. */
      isRequested: boolean
      /** The bot protection that turned the request away; absent where none said so. */
      protection?: string
    }>
/** An address that gave no body. */
export type NotFetchedAs = Extract<Fetched, { status: 'refused' | 'failed' }>
type Found = Readonly<{
  url: string
  etag: string | null
  lastModified: string | null
  /** In lower case, such as text/html; null where it is missing or unreadable. */
  contentType: string | null
  /** The declared charset in lower case. */
  charset: string | null
  /** Values of X-Robots-Tag, one per line; absent without such a header. */
  robotsTag?: string
  /** The next page by its headers ({@link nextPageOf}), as written; absent without one. */
  nextLink?: string
}>

export type FetchLimits = BodyLimits &
  RetryLimits &
  Readonly<{
    redirects: number
    /** Times that the fetcher resumes or restarts one body. */
    resumes: number
    /** Bounds a crawl-delay: at one page in ten minutes a small shop takes a month. */
    crawlDelayMs: number
  }>
const LIMITS: FetchLimits = {
  bytesMax: 2 * 1024 ** 3,
  decodedBytesMax: 8 * 1024 ** 3,
  ratioMax: 200,
  stallMs: 30_000,
  answerMs: 30 * 60_000,
  redirects: 5,
  attempts: 4,
  resumes: 10,
  retryAfterMs: 5 * 60_000,
  crawlDelayMs: 60_000,
  pauseMs: 10 * 60_000,
  hostFailures: 3,
}
const POLITENESS: Politeness = { atOnce: 2, perSecond: 1, waitingMax: 1_000 }

/** The crawler's name in robots.txt, X-Robots-Tag and the meta elements of pages. */
export const PRODUCT = 'construction-cost-catalog'
/** `contact` is the address of a page or of mail where a shop reaches the operator. */
export const userAgentOf = (contact: string) => `${PRODUCT}/0.1 (+${contact})`

export const CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

type FetcherOptions = Readonly<{
  request: GuardedRequest
  /** Begins with the product token by which a robots.txt names the crawler; see {@link userAgentOf}. */
  userAgent: string
  /** The operator's e-mail address, for the header From. */
  from?: string
  clock?: Clock
  /** From 0 to below 1; shortens a backoff by up to half. */
  random?: () => number
  politeness?: Partial<Politeness>
  /** Shares each host's rate with other processes; without it this process alone counts. */
  takeTurn?: TakeTurn
  limits?: Partial<FetchLimits>
}>

export function openFetcher(options: FetcherOptions): Fetcher {
  const fetcher = new PoliteFetcher(options)
  return {
    get: (url, options) => fetcher.get(url, options),
    sitemaps: (origin, signal) => fetcher.sitemaps(origin, signal),
  }
}

class PoliteFetcher {
  readonly #product: string
  readonly #limits: FetchLimits
  readonly #client: RetryingClient
  readonly #robots: RobotsCache

  constructor(options: FetcherOptions) {
    const { request, userAgent, from, clock = CLOCK, random = Math.random, politeness, takeTurn, limits } = options
    const headers = { 'user-agent': userAgent, ...(from !== undefined && { from }), 'accept-encoding': CODINGS }
    this.#product = userAgent.split('/', 1)[0] as string
    this.#limits = { ...LIMITS, ...limits }
    this.#client = new RetryingClient({
      request,
      headers,
      clock,
      random,
      politeness: { ...POLITENESS, ...politeness },
      takeTurn,
      limits: this.#limits,
    })
    this.#robots = new RobotsCache({
      follow: (start, options) => this.#follow(start, options),
      client: this.#client,
      clock,
      product: this.#product,
    })
  }

  async get(address: string, options: FetchOptions): Promise<Fetched> {
    const url = URL.parse(address)
    if (url === null) {
      const shown = address.slice(0, URL_CHARS_MAX)
      const sentence = `'${shown}' is not an address, expected http://… or https://…`
      return { status: 'refused', url: shown, sentence, httpStatus: null, retryAt: null, isRequested: false }
    }
    try {
      return await this.#fetch(url, options)
    } catch (error) {
      if (!(error instanceof NotFetched)) throw error
      const { status, message: sentence, httpStatus, retryAt, isRequested, protection } = error
      const failed = { status, url: displayUrl(error.url), sentence, httpStatus, retryAt, isRequested }
      return protection === null ? failed : { ...failed, protection }
    }
  }

  async sitemaps(origin: string, signal?: AbortSignal): Promise<readonly string[]> {
    const url = new URL(origin)
    return addressProblem(url) === null ? (await this.#robots.get(url, signal)).robots.sitemaps : []
  }

  async #fetch(url: URL, options: FetchOptions): Promise<Fetched> {
    const { etag, lastModified, signal, own } = options
    const headers = {
      ...(etag != null && { 'if-none-match': etag }),
      ...(lastModified != null && { 'if-modified-since': lastModified }),
    }
    const permit = async (hop: URL) => {
      const problem = addressProblem(hop)
      if (problem !== null) throw new NotFetched(problem, { status: 'refused', url: hop })
      await this.#checkRobots(hop, signal)
    }
    const following = { permit, headers, attempts: { count: 0 }, signal, own }
    let open = await this.#follow(url, following)
    for (let restarts = 0; ; restarts++) {
      using current = open
      const unmodified = await this.#unmodified(current, options)
      if (unmodified !== null) return unmodified
      try {
        return await this.#save(current, options)
      } catch (error) {
        const { url: at } = current
        if (error instanceof BodyChanged) {
          open = error.open
          if (restarts < this.#limits.resumes) continue
          await drain(open)
          const sentence = `the body changed ${restarts + 1} times while it was fetched, expected it to stay the same`
          throw new NotFetched(sentence, { status: 'failed', url: at, httpStatus: 200, cause: error })
        }
        if (!(error instanceof BodyCut)) throw error
        await this.#client.backOff(at, following, { sentence: error.message, httpStatus: null })
        open = await this.#follow(url, following)
      }
    }
  }

  /** The response after all redirects. Permits each hop before it sends the request. */
  async #follow(start: URL, { permit, ...options }: FollowOptions): Promise<OpenResponse> {
    let url = start
    for (let redirects = 0; ; redirects++) {
      await permit(url)
      const open = await this.#client.send(url, options)
      if (!REDIRECTS.has(open.response.statusCode)) return open
      await drain(open)
      url = redirectTarget(open, redirects === this.#limits.redirects ? redirects : null)
    }
  }

  async #checkRobots(url: URL, signal: AbortSignal | undefined): Promise<void> {
    const { robots, problem, untilMs } = await this.#robots.get(url, signal)
    this.#client.setIntervalMs(url.hostname, Math.min(robots.crawlDelayMs, this.#limits.crawlDelayMs))
    if (robots.isAllowed(url)) return
    if (problem === null) {
      const sentence = `robots.txt forbids it to ${this.#product}, expected an address that it allows`
      throw new NotFetched(sentence, { status: 'refused', url })
    }
    const retryAt = new Date(untilMs)
    const sentence = `robots.txt cannot be read, which forbids everything for now: ${problem.message}`
    throw new NotFetched(sentence, { status: 'refused', url, httpStatus: problem.httpStatus, retryAt, cause: problem })
  }

  /** The result of a conditional request for an unmodified document; null for any other response. */
  async #unmodified(open: OpenResponse, { etag, lastModified }: FetchOptions): Promise<Fetched | null> {
    if (etag == null && lastModified == null) return null
    const { statusCode } = open.response
    const found = foundOf(open)
    if (statusCode !== 304 && !(statusCode === 200 && isSameTag(found.etag, etag))) return null
    await drain(open)
    const sentence = `${displayUrl(open.url)}: status ${statusCode}, unchanged since ${etag ?? lastModified}`
    // A 304 need not repeat the validators of the request.
    const validators = { etag: found.etag ?? etag ?? null, lastModified: found.lastModified ?? lastModified ?? null }
    return { status: 'not modified', ...found, ...validators, sentence }
  }

  /** Writes the body of a 200 to its file. Throws NotFetched, BodyChanged and BodyCut. */
  async #save(open: OpenResponse, { into, limits: replaced = {}, signal, own }: FetchOptions): Promise<Fetched> {
    const { url, response } = open
    const { statusCode: httpStatus, headers } = response
    if (httpStatus !== 200) {
      await drain(open)
      const { sentence, ...answered } = statusFailure(httpStatus, headers)
      throw new NotFetched(sentence, { status: 'failed', url, ...answered })
    }
    const limits = { ...this.#limits, ...replaced }
    const length = Number(headerText(headers['content-length']) ?? 0)
    if (length > limits.bytesMax) {
      response.body.destroy()
      const sentence = `the body has ${length} bytes, expected at most ${limits.bytesMax}`
      throw new NotFetched(sentence, { status: 'failed', url, httpStatus })
    }
    const part = `${into}.part`
    try {
      const coding = headerText(headers['content-encoding']) ?? ''
      const chunks = bodyChunks(open, { client: this.#client, resumesMax: this.#limits.resumes, signal, own })
      const { bytes, sha256 } = await download(chunks, { path: part, coding, limits })
      await rename(part, into)
      return { status: 'fetched', ...foundOf(open), bytes, sha256 }
    } catch (error) {
      await rm(part, { force: true })
      if (!(error instanceof BadBody)) throw error
      response.body.destroy()
      throw new NotFetched(error.message, { status: 'failed', url, httpStatus, cause: error })
    }
  }
}

/** The target of a redirect. `redirectsMax` is given when it is one too many. Throws NotFetched. */
function redirectTarget({ url, response }: OpenResponse, redirectsMax: number | null): URL {
  const { statusCode: httpStatus, headers } = response
  const fail = (status: 'refused' | 'failed', sentence: string) => new NotFetched(sentence, { status, url, httpStatus })
  const { location } = headers
  const next = typeof location === 'string' ? URL.parse(fromUtf8(location), url.href) : null
  if (next === null) throw fail('failed', `redirect to '${location ?? ''}', expected an address`)
  if (redirectsMax !== null) {
    throw fail('failed', `redirect to ${displayUrl(next)}, expected at most ${redirectsMax} redirects`)
  }
  const gate = gateOf(next)
  if (gate !== null && gateOf(url) === null) {
    throw fail('failed', `redirect to ${displayUrl(next)}: ${gate}, expected the document`)
  }
  const problem = url.protocol === 'https:' && next.protocol === 'http:' ? 'expected https' : addressProblem(next)
  if (problem !== null) throw fail('refused', `redirect to ${displayUrl(next)}: ${problem}`)
  return next
}

/** A header, which has a character for each byte, where its bytes are UTF-8: servers write addresses so, and browsers read them. */
function fromUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}

/** Why an address is refused. Ports below 1024 belong to other services, whose protocol a request may be made to imitate. */
function addressProblem(url: URL): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'expected http or https'
  if (url.username !== '' || url.password !== '') return 'the address has credentials, expected none'
  if (url.port !== '' && url.port !== '80' && url.port !== '443' && Number(url.port) < PORT_MIN) {
    return `port ${url.port}, expected 80, 443 or one from ${PORT_MIN}`
  }
  if (url.href.length > URL_CHARS_MAX) return `${url.href.length} characters, expected at most ${URL_CHARS_MAX}`
  return null
}
const PORT_MIN = 1024

/** Whether robots.txt refuses an address that was not fetched: it forbids the address, or cannot be read. */
export const isRobotsRefusal = ({ status, url, sentence }: Pick<NotFetchedAs, 'status' | 'url' | 'sentence'>) =>
  status === 'refused' && sentence.startsWith(`${url}: robots.txt `)

/** Weak comparison of RFC 9110 13.1.2: servers that compress weaken their tags. */
const isSameTag = (one: string | null, other: string | null | undefined) =>
  one !== null && one.replace(/^W\//, '') === other?.replace(/^W\//, '')

function foundOf({ url, response: { headers } }: OpenResponse): Found {
  const type = mimeOf(headerText(headers['content-type']))
  const tags = headers['x-robots-tag']
  const nextLink = nextPageOf(headers, url)
  return {
    url: url.href,
    etag: keptHeader(headers.etag, 1_000),
    lastModified: keptHeader(headers['last-modified'], 200),
    contentType: type?.essence ?? null,
    charset: type?.params.get('charset')?.trim().toLowerCase() ?? null,
    ...(tags !== undefined && { robotsTag: [tags].flat().join('\n') }),
    ...(nextLink !== null && { nextLink }),
  }
}

/** A validator as CrawlFinished keeps it; null for one that is empty or too long: the next crawl then fetches anew. */
function keptHeader(header: string | string[] | undefined, charsMax: number): string | null {
  const text = headerText(header) ?? ''
  return text !== '' && text.length <= charsMax ? text : null
}

function mimeOf(header: string | null): MIMEType | null {
  if (header === null) return null
  try {
    return new MIMEType(header)
  } catch {
    return null
  }
}
