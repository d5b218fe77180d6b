import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crawlSources } from '@catalog/cli/crawl/source-crawls.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { openShop, SHOP_ROBOTS, type Shop } from '@catalog/stack/shop/shop.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { testDataDir } from '@catalog/stack/testing/store.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addToSources } from './add-source.ts'
import type { Answers } from './questions.ts'

let data: string
let folder: string
let catalog: Catalog
let env: ReturnType<typeof readEnvironment>
let shop: Shop
beforeAll(async () => {
  data = await testDataDir()
  folder = mkdtempSync(join(tmpdir(), 'discovery-'))
  env = readEnvironment({
    CATALOG_DATA: data,
    CATALOG_SOURCES: join(folder, 'catalog.sources.yaml'),
    FETCH_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
  })
  catalog = await openCatalog(env)
})
afterAll(async () => {
  await catalog?.[Symbol.asyncDispose]()
  for (const each of [data, folder]) rmSync(each, { recursive: true, force: true })
})
beforeEach(async () => {
  writeFileSync(env.CATALOG_SOURCES, NO_SOURCES)
  shop = await openShop({ products: 4 })
})
afterEach(() => shop[Symbol.asyncDispose]())

const NO_SOURCES = 'requests_per_second: 10\nsources: []\n'

/** Adds the shop's root, by the prompts of a person where `typed` has their answers. */
async function add(flags: Answers & { yes?: boolean } = {}, { path = '/', typed = null as Typed } = {}) {
  const { heard, terminal } = listening()
  const asked: string[] = []
  const prompt = async (question: string) => {
    asked.push(question)
    return Object.entries(typed ?? {}).find(([key]) => question.trimStart().startsWith(key))?.[1] ?? ''
  }
  const result = await addToSources(
    { catalog, env, terminal, signal: new AbortController().signal },
    { url: shop.url + path, flags, prompt: typed === null ? null : prompt },
  )
  // biome-ignore lint/suspicious/noExplicitAny: what a command answers is looked at field by field
  const value = heard.answers[0] as any
  return { value, result, asked, text: heard.text, notes: heard.notes.join('\n'), next: heard.next }
}
type Typed = Record<string, string> | null

const SHOPIFY = '/products.json?limit=250&page='
const STORE_API = '/wp-json/wc/store/v1/products?per_page=100'

function openShopify({ currency }: { currency?: string } = {}): void {
  for (const page of [1, 2, 3]) {
    const products = page === 3 ? [] : [shopifyProduct(page * 2), shopifyProduct(page * 2 + 1)]
    putJson(`${SHOPIFY}${page}`, { products })
  }
  if (currency !== undefined) putJson('/meta.json', { id: 1, currency })
}
const shopifyProduct = (id: number) => ({
  id,
  title: `Brick ${id}`,
  handle: `brick-${id}`,
  vendor: 'Adobe',
  variants: [{ id: id * 10, title: 'Default Title', sku: `B-${id}`, price: '2.50', available: true }],
})

/** Two pages, which a Link header connects. */
function openWoocommerce(): void {
  const next = { link: `<${shop.url}${STORE_API}&page=2>; rel="next"` }
  putJson(STORE_API, [storeProduct(1), storeProduct(2)], next)
  putJson(`${STORE_API}&page=2`, [storeProduct(3)])
}
const storeProduct = (id: number) => ({
  id,
  name: `Cement ${id}`,
  sku: `C-${id}`,
  type: 'simple',
  permalink: `${shop.url}/c/${id}`,
  prices: { price: '450', currency_code: 'EUR', currency_minor_unit: 2, price_range: null },
  is_in_stock: true,
})

function putJson(path: string, json: unknown, headers: Record<string, string> = {}): void {
  shop.pages.put(path, { contentType: 'application/json', body: JSON.stringify(json), headers })
}
const putPage = (head: string) => shop.pages.put('/', { body: `<!doctype html>${head}<a href="/about.html">About</a>` })

/** The crawl of the added source; its records by count. */
async function crawlAdded() {
  const file = await readSources(env)
  const { terminal } = listening()
  const context = { catalog, env, terminal, signal: new AbortController().signal }
  const [report] = await crawlSources(context, { specs: file.sources, file })
  return { outcome: report?.outcome, complete: report?.complete, appended: report?.appended }
}
const ways = (value: { candidates: { way: string }[] }) => value.candidates.map(({ way }) => way)
const paths = () => shop.visits.map(({ path }) => path)

