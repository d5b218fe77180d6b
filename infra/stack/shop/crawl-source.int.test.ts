import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CrawlFinished, CrawlProblem } from '@catalog/core/events/crawls.ts'
import type { VendorEvent } from '@catalog/core/events/events.ts'
import { sourceIdOf } from '@catalog/core/events/ids.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { crawlSource } from '@catalog/crawler/crawls/crawl-source.ts'
import { acceptHeld, dropHeld } from '@catalog/crawler/crawls/held-crawls.ts'
import type { PastCrawl } from '@catalog/crawler/crawls/past-crawls.ts'
import { previewSource } from '@catalog/crawler/crawls/preview-source.ts'
import { NoSpool } from '@catalog/crawler/crawls/record-spool.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import { spoolsOf } from '@catalog/crawler/discover/spool.ts'
import { SpoolTotal } from '@catalog/crawler/discover/spool-total.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import { retract } from '@catalog/crawler/ingest/retract.ts'
import type { EntryPoint, SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import type { Path } from '@catalog/stack/path/path.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { heldSourceIds } from '@catalog/store/vendor/crawls.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Crawling, jumpingClock, openCrawling, specOfShop } from './crawling.ts'
import type { Shop } from './shop.ts'
import type { ShopPage, ShopProduct } from './shop-pages.ts'

/** One source from its entry points to the read models: recorded, held, accepted, dropped, failed or interrupted. */

const PRODUCTS = 12

let clock: ReturnType<typeof jumpingClock>
let crawling: Crawling
let shop: Shop
const path = await pathOfFile()
beforeEach(async () => {
  await path.reset()
  clock = jumpingClock()
  crawling = await openCrawling({ clock, path, products: PRODUCTS })
  shop = crawling.shop
})
afterEach(() => crawling?.[Symbol.asyncDispose]())

const specOf = (entryPoint: EntryPoint, more?: Partial<SourceSpec>) => specOfShop(shop, entryPoint, more)
const document = (path: string, more: Partial<SourceSpec> = {}) =>
  specOf({ kind: 'document', url: shop.url + path }, more)
const INCLUDE = ['/products/*', '/new/products/*']
const pages = () => specOf({ kind: 'sitemap', url: `${shop.url}/all.xml`, include: INCLUDE, exclude: [] })
/** Product addresses that the shop was asked for. */
const pagesAsked = () => shop.visits.map(({ path }) => path).filter((path) => path.includes('/products/'))
/** The tag of the last conditional request for this address; undefined after an unconditional one. */
const tagAsked = (at: string) => shop.visits.findLast(({ path }) => path === at)?.headers['if-none-match']

/** Vendor events in the order of each partition. */
async function eventsOf<Type extends VendorEvent['type']>(type: Type): Promise<Extract<VendorEvent, { type: Type }>[]> {
  const events = await everything()
  return events.filter((event): event is Extract<VendorEvent, { type: Type }> => event.type === type)
}
async function everything(): Promise<VendorEvent[]> {
  const events: VendorEvent[] = []
  for (const { partition, earliest, next } of await path.log.partitions(TOPICS.observations)) {
    const records = await path.log.read(TOPICS.observations, partition, earliest, Number(next - earliest))
    events.push(...records.map(({ value }) => JSON.parse(value) as VendorEvent))
  }
  return events
}

/** Contents of the read models. */
async function standing() {
  const counts = `select (select count(*) from observations)::int as observations,
    (select count(*) from redeliveries)::int as redeliveries, (select count(*) from vendor_skus)::int as skus,
    (select count(*) from parked)::int as parked`
  const [row] = await path.store.query<Record<'observations' | 'redeliveries' | 'skus' | 'parked', number>>(counts)
  return { ...(row as typeof row & {}), root: (await path.roots()).vendor }
}
const spools = async () => (await readdir(join(crawling.crawlsDir, 'shop'))).filter((name) => name.startsWith('crawl-'))

/** Compares a crawl's report with the events that it appended. */
async function accounted(report: CrawlReport): Promise<CrawlReport> {
  const last = new Map<string, CrawlFinished>()
  for (const event of await eventsOf('CrawlFinished')) {
    if (event.crawl_id === report.crawlId) last.set(event.source_id, event)
  }
  const sum = { read: 0, appended: 0, duplicates: 0, parked: 0 }
  for (const { read, appended, duplicates, parked, outcome, complete, problems } of last.values()) {
    expect(appended + duplicates + parked).toBe(read)
    expect({ outcome, complete, problems }).toEqual({
      outcome: report.outcome,
      complete: report.complete,
      problems: report.problems,
    })
    sum.read += read
    sum.appended += appended
    sum.duplicates += duplicates
    sum.parked += parked
  }
  const { read, appended, duplicates } = report
  const parked = Object.values(report.parked).reduce((all, count) => all + count, 0)
  expect(sum).toEqual({ read, appended, duplicates, parked })
  const sources = report.sources.map(({ sourceId }) => sourceId)
  // The requested source comes first and answers for everything held.
  expect([...last.keys()].toSorted()).toEqual(report.outcome === 'held' ? [sources[0]] : sources.toSorted())
  return report
}
const crawl = async (spec: SourceSpec, options: Parameters<Crawling['crawl']>[1] = {}) =>
  accounted(await crawling.crawl(spec, options))
async function accept(held: PastCrawl): Promise<CrawlReport> {
  clock.advance(60_000)
  const report = await acceptHeld(held, crawling.deps())
  await path.project()
  return accounted(report)
}
const codesOf = ({ problems }: Pick<CrawlReport, 'problems'>) => problems.map(({ code }) => code)
const past = () => crawling.crawls('shop')
async function heldNow(): Promise<PastCrawl> {
  const { held } = await past()
  if (held === null) throw new Error('expected a crawl that was held back')
  return held
}

