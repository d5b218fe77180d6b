import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CrawlFinished } from '@catalog/core/events/crawls.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { MINUTE_MS } from '@catalog/core/time.ts'
import { crawlSource } from '@catalog/crawler/crawls/crawl-source.ts'
import { lastAttemptOf } from '@catalog/crawler/crawls/past-crawls.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import { type Fetcher, openFetcher, userAgentOf } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import { followSchedule } from '@catalog/crawler/sources/scheduler.ts'
import { parseSources, type SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { BATCH_RECORDS_MAX } from '@catalog/log/log.ts'
import { openRequest } from '@catalog/runtime/fetch.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Crawling, openCrawling } from './crawling.ts'

/** Nothing waits this long while the clock stands still. */
const LONGEST_MS = 120_000
/** A Monday. */
const DAY = '2026-02-02'
const at = (time: string) => Date.parse(`${DAY}T${time.padEnd(8, ':00')}Z`)
const timeOf = (ms: number) => new Date(ms).toISOString().slice(11, 16)

const path = await pathOfFile()

const sourcesOf = (yaml: string): readonly SourceSpec[] =>
  parseSources(yaml, { place: 'catalog.sources.yaml', readMapping: () => '' }).sources

/** Events that crawls appended, in order per source. */
async function logged() {
  const events: CatalogEvent[] = []
  for (const { partition, earliest, next } of await path.log.partitions(TOPICS.observations)) {
    for (let from = earliest; from < next; ) {
      const records = await path.log.read(TOPICS.observations, partition, from, BATCH_RECORDS_MAX)
      events.push(...records.map(({ value }) => JSON.parse(value) as CatalogEvent))
      from += BigInt(records.length)
    }
  }
  return {
    crawls: events.filter((event): event is CrawlFinished => event.type === 'CrawlFinished'),
    observations: events.filter((event): event is ObservationRecorded => event.type === 'ObservationRecorded'),
  }
}
const startedMs = ({ started_at }: CrawlFinished) => Date.parse(started_at ?? '')

type PatientClock = Clock & {
  /** Stops the clock until the result is disposed. */
  begin: () => Disposable
}

/** The clock advances to the next wake-up only while everybody sleeps and nothing runs, so work takes no time. */
function patientClock(fromMs: number): PatientClock {
  let nowMs = fromMs
  let underWay = 0
  let isMoving = false
  const sleepers = new Set<{ untilMs: number; wake: () => void }>()
  function move(): void {
    if (isMoving) return
    isMoving = true
    // Run after everything that the last wake-up started.
    setImmediate(() => {
      isMoving = false
      if (underWay > 0 || sleepers.size === 0) return
      nowMs = Math.max(nowMs, Math.min(...[...sleepers].map(({ untilMs }) => untilMs)))
      for (const sleeper of sleepers) if (sleeper.untilMs <= nowMs) sleeper.wake()
      move()
    })
  }
  return {
    now: () => nowMs,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const leave = (end: () => void) => () => {
        sleepers.delete(sleeper)
        signal?.removeEventListener('abort', stop)
        end()
      }
      const sleeper = { untilMs: nowMs + ms, wake: leave(resolve) }
      const stop = leave(() => reject(signal?.reason))
      signal?.addEventListener('abort', stop)
      sleepers.add(sleeper)
      if (signal?.aborted) stop()
      move()
      return promise
    },
    begin() {
      underWay++
      let isOver = false
      return {
        [Symbol.dispose]() {
          if (isOver) return
          isOver = true
          underWay--
          move()
        },
      }
    },
  }
}

/** The span in which a host was asked. */
type Asked = { host: string; fromMs: number; untilMs: number }
/** Time until an answer begins: a third request is due before the first answer. */
const ANSWER_MS = 2_500

