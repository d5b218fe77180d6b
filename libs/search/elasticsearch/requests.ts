/**
 * Once more, and at once: a connection that was kept open may have been closed by the server or on the way to it. What
 * else fails is tried again by the callers: by the feeder, and for readers by a 503.
 */
const AGAIN = { maxRetries: 1, retryBackoff: () => 0 }
/** A search is answered within milliseconds, and a reader waits for it. */
export const SEARCH = { ...AGAIN, requestTimeout: 5_000 }
/** A batch takes some 100 ms, and longer while segments are merged or a shard comes up. */
export const BULK = { ...AGAIN, requestTimeout: 60_000 }
export const ADMIN = { ...AGAIN, requestTimeout: 30_000 }

/** An index that is not there yet holds nothing. */
export const IF_THERE = { ignore_unavailable: true, allow_no_indices: true } as const

/** The client's error holds the whole request and its answer, which would fill a log; ours says what happened. */
export function failed(what: string, cause: unknown): Error {
  return new Error(`Elasticsearch, ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}

export async function asked<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw failed(what, error)
  }
}