/** Makes these pages fail; the returned function restores them. */
function breakPages(paths: readonly string[]): () => void {
  const before = paths.map((path) => [path, shop.pages.find(path) as ShopPage] as const)
  for (const [path, page] of before) shop.pages.put(path, { ...page, headers: { 'content-encoding': 'compress' } })
  return () => {
    for (const [path, page] of before) shop.pages.put(path, page)
  }
}

/** After its relaunch the shop shows this many products on pages without an offer. */
const RELAUNCHED = 8
function relaunch(): void {
  const locs = shop.pages.products.map(({ path }, n) => `${shop.url}${n < RELAUNCHED ? '/new' : ''}${path}`)
  const body = `<urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`
  shop.pages.put('/all.xml', { contentType: 'application/xml', body })
}

type Line = { sku?: string; name?: string; price?: string; currency?: string }
/** Publishes a price list of twenty lines at /prices.csv, each as given. */
function publishPrices(change: (line: Required<Line>, n: number) => Line = (line) => line, count = 20): void {
  const lines = Array.from({ length: count }, (_, n) => {
    const line = { sku: `P-${n}`, name: `Brick no. ${n}`, price: `${n + 1}.50`, currency: 'EUR' }
    const { sku, name, price, currency } = { ...line, ...change(line, n) }
    return `${sku};${name};u;${price};${currency}\n`
  })
  shop.pages.put('/prices.csv', { contentType: 'text/csv', body: `sku;name;unit;price;currency\n${lines.join('')}` })
}

describe('a shop with another layout after its first crawl', () => {
  test('is recorded the first time, with all its records', async () => {
    const report = await crawl(pages())
    expect(report).toMatchObject({ crawlId: 'crawl-1', outcome: 'recorded', complete: true, problems: [] })
    expect(report).toMatchObject({ read: PRODUCTS, appended: PRODUCTS, duplicates: 0, parked: {} })
    expect(await standing()).toMatchObject({ observations: PRODUCTS, skus: PRODUCTS, parked: 0 })
    const { whole } = await past()
    expect(whole).toMatchObject({ crawl_id: 'crawl-1', partial: false, missed: 0, health: { known: 0, vanished: 0 } })
    expect(whole?.health?.layout).toMatchObject({ gtin: 1, EUR: 1, names: 1 })
    expect(await spools()).toEqual([])
  })

  test('is held as a whole, and only its report is appended', async () => {
    await crawl(pages())
    const before = { events: await everything(), ...(await standing()) }
    relaunch()
    const report = await crawl(pages(), { isFull: true })
    expect(report).toMatchObject({ crawlId: 'crawl-2', outcome: 'held', read: PRODUCTS })
    expect(report).toMatchObject({ appended: PRODUCTS - RELAUNCHED, parked: { NO_OFFER: RELAUNCHED } })
    expect(codesOf(report)).toEqual(['PARSE_RATE_FELL', 'SKUS_VANISHED'])
    const added = (await everything()).filter(({ event_id }) => !before.events.some((one) => one.event_id === event_id))
    expect(added).toMatchObject([{ type: 'CrawlFinished', crawl_id: 'crawl-2', outcome: 'held' }])
    const { events: _, ...stood } = before
    expect(await standing()).toEqual(stood)
    expect(await spools()).toEqual(['crawl-2'])
    expect(await past()).toMatchObject({ whole: { crawl_id: 'crawl-1' }, held: { crawl_id: 'crawl-2' } })
  })

  test("is recorded under that crawl's id when a person accepts it, days later", async () => {
    await crawl(pages())
    relaunch()
    const waiting = await crawl(pages(), { isFull: true })
    const held = await heldNow()
    clock.advance(3 * DAY_MS)
    const { read, appended, duplicates, parked } = waiting
    const report = await accept(held)
    expect(report).toMatchObject({ crawlId: 'crawl-2', outcome: 'recorded', read, appended, duplicates, parked })
    expect(await past()).toMatchObject({
      held: null,
      last: { crawl_id: 'crawl-2' },
      fetched: { crawl_id: 'crawl-2' },
      whole: { crawl_id: 'crawl-2', started_at: held.started_at, recorded_at: instant(new Date(clock.now())) },
    })
    const recorded = [...(await eventsOf('ObservationRecorded')), ...(await eventsOf('RecordParked'))]
    expect(recorded.filter(({ crawl_id }) => crawl_id === 'crawl-2')).toHaveLength(PRODUCTS)
    expect(await standing()).toMatchObject({ observations: 2 * PRODUCTS - RELAUNCHED, parked: RELAUNCHED })
    expect(await spools()).toEqual([])
    await expect(acceptHeld(held, crawling.deps())).rejects.toThrow(NoSpool)
    await expect(acceptHeld(held, crawling.deps())).rejects.toThrow(
      /shop\/crawl-2: expected the documents of the crawl; they are where it ran, or were dropped/,
    )
  })

  test('is never recorded when a person drops it with a reason', async () => {
    await crawl(pages())
    const stood = await standing()
    relaunch()
    await crawl(pages(), { isFull: true })
    const held = await heldNow()
    clock.advance(DAY_MS)
    await dropHeld(held, { reason: 'pages without prices' }, crawling.deps())
    await path.project()
    const { read, appended, duplicates, parked, started_at } = held
    expect(await past()).toMatchObject({
      last: {
        crawl_id: 'crawl-2',
        outcome: 'dropped',
        problems: [{ code: 'DROPPED', detail: 'pages without prices' }],
      },
      held: null,
      whole: { crawl_id: 'crawl-1' },
    })
    expect((await past()).last).toMatchObject({ read, appended, duplicates, parked, started_at })
    expect(await standing()).toEqual(stood)
    expect(await spools()).toEqual([])
    await expect(acceptHeld(held, crawling.deps())).rejects.toThrow(NoSpool)
  })

  test('is refused where part of its spool is lost, and still waits', async () => {
    await crawl(pages())
    relaunch()
    await crawl(pages(), { isFull: true })
    const manifest = join(crawling.crawlsDir, 'shop', 'crawl-2', 'documents.jsonl')
    const lines = (await readFile(manifest, 'utf8')).split('\n')
    // As after a power failure: the last line is torn.
    await writeFile(manifest, `${lines.slice(0, 6).join('\n')}\n${lines[6]?.slice(0, 40)}`)
    const before = await everything()
    await expect(acceptHeld(await heldNow(), crawling.deps())).rejects.toThrow(NoSpool)
    expect(await everything()).toEqual(before)
    expect(await spools()).toEqual(['crawl-2'])
  })

  test('is accepted or dropped also by a clock that is behind, with any reason', async () => {
    publishPrices()
    await crawl(document('/prices.csv'))
    publishPrices(() => ({ currency: 'USD' }))
    await crawl(document('/prices.csv'), { isFull: true })
    clock.advance(-5_000)
    await dropHeld(await heldNow(), { reason: `\u0007${'x'.repeat(498)}\u{1f600}` }, crawling.deps())
    await path.project()
    expect(await past()).toMatchObject({ held: null, last: { crawl_id: 'crawl-2', outcome: 'dropped' } })
    clock.advance(60_000)
    await crawl(document('/prices.csv'), { isFull: true })
    clock.advance(-120_000)
    await accept(await heldNow())
    expect(await past()).toMatchObject({ held: null, whole: { crawl_id: 'crawl-3' } })
  })

  test('is superseded by a later crawl, so at most one waits', async () => {
    await crawl(pages())
    relaunch()
    await crawl(pages(), { isFull: true })
    clock.advance(DAY_MS)
    shop.forget()
    expect(await crawl(pages(), { isFull: true })).toMatchObject({ crawlId: 'crawl-3', outcome: 'held' })
    expect(pagesAsked()).toHaveLength(PRODUCTS)
    expect(await spools()).toEqual(['crawl-3'])
    const second = () => eventsOf('CrawlFinished').then((all) => all.findLast(({ crawl_id }) => crawl_id === 'crawl-2'))
    expect(await second()).toMatchObject({
      outcome: 'dropped',
      problems: [{ code: 'SUPERSEDED', detail: 'crawl crawl-3 saw the source later' }],
    })
    clock.advance(DAY_MS)
    shop.robots = 'User-agent: *\nDisallow: /\n'
    expect(await crawl(pages(), { isFull: true })).toMatchObject({ crawlId: 'crawl-4', outcome: 'failed' })
    // A refused crawl saw nothing, so the held one still waits.
    expect(await spools()).toEqual(['crawl-3'])
    expect(await accept(await heldNow())).toMatchObject({ crawlId: 'crawl-3', outcome: 'recorded' })
    expect(await past()).toMatchObject({ last: { crawl_id: 'crawl-4' }, whole: { crawl_id: 'crawl-3' }, held: null })
  })
})

