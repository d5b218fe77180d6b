import { get as httpGet, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { CanonicalItem, ExportEnd } from '@catalog/api/contract/contract.ts'
import type { Api } from '@catalog/api/server.ts'
import { publish, publishAll, signUp, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, describe, expect, test, vi } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))
const ITEMS = 350
beforeAll(async () => {
  await publishAll(
    store,
    Array.from({ length: ITEMS }, (_, n) => published({ id: `ci_${String(n).padStart(4, '0')}`, name: `Item ${n}` })),
  )
  await publish(store, {
    id: testId('ci_', 'formula'),
    name: '=1+1, "quoted"',
    markets: { ES: { cents: 700, currency: 'EUR', recorded_at: null } },
    unit: 'm²',
  })
})

async function exported(url: string, headers: Record<string, string> = {}, from = api) {
  clock.advance(250)
  return await from.inject({ url, headers })
}
const linesOf = (body: string) =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; export: ExportEnd })
/** The items of an NDJSON export, and its last line. */
function itemsOf(body: string) {
  const lines = linesOf(body)
  const { export: end } = lines.pop() as { export: ExportEnd }
  return { ids: lines.map(({ id }) => id), end: ExportEnd.parse(end), lines }
}

describe('GET /v1/items.ndjson', () => {
  test('streams what the pages of the list show, then says that it is complete', async () => {
    const listed: unknown[] = []
    for (let cursor = ''; ; ) {
      const page = (await exported(`/v1/items?limit=100${cursor}`)).json()
      listed.push(...page.items)
      if (page.cursor === null) break
      cursor = `&cursor=${page.cursor}`
    }
    const { statusCode, headers, body, trailers } = await exported('/v1/items.ndjson')
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/x-ndjson'])
    const { lines, end } = itemsOf(body)
    expect(lines).toEqual(listed)
    expect(lines.map((line) => CanonicalItem.safeParse(line).success)).not.toContain(false)
    expect(end).toMatchObject({ complete: true, items: ITEMS + 1, after: null, stopped_by: null })
    expect(end.seq_from).toBe(end.seq_to)
    expect(trailers).toMatchObject({ 'export-complete': 'true', 'export-items': String(ITEMS + 1), 'export-after': '' })
  })

  test('takes the filters of the list, in the same words', async () => {
    const filter = 'unit=m2&price_region=ES&currency=EUR&price_max=700'
    const { ids, end } = itemsOf((await exported(`/v1/items.ndjson?${filter}`)).body)
    expect([ids, end.complete]).toEqual([[testId('ci_', 'formula')], true])
    expect((await exported('/v1/items.ndjson?price_min=3')).json().details).toContain('expected a currency')
    expect((await exported('/v1/items.ndjson?cursor=x')).json().error).toBe('unknown_parameter')
    expect((await exported('/v1/items.ndjson?category=none')).json().error).toBe('category_not_found')
    expect(itemsOf((await exported('/v1/items.ndjson?q=nothing+like+it')).body)).toMatchObject({ ids: [] })
  })

  test('continues after any item, as an interrupted reader asks', async () => {
    const { ids } = itemsOf((await exported('/v1/items.ndjson')).body)
    const first = itemsOf((await exported('/v1/items.ndjson?limit=120')).body)
    expect([first.ids, first.end.stopped_by, first.end.after]).toEqual([ids.slice(0, 120), 'limit', ids[119]])
    const rest = itemsOf((await exported(`/v1/items.ndjson?after=${first.end.after}`)).body)
    expect([rest.ids, rest.end.complete]).toEqual([ids.slice(120), true])
  })

  test('says how far it came when a limit of its caller ends it, counting each 100 items as a request', async () => {
    const limited = testApi(store, clock, { limits: { ...LIMITS, anonPerMinute: 3 } })
    clock.at = new Date(Math.ceil(clock.at.getTime() / 60_000) * 60_000)
    const { ids, end } = itemsOf((await limited.inject('/v1/items.ndjson')).body)
    expect(ids).toHaveLength(300)
    expect(end).toMatchObject({
      complete: false,
      items: 300,
      after: ids.at(-1),
      stopped_by: 'rate_limited_minute',
      retry_after_seconds: 60,
    })
    const refused = await limited.inject(`/v1/items.ndjson?after=${end.after}`)
    expect([refused.statusCode, refused.json().error]).toEqual([429, 'rate_limited_minute'])
    clock.advance(60_000)
    const rest = itemsOf((await limited.inject(`/v1/items.ndjson?after=${end.after}`)).body)
    expect([rest.ids.length, rest.end.complete]).toEqual([ITEMS + 1 - 300, true])
    await limited.close()
  })

  test('counts its pages in the month of a key', async () => {
    const key = { authorization: `Bearer ${await signUp(api)}` }
    await exported('/v1/items.ndjson', key)
    expect((await exported('/v1/usage', key)).json().monthly_used).toBe(Math.ceil((ITEMS + 1) / 100))
  })

  test('answers 304 until something is published, for each format and filter of its own', async () => {
    const { headers } = await exported('/v1/items.ndjson?limit=5')
    const ifNoneMatch = { 'if-none-match': String(headers.etag) }
    const same = await exported('/v1/items.ndjson?limit=5', ifNoneMatch)
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', headers.etag])
    for (const url of ['/v1/items.ndjson?limit=6', '/v1/items.csv?limit=5'])
      expect((await exported(url, ifNoneMatch)).statusCode).toBe(200)
    await publish(store, { id: testId('ci_', 'formula'), name: '=1+1, "quoted" again', unit: 'm²' })
    expect((await exported('/v1/items.ndjson?limit=5', ifNoneMatch)).statusCode).toBe(200)
  })
})

