import { expect, test } from 'vitest'
import { openTracing, span } from './tracing.ts'

test('a collector that is away fails nothing, and an end waits some seconds for it', async () => {
  // The port is reserved, and nothing listens there.
  const endpoint = 'http://127.0.0.1:9'
  const tracing = await openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: undefined }, 'crawl')
  expect(await span('a', {}, async () => 7)).toBe(7)
  const begunMs = performance.now()
  await tracing[Symbol.asyncDispose]()
  expect(performance.now() - begunMs).toBeLessThan(WAIT_MS_MAX)
})

const WAIT_MS_MAX = 8_000