/** Dependencies of one process's crawls; the clock stands still while they ask, read, write and compute. */
function openProcess(clock: PatientClock, { asked, onFetched }: { asked: Asked[]; onFetched: (url: string) => void }) {
  /** For each awaited address: its answer, until that is on disk. */
  const answers = new Map<string, DisposableStack>()
  const request = openRequest({ allowed: ['127.0.0.1/32', '127.0.0.2/32'] })
  async function answered(...[url, options]: Parameters<typeof request>) {
    await clock.sleep(ANSWER_MS, options.signal)
    using answering = new DisposableStack()
    answering.use(clock.begin())
    return { response: await request(url, options), answering: answering.move() }
  }
  const fetcher = openFetcher({
    userAgent: userAgentOf('https://catalog.example/crawler'),
    clock,
    random: () => 0,
    async request(url, options) {
      const asking: Asked = { host: url.host, fromMs: clock.now(), untilMs: Number.POSITIVE_INFINITY }
      asked.push(asking)
      const { response, answering } = await answered(url, options).catch((error) => {
        asking.untilMs = clock.now()
        throw error
      })
      response.body.once('close', () => {
        asking.untilMs = clock.now()
      })
      const isLast = response.statusCode === 200 || response.statusCode === 304
      const answer = isLast ? answers.get(url.href) : undefined
      if (answer !== undefined) answer.use(answering)
      else response.body.once('close', () => answering.dispose())
      return response
    },
  })

  /** A crawl counts as running unless it waits for the fetcher or sleeps. */
  function crawlDeps(deps: SourceCrawlDeps): SourceCrawlDeps & Disposable {
    let crawl = clock.begin()
    let waits = 0
    let isOver = false
    async function waiting<Result>(work: () => Promise<Result>): Promise<Result> {
      if (waits++ === 0) crawl[Symbol.dispose]()
      try {
        return await work()
      } finally {
        if (--waits === 0 && !isOver) crawl = clock.begin()
      }
    }
    const get: Fetcher['get'] = async (url, asking) => {
      using answer = new DisposableStack()
      answers.set(url, answer)
      const fetched = await waiting(() => fetcher.get(url, asking))
      if (fetched.status === 'fetched') onFetched(url)
      return fetched
    }
    return {
      ...deps,
      fetcher: { ...fetcher, get },
      clock: { now: clock.now, sleep: (ms, signal) => waiting(() => clock.sleep(ms, signal)) },
      [Symbol.dispose]() {
        isOver = true
        crawl[Symbol.dispose]()
      },
    }
  }
  return { crawlDeps }
}