test('every record of a crawl is recorded, a duplicate or parked', async () => {
  publishPrices((line, n) => {
    if (n === 1) return { ...line, sku: 'P-0', name: 'Brick no. 0', price: '1.50' }
    if (n === 2) return { ...line, price: 'on demand' }
    // One reference for two things: neither is provably the right one.
    return n === 4 ? { ...line, sku: 'P-3' } : line
  })
  const report = await crawl(document('/prices.csv'))
  expect(report).toMatchObject({ outcome: 'recorded', read: 20, appended: 16, duplicates: 1 })
  expect(report.parked).toEqual({ BAD_PRICE: 1, SKU_CONFLICT: 2 })
  expect(await standing()).toMatchObject({ observations: 16, parked: 3 })
})

describe('a price list that changed too much', () => {
  const CHECKS: readonly {
    what: string
    change: (line: Required<Line>, n: number) => Line
    count?: number
    codes: string[]
    /** The first example of the first problem. */
    example: RegExp
  }[] = [
    {
      what: 'a fifth of its prices cannot be read',
      codes: ['PARSE_RATE_FELL'],
      example: /^BAD_PRICE, 4 records: .*\/prices.csv line 2: '-' is not one number, in P-0;Brick/,
      change: (_, n) => (n % 5 === 0 ? { price: '-' } : {}),
    },
    {
      what: 'half of its SKUs are missing',
      codes: ['SKUS_VANISHED'],
      example: /^P-10: \d+\.\d\d EUR before, missing now$/,
      change: () => ({}),
      count: 10,
    },
    {
      what: 'all its prices are a hundred times as high',
      codes: ['PRICES_CHANGED', 'PRICES_JUMPED'],
      example: /^P-\d+, Brick no. \d+: (\d+\.\d\d) EUR before, \d{3,}\.\d\d EUR now$/,
      change: ({ price }) => ({ price: (Number(price) * 100).toFixed(2) }),
    },
    {
      what: 'all its prices have another currency',
      codes: ['LAYOUT_DRIFTED'],
      example: /^P-\d+, Brick no. \d+: \d+\.\d\d USD$/,
      change: () => ({ currency: 'USD' }),
    },
    {
      what: 'all its products have one name',
      codes: ['LAYOUT_DRIFTED'],
      example: /^P-\d+, This page has moved: /,
      change: () => ({ name: 'This page has moved' }),
    },
  ]

  test.each(CHECKS)('is held where $what; accepted, it becomes the next baseline', async (check) => {
    publishPrices()
    await crawl(document('/prices.csv'))
    publishPrices(check.change, check.count)
    expect(await crawl(document('/prices.csv'))).toMatchObject({ outcome: 'held' })
    const held = await heldNow()
    const problems = (await past()).held?.problems ?? []
    expect(problems.map(({ code }) => code)).toEqual(check.codes)
    expect(problems[0]?.examples?.[0]).toMatch(check.example)
    await accept(held)
    expect((await past()).whole).toMatchObject({ crawl_id: 'crawl-2', health: held.health, problems: [] })
    clock.advance(DAY_MS)
    expect(await crawl(document('/prices.csv'), { isFull: true })).toMatchObject({ outcome: 'recorded', problems: [] })
    expect((await past()).whole).toMatchObject({ crawl_id: 'crawl-3', health: { vanished: 0, changed: 0 } })
  })

  test('is held where a fifth of its SKUs are missing and the sources file allows less', async () => {
    const health = { vanishedMax: 0.1 }
    publishPrices()
    await crawl(document('/prices.csv', { health }))
    publishPrices(undefined, 16)
    expect(codesOf(await crawl(document('/prices.csv', { health })))).toEqual(['SKUS_VANISHED'])
    expect(await crawl(document('/prices.csv'), { isFull: true })).toMatchObject({ outcome: 'recorded', problems: [] })
  })
})

