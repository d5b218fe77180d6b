import { type StoreFailure, storeFailureOf } from '@catalog/store/failure.ts'
import ERRORS from './errors.json' with { type: 'json' }

/** Every value of `error`, with its HTTP status and its meaning. A closed list: additions are announced. */
export { ERRORS }

export type ErrorCode = keyof typeof ERRORS

/** The Link header of an error: the explanation of its code. */
export function helpLink(origin: string, code: ErrorCode): string {
  return `<${origin}/docs/errors#${code}>; rel="help"`
}

/** The error that routes throw; the error handler turns it into an answer. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  /** For people: the value, its place and the expectation. */
  readonly details: string
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    details: string,
    more: { retryAfterSeconds?: number; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(`${code}: ${details}`, { cause: more.cause })
    this.code = code
    this.details = details
    this.retryAfterSeconds = more.retryAfterSeconds
    this.headers = more.headers ?? {}
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  /** The body of the answer. */
  get body(): { error: string; details: string; retry_after_seconds?: number } {
    return {
      error: this.code,
      details: this.details,
      ...(this.retryAfterSeconds === undefined ? {} : { retry_after_seconds: this.retryAfterSeconds }),
    }
  }
}

/** The socket of the embedded store and a restarting Postgres both return within seconds. */
const STORE_RETRY_SECONDS = 5

/** Any thrown value as an ApiError: a refusal of the framework, an unavailable store, or a fault of the service. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const failure = storeFailureOf(error)
  if (failure !== undefined) return storeUnavailable(error, failure)
  const { statusCode, message } = error as { statusCode?: unknown; message?: unknown }
  const details = typeof message === 'string' ? message : ''
  if (statusCode === 412) return new ApiError('precondition_failed', 'If-Unmodified-Since: the file is newer')
  if (statusCode === 416) {
    const { headers = {} } = error as { headers?: Record<string, string> }
    return new ApiError('range_not_satisfiable', 'Range: expected bytes that the file has', { headers })
  }
  if (statusCode === 413) return new ApiError('payload_too_large', details)
  if (statusCode === 415) {
    return new ApiError('unsupported_media_type', 'Content-Type: expected application/json', {
      headers: { accept: 'application/json' },
    })
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new ApiError('bad_request', details)
  }
  return new ApiError('internal_error', 'the request failed; X-Request-Id finds it in the log', { cause: error })
}

export function storeUnavailable(cause: unknown, failure: StoreFailure = 'away'): ApiError {
  const details = failure === 'away' ? 'the database does not answer' : 'the database takes no writes at present'
  return new ApiError('store_unavailable', details, {
    retryAfterSeconds: STORE_RETRY_SECONDS,
    cause,
  })
}
