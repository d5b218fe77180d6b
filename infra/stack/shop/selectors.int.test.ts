import { acceptHeld } from '@catalog/crawler/crawls/held-crawls.ts'
import { previewSource } from '@catalog/crawler/crawls/preview-source.ts'
import { parseSources, type SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Crawling, jumpingClock, openCrawling } from './crawling.ts'

/** A shop whose prices stand in the text of its pages, crawled with selectors and without. */

const PRODUCTS = 12
const SELECTORS = 'selectors: { price: .p, name: h1 }'

let clock: ReturnType<typeof jumpingClock>
let crawling: Crawling
const path = await pathOfFile()
beforeEach(async () => {
  await path.reset()
  clock = jumpingClock()
  crawling = await openCrawling({ clock, path, products: PRODUCTS })
  const { pages, url } = crawling.shop
  const locs = pages.products.map((product) => `<url><loc>${url}/new${product.path}</loc></url>`)
  pages.put('/all.xml', { contentType: 'application/xml', body: `<urlset>${locs.join('')}</urlset>` })
})
afterEach(() => crawling?.[Symbol.asyncDispose]())

function spec(selectors: string): SourceSpec {
  const point = `{ sitemap: "${crawling.shop.url}/all.xml", include: [/new/**] }`
  const yaml = `sources: [{ source: Shop, id: shop, region: ES, kind: shop, entry_points: [${point}], ${selectors} }]`
  return parseSources(yaml, { place: 'sources', readMapping: () => '' }).sources[0] as SourceSpec
}
const full = (selectors: string) => crawling.crawl(spec(selectors), { isFull: true })
const problems = (report: Awaited<ReturnType<typeof full>>) => report.problems.map(({ code }) => code)
/** Gives the prices of so many pages another class. */
function redesign(count: number): void {
  for (const product of crawling.shop.pages.products.slice(0, count)) {
    const body = `<h1>${product.name}</h1><b class="amount">${product.price.replace('.', ',')} EUR</b>`
    crawling.shop.pages.put(`/new${product.path}`, { body })
  }
}
async function accept() {
  const { held } = await crawling.crawls('shop')
  if (held === null) throw new Error('expected a held crawl')
  clock.advance(60_000)
  const report = await acceptHeld(held, crawling.deps())
  await path.project()
  return report
}

describe('a shop with prices in its text alone', () => {
  test('given no selectors, when it is crawled, then no price is read', async () => {
    const report = await full('')
    expect(report).toMatchObject({ outcome: 'held', appended: 0, parked: { NO_OFFER: PRODUCTS } })
  })

  test('given selectors, when it is crawled, then each page is one price under its address', async () => {
    const report = await full(SELECTORS)
    expect(report).toMatchObject({ outcome: 'recorded', complete: true, appended: PRODUCTS, problems: [] })
    const prices: object[] = []
    const stored = crawling.deps().pricesOf({ sourceId: 'shop', crawlId: report.crawlId })
    for await (const some of stored) prices.push(...some)
    const first = expect.objectContaining({ vendor_ref: '/new/products/1.html', cents: 337, per_quantity: 1 })
    expect(prices).toContainEqual(first)
    const { whole } = await crawling.crawls('shop')
    expect(whole?.health?.selectors).toEqual({ name: 1, price: 1 })
  })

  test('given selectors, when it is previewed, then five pages show what each of them finds', async () => {
    const { preview, documents } = await previewSource(spec(SELECTORS), crawling.deps(), { count: 3 })
    expect(documents).toHaveLength(5)
    const { selectors } = preview?.detected[0] ?? {}
    expect(selectors).toEqual({
      price: { elements: 1, texts: [expect.stringMatching(/^\d+,\d\d EUR$/)] },
      name: { elements: 1, texts: [expect.stringContaining('no. ')] },
    })
  })
})

describe('selectors that find less than before', () => {
  test('given a price that most pages have elsewhere, when they are crawled, then the crawl is held for it', async () => {
    await full(SELECTORS)
    redesign(8)
    const report = await full(SELECTORS)
    expect(report.outcome).toBe('held')
    expect(report.problems).toContainEqual({
      code: 'SELECTOR_DRIFTED',
      detail:
        "price '.p' finds a text on 33.3 % of 12 pages, on 100 % before. Correct it in the sources file and crawl again, " +
        'or record this crawl as it is: catalog sources accept shop',
    })
    expect(await path.store.query('select count(*)::int as count from observations')).toEqual([{ count: PRODUCTS }])
  })

  test('given a corrected selector, when they are crawled again, then the crawl is recorded', async () => {
    await full(SELECTORS)
    redesign(PRODUCTS)
    expect(problems(await full(SELECTORS))).toContain('SELECTOR_DRIFTED')
    expect(await full('selectors: { price: ".p, .amount", name: h1 }')).toMatchObject({ outcome: 'recorded' })
  })

  test('given a person accepts the crawl, when they are crawled again, then what they find is as before', async () => {
    await full(SELECTORS)
    redesign(8)
    await full(SELECTORS)
    expect(await accept()).toMatchObject({ outcome: 'recorded', appended: PRODUCTS - 8 })
    expect(await full(SELECTORS)).toMatchObject({ outcome: 'recorded', problems: [] })
  })
})

describe('selectors that never found anything', () => {
  test.each([
    ['price', '.prise'],
    ['unit', '.unit'],
  ])('given one of %s, when its source is first crawled, then the crawl is held for it', async (field, selector) => {
    const selectors = { price: '.p', name: 'h1', [field]: selector }
    const report = await full(`selectors: ${JSON.stringify(selectors)}`)
    expect(report.outcome).toBe('held')
    const detail = expect.stringContaining(`${field} '${selector}' finds a text on 0 % of 12 pages. Correct it`)
    expect(report.problems).toContainEqual({ code: 'SELECTOR_FINDS_NOTHING', detail })
  })

  test('given an accepted one, when the source is crawled again, then it holds no crawl', async () => {
    const selectors = 'selectors: { price: .p, name: h1, unit: .unit }'
    await full(selectors)
    await accept()
    expect(await full(selectors)).toMatchObject({ outcome: 'recorded', problems: [] })
  })
})
