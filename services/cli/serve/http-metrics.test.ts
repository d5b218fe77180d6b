import { openHttpMetrics } from '@catalog/api/http-metrics.ts'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { registerHttpMetrics } from './http-metrics.ts'

test('counted requests read as a histogram of Prometheus, errors as a counter', async () => {
  const metrics = openHttpMetrics()
  const registry = new Registry()
  registry.setDefaultLabels({ component: 'serve' })
  registerHttpMetrics(registry, metrics)
  metrics.count('/v1/items/:id', 200, 0.5)
  metrics.count('/v1/items/:id', 200, 1)
  metrics.count('/v1/items/:id', 304, 40_000)
  metrics.count('/v1/items/:id', 200, 99)
  metrics.failed('overloaded')
  metrics.failed('overloaded')
  const text = await registry.metrics()
  // A scrape changes nothing.
  expect(await registry.metrics()).toBe(text)
  const name = 'catalog_http_request_duration_seconds'
  const labels = 'route="/v1/items/:id",status="2xx"'
  expect(text).toContain(`# TYPE ${name} histogram\n`)
  const lines = text.split('\n')
  const ok = lines.filter((line) => line.startsWith(name) && line.includes(labels))
  expect(ok.map((line) => line.replace(`,component="serve"`, ''))).toEqual([
    ...[
      [0.001, 2],
      [0.005, 2],
      [0.025, 2],
      [0.1, 3],
      [0.25, 3],
      [1, 3],
      [5, 3],
      [30, 3],
      ['+Inf', 3],
    ].map(([le, count]) => `${name}_bucket{${labels},le="${le}"} ${count}`),
    `${name}_sum{${labels}} 0.1005`,
    `${name}_count{${labels}} 3`,
  ])
  expect(lines).toContain(`${name}_bucket{route="/v1/items/:id",status="3xx",le="30",component="serve"} 0`)
  expect(lines).toContain('catalog_http_errors_total{code="overloaded",component="serve"} 2')
})