describe('the address of a shop', () => {
  test('is read by products.json first, with its currency, page after page', async () => {
    openShopify({ currency: 'USD' })
    openWoocommerce()
    const { value, result, notes } = await add({ yes: true })
    expect([result, value.written]).toEqual([true, true])
    expect(ways(value)).toEqual(['products.json', 'Store API', 'sitemap', 'pages'])
    expect(value.candidates[0]).toEqual({
      way: 'products.json',
      address: `${shop.url}${SHOPIFY}1`,
      answer: 'JSON of several pages, likely with paging parameter: page, from: 1',
      http_status: null,
      documents: 1,
      records: 2,
      recorded: 2,
      parked: 0,
      reason: null,
      chosen: true,
    })
    expect(value.candidates[1]).toMatchObject({ records: 2, recorded: 2, chosen: false })
    expect(notes).toMatch(
      /WAY +ADDRESS +ANSWERED +DOCUMENTS +READ +RECORDED +PARKED\n1 +products.json .* 1 +2 +2 +0\n2 +Store API/,
    )
    expect(notes).toMatch(/^3 +sitemap .* an index of 1 sitemaps.*\n4 +pages/m)
    const [spec] = (await readSources(env)).sources
    expect(spec).toMatchObject({
      currency: 'USD',
      entryPoints: [{ kind: 'api', paging: { kind: 'page', parameter: 'page', from: 1 } }],
    })
    expect(await crawlAdded()).toEqual({ outcome: 'recorded', complete: true, appended: 4 })
  })

  test('of a Store API is read along its Link header', async () => {
    openWoocommerce()
    const { value } = await add({ yes: true, source: 'Cement shop' })
    expect(value.candidates[0]).toMatchObject({ answer: 'no such page', http_status: 404, records: null })
    expect(value.candidates[1]).toMatchObject({ way: 'Store API', recorded: 2, chosen: true })
    expect(await crawlAdded()).toEqual({ outcome: 'recorded', complete: true, appended: 3 })
  })

  test('of a Store API without Link headers is read along the number of its pages', async () => {
    const total = { 'x-wp-totalpages': '2' }
    putJson(STORE_API, [storeProduct(1), storeProduct(2)], total)
    putJson(`${STORE_API}&page=2`, [storeProduct(3)], total)
    const { value, notes } = await add({ yes: true, source: 'Counted cement' })
    expect(value.candidates[1]).toMatchObject({ recorded: 2, answer: 'JSON of several pages, linked by their headers' })
    expect(notes).not.toContain('MORE_PAGES')
    expect((await readSources(env)).sources[0]?.entryPoints).toMatchObject([{ kind: 'api' }])
    expect(await crawlAdded()).toEqual({ outcome: 'recorded', complete: true, appended: 3 })
  })

  test('of a Store API with variable products is read with the list of their variations', async () => {
    const range = { min_amount: '450', max_amount: '900' }
    const { prices, ...variable } = storeProduct(3)
    putJson(STORE_API, [storeProduct(1), { ...variable, type: 'variable', prices: { ...prices, price_range: range } }])
    const sizes = [4, 5].map((id) => ({ ...storeProduct(id), type: 'variation', variation: `Size: ${id} kg` }))
    putJson(`${STORE_API}&type=variation`, sizes)
    const { value } = await add({ yes: true, source: 'Cement in sizes' })
    expect(value.candidates[1]).toMatchObject({ records: 4, recorded: 3, parked: 1, reason: 'AGGREGATE_OFFER' })
    expect((await readSources(env)).sources[0]?.entryPoints.map(({ url }) => url)).toEqual([
      shop.url + STORE_API,
      `${shop.url}${STORE_API}&type=variation`,
    ])
    expect(await crawlAdded()).toEqual({ outcome: 'recorded', complete: true, appended: 3 })
  })

  test('leads to the API of WordPress where the page says it stands', async () => {
    putPage(`<link rel="https://api.w.org/" href="/store/wp-json/">`)
    putJson('/store/wp-json/wc/store/v1/products?per_page=100', [storeProduct(1)])
    const { value } = await add()
    expect(value.candidates[1]).toMatchObject({ recorded: 1, chosen: true })
  })

  test('leads to the feeds that its page links, before sitemaps', async () => {
    putPage(`<link rel="alternate" type="application/rss+xml" href="/blog/feed/"><a href="/merchant.xml">Feed</a>`)
    const rss = '<?xml version="1.0"?><rss version="2.0"><channel><item><title>News</title></item></channel></rss>'
    shop.pages.put('/blog/feed/', { contentType: 'application/rss+xml', body: rss })
    const { value } = await add()
    expect(ways(value)).toEqual(['products.json', 'Store API', 'feed', 'feed', 'sitemap', 'pages'])
    expect(value.candidates[2]).toMatchObject({ recorded: 0, chosen: false })
    expect(value.candidates[3]).toMatchObject({ address: `${shop.url}/merchant.xml`, recorded: 4, chosen: true })
  })

  test('leads to the sitemaps of robots.txt, and to pages without any other way', async () => {
    shop.robots = `${SHOP_ROBOTS}Sitemap: ${shop.url}/all.xml\n`
    expect((await add()).value.candidates[2]).toMatchObject({
      address: `${shop.url}/all.xml`,
      recorded: 3,
      chosen: true,
    })
    shop.robots = SHOP_ROBOTS
    shop.pages.remove('/sitemap.xml')
    const { value } = await add()
    expect(value.candidates[2]).toMatchObject({ way: 'sitemap', answer: 'no such page' })
    expect(value.candidates[3]).toMatchObject({ way: 'pages', recorded: 3, chosen: true })
  })

  test('leads to the products of an index that lists posts, pages and categories before them', async () => {
    const xml = (path: string, body: string) => shop.pages.put(path, { contentType: 'application/xml', body })
    const names = ['post', 'page', 'category', 'product']
    const children = names.map((name) => `<sitemap><loc>${shop.url}/${name}-sitemap.xml</loc></sitemap>`)
    xml('/sitemap.xml', `<sitemapindex>${children.join('')}</sitemapindex>`)
    for (const name of names) {
      const path = name === 'product' ? '/products' : `/${name}`
      xml(`/${name}-sitemap.xml`, `<urlset><url><loc>${shop.url}${path}/1.html</loc></url></urlset>`)
      if (name !== 'product') shop.pages.put(`${path}/1.html`, { body: '<!doctype html>News' })
    }
    const { value, result } = await add({ yes: true, source: 'Blog and shop' })
    expect([result, value.written]).toEqual([true, true])
    expect((await readSources(env)).sources[0]?.entryPoints).toMatchObject([
      { url: `${shop.url}/sitemap.xml`, include: ['/products/**'] },
    ])
  })

  test('tries no address twice, and few of them', async () => {
    openShopify({ currency: 'EUR' })
    openWoocommerce()
    await add()
    expect(new Set(paths()).size).toBe(paths().length)
    expect(paths().length).toBeLessThan(16)
  })

  test('that shows one page for every address has no API', async () => {
    for (const path of [`${SHOPIFY}1`, STORE_API]) shop.pages.put(path, { body: '<!doctype html><a href="/">Home</a>' })
    const { value } = await add()
    expect(value.candidates[0]).toMatchObject({ answer: 'a page with 1 links, expected JSON', chosen: false })
    expect(value.candidates[2]).toMatchObject({ way: 'sitemap', chosen: true })
  })
})