describe('an unchanged document', () => {
  test('of a sitemap is neither requested, nor recorded again, nor counted as missing', async () => {
    await crawl(pages())
    const changed = shop.pages.products.slice(0, 2).map(({ path }) => path)
    clock.advance(DAY_MS)
    for (const path of changed) shop.pages.change(path, { price: '99.00', changedOn: '2026-01-31' })
    shop.forget()
    expect(await crawl(pages())).toMatchObject({ crawlId: 'crawl-2', outcome: 'recorded', appended: 2, problems: [] })
    expect(pagesAsked().toSorted()).toEqual(changed.toSorted())
    expect((await past()).last).toMatchObject({
      crawl_id: 'crawl-2',
      partial: true,
    })
    // The comparison uses the last complete crawl, of which everything is known.
    clock.advance(DAY_MS)
    expect(await crawl(pages(), { isFull: true })).toMatchObject({ crawlId: 'crawl-3', outcome: 'recorded' })
    expect((await past()).whole).toMatchObject({
      crawl_id: 'crawl-3',
      partial: false,
    })
  })

  test('does not hide a page that failed: the next crawl requests it', async () => {
    await crawl(pages())
    clock.advance(1.5 * DAY_MS)
    const [one, other] = shop.pages.products.map(({ path }) => path) as [string, string]
    for (const path of [one, other]) shop.pages.change(path, { price: '99.00', changedOn: '2026-01-30' })
    const mend = breakPages([other])
    expect(await crawl(pages())).toMatchObject({ outcome: 'recorded', complete: false, appended: 1 })
    clock.advance(DAY_MS)
    mend()
    shop.forget()
    expect(await crawl(pages())).toMatchObject({ outcome: 'recorded', complete: true })
    expect(pagesAsked()).toContain(other)
  })

  test('does not hide a sitemap that is gone: the next crawl reads it when it returns', async () => {
    const [one, other, same] = shop.pages.products.map(({ path }) => path) as [string, string, string]
    const put = (at: string, body: string) => shop.pages.put(at, { contentType: 'application/xml', body })
    const page = (at: string, day: string) => `<url><loc>${shop.url}${at}</loc><lastmod>${day}</lastmod></url>`
    const few = (day: string) => `<urlset>${page(other, day)}${page(same, '2026-01-04')}</urlset>`
    const maps = ['/sitemaps/1.xml', '/few.xml'].map((at) => `<sitemap><loc>${shop.url}${at}</loc></sitemap>`)
    put('/index.xml', `<sitemapindex>${maps.join('')}</sitemapindex>`)
    put('/few.xml', few('2026-01-03'))
    const index = () => specOf({ kind: 'sitemap', url: `${shop.url}/index.xml`, include: INCLUDE, exclude: [] })
    expect(await crawl(index())).toMatchObject({ complete: true, appended: PRODUCTS })
    clock.advance(3 * DAY_MS)
    for (const path of [one, other]) shop.pages.change(path, { price: '99.00', changedOn: '2026-01-31' })
    put('/few.xml', few('2026-01-31'))
    const all = shop.pages.find('/sitemaps/1.xml') as ShopPage
    shop.pages.remove('/sitemaps/1.xml')
    expect(await crawl(index())).toMatchObject({ outcome: 'recorded', complete: false, appended: 1 })
    expect(await past()).toMatchObject({ last: { partial: true, missed: 0 }, fetched: { crawl_id: 'crawl-1' } })
    clock.advance(DAY_MS)
    shop.pages.put('/sitemaps/1.xml', all)
    shop.forget()
    expect(await crawl(index())).toMatchObject({ outcome: 'recorded', complete: true })
    expect(pagesAsked().toSorted()).toEqual([one, other].toSorted())
  })

  test('leads to an unchanged crawl when it is a whole sitemap', async () => {
    await crawl(pages())
    const stood = await standing()
    clock.advance(DAY_MS)
    expect(await crawl(pages())).toMatchObject({ outcome: 'unchanged', complete: true, read: 0, problems: [] })
    expect(await past()).toMatchObject({
      last: { crawl_id: 'crawl-2' },
      fetched: { crawl_id: 'crawl-2' },
      whole: { crawl_id: 'crawl-1' },
    })
    expect(await standing()).toEqual(stood)
    expect(await spools()).toEqual([])
  })

  test('is fetched again when it is read in another way, though its server would answer 304', async () => {
    await crawl(document('/merchant.xml'))
    expect(await crawl(document('/merchant.xml'))).toMatchObject({ outcome: 'unchanged' })
    expect(tagAsked('/merchant.xml')).toMatch(/^"\w+"$/)
    // Neither the schedule nor the trust changes what a crawl reads.
    const schedule = '0 * * * *'
    expect(await crawl(document('/merchant.xml', { trust: 10, schedule }))).toMatchObject({ outcome: 'unchanged' })
    const mapping = { constants: { tax_included: 'true' } }
    expect(await crawl(document('/merchant.xml', { mapping }))).toMatchObject({ outcome: 'recorded' })
    expect(tagAsked('/merchant.xml')).toBeUndefined()
    const last = (await eventsOf('ObservationRecorded')).filter(({ crawl_id }) => crawl_id === 'crawl-4')
    expect(last.map(({ price }) => price.tax.included)).toEqual(Array(PRODUCTS).fill(true))
    expect(await crawl(document('/merchant.xml', { mapping }))).toMatchObject({ outcome: 'unchanged' })
  })

  test.each([
    ['in that way', { constants: { tax_included: 'true' } }],
    ['as it was before', undefined],
  ])('is fetched again after a crawl that read some of it in another way, be it now read %s', async (_, mapping) => {
    await crawl(pages())
    clock.advance(DAY_MS)
    const mend = breakPages([shop.pages.products[0]?.path ?? ''])
    const other = { ...pages(), mapping: { constants: { tax_included: 'true' } } }
    expect(await crawl(other)).toMatchObject({ outcome: 'recorded', complete: false, appended: PRODUCTS - 1 })
    clock.advance(DAY_MS)
    mend()
    shop.forget()
    expect(await crawl({ ...pages(), mapping })).toMatchObject({ outcome: 'recorded', complete: true })
    expect(pagesAsked()).toHaveLength(PRODUCTS)
  })

  test('is fetched again after a crawl by a clock that was ahead', async () => {
    const YEAR_MS = 365 * DAY_MS
    clock.advance(YEAR_MS)
    await crawl(pages())
    clock.advance(DAY_MS - YEAR_MS)
    shop.forget()
    expect(await crawl(pages())).toMatchObject({ crawlId: 'crawl-2', outcome: 'recorded', complete: true })
    expect(pagesAsked()).toHaveLength(PRODUCTS)
  })

  test('from before an accepted crawl is fetched again', async () => {
    publishPrices()
    await crawl(document('/prices.csv'))
    clock.advance(DAY_MS)
    publishPrices(({ price }) => ({ price: `${Number(price) * 10}` }))
    expect(await crawl(document('/prices.csv'))).toMatchObject({ crawlId: 'crawl-2', outcome: 'held' })
    clock.advance(DAY_MS)
    publishPrices()
    expect(await crawl(document('/prices.csv'))).toMatchObject({ crawlId: 'crawl-3', outcome: 'unchanged' })
    await accept(await heldNow())
    clock.advance(DAY_MS)
    // Accepting recorded the held prices; these are others.
    const report = await crawl(document('/prices.csv'))
    expect(report).toMatchObject({ crawlId: 'crawl-4', outcome: 'held', read: 20, appended: 20 })
    expect(tagAsked('/prices.csv')).toBeUndefined()
  })

  test.each([
    ['seven days', {}, 7],
    ['half its validity', { validityDays: 4 }, 2],
    ['that at its next instant', { validityDays: 4, schedule: '0 12 * * *' }, 1.5],
  ])('is fetched in full before its last complete crawl is older than %s', async (_, more, days) => {
    await crawl(document('/merchant.xml', more))
    clock.advance(days * DAY_MS - 60_000)
    expect(await crawl(document('/merchant.xml', more))).toMatchObject({ outcome: 'unchanged' })
    clock.advance(120_000)
    expect(await crawl(document('/merchant.xml', more))).toMatchObject({ outcome: 'recorded', appended: PRODUCTS })
  })
})

