import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '@catalog/api/http/errors.ts'

/** Upper bounds of the durations that are counted apart: what the cache answers, what the store answers, and what is slow. */
export const DURATION_BOUNDS_MS = [1, 5, 25, 100, 250, 1_000, 5_000, 30_000] as const

/** What the server did with the requests of a route. */
export type RouteMetrics = Readonly<{
  /** The address as routes are written (`/v1/items/:id`), `none` where no route has it. */
  route: string
  /** `2xx` to `5xx`; `gone`: the reader left before the answer began. */
  status: string
  /** Requests up to each bound and beyond the last. */
  counts: readonly number[]
  sumMs: number
}>

/**
 * Counts requests and errors in this process. The numbers are our own: the histogram of the metrics library takes a microsecond a
 * request, a fiftieth of an answer from the cache, and these take a tenth of that.
 */
export interface HttpMetrics {
  /** Counts an answer that was sent. */
  count(route: string, status: number, ms: number): void
  /** Counts a request once its answer is sent or its reader left, with the route that it was given by then. */
  follow(request: IncomingMessage, response: ServerResponse, begunMs: number): void
  routed(request: IncomingMessage, route: string | undefined): void
  failed(code: ErrorCode): void
  requests(): readonly RouteMetrics[]
  errors(): ReadonlyMap<ErrorCode, number>
}

type Line = { counts: number[]; sumMs: number }

const NO_ROUTE = 'none'
const GONE = 0

export function openHttpMetrics(): HttpMetrics {
  /** By the hundreds of its status, with holes where none came. */
  const lines = new Map<string, Line[]>()
  const routes = new WeakMap<IncomingMessage, string>()
  const errors = new Map<ErrorCode, number>()
  const metrics: HttpMetrics = {
    count(route, status, ms) {
      let ofRoute = lines.get(route)
      if (ofRoute === undefined) {
        ofRoute = []
        lines.set(route, ofRoute)
      }
      const kind = Math.trunc(status / 100)
      ofRoute[kind] ??= { counts: Array.from({ length: DURATION_BOUNDS_MS.length + 1 }, () => 0), sumMs: 0 }
      const line = ofRoute[kind]
      let bound = 0
      while (ms > (DURATION_BOUNDS_MS[bound] ?? Number.POSITIVE_INFINITY)) bound++
      line.counts[bound] = (line.counts[bound] as number) + 1
      line.sumMs += ms
    },
    follow(request, response, begunMs) {
      response.once('close', () => {
        const status = response.headersSent ? response.statusCode : GONE
        metrics.count(routes.get(request) ?? NO_ROUTE, status, performance.now() - begunMs)
      })
    },
    routed(request, route) {
      if (route !== undefined) routes.set(request, route)
    },
    failed: (code) => void errors.set(code, (errors.get(code) ?? 0) + 1),
    requests: () =>
      [...lines].flatMap(([route, ofRoute]) =>
        ofRoute.map((line, kind) => ({ route, status: kind === GONE ? 'gone' : `${kind}xx`, ...line })),
      ),
    errors: () => errors,
  }
  return metrics
}
