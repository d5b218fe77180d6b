import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import { openRequest } from '@catalog/runtime/fetch.ts'
import { jumpingClock } from '@catalog/stack/shop/crawling.ts'
import { openShop, SHOP_ROBOTS, type Shop } from '@catalog/stack/shop/shop.ts'
import { SHOP_FILE, SHOP_FILE_ETAG, SHOP_NOW, SHOP_WRONG_CHARSET } from '@catalog/stack/shop/shop-faults.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLOCK, type Fetched, type Fetcher, openFetcher, userAgentOf } from './fetcher.ts'

const MIB = 1024 ** 2
const LIMITS = { stallMs: 300, answerMs: 1_500, attempts: 2, bytesMax: 2 * MIB, decodedBytesMax: 16 * MIB }
const AGENT = userAgentOf('https://catalog.example/crawler')
/** Allows the shop's two hosts only. */
const request = openRequest({ allowed: ['127.0.0.1/32', '127.0.0.2/32'] })
type Parts = Parameters<typeof openFetcher>[0]
const open = (parts: Partial<Parts> = {}): Fetcher =>
  openFetcher({ request, userAgent: AGENT, clock: jumpingClock(), random: () => 0, limits: LIMITS, ...parts })

let shop: Shop
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
let into: string
beforeAll(async () => {
  shop = await openShop()
  folder = await mkdtempDisposable(join(tmpdir(), 'fetcher-'))
  into = join(folder.path, 'body')
})
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]()
  await folder?.remove()
})
beforeEach(() => {
  shop.forget()
  shop.robots = SHOP_ROBOTS
})
const asked = () => shop.visits.map(({ path }) => path)
const get = (path: string, parts?: Partial<Parts>) => open(parts).get(shop.url + path, { into })
const bodyOf = async (answer: Fetched) => {
  if (answer.status !== 'fetched') throw new Error(answer.sentence)
  return readFile(into)
}

