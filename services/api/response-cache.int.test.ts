import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { FEED_VERSION, pageChangesOf } from '@catalog/core/changes/protocol.ts'
import { publish, publishAll, revoke, signUp, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Api } from './server.ts'

const store = await storeOfFile()
const clock = testClock()
let api: Api
let gen: string
let port: number
/** Requests that reached the routes; the response cache answered all others. */
let routedCount = 0
const id = testId('ci_', 'item')

beforeAll(async () => {
  const versions = Array.from({ length: pageChangesOf(`t${FEED_VERSION}`) }, (_, i) =>
    published({ id: 'ci_a', cents: 1 + i, version: 1 + i }),
  )
  await publishAll(store, versions)
  gen = (await readCatalogVersion(store)).gen
})
beforeEach(async () => {
  await publish(store, { id, name: 'Cement' })
  for (let i = 0; i < 10; i++) await publish(store, { id: testId('ci_', `filler${i}`), name: `Filler ${i}` })
  return serve()
})

/** Starts a new server on a socket; returns the function that closes it. */
async function serve(deps: Parameters<typeof testApi>[2] = {}): Promise<() => Promise<void>> {
  const started = testApi(store, clock, deps)
  started.addHook('onRequest', (_request, _reply, next) => {
    routedCount++
    next()
  })
  await started.listen({ port: 0, host: '127.0.0.1' })
  api = started
  port = (api.server.address() as { port: number }).port
  routedCount = 0
  return async () => {
    await started.close()
  }
}

type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const request = httpRequest({ port, path, headers, method, agent: false }, async (response) =>
    resolve({ status: response.statusCode as number, headers: response.headers, bytes: await buffer(response) }),
  )
  request.on('error', reject).end()
  return promise
}

/** Strips the headers that differ between two answers to the same request. */
function stableParts({ status, headers, bytes }: Answer) {
  const { date, 'x-request-id': requestId, 'x-ratelimit-remaining': remaining, ratelimit, ...same } = headers
  expect(requestId).toMatch(/^req_[0-9a-f-]{36}$/)
  return { status, same, bytes: bytes.toString('hex') }
}
const remainingOf = ({ headers }: Answer) => Number(headers['x-ratelimit-remaining'])

const REQUESTS: [what: string, path: string, headers?: Record<string, string>][] = [
  ['a page', '/v1/items?limit=5'],
  ['a page, compressed', '/v1/items?limit=10', { 'accept-encoding': 'gzip, br' }],
  ['a page, gzip', '/v1/items?limit=10', { 'accept-encoding': 'gzip' }],
  ['an item', `/v1/items/${id}`],
  ['an item as Markdown', `/v1/items/${id}`, { accept: 'text/markdown' }],
  ['its history', `/v1/items/${id}/history`],
  ['its basis', `/v1/items/${id}/basis`],
  ['sources', '/v1/sources'],
  ['categories', '/v1/categories'],
  ['a feed', '/v1/feeds/items.atom'],
  ['a feed as NDJSON', '/v1/feeds/items.atom', { accept: 'application/x-ndjson' }],
  ['changes after a number', '/v1/feeds/items.atom?since=50&limit=2'],
  ['where the feeds stand', '/v1/feeds/state.json'],
  ['where the feeds stand, as it was', '/v1/feeds/state.json', { 'if-none-match': '*' }],
  ['a closed page', '/v1/feeds/archive/GEN/items/0.atom', { 'accept-encoding': 'gzip' }],
  ['a closed page, unchanged', '/v1/feeds/archive/GEN/items/0.atom', { 'if-none-match': '*' }],
  ['any version of a page', '/v1/items?limit=5', { 'if-none-match': '*' }],
  ['a page with a stale tag', '/v1/items?limit=5', { 'if-none-match': '"another"' }],
]

