import { mkdtempDisposable, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { openFetcher, userAgentOf } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import { ownHeadersOf } from '@catalog/crawler/fetch/own-headers.ts'
import type { EntryPoint } from '@catalog/crawler/sources/sources-file.ts'
import { openRequest } from '@catalog/runtime/fetch.ts'
import { jumpingClock } from '@catalog/stack/shop/crawling.ts'
import { openShop, SHOP_ROBOTS, type Shop } from '@catalog/stack/shop/shop.ts'
import { SHOP_NOW } from '@catalog/stack/shop/shop-faults.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Baseline, type GatherDeps, type Gathered, gather } from './gather.ts'
import { secured } from './gather-pages.ts'
import { digestOf, openSpool, type SpooledDocument } from './spool.ts'

const request = openRequest({ allowed: ['127.0.0.1/32', '127.0.0.2/32'] })
const LIMITS = { stallMs: 300, answerMs: 1_500, attempts: 2 }
const EVERYTHING: Baseline = { isFull: true, startedAt: null, etag: null, lastModified: null }

let shop: Shop
let clock: Clock
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
beforeEach(async () => {
  shop = await openShop({ products: 40 })
  clock = jumpingClock()
  folder = await mkdtempDisposable(join(tmpdir(), 'gather-'))
})
afterEach(async () => {
  await shop?.[Symbol.asyncDispose]()
  await folder?.remove()
})

type Options = Partial<GatherDeps> & { since?: Baseline; pagesMax?: number; bytesMax?: number; digest?: string }
type Ran = { gathered: Gathered; documents: readonly SpooledDocument[]; paths: readonly string[] }

/** Gathers into the folder of the test. A second call resumes the first. */
async function run(entryPoints: readonly EntryPoint[], options: Options = {}): Promise<Ran> {
  const {
    since = EVERYTHING,
    pagesMax = 1_000,
    bytesMax,
    digest = digestOf({ entryPoints, pagesMax }),
    ...deps
  } = options
  const fetcher = openFetcher({ request, userAgent: userAgentOf('https://catalog.example'), clock, limits: LIMITS })
  const now = new Date(clock.now())
  const crawl = { crawlId: 'crawl-1', sourceId: 'shop', startedAt: now, digest }
  const limit = bytesMax === undefined ? {} : { bytesMax }
  await using spool = await openSpool(join(folder.path, 'crawl-1'), { ...crawl, now, ...limit })
  const gathered = await gather({ entryPoints, pagesMax }, { fetcher, spool, clock, ...deps }, since)
  const documents: SpooledDocument[] = []
  for await (const one of spool.read()) documents.push(one)
  expect(await readdir(spool.folder)).not.toContainEqual(expect.stringMatching(/part$/))
  return { gathered, documents, paths: pathsOf(documents) }
}

const NUMBERED = new Intl.Collator('en', { numeric: true }).compare
const pathsOf = (documents: readonly { url: string }[]) =>
  documents.map(({ url }) => url.replace(shop.url, '')).toSorted(NUMBERED)
const products = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `/products/${from + n}.html`)
/** Leaves out robots.txt. */
const asked = () => shop.visits.map(({ path }) => path).filter((path) => path !== '/robots.txt')
const codes = ({ gathered }: Ran) => ('problems' in gathered ? gathered.problems.map(({ code }) => code) : [])
const detailOf = ({ gathered }: Ran) => ('problems' in gathered ? gathered.problems[0]?.detail : undefined)

const document = (path: string): EntryPoint => ({ kind: 'document', url: shop.url + path })
type Globs = { include?: string[]; exclude?: string[] }
const sitemap = (path: string, globs: Globs = {}): EntryPoint => ({
  kind: 'sitemap',
  url: shop.url + path,
  include: [],
  exclude: [],
  ...globs,
})
const site = (path: string, globs: Globs & { follow?: string[] } = {}): EntryPoint => ({
  kind: 'site',
  url: shop.url + path,
  follow: [],
  include: [],
  exclude: [],
  ...globs,
})
const api = (path: string, rest: Omit<Extract<EntryPoint, { kind: 'api' }>, 'kind' | 'url'> = {}): EntryPoint => ({
  kind: 'api',
  url: shop.url + path,
  ...rest,
})
/** Publishes a sitemap at /mine.xml with these paths or addresses. */
function publishSitemap(...paths: string[]): EntryPoint {
  const entries = paths.map((path) => `<url><loc>${new URL(path, shop.url).href}</loc></url>`).join('')
  shop.pages.put('/mine.xml', { contentType: 'application/xml', body: `<urlset>${entries}</urlset>` })
  return sitemap('/mine.xml')
}
/** Publishes one of several pages of an API that counts them in a header; the first one has no number in its address. */
function putCounted(path: string, page: number, total: number): void {
  shop.pages.put(page === 1 ? path : `${path}?page=${page}`, {
    contentType: 'application/json',
    body: JSON.stringify([{ sku: `C${page}`, name: `Board ${page}`, price: page }]),
    headers: { 'x-wp-totalpages': String(total) },
  })
}
const publishPage = (path: string, body: string, head = '') =>
  shop.pages.put(path, { body: `<html><head>${head}</head><body>${body}</body></html>` })

