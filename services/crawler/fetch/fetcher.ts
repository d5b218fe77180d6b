import { rename, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { MIMEType } from 'node:util'
import type { GuardedRequest } from '@catalog/runtime/fetch.ts'
import { type BodyLimits, BodyProblem, CODINGS, spool } from './download.ts'
import type { Clock, Manners } from './host-queue.ts'
import { type Answered, type AskLimits, discard, NotFetched, openAsk, shown, text, URL_CHARS_MAX } from './retry.ts'
import { type Following, openRules } from './robots-cache.ts'

/**
 * Fetches what shops publish, as a polite stranger: says who asks, reads robots.txt first (RFC 9309), asks a host seldom
 * and little at once, leaves it alone when it says so, asks again only for what changed, and keeps nothing that did not
 * come whole and within bounds.
 *
 * Redirects, retries and decoding are done here although undici has interceptors for them: its redirects ask neither
 * robots.txt nor the next host's turn, its retries come back outside of turns and resume with If-Match, which costs a
 * round trip where If-Range brings the new body at once, and its decoding hides how much came.
 */
export type Fetcher = Readonly<{
  /** Writes the body, decoded, to `into`, which is replaced whole or not at all. Throws the signal's reason. */
  get: (url: string, asking: Asking) => Promise<Fetched>
  /** Addresses in the robots.txt of an origin, as they are written; none where it cannot be read. Throws as `get`. */
  sitemaps: (origin: string, signal?: AbortSignal) => Promise<readonly string[]>
}>

export type Asking = Readonly<{
  into: string
  /** Of what was fetched before: asks only for what changed since. */
  etag?: string | null
  lastModified?: string | null
  /** For this body, instead of the fetcher's. */
  limits?: Partial<BodyLimits>
  signal?: AbortSignal
}>

/** `url` is where the redirects led. A sentence names the address, what was found and what was expected. */
export type Fetched =
  | (Found & Readonly<{ status: 'fetched'; bytes: number; sha256: string }>)
  | (Found & Readonly<{ status: 'not modified'; sentence: string }>)
  /** 'refused': we do not ask for that. 'failed': we asked, and it did not come. */
  | Readonly<{
      status: 'refused' | 'failed'
      url: string
      sentence: string
      /** Of the last answer, where one came. */
      httpStatus: number | null
      /** Nobody asks there before then; null where nothing speaks against asking again. */
      againAt: Date | null
      /** False of an address that was not asked for: it is refused, or its host is left alone since before. */
      isAsked: boolean
    }>
type Found = Readonly<{
  url: string
  etag: string | null
  lastModified: string | null
  /** As text/html, in lower case; null where there is none or it is unreadable. */
  contentType: string | null
  /** In lower case, as it is declared. */
  charset: string | null
  /** The lines of X-Robots-Tag, one below the other; absent where none was sent. */
  robotsTag?: string
}>

export type FetchLimits = BodyLimits &
  AskLimits &
  Readonly<{
    redirects: number
    /** Times that one body is continued where it broke off, or begun anew. */
    resumes: number
    /** Longer crawl-delays count as this: at one page in ten minutes a small shop takes a month. */
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
const MANNERS: Manners = { atOnce: 2, perSecond: 1, waiting: 1_000 }

/** By which robots.txt, X-Robots-Tag and the meta elements of pages name us. */
export const PRODUCT = 'construction-cost-catalog'
/** `contact` is where a shop finds out about us: an address of a page, or of mail. */
export const userAgentOf = (contact: string) => `${PRODUCT}/0.1 (+${contact})`

export const CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export function openFetcher({
  request,
  userAgent,
  from,
  clock = CLOCK,
  random = Math.random,
  manners: givenManners = {},
  limits: givenLimits = {},
}: {
  request: GuardedRequest
  /** Begins with the product token by which a robots.txt names us; see {@link userAgentOf}. */
  userAgent: string
  /** Address of mail of whoever runs the crawl, for the header From. */
  from?: string
  clock?: Clock
  /** From 0 to below 1: how much sooner than its time a retry comes. */
  random?: () => number
  manners?: Partial<Manners>
  limits?: Partial<FetchLimits>
}): Fetcher {
  const limits = { ...LIMITS, ...givenLimits }
  const product = userAgent.split('/', 1)[0] as string
  const own = { 'user-agent': userAgent, ...(from !== undefined && { from }), 'accept-encoding': CODINGS }
  const manners = { ...MANNERS, ...givenManners }
  const asks = openAsk({ request, own, clock, random, manners, limits })
  const rules = openRules({ follow, brokenOff: asks.brokenOff, clock, product })

  /** The answer at the end of the redirects; each hop is permitted before it is asked for. */
  async function follow(start: URL, { permit, ...asking }: Following): Promise<Answered> {
    let url = start
    for (let redirects = 0; ; redirects++) {
      await permit(url)
      const answered = await asks.ask(url, asking)
      const { statusCode: httpStatus, headers } = answered.response
      if (!REDIRECTS.has(httpStatus)) return answered
      await discard(answered)
      const fail = (status: 'refused' | 'failed', sentence: string) =>
        new NotFetched(sentence, { status, url, httpStatus })
      const location = headers.location
      const next = typeof location === 'string' ? URL.parse(location, url.href) : null
      if (next === null) throw fail('failed', `redirect to '${location ?? ''}', expected an address`)
      if (redirects === limits.redirects) {
        throw fail('failed', `redirect to ${shown(next)}, expected at most ${limits.redirects} redirects`)
      }
      const problem = url.protocol === 'https:' && next.protocol === 'http:' ? 'expected https' : addressProblem(next)
      if (problem !== null) throw fail('refused', `redirect to ${shown(next)}: ${problem}`)
      url = next
    }
  }

  async function checkRobots(url: URL, signal: AbortSignal | undefined): Promise<void> {
    const { robots, problem, untilMs } = await rules.of(url, signal)
    asks.space(url.hostname, Math.min(robots.crawlDelayMs, limits.crawlDelayMs))
    if (robots.isAllowed(url)) return
    if (problem === null) {
      throw new NotFetched(`robots.txt forbids it to ${product}, expected an address that it allows`, {
        status: 'refused',
        url,
      })
    }
    const againAt = new Date(untilMs)
    const sentence = `robots.txt cannot be read, which forbids everything for now: ${problem.message}`
    throw new NotFetched(sentence, { status: 'refused', url, httpStatus: problem.httpStatus, againAt, cause: problem })
  }

  /**
   * The bytes of an answer as they come, continued where they break off: by If-Range, so that a body that has changed
   * meanwhile comes as a new one. Throws Anew when it has to begin from its first byte.
   */
  async function* chunksOf(first: Answered, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const { headers: of } = first.response
    const etag = text(of.etag)
    const isResumable = etag !== null && !etag.startsWith('W/') && text(of['accept-ranges'])?.toLowerCase() === 'bytes'
    const length = Number(text(of['content-length']) ?? Number.NaN)
    let answered = first
    let at = 0
    for (let resumes = 0; ; resumes++) {
      let broken: Error
      try {
        for await (const chunk of answered.response.body) {
          at += chunk.length
          yield chunk
        }
        if (Number.isNaN(length) || at === length) return
        broken = new Error(`the body ended, expected ${length} bytes`)
      } catch (error) {
        broken = asks.brokenOff(error, answered)
      } finally {
        answered[Symbol.dispose]()
      }
      const sentence = `${broken.message}, after ${at}${Number.isNaN(length) ? '' : ` of ${length}`} bytes of the body`
      if (!isResumable || resumes === limits.resumes) throw new BrokenOff(sentence)
      const headers = { range: `bytes=${at}-`, 'if-range': etag }
      const { url } = first
      // Waits first, as before every other try.
      await asks.again(url, { headers, tries: { count: 1 }, signal }, { sentence, httpStatus: null })
      answered = await asks.ask(url, { headers, tries: { count: 0 }, signal })
      const { statusCode, headers: now } = answered.response
      const isNext = statusCode === 206 && text(now['content-range'])?.startsWith(`bytes ${at}-`) === true
      if (isNext && (now.etag === undefined || text(now.etag) === etag)) continue
      if (statusCode === 200) throw new Anew(answered)
      await discard(answered)
      throw new BrokenOff(sentence)
    }
  }

  async function fetched(url: URL, { into, etag, lastModified, limits: own = {}, signal }: Asking): Promise<Fetched> {
    const headers = {
      ...(etag != null && { 'if-none-match': etag }),
      ...(lastModified != null && { 'if-modified-since': lastModified }),
    }
    const isConditional = Object.keys(headers).length > 0
    const permit = async (hop: URL) => {
      const problem = addressProblem(hop)
      if (problem !== null) throw new NotFetched(problem, { status: 'refused', url: hop })
      await checkRobots(hop, signal)
    }
    const tries = { count: 0 }
    const part = `${into}.part`
    let answered = await follow(url, { permit, headers, tries, signal })
    for (let begun = 0; ; begun++) {
      using held = answered
      const { url: at, response } = held
      const { statusCode: httpStatus, headers: of } = response
      const found = foundOf(held)
      if (isConditional && (httpStatus === 304 || (httpStatus === 200 && isSameTag(found.etag, etag)))) {
        await discard(held)
        const sentence = `${shown(at)}: status ${httpStatus}, unchanged since ${etag ?? lastModified}`
        // A 304 need not repeat what it was asked with.
        const validators = {
          etag: found.etag ?? etag ?? null,
          lastModified: found.lastModified ?? lastModified ?? null,
        }
        return { status: 'not modified', ...found, ...validators, sentence }
      }
      if (httpStatus !== 200) {
        await discard(held)
        throw new NotFetched(`status ${httpStatus}, expected 200`, { status: 'failed', url: at, httpStatus })
      }
      const bounds = { ...limits, ...own }
      const length = Number(text(of['content-length']) ?? 0)
      if (length > bounds.bytesMax) {
        response.body.destroy()
        const sentence = `the body has ${length} bytes, expected at most ${bounds.bytesMax}`
        throw new NotFetched(sentence, { status: 'failed', url: at, httpStatus })
      }
      try {
        const coding = text(of['content-encoding']) ?? ''
        const { bytes, sha256 } = await spool(chunksOf(held, signal), { path: part, coding, limits: bounds })
        await rename(part, into)
        return { status: 'fetched', ...found, bytes, sha256 }
      } catch (error) {
        await rm(part, { force: true })
        if (error instanceof BodyProblem) {
          response.body.destroy()
          throw new NotFetched(error.message, { status: 'failed', url: at, httpStatus, cause: error })
        }
        if (error instanceof Anew) {
          answered = error.answered
          if (begun < limits.resumes) continue
          await discard(answered)
          const sentence = `the body changed ${begun + 1} times while it came, expected it to stay the same`
          throw new NotFetched(sentence, { status: 'failed', url: at, httpStatus, cause: error })
        } else if (error instanceof BrokenOff) {
          await asks.again(at, { headers, tries, signal }, { sentence: error.message, httpStatus: null })
          answered = await follow(url, { permit, headers, tries, signal })
        } else throw error
      }
    }
  }

  return {
    async get(address, asking) {
      const url = URL.parse(address)
      if (url === null) {
        const sentence = `'${address.slice(0, URL_CHARS_MAX)}' is no address, expected http://… or https://…`
        const shownUrl = address.slice(0, URL_CHARS_MAX)
        return { status: 'refused', url: shownUrl, sentence, httpStatus: null, againAt: null, isAsked: false }
      }
      try {
        return await fetched(url, asking)
      } catch (error) {
        if (!(error instanceof NotFetched)) throw error
        const { status, message: sentence, httpStatus, againAt, isAsked } = error
        return { status, url: shown(error.url), sentence, httpStatus, againAt, isAsked }
      }
    },
    async sitemaps(origin, signal) {
      const url = new URL(origin)
      return addressProblem(url) === null ? (await rules.of(url, signal)).robots.sitemaps : []
    },
  }
}

/** A body broke off, and whoever wants it asks for all of it. */
class BrokenOff extends Error {
  override name = 'BrokenOff'
}

/** A body broke off, and this answer has all of what it is now. */
class Anew extends Error {
  override name = 'Anew'
  readonly answered: Answered
  constructor(answered: Answered) {
    super('the body has changed since it broke off')
    this.answered = answered
  }
}

/**
 * Why an address is not asked for, whatever stands there. Ports below 1024 are other services' than the web's: a request
 * can be made to look like one of theirs.
 */
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

/** RFC 9110 13.1.2: a weak tag stands for what the strong one stands for; servers that compress weaken theirs. */
const isSameTag = (one: string | null, other: string | null | undefined) =>
  one !== null && one.replace(/^W\//, '') === other?.replace(/^W\//, '')

function foundOf({ url, response: { headers } }: Answered): Found {
  const type = mimeOf(text(headers['content-type']))
  const tags = headers['x-robots-tag']
  return {
    url: url.href,
    etag: text(headers.etag),
    lastModified: text(headers['last-modified']),
    contentType: type?.essence ?? null,
    charset: type?.params.get('charset')?.trim().toLowerCase() ?? null,
    ...(tags !== undefined && { robotsTag: [tags].flat().join('\n') }),
  }
}

function mimeOf(header: string | null): MIMEType | null {
  if (header === null) return null
  try {
    return new MIMEType(header)
  } catch {
    return null
  }
}
