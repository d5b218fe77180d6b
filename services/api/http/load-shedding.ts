import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { V1 } from './context.ts'
import { ApiError } from './errors.ts'

/** Limits of load shedding. Beyond any of them, new requests are refused at once, so that those under way finish soon. */
export const LOAD_MAX = {
  /** With 8 connections and 2 ms a page, the server answers these within a quarter of a second. */
  requestsInFlight: 1_000,
  /** The mean over a second. Beyond it, every answer takes longer than readers wait. */
  eventLoopDelayMs: 1_000,
  /** Near its limit, the heap is collected continuously until the process dies. */
  heapBytes: 0.95 * getHeapStatistics().heap_size_limit,
  /** The memory of the container, or of the machine. */
  residentBytes: 0.95 * Math.min(process.constrainedMemory() || totalmem(), totalmem()),
}
/** The load is sampled every second. */
const RETRY_SECONDS = 1

/** Refuses requests of these routes with `overloaded` while the process is beyond a limit. */
export function shedLoad(v1: V1, max: typeof LOAD_MAX = LOAD_MAX): void {
  // The plugin only samples: its own hook would run after those that count the request.
  v1.register(underPressure, {})
  let inFlight = 0
  v1.addHook('onRequest', (_request, reply, next) => {
    const { eventLoopDelay, heapUsed, rssBytes } = v1.memoryUsage()
    if (inFlight >= max.requestsInFlight) throw overloaded(`${inFlight} requests are under way`)
    if (eventLoopDelay > max.eventLoopDelayMs) throw overloaded('it takes too long to begin anything')
    if (heapUsed > max.heapBytes || rssBytes > max.residentBytes) throw overloaded('its memory is used up')
    inFlight++
    // Fires once per answer, whether it was sent or its reader disconnected.
    reply.raw.once('close', () => {
      inFlight--
    })
    next()
  })
}

function overloaded(why: string): ApiError {
  return new ApiError('overloaded', `the server is busy: ${why}`, { retryAfterSeconds: RETRY_SECONDS })
}