describe('a retracted crawl', () => {
  async function takeBack(crawlId: string): Promise<void> {
    clock.advance(60_000)
    const taken = { scope: 'crawl' as const, crawlId, sourceIds: ['shop'] }
    await retract(taken, { log: path.log, reason: 'prices of another shop', now: new Date(clock.now()) })
    await path.project()
    clock.advance(DAY_MS)
  }

  test('is no baseline for the next one', async () => {
    publishPrices(({ price }) => ({ price: `${Number(price) * 100}` }))
    await crawl(document('/prices.csv'))
    await takeBack('crawl-1')
    publishPrices()
    expect(await crawl(document('/prices.csv'))).toMatchObject({ outcome: 'recorded', appended: 20, problems: [] })
    expect((await past()).whole).toMatchObject({ crawl_id: 'crawl-2', health: { known: 0, changed: 0 } })
  })

  test('leaves the next one without a condition, and the one before it as baseline', async () => {
    publishPrices()
    await crawl(document('/prices.csv'))
    clock.advance(DAY_MS)
    publishPrices((_, n) => (n < 5 ? { price: '9.99' } : {}))
    await crawl(document('/prices.csv'))
    await takeBack('crawl-2')
    expect(await crawl(document('/prices.csv'))).toMatchObject({ outcome: 'recorded', appended: 20, problems: [] })
    expect(tagAsked('/prices.csv')).toBeUndefined()
    expect((await past()).whole).toMatchObject({ crawl_id: 'crawl-3', health: { known: 20, changed: 5 } })
    clock.advance(DAY_MS)
    expect(await crawl(document('/prices.csv'))).toMatchObject({ outcome: 'unchanged' })
  })
})