describe('a day of eight sources and a crawler that is started six times', () => {
  const yaml = (url: string, otherUrl: string) => `
sources:
  - { source: Feed, id: feed, kind: shop, schedule: "0 * * * *", entry_points: ["${url}/merchant.xml"] }
  - source: API
    id: api
    kind: shop
    schedule: "*/15 * * * *"
    entry_points: [{ api: "${url}/api/products", records: products, paging: { next: next } }]
    mapping: { columns: { vendor_ref: sku, name: name, price: price.amount, currency: price.currency } }
  - { source: Page, id: page, kind: shop, schedule: "30 4 * * *", entry_points: ["${url}/offer.html"] }
  - { source: List, id: list, kind: shop, currency: EUR, schedule: "0 3 * * 1", entry_points: ["${url}/list.csv"] }
  - { source: Forbidden, id: forbidden, kind: shop, schedule: "20 */8 * * *", entry_points: ["${url}/private/costs.html"] }
  - { source: Failing, id: failing, kind: shop, schedule: "0 */4 * * *", entry_points: ["${otherUrl}/503"] }
  - source: Pages
    id: pages
    kind: shop
    schedule: "0 */6 * * *"
    entry_points: [{ sitemap: "${url}/all.xml", include: ["/products/*"] }]
  - { source: Off, id: off, kind: shop, enabled: false, schedule: "*/5 * * * *", entry_points: ["${url}/off.csv"] }
`
  /** The same schedules, evaluated without their cron text. */
  const IS_DUE: Readonly<Record<string, (hour: number, minute: number) => boolean>> = {
    feed: (_, minute) => minute === 0,
    api: (_, minute) => minute % 15 === 0,
    page: (hour, minute) => hour === 4 && minute === 30,
    list: (hour, minute) => hour === 3 && minute === 0,
    forbidden: (hour, minute) => hour % 8 === 0 && minute === 20,
    failing: (hour, minute) => hour % 4 === 0 && minute === 0,
    pages: (hour, minute) => hour % 6 === 0 && minute === 0,
    off: () => false,
  }

  /** Each process ends at a time, or after so many product pages; the next begins later. */
  const LIVES: readonly Readonly<{ from: string; until: string | Readonly<{ products: number }> }>[] = [
    { from: '00:00', until: { products: 7 } },
    { from: '00:03', until: '02:07' },
    { from: '02:08', until: { products: 3 } },
    { from: '06:05', until: '09:50' },
    { from: '12:20', until: '16:05' },
    { from: '16:06', until: '23:59' },
  ]
  /** Times at which the shop changes these products. */
  const CHANGES: readonly (readonly [string, readonly number[]])[] = [
    ['05:30', [1, 2, 3, 4, 5, 6]],
    // After the crawl of six o'clock has read the sitemap.
    ['06:02', [11]],
    ['13:10', [9]],
  ]
  const clock = patientClock(at('00:00'))
  const lives: { fromMs: number; untilMs: number; spooled: readonly string[] }[] = []
  const asked: Asked[] = []
  const told: object[] = []
  let crawling: Crawling
  let crawls: readonly CrawlFinished[]
  let observations: readonly ObservationRecorded[]
  const crawlsOf = (source: string) => crawls.filter(({ source_id }) => source_id === source)

  beforeAll(async () => {
    await path.reset()
    crawling = await openCrawling({ clock, products: 12, path })
    const { shop } = crawling
    const sources = sourcesOf(yaml(shop.url, shop.otherUrl))
    shop.pages.put('/offer.html', { body: shop.pages.find('/products/11.html')?.body ?? '' })
    shop.pages.put('/list.csv', {
      contentType: 'text/csv',
      body: 'sku;name;price\nL-1;Sand 0-4;1.25\nL-2;Gravel;2.50\n',
    })
    const changing = CHANGES.map(async ([time, products]) => {
      await clock.sleep(at(time) - clock.now())
      const changedOn = new Date(clock.now()).toISOString()
      for (const n of products) shop.pages.change(`/products/${n}.html`, { price: `${n}.99`, changedOn })
    })
    for (const life of LIVES) await live(sources, life)
    await Promise.all(changing)
    ;({ crawls, observations } = await logged())
  }, LONGEST_MS)
  afterAll(() => crawling?.[Symbol.asyncDispose]())

  async function live(sources: readonly SourceSpec[], { from, until }: (typeof LIVES)[number]): Promise<void> {
    await clock.sleep(at(from) - clock.now())
    const ending = new AbortController()
    const { signal } = ending
    let products = 0
    const own = openProcess(clock, {
      asked,
      onFetched(url) {
        if (!new URL(url).pathname.startsWith('/products/')) return
        if (typeof until === 'object' && ++products === until.products) ending.abort()
      },
    })
    if (typeof until === 'string') void clock.sleep(at(until) - clock.now()).then(() => ending.abort())
    await followSchedule<SourceSpec>({
      clock,
      signal,
      read: async () => ({ sources }),
      async lastAttempt(id) {
        using _ = clock.begin()
        return lastAttemptOf(await crawling.crawls(id))
      },
      async crawl(spec, { signal }) {
        using deps = own.crawlDeps(crawling.deps({ signal }))
        await crawlSource(spec, deps)
        await path.project()
      },
      log: { error: (details, message) => void told.push({ message, ...details }) },
    })
    using _ = clock.begin()
    const spooled = await readdir(join(crawling.crawlsDir, 'pages'))
    lives.push({ fromMs: at(from), untilMs: clock.now(), spooled })
  }

  test('crawls each at its instants, and once for all instants without a crawler', () => {
    for (const [source, isDue] of Object.entries(IS_DUE)) {
      const expected: string[] = []
      // A source that was never crawled is due at once.
      let waits = source !== 'off'
      for (let ms = at('00:00'); ms < at('23:59'); ms += MINUTE_MS) {
        waits ||= source !== 'off' && isDue(new Date(ms).getUTCHours(), new Date(ms).getUTCMinutes())
        if (!waits || !lives.some(({ fromMs, untilMs }) => fromMs <= ms && ms < untilMs)) continue
        expected.push(timeOf(ms))
        waits = false
      }
      const begun = crawlsOf(source).map((crawl) => timeOf(startedMs(crawl)))
      expect({ source, begun }).toEqual({ source, begun: expected })
    }
    expect(new Set(crawls.map(({ crawl_id }) => crawl_id)).size).toBe(crawls.length)
    expect(told).toEqual([])
  })

  test('resumes a stopped crawl under its own id and fetches no document twice', () => {
    const stopped = [0, 2].map((life) => lives[life]?.spooled.filter((name) => name.startsWith('crawl-')))
    const [first, second] = crawlsOf('pages')
    expect(stopped).toEqual([[first?.crawl_id], [second?.crawl_id]])
    expect(timeOf(Date.parse(first?.recorded_at ?? ''))).toBe('00:03')
    expect(timeOf(Date.parse(second?.recorded_at ?? ''))).toBe('06:05')
    const visited = (from: string, until: string) =>
      crawling.shop.visits
        .filter(({ atMs }) => atMs >= at(from) && atMs < at(until))
        .map(({ path }) => path)
        .filter((path) => path.startsWith('/products/'))
        .toSorted(new Intl.Collator('en', { numeric: true }).compare)
    const products = (to: number) => Array.from({ length: to }, (_, n) => `/products/${n + 1}.html`)
    expect(visited('00:00', '06:00')).toEqual(products(12))
    expect(visited('06:00', '12:00')).toEqual(products(6))
    // Its host was left alone meanwhile.
    const paused = crawlsOf('failing').find((crawl) => timeOf(startedMs(crawl)) === '16:00')
    expect(Date.parse(paused?.recorded_at ?? '')).toBeGreaterThan(at('16:06'))
    expect(lives.at(-1)?.spooled).toEqual(['recorded-as'])
  })

  test('records a change at the next crawl, of a sitemap for a day, and nothing else', () => {
    const recorded = (source: string) =>
      crawlsOf(source)
        .filter(({ outcome = 'recorded' }) => outcome === 'recorded')
        .map((crawl) => [timeOf(startedMs(crawl)), crawl.read])
    expect(recorded('feed')).toEqual([
      ['00:00', 12],
      ['06:00', 12],
      ['07:00', 12],
      ['14:00', 12],
    ])
    expect(recorded('pages')).toEqual([
      ['00:00', 12],
      ['06:00', 6],
      ['12:20', 7],
      ['18:00', 8],
    ])
    expect(recorded('page')).toEqual([['00:00', 1]])
    for (const { crawl_id, read, appended } of crawls) {
      const ofCrawl = observations.filter((one) => one.crawl_id === crawl_id)
      expect([crawl_id, ofCrawl.length, new Set(ofCrawl.map(({ vendor_ref }) => vendor_ref)).size]).toEqual([
        crawl_id,
        appended,
        read,
      ])
    }
    for (const source of ['feed', 'api', 'pages']) {
      const centsOf = (ref: string) =>
        observations.filter((one) => one.source.id === source && one.vendor_ref === ref).map(({ price }) => price.cents)
      expect([source, centsOf('S-0009').at(0), centsOf('S-0009').at(-1)]).toEqual([source, 1433, 999])
      expect([source, centsOf('S-0011').at(0), centsOf('S-0011').at(-1)]).toEqual([source, 1707, 1199])
    }
  })

  test('reports each failure with its reason and retries at the next instant', () => {
    const { url, otherUrl } = crawling.shop
    const problems = (source: string) => [...new Set(crawlsOf(source).map((crawl) => JSON.stringify(crawl.problems)))]
    const forbidden = `${url}/private/costs.html: robots.txt forbids it to construction-cost-catalog, expected an address that it allows`
    expect(problems('forbidden')).toEqual([JSON.stringify([{ code: 'ROBOTS', detail: forbidden }])])
    const failing = `${otherUrl}/503: status 503, expected 200 (4 attempts)`
    expect(problems('failing')).toEqual([JSON.stringify([{ code: 'NOT_FETCHED', detail: failing }])])
    for (const crawl of [...crawlsOf('forbidden'), ...crawlsOf('failing')]) {
      expect(crawl).toMatchObject({ outcome: 'failed', complete: false, read: 0 })
    }
  })

  test('asks each host at most once a second, twice at once, and for nothing forbidden', () => {
    const { visits, url, otherUrl } = crawling.shop
    for (const address of [url, otherUrl]) {
      const ours = visits.filter(({ host }) => host === new URL(address).host)
      const gaps = ours.slice(1).map(({ atMs }, n) => atMs - (ours[n]?.atMs ?? 0))
      expect(ours.length).toBeGreaterThan(40)
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000)
    }
    const atOnce = asked.map(({ host, fromMs }) => {
      return asked.filter((other) => other.host === host && other.fromMs <= fromMs && fromMs < other.untilMs).length
    })
    expect(Math.max(...atOnce)).toBe(2)
    expect(visits.filter(({ path }) => path.startsWith('/private/') || path === '/off.csv')).toEqual([])
  })
})