describe('GET /v1/items.csv', () => {
  test('is a file by RFC 4180 whose cells no spreadsheet runs', async () => {
    const { headers, body } = await exported('/v1/items.csv?unit=m2&price_region=ES')
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="items.csv"',
      'price-region': 'ES',
    })
    const [head, line, ...rest] = body.split('\r\n')
    expect(head).toMatch(/^id,name,unit,/)
    expect(line).toMatch(/^ci_[^,]*,"'=1\+1, ""quoted"" again",m²,/)
    expect(rest).toEqual([''])
  })

  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('is the same under %s', async (coding, decompress) => {
    const plain = await exported('/v1/items.csv?limit=150')
    const coded = await exported('/v1/items.csv?limit=150', { 'accept-encoding': coding })
    expect(coded.headers['content-encoding']).toBe(coding)
    expect(decompress(coded.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(coded.trailers['export-complete']).toBe('false')
  })

  test('HEAD gives the headers of GET, and costs one request', async () => {
    const limited = testApi(store, clock, { limits: { ...LIMITS, anonPerMinute: 3 } })
    clock.at = new Date(Math.ceil(clock.at.getTime() / 60_000) * 60_000)
    const { statusCode, headers, body } = await limited.inject({ method: 'HEAD', url: '/v1/items.csv' })
    expect([statusCode, body, headers['content-type']]).toEqual([200, '', 'text/csv; charset=utf-8; header=present'])
    expect(headers['x-ratelimit-remaining']).toBe('2')
    await limited.close()
  })

  test('breaks off when a limit ends it, so that no short file looks whole', async () => {
    const limited = testApi(store, clock, { limits: { ...LIMITS, anonPerMinute: 2 } })
    await limited.listen({ host: '127.0.0.1', port: 0 })
    const response = await answerOf(limited, '/v1/items.csv')
    const failed = await text(response).catch((error: NodeJS.ErrnoException) => error.code)
    expect([response.statusCode, failed]).toEqual([200, 'ECONNRESET'])
    await limited.close()
  })
})

describe('a store that is away', () => {
  test('gives an ordinary error before the first byte', async () => {
    const query = async () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    const away = testApi({ ...store, query, transaction: query }, clock)
    const { statusCode, headers } = await away.inject('/v1/items.csv')
    expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
      503,
      'application/json; charset=utf-8',
      undefined,
    ])
    await away.close()
  })
})

test('slow readers take few places, and give them back when they leave', async () => {
  // More than the buffers of a connection hold, so that each answer waits for its reader.
  const long = 'a slow name '.repeat(500)
  await publishAll(
    store,
    Array.from({ length: 1_500 }, (_, n) => published({ id: `ci_slow${n}`, name: `${long}${n}` })),
  )
  const server = testApi(store, clock)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = '/v1/items.ndjson?q=slow'
  const open = await Promise.all([1, 2, 3, 4].map(() => answerOf(server, url)))
  const refused = await server.inject(url)
  expect([refused.statusCode, refused.json().error, refused.headers['retry-after']]).toEqual([503, 'overloaded', '5'])
  for (const response of open) response.destroy()
  await vi.waitUntil(async () => (await server.inject({ method: 'HEAD', url })).statusCode === 200)
  await server.close()
})

/** The answer, whose body nobody reads yet. */
const answerOf = (server: Api, path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const { port } = server.server.address() as AddressInfo
    httpGet({ host: '127.0.0.1', port, path }, resolve).on('error', reject)
  })
