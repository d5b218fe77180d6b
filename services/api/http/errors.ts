import { type StoreFailure, storeFailureOf } from '@catalog/store/failure.ts'

/** Every value of `error`, with its HTTP status and its meaning. A closed list: additions are announced. */
export const ERRORS = {
  bad_request: { status: 400, meaning: 'the request cannot be read' },
  invalid_parameter: { status: 400, meaning: 'a parameter is missing or out of bounds; details names it' },
  unknown_parameter: {
    status: 400,
    meaning: 'the endpoint has no such parameter or member of its body; details names the nearest',
  },
  invalid_cursor: { status: 400, meaning: 'the cursor was not given out for these filters' },
  invalid_key: { status: 401, meaning: 'the Authorization header holds no valid API key' },
  not_found: { status: 404, meaning: 'nothing is served at this path' },
  key_not_found: { status: 404, meaning: 'the key was revoked before' },
  item_not_found: { status: 404, meaning: 'no such item, or it is gone' },
  category_not_found: { status: 404, meaning: 'no such category' },
  recipe_not_found: { status: 404, meaning: 'no vendor of the item has a recipe for it, or not the asked source' },
  index_not_found: { status: 404, meaning: 'no such index' },
  source_not_found: { status: 404, meaning: 'no such source' },
  file_not_found: { status: 404, meaning: 'no such digest or file of a snapshot, or it is no longer kept' },
  edition_not_found: { status: 404, meaning: 'no such edition, or its month has not ended; /v1/editions lists them' },
  feed_not_found: { status: 404, meaning: 'no such feed, or no such page of one; details says which there are' },
  method_not_allowed: { status: 405, meaning: 'the path exists for the methods named in Allow' },
  not_acceptable: { status: 406, meaning: 'the Accept headers exclude all that the endpoint has; details lists it' },
  future_cursor: { status: 409, meaning: 'since is beyond the newest change: it is of another server or generation' },
  generation_changed: { status: 409, meaning: 'the numbers began anew: a copy begins at the snapshot again' },
  changes_expired: { status: 410, meaning: 'these changes are no longer kept; Link names the snapshot to begin at' },
  request_timeout: { status: 408, meaning: 'the request did not arrive whole in time' },
  precondition_failed: { status: 412, meaning: 'the file is not the one that If-Match or If-Unmodified-Since names' },
  payload_too_large: { status: 413, meaning: 'the body is larger than the endpoint takes' },
  uri_too_long: { status: 414, meaning: 'the address is longer than the server takes' },
  unsupported_media_type: { status: 415, meaning: 'the body has a media type that is not taken here' },
  range_not_satisfiable: { status: 416, meaning: 'the file ends before the range; Content-Range says how long it is' },
  rate_limited_minute: { status: 429, meaning: 'the limit of requests per minute is reached' },
  search_rate_limited: { status: 429, meaning: 'the limit of searches per minute is reached' },
  monthly_cap: { status: 429, meaning: 'the requests of this month are used up; nothing is charged beyond them' },
  signup_rate_limited: { status: 429, meaning: 'too many keys were asked for by this address or for this e-mail' },
  headers_too_large: { status: 431, meaning: 'the header fields are larger than the server takes' },
  internal_error: { status: 500, meaning: 'a fault of the service; X-Request-Id finds it in the log' },
  overloaded: { status: 503, meaning: 'the server carries too much at present; the request was not begun' },
  not_ready: { status: 503, meaning: 'the service is starting or stopping' },
  search_unavailable: { status: 503, meaning: 'the index or the model that embeds queries does not answer at present' },
  store_unavailable: { status: 503, meaning: 'the database does not answer at present' },
} as const satisfies Record<string, { status: number; meaning: string }>

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