describe('a crawl that is killed', () => {
  class Killed extends Error {}
  const killed = () => {
    throw new Killed()
  }
  type Append = Parameters<Path['log']['append']>
  /** A log that takes part of an append of such events, after which nobody is left to send more. */
  const dyingAt = (type: VendorEvent['type'], taken: (events: Append[1]) => Append[1]) => ({
    async append(...[topic, events]: Append) {
      const isMeant = events.some(({ value }) => (JSON.parse(value) as VendorEvent).type === type)
      await path.log.append(topic, isMeant ? taken(events) : events)
      if (isMeant) killed()
    },
  })
  const MOMENTS: readonly [string, () => Partial<SourceCrawlDeps>][] = [
    [
      'while its pages come',
      () => {
        const { fetcher } = crawling.deps()
        let asked = 0
        // After the sitemap and five pages.
        return { fetcher: { ...fetcher, get: async (...asking) => (++asked > 6 ? killed() : fetcher.get(...asking)) } }
      },
    ],
    [
      'since it was asked to end while it is read',
      () => {
        const ending = new AbortController()
        return { signal: ending.signal, onProgress: () => ending.abort(new Killed()) }
      },
    ],
    ['before anything is recorded', () => ({ registeredSources: killed })],
    [
      'when half of it is recorded',
      () => ({ log: dyingAt('ObservationRecorded', (all) => all.slice(0, all.length / 2)) }),
    ],
    ['before it says that it ended', () => ({ log: dyingAt('CrawlFinished', () => []) })],
  ]

  test.each(MOMENTS)('%s resumes under its own id, and nothing is fetched or counted twice', async (_, at) => {
    const instead = at()
    await expect(crawling.crawl(pages(), { instead })).rejects.toThrow(Killed)
    await path.project()
    expect(await eventsOf('CrawlFinished')).toEqual([])
    const [spool] = await spoolsOf(join(crawling.crawlsDir, 'shop'))
    const spooled = readFileSync(join(spool?.folder ?? '', 'documents.jsonl'), 'utf8').split('"document"').length - 1
    expect(spooled).toBe(instead.fetcher === undefined ? PRODUCTS : 5)
    shop.forget()
    clock.advance(DAY_MS / 2)
    const report = await crawl(pages())
    expect(report).toMatchObject({ crawlId: 'crawl-1', outcome: 'recorded', read: PRODUCTS, appended: PRODUCTS })
    expect(pagesAsked()).toHaveLength(PRODUCTS - spooled)
    expect((await past()).whole).toMatchObject({ started_at: '2026-01-30T00:00:00Z' })
    const observed = await eventsOf('ObservationRecorded')
    expect(new Set(observed.map(({ event_id }) => event_id)).size).toBe(PRODUCTS)
    expect(new Set(observed.map(({ crawl_id }) => crawl_id))).toEqual(new Set(['crawl-1']))
    expect(await standing()).toMatchObject({ observations: PRODUCTS, redeliveries: 0, skus: PRODUCTS, parked: 0 })
    expect(await spools()).toEqual([])
  })

  test.each<[string, 'recorded' | 'held']>([
    ['was recorded', 'recorded'],
    ['was held back', 'held'],
  ])('after it told that it %s leaves nothing that the next one would take for its own', async (_, outcome) => {
    publishPrices()
    await crawl(document('/prices.csv'))
    publishPrices((line) => (outcome === 'held' ? { ...line, currency: 'USD' } : line))
    const log = dyingAt('CrawlFinished', (events) => events)
    const ended = crawling.crawl(document('/prices.csv'), { isFull: true, instead: { log } })
    await expect(ended).rejects.toThrow(Killed)
    await path.project()
    expect((await past()).last).toMatchObject({ crawl_id: 'crawl-2', outcome })
    expect(await spools()).toEqual(['crawl-2'])
    shop.forget()
    publishPrices((line, n) => (n === 0 ? { price: '1.60' } : line))
    expect(await crawl(document('/prices.csv'), { isFull: true })).toMatchObject({ crawlId: 'crawl-3', appended: 20 })
    expect(shop.visits.map(({ path }) => path)).toContain('/prices.csv')
    expect(await spools()).toEqual([])
  })

  test('twice in a row after its report is not resumed', async () => {
    publishPrices()
    const log = dyingAt('CrawlFinished', (events) => events)
    for (const _ of ['crawl-1', 'crawl-2']) {
      const ended = crawling.crawl(document('/prices.csv'), { isFull: true, instead: { log } })
      await expect(ended).rejects.toThrow(Killed)
      await path.project()
      clock.advance(60_000)
    }
    expect(await spools()).toHaveLength(2)
    shop.forget()
    expect(await crawl(document('/prices.csv'), { isFull: true })).toMatchObject({ crawlId: 'crawl-3' })
    expect(shop.visits.map(({ path }) => path)).toContain('/prices.csv')
    expect(await spools()).toEqual([])
  })

  test.each([1, 2])('at its report no. %i while another waits leaves at most one held', async (at) => {
    publishPrices()
    await crawl(document('/prices.csv'))
    publishPrices(() => ({ currency: 'USD' }))
    await crawl(document('/prices.csv'))
    clock.advance(60_000)
    const dying = dyingAt('CrawlFinished', (events) => events)
    let reports = 0
    const append: Path['log']['append'] = (topic, events) =>
      topic === TOPICS.observations && ++reports === at ? dying.append(topic, events) : path.log.append(topic, events)
    const ended = crawling.crawl(document('/prices.csv'), { instead: { log: { append } } })
    await expect(ended).rejects.toThrow(Killed)
    await path.project()
    clock.advance(60_000)
    publishPrices((line, n) => (n === 0 ? { price: '1.60' } : line))
    // It may resume with the fetched documents and be held then.
    if ((await crawl(document('/prices.csv'), { isFull: true })).outcome === 'held') await accept(await heldNow())
    expect(await past()).toMatchObject({ held: null })
    expect(await spools()).toEqual([])
  })

  test('while a person accepts a held one is accepted again, and nothing counts twice', async () => {
    publishPrices()
    await crawl(document('/prices.csv'))
    publishPrices(() => ({ currency: 'USD' }))
    await crawl(document('/prices.csv'), { isFull: true })
    const log = dyingAt('ObservationRecorded', (all) => all.slice(0, 5))
    await expect(acceptHeld(await heldNow(), crawling.deps({ log }))).rejects.toThrow(Killed)
    await path.project()
    expect(await spools()).toEqual(['crawl-2'])
    expect(await accept(await heldNow())).toMatchObject({ crawlId: 'crawl-2', appended: 20 })
    expect(await standing()).toMatchObject({ observations: 40, redeliveries: 0, skus: 20 })
  })

  test('a day or more ago starts again', async () => {
    await expect(crawling.crawl(pages(), { instead: { registeredSources: killed } })).rejects.toThrow(Killed)
    shop.forget()
    clock.advance(DAY_MS + 60_000)
    expect(await crawl(pages())).toMatchObject({ crawlId: 'crawl-2', appended: PRODUCTS })
    expect(pagesAsked()).toHaveLength(PRODUCTS)
    expect(await spools()).toEqual([])
  })
})