test.each(REQUESTS)('%s is answered from the cache like the first time, and counted', async (_what, named, headers) => {
  const path = named.replace('GEN', gen)
  for (const [connection, authorization] of [
    ['keep-alive', undefined],
    ['close', undefined],
    ['keep-alive', `Bearer ${await signUp(api)}`],
  ] as const) {
    const requestHeaders = { ...headers, connection, ...(authorization && { authorization }) }
    // The first two requests cache the caller, the document and its date.
    await get(path, requestHeaders)
    clock.advance(5_000)
    await get(path, requestHeaders)
    const first = await get(path, { ...requestHeaders, 'content-length': '0' })
    routedCount = 0
    const again = await get(path, requestHeaders)
    const third = await get(path, requestHeaders)
    expect(routedCount).toBe(0)
    expect(stableParts(again)).toEqual(stableParts(first))
    expect(stableParts(third)).toEqual(stableParts(first))
    expect(remainingOf(third)).toBe(remainingOf(again) - 1)
    expect(again.headers['x-request-id']).not.toBe(third.headers['x-request-id'])
  }
})

test('pipelined requests are answered in order, and the connection ends where the request says so', async () => {
  const asked = (line: string, ...fields: string[]) => `${line}\r\n${['Host: a', ...fields].join('\r\n')}\r\n\r\n`
  const page = 'GET /v1/items?limit=5'
  for (let i = 0; i < 3; i++) await get('/v1/items?limit=5')
  routedCount = 0
  const answers = await exchange(
    [
      asked(`${page} HTTP/1.1`),
      asked('HEAD /v1/items?limit=5 HTTP/1.1'),
      asked('GET /v1/nothing HTTP/1.1'),
      asked(`${page} HTTP/1.1`),
      asked(`${page} HTTP/1.0`, 'Connection: keep-alive'),
      asked(`${page} HTTP/1.0`),
    ].join(''),
  )
  expect(answers.map(({ status, connection }) => [status, connection])).toEqual([
    [200, 'keep-alive'],
    [200, 'keep-alive'],
    [404, 'keep-alive'],
    [200, 'keep-alive'],
    [200, 'keep-alive'],
    [200, 'close'],
  ])
  // A route answers HEAD, and none the unknown path; the cache answers the pages.
  expect(routedCount).toBe(1)
  const [first, head, , ...pages] = answers.map(({ body }) => body)
  expect(head).toBe('')
  expect(JSON.parse(first as string).items).toHaveLength(5)
  expect(new Set(pages)).toEqual(new Set([first]))
})

/** Writes the bytes to a connection of their own, and reads answers until the server ends it. */
async function exchange(bytes: string): Promise<{ status: number; connection: string | undefined; body: string }[]> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  const answers = (await text(socket)).split(/HTTP\/1\.1 (?=\d)/).slice(1)
  return answers.map((answer) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
    const [, connection] = /^connection: (.*)$/im.exec(head) ?? []
    return { status: Number(head.slice(0, 3)), connection: connection?.trim(), body }
  })
}

test.each(['text/markdown', 'Text/*'])('readers of %s each get the name of their own language', async (accept) => {
  const names = [
    { lang: 'es', name: 'Cemento', regions: ['ES'] },
    { lang: 'pt', name: 'Cimento', regions: ['BR'] },
  ]
  const elsewhere = testId('ci_', 'named')
  await publish(store, { id: elsewhere, name: 'Cement', names })
  clock.advance(250)
  const titleFor = async (languages: Record<string, string>) =>
    (await get(`/v1/items/${elsewhere}`, { accept, ...languages })).bytes.toString().split('\n')[0]
  const asked = async () => [
    await titleFor({ 'accept-language': 'pt-BR' }),
    await titleFor({ 'accept-language': 'es' }),
    await titleFor({}),
  ]
  // A document is kept when it is asked for a second time.
  for (let time = 1; time <= 2; time++) {
    expect(await asked()).toEqual(['# Cimento', '# Cemento', '# Cement'])
    expect(routedCount).toBe(3 * time)
  }
  // The cache answers these.
  expect(await asked()).toEqual(['# Cimento', '# Cemento', '# Cement'])
  expect(routedCount).toBe(6)
})

