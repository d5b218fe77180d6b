import type { IncomingMessage } from 'node:http'
import type { HttpMetrics } from '@catalog/api/http-metrics.ts'
import { Counter, Histogram, type Registry } from 'prom-client'

/** What the cache answers, what the store answers, and what is slow. */
const BOUNDS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 1, 5, 30]
const NO_ROUTE = 'none'

/** Counts the requests of a server in a registry; a reader who left before the answer began has the status `gone`. */
export function openHttpMetrics(registry: Registry): HttpMetrics {
  const durations = new Histogram({
    name: 'catalog_http_request_duration_seconds',
    help: 'Requests by route and status, and how long their answers took',
    labelNames: ['route', 'status'],
    buckets: BOUNDS_SECONDS,
    registers: [registry],
  })
  const errors = new Counter({
    name: 'catalog_http_errors_total',
    help: 'Errors that were answered, by their code',
    labelNames: ['code'],
    registers: [registry],
  })
  const routes = new WeakMap<IncomingMessage, string>()
  const observe = (route: string, status: string, ms: number) => durations.observe({ route, status }, ms / 1_000)
  const kindOf = (status: number) => `${Math.trunc(status / 100)}xx`
  return {
    count: (route, status, ms) => observe(route, kindOf(status), ms),
    follow(request, response, begunMs) {
      response.once('close', () => {
        const status = response.headersSent ? kindOf(response.statusCode) : 'gone'
        observe(routes.get(request) ?? NO_ROUTE, status, performance.now() - begunMs)
      })
    },
    routed(request, route) {
      if (route !== undefined) routes.set(request, route)
    },
    failed: (code) => errors.inc({ code }),
  }
}
