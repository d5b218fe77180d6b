import { pipeline } from 'node:stream'
import { DAY_MS } from '@catalog/core/time.ts'
import { CODINGS, decoderOf } from './download.ts'
import { type Clock, QueueFull } from './host-queue.ts'
import { type Answered, type Ask, discard, NotFetched, type Tries, text } from './retry.ts'
import { EVERYTHING_ALLOWED, NOTHING_ALLOWED, ROBOTS_BYTES_MAX, type Robots, readRobots, robotsText } from './robots.ts'

/** The robots.txt of every origin that is asked, each asked for once a day. */
export type OriginRules = Readonly<{
  /** Of the origin of an address. Throws the signal's reason, and NotFetched where it is not asked for. */
  of: (url: URL, signal: AbortSignal | undefined) => Promise<Rules>
}>

/** Valid until then; `problem` says why robots.txt could not be read, which forbids everything. */
export type Rules = Readonly<{ robots: Robots; problem: NotFetched | null; untilMs: number }>

/** How an address is asked for, wherever its redirects lead: `permit` throws where a hop is not to be asked for. */
export type Following = Readonly<{
  permit: (url: URL) => Promise<void> | void
  headers: Record<string, string>
  tries: Tries
  signal: AbortSignal | undefined
}>

/** RFC 9309 2.4: kept for a day at most. */
const ROBOTS_KEPT_MS = DAY_MS
/** One that could not be read may come back any time, and a crawl waits for it. */
const ROBOTS_UNREADABLE_KEPT_MS = 10 * 60_000
/** Origins whose robots.txt is kept; the oldest goes first. */
const ORIGINS_MAX = 1_000

export function openRules({
  follow,
  brokenOff,
  clock,
  product,
}: {
  follow: (url: URL, following: Following) => Promise<Answered>
  brokenOff: Ask['brokenOff']
  clock: Clock
  /** The token by which a robots.txt names us. */
  product: string
}): OriginRules {
  const known = new Map<string, Promise<Rules>>()

  async function rulesOf(url: URL, signal: AbortSignal | undefined): Promise<Rules> {
    const { origin } = url
    for (;;) {
      signal?.throwIfAborted()
      const asked = known.get(origin)
      if (asked === undefined) break
      // Null: whoever asked gave up, and it is our turn.
      const rules = await asked.catch(() => null)
      if (rules !== null && rules.untilMs > clock.now()) return rules
      if (known.get(origin) === asked) known.delete(origin)
    }
    const asked = readRules(origin, signal)
    known.set(origin, asked)
    if (known.size > ORIGINS_MAX) known.delete(known.keys().next().value as string)
    return asked
  }

  /** RFC 9309 2.3.1. A 429 is no absence, though it is a 4xx, and neither is a redirect without end. */
  async function readRules(origin: string, signal: AbortSignal | undefined): Promise<Rules> {
    const read = (robots: Robots) => ({ robots, problem: null, untilMs: clock.now() + ROBOTS_KEPT_MS })
    try {
      const asking = { permit: () => {}, headers: {}, tries: { count: 0 }, signal }
      const answered = await follow(new URL('/robots.txt', origin), asking)
      const { statusCode: httpStatus } = answered.response
      if (httpStatus === 200) {
        const text = robotsText(await bytesOf(answered, ROBOTS_BYTES_MAX + 1))
        return read(readRobots(text, { origin, product }))
      }
      await discard(answered)
      if (httpStatus >= 400 && httpStatus < 500) return read(EVERYTHING_ALLOWED)
      throw new NotFetched(`status ${httpStatus}, expected 200 or 404`, {
        status: 'failed',
        url: answered.url,
        httpStatus,
      })
    } catch (error) {
      // That we have too much to ask there says nothing about its robots.txt.
      if (!(error instanceof NotFetched) || error.cause instanceof QueueFull) throw error
      return { robots: NOTHING_ALLOWED, problem: error, untilMs: clock.now() + ROBOTS_UNREADABLE_KEPT_MS }
    }
  }

  async function bytesOf(answered: Answered, bytesMax: number): Promise<Buffer> {
    using _ = answered
    const { body, headers } = answered.response
    const decoder = decoderOf(text(headers['content-encoding']) ?? '')
    if (decoder === null) {
      const sentence = `content-encoding '${headers['content-encoding']}', expected one of ${CODINGS}, identity`
      throw new NotFetched(sentence, { status: 'failed', url: answered.url, httpStatus: 200 })
    }
    const chunks: Buffer[] = []
    let size = 0
    try {
      // Its errors come out of the decoder.
      for await (const chunk of pipeline(body, decoder, () => {})) {
        chunks.push(chunk)
        size += chunk.length
        if (size >= bytesMax) break
      }
    } catch (error) {
      const { message } = brokenOff(error, answered)
      throw new NotFetched(message, { status: 'failed', url: answered.url, httpStatus: 200, cause: error })
    }
    return Buffer.concat(chunks).subarray(0, bytesMax)
  }

  return { of: rulesOf }
}