test('a publication takes effect once the catalog version expires', async () => {
  const path = `/v1/items/${id}`
  const known = async () => {
    for (let i = 0; i < 3; i++) await get(path)
    routedCount = 0
    const { bytes } = await get(path)
    expect(routedCount).toBe(0)
    return bytes.toString()
  }
  const before = await known()
  await publish(store, { id, name: 'Cement, white' })
  // The cache may answer with the former version until the catalog version expires.
  expect((await get(path)).bytes.toString()).toBe(before)
  clock.advance(200)
  // The next request to a route rereads the catalog version.
  await get('/v1/categories')
  const after = (await get(path)).bytes.toString()
  expect([before, after].map((body) => JSON.parse(body).item.name)).toEqual(['Cement', 'Cement, white'])
  expect(await known()).toBe(after)
})

test('the cache does not answer an expired archive page', async () => {
  const path = `/v1/feeds/archive/${gen}/items/0.atom`
  for (let i = 0; i < 3; i++) expect((await get(path)).status).toBe(200)
  await store.query(`insert into feed_floors values ('items', 500)`)
  clock.advance(250)
  // A request to another route rereads the catalog version, so the test need not wait.
  await get('/v1/categories')
  expect((await get(path)).status).toBe(410)
  await store.query(`truncate feed_floors`)
})

test('archives and revalidations share one limit, and a 304 is not a request', async () => {
  const close = await serve({ limits: { ...LIMITS, anonPerMinute: 60 } })
  clock.advance(60_000)
  const path = `/v1/feeds/archive/${gen}/items/0.atom`
  const remaining = []
  for (let i = 0; i < 4; i++) remaining.push(remainingOf(await get(path)))
  remaining.push(remainingOf(await get(path, { 'if-none-match': '*' })))
  expect(remaining).toEqual([599, 598, 597, 596, 595])
  expect(routedCount).toBeLessThan(4)
  await close()
})

test('negotiated and conditional requests go to the routes', async () => {
  const path = '/v1/items?limit=5'
  for (let i = 0; i < 3; i++) await get(path)
  for (const [method, requestHeaders, status] of [
    ['HEAD', {}, 200],
    ['GET', { 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 200],
    ['GET', { accept: 'text/html' }, 406],
    ['GET', { authorization: 'Bearer svc_pub_none' }, 401],
    ['GET', { authorization: 'Basic YTpi' }, 401],
    ['GET', { 'accept-encoding': 'identity;q=0, *;q=0' }, 406],
  ] as const) {
    for (const _ of [1, 2]) {
      routedCount = 0
      expect((await get(path, requestHeaders, method)).status).toBe(status)
      if (status === 200) expect(routedCount).toBe(1)
    }
  }
})

test('a revoked key is refused at once', async () => {
  const key = await signUp(api)
  const requestHeaders = { authorization: `Bearer ${key}` }
  for (let i = 0; i < 3; i++) expect((await get('/v1/items', requestHeaders)).status).toBe(200)
  await revoke(api, key)
  expect((await get('/v1/items', requestHeaders)).status).toBe(401)
})

test('limits apply to cached answers and revalidations', async () => {
  const close = await serve({ limits: { ...LIMITS, anonPerMinute: 60 } })
  clock.advance(60_000)
  const statuses = async (count: number, headers: Record<string, string>) => {
    const answers = []
    for (let i = 0; i < count; i++) answers.push((await get('/v1/items', headers)).status)
    return answers
  }
  expect(await statuses(61, {})).toEqual([...Array(60).fill(200), 429])
  expect(routedCount).toBeLessThan(12)
  expect(await statuses(2, { 'if-none-match': '*' })).toEqual([304, 304])
  await close()
})

test('X-Forwarded-For identifies the caller only behind a trusted proxy', async () => {
  const limits = { ...LIMITS, anonPerMinute: 5 }
  for (const [trustedProxies, expected] of [
    [['127.0.0.0/8'], 200],
    [[], 429],
  ] as const) {
    clock.advance(60_000)
    const close = await serve({ limits, trustedProxies })
    let last = 0
    for (let i = 0; i < 6; i++) last = (await get('/v1/items', { 'x-forwarded-for': `192.0.2.${i}` })).status
    expect(last).toBe(expected)
    await close()
  }
})