/** Some of the shop's faults, each as a source's only entry, and the sentence that a person reads, by problem code. */
const FAILURES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  NOT_FETCHED: {
    '/silent': 'nothing came for 300 ms, expected a byte (2 attempts)',
    '/403': 'status 403, expected 200',
    '/gzip-bomb': 'N bytes of gzip are already N bytes, expected at most 200 for each',
    '/gigantic': 'the body has N bytes, expected at most 2147483648',
  },
  GONE: { '/nowhere': 'status 404, expected 200' },
  REFUSED: {
    '/redirect-file': 'redirect to file:///etc/passwd: expected http or https',
  },
  ROBOTS: {
    '/private/costs.html': 'robots.txt forbids it to construction-cost-catalog, expected an address that it allows',
    '/redirect-forbidden':
      '/private/costs.html: robots.txt forbids it to construction-cost-catalog, expected an address that it allows',
    // A site that forbids everything also forbids this request.
    '/redirect-metadata':
      'http://169.254.169.254/latest/meta-data/: robots.txt cannot be read, which forbids everything for now: http://169.254.169.254/robots.txt: 169.254.169.254: expected an address of the public internet, or a network of FETCH_ALLOWED_NETWORKS',
  },
}

describe('a source that cannot be fetched', () => {
  test('is reported as failed with a sentence that says why, and leaves nothing else', async () => {
    const faults = Object.values(FAILURES).flatMap(Object.keys)
    const reports = await Promise.all(
      faults.map((path) => crawlSource(document(path, { id: path.replaceAll('/', '_') }), crawling.deps())),
    )
    await path.project()
    const said: Record<string, Record<string, string>> = {}
    for (const [n, { problems }] of reports.entries()) {
      const [at, { code, detail }] = [faults[n] as string, problems[0] as CrawlProblem]
      const sentence = detail
        .replaceAll(shop.url, '')
        .replace(`${at}: `, '')
        .replaceAll(/\b\d{5,}(?= bytes| of)/g, 'N')
      said[code] = { ...said[code], [at]: sentence }
    }
    expect(said).toEqual(FAILURES)
    for (const report of reports) {
      await accounted(report)
      expect(report).toMatchObject({ outcome: 'failed', complete: false, read: 0 })
    }
    expect((await everything()).map(({ type }) => type)).toEqual(faults.map(() => 'CrawlFinished'))
    expect(await standing()).toMatchObject({ observations: 0, skus: 0, parked: 0 })
    for (const folder of await readdir(crawling.crawlsDir)) {
      expect(await readdir(join(crawling.crawlsDir, folder))).toEqual([])
    }
  })

  test.each(['/slow', '/wrong-charset'])('but answers with a page without prices, as %s does, is held', async (at) => {
    const report = await crawl(document(at))
    expect(report).toMatchObject({ outcome: 'held', read: 1, appended: 0 })
    expect(codesOf(report)).toEqual(['PARSE_RATE_FELL'])
    expect(await standing()).toMatchObject({ observations: 0, parked: 0 })
  })

  test('in half of its pages is recorded as far as possible, and the others do not count as gone', async () => {
    await crawl(pages())
    clock.advance(DAY_MS)
    breakPages(shop.pages.products.slice(0, PRODUCTS / 2).map(({ path }) => path))
    const report = await crawl(pages(), { isFull: true })
    expect(report).toMatchObject({ outcome: 'recorded', complete: false, appended: PRODUCTS / 2 })
    expect(new Set(codesOf(report))).toEqual(new Set(['NOT_FETCHED']))
    expect((await past()).whole).toMatchObject({ crawl_id: 'crawl-1' })
  })

  test('to its end is recorded as far as possible, and serves as no baseline', async () => {
    const { body } = shop.pages.find('/merchant.xml') as { body: Buffer }
    shop.pages.put('/cut.xml', { contentType: 'application/xml', body: body.subarray(0, -100) })
    const report = await crawl(document('/cut.xml'))
    expect(report).toMatchObject({ outcome: 'recorded', complete: false, read: PRODUCTS, appended: PRODUCTS - 1 })
    expect(await past()).toMatchObject({ last: { crawl_id: 'crawl-1', complete: false }, whole: null, fetched: null })
  })
})