describe('a document', () => {
  test('is fetched unchanged, with charset and validators', async () => {
    const ran = await run([document('/merchant.xml')])
    expect(ran.gathered).toEqual({
      status: 'fetched',
      documents: 1,
      missed: 0,
      forbidden: 0,
      partial: false,
      isWhole: true,
      problems: [],
      etag: expect.stringMatching(/^"[0-9a-f]{16}"$/),
      lastModified: 'Sat, 31 Jan 2026 00:00:00 GMT',
    })
    expect(ran.documents).toEqual([
      {
        file: join(folder.path, 'crawl-1', '0000001'),
        url: `${shop.url}/merchant.xml`,
        name: `${shop.url}/merchant.xml`,
        contentType: 'application/xml',
        charset: null,
        format: null,
        records: null,
        expectsOffer: true,
        fetchedAt: '2026-01-30T00:00:01Z',
        bytes: expect.any(Number),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
  })

  test('in editions is the newest that exists, and asks without validators', async () => {
    const editions = { period: 'month', lookback: 3 } as const
    const list: EntryPoint = {
      kind: 'document',
      url: new URL('/list_{YYYY}-{MM}.csv', shop.url).href,
      format: 'csv',
      editions,
    }
    for (const month of ['2025-11', '2025-12'])
      shop.pages.put(`/list_${month}.csv`, { contentType: 'text/csv', body: `sku;price\n${month};1\n` })
    const since = {
      isFull: false,
      startedAt: new Date(SHOP_NOW),
      etag: '"x"',
      lastModified: new Date(SHOP_NOW).toUTCString(),
    }
    const ran = await run([list], { since })
    expect(ran.paths).toEqual(['/list_2025-12.csv'])
    expect(asked()).toEqual(['/list_2026-01.csv', '/list_2025-12.csv'])
    expect(ran.gathered).toMatchObject({ status: 'fetched', isWhole: true, problems: [], etag: null })
  })

  test('in editions of which none exists is gone', async () => {
    const editions = { period: 'year', lookback: 2 } as const
    const ran = await run([{ kind: 'document', url: new URL('/list_{YYYY}.csv', shop.url).href, editions }])
    expect(asked()).toEqual(['/list_2026.csv', '/list_2025.csv', '/list_2024.csv'])
    expect(codes(ran)).toEqual(['GONE'])
    expect(detailOf(ran)).toMatch(/list_2024\.csv.*; nor do the 2 editions after it exist$/)
  })

  test('has a name without the key of its address, also in problems', async () => {
    shop.pages.put('/feed?token=geheim&lang=es', { contentType: 'text/csv', body: 'sku;price\nA;1\n' })
    const { documents } = await run([{ ...document('/feed?token=geheim&lang=es'), format: 'csv' } as EntryPoint])
    expect(documents).toMatchObject([{ name: `${shop.url}/feed?token=…&lang=es`, format: 'csv' }])
    const failed = await run([document('/403?token=geheim')])
    expect(codes(failed)).toEqual(['NOT_FETCHED'])
    expect(JSON.stringify(failed.gathered)).not.toContain('geheim')
  })

  test('that is the only one of its source is requested with its tag, except in a full crawl', async () => {
    const first = await run([document('/merchant.xml')])
    if (first.gathered.status !== 'fetched') throw new Error(first.gathered.status)
    const { etag, lastModified } = first.gathered
    const since = { isFull: false, startedAt: new Date(SHOP_NOW), etag, lastModified }
    await folder.remove()
    const again = await run([document('/merchant.xml')], { since })
    expect(again.gathered).toEqual({ status: 'unchanged', etag, lastModified })
    expect(again.documents).toEqual([])
    await folder.remove()
    const full = await run([document('/merchant.xml')], { since: { ...since, isFull: true } })
    expect(full.gathered).toMatchObject({ status: 'fetched', documents: 1, partial: false })
    expect(shop.visits.at(-1)?.headers['if-none-match']).toBeUndefined()
    await folder.remove()
    shop.pages.change('/products/1.html', { price: '99.00' })
    expect((await run([document('/merchant.xml')], { since })).gathered).toMatchObject({ status: 'fetched' })
  })

  test.each([
    ['', ''],
    ['"a"', '\u007f'],
    ['x'.repeat(1_001), 'x'.repeat(201)],
  ])('loses validators that an event cannot carry: %j, %j', async (etag, lastModified) => {
    const headers = { etag, 'last-modified': lastModified }
    const fetcher: GatherDeps['fetcher'] = {
      async get(url, { into }) {
        await writeFile(into, 'sku;price')
        const found = { url, etag, lastModified, contentType: 'text/csv', charset: null }
        return { status: 'fetched', ...found, bytes: 9, sha256: 'a'.repeat(64) }
      },
    }
    const told = etag === '"a"' ? etag : null
    expect((await run([document('/prices.csv')], { fetcher })).gathered).toMatchObject({
      status: 'fetched',
      documents: 1,
      etag: told,
      lastModified: null,
    })
    await folder.remove()
    // The header as a server sends it.
    if (!/\u007f/.test(lastModified)) {
      shop.pages.put('/prices.csv', { contentType: 'text/csv', body: 'sku;price', headers })
      expect((await run([document('/prices.csv')])).gathered).toMatchObject({ documents: 1, etag: null })
    }
  })

  test('of several is requested without conditions, and has no tag', async () => {
    const since = { isFull: false, startedAt: new Date(SHOP_NOW), etag: '"1"', lastModified: null }
    const { gathered } = await run([document('/merchant.xml'), document('/merchant.xml?2'), document('/')], { since })
    // The second document is missing, and the first was requested without its tag.
    expect(gathered).toMatchObject({ documents: 2, missed: 0, isWhole: false, etag: null, lastModified: null })
    expect(gathered).toHaveProperty('problems.0.code', 'GONE')
    expect(shop.visits.map(({ headers }) => headers['if-none-match'])).not.toContain('"1"')
  })

  test.each([
    ['/nowhere', 'GONE', 0],
    ['/403', 'NOT_FETCHED', 1],
    ['/private/costs.html', 'ROBOTS', 1],
    ['/redirect-metadata', 'ROBOTS', 1],
    ['/redirect-file', 'REFUSED', 1],
  ])('that fails makes the crawl fail with its reason: %s', async (path, code, missed) => {
    const ran = await run([document(path)])
    expect(ran.gathered).toMatchObject({ status: 'failed', missed })
    expect(codes(ran)).toEqual([code])
    expect(asked()).not.toContain('/private/costs.html')
  })

  test.each(['/sitemap.xml', '/all.xml.gz', '/sitemap.xml.gz'])(
    'that is a sitemap is gathered as one: %s',
    async (path) => {
      const { gathered, paths } = await run([document(path)])
      expect(gathered).toMatchObject({
        status: 'fetched',
        documents: 40,
        isWhole: true,
        etag: null,
        lastModified: null,
      })
      expect(paths).toEqual(products(1, 40))
    },
  )

  test('sets cookies that the crawl sends back where the source wants it, and that its spool does not hold', async () => {
    const headers = { 'set-cookie': 'session=geheim; Path=/' }
    for (const path of ['/1.csv', '/2.csv']) {
      shop.pages.put(path, { contentType: 'text/csv', body: `sku;price\n${path};1\n`, headers })
    }
    const points = [document('/1.csv'), document('/2.csv')]
    await run(points)
    expect(shop.visits.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined, undefined])
    await folder.remove()
    shop.forget()
    const own = ownHeadersOf({ name: 'Shop', cookies: true, entryPoints: points }, undefined)
    expect((await run(points, { own })).paths).toEqual(['/1.csv', '/2.csv'])
    expect(shop.visits.map(({ path, headers }) => [path, headers.cookie])).toEqual([
      ['/robots.txt', undefined],
      ['/1.csv', undefined],
      ['/2.csv', 'session=geheim'],
    ])
    const spooled = join(folder.path, 'crawl-1')
    for (const name of await readdir(spooled)) {
      expect(await readFile(join(spooled, name), 'utf8')).not.toContain('geheim')
    }
  })

  test('that is one page of several is not whole, and says how all are read', async () => {
    putCounted('/store', 1, 2)
    putCounted('/store', 2, 2)
    const ran = await run([document('/store')])
    expect(ran.gathered).toMatchObject({ documents: 1, isWhole: false })
    expect(codes(ran)).toEqual(['MORE_PAGES'])
    expect(detailOf(ran)).toContain(
      `lead on to ${shop.url}/store?page=2; expected entry_points: [{ api: "${shop.url}/store" }]`,
    )
    const all = await run([document('/store'), document('/store?page=2')])
    expect(all.gathered).toMatchObject({ documents: 2, isWhole: true, problems: [] })
  })

  const HTML = '<!doctype html><title>Hello</title>'
  const JSON_PADDED = '/**/ callback({"products":[]});'
  test.each<[string, string, { status?: number; body: string; contentType?: string }, string]>([
    ['a page for a list', '/p.csv', { body: HTML }, 'a page came, expected csv'],
    [
      'JSONP',
      '/p.js',
      { body: JSON_PADDED, contentType: 'application/javascript' },
      'with the data (JSONP), expected JSON',
    ],
  ])('is reported where another came: %s', async (_name, path, page, sentence) => {
    shop.pages.put(path, page)
    const ran = await run([document(path)])
    expect(ran.gathered).toMatchObject({ documents: 1, isWhole: false })
    expect(detailOf(ran)).toContain(sentence)
  })

  test('is reported where a redirect led to another page', async () => {
    const to = (location: string) => ({ status: 302, headers: { location }, body: '' })
    shop.pages.put('/list.csv', to('/welcome'))
    shop.pages.put('/welcome', { body: HTML })
    shop.pages.put('/old-product', to('/'))
    shop.pages.put('/moved-product', to('/products/1.html'))
    shop.pages.put('/closed.csv', to('/login?next=closed.csv'))
    const listed = await run([document('/list.csv')])
    expect(detailOf(listed)).toContain(`a page came, after a redirect to ${shop.url}/welcome, expected csv`)
    expect(listed.documents[0]).toMatchObject({ format: 'html' })
    expect(detailOf(await run([document('/old-product')]))).toContain(
      `after a redirect to ${shop.url}/, expected the document`,
    )
    expect((await run([document('/moved-product')])).gathered).toMatchObject({ isWhole: true, problems: [] })
    expect(detailOf(await run([document('/closed.csv')]))).toContain(
      'a page that asks to sign in, expected the document',
    )
  })

  test('named .csv is a list also where its server declares HTML', async () => {
    shop.pages.put('/declared.csv', { body: 'sku;name;price\nA;Brick;1.50' })
    const ran = await run([document('/declared.csv')])
    expect(ran.gathered).toMatchObject({ isWhole: true, problems: [] })
    expect(ran.documents[0]).toMatchObject({ format: null })
  })

  test.each<[string, string, readonly string[]]>([
    ['a list', 'text/csv', ['MORE_PAGES']],
    ['a page for people', 'text/html', []],
  ])('whose Link header leads on: %s', async (_name, contentType, expected) => {
    shop.pages.put('/linking', { contentType, body: 'sku', headers: { link: '</linking-2>; rel="next"' } })
    const ran = await run([document('/linking')])
    expect(codes(ran)).toEqual(expected)
    expect(ran.gathered).toMatchObject({ isWhole: expected.length === 0 })
  })

  test('with a given format is no sitemap', async () => {
    const { paths } = await run([{ kind: 'document', url: `${shop.url}/all.xml`, format: 'merchant' }])
    expect(paths).toEqual(['/all.xml'])
  })
})

describe('a file of the operator', () => {
  const fileAt = (path: string): EntryPoint => ({ kind: 'file', path, url: pathToFileURL(path).href })

  test('is a document under its name alone, seen when it was last modified, until it changes', async () => {
    const path = join(folder.path, 'prices.csv')
    await writeFile(path, 'sku;name;price\nA1;Board;4,10\n')
    const modified = new Date(SHOP_NOW - DAY_MS)
    await utimes(path, modified, modified)
    const ran = await run([fileAt(path)])
    expect(ran.gathered).toMatchObject({ status: 'fetched', documents: 1, isWhole: true, problems: [] })
    expect(ran.documents[0]).toMatchObject({ name: 'prices.csv', bytes: 29, fetchedAt: instant(modified) })
    const etag = ran.gathered.status === 'fetched' ? ran.gathered.etag : null
    await rm(join(folder.path, 'crawl-1'), { recursive: true })
    const since = { ...EVERYTHING, isFull: false, etag }
    expect((await run([fileAt(path)], { since })).gathered).toMatchObject({ status: 'unchanged', etag })
    await rm(join(folder.path, 'crawl-1'), { recursive: true })
    await writeFile(path, 'sku;name;price\nA1;Board;4,20\nA2;Board;4,30\n')
    expect((await run([fileAt(path)], { since })).gathered).toMatchObject({ status: 'fetched', documents: 1 })
    expect(asked()).toEqual([])
  })

  test.each([['missing.csv'], ['.']])('that cannot be read fails the crawl and is named: %s', async (name) => {
    const path = join(folder.path, name)
    const { gathered } = await run([fileAt(path)])
    expect(gathered).toMatchObject({
      status: 'failed',
      missed: 1,
      problems: [{ code: 'NOT_READ', detail: `${path}: expected a file that can be read` }],
    })
  })
})

describe('a sitemap', () => {
  test.each(['/sitemap.xml', '/sitemap.xml.gz', '/all.xml.gz'])('leads to its pages: %s', async (path) => {
    const { gathered, documents, paths } = await run([sitemap(path)])
    expect(gathered).toMatchObject({ status: 'fetched', documents: 40, missed: 0, partial: false, isWhole: true })
    expect(paths).toEqual(products(1, 40))
    expect(documents[0]).toMatchObject({ format: 'html', charset: 'utf-8', expectsOffer: false })
    expect(new Set(asked()).size).toBe(asked().length)
  })

  test('leads to the included pages, which count as product pages', async () => {
    const entry = sitemap('/sitemap.xml', { include: ['/products/1*.html'], exclude: ['/products/*2.html'] })
    const { documents, paths } = await run([entry])
    expect(paths).toEqual(['/products/1.html', ...products(10, 11), ...products(13, 19)])
    expect(new Set(documents.map(({ expectsOffer }) => expectsOffer))).toEqual(new Set([true]))
    expect(asked()).not.toContain('/products/2.html')
  })

  test('leaves out unchanged pages, except in a full crawl', async () => {
    const since = { isFull: false, startedAt: new Date('2026-01-27T00:00:00Z'), etag: null, lastModified: null }
    // Products change on the day of January with their number. The day before counts too, because a sitemap may lag
    // behind.
    const { gathered, paths } = await run([sitemap('/sitemap.xml')], { since })
    expect(paths).toEqual(products(25, 27))
    expect(gathered).toMatchObject({ status: 'fetched', documents: 3, partial: true, isWhole: true })
    await folder.remove()
    expect((await run([sitemap('/sitemap.xml')], { since: { ...since, isFull: true } })).paths).toHaveLength(40)
    await folder.remove()
    const nothing = await run([sitemap('/sitemap.xml')], { since: { ...since, startedAt: new Date(SHOP_NOW) } })
    expect(nothing.gathered).toEqual({ status: 'unchanged', etag: null, lastModified: null })
    await folder.remove()
    shop.pages.change('/products/3.html', { changedOn: '2026-01-30' })
    expect(
      (await run([sitemap('/sitemap.xml')], { since: { ...since, startedAt: new Date(SHOP_NOW) } })).paths,
    ).toEqual(['/products/3.html'])
  })

  test('without a lastmod leads to the page', async () => {
    const entry = publishSitemap('/products/1.html')
    const since = { isFull: false, startedAt: new Date(SHOP_NOW), etag: null, lastModified: null }
    expect((await run([entry], { since })).gathered).toMatchObject({ documents: 1, partial: false })
  })

  test('may name removed pages', async () => {
    for (const path of products(1, 20)) shop.pages.remove(path)
    const { gathered, paths } = await run([sitemap('/sitemap.xml')])
    expect(paths).toEqual(products(21, 40))
    expect(gathered).toMatchObject({ documents: 20, missed: 0, isWhole: true, problems: [] })
  })

  test('with removed pages only fails', async () => {
    const ran = await run([publishSitemap('/a.html', '/b.html')])
    expect(ran.gathered).toMatchObject({ status: 'failed', missed: 0 })
    expect(codes(ran)).toEqual(['NO_DOCUMENTS'])
  })

  test('does not lead to pages that robots.txt forbids', async () => {
    const ran = await run([publishSitemap('/products/1.html', '/private/costs.html', '/private/open.html')])
    expect(ran.paths).toEqual(['/private/open.html', '/products/1.html'])
    expect(ran.gathered).toMatchObject({ missed: 0, forbidden: 1, isWhole: true, problems: [] })
    expect(asked()).not.toContain('/private/costs.html')
  })

  test.each([
    [1, true],
    [2, false],
  ])('with a hundred pages, %i of which fail, is whole: %s', async (failing, isWhole) => {
    const pages = Array.from({ length: 100 - failing }, (_, n) => {
      publishPage(`/p/${n}`, 'page')
      return `/p/${n}`
    })
    const bad = Array.from({ length: failing }, (_, n) => `/403?${n}`)
    const ran = await run([publishSitemap(...pages, ...bad)])
    expect(ran.gathered).toMatchObject({ status: 'fetched', documents: 100 - failing, missed: failing, isWhole })
    expect(codes(ran)).toEqual(bad.map(() => 'NOT_FETCHED'))
  })

  test('may name pages with noindex, in the page or its header, for everybody or for this crawler', async () => {
    publishPage('/a', '', '<meta name="robots" content="noindex">')
    publishPage('/b', '', '<meta name="construction-cost-catalog" content="none">')
    publishPage('/c', '', '<meta name="otherbot" content="noindex">')
    publishPage('/d', '', '<meta name="robots" content="nofollow">')
    const tagged = (lines: string | string[]) => ({ body: '<p>Page</p>', headers: { 'x-robots-tag': lines } })
    shop.pages.put('/e', tagged('noindex, nofollow'))
    shop.pages.put('/f', tagged(['otherbot: noindex', 'construction-cost-catalog: noindex']))
    shop.pages.put('/g', tagged('otherbot: noindex'))
    const { gathered, paths } = await run([publishSitemap('/a', '/b', '/c', '/d', '/e', '/f', '/g')])
    expect(paths).toEqual(['/c', '/d', '/g'])
    expect(gathered).toMatchObject({ documents: 3, missed: 0, isWhole: true, problems: [] })
  })

  test('may name images and leaflets, which are left out, and lists, which are read by their format', async () => {
    shop.pages.put('/leaflet', { contentType: 'application/pdf', body: '%PDF' })
    shop.pages.put('/picture', { contentType: 'image/webp', body: 'RIFF' })
    shop.pages.put('/prices.csv', { contentType: 'application/octet-stream', body: 'sku;price\n' })
    shop.pages.put('/offers', { contentType: 'application/ld+json', body: '{}' })
    const named = ['/leaflet', '/picture', '/leaflet.pdf', '/picture.JPG', '/prices.csv', '/offers', '/products/1.html']
    const { gathered, documents, paths } = await run([publishSitemap(...named)])
    expect(paths).toEqual(['/offers', '/prices.csv', '/products/1.html'])
    expect(documents.map(({ url, format }) => `${url.replace(shop.url, '')} ${format}`).sort()).toEqual([
      '/offers null',
      '/prices.csv null',
      '/products/1.html html',
    ])
    expect(gathered).toMatchObject({ missed: 0, isWhole: true, problems: [] })
    expect(asked().filter((path) => ['/leaflet.pdf', '/picture.JPG'].includes(path))).toEqual([])
  })

  test('may name redirected pages, whose target counts once and only if it is included', async () => {
    const moved = publishSitemap('/redirect', '/redirect?2', '/products/2.html')
    expect((await run([moved])).paths).toEqual(['/products/1.html', '/products/2.html'])
    await folder.remove()
    const elsewhere = { ...moved, include: ['/redirect', '/products/2.html'] } as EntryPoint
    const { gathered, paths } = await run([elsewhere])
    expect(paths).toEqual(['/products/2.html'])
    expect(gathered).toMatchObject({ missed: 0, isWhole: true })
  })

  test('reports its problems', async () => {
    const other = 'https://other.example/a.html'
    const ran = await run([publishSitemap(other, '/products/1.html', `${other}?2`)])
    expect(ran.gathered).toMatchObject({ documents: 1, isWhole: true })
    expect(codes(ran)).toEqual(['OTHER_HOST'])
    expect(detailOf(ran)).toBe(
      `2 entries: ${shop.url}/mine.xml entry 1: '${other}': expected one of ${new URL(shop.url).host}`,
    )
  })

  test.each<[string, string | Buffer, string]>([
    ['is a page', '<!doctype html><title>Not here</title>', 'NOT_A_SITEMAP'],
    ['ends early', '<urlset><url><loc>SHOP/products/1.html</loc></url>', 'UNEXPECTED_END'],
    ['is broken gzip', Buffer.from([0x1f, 0x8b, 0, 0, 0]), 'BAD_GZIP'],
  ])('of an index that %s leaves the crawl incomplete', async (_name, body, code) => {
    const index = ['/mine.xml', '/bad.xml', '/gone.xml', '/sitemap.xml'].map(
      (path) => `<sitemap><loc>${shop.url}${path}</loc></sitemap>`,
    )
    shop.pages.put('/mine.xml', { body: `<sitemapindex>${index.join('')}</sitemapindex>` })
    shop.pages.put('/bad.xml', { body: typeof body === 'string' ? body.replace('SHOP', shop.url) : body })
    const ran = await run([sitemap('/mine.xml')])
    expect(ran.paths).toEqual(products(1, 40))
    expect(ran.gathered).toMatchObject({ missed: 0, isWhole: false })
    expect(codes(ran)).toEqual([code, 'GONE'])
    // The index names itself, and the crawl fetches it once.
    expect(asked().filter((path) => path === '/mine.xml')).toHaveLength(1)
  })
})

describe('a site', () => {
  const FOLLOW = { follow: ['/category/*'], include: ['/products/*'] }

  test('is followed through its lists to its products, and nowhere else', async () => {
    const { gathered, documents, paths } = await run([site('/categories.html', FOLLOW)])
    expect(paths).toEqual(products(1, 40))
    expect(gathered).toMatchObject({
      documents: 40,
      missed: 0,
      partial: false,
      isWhole: true,
      etag: null,
      problems: [],
    })
    expect(documents[0]).toMatchObject({ format: 'html', expectsOffer: true })
    const lists = ['/categories.html', ...[1, 2, 3, 4].map((n) => `/category/${n}.html`)]
    expect(asked().toSorted(NUMBERED)).toEqual([...lists, ...products(1, 40)].sort(NUMBERED))
    // The crawl fetches the entry point's links before the links of those pages.
    expect(asked().slice(0, 2)).toEqual(lists.slice(0, 2))
    const at = (product: number) => asked().indexOf(`/products/${product}.html`)
    expect(Math.max(...[1, 5, 10].map(at))).toBeLessThan(Math.min(...[21, 25, 40].map(at)))
  })

  test('is followed along rel=next, whatever its lists are called', async () => {
    const { paths } = await run([site('/category/3.html', { follow: ['/nothing'], include: ['/products/*'] })])
    expect(paths).toEqual(products(21, 40))
  })

  test('without globs is followed as a whole, except excluded pages', async () => {
    const { documents, paths } = await run([site('/categories.html', { exclude: ['/products/*', '/category/3*'] })])
    expect(paths).toEqual(['/about.html', '/categories.html', '/category/1.html', '/category/2.html'])
    expect(documents[0]).toMatchObject({ expectsOffer: false })
    expect(asked().filter((path) => path.startsWith('/products'))).toEqual([])
  })

  test('is never left by links or redirects', async () => {
    publishPage(
      '/start',
      `<a href="${shop.otherUrl}/products/1.html">1</a><a href="/redirect-host">2</a><a href="/redirect-forbidden">3</a>
       <a href="/private/costs.html">4</a><a href="/picture.png">5</a><a rel="next" href="${shop.otherUrl}/category/1.html">6</a><a href="/products/2.html#top">7</a>`,
    )
    const ran = await run([site('/start')])
    expect(ran.paths).toEqual(['/products/2.html', '/start'])
    expect(ran.gathered).toMatchObject({ missed: 0, forbidden: 2, isWhole: true, problems: [] })
    expect(asked().filter((path) => ['/private/costs.html', '/picture.png'].includes(path))).toEqual([])
    expect(shop.visits.filter(({ host }) => shop.otherUrl.endsWith(host)).map(({ path }) => path)).toEqual([
      // The target of a redirect is unknown in advance.
      '/robots.txt',
      '/products/1.html',
    ])
  })

  test('may have nofollow and noindex on its links and pages', async () => {
    const link = (n: number, rel = '') => `<a ${rel} href="/products/${n}.html">${n}</a>`
    publishPage(
      '/start',
      `${link(1)}${link(2, 'rel="nofollow"')}<a href="/list/a">a</a><a href="/list/b">b</a><a href="/list/c">c</a>`,
    )
    publishPage('/list/a', link(3), '<meta name="robots" content="nofollow">')
    publishPage('/list/b', link(4), '<meta name="robots" content="noindex">')
    shop.pages.put('/list/c', { body: `<html><body>${link(5)}</body></html>`, headers: { 'x-robots-tag': 'none' } })
    const { gathered, paths } = await run([site('/start')])
    expect(paths).toEqual(['/list/a', '/products/1.html', '/products/4.html', '/start'])
    expect(asked()).toContain('/list/c')
    expect(gathered).toMatchObject({ isWhole: true, problems: [] })
  })

  test('without an end is cut at the limit of pages', async () => {
    const ran = await run([site('/calendar')], { pagesMax: 30 })
    expect(ran.gathered).toMatchObject({ documents: 30, missed: 0, isWhole: false })
    expect(codes(ran)).toEqual(['PAGES_MAX'])
    expect(asked()).toHaveLength(30)
  })
})

test.each([
  ['http://shop.example/a', 'https://shop.example/', 'https://shop.example/a'],
  ['http://other.example/a', 'https://shop.example/', 'http://other.example/a'],
  ['http://shop.example/a', 'http://shop.example/', 'http://shop.example/a'],
  ['/a?b', 'https://shop.example/c/d', 'https://shop.example/a?b'],
])('%s, told by %s, is requested at %s', (address, from, url) => {
  expect(secured(address, new URL(from)).href).toBe(url)
})

describe('an API', () => {
  const NEXT = { kind: 'next', path: 'next' } as const
  const counted = (from: number) => ({ kind: 'page', parameter: 'page', from, step: 1 }) as const
  const pagesOf = (path: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => `${path}?page=${from + n}`)

  test('is followed from page to page', async () => {
    const { gathered, documents, paths } = await run([api('/api/products', { records: 'products', paging: NEXT })])
    expect(paths).toEqual(['/api/products', ...pagesOf('/api/products', 2, 4)])
    expect(gathered).toMatchObject({ documents: 4, missed: 0, isWhole: true, etag: null, problems: [] })
    expect(documents[0]).toMatchObject({ format: 'json', records: 'products', contentType: 'application/json' })
  })

  test('without paging is followed by its Link headers, and keeps no validators of its first page', async () => {
    const put = (path: string, next: string | null, sku: string) =>
      shop.pages.put(path, {
        contentType: 'application/json',
        body: JSON.stringify([{ sku, name: sku, price: 1 }]),
        ...(next !== null && { headers: { link: `<${next}>; rel="next", <${path}>; rel="self"` } }),
      })
    put('/linked', `${shop.url}/linked?page=2`, 'A')
    put('/linked?page=2', '?page=3', 'B')
    put('/linked?page=3', null, 'C')
    const { gathered, paths } = await run([api('/linked')])
    expect(paths).toEqual(['/linked', '/linked?page=2', '/linked?page=3'])
    expect(gathered).toMatchObject({ documents: 3, isWhole: true, etag: null, problems: [] })
  })

  test('without paging is followed by the number of its pages', async () => {
    for (const page of [1, 2, 3]) putCounted('/counted-pages', page, 3)
    const { gathered, paths } = await run([api('/counted-pages')])
    expect(paths).toEqual(['/counted-pages', ...pagesOf('/counted-pages', 2, 3)])
    expect(gathered).toMatchObject({ documents: 3, isWhole: true, etag: null, problems: [] })
  })

  // The first API ends with a page without records, the second with a 404.
  test.each(['/api/counted', '/api/products'])('is counted through to its last page: %s', async (path) => {
    const { gathered, paths } = await run([api(path, { paging: counted(1) })])
    expect(paths).toEqual(pagesOf(path, 1, 4))
    expect(gathered).toMatchObject({ documents: 4, missed: 0, isWhole: true, problems: [] })
    expect(asked()).toEqual(pagesOf(path, 1, 5))
  })

  test('is followed from cursor to cursor, and named without its key', async () => {
    const paging = { kind: 'cursor', parameter: 'after', path: 'meta.next' } as const
    const { gathered, documents } = await run([api('/api/cursor?key=k1', { records: 'data.items', paging })])
    expect(gathered).toMatchObject({ documents: 4, isWhole: true, problems: [] })
    expect(documents.map(({ name }) => name)).toEqual(
      ['', '&after=c2', '&after=c3', '&after=c4'].map((cursor) => `${shop.url}/api/cursor?key=…${cursor}`),
    )
  })

  test('with one page is requested with its tag', async () => {
    const first = await run([api('/api/products')])
    if (first.gathered.status !== 'fetched') throw new Error(first.gathered.status)
    const { etag, lastModified } = first.gathered
    await folder.remove()
    const since = { isFull: false, startedAt: new Date(SHOP_NOW), etag, lastModified }
    expect((await run([api('/api/products')], { since })).gathered).toEqual({ status: 'unchanged', etag, lastModified })
  })

  test.each<[string, Parameters<typeof api>, { documents: number; isWhole: boolean; code: string; visits: number }]>([
    [
      'goes round in a circle',
      ['/api/circle?page=1', { paging: NEXT }],
      { documents: 3, isWhole: false, code: 'PAGES_REPEAT', visits: 3 },
    ],
    [
      'has one page for every number',
      ['/api/same', { paging: counted(1) }],
      { documents: 1, isWhole: true, code: 'PAGES_REPEAT', visits: 2 },
    ],
    [
      'repeats its last page under every number',
      ['/api/clamped', { records: 'data.items', paging: counted(1) }],
      { documents: 4, isWhole: true, code: 'PAGES_REPEAT', visits: 5 },
    ],
    [
      'repeats its last page under every number, also without the place of its records',
      ['/api/clamped', { paging: counted(1) }],
      { documents: 4, isWhole: true, code: 'PAGES_REPEAT', visits: 5 },
    ],
    [
      'repeats its last page and always names a next one',
      ['/api/clamped', { paging: NEXT }],
      { documents: 4, isWhole: false, code: 'PAGES_REPEAT', visits: 5 },
    ],
    [
      'does not end',
      ['/api/endless', { paging: NEXT }],
      { documents: 20, isWhole: false, code: 'PAGES_MAX', visits: 20 },
    ],
    [
      'has always one cursor more',
      ['/api/endless', { paging: { kind: 'cursor', parameter: 'page', path: 'cursor' } }],
      { documents: 20, isWhole: false, code: 'PAGES_MAX', visits: 20 },
    ],
    ['breaks', ['/api/broken', { paging: NEXT }], { documents: 1, isWhole: false, code: 'NOT_FETCHED', visits: 2 }],
    [
      'is a page',
      ['/products/1.html', { paging: counted(1) }],
      { documents: 0, isWhole: false, code: 'GONE', visits: 1 },
    ],
  ])('that %s ends too', async (_name, entry, { documents, isWhole, code, visits }) => {
    const ran = await run([api(...entry)], { pagesMax: 20 })
    expect(ran.gathered).toMatchObject(documents === 0 ? { status: 'failed' } : { documents, isWhole })
    expect(codes(ran)).toEqual([code])
    expect(asked()).toHaveLength(visits)
  })

  test.each<[string, string | object, string]>([
    ['no JSON', '<p>Sorry</p>', 'NOT_JSON'],
    ['a next page elsewhere', { items: [], next: 'https://other.example/api' }, 'OTHER_HOST'],
    ['a next page that is no address', { items: [], next: 2 }, 'BAD_NEXT'],
  ])('with %s is read up to there', async (_name, body, code) => {
    shop.pages.put('/api/mine', { body: typeof body === 'string' ? body : JSON.stringify(body) })
    const ran = await run([api('/api/mine', { paging: NEXT })])
    expect(ran.gathered).toMatchObject({ documents: 1, isWhole: false })
    expect(codes(ran)).toEqual([code])
    expect(asked()).toEqual(['/api/mine'])
  })

  test('with an overlong page is missed', async () => {
    shop.pages.put('/api/mine', { body: Buffer.alloc(16 * 1024 ** 2 + 1, '1') })
    expect((await run([api('/api/mine', { paging: NEXT })])).gathered).toMatchObject({ status: 'failed', missed: 1 })
  })
})

test('a crawl with a failed entry point is not whole', async () => {
  const pages = Array.from({ length: 120 }, (_, n) => `/p/${n}`)
  for (const path of pages) publishPage(path, 'page')
  const all = publishSitemap(...pages)
  expect((await run([all], { digest: 'one' })).gathered).toMatchObject({ documents: 120, isWhole: true })
  const broken = api('/api/broken', { paging: { kind: 'next', path: 'next' } })
  for (const entry of [document('/403'), sitemap('/403'), site('/403'), broken]) {
    // The pages are in the spool already.
    const { gathered } = await run([all, entry], { digest: 'one' })
    expect(gathered, entry.kind).toMatchObject({ status: 'fetched', missed: 1, isWhole: false })
  }
})

describe('an interrupted crawl', () => {
  test.each<[string, () => EntryPoint]>([
    ['a sitemap', () => sitemap('/sitemap.xml')],
    ['a site', () => site('/categories.html', { follow: ['/category/*'], include: ['/products/*'] })],
    ['an API', () => api('/api/endless', { paging: { kind: 'next', path: 'next' } })],
  ])('resumes and requests no fetched document again: %s', async (_name, entry) => {
    const documents = 40
    const stopping = new AbortController()
    const stopped = run([entry()], {
      pagesMax: 46,
      signal: stopping.signal,
      onProgress: (progress) => progress.documents >= 15 && stopping.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
    const visitsBefore = asked()
    expect(visitsBefore.length).toBeLessThan(30)
    const head = { crawlId: 'crawl-1', sourceId: 'shop', startedAt: new Date(), now: new Date(clock.now()) }
    const came = new Set<string>()
    {
      const digest = digestOf({ entryPoints: [entry()], pagesMax: 46 })
      await using spool = await openSpool(join(folder.path, 'crawl-1'), { ...head, digest })
      for (const path of visitsBefore) if (spool.earlier(shop.url + path) !== undefined) came.add(path)
    }
    expect(came.size).toBeGreaterThanOrEqual(15)
    shop.forget()
    const { gathered, paths } = await run([entry()], { pagesMax: 46 })
    expect(gathered).toMatchObject({ status: 'fetched', missed: 0 })
    expect(paths.length).toBeGreaterThanOrEqual(documents)
    expect(new Set(paths).size).toBe(paths.length)
    expect(asked().filter((path) => came.has(path))).toEqual([])
    // The rerun of a complete spool must not send any request.
    shop.forget()
    expect((await run([entry()], { pagesMax: 46 })).paths).toEqual(paths)
    expect(asked()).toEqual([])
  })

  test('does not request the page after the last again', async () => {
    const entry = api('/api/counted', { paging: { kind: 'page', parameter: 'page', from: 1, step: 1 } })
    const first = await run([entry])
    shop.forget()
    expect(await run([entry])).toEqual(first)
    expect(asked()).toEqual([])
  })

  test('remembers addresses without use', async () => {
    shop.pages.put('/leaflet', { contentType: 'application/pdf', body: '%PDF' })
    publishPage('/hidden', '', '<meta name="robots" content="noindex">')
    const entry = publishSitemap('/leaflet', '/hidden', '/redirect-host', '/products/1.html')
    const { paths } = await run([entry])
    expect(await readdir(join(folder.path, 'crawl-1'))).toHaveLength(2 + 1 + paths.length)
    shop.forget()
    expect((await run([entry])).paths).toEqual(paths)
    expect(asked()).toEqual([])
  })
})

describe('a shop', () => {
  /** A page that links to these paths in this order. */
  function listing(...paths: string[]): EntryPoint {
    publishPage('/category/0', paths.map((path) => `<a href="${path}">page</a>`).join(''))
    return site('/category/0', { follow: ['/nothing'], include: ['/products/*', '/500*', '/429-long'] })
  }

  test('gets few requests at once, evenly spaced, and the crawl reports its progress', async () => {
    const told: unknown[] = []
    const { gathered } = await run([sitemap('/all.xml')], { onProgress: (progress) => told.push(progress) })
    expect(gathered).toMatchObject({ documents: 40 })
    expect(Math.max(...shop.visits.map(({ atOnce }) => atOnce))).toBeLessThanOrEqual(2)
    // Neighbours in a sitemap fail together, so the crawl must not fetch them in a row.
    expect(asked().slice(1)).not.toEqual(products(1, 40))
    // One second for robots.txt, the sitemap and each of its pages.
    expect(clock.now() - SHOP_NOW).toBe(41_000)
    expect(told).toContainEqual({ documents: 0, bytes: expect.any(Number), queued: 40 })
    expect(told.at(-1)).toEqual({ documents: 40, bytes: expect.any(Number), queued: 0 })
  })

  test('that fails for a while is waited for', async () => {
    const { gathered, paths } = await run([listing('/500?1', '/500?2', '/500?3', ...products(1, 30))])
    expect(paths).toEqual(products(1, 30))
    expect(gathered).toMatchObject({ missed: 3, isWhole: false })
    expect(clock.now() - SHOP_NOW).toBeGreaterThan(10 * 60_000)
  })

  test('that fails for a while is asked once more for the failed pages at the end', async () => {
    const failing = ['/500-for-now?1', '/500-for-now?2', '/500-for-now?3']
    const { gathered, paths } = await run([listing(...failing, ...products(1, 20))])
    // The first two failures count for their pages, the third for the host.
    expect(paths.filter((path) => failing.includes(path))).toHaveLength(1)
    expect(gathered).toMatchObject({ documents: 21, missed: 2 })
    expect(asked().at(-1)).toMatch(/500-for-now/)
  })

  test('with an unreadable robots.txt is waited for', async () => {
    shop.robots = 500
    const { now, sleep } = clock
    clock = {
      now,
      async sleep(ms, signal) {
        if (ms > 5 * 60_000) shop.robots = SHOP_ROBOTS
        await sleep(ms, signal)
      },
    }
    const { gathered, paths } = await run([publishSitemap('/products/1.html')])
    expect(paths).toEqual(['/products/1.html'])
    expect(gathered).toMatchObject({ missed: 0, isWhole: true, problems: [] })
  })

  test('that does not come back is given up soon', async () => {
    const bad = Array.from({ length: 200 }, (_, n) => `/500?${n}`)
    const ran = await run([listing('/products/1.html', ...bad)])
    expect(ran.gathered).toMatchObject({ documents: 1, missed: 200, isWhole: false })
    expect(codes(ran)).toEqual(Array.from({ length: 10 }, () => 'NOT_FETCHED'))
    expect(shop.visits.length).toBeLessThan(60)
    expect(clock.now() - SHOP_NOW).toBeLessThan(60 * 60_000)
  })

  test('that asks for a pause of a day gets it', async () => {
    const { gathered } = await run([listing('/429-long', ...products(1, 20))])
    expect(gathered).toHaveProperty('missed')
    expect(clock.now() - SHOP_NOW).toBeLessThan(60_000)
    expect(asked().length).toBeLessThan(12)
  })

  test('is fetched up to the limit of bytes', async () => {
    const ran = await run([sitemap('/all.xml'), document('/merchant.xml')], { pagesMax: 10 })
    expect(ran.paths).toEqual(products(1, 10))
    expect(ran.gathered).toMatchObject({ documents: 10, isWhole: false })
    expect(codes(ran)).toEqual(['PAGES_MAX'])
    expect(asked()).not.toContain('/merchant.xml')
    await folder.remove()
    shop.forget()
    const full = await run([sitemap('/all.xml')], { bytesMax: 8_000 })
    expect(codes(full)).toEqual(['SPOOL_FULL'])
    expect(full.gathered).toMatchObject({ isWhole: false })
    expect(asked().length).toBeLessThan(30)
    await folder.remove()
    expect((await run([document('/merchant.xml')], { bytesMax: 100 })).gathered).toMatchObject({ missed: 1 })
    await folder.remove()
    publishPage('/long', ' '.repeat(8 * 1024 ** 2))
    expect((await run([publishSitemap('/long')])).gathered).toMatchObject({ status: 'failed', missed: 1 })
  })
})
