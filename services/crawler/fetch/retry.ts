import { DAY_MS } from '@catalog/core/time.ts'
import { ForbiddenAddress, type GuardedRequest } from '@catalog/runtime/fetch.ts'
import { type Clock, type Manners, openTurns, QueueFull } from './host-queue.ts'

/** One answer to one question, when it is our turn, after as many tries as it takes. */
export type Ask = Readonly<{
  /** Any status but those that pass. Throws NotFetched, and the signal's reason. */
  ask: (url: URL, asking: Asking) => Promise<Answered>
  /** As Turns have it. */
  space: (host: string, intervalMs: number) => void
  /** Why the answer broke off, for whoever reads its body; throws where trying again is no use. */
  brokenOff: (error: unknown, answered: Answered) => Error
  /** Waits before the next try. Throws NotFetched when this was the last. */
  again: (url: URL, asking: Asking, failure: Failure) => Promise<void>
}>

type Asking = Readonly<{ headers: Record<string, string>; tries: Tries; signal: AbortSignal | undefined }>
/** Counts the times that one address was asked for. */
export type Tries = { count: number }
type Failure = Readonly<{ sentence: string; httpStatus: number | null; waitMs?: number | undefined }>

/** Disposed of when its body was read: it holds a turn. */
export type Answered = Disposable &
  Readonly<{
    url: URL
    response: Awaited<ReturnType<GuardedRequest>>
    signal: AbortSignal | undefined
    /** The answer took too long as a whole. */
    late: AbortSignal
  }>

/** Why there is no body, for {@link Fetched}. */
export class NotFetched extends Error {
  override name = 'NotFetched'
  readonly status: 'refused' | 'failed'
  readonly url: URL
  readonly httpStatus: number | null
  readonly againAt: Date | null
  /** The host was asked for it. */
  readonly isAsked: boolean
  constructor(
    sentence: string,
    {
      status,
      url,
      httpStatus = null,
      againAt = null,
      isAsked = status === 'failed',
      cause,
    }: Pick<NotFetched, 'status' | 'url'> &
      Partial<Pick<NotFetched, 'httpStatus' | 'againAt' | 'isAsked'>> & { cause?: unknown },
  ) {
    super(`${shown(url)}: ${sentence}`, { cause })
    this.status = status
    this.url = url
    this.httpStatus = httpStatus
    this.againAt = againAt
    this.isAsked = isAsked
  }
}

/** An address as it may be shown: without credentials, and not longer than an address may be. */
export function shown(url: URL): string {
  const { href } = Object.assign(new URL(url), { username: '', password: '' })
  return href.length <= URL_CHARS_MAX ? href : `${href.slice(0, URL_CHARS_MAX)}…`
}
export const URL_CHARS_MAX = 2_000

export type AskLimits = Readonly<{
  /** Without a byte; seen up to a second late. */
  stallMs: number
  /** For one answer, its body included. */
  answerMs: number
  /** Times that one address is asked for, the first included. */
  attempts: number
  /** A host that wants to be left alone for longer is not waited for. */
  retryAfterMs: number
  /** A host that went on failing, or has enough of us, is left alone this long. */
  pauseMs: number
  /** Addresses in a row that fail for the host's reasons, until it is left alone. */
  hostFailures: number
}>

const BACKOFF_MS_MIN = 1_000
const BACKOFF_MS_MAX = 60_000
/** No host is left alone for longer on its own word: a date in a far year would be for ever. */
const PAUSE_MS_MAX = DAY_MS
const HOSTS_IN_TROUBLE_MAX = 10_000

/** What may be different a moment later. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])
/** By which a host says that it has enough. */
const ENOUGH = new Set([429, 503])