describe('a person', () => {
  test('picks another line than the proposed one', async () => {
    openShopify({ currency: 'USD' })
    openWoocommerce()
    const { value, asked } = await add({}, { typed: { 'line of the table': '2' } })
    expect(asked[0]).toBe('line of the table to add: 1, 2, 3, 4 [1]: ')
    expect(value.candidates.map(({ chosen }: { chosen: boolean }) => chosen)).toEqual([false, true, false, false])
    expect((await readSources(env)).sources[0]?.entryPoints).toMatchObject([{ url: shop.url + STORE_API }])
  })

  test('gives the currency that a shop does not say', async () => {
    openShopify()
    shop.pages.remove('/sitemap.xml')
    putPage('')
    const { value, asked } = await add({}, { typed: { currency: 'EUR' } })
    expect(asked.some((question) => question.startsWith('line of the table'))).toBe(false)
    expect(value).toMatchObject({ written: true, candidates: [{ recorded: 2, chosen: true }, {}, {}, {}] })
  })
})

describe('a source of which nothing would be recorded', () => {
  const openEmpty = () => {
    shop.pages.remove('/sitemap.xml')
    putPage('')
  }

  test('is refused, with the reason of each way', async () => {
    openEmpty()
    const headers = { 'cf-mitigated': 'challenge' }
    shop.robots = `User-agent: *\nDisallow: /sitemap.xml\n`
    shop.pages.put(`${SHOPIFY}1`, { status: 403, headers, body: 'who are you' })
    for (const typed of [null, {}]) {
      const { value, result, text, next, asked } = await add({ yes: true }, { typed })
      expect([result, value.written, asked]).toEqual([false, false, []])
      expect(readFileSync(env.CATALOG_SOURCES, 'utf8')).toBe(NO_SOURCES)
      expect(value.candidates).toMatchObject([
        { way: 'products.json', answer: 'bot protection: a challenge of Cloudflare', http_status: 403 },
        { way: 'Store API', answer: 'no such page' },
        { way: 'sitemap', answer: 'forbidden by robots.txt' },
        { way: 'pages', answer: 'a page with 1 links', recorded: 0 },
      ])
      expect(text.split('\n')).toEqual(['nothing would be recorded, so nothing is added:', ...value.refused.slice(1)])
      expect(text).toContain(`\nsitemap: ${shop.url}/sitemap.xml: forbidden by robots.txt\n`)
      expect(next).toBe('ask the shop for a feed, or for a key for the headers of its source: docs/crawling.md')
    }
  })

  test('names the pages of a sitemap where those of the sample have no price', async () => {
    for (const { path } of shop.pages.products) shop.pages.put(path, { body: '<!doctype html>Sold out' })
    const { next, result } = await add({ yes: true })
    const sitemap = `catalog sources add ${shop.url}/sitemap.xml --include "/products/**", with the folder of its products`
    expect([result, next]).toEqual([false, sitemap])
  })

  test('names the folders that the pages of a sitemap have', async () => {
    putPage('')
    const entries = ['/post/1', '/post/2', '/info/1'].map((path) => `<url><loc>${shop.url}${path}</loc></url>`)
    shop.pages.put('/sitemap.xml', { contentType: 'application/xml', body: `<urlset>${entries.join('')}</urlset>` })
    for (const path of ['/post/1', '/post/2', '/info/1']) shop.pages.put(path, { body: '<!doctype html>News' })
    const { next } = await add({ yes: true })
    expect(next).toBe(
      `catalog sources add ${shop.url}/sitemap.xml --include "/post/**", with the folder of its products: it also has /info/**`,
    )
  })

  test('names the currency where only that is missing', async () => {
    openEmpty()
    openShopify()
    const { result, next, text } = await add({ yes: true })
    expect([result, next]).toEqual([
      false,
      `catalog sources add ${shop.url}${SHOPIFY}1 --currency EUR, with the shop's currency`,
    ])
    expect(text).toContain('2 of 2 records would be parked, mostly NO_CURRENCY: ')
  })

  test('behind a password is refused with the page that asks for it', async () => {
    const headers = { location: '/password' }
    for (const path of ['/', `${SHOPIFY}1`]) shop.pages.put(path, { status: 302, headers, body: '' })
    shop.pages.remove('/sitemap.xml')
    const { text, next, result } = await add({ yes: true })
    const gate = `redirect to ${shop.url}/password: a page that asks for the shop's password (Shopify)`
    expect(text).toContain(`products.json: ${shop.url}${SHOPIFY}1: ${gate}`)
    expect(text).toContain(`pages: ${shop.url}/: ${gate}`)
    expect([result, next]).toEqual([false, expect.stringMatching(/^ask the shop/)])
  })

  test('at a root that lets nobody in is refused as any other', async () => {
    shop.robots = 'User-agent: *\nDisallow: /\n'
    const { value, result } = await add({ yes: true })
    const answers = value.candidates.map(({ answer }: { answer: string }) => answer)
    expect([result, ...new Set(answers)]).toEqual([false, 'forbidden by robots.txt'])
    expect(paths()).toEqual(['/robots.txt'])
  })
})
