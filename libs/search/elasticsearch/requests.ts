import { errors } from '@elastic/elasticsearch'

/**
 * One immediate retry: the server or a proxy may have closed a kept-open connection. Callers retry everything else: the
 * feeder repeats its batch, and readers get a 503.
 */
const RETRY_ONCE = { maxRetries: 1, retryBackoff: () => 0 }
/** Searches take milliseconds, and a reader waits. */
export const SEARCH = { ...RETRY_ONCE, requestTimeout: 5_000 }
/** A batch takes some 100 ms, and longer while segments merge or a shard starts. */
export const BULK = { ...RETRY_ONCE, requestTimeout: 60_000 }
export const ADMIN = { ...RETRY_ONCE, requestTimeout: 30_000 }

/** Treats a missing index as empty. */
export const IF_THERE = { ignore_unavailable: true, allow_no_indices: true } as const

/**
 * Replaces the client's error, whose whole request and response would fill a log, by its status and message: what stands
 * before the server, as a proxy that refuses a key, gives no reason in its body.
 */
export function requestError(operation: string, cause: unknown): Error {
  const status = cause instanceof errors.ResponseError ? `HTTP ${cause.statusCode}, ` : ''
  const message = cause instanceof Error ? cause.message : String(cause)
  return new Error(`Elasticsearch, ${operation}: ${status}${message}`, { cause })
}

/** Awaits a response; throws {@link requestError} when it fails. */
export async function responseOf<T>(operation: string, response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    throw requestError(operation, error)
  }
}
