import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ErrorBody } from '@catalog/api/contract/contract.ts'
import type { Api } from '@catalog/api/server.ts'
import { observe, publish, signUp, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
let api: Api
/** The same API on a socket, for tests of raw bytes. */
let port: number
const id = testId('ci_', 'item')
const merged = testId('ci_', 'merged')

beforeAll(async () => {
  await observe(store, { vendor_sku_id: testId('vsku_', 'a'), observed_at: '2026-11-01T00:00:00Z', cents: 1 })
  await publish(store, { id, name: 'Cement', vendor_sku_ids: [testId('vsku_', 'a')] })
  for (let i = 0; i < 30; i++) await publish(store, { id: testId('ci_', `filler${i}`), name: `Filler ${i}` })
  await publish(store, { id: merged, state: 'merged', merged_into: id })
  await store.query(`insert into categories values ('cat_a', null, 'A', 0)`)
  api = testApi(store, clock)
  port = await listen(api)
})
afterAll(() => api.close())

async function listen(api: Api): Promise<number> {
  await api.listen({ port: 0, host: '127.0.0.1' })
  return (api.server.address() as { port: number }).port
}

type Answer = { status: number; headers: Record<string, string>; body: string }

/** Writes the bytes to a fresh connection and reads until the server ends it. */
async function exchange(bytes: string, to = port): Promise<Answer> {
  const socket = connect(to, '127.0.0.1')
  socket.write(bytes)
  const answer = await text(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  const [line = '', ...fields] = head.split('\r\n')
  const headers = fields.map((field) => {
    const [name = '', value = ''] = field.split(/: (.*)/s)
    return [name.toLowerCase(), value]
  })
  return { status: Number(line.split(' ')[1]), headers: Object.fromEntries(headers), body }
}

/** The details of the last answer on a connection. */
async function refusal(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  const answers = await text(socket)
  return (JSON.parse(answers.slice(answers.lastIndexOf('{"error"'))) as { details: string }).details
}

const get = (path: string, ...fields: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: a', 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`
const letters = (count: number) => 'a'.repeat(count)

function expectError({ status, headers, body }: Answer, expected: [number, string]): void {
  expect([status, ErrorBody.parse(JSON.parse(body)).error]).toEqual(expected)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['x-request-id']).toMatch(/^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(headers.link).toBe(`<https://catalog.example.org/docs/errors#${expected[1]}>; rel="help"`)
  expect(headers['access-control-allow-origin']).toBe('*')
  expectUsualHeaders(headers)
}

function expectUsualHeaders(headers: Record<string, unknown>): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'cross-origin',
    'strict-transport-security': 'max-age=31536000',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  expect(headers).not.toHaveProperty('server')
  expect(headers).not.toHaveProperty('x-powered-by')
}

describe('a malformed request', () => {
  test.each([
    ['words that are not HTTP', 'nonsense\r\n\r\n', 400, 'bad_request'],
    ['an unknown method', 'BREW /v1/items HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    ['an unknown method of an unknown path', 'BREW /v1/itmes HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['a method in small letters', 'get /livez?x HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    ['an unknown version', 'GET /v1/items HTTP/7.0\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    [
      'a version that the parser knows and the server does not',
      'GET /v1/items HTTP/2.0\r\nHost: a\r\n\r\n',
      400,
      'bad_request',
    ],
    ['such a version outside /v1', 'GET /livez HTTP/2.0\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['version 0.9', 'GET /v1/items HTTP/0.9\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['no version', 'GET /v1/items\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['two lines of Host', get('/v1/items', 'host: b'), 400, 'bad_request'],
    ['two lines of Host outside /v1', get('/livez', 'HOST: a'), 400, 'bad_request'],
    ['two lines of Host in HTTP/1.0', 'GET /livez HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['no Host', 'GET /v1/items HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
    [
      'two lengths',
      'POST /v1/items HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'bad_request',
    ],
    ['bad percent-encoding in the path', get('/v1/items/%ZZ'), 400, 'bad_request'],
    ['bad percent-encoding outside /v1', get('/%'), 400, 'bad_request'],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    ['TRACE', get('/v1/items').replace('GET', 'TRACE'), 405, 'method_not_allowed'],
    ['QUERY', get('/v1/items').replace('GET', 'QUERY'), 405, 'method_not_allowed'],
    ['an address of 10 kB', get(`/v1/items?q=${letters(10_000)}`), 414, 'uri_too_long'],
    ['an address of 10 kB outside /v1', get(`/${letters(10_000)}`), 414, 'uri_too_long'],
    ['a malformed address of 10 kB', get(`/v1/%ZZ${letters(10_000)}`), 414, 'uri_too_long'],
    ['an address of 20 kB', get(`/v1/items?q=${letters(20_000)}`), 414, 'uri_too_long'],
    ['a header of 20 kB', get('/v1/items', `X-Large: ${letters(20_000)}`), 431, 'headers_too_large'],
    [
      'many headers',
      get('/v1/items', ...Array.from({ length: 30 }, (_, i) => `X-${i}: ${letters(600)}`)),
      431,
      'headers_too_large',
    ],
  ])('%s is answered in the common error format', async (_what, bytes, status, error) => {
    const answer = await exchange(bytes)
    expectError(answer, [status, error])
    if (!bytes.includes(' /v1/')) return
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '100000',
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      ratelimit: expect.stringMatching(/^"minute";r=/),
    })
  })

  test.each([
    ['/v1/items/?limit=2', '../items?limit=2'],
    ['http://a/v1/items/?limit=2', '../items?limit=2'],
    ['HTTP://a:80/v1//', '../../v1'],
    ['/v1//items?limit=2', '../items?limit=2'],
    ['//v1/items', '../../v1/items'],
    ['/v1/feeds//region///es/', '../../../../../region/es'],
  ])('%s, in origin or absolute form, leads to the address without needless slashes', async (url, expected) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await exchange(get(url).replace('GET', method))
      expect([status, headers.location]).toEqual([308, expected])
    }
  })

  test("the fragment of an address is its reader's alone", async () => {
    for (const url of [`/v1/items/${id}`, '/v1/items?limit=2'])
      expect((await exchange(get(`${url}#top`))).body).toBe((await exchange(get(url))).body)
  })

  test.each([
    [
      'GET /v1/items/caf\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n',
      'address "/v1/items/caf\\xC3\\xA9": expected visible ASCII, found 0xC3 at character 14; write it as %C3%A9',
    ],
    ['GET /v1/items?q=\u00e1rea HTTP/1.1\r\nHost: a\r\n\r\n', 'found 0xC3 at character 13; write it as %C3%A1'],
    ['BREW /v1/items?x=1 HTTP/1.1\r\nHost: a\r\n\r\n', 'BREW /v1/items: expected one of GET, HEAD, OPTIONS'],
    ['BREW /v1/itmes HTTP/1.1\r\nHost: a\r\n\r\n', 'method "BREW": expected one of GET, HEAD, OPTIONS and POST'],
    ['nonsense\r\n\r\n', 'request line "nonsense": expected METHOD /path HTTP/1.1'],
    ['\u0016\u0003\u0001\u0000\u0005', 'expected HTTP, found TLS'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'found the first line of HTTP/2'],
    ['GET /v1/items HTTP/2.0\r\nHost: a\r\n\r\n', 'version "HTTP/2.0": expected HTTP/1.1 or HTTP/1.0'],
    ['GET /v1/items HTTP/7.0\r\nHost: a\r\n\r\n', 'version "HTTP/7.0": expected HTTP/1.1'],
    ['GET /v1/items HTTP/1.1\r\nHost: a\r\nX y: secret\r\n\r\n', 'header "X y": expected "name: value"'],
    ['POST /v1/match HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 'expected Content-Length once'],
    ['POST /v1/match HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'body: expected chunks'],
    [get('/livez', 'Host: b'), 'Host: expected it once, found it 2 times'],
    // After a request on the same connection.
    [
      `${get('/livez').replace('close', 'keep-alive')}GET /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n`,
      'address "/\\xC3\\xA9": expected visible ASCII',
    ],
  ])('%j is told what is wrong', async (bytes, expected) => {
    const details = await refusal(bytes)
    expect(details).toContain(expected)
    expect(details).not.toContain('secret')
  })

  test('a method that a known path does not serve is refused with those that it serves, whatever it is', async () => {
    for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(name))) {
      for (const [path, allow] of [
        ['/v1/items', 'GET, HEAD, OPTIONS'],
        ['/v1', 'GET, HEAD, OPTIONS'],
        ['/v1/', 'GET, HEAD, OPTIONS'],
        [`/v1/items/${id}/history`, 'GET, HEAD, OPTIONS'],
        ['/plans', 'GET, HEAD, OPTIONS'],
        ['/.well-known/mcp.json', 'GET, HEAD, OPTIONS'],
      ] as const) {
        const answer = await exchange(get(path).replace('GET', method))
        expect([method, path, answer.status, answer.headers.allow]).toEqual([method, path, 405, allow])
      }
    }
    for (const method of ['GET', 'PUT', 'PROPFIND'])
      for (const path of ['/v1/match', '/v1/keys/signup', '/api/mcp']) {
        const answer = await exchange(get(path).replace('GET', method))
        expect([method, path, answer.status, answer.headers.allow]).toEqual([method, path, 405, 'OPTIONS, POST'])
      }
  })

  test('the longest accepted address still reaches its parameters', async () => {
    const answer = await exchange(get(`/v1/items?q=${letters(7_900)}`))
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_parameter'])
  })

  test('an unknown expectation is ignored, and so is a missing Host of HTTP/1.0', async () => {
    expect((await exchange(get('/livez', 'Expect: the-unexpected'))).status).toBe(200)
    expect((await exchange('GET /livez HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  test.each([
    ['header', 'GET /v1/items HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    [
      'body',
      'POST /v1/keys/signup HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ],
  ])('with an incomplete %s times out: 408', async (_what, bytes) => {
    const slow = testApi(store, clock)
    const to = await listen(slow)
    expect([slow.server.headersTimeout, slow.server.requestTimeout]).toEqual([10_000, 30_000])
    slow.server.headersTimeout = 300
    slow.server.requestTimeout = 300
    expectError(await exchange(bytes, to), [408, 'request_timeout'])
    await slow.close()
  })
})

describe('a document', () => {
  const request = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    await api.inject({ method, url, headers })
  const documents = [
    '/v1/items?limit=30',
    `/v1/items/${id}`,
    '/v1/categories',
    '/v1/categories/cat_a',
    '/v1/feeds/items.atom',
    '/v1/feeds/items.rss',
    '/v1/feeds/region/es',
    '/v1/openapi.json',
  ]

  test.each(documents)('%s has a strong tag for each coding, and each of them revalidates', async (url) => {
    const plain = await request(url)
    expect(plain.statusCode).toBe(200)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const tags = [plain.headers.etag]
    for (const [coding, decoded] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const coded = await request(url, { 'accept-encoding': `${coding}, identity;q=0` })
      expect(coded.headers['content-encoding']).toBe(coding)
      expect(decoded(coded.rawPayload)).toEqual(plain.rawPayload)
      expect(coded.headers['content-length']).toBe(String(coded.rawPayload.length))
      tags.push(coded.headers.etag)
    }
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) {
      expect(tag).toMatch(/^"[^"]+"$/)
      for (const ifNoneMatch of [`${tag}`, `"other", W/${tag}`, '*']) {
        const unchanged = await request(url, { 'if-none-match': ifNoneMatch })
        expect([unchanged.statusCode, unchanged.body]).toEqual([304, ''])
        expect(unchanged.headers).toMatchObject({
          etag: ifNoneMatch === '*' ? plain.headers.etag : tag,
          'cache-control': 'public, no-cache',
          vary: plain.headers.vary,
          'x-ratelimit-limit': expect.anything(),
          'x-request-id': expect.stringMatching(/^req_/),
        })
        expect(unchanged.headers).not.toHaveProperty('content-type')
        expectUsualHeaders(unchanged.headers)
      }
    }
    expect(String(plain.headers.vary)).toMatch(/^Authorization, (Accept, )?Accept-Encoding$/)
  })

  test('is compressed for browsers above a kilobyte, and sent as it is below', async () => {
    const browser = { 'accept-encoding': 'gzip, deflate, br, zstd' }
    expect((await request('/v1/items?limit=30', browser)).headers['content-encoding']).toBe('br')
    expect((await request('/v1/categories', browser)).headers['content-encoding']).toBeUndefined()
  })

  test('of a search is compressed but has no ETag, since comparing it would cost the search', async () => {
    const url = '/v1/search?q=filler'
    const plain = await request(url)
    const coded = await request(url, { 'accept-encoding': 'br' })
    expect(brotliDecompressSync(coded.rawPayload)).toEqual(plain.rawPayload)
    expect(plain.headers).not.toHaveProperty('etag')
    expect((await request(url, { 'if-none-match': '*' })).statusCode).toBe(200)
  })

  test('has the date of its change, which every process and coding says alike, first and repeated', async () => {
    const other = testApi(store, clock)
    await publish(store, { id, name: 'Cement, again', vendor_sku_ids: [testId('vsku_', 'a')] })
    const changedMs = clock.at.getTime()
    clock.advance(250)
    for (const url of documents.filter((url) => url !== '/v1/openapi.json')) {
      expect([url, (await request(url)).headers['last-modified']]).toEqual([url, undefined])
    }
    clock.advance(60_000)
    const date = new Date(Math.ceil((changedMs + 2_000) / 1_000) * 1_000).toUTCString()
    for (const url of documents.filter((url) => url !== '/v1/openapi.json')) {
      for (const coding of ['identity', 'identity', 'br', 'gzip']) {
        const headers = { 'accept-encoding': coding }
        const answers = [await request(url, headers), await other.inject({ url, headers })]
        expect([url, ...answers.map(({ headers }) => headers['last-modified'])]).toEqual([url, date, date])
      }
    }
    await other.close()
  })

  test.each([
    ...documents,
    '/v1/search?q=filler',
    '/v1/pricing',
    '/v1/items?limit=0',
    '/v1/items/ci_none',
    '/v1/nothing',
    '/livez',
    '/',
  ])('answers HEAD %s as GET, without the body', async (url) => {
    const varying = ['x-request-id', 'date', 'x-ratelimit-remaining', 'ratelimit']
    for (const headers of [{}, { 'accept-encoding': 'br' }] as Record<string, string>[]) {
      const got = await request(url, headers)
      const head = await request(url, headers, 'HEAD')
      expect([head.statusCode, head.body]).toEqual([got.statusCode, ''])
      for (const name of varying) {
        delete head.headers[name]
        delete got.headers[name]
      }
      expect(head.headers).toEqual(got.headers)
      expect(head.headers['content-length']).toBe(String(got.rawPayload.length))
    }
  })

  test('for a keyed request is private, and has the same tag as for everybody', async () => {
    const authorization = `Bearer ${await signUp(api)}`
    const url = `/v1/items/${id}`
    const anonymous = await request(url)
    const keyed = await request(url, { authorization })
    expect(keyed.headers['cache-control']).toBe('private, no-cache')
    expect(keyed.headers.etag).toBe(anonymous.headers.etag)
    const unchanged = await request(url, { authorization, 'if-none-match': String(keyed.headers.etag) })
    expect([unchanged.statusCode, unchanged.headers['cache-control']]).toEqual([304, 'private, no-cache'])
    // A page of the list names the caller's tier, so its tags differ.
    expect((await request('/v1/items', { authorization })).headers.etag).not.toBe(
      (await request('/v1/items')).headers.etag,
    )
  })

  test('of a merged item names its survivor, on a 304 too', async () => {
    const { headers } = await request(`/v1/items/${merged}`)
    expect(headers['content-location']).toMatch(new RegExp(`/v1/items/${id}$`))
    const unchanged = await request(`/v1/items/${merged}`, { 'if-none-match': String(headers.etag) })
    expect([unchanged.statusCode, unchanged.headers['content-location']]).toEqual([304, headers['content-location']])
  })
})

describe('content negotiation', () => {
  const status = async (url: string, accept: string) => (await api.inject({ url, headers: { accept } })).statusCode
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

  test.each(['*/*', 'application/json', 'application/*', 'application/json;q=0.2, text/html', '', browser])(
    'Accept: %s gets JSON',
    async (accept) => {
      for (const url of ['/v1/items', '/v1/search?q=cement', '/v1/pricing', '/v1/openapi.json', '/v1/categories']) {
        const response = await api.inject({ url, headers: { accept } })
        expect([url, response.statusCode, response.headers['content-type']]).toEqual([
          url,
          200,
          'application/json; charset=utf-8',
        ])
      }
    },
  )

  test('answers 406 with the available types when none is acceptable', async () => {
    for (const [url, accept, offered] of [
      ['/v1/items', 'text/html', 'application/json'],
      ['/v1/items', 'application/json;q=0', 'application/json'],
      ['/v1/pricing', 'text/markdown', 'application/json'],
      [`/v1/items/${id}`, 'text/html', 'application/json or text/markdown'],
      ['/v1/feeds/items.atom', 'text/html', 'application/atom+xml or application/x-ndjson'],
    ] as const) {
      const response = await api.inject({ url, headers: { accept } })
      expect([url, response.statusCode, response.json().error]).toEqual([url, 406, 'not_acceptable'])
      expect(response.json().details).toContain(`expected ${offered}, found ${accept}`)
    }
  })

  test('gives clients that accept the JSON of errors alone what the address has', async () => {
    for (const url of ['/v1/feeds/items.atom', '/v1/feeds/items.rss', '/v1/items.csv', '/v1/items.ndjson']) {
      expect([url, await status(url, 'application/json')]).toEqual([url, 200])
    }
  })

  test('serves feeds as XML under any XML name, and errors always as JSON', async () => {
    expect(await status('/v1/feeds/items.atom', 'application/rss+xml, text/xml')).toBe(200)
    expect(await status('/v1/feeds/items.rss', browser)).toBe(200)
    expect(await status('/v1/items/ci_none', 'text/markdown')).toBe(404)
    expect(await status('/livez', 'text/html')).toBe(200)
  })
})

describe('response headers', () => {
  test.each([
    ['/v1/items', 200],
    ['/v1/items?limit=0', 400],
    ['/v1/nothing', 404],
    ['/v1/items/%ZZ', 400],
    ['/livez', 200],
    ['/nothing', 404],
    ['/', 200],
  ])('are complete on every answer: %s %i', async (url, status) => {
    const { statusCode, headers } = await api.inject({ url, headers: { origin: 'https://other.example' } })
    expect(statusCode).toBe(status)
    expectUsualHeaders(headers)
    expect(headers['x-request-id']).toMatch(/^req_/)
    expect(headers['access-control-allow-origin']).toBe('*')
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'link', 'etag', 'content-location', 'deprecation']),
    )
    // Browser pages can read only exposed and safelisted headers, so every informative header must be one of them.
    const readable = new Set([...exposed, 'cache-control', 'content-length', 'content-type', 'last-modified'])
    const informative = Object.keys(headers).filter((name) => /^(x-|ratelimit|etag|link|retry|allow$)/.test(name))
    expect(informative.filter((name) => !readable.has(name) && !/^x-content-type-options$/.test(name))).toEqual([])
  })

  test('require HTTPS only if the public address uses it', async () => {
    const plain = testApi(store, clock, { publicBaseUrl: 'http://127.0.0.1:8080' })
    expect((await plain.inject('/livez')).headers).not.toHaveProperty('strict-transport-security')
  })

  test('preflights are answered on every path free of charge, and OPTIONS lists the methods', async () => {
    const preflight = await api.inject({
      method: 'OPTIONS',
      url: '/v1/items',
      headers: {
        origin: 'https://other.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,if-none-match',
      },
    })
    expect([preflight.statusCode, preflight.body]).toEqual([204, ''])
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': expect.stringMatching(/Authorization.*Content-Type.*If-None-Match/),
      'access-control-max-age': '86400',
      allow: 'GET, HEAD, OPTIONS',
    })
    expect(preflight.headers).not.toHaveProperty('x-ratelimit-remaining')
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials')
    const options = (url: string) => api.inject({ method: 'OPTIONS', url })
    expect((await options('/v1/items/ci_x')).headers.allow).toBe('GET, HEAD, OPTIONS')
    expect((await options('/v1/nothing')).statusCode).toBe(404)
    expect((await exchange('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).status).toBe(204)
  })
})
