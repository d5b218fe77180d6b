import { readFileSync } from 'node:fs'
import { startTraceReceiver } from '@catalog/stack/testing/tracing.ts'
import { expect, test } from 'vitest'
import { openTracing, span, traceparent } from './tracing.ts'

const environment = (endpoint?: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: undefined })

test('without an endpoint a span is a call, and no library is loaded', async () => {
  await using _off = await openTracing(environment(), 'crawl')
  expect(await span('a', {}, async () => traceparent() ?? 'nothing')).toBe('nothing')
  const text = readFileSync(new URL('./tracing.ts', import.meta.url), 'utf8')
  expect(text).not.toMatch(/^import (?!type).*(opentelemetry|otlp)/m)
})

test('spans reach the collector with their parents, and a failed one says so', async () => {
  await using receiver = await startTraceReceiver()
  const tracing = await openTracing(environment(`${receiver.endpoint}/`), 'crawl')
  let context: string | undefined
  await span('outer', {}, async () => {
    await span('inner', { kind: 'producer', attributes: { records: 2 } }, async () => {
      context = traceparent()
    })
    await expect(span('failing', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
  expect(traceparent()).toBeUndefined()
  await tracing[Symbol.asyncDispose]()
  const [inner, failing, outer] = receiver.spans
  expect(receiver.spans.map(({ service, name, isFailed }) => [service, name, isFailed])).toEqual([
    ['catalog-crawl', 'inner', false],
    ['catalog-crawl', 'failing', true],
    ['catalog-crawl', 'outer', false],
  ])
  expect([inner?.parentSpanId, failing?.parentSpanId, outer?.parentSpanId]).toEqual([
    outer?.spanId,
    outer?.spanId,
    undefined,
  ])
  expect(context).toBe(`00-${outer?.traceId}-${inner?.spanId}-01`)
})

test('work continues the trace that it comes from, and links others', async () => {
  await using receiver = await startTraceReceiver()
  const tracing = await openTracing(environment(receiver.endpoint), 'project')
  const [one, other] = ['a', 'b'].map((digit) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`) as [string, string]
  await span('here', { causes: ['no context', one, other] }, async () => {})
  await tracing[Symbol.asyncDispose]()
  expect(receiver.spans).toMatchObject([
    { name: 'here', traceId: 'a'.repeat(32), parentSpanId: 'a'.repeat(16), links: ['b'.repeat(16)] },
  ])
})
