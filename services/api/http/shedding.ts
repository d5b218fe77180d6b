import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { V1 } from './context.ts'
import { ApiError } from './errors.ts'

/** Beyond any of these a request is refused at once, so that those that are under way end, and end soon. */
export const LOAD_MAX = {
  /** At 8 connections and 2 ms a page these are answered within a quarter of a second. */
  requestsInFlight: 1_000,
  /** Mean over a second: by then every answer takes longer than a reader waits for a page. */
  eventLoopDelayMs: 1_000,
  /** Near its limit the heap is collected without end, and then the process dies. */
  heapBytes: 0.95 * getHeapStatistics().heap_size_limit,
  /** Of the memory that the process may have: the container's, where it has one of its own. */
  residentBytes: 0.95 * Math.min(process.constrainedMemory() || totalmem(), totalmem()),
}
/** The load is sampled every second. */
const RETRY_SECONDS = 1

/** Refuses requests of these routes with `overloaded` while the process carries too much. */
export function shedLoad(v1: V1, max: typeof LOAD_MAX = LOAD_MAX): void {
  // Without limits of its own it only samples: a hook of it would come after those that count the request.
  v1.register(underPressure, {})
  let inFlight = 0
  v1.addHook('onRequest', (_request, reply, next) => {
    const { eventLoopDelay, heapUsed, rssBytes } = v1.memoryUsage()
    if (inFlight >= max.requestsInFlight) throw overloaded(`${inFlight} requests are under way`)
    if (eventLoopDelay > max.eventLoopDelayMs) throw overloaded('it takes too long to begin anything')
    if (heapUsed > max.heapBytes || rssBytes > max.residentBytes) throw overloaded('its memory is used up')
    inFlight++
    // Comes once, however the answer ends: sent, or cut off by its reader.
    reply.raw.once('close', () => {
      inFlight--
    })
    next()
  })
}

function overloaded(why: string): ApiError {
  return new ApiError('overloaded', `the server is busy: ${why}`, { retryAfterSeconds: RETRY_SECONDS })
}
