import { pipeline } from 'node:stream'
import { DAY_MS } from '@catalog/core/time.ts'
import { CODINGS, decoderOf } from './download.ts'
import { type Clock, QueueFull } from './host-queue.ts'
import { drain, headerText, NotFetched, type OpenResponse, type RequestOptions, type RetryingClient } from './retry.ts'
import { EVERYTHING_ALLOWED, NOTHING_ALLOWED, ROBOTS_BYTES_MAX, type Robots, readRobots, robotsText } from './robots.ts'

/** The robots.txt of an origin. `problem` says why it could not be read, which forbids everything until `untilMs`. */
export type CachedRobots = Readonly<{ robots: Robots; problem: NotFetched | null; untilMs: number }>

/** How to request an address and follow its redirects. `permit` throws where a hop is not allowed. */
export type FollowOptions = RequestOptions & Readonly<{ permit: (url: URL) => Promise<void> | void }>

/** RFC 9309 2.4: kept for a day at most. */
const ROBOTS_KEPT_MS = DAY_MS
/** An unreadable robots.txt may come back any time, and a crawl waits for it. */
const ROBOTS_UNREADABLE_KEPT_MS = 10 * 60_000
/** Origins in the cache; the oldest goes first. */
const ORIGINS_MAX = 1_000

type CacheOptions = Readonly<{
  follow: (url: URL, options: FollowOptions) => Promise<OpenResponse>
  client: Pick<RetryingClient, 'interruption'>
  clock: Clock
  /** The token by which a robots.txt names this crawler. */
  product: string
}>

/** Reads the robots.txt of each origin once a day. */
export class RobotsCache {
  readonly #options: CacheOptions
  readonly #entries = new Map<string, Promise<CachedRobots>>()

  constructor(options: CacheOptions) {
    this.#options = options
  }

  /** The robots.txt of an address's origin. Throws the signal's reason, and NotFetched where the queue is full. */
  async get(url: URL, signal: AbortSignal | undefined): Promise<CachedRobots> {
    const { origin } = url
    for (;;) {
      signal?.throwIfAborted()
      const pending = this.#entries.get(origin)
      if (pending === undefined) break
      // Null: the other caller gave up, so this one reads it.
      const entry = await pending.catch(() => null)
      if (entry !== null && entry.untilMs > this.#options.clock.now()) return entry
      if (this.#entries.get(origin) === pending) this.#entries.delete(origin)
    }
    const reading = this.#read(origin, signal)
    this.#entries.set(origin, reading)
    if (this.#entries.size > ORIGINS_MAX) this.#entries.delete(this.#entries.keys().next().value as string)
    return reading
  }

  /** RFC 9309 2.3.1. A 4xx allows everything, but a 429 and an endless redirect do not. */
  async #read(origin: string, signal: AbortSignal | undefined): Promise<CachedRobots> {
    const cached = (robots: Robots) => ({ robots, problem: null, untilMs: this.#options.clock.now() + ROBOTS_KEPT_MS })
    try {
      const options = { permit: () => {}, headers: {}, attempts: { count: 0 }, signal }
      const open = await this.#options.follow(new URL('/robots.txt', origin), options)
      const { statusCode: httpStatus } = open.response
      if (httpStatus === 200) {
        const text = robotsText(await this.#bytesOf(open, ROBOTS_BYTES_MAX + 1))
        return cached(readRobots(text, { origin, product: this.#options.product }))
      }
      await drain(open)
      if (httpStatus >= 400 && httpStatus < 500) return cached(EVERYTHING_ALLOWED)
      throw new NotFetched(`status ${httpStatus}, expected 200 or 404`, {
        status: 'failed',
        url: open.url,
        httpStatus,
      })
    } catch (error) {
      // A full queue says nothing about the host's robots.txt.
      if (!(error instanceof NotFetched) || error.cause instanceof QueueFull) throw error
      const untilMs = this.#options.clock.now() + ROBOTS_UNREADABLE_KEPT_MS
      return { robots: NOTHING_ALLOWED, problem: error, untilMs }
    }
  }

  async #bytesOf(open: OpenResponse, bytesMax: number): Promise<Buffer> {
    using _ = open
    const { body, headers } = open.response
    const decoder = decoderOf(headerText(headers['content-encoding']) ?? '')
    if (decoder === null) {
      const sentence = `content-encoding '${headers['content-encoding']}', expected one of ${CODINGS}, identity`
      throw new NotFetched(sentence, { status: 'failed', url: open.url, httpStatus: 200 })
    }
    const chunks: Buffer[] = []
    let size = 0
    try {
      // The decoder passes on the errors of the body.
      for await (const chunk of pipeline(body, decoder, () => {})) {
        chunks.push(chunk)
        size += chunk.length
        if (size >= bytesMax) break
      }
    } catch (error) {
      const { message } = this.#options.client.interruption(error, open)
      throw new NotFetched(message, { status: 'failed', url: open.url, httpStatus: 200, cause: error })
    }
    return Buffer.concat(chunks).subarray(0, bytesMax)
  }
}
