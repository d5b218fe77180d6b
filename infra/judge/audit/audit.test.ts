import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf, type Tables } from './audit.ts'
import { judgeRandomRequests } from './random.ts'

/** A deployment that holds one row and breaks its opposite: a reader that sees nothing would pass all. */
let base: string
let served: IncomingMessage[] = []
const server = createServer((request, response) => {
  served.push(request)
  const { pathname } = new URL(request.url as string, base)
  const json = (status: number, body: object, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  if (pathname === '/v1/limited' && served.length > 2)
    return json(429, { error: 'rate_limited_minute', retry_after_seconds: 7 }, { 'retry-after': '7' })
  if (pathname === '/v1/zipped')
    return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('<entry><entry>'))
  if (pathname === '/v1/bent') return json(200, { error: 5, more: true })
  if (pathname === '/v1/nothing') return json(404, { error: 'not_found' })
  return json(
    200,
    {
      items: [
        { id: 'ci_a', n: 1 },
        { id: 'ci_b', n: 2 },
      ],
      cursor: null,
    },
    { etag: '"x"' },
  )
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => server.close())

const TABLES: Tables = {
  values: { second: 'GET /items -> .items.1.id', none: 'GET /items -> .items.9.id' },
  shapes: { Error: { error: 'string', 'details?': 'string', 'retry_after_seconds?': 'integer 1..' } },
  addresses: ['/items?', '/nothing?'],
  requests: { operations: { '/bent': { shape: 'Error', parameters: [] } }, parameters: {} },
  specification: {},
  habits: {},
}

async function verdictsOf(row: string, name: 'specification' | 'habits' = 'habits') {
  served = []
  const rows = rowsOf(name, { ...TABLES, [name]: { section: row } }, { base, known: {} })
  const verdicts: string[] = []
  for (const { run } of rows) verdicts.push((await run()).verdict)
  return verdicts
}

describe('a row', () => {
  test.each([
    ['200', '404'],
    ['200|304', '304'],
    ['.items.*.id ~ ^ci_', '.items.*.id ~ ^ci_a'],
    ['.items.0.id = ci_a', '.items.0.id = ci_b'],
    ['.items.*.id has {second}', '.items.*.id lacks {second}'],
    ['.items.*.id unique', '.items.*.none unique'],
    ['.items.*.n rises', '.items.*.n falls'],
    ['.items.*.n >= 1', '.items.*.n <= 1'],
    ['.items.length = 2', '.items.length != 2'],
    ['.cursor = null', '.cursor = ci_a'],
    ['!.none', '!.items'],
    ['@etag = "x"', '!@etag'],
    ['.items.1.n = .items.length', '.items.0.n = .items.length'],
    ['same as GET /others', 'same as GET /nothing'],
    ['text ~ ci_b', 'text !~ ci_b'],
  ])('that expects %s holds, and one that expects %s fails', async (right, wrong) => {
    expect(await verdictsOf(`row: GET /items -> ${right}`)).toEqual(['passed'])
    expect(await verdictsOf(`row: GET /items -> 200; ${wrong}`)).toEqual(['failed'])
  })

  test('that expects a shape fails for another key and for another type', async () => {
    expect(await verdictsOf('row: GET /nothing -> 404; Error')).toEqual(['passed'])
    expect(await verdictsOf('row: GET /bent -> 200; Error')).toEqual(['failed'])
  })

  test('counts in a decoded body, by any version and coding', async () => {
    expect(await verdictsOf('row: GET /zipped HTTP/1.0 -> <entry> = 2')).toEqual(['passed'])
    expect(served[0]?.httpVersion).toBe('1.0')
  })

  test('repeats a request until it is refused', async () => {
    expect(await verdictsOf('row: 9 x GET /limited -> 429; @retry-after = .retry_after_seconds')).toEqual(['passed'])
    expect(served).toHaveLength(3)
  })

  test('sends headers, bodies, repeated letters and targets as they are', async () => {
    await verdictsOf('row: POST ~/x%zz?{a*5} | X-A: b: c | {"a":{"b":1}} -> 200')
    expect(served[0]).toMatchObject({
      url: '/x%zz?aaaaa',
      method: 'POST',
      headers: { 'x-a': 'b: c', 'content-length': '13' },
    })
  })

  test('is one for each address, and is skipped where its value or key is missing', async () => {
    expect(await verdictsOf('row: GET {address}x=1 -> 200')).toEqual(['passed', 'failed'])
    expect(await verdictsOf('row: GET /items?id={none} -> 200')).toEqual(['skipped'])
    expect(await verdictsOf('row: GET /items | Authorization: Bearer {org} -> 200')).toEqual(['skipped'])
  })

  test('that is none is refused', async () => {
    await expect(verdictsOf('row GET /items')).rejects.toThrow('expected REQUIREMENT: REQUEST -> CHECK')
  })
})

test('a field of a shape holds once it was seen, and none of it was wrong', async () => {
  const [right, wrong] = ['row: GET /nothing -> 404; Error', 'row: GET /bent -> 200; Error']
  expect(await verdictsOf(right, 'specification')).toEqual(['passed', 'passed', 'skipped', 'skipped'])
  expect(await verdictsOf(wrong, 'specification')).toEqual(['failed', 'failed', 'skipped', 'skipped'])
})

test('random requests count additive keys and wrong values apart', async () => {
  const judged = await judgeRandomRequests(TABLES, { base, known: {} }, { count: 3, seed: 1, key: undefined }).run()
  expect(judged).toMatchObject({
    verdict: 'failed',
    says: '3 requests: 3 additive keys (closed), 3 wrong values (open)',
  })
})