test('fetches a whole page with its validators', async () => {
  const answer = await get('/products/3.html')
  expect(answer).toEqual({
    status: 'fetched',
    url: `${shop.url}/products/3.html`,
    etag: expect.stringMatching(/^"[0-9a-f]{16}"$/),
    lastModified: 'Sun, 04 Jan 2026 00:00:00 GMT',
    contentType: 'text/html',
    charset: 'utf-8',
    bytes: (await readFile(into)).length,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(await readFile(into, 'utf8')).toContain('"@type":"Product"')
  expect(await readdir(folder.path)).toEqual(['body'])
})

test('names the crawler and its contact in every request', async () => {
  await get('/products/1.html', { from: 'crawler@catalog.example' })
  expect(asked()).toEqual(['/robots.txt', '/products/1.html'])
  for (const { userAgent, headers } of shop.visits) {
    expect(userAgent).toBe('construction-cost-catalog/0.1 (+https://catalog.example/crawler)')
    expect(headers.from).toBe('crawler@catalog.example')
  }
})

test("sends an operator's headers to the origins of the source alone, also when a body is resumed, and never to robots.txt", async () => {
  const own = { headers: { authorization: 'Bearer secret' }, origins: new Set([shop.url]) }
  const fetcher = open()
  for (const path of ['/products/1.html', '/redirect-host', '/breaks'])
    await fetcher.get(shop.url + path, { into, own })
  const seen = shop.visits.map(({ path, host, headers }) => [path, shop.url.endsWith(host), headers.authorization])
  expect(seen).toContainEqual(['/products/1.html', true, 'Bearer secret'])
  expect(seen.filter(([, isOurs]) => isOurs === false).length).toBeGreaterThan(0)
  expect(seen.filter(([path]) => path === '/breaks')).toHaveLength(2)
  for (const [path, isOurs, authorization] of seen) {
    expect([path, authorization]).toEqual([path, isOurs && path !== '/robots.txt' ? 'Bearer secret' : undefined])
  }
})

describe('an invalid body has its sentence and leaves the earlier file:', () => {
  // [path, status, sentence after the address, number of requests]
  test.each<[string, 'failed' | 'refused', string, number]>([
    ['/silent', 'failed', 'nothing came for 300 ms, expected a byte (2 attempts)', 2],
    ['/stalls', 'failed', 'nothing came for 300 ms, expected a byte, after HALF bytes of the body (2 attempts)', 2],
    ['/drips', 'failed', 'the answer took longer than 1500 ms, expected it whole by then', 1],
    ['/429', 'failed', 'status 429, expected 200 (2 attempts)', 2],
    ['/429-long', 'failed', 'status 429, expected 200; it asks for a retry in 86400 s, expected at most 300 s', 1],
    ['/503', 'failed', 'status 503, expected 200 (2 attempts)', 2],
    ['/500', 'failed', 'status 500, expected 200 (2 attempts)', 2],
    ['/403', 'failed', 'status 403, expected 200', 1],
    ['/404', 'failed', 'status 404, expected 200', 1],
    ['/204', 'failed', 'status 204, expected 200', 1],
    ['/206', 'failed', 'status 206, expected 200', 1],
    ['/304', 'failed', 'status 304, expected 200', 1],
    ['/resets', 'failed', 'the connection ended, expected a whole answer (2 attempts)', 2],
    ['/redirect-endless', 'failed', 'redirect to SHOP/redirect-endless, expected at most 5 redirects', 6],
    ['/redirect-nowhere', 'failed', "redirect to '', expected an address", 1],
    ['/redirect-file', 'refused', 'redirect to file:///etc/passwd: expected http or https', 1],
    [
      '/redirect-credentials',
      'refused',
      'redirect to http://shop.example/: the address has credentials, expected none',
      1,
    ],
    ['/redirect-port', 'refused', 'redirect to http://shop.example:25/: port 25, expected 80, 443 or one from 1024', 1],
    [
      '/private/costs.html',
      'refused',
      'robots.txt forbids it to construction-cost-catalog, expected an address that it allows',
      0,
    ],
    ['/gzip-truncated', 'failed', 'the body is not a whole gzip (unexpected end of file), expected one', 1],
    ['/gzip-none', 'failed', 'the body is not a whole gzip (incorrect header check), expected one', 1],
    ['/gzip-twice', 'failed', "content-encoding 'gzip, gzip', expected one of gzip, br, deflate, identity", 1],
    ['/compress', 'failed', "content-encoding 'compress', expected one of gzip, br, deflate, identity", 1],
    ['/endless', 'failed', 'more than 2097152 bytes came, expected at most that many', 1],
    ['/gigantic', 'failed', 'the body has 1099511627776 bytes, expected at most 2097152', 1],
    [
      '/short',
      'failed',
      'the connection ended, expected a whole answer, after HALF of WHOLE bytes of the body (2 attempts)',
      2,
    ],
    [
      '/short-chunked',
      'failed',
      'the connection ended, expected a whole answer, after HALF bytes of the body (2 attempts)',
      2,
    ],
  ])('%s', async (path, status, sentence, times) => {
    await writeFile(into, 'what was there')
    const answer = await get(path)
    const expected = sentence.replace('SHOP', shop.url).replace('WHOLE', String(SHOP_FILE.length))
    expect(answer).toMatchObject({ status, url: shop.url + path })
    // The network decides how much arrives before the end.
    const found = answer.status === 'fetched' ? '' : answer.sentence.replace(/after \d+/, 'after HALF')
    expect(found).toBe(`${shop.url}${path}: ${expected}`)
    expect(asked().filter((each) => each === path)).toHaveLength(times)
    expect(await readFile(into, 'utf8')).toBe('what was there')
    expect(await readdir(folder.path)).toEqual(['body'])
  })

  test('a decompression bomb, cut by its ratio and by its size', async () => {
    const ratio = await get('/gzip-bomb')
    expect(ratio).toMatchObject({
      status: 'failed',
      sentence: expect.stringMatching(/bytes of gzip are already \d+ bytes, expected at most 200 for each$/),
    })
    const size = await get('/gzip-bomb', { limits: { ...LIMITS, ratioMax: 10_000 } })
    expect(size).toMatchObject({
      status: 'failed',
      sentence: `${shop.url}/gzip-bomb: more than 16777216 bytes after gzip, expected at most that many`,
    })
    expect(await readdir(folder.path)).toEqual(['body'])
  })

  test('a redirect from https to http', async () => {
    const stub: Parts['request'] = async ({ pathname }) => {
      const body = Object.assign(Readable.from([]), { dump: async () => null })
      const isRobots = pathname === '/robots.txt'
      return { statusCode: isRobots ? 404 : 302, headers: { location: 'http://shop.example/' }, body } as never
    }
    const answer = await open({ request: stub }).get('https://shop.example/a', { into })
    const sentence = 'https://shop.example/a: redirect to http://shop.example/: expected https'
    expect(answer).toMatchObject({ status: 'refused', sentence })
  })

  test.each([
    ['nonsense', "'nonsense' is not an address, expected http://… or https://…"],
    ['ftp://shop.example/', 'ftp://shop.example/: expected http or https'],
    ['file:///etc/passwd', 'file:///etc/passwd: expected http or https'],
    ['http://name:word@shop.example/', 'http://shop.example/: the address has credentials, expected none'],
    ['http://shop.example:22/', 'http://shop.example:22/: port 22, expected 80, 443 or one from 1024'],
    [`http://shop.example/${'x'.repeat(2_000)}`, 'characters, expected at most 2000'],
  ])('an address that must not be requested: %s', async (url, sentence) => {
    const answer = await open().get(url, { into })
    expect(answer).toMatchObject({ status: 'refused', sentence: expect.stringContaining(sentence) })
    expect(JSON.stringify(answer)).not.toContain('word')
  })

  test('an address of a private network, also at the end of a redirect', async () => {
    const robots = 'robots.txt cannot be read, which forbids everything for now'
    const answer = await get('/redirect-metadata')
    expect(answer).toMatchObject({ status: 'refused', url: 'http://169.254.169.254/latest/meta-data/' })
    expect(answer).toHaveProperty(
      'sentence',
      expect.stringContaining(
        `${robots}: http://169.254.169.254/robots.txt: 169.254.169.254: expected an address of the public internet`,
      ),
    )
    const near = await open({ request: openRequest({ allowed: [] }) }).get(`${shop.url}/`, { into })
    expect(near).toMatchObject({
      status: 'refused',
      sentence: expect.stringContaining('127.0.0.1: expected an address of the public internet'),
    })
  })
})

describe('a body comes through', () => {
  test.each(['/gzip', '/br', '/deflate', '/500-once', '/resets-once', '/429-once', '/slow'])('%s', async (path) => {
    expect(String(await bodyOf(await get(path)))).toBe('<!doctype html><title>Here</title>')
  })

  test('of a redirect, with its final address', async () => {
    const answer = await get('/redirect')
    expect(answer).toMatchObject({ status: 'fetched', url: `${shop.url}/products/1.html` })
  })

  test('of a redirect whose address has letters beyond ASCII in UTF-8', async () => {
    shop.pages.put('/ni%C3%B1o.html', { body: '<title>Niño</title>' })
    const answer = await get('/redirect-utf8')
    expect(answer).toMatchObject({ status: 'fetched', url: `${shop.url}/ni%C3%B1o.html` })
  })

  test("of another host, after that host's robots.txt", async () => {
    const answer = await get('/redirect-host')
    expect(answer).toMatchObject({ status: 'fetched', url: `${shop.otherUrl}/products/1.html` })
    const hosts = shop.visits.map(({ host, path }) => `http://${host}${path}`)
    expect(hosts.slice(2)).toEqual([`${shop.otherUrl}/robots.txt`, `${shop.otherUrl}/products/1.html`])
  })

  test('with its declared charset, whatever its real one', async () => {
    const answer = await get('/wrong-charset')
    expect(answer).toMatchObject({ contentType: 'text/html', charset: 'utf-8' })
    expect(await bodyOf(answer)).toEqual(SHOP_WRONG_CHARSET)
  })

  test('that bot protection withholds names the protection', async () => {
    const headers = { 'cf-mitigated': 'challenge' }
    for (const status of [403, 503]) shop.pages.put(`/protected-${status}`, { status, headers, body: 'who are you' })
    const protection = 'a challenge of Cloudflare'
    expect(await get('/protected-403')).toMatchObject({ status: 'failed', httpStatus: 403, protection })
    expect(await get('/protected-503')).toMatchObject({ status: 'failed', httpStatus: 503, protection })
    expect(await get('/403')).not.toHaveProperty('protection')
  })

  test('as large as the call allows', async () => {
    const limits = { bytesMax: SHOP_FILE.length - 1 }
    const path = `${shop.url}/range`
    expect(await open().get(path, { into, limits })).toMatchObject({ status: 'failed' })
    expect(await open().get(path, { into, limits: { bytesMax: SHOP_FILE.length } })).toMatchObject({
      status: 'fetched',
    })
  })
})

describe('a body that broke off', () => {
  test('resumes where it broke off if it is unchanged', async () => {
    const answer = await get('/breaks')
    expect(await bodyOf(answer)).toEqual(SHOP_FILE)
    expect(answer).toMatchObject({ bytes: SHOP_FILE.length, etag: SHOP_FILE_ETAG })
    const [first, second, ...more] = shop.visits.filter(({ path }) => path === '/breaks')
    expect(first?.headers.range).toBeUndefined()
    expect(second?.headers).toMatchObject({
      range: expect.stringMatching(/^bytes=[1-9]\d*-$/),
      'if-range': SHOP_FILE_ETAG,
    })
    expect(more).toEqual([])
  })

  test('resumes as often as allowed', async () => {
    expect(await bodyOf(await get('/breaks-always', { limits: { ...LIMITS, resumes: 60 } }))).toEqual(SHOP_FILE)
    const { visits } = shop
    expect(visits.length).toBeGreaterThan(10)
    shop.forget()
    expect(await get('/breaks-always', { limits: { ...LIMITS, resumes: 3 } })).toMatchObject({ status: 'failed' })
    // robots.txt, and for each attempt the file and three resumes.
    expect(visits).toHaveLength(1 + 2 * 4)
  })

  test('begins anew if it has changed', async () => {
    const answer = await get('/breaks-changed')
    expect(String(await bodyOf(answer))).toBe('S-1;another file;2.50\n')
    expect(answer).toMatchObject({ etag: '"file-2"' })
    expect(asked()).toHaveLength(3)
  })

  // With the number of requests: the fetcher does not read the body of a redirect.
  test.each([
    ['/breaks-weak', 2],
    ['/short-once', 2],
    ['/breaks-elsewhere', 3],
  ])('begins anew if the server cannot resume: %s', async (path, times) => {
    expect(await bodyOf(await get(path))).toEqual(SHOP_FILE)
    expect(asked()).toEqual(['/robots.txt', ...Array.from({ length: times }, () => path)])
    expect(shop.visits.at(-1)?.headers.range).toBeUndefined()
  })
})

describe('a fetched document', () => {
  test('is requested with its tag or date, and is not modified', async () => {
    const path = `${shop.url}/products/3.html`
    const first = await open().get(path, { into })
    if (first.status !== 'fetched') throw new Error(first.sentence)
    const { etag, lastModified } = first
    for (const validators of [{ etag }, { lastModified }, { etag, lastModified }]) {
      const again = await open().get(path, { into, ...validators })
      expect(again).toMatchObject({ status: 'not modified', ...validators })
      expect(again).toHaveProperty('sentence', expect.stringContaining(`${path}: status 304, unchanged since`))
    }
    expect(await open().get(path, { into, etag: '"other"' })).toMatchObject({ status: 'fetched', etag })
  })

  test('is not modified when the server answers 200 with the same tag', async () => {
    const answer = await open().get(`${shop.url}/same-etag`, { into, etag: SHOP_FILE_ETAG })
    expect(answer).toMatchObject({ status: 'not modified', sentence: expect.stringContaining('status 200, unchanged') })
    const weak = await open().get(`${shop.url}/same-etag`, { into, etag: `W/${SHOP_FILE_ETAG}` })
    expect(weak.status).toBe('not modified')
    expect(await open().get(`${shop.url}/same-etag`, { into, etag: '"file-0"' })).toMatchObject({ status: 'fetched' })
  })
})

describe('robots.txt', () => {
  test('is requested once a day, also by many callers at once', async () => {
    const clock = jumpingClock()
    const fetcher = open({ clock })
    const robots = () => asked().filter((path) => path === '/robots.txt').length
    await Promise.all([1, 2, 3].map((n) => fetcher.get(`${shop.url}/products/${n}.html`, { into: `${into}${n}` })))
    expect(robots()).toBe(1)
    await clock.sleep(23 * HOUR_MS)
    await fetcher.get(`${shop.url}/`, { into })
    expect(robots()).toBe(1)
    await clock.sleep(HOUR_MS)
    await fetcher.get(`${shop.url}/`, { into })
    expect(robots()).toBe(2)
  })

  test('keeps forbidden addresses from being requested, also at the end of a redirect', async () => {
    expect(await get('/redirect-forbidden')).toMatchObject({ status: 'refused', url: `${shop.url}/private/costs.html` })
    expect(await get('/private/open.html')).toMatchObject({ status: 'fetched' })
    expect(asked()).not.toContain('/private/costs.html')
  })

  test.each<[string, Shop['robots'], 'fetched' | 'refused']>([
    ['that is not there allows everything', 404, 'fetched'],
    ['that is forbidden allows everything', 403, 'fetched'],
    ['that fails forbids everything', 500, 'refused'],
    ['that is not implemented forbids everything', 501, 'refused'],
    ['that is asked for too often forbids everything', 429, 'refused'],
    ['that does not answer forbids everything', 'broken', 'refused'],
    ['whose redirects do not end forbids everything', 'endless', 'refused'],
    ['that leads to a private address forbids everything', { location: 'http://10.0.0.1/robots.txt' }, 'refused'],
    ['that is no robots.txt has no rules', '<!doctype html>', 'fetched'],
  ])('%s', async (_name, robots, status) => {
    shop.robots = robots
    const answer = await get('/private/costs.html')
    expect(answer.status).toBe(status)
    if (status === 'fetched') return
    expect(asked()).not.toContain('/private/costs.html')
    expect(answer).toMatchObject({
      sentence: expect.stringContaining(
        `${shop.url}/private/costs.html: robots.txt cannot be read, which forbids everything for now: `,
      ),
      retryAt: expect.any(Date),
    })
  })

  test('that was unreadable is requested again soon', async () => {
    shop.robots = 500
    const clock = jumpingClock()
    const fetcher = open({ clock })
    expect(await fetcher.get(`${shop.url}/`, { into })).toMatchObject({ status: 'refused' })
    shop.robots = SHOP_ROBOTS
    await clock.sleep(11 * 60_000)
    expect(await fetcher.get(`${shop.url}/`, { into })).toMatchObject({ status: 'fetched' })
  })

  test('that found the queue full is requested the next time', async () => {
    await using second = await openShop()
    const { now, sleep } = jumpingClock()
    let standing = Promise.resolve()
    const clock = { now, sleep: (ms: number, signal?: AbortSignal) => standing.then(() => sleep(ms, signal)) }
    const fetcher = open({ clock, politeness: { waitingMax: 2 } })
    await fetcher.get(`${shop.url}/`, { into })
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    standing = promise
    const waiting = [1, 2].map((n) => fetcher.get(`${shop.url}/products/${n}.html`, { into: `${into}${n}` }))
    await new Promise(setImmediate)
    const refused = await fetcher.get(`${second.url}/`, { into })
    expect(refused).toMatchObject({
      status: 'refused',
      sentence: expect.stringContaining('/robots.txt: 2 requests wait'),
    })
    goOn()
    await Promise.all(waiting)
    expect(await fetcher.get(`${second.url}/`, { into })).toMatchObject({ status: 'fetched' })
  })

  test('on another host applies to the host that redirects to it', async () => {
    shop.robots = { location: '/products/1.html' }
    expect(await get('/private/costs.html')).toMatchObject({ status: 'fetched' })
  })

  test('names sitemaps', async () => {
    shop.robots = `Sitemap: ${shop.url}/sitemap.xml\nUser-agent: *\nDisallow: /`
    expect(await open().sitemaps(shop.url)).toEqual([`${shop.url}/sitemap.xml`])
  })
})

describe('a host', () => {
  const pages = Array.from({ length: 24 }, (_, n) => `/products/${n + 1}.html`)

  test('never gets requests more often, or more at once, than allowed', async () => {
    const perSecond = 50
    const fetcher = open({ clock: CLOCK, politeness: { perSecond, atOnce: 2 } })
    await Promise.all(pages.map((path, n) => fetcher.get(shop.url + path, { into: `${into}${n}` })))
    expect(Math.max(...shop.visits.map(({ atOnce }) => atOnce))).toBeLessThanOrEqual(2)
    expect(shop.visits).toHaveLength(25)
    const [first, last] = [shop.visits[0], shop.visits.at(-1)]
    // Evenly sent requests arrive unevenly: on a busy machine the first may wait for its connection.
    expect((last?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual((24 - 4) * (1000 / perSecond))
  })

  test('with a crawl-delay gets it, up to a limit', async () => {
    for (const [delay, expectedMs] of [
      [7, 7_000],
      [9_999, 60_000],
    ] as const) {
      shop.robots = `User-agent: *\nCrawl-delay: ${delay}`
      const clock = jumpingClock()
      await get('/', { clock })
      expect(clock.now() - SHOP_NOW).toBe(expectedMs)
    }
  })

  test('with a Retry-After is paused until then', async () => {
    const seconds = async (path: string) => {
      const clock = jumpingClock()
      expect(await get(path, { clock, politeness: { perSecond: 1_000 } })).toMatchObject({ status: 'fetched' })
      return Math.round((clock.now() - SHOP_NOW) / 1000)
    }
    expect(await seconds('/429-once')).toBe(7)
    expect(await seconds('/503-once-date')).toBe(20)
  })

  test('that fails gets retries with exponential backoff and jitter', async () => {
    const elapsed = async (random: number) => {
      const clock = jumpingClock()
      await get('/500', {
        clock,
        random: () => random,
        politeness: { perSecond: 1_000 },
        limits: { ...LIMITS, attempts: 4 },
      })
      return clock.now() - SHOP_NOW
    }
    // At least half of 1, 2 and 4 seconds; the extra millisecond spaces the requests.
    expect(await elapsed(0)).toBe(3_501)
    expect(await elapsed(0.5)).toBe(5_251)
  })

  test('that is overloaded is paused as a whole, with the time of the next retry', async () => {
    const clock = jumpingClock()
    const fetcher = open({ clock })
    const failed = await fetcher.get(`${shop.url}/429-long`, { into })
    expect(failed).toMatchObject({ retryAt: new Date(clock.now() + DAY_MS) })
    const before = shop.visits.length
    expect(await fetcher.get(`${shop.url}/`, { into })).toMatchObject({
      status: 'failed',
      sentence: expect.stringMatching(/is paused until 2026-01-31T/),
      retryAt: new Date(clock.now() + DAY_MS),
    })
    expect(shop.visits).toHaveLength(before)
    await clock.sleep(DAY_MS)
    expect(await fetcher.get(`${shop.url}/`, { into })).toMatchObject({ status: 'fetched' })
  })

  test('that is overloaded is paused for waiting requests too', async () => {
    const fetcher = open({ politeness: { atOnce: 1 } })
    await fetcher.get(`${shop.url}/`, { into })
    const paths = ['/429-long', '/products/1.html']
    const answers = await Promise.all(paths.map((path, n) => fetcher.get(shop.url + path, { into: `${into}${n}` })))
    expect(answers[1]).toMatchObject({ status: 'failed', sentence: expect.stringContaining('is paused until') })
    expect(asked()).not.toContain('/products/1.html')
  })

  test('goes on with one broken page, and is paused after three in a row', async () => {
    const fetcher = open()
    const status = async (path: string) => (await fetcher.get(shop.url + path, { into })).status
    for (const _ of [1, 2]) expect(await status('/500')).toBe('failed')
    expect(await status('/')).toBe('fetched')
    for (const _ of [1, 2, 3]) expect(await status('/500')).toBe('failed')
    expect(await status('/')).toBe('failed')
  })
})

test('an aborted fetch rejects at once with its reason and leaves no file', async () => {
  for (const path of ['/silent', '/stalls', '/drips']) {
    const stopping = new AbortController()
    const limits = { ...LIMITS, stallMs: 60_000, answerMs: 60_000 }
    const answer = open({ limits }).get(shop.url + path, { into: `${into}-never`, signal: stopping.signal })
    await expect.poll(() => asked().includes(path)).toBe(true)
    stopping.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
  }
  expect((await readdir(folder.path)).filter((name) => name.includes('never'))).toEqual([])
})
