import { CatalogError, retryAfterOf } from './errors.ts'

/** Bounds of one call, with all its attempts. */
export type RetryLimits = Readonly<{
  /** Requests that one call may send, the first one included. */
  attemptsMax: number
  /** Seconds that one call may wait in all: a longer Retry-After becomes an error at once. */
  waitSecondsMax: number
  /** The first wait where the answer names none; it doubles, and a random part of up to a half is taken off. */
  backoffSeconds: number
  /** Seconds after which one attempt, its body included, counts as failed. */
  timeoutSeconds: number
}>

/** A minute's limit is free again within 60 seconds. */
export const RETRY_LIMITS: RetryLimits = {
  attemptsMax: 4,
  waitSecondsMax: 65,
  backoffSeconds: 0.5,
  timeoutSeconds: 30,
}

export type Attempt = Readonly<{
  /** 1 for the first. */
  number: number
  /** Null when no answer came. */
  status: number | null
  retryAfterSeconds: number | null
  /** Seconds that the call has waited before. */
  waitedSeconds: number
  /** Whether the request may be sent twice without doing anything twice. */
  isRead: boolean
}>

/** Seconds to wait before the next attempt; null when the call ends with this one. `random` is from 0 to 1. */
export function nextWait(attempt: Attempt, limits: RetryLimits, random: number): number | null {
  if (attempt.number >= limits.attemptsMax || !mayRepeat(attempt)) return null
  const backoff = limits.backoffSeconds * 2 ** (attempt.number - 1) * (1 - random / 2)
  const wait = attempt.retryAfterSeconds ?? backoff
  return attempt.waitedSeconds + wait <= limits.waitSecondsMax ? wait : null
}

/** A request that a limit refused was not begun; any other may have been. */
function mayRepeat({ status, isRead }: Attempt): boolean {
  return status === 429 || (isRead && (status === null || TRANSIENT.has(status)))
}
const TRANSIENT: ReadonlySet<number> = new Set([502, 503, 504])

export type Polite = Readonly<{
  fetch: (request: Request, init: { signal: AbortSignal }) => Promise<Response>
  limits: RetryLimits
  isRead: (request: Request) => boolean
  /** Resolves after so many seconds; rejects when the signal aborts. */
  wait?: (seconds: number, signal: AbortSignal) => Promise<void>
}>

/**
 * A fetch that comes back when the answer says, within `limits`, and returns the last answer with its body read. Throws
 * CatalogError `unreachable` when none came, and the signal's reason when the caller aborts.
 */
export function politeFetch({
  fetch,
  limits,
  isRead,
  wait = waitFor,
}: Polite): (request: Request) => Promise<Response> {
  return async (request) => {
    let waitedSeconds = 0
    for (let number = 1; ; number++) {
      const answer = await attempted(request, { fetch, limits })
      const isAnswer = answer instanceof Response
      const attempt = {
        number,
        status: isAnswer ? answer.status : null,
        retryAfterSeconds: isAnswer ? retryAfterOf(answer.headers) : null,
        waitedSeconds,
        isRead: isRead(request),
      }
      const seconds = nextWait(attempt, limits, Math.random())
      if (seconds === null) {
        if (isAnswer) return answer
        throw answer
      }
      await wait(seconds, request.signal)
      waitedSeconds += seconds
    }
  }
}

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

/** One request with its body, or why no answer came. */
async function attempted(
  request: Request,
  { fetch, limits: { timeoutSeconds } }: Pick<Polite, 'fetch' | 'limits'>,
): Promise<Response | CatalogError> {
  const { signal } = request
  signal.throwIfAborted()
  try {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
    const response = await fetch(request.clone(), { signal: AbortSignal.any([signal, timeout]) })
    const body = BODILESS.has(response.status) ? null : await response.arrayBuffer()
    const { status, statusText, headers } = response
    return new Response(body, { status, statusText, headers })
  } catch (cause) {
    signal.throwIfAborted()
    const isLate = cause instanceof DOMException && cause.name === 'TimeoutError'
    const details = isLate ? `expected an answer within ${timeoutSeconds} s` : reasonOf(cause)
    const asked = `${request.method} ${request.url}`
    return new CatalogError({ status: null, code: 'unreachable', details, request: asked }, { cause })
  }
}

/** Node and Deno say the reason in the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const { message = String(error), cause } = error as { message?: string; cause?: unknown }
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message
}

/** Resolves after so many seconds; rejects with the signal's reason when it aborts. */
export function waitFor(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
