import { DURATION_BOUNDS_MS, type HttpMetrics } from '@catalog/api/http-metrics.ts'
import { Counter, type Histogram, type Registry } from 'prom-client'

const DURATION = 'catalog_http_request_duration_seconds'
const ERRORS = 'catalog_http_errors_total'

/** Adds what a server counted to a registry. */
export function registerHttpMetrics(registry: Registry, metrics: HttpMetrics): void {
  const durations = {
    name: DURATION,
    help: 'Requests by route and status, and how long their answers took',
    type: 'histogram',
    get: async () => ({ ...durations, aggregator: 'sum', values: samplesOf(metrics) }),
  }
  // The library has no histogram that takes counts; it needs of one what stands here.
  registry.registerMetric(durations as unknown as Histogram)
  new Counter({
    name: ERRORS,
    help: 'Errors that were answered, by their code',
    labelNames: ['code'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [code, count] of metrics.errors()) this.inc({ code }, count)
    },
  })
}

function samplesOf(metrics: HttpMetrics) {
  return metrics.requests().flatMap(({ route, status, counts, sumMs }) => {
    const labels = { route, status }
    let total = 0
    const buckets = counts.map((count, i) => {
      total += count
      const bound = DURATION_BOUNDS_MS[i]
      const le = bound === undefined ? '+Inf' : bound / 1_000
      return { metricName: `${DURATION}_bucket`, labels: { ...labels, le }, value: total }
    })
    return [
      ...buckets,
      { metricName: `${DURATION}_sum`, labels, value: sumMs / 1_000 },
      { metricName: `${DURATION}_count`, labels, value: total },
    ]
  })
}