export function openAsk({
  request,
  own,
  clock,
  random,
  manners,
  limits,
}: {
  request: GuardedRequest
  /** Headers of every request. */
  own: Record<string, string>
  clock: Clock
  random: () => number
  manners: Manners
  limits: AskLimits
}): Ask {
  const turns = openTurns(manners, clock)
  /** Hosts whose last addresses failed for their reasons, how many in a row, and until when they are left alone. */
  const troubles = new Map<string, { inRow: number; untilMs: number }>()

  function checkPause(url: URL): void {
    const { untilMs = 0 } = troubles.get(url.hostname) ?? {}
    if (untilMs <= clock.now()) return
    const againAt = new Date(untilMs)
    const sentence = `${url.hostname} failed or had enough of us and is left alone until ${againAt.toISOString()}`
    const said = { status: 'failed', url, againAt, isAsked: false } as const
    throw new NotFetched(`${sentence}, expected to be asked after that`, said)
  }

  function pause(host: string, inRow: number, ms: number): number {
    if (troubles.size >= HOSTS_IN_TROUBLE_MAX) {
      for (const [name, { untilMs }] of troubles) if (untilMs <= clock.now()) troubles.delete(name)
    }
    const untilMs = clock.now() + Math.min(ms, PAUSE_MS_MAX)
    troubles.set(host, { inRow, untilMs })
    return untilMs
  }

  async function take(url: URL, signal: AbortSignal | undefined): Promise<Disposable> {
    checkPause(url)
    try {
      const turn = await turns.take(url.hostname, signal)
      try {
        // While it waited, others may have learned that the host wants to be left alone.
        checkPause(url)
        return turn
      } catch (error) {
        turn[Symbol.dispose]()
        throw error
      }
    } catch (error) {
      if (error instanceof QueueFull) throw new NotFetched(error.message, { status: 'refused', url, cause: error })
      throw error
    }
  }

  async function once(url: URL, { headers, signal }: Asking): Promise<Answered> {
    const turn = await take(url, signal)
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(), limits.answerMs)
    const dispose = () => {
      clearTimeout(timer)
      turn[Symbol.dispose]()
    }
    const late = ending.signal
    try {
      const either = signal === undefined ? late : AbortSignal.any([signal, late])
      const response = await request(url, {
        headers: { ...own, ...headers },
        signal: either,
        stallMs: limits.stallMs,
      })
      // Whoever reads the body learns of its errors; where nobody does, they are nobody's.
      response.body.on('error', () => {})
      return { url, response, signal, late, [Symbol.dispose]: dispose }
    } catch (error) {
      dispose()
      throw brokenOff(error, { url, signal, late })
    }
  }

  function brokenOff(error: unknown, { url, signal, late }: Pick<Answered, 'url' | 'signal' | 'late'>): Error {
    signal?.throwIfAborted()
    if (late.aborted) {
      const sentence = `the answer took longer than ${limits.answerMs} ms, expected it whole before`
      throw new NotFetched(sentence, { status: 'failed', url, cause: error })
    }
    if (error instanceof ForbiddenAddress) throw new NotFetched(error.message, { status: 'refused', url, cause: error })
    const { code, message } = error as Error & { code?: string }
    if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
      return new Error(`nothing came for ${limits.stallMs} ms, expected a byte`, { cause: error })
    }
    if (code === 'UND_ERR_SOCKET') return new Error('the connection ended, expected a whole answer', { cause: error })
    return new Error(`${message || code}, expected an answer`, { cause: error })
  }

  async function again(url: URL, { tries, signal }: Asking, failure: Failure): Promise<void> {
    const { sentence, httpStatus, waitMs = 0 } = failure
    const host = url.hostname
    if (waitMs > limits.retryAfterMs) {
      const againAt = new Date(pause(host, troubles.get(host)?.inRow ?? 0, waitMs))
      const limit = `expected at most ${limits.retryAfterMs / 1000} s`
      const asked = `${sentence}; it asks to come again in ${Math.ceil(waitMs / 1000)} s, ${limit}`
      throw new NotFetched(asked, { status: 'failed', url, httpStatus, againAt })
    }
    if (tries.count >= limits.attempts) {
      const inRow = (troubles.get(host)?.inRow ?? 0) + 1
      const isLeft = inRow >= limits.hostFailures || (httpStatus !== null && ENOUGH.has(httpStatus))
      const untilMs = pause(host, inRow, isLeft ? Math.max(limits.pauseMs, waitMs) : waitMs)
      const againAt = untilMs > clock.now() ? new Date(untilMs) : null
      throw new NotFetched(`${sentence} (${tries.count} attempts)`, { status: 'failed', url, httpStatus, againAt })
    }
    const backoffMs = Math.min(BACKOFF_MS_MIN * 2 ** (tries.count - 1), BACKOFF_MS_MAX)
    // Many that were turned away at once should not come back at once; and the whole host is spared meanwhile.
    turns.hold(host, clock.now() + Math.max(waitMs, backoffMs * (0.5 + random() / 2)))
    signal?.throwIfAborted()
  }

  return {
    space: turns.space,
    brokenOff,
    again,
    async ask(url, asking) {
      for (;;) {
        let failure: Failure
        try {
          asking.tries.count++
          const answered = await once(url, asking)
          const { statusCode: httpStatus, headers } = answered.response
          if (!PASSING.has(httpStatus)) {
            troubles.delete(url.hostname)
            return answered
          }
          const waitMs = waitAsked(headers['retry-after'], clock.now())
          await discard(answered)
          failure = { sentence: `status ${httpStatus}, expected 200`, httpStatus, waitMs }
        } catch (error) {
          if (error instanceof NotFetched) throw error
          asking.signal?.throwIfAborted()
          failure = { sentence: (error as Error).message, httpStatus: null }
        }
        await again(url, asking, failure)
      }
    },
  }
}

/** Reads what is left of an answer that is not wanted, where that is little: its connection is then used again. */
export async function discard(answered: Answered): Promise<void> {
  using _ = answered
  await answered.response.body.dump({ limit: DUMP_BYTES_MAX, signal: AbortSignal.timeout(DUMP_MS_MAX) }).catch(() => {})
}
const DUMP_BYTES_MAX = 16_384
const DUMP_MS_MAX = 2_000

/** Milliseconds that Retry-After asks for: seconds, or a date; undefined when it says nothing. */
function waitAsked(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** The first line of a header that is sent once. */
export const text = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header[0] : header) ?? null
