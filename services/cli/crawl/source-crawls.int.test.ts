import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTerminal } from '@catalog/cli/shared/terminal.ts'
import { CLOCK } from '@catalog/crawler/fetch/fetcher.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { openShop, type Shop } from '@catalog/stack/shop/shop.ts'
import { listening, openTestCatalog, type TestCatalog } from '@catalog/stack/testing/cli.ts'
import { readCrawls } from '@catalog/store/vendor/crawls.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  crawlScheduled,
  crawlSources,
  openSourceCrawler,
  previewSources,
  selectSources,
  sourcesOfUrls,
} from './source-crawls.ts'

let opened: TestCatalog
let folder: string
let catalog: Catalog
let shop: Shop
const envOf = (more: Record<string, string> = {}) =>
  readEnvironment({
    CATALOG_DATA: folder,
    CATALOG_SOURCES: join(folder, 'sources.yaml'),
    FETCH_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    ...more,
  })
beforeAll(async () => {
  opened = await openTestCatalog()
  folder = opened.folder
  catalog = opened.catalog
  shop = await openShop({ products: 5 })
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  await opened[Symbol.asyncDispose]()
})

const running = () => ({ catalog, env: envOf(), terminal: listening().terminal, signal: new AbortController().signal })
let edits = 0
function writeSources(text: string, name = 'sources.yaml'): void {
  const path = join(folder, name)
  writeFileSync(path, text)
  // Move the time on: two edits within the resolution of the file system's clock would look like one.
  utimesSync(path, new Date(), new Date(1_700_000_000_000 + 1_000 * ++edits))
}
const sourceText = (name: string, more = '') =>
  `  - { source: ${name}, kind: shop, region: ES, entry_points: ["${shop.url}/merchant.xml"]${more} }\n`

describe('the sources file', () => {
  it('given names, when sources are selected, then it returns them or lists the known ones', async () => {
    writeSources(`sources:\n${sourceText('Norte')}${sourceText('Sur', ', enabled: false')}`)
    const file = await readSources(envOf())
    expect(selectSources(file, undefined).map(({ name }) => name)).toEqual(['Norte'])
    expect(selectSources(file, ['sur']).map(({ name }) => name)).toEqual(['Sur'])
    expect(() => selectSources(file, ['Este'])).toThrow(/source 'Este': expected an id or a name: Norte .*, Sur /)
  })
})

describe('catalog crawl of the web', () => {
  it('given two crawlers on one store, when both ask one host, then they share its rate', async () => {
    const paths = ['a', 'b'].flatMap((name) => [1, 2].map((n) => join(folder, `${name}${n}`)))
    const [one, two] = [1, 2].map(() => openSourceCrawler(running(), { politeness: { perSecond: 4 } }).fetcher)
    const beganMs = performance.now()
    const fetched = await Promise.all(
      paths.map((into, n) => (n < 2 ? one : two)?.get(`${shop.url}/merchant.xml`, { into })),
    )
    expect(fetched.map((found) => found?.status)).toEqual(Array(4).fill('fetched'))
    // Each asks for robots.txt and two documents: six turns a quarter of a second apart, where two rates would take half of it.
    expect(performance.now() - beganMs).toBeGreaterThan(5 * 250 - 100)
  })

  it("given addresses, when they are crawled, then one vendor's are one partly crawled source", async () => {
    const urls = [`${shop.url}/products/1.html`, `${shop.url}/products/2.html`]
    const specs = sourcesOfUrls(urls, { source: 'Pages', region: 'ES', kind: 'net' })
    expect(specs).toHaveLength(1)
    const [report] = await crawlSources(running(), { specs, isFull: true, isPart: true })
    expect(report).toMatchObject({ outcome: 'recorded', read: 2, appended: 2, complete: true })
    const [spec] = specs
    expect((await readCrawls(catalog.store, [spec?.id as string])).get(spec?.id as string)).toMatchObject({
      last: { partial: true },
      whole: null,
    })
    const [row] = await catalog.store.query<{ kind: string }>(
      `select kind from price_terms where terms in (select terms from observations join vendor_skus using (sku)
         join sources using (source) where source_id = $1)`,
      [spec?.id],
    )
    expect(row?.kind).toBe('net')
  })

  it('given addresses, when they are previewed as JSON, then its keys are in snake case', async () => {
    const { heard, terminal } = listening()
    const specs = sourcesOfUrls([`${shop.url}/merchant.xml`], { source: 'Pages' })
    expect(await previewSources({ ...running(), terminal }, specs)).toBe(true)
    const [{ documents, preview }] = (heard.answers[0] as { inputs: Record<string, unknown>[] }).inputs as [
      Record<string, unknown>,
    ]
    expect(documents).toMatchObject([{ content_type: 'application/xml' }])
    expect(preview).toMatchObject({ figures: { records: 5, is_whole: true } })
    expect(heard.next).toBe('the same command without --preview')
    expect(JSON.stringify(heard.answers[0])).not.toMatch(/"[a-z]+[A-Z]\w*":/)
  })

  it('given no contact, when a foreign host is crawled, then it is refused before the first request', async () => {
    const specs = sourcesOfUrls(['https://shop.example/prices.csv'], {})
    await expect(crawlSources(running(), { specs, isFull: true })).rejects.toThrow(
      /CRAWL_CONTACT is not set: expected .* where shop\.example can reach you/,
    )
  })

  it('given a contact, when a shop is crawled, then the User-Agent names it', async () => {
    shop.forget()
    const env = envOf({ CRAWL_CONTACT: 'https://prices.example/bot' })
    const specs = sourcesOfUrls([`${shop.url}/merchant.xml`], { source: 'Told' })
    expect(await previewSources({ ...running(), catalog: null, env, terminal: openQuiet() }, specs)).toBe(true)
    expect(new Set(shop.visits.map(({ userAgent }) => userAgent))).toEqual(
      new Set(['construction-cost-catalog/0.1 (+https://prices.example/bot)']),
    )
  })

  it('given a schedule, when a source is added to the file, then each source is crawled once', async () => {
    const schedule = ', schedule: "0 0 1 1 *"'
    writeSources(`requests_per_second: 10\nsources:\n${sourceText('First', schedule)}`)
    const idsOf = async () => (await readSources(envOf())).sources.map(({ id }) => id)
    const [first] = await idsOf()
    const crawledBy = async (id = '') => (await readCrawls(catalog.store, [id])).get(id)?.last?.outcome
    const stopping = new AbortController()
    // Skips the ten seconds between two polls of the file.
    const clock = {
      now: CLOCK.now,
      sleep: (ms: number, signal?: AbortSignal) => CLOCK.sleep(Math.min(ms, 50), signal),
    }
    const following = crawlScheduled({ ...running(), signal: stopping.signal }, { clock })
    await vi.waitFor(async () => expect(await crawledBy(first)).toBe('recorded'), { timeout: 20_000 })
    writeSources(`requests_per_second: 10\nsources:\n${sourceText('First', schedule)}${sourceText('Second', schedule)}`)
    const [, second] = await idsOf()
    await vi.waitFor(async () => expect(await crawledBy(second)).toBe('recorded'), { timeout: 20_000 })
    stopping.abort()
    await following
    const [row] = await catalog.store.query(
      `select count(*)::int as crawls from crawl_reports where source_id = any($1)`,
      [[first, second]],
    )
    expect(row).toEqual({ crawls: 2 })
  })
})

function openQuiet() {
  return { ...openTerminal({ json: true }), answer() {} }
}
