import type { CrawlFinished } from '@catalog/core/events/crawls.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import { observation, sourceNamed } from '@catalog/stack/testing/events.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import type { Store } from '@catalog/store/db.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { heldSourceIds, insertCrawlReports, pricesOfCrawl, readCrawlSummary, readCrawls } from './crawls.ts'
import { insertObservations } from './observations.ts'
import { insertRetractions } from './retraction.ts'

const NORTH = sourceNamed('Norte').id
const SOUTH = sourceNamed('Sur').id

type Reported = Partial<Omit<CrawlFinished, 'crawl_id' | 'recorded_at' | 'started_at'>> & { started?: string }

/** A report of a day in November 2026 ("03", or "03T12" at noon). */
function report(crawl_id: string, day: string, { started, ...more }: Reported = {}): CrawlFinished {
  const at = (day: string) => `2026-11-${day.includes('T') ? day : `${day}T00`}:00:00Z`
  const content = {
    ...({ type: 'CrawlFinished', v: 1, source_id: NORTH, crawl_id, complete: true } as const),
    read: 10,
    appended: 7,
    duplicates: 2,
    parked: 1,
    ...(started && { started_at: at(started) }),
    ...more,
  }
  return { ...content, event_id: more.event_id ?? eventId(content), recorded_at: at(day) }
}

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`crawls on ${name}`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store[Symbol.asyncDispose]())
    beforeEach(() =>
      store.query(`truncate crawl_reports, retractions, vendor_skus, sources, observations, crawls, redeliveries,
        price_terms restart identity cascade`),
    )

    const placed = <E>(events: readonly E[]) =>
      events.map((event, i) => ({ event, partition: i % 2, offset: BigInt(i) }))
    const record = (...reports: readonly CrawlFinished[]) =>
      store.transaction((tx) => insertCrawlReports(tx, placed(reports)))
    const idsOf = async (sourceId = NORTH) => {
      const crawls = (await readCrawls(store, [sourceId])).get(sourceId)
      return Object.fromEntries(Object.entries(crawls ?? {}).map(([which, crawl]) => [which, crawl?.crawl_id ?? null]))
    }

    test('returns a report with all its fields', async () => {
      const problems = [{ code: 'NOT_FETCHED', detail: 'https://shop.example/a: status 500' }]
      const layout = { unit: 1, gtin: 0.25, '10': 0.000_000_1 }
      const health = { known: 9, vanished: 1, changed: 2, price_ratio: 1.02, drift: 0.5, layout }
      const of = { etag: '"a"', last_modified: 'Sun, 01 Nov 2026 00:00:00 GMT', missed: 3, problems, health }
      await record(report('c', '01T05', { ...of, outcome: 'held', partial: true, complete: false, started: '01' }))
      expect((await readCrawls(store, [NORTH])).get(NORTH)?.held).toEqual({
        crawl_id: 'c',
        source_id: NORTH,
        outcome: 'held',
        complete: false,
        partial: true,
        ...of,
        started_at: '2026-11-01T00:00:00Z',
        recorded_at: '2026-11-01T05:00:00Z',
        read: 10,
        appended: 7,
        duplicates: 2,
        parked: 1,
      })
    })

    test('a report of a crawl of files counts as recorded and whole, without misses or comparison', async () => {
      await record(report('c', '01'))
      const crawls = (await readCrawls(store, [NORTH, SOUTH])).get(NORTH)
      expect(crawls?.whole).toMatchObject({
        outcome: 'recorded',
        complete: true,
        partial: false,
        started_at: null,
        etag: null,
        last_modified: null,
        missed: 0,
        problems: [],
        health: null,
      })
      expect(await idsOf()).toEqual({ last: 'c', whole: 'c', fetched: 'c', held: null })
      expect(await idsOf(SOUTH)).toEqual({ last: null, whole: null, fetched: null, held: null })
    })

    test.each([
      ['unchanged', { outcome: 'unchanged' }, { last: 'new', whole: 'old', fetched: 'new', held: null }],
      ['failed', { outcome: 'failed', complete: false }, { last: 'new', whole: 'old', fetched: 'old', held: null }],
      ['held', { outcome: 'held' }, { last: 'new', whole: 'old', fetched: 'old', held: 'new' }],
      ['dropped', { outcome: 'dropped' }, { last: 'new', whole: 'old', fetched: 'old', held: null }],
      ['partial', { partial: true }, { last: 'new', whole: 'old', fetched: 'new', held: null }],
      ['not whole', { complete: false }, { last: 'new', whole: 'old', fetched: 'old', held: null }],
      ['missing a page', { missed: 1 }, { last: 'new', whole: 'new', fetched: 'old', held: null }],
      ['recorded', { outcome: 'recorded' }, { last: 'new', whole: 'new', fetched: 'new', held: null }],
    ] as const)(
      'chooses the newest crawls after a recorded crawl and one that is %s',
      async (_name, ended, expected) => {
        await record(report('old', '01'), report('new', '02', ended))
        expect(await idsOf()).toEqual(expected)
      },
    )

    test('a held crawl that is accepted later is as old as its bytes', async () => {
      await record(
        report('first', '02', { outcome: 'held', started: '01' }),
        report('second', '03', { outcome: 'failed', complete: false, started: '03' }),
        report('first', '05', { outcome: 'recorded', started: '01' }),
      )
      expect(await idsOf()).toEqual({ last: 'second', whole: 'first', fetched: 'first', held: null })
    })

    test('the last recorded report wins, in any order, in any batches and any number of times', async () => {
      const reports = [
        report('a', '01', {
          outcome: 'held',
          event_id: 'a1',
          started: '01',
          health: { known: 1, vanished: 0, changed: 0, layout: {} },
        }),
        report('a', '02', {
          outcome: 'recorded',
          event_id: 'a2',
          started: '01',
          problems: [{ code: 'X', detail: 'x' }],
        }),
        report('b', '03', { outcome: 'held', event_id: 'b1', missed: 1 }),
        // At equal times, the greater event id wins.
        report('b', '03', { outcome: 'dropped', event_id: 'b2', missed: 2, etag: 'e' }),
        report('a', '02', { source_id: SOUTH, event_id: 's', partial: true }),
      ]
      const rows = () => store.query(`select * from crawl_reports order by crawl_id, source_id`)
      await record(...reports)
      const expected = await rows()
      expect(expected.map(({ event_id }) => event_id).sort()).toEqual(['a2', 'b2', 's'])
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray([...reports, ...reports], { minLength: 10 }),
          fc.integer({ min: 1, max: 10 }),
          async (shuffled, batch) => {
            await store.query(`truncate crawl_reports`)
            for (let at = 0; at < shuffled.length; at += batch) await record(...shuffled.slice(at, at + batch))
            expect(await rows()).toEqual(expected)
          },
        ),
        { numRuns: 20 },
      )
    })

    test('finds the newest crawls by an index, among any number of others', async () => {
      await record(report('c', '01'), report('d', '02', { outcome: 'unchanged' }))
      await store.query(
        `insert into crawl_reports (crawl_id, source_id, event_id, outcome, complete, partial, read, appended, duplicates,
           parked, missed, problems, recorded_at)
         select 'late ' || n, $1, n, 'failed', false, false, 0, 0, 0, 0, 0, '[]', timestamptz '2026-12-01' + n * interval '1h'
         from generate_series(1, 20000) n`,
        [NORTH],
      )
      await store.query('analyze crawl_reports')
      const plans: string[] = []
      const query: Store['query'] = async (sql, parameters) => {
        plans.push(JSON.stringify(await store.query(`explain (analyze, format json) ${sql}`, parameters)))
        return store.query(sql, parameters)
      }
      const crawls = (await readCrawls({ query }, [NORTH])).get(NORTH)
      expect([crawls?.last?.crawl_id, crawls?.whole?.crawl_id, crawls?.fetched?.crawl_id]).toEqual([
        'late 20000',
        'c',
        'd',
      ])
      expect(plans[0]).toContain('crawl_reports_whole')
      expect(plans[0]).not.toMatch(/"Rows Removed by Filter":[1-9]/)
      expect(plans[0]).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"crawl_reports"/)
    })

    test('lists sources that need attention, failing and held ones first', async () => {
      const of = (source_id: string, more: Reported = {}) => ({ source_id, ...more })
      const problems = [{ code: 'NOT_FETCHED', detail: 'status 500' }]
      await record(
        report('1', '01', of('src_healthy')),
        report('2', '01', of('src_unchanged', { outcome: 'unchanged', complete: false })),
        report('3', '01', of('src_a_problem', { problems })),
        report('4', '01', of('src_broken_file', { complete: false })),
        report('5', '01', of('src_x_failing')),
        report('6', '02', of('src_x_failing', { outcome: 'failed', complete: false, problems })),
        report('7', '01', of('src_waiting', { outcome: 'held' })),
        report('8', '02', of('src_waiting', { outcome: 'unchanged' })),
        // Its problem is over.
        report('9', '01', of('src_recovered', { outcome: 'failed', problems })),
        report('10', '02', of('src_recovered')),
      )
      await store.query(
        `insert into sources (source_id, name) values ('src_waiting', 'Waiting'), ('src_x_failing', null)`,
      )
      const { trouble, ...figures } = await readCrawlSummary(store, { limit: 50 })
      expect(figures).toEqual({ sources: 7, failing: 1, held: 1, troubled: 4 })
      expect(trouble.map(({ source_id, name }) => [source_id, name])).toEqual([
        ['src_waiting', 'Waiting'],
        ['src_x_failing', 'src_x_failing'],
        ['src_a_problem', 'src_a_problem'],
        ['src_broken_file', 'src_broken_file'],
      ])
      expect(trouble[1]?.crawls).toMatchObject({ last: { crawl_id: '6', problems }, whole: { crawl_id: '5' } })
      expect(await heldSourceIds(store)).toEqual(['src_waiting'])
      const first = await readCrawlSummary(store, { limit: 1 })
      expect([first.troubled, first.trouble.map(({ source_id }) => source_id)]).toEqual([4, ['src_waiting']])
    })

    test('reports nothing before the first crawl', async () => {
      expect(await readCrawlSummary(store, { limit: 50 })).toEqual({
        sources: 0,
        failing: 0,
        held: 0,
        troubled: 0,
        trouble: [],
      })
    })

    const prices = async (crawlId: string, sourceId = NORTH) => {
      const found: unknown[] = []
      for await (const page of pricesOfCrawl(store, { sourceId, crawlId })) found.push(...page)
      return found
    }
    const shop = (ref: string, cents: number, crawl: string, more = {}) =>
      observation({ vendor: 'Norte', ref, cents, crawl, more })
    const crawled = (...events: readonly ReturnType<typeof observation>[]) =>
      store.transaction((tx) => insertObservations(tx, placed(events)))
    const price = (vendor_ref: string, cents: number) => ({
      vendor_ref,
      cents,
      currency: 'EUR',
      per_quantity: 1,
      min_quantity: null,
    })

    test('lists exactly the prices that a crawl delivered, including repeated ones', async () => {
      const bulk = { cents: 40, currency: 'USD', kind: 'net', tax: { included: null } } as const
      await crawled(
        shop('A', 100, 'c1'),
        shop('B', 200, 'c1'),
        shop('A', 100, 'c2'),
        shop('B', 210, 'c2'),
        shop('B', 0, 'c2', { price: { ...bulk, per_quantity: 1_000_000_000_000_000, min_quantity: '12.50' } }),
        observation({ vendor: 'Sur', ref: 'A', cents: 1, crawl: 'c2' }),
      )
      expect(await prices('c1')).toEqual([price('A', 100), price('B', 200)])
      const again = await prices('c2')
      expect(again).toHaveLength(3)
      expect(again).toEqual(
        expect.arrayContaining([
          price('A', 100),
          price('B', 210),
          { ...price('B', 40), currency: 'USD', per_quantity: 1e15, min_quantity: '12.5' },
        ]),
      )
      expect(await prices('c2', SOUTH)).toEqual([price('A', 1)])
      expect([await prices('c3'), await prices('c1', SOUTH), await prices('c1', "src_'none")]).toEqual([[], [], []])
    })

    test('includes prices that were retracted since', async () => {
      await crawled(shop('A', 100, 'c1'))
      const taken = { type: 'ObservationRetracted', v: 1, source_id: NORTH, reason: 'wrong' } as const
      const event = {
        ...taken,
        target: { scope: 'source' as const },
        event_id: 'r',
        recorded_at: '2027-01-01T00:00:00Z',
      }
      await store.transaction((tx) => insertRetractions(tx, placed([event])))
      expect(await store.query(`select * from hidden_observations('{}')`)).toHaveLength(1)
      expect(await prices('c1')).toEqual([price('A', 100)])
    })

    test('returns each price once, in pages of a bounded size', async () => {
      const count = 12_001
      await crawled(...Array.from({ length: 3 }, (_, i) => shop(`R${i}`, i, 'c1')))
      await store.query(
        `insert into vendor_skus (vendor_sku_id, source, vendor_ref)
         select 'vsku_' || n, 1, 'R' || n from generate_series(3, $1::int - 1) n`,
        [count],
      )
      await store.query(
        `insert into observations (observation, observation_id, sku, terms, crawl, recorded_at, observed_at, cents, payload)
         select 1000 + n, sha256(int4send(n)), sku, 1, 1, now(), now(), n, '{}'
         from generate_series(3, $1::int - 1) n join vendor_skus on vendor_ref = 'R' || n`,
        [count],
      )
      const sizes: number[] = []
      const seen = new Map<string, number>()
      for await (const page of pricesOfCrawl(store, { sourceId: NORTH, crawlId: 'c1' })) {
        sizes.push(page.length)
        for (const { vendor_ref, cents } of page) seen.set(vendor_ref, cents)
      }
      expect(sizes).toEqual([5_000, 5_000, 2_001])
      expect(seen.size).toBe(count)
      expect([...seen].every(([ref, cents]) => ref === `R${cents}`)).toBe(true)
    })
  })
}
