import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { LOAD_MAX } from '@catalog/api/http/load-shedding.ts'
import { MINUTE_MS } from '@catalog/core/time.ts'
import { embedderOf, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { Registry } from 'prom-client'
import { beforeAll, expect, test } from 'vitest'
import { openHttpMetrics } from './http-metrics.ts'

const store = await storeOfFile()
const clock = testClock()
const id = testId('ci_', 'item')
beforeAll(async () => {
  await publish(store, { id, name: 'Cement' })
})

/** A server on a socket, with what it counted: requests by route and status, and errors. */
async function counted(deps: Parameters<typeof testApi>[2] = {}) {
  const registry = new Registry()
  const api = testApi(store, clock, { ...deps, metrics: openHttpMetrics(registry) })
  await api.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.server.address() as AddressInfo
  const samples = async (name: string) =>
    (await registry.metrics()).split('\n').flatMap((line) => {
      const [, labels, value] = new RegExp(`^${name}\\{(.*)\\} (.*)$`).exec(line) ?? []
      return labels === undefined
        ? []
        : [
            [
              [...labels.matchAll(/"([^"]*)"/g)]
                .map(([, text]) => text)
                .toReversed()
                .join(' '),
              Number(value),
            ],
          ]
    })
  return {
    port,
    get: async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
    requests: async () => Object.fromEntries(await samples('catalog_http_request_duration_seconds_count')),
    tookSeconds: async () => Object.fromEntries(await samples('catalog_http_request_duration_seconds_sum')),
    errors: async () => Object.fromEntries(await samples('catalog_http_errors_total')),
    [Symbol.asyncDispose]: () => api.close(),
  }
}

test('every request counts once by route and status, also one that the cache answers or that no router can read', async () => {
  await using server = await counted()
  for (let i = 0; i < 5; i++) await server.get('/v1/items?limit=5')
  for (let i = 0; i < 3; i++) await server.get(`/v1/items/${id}`)
  await server.get(`/v1/items/${testId('ci_', 'none')}`)
  await server.get('/v1/items?limit=lots')
  await server.get('/v1/nothing')
  await server.get(`/v1/items/${'a'.repeat(1_000)}`)
  await expect.poll(server.requests).toEqual({
    '2xx /v1/items': 5,
    '2xx /v1/items/:id': 3,
    '4xx /v1/items/:id': 1,
    '4xx /v1/items': 1,
    '4xx none': 2,
  })
  expect(await server.errors()).toMatchObject({ item_not_found: 1, invalid_parameter: 1 })
  for (const took of Object.values(await server.tookSeconds())) expect(took).toBeGreaterThan(0)
})

test('refusals of a limit and of an overloaded server have their codes', async () => {
  // The test above used the minute of this address up.
  clock.advance(MINUTE_MS)
  await using limited = await counted({ limits: { ...LIMITS, anonPerMinute: 2 } })
  for (let i = 0; i < 5; i++) await limited.get('/v1/categories')
  expect(await limited.errors()).toEqual({ rate_limited_minute: 3 })
  await expect.poll(limited.requests).toEqual({ '2xx /v1/categories': 2, '4xx /v1/categories': 3 })
  await using busy = await counted({ loadMax: { ...LOAD_MAX, requestsInFlight: 0 } })
  await busy.get('/v1/categories')
  expect(await busy.errors()).toEqual({ overloaded: 1 })
  await expect.poll(busy.requests).toEqual({ '5xx /v1/categories': 1 })
})

test('a reader who leaves before the answer is no failure of the server', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const embedder = embedderOf(async () => {
    begin()
    await gate
    return [null]
  })
  await using server = await counted({ embedder })
  const socket = connect(server.port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write('GET /v1/search?q=cement HTTP/1.1\r\nHost: a\r\n\r\n')
  await begun
  socket.destroy()
  await expect.poll(server.requests).toEqual({ 'gone /v1/search': 1 })
  open()
})