describe('a source with more than one list of one vendor', () => {
  const NORTE = sourceIdOf({ name: 'Norte', region: 'ES' })
  const SUR = sourceIdOf({ name: 'Sur', region: 'ES' })
  const columns = { source: 'shop', vendor_ref: 'sku', name: 'name', unit: 'unit', price: 'price' }
  const sources = { allow: ['Norte', 'Sur'] }
  const both = () => document('/both.csv', { mapping: { columns, sources }, currency: 'EUR' })
  /** Ten lines of each of two vendors; `unpriced` of Sur's have no price. */
  function publishBoth(unpriced: number): void {
    const linesOf = (vendor: string, from: number) =>
      Array.from({ length: 10 }, (_, n) => `${vendor};${vendor}-${n};Brick ${n};u;${n < from ? '-' : `${n + 1}.50`}`)
    const body = ['shop;sku;name;unit;price', ...linesOf('Norte', 0), ...linesOf('Sur', unpriced)].join('\n')
    shop.pages.put('/both.csv', { contentType: 'text/csv', body: `${body}\n` })
  }

  test('given a column that names vendors, then each of them and the requested source have a report', async () => {
    publishBoth(5)
    const report = await crawl(both())
    expect(report).toMatchObject({ outcome: 'recorded', read: 20, appended: 15, parked: { BAD_PRICE: 5 } })
    const finished = await eventsOf('CrawlFinished')
    const counts = finished.map(({ source_id, read, appended, parked, health }) => {
      return [source_id, { read, appended, parked, names: health?.layout.names }]
    })
    expect(Object.fromEntries(counts)).toEqual({
      shop: { read: 0, appended: 0, parked: 0, names: undefined },
      [NORTE]: { read: 10, appended: 10, parked: 0, names: 1 },
      [SUR]: { read: 10, appended: 5, parked: 5, names: 1 },
    })
    clock.advance(60_000)
    expect(await crawl(both(), { isFull: true })).toMatchObject({ outcome: 'recorded', problems: [] })
  })

  test('given vendors that nobody met or allowed, then the crawl waits for a person', async () => {
    publishBoth(0)
    const anybody = document('/both.csv', { mapping: { columns, sources: { allow: 'any' } }, currency: 'EUR' })
    const held = await crawl(anybody)
    expect(held).toMatchObject({ outcome: 'held', read: 20 })
    expect(codesOf(held)).toEqual(['NEW_SOURCES'])
    expect(await eventsOf('ObservationRecorded')).toEqual([])
    expect(await accept(await heldNow())).toMatchObject({ outcome: 'recorded', appended: 20 })
    clock.advance(60_000)
    expect(await crawl(anybody, { isFull: true })).toMatchObject({ outcome: 'recorded', problems: [] })
  })

  test('given a column that names vendors, then one decision covers everything held', async () => {
    publishBoth(0)
    await crawl(both())
    publishBoth(9)
    const held = await crawl(both(), { isFull: true })
    expect(held).toMatchObject({ outcome: 'held', read: 20, appended: 11, parked: { BAD_PRICE: 9 } })
    expect(codesOf(held)).toEqual(['PARSE_RATE_FELL', 'SKUS_VANISHED'])
    expect(await heldSourceIds(path.store)).toEqual(['shop'])
    expect(await accept(await heldNow())).toMatchObject({ outcome: 'recorded', read: 20, appended: 11 })
    expect(await heldSourceIds(path.store)).toEqual([])
    expect((await crawling.crawls(SUR)).whole).toMatchObject({ crawl_id: 'crawl-2', appended: 1, parked: 9 })
  })

  test('given spools that fill their bound together, then it is not whole and names the bound', async () => {
    const spoolTotal = new SpoolTotal(crawling.crawlsDir, 1_000)
    const report = await crawling.crawl(pages(), { instead: { spoolTotal } })
    expect(report.complete).toBe(false)
    expect(report.problems).toContainEqual({
      code: 'SPOOL_FULL',
      detail: expect.stringMatching(/^the spools of all sources exceed 1000 bytes/),
    })
  })

  test('given a few of its documents, then nothing else of it counts as missing', async () => {
    await crawl(document('/merchant.xml'))
    const some = document('/products/1.html')
    expect(await crawl(some, { isPart: true })).toMatchObject({ outcome: 'recorded', appended: 1, problems: [] })
    expect(await past()).toMatchObject({
      whole: { crawl_id: 'crawl-1' },
      last: { partial: true, health: { known: 1, vanished: 0 } },
    })
  })

  test('given a page that needs a key in its address, then the key stays private', async () => {
    const { path: at, sku } = shop.pages.products[0] as ShopProduct
    // It does not state its address, so it is recorded under the requested one.
    const body = String(shop.pages.find(at)?.body).replace(/"url":"[^"]*",/, '')
    shop.pages.put('/price.html?customer=7&token=SECRET', { body })
    const page = specOf({ kind: 'document', url: `${shop.url}/price.html?customer=7&token=SECRET`, format: 'html' })
    expect(await crawl(page)).toMatchObject({ outcome: 'recorded', appended: 1 })
    const observed = await eventsOf('ObservationRecorded')
    expect(observed).toMatchObject([{ vendor_ref: sku, url: `${shop.url}/price.html?customer=7` }])
    expect(JSON.stringify(await everything())).not.toContain('SECRET')
  })

  test('given a preview, then its first records are shown, and nothing is stored', async () => {
    const shown = await previewSource(pages(), crawling.deps(), { count: 2 })
    expect(shown.documents.map(({ name }) => name)).toHaveLength(3)
    expect(shown.problems).toEqual([])
    expect(shown.preview?.observations).toMatchObject([{ name: expect.stringMatching(/no\. \d/) }, { unit: null }])
    expect(await previewSource(document('/403'), crawling.deps(), { count: 2 })).toEqual({
      documents: [],
      problems: [{ code: 'NOT_FETCHED', detail: `${shop.url}/403: status 403, expected 200` }],
      preview: null,
    })
    expect(await everything()).toEqual([])
    expect(await readdir(crawling.crawlsDir)).toEqual([])
  })
})
