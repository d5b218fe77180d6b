import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crawlSource, type SourceCrawlOptions } from '@catalog/crawler/crawls/crawl-source.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import { openFetcher, userAgentOf } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import type { EntryPoint, SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { openRequest } from '@catalog/runtime/fetch.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import { pricesOfCrawl, readCrawls, type SourceCrawls } from '@catalog/store/vendor/crawls.ts'
import { readLicence } from '@catalog/store/vendor/sources.ts'
import { openShop, type Shop } from './shop.ts'
import { SHOP_NOW } from './shop-faults.ts'

/** Crawls of the shop in shop.ts into a store of its own, on the test's clock. */
export type Crawling = AsyncDisposable & {
  readonly path: Path
  readonly shop: Shop
  /** Holds crawls/, the folder of spools. */
  readonly folder: string
  readonly crawlsDir: string
  /** Dependencies of a source's crawl, with replacements. */
  deps: (instead?: Partial<SourceCrawlDeps>) => SourceCrawlDeps
  /** Runs crawlSource and projects the result. */
  crawl: (
    spec: SourceSpec,
    options?: SourceCrawlOptions & { instead?: Partial<SourceCrawlDeps> },
  ) => Promise<CrawlReport>
  crawls: (sourceId: string) => Promise<SourceCrawls>
}

/** The shop as a source with one entry point. */
export const specOfShop = ({ url }: Shop, entryPoint: EntryPoint, more: Partial<SourceSpec> = {}): SourceSpec => ({
  id: 'shop',
  name: 'Shop',
  region: 'ES',
  kind: 'shop',
  url,
  schedule: null,
  enabled: true,
  entryPoints: [entryPoint],
  mapping: undefined,
  pagesMax: 1_000,
  health: {},
  line: 1,
  ...more,
})

/** The shop is slow, silent and endless on purpose; tests do not wait long for that. */
const LIMITS = { stallMs: 300, answerMs: 3_000, attempts: 2 }

/** Crawl ids count up: crawl-1, crawl-2, … */
export async function openCrawling({
  clock,
  products = 40,
  path: given,
}: {
  clock: Clock
  products?: number
  /** Stays open when this ends. */
  path?: Path
}): Promise<Crawling> {
  await using opened = new AsyncDisposableStack()
  const path = given ?? opened.use(await openPath())
  const shop = opened.use(await openShop({ products, now: clock.now }))
  const { path: folder } = opened.use(await mkdtempDisposable(join(tmpdir(), 'crawling-')))
  const crawlsDir = join(folder, 'crawls')
  const request = openRequest({ allowed: ['127.0.0.1/32', '127.0.0.2/32'] })
  let begun = 0
  const crawls = async (sourceId: string) => (await readCrawls(path.store, [sourceId])).get(sourceId) as SourceCrawls
  const deps = (instead: Partial<SourceCrawlDeps> = {}): SourceCrawlDeps => ({
    // A new fetcher each time: it remembers hosts in trouble.
    fetcher: openFetcher({ request, userAgent: userAgentOf('https://catalog.example'), clock, limits: LIMITS }),
    log: path.log,
    clock,
    crawlsDir,
    now: () => new Date(clock.now()),
    newCrawlId: () => `crawl-${++begun}`,
    spoolDir: join(folder, 'spill'),
    registeredSources: (ids) => registeredSources(path.store, ids),
    pastCrawls: crawls,
    licenceOf: (sourceId) => readLicence(path.store, sourceId),
    pricesOf: (crawl) => pricesOfCrawl(path.store, crawl),
    // Nobody else sells what the shop does, unless a test says so.
    priceRatios: async () => [],
    ...instead,
  })
  const stack = opened.move()
  return {
    path,
    shop,
    folder,
    crawlsDir,
    deps,
    crawls,
    async crawl(spec, { instead, ...how } = {}) {
      const report = await crawlSource(spec, deps(instead), how)
      await path.project()
      return report
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The clock jumps when somebody sleeps, and when the test advances it. For one crawl at a time. */
export function jumpingClock(fromMs = SHOP_NOW): Clock & { advance: (ms: number) => void } {
  let nowMs = fromMs
  return {
    now: () => nowMs,
    async sleep(ms, signal) {
      // Whole milliseconds, as machine clocks count.
      const untilMs = Math.ceil(nowMs + ms)
      await new Promise(setImmediate)
      signal?.throwIfAborted()
      nowMs = Math.max(nowMs, untilMs)
    },
    advance(ms) {
      nowMs += ms
    },
  }
}
