import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CrawlFinished, RecordParked } from '@catalog/core/events/crawls.ts'
import { parseEvent } from '@catalog/core/events/events.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { Topic } from '@catalog/core/events/topics.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { crawlSource } from '@catalog/crawler/crawls/crawl-source.ts'
import type { PastCrawl } from '@catalog/crawler/crawls/past-crawls.ts'
import { type FetchLimits, openFetcher, userAgentOf } from '@catalog/crawler/fetch/fetcher.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import type { EntryPoint, SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { type GuardedRequest, openRequest } from '@catalog/runtime/fetch.ts'
import { jumpingClock } from '@catalog/stack/shop/crawling.ts'
import { openShopServer, type Routes, SHOP_ADDRESS, type ShopServer } from './shop-server.ts'

/** What a crawl of the shop made of its behaviour. */
export type Crawled = Readonly<{
  report: CrawlReport
  observations: readonly ObservationRecorded[]
  parked: readonly RecordParked[]
  visits: ShopServer['visits']
  innerVisits: ShopServer['innerVisits']
  fill: ShopServer['fill']
}>

/** A fault of the crawler that a test plants: every request goes through it. */
export type Plant = (request: GuardedRequest) => GuardedRequest

export type CrawlOptions = Readonly<{
  routes: Routes
  /** Addresses may hold the placeholders of ShopServer. */
  entry: EntryPoint
  spec?: Partial<SourceSpec>
  limits?: Partial<FetchLimits>
  /** Crawls of the source, one after the other, each with what the earlier ones left; the last one is reported. */
  crawls?: number
  /** Instead of the network: for what a plain server cannot show, such as TLS. */
  request?: GuardedRequest
  plant?: Plant | undefined
}>

const MIB = 1024 ** 2
/** Some shops are slow or endless on purpose; the judge waits shortly for them. */
const LIMITS = { stallMs: 1_000, answerMs: 3_000, attempts: 3, bytesMax: 2 * MIB, decodedBytesMax: 16 * MIB }
const SHOP = { id: 'shop', name: 'Shop' }
/** One record decides nothing about a shop: no crawl is held for its health. */
const ANY_HEALTH = {
  parseRateMin: 0,
  parseRateFall: 1,
  vanishedMax: 1,
  changedMax: 1,
  priceRatioMax: 1_000_000,
  driftMax: 1,
}

/** Crawls a source as `catalog crawl --scheduled` does, from its entry point to the log, on a clock that jumps. */
export async function crawlShop(options: CrawlOptions): Promise<Crawled> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'judge-behaviours-'))
  const clock = jumpingClock()
  await using shop = await openShopServer(options.routes, clock.now)
  const network = openRequest({ allowed: [`${SHOP_ADDRESS}/32`], lookup: shop.lookup })
  const request = (options.plant ?? ((one) => one))(options.request ?? network)
  const events: ReturnType<typeof parseEvent>[] = []
  const spec = specOf(JSON.parse(shop.fill(JSON.stringify(options.entry))), options.spec)
  let report: CrawlReport | null = null
  for (let at = 1; at <= (options.crawls ?? 1); at++) {
    const past = pastCrawls(events)
    events.length = 0
    report = await crawlSource(spec, {
      fetcher: openFetcher({
        request,
        userAgent: userAgentOf('https://catalog.example'),
        clock,
        random: () => 0,
        limits: { ...LIMITS, ...options.limits },
      }),
      log: {
        async append(topic: Topic, records: readonly { value: string }[]) {
          for (const { value } of records) events.push(parseEvent(topic, JSON.parse(value)))
        },
      },
      clock,
      crawlsDir: join(folder.path, 'crawls'),
      now: () => new Date(clock.now()),
      newCrawlId: () => `crawl-${at}`,
      spoolDir: join(folder.path, 'spill'),
      registeredSources: async () => new Set(),
      pastCrawls: async () => past,
      licenceOf: async () => null,
      pricesOf: async function* () {},
      priceRatios: async () => [],
    })
  }
  return {
    report: report as CrawlReport,
    observations: events.filter((event) => event.type === 'ObservationRecorded'),
    parked: events.filter((event) => event.type === 'RecordParked'),
    visits: shop.visits,
    innerVisits: shop.innerVisits,
    fill: shop.fill,
  }
}

function specOf(entry: EntryPoint, more: Partial<SourceSpec> = {}): SourceSpec {
  return {
    ...SHOP,
    region: 'ES',
    kind: 'shop',
    url: 'https://shop.example',
    schedule: null,
    enabled: true,
    entryPoints: [entry],
    mapping: undefined,
    pagesMax: 100,
    health: ANY_HEALTH,
    line: 1,
    ...more,
  }
}

/** The past as the read models hold it after one crawl that was recorded whole. */
function pastCrawls(events: readonly ReturnType<typeof parseEvent>[]) {
  const finished = events.find((event): event is CrawlFinished => event.type === 'CrawlFinished')
  if (finished === undefined) return { last: null, whole: null, fetched: null, held: null }
  const { source_id, crawl_id, complete, recorded_at, read, appended, duplicates, parked } = finished
  const past: PastCrawl = {
    source_id,
    crawl_id,
    outcome: finished.outcome ?? 'recorded',
    complete,
    started_at: finished.started_at ?? null,
    recorded_at,
    etag: finished.etag ?? null,
    last_modified: finished.last_modified ?? null,
    read,
    appended,
    duplicates,
    parked,
    health: finished.health ?? null,
  }
  return { last: past, whole: past, fetched: past, held: null }
}

/**
 * A crawl in one line: "A 1.50 EUR" for each price, "parked REASON", "problem CODE", "2 forbidden", "unchanged"; "nothing" for
 * none of these.
 */
export function summaryOf({ report, observations, parked }: Crawled): string {
  const parts = [
    ...observations.map(priceOf).toSorted(),
    ...counted(parked.map(({ reason }) => `parked ${reason}`)),
    ...counted(report.problems.map(({ code }) => `problem ${code}`)),
    ...(report.forbidden > 0 ? [`${report.forbidden} forbidden`] : []),
    ...(report.outcome === 'unchanged' ? ['unchanged'] : []),
  ]
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function priceOf({ vendor_ref, price }: ObservationRecorded): string {
  const digits = exponentOf(price.currency) ?? 0
  const amount = (price.cents / 10 ** digits).toFixed(digits)
  return `${vendor_ref} ${amount} ${price.currency}${price.per_quantity === 1 ? '' : ` for ${price.per_quantity}`}`
}

/** Equal texts once, with their number: "parked NO_PRICE ×2". */
function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts.toSorted()) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} ×${count}`))
}
