import { Source } from '@catalog/api/contract/contract.ts'
import { observe, testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))

/** Advances the clock first: the API sees changes after 250 ms and recounts volumes after a minute. */
async function get(url: string, { after = 60_000 }: { after?: number } = {}) {
  clock.advance(after)
  return await api.inject(url)
}

/** Builds a crawl report of a day of November 2026, at 03:00. */
const report = (crawl: string, day: string, more: Readonly<Record<string, unknown>> = {}) => {
  const fields = {
    crawl_id: crawl,
    source_id: 'src_north',
    event_id: crawl,
    outcome: 'recorded',
    complete: true,
    partial: false,
    read: 8,
    appended: 3,
    duplicates: 3,
    parked: 2,
    missed: 0,
    problems: '[]',
    recorded_at: `2026-11-${day}T03:00:00Z`,
    ...more,
  }
  return store.query(
    `insert into crawl_reports (${Object.keys(fields)}) values (${Object.keys(fields).map((_, i) => `$${i + 1}`)})`,
    Object.values(fields),
  )
}

/** The API's view of a crawl of one file. */
const plainCrawl = {
  started_at: null,
  outcome: 'recorded',
  complete: true,
  partial: false,
  read: 8,
  appended: 3,
  duplicates: 3,
  parked: 2,
  parse_rate: 0.75,
  missed: 0,
  known: null,
  vanished: null,
  changed: null,
  changed_share: null,
  drift: null,
  problems: [],
}

beforeAll(async () => {
  const source = { id: 'src_north', name: 'North', region: 'ES', url: 'https://north.example', trust_score: 80 }
  for (const [vendor_sku_id, day] of [
    ['vsku_a', '01'],
    ['vsku_a', '03'],
    ['vsku_b', '02'],
  ] as const) {
    await observe(store, { vendor_sku_id, source, observed_at: `2026-11-${day}T00:00:00Z`, cents: 100 })
  }
  await observe(store, {
    vendor_sku_id: 'vsku_c',
    source: { id: 'src_loose', name: 'Loose', region: null, url: null },
    registered: false,
    observed_at: '2026-10-01T00:00:00Z',
    cents: 5,
  })
  await store.query(`insert into sources (source_id) values ('src_silent')`)
  await report('crawl_1', '01', { read: 10, appended: 2, duplicates: 2, parked: 6 })
  await report('crawl_2', '03')
  await report('crawl_3', '04', { read: 4, appended: 0, duplicates: 0, parked: 4, complete: false })
})

test('a source shows its trust, its freshness and its last complete crawl', async () => {
  expect((await get('/v1/sources/src_north')).json()).toEqual({
    id: 'src_north',
    name: 'North',
    region: 'ES',
    url: 'https://north.example',
    kind: 'shop',
    trust_score: 80,
    validity_days: 30,
    enabled: true,
    licence: null,
    alias_of: null,
    aliases: [],
    vendor_sku_count: 2,
    observation_count: 3,
    last_observed_at: '2026-11-03T00:00:00Z',
    last_crawl: {
      ...plainCrawl,
      id: 'crawl_3',
      finished_at: '2026-11-04T03:00:00Z',
      complete: false,
      read: 4,
      appended: 0,
      duplicates: 0,
      parked: 4,
      parse_rate: 0,
    },
    last_complete_crawl: { ...plainCrawl, id: 'crawl_2', finished_at: '2026-11-03T03:00:00Z' },
    held_crawl: null,
    quality: expect.objectContaining({
      skus: 2,
      vendor_skus: 2,
      unknown_units: { count: 0, share: 0, examples: [] },
      parked: { open: 0, share: 1, reasons: [] },
      first_seen_at: '2026-11-01T00:00:00Z',
      last_seen_at: '2026-11-03T00:00:00Z',
    }),
  })
})

describe('the last crawl of a source', () => {
  const health = { known: 20, vanished: 4, changed: 2, price_ratio: 1.01, drift: 0.25, layout: { gtin: 0.5 } }
  const compared = { known: 20, vanished: 4, changed: 2, changed_share: 0.125, drift: 0.25 }
  const problems = JSON.stringify([
    { code: 'NOT_FETCHED', detail: 'http://10.0.0.7/a: status 500' },
    { code: 'NOT_FETCHED', detail: 'http://10.0.0.7/b: status 500' },
    { code: 'SKUS_VANISHED', detail: '4 of 20' },
  ])
  const nothing = { read: 0, appended: 0, duplicates: 0, parked: 0 }
  afterEach(() => store.query(`delete from crawl_reports where crawl_id = 'crawl_9'`))

  test.each([
    [
      'recorded',
      { health: JSON.stringify(health), missed: 3, problems, started_at: '2026-11-09T02:00:00Z' },
      { ...compared, missed: 3, problems: ['NOT_FETCHED', 'SKUS_VANISHED'], started_at: '2026-11-09T02:00:00Z' },
      { complete: 'crawl_9', held: null },
    ],
    ['recorded', { partial: true }, { partial: true }, { complete: 'crawl_2', held: null }],
    ['unchanged', nothing, { ...nothing, parse_rate: null }, { complete: 'crawl_2', held: null }],
    [
      'failed',
      { ...nothing, complete: false, problems },
      { ...nothing, complete: false, parse_rate: null, problems: ['NOT_FETCHED', 'SKUS_VANISHED'] },
      { complete: 'crawl_2', held: null },
    ],
    ['held', { health: JSON.stringify(health) }, compared, { complete: 'crawl_2', held: 'crawl_9' }],
    ['dropped', { health: JSON.stringify(health) }, compared, { complete: 'crawl_2', held: null }],
    [
      'recorded',
      { health: JSON.stringify({ known: 3, vanished: 3, changed: 0, layout: {} }) },
      { known: 3, vanished: 3, changed: 0, changed_share: null },
      { complete: 'crawl_9', held: null },
    ],
  ] as const)(
    'that ended as %s shows its counts and problems',
    async (outcome, fields, expected, { complete, held }) => {
      await report('crawl_9', '09', { outcome, ...fields })
      const response = await get('/v1/sources/src_north')
      const source = response.json()
      expect(source.last_crawl).toEqual({
        ...plainCrawl,
        id: 'crawl_9',
        finished_at: '2026-11-09T03:00:00Z',
        outcome,
        ...expected,
      })
      expect([source.last_complete_crawl.id, source.held_crawl]).toEqual([complete, held])
      expect(Source.parse(source)).toEqual(source)
      expect(response.body).not.toContain('10.0.0.7')
    },
  )
})

test('an unregistered source takes its fields from its observations, or its id without any', async () => {
  expect((await get('/v1/sources/src_loose')).json()).toMatchObject({
    name: 'Loose',
    region: null,
    kind: 'shop',
    trust_score: 50,
    validity_days: 30,
    enabled: true,
    vendor_sku_count: 1,
    observation_count: 1,
    last_observed_at: '2026-10-01T00:00:00Z',
    last_crawl: null,
    last_complete_crawl: null,
    held_crawl: null,
  })
  expect((await get('/v1/sources/src_silent')).json()).toMatchObject({
    name: 'src_silent',
    observation_count: 0,
    last_observed_at: null,
    last_complete_crawl: null,
  })
})

test('the list pages through every source once, by id', async () => {
  const first = await get('/v1/sources?limit=2')
  expect(first.json().sources.map(({ id }: { id: string }) => id)).toEqual(['src_loose', 'src_north'])
  const link = /<(.*)>; rel="next"/.exec(String(first.headers.link))?.[1] as string
  const second = (await get(link.replace('https://catalog.example.org', ''))).json()
  expect([second.sources.map(({ id }: { id: string }) => id), second.cursor]).toEqual([['src_silent'], null])
  expect((await get('/v1/sources?cursor=AAAA')).json().error).toBe('invalid_cursor')
  expect((await get('/v1/sources?limit=101')).json().error).toBe('invalid_parameter')
})

test('a change of trust shows at once, a new observation within a minute, and both change the ETag', async () => {
  const tag = async (after: number) => (await get('/v1/sources/src_north', { after })).headers.etag
  const before = await tag(60_000)
  await store.query(
    `insert into decisions values (1, 'TrustChanged', 'src_north', '2026-11-06T00:00:00Z', '{"trust_score":15}')`,
  )
  await observe(store, {
    vendor_sku_id: 'vsku_b',
    source: { id: 'src_north' },
    observed_at: '2026-11-06T00:00:00Z',
    cents: 5,
  })
  const trusted = (await get('/v1/sources/src_north', { after: 250 })).json()
  expect([trusted.trust_score, trusted.observation_count]).toEqual([15, 3])
  expect(await tag(0)).not.toBe(before)
  const counted = (await get('/v1/sources/src_north')).json()
  expect([counted.observation_count, counted.last_observed_at]).toEqual([4, '2026-11-06T00:00:00Z'])
})

test('the licence of a source is the one that was stated last', async () => {
  const licence = (name: string) => ({
    name,
    terms: 'free to reuse',
    url: 'https://north.example/terms',
    redistribution: 'yes',
    commercial_use: 'unknown',
    attribution: 'North',
    checked_on: '2026-11-01',
  })
  for (const [offset, name] of [
    [11, 'CC-BY-3.0'],
    [12, 'CC-BY-4.0'],
  ] as const) {
    await store.query(`insert into decisions values ($1, 'SourceLicensed', 'src_loose', $2, $3)`, [
      offset,
      `2026-11-${offset}T00:00:00Z`,
      JSON.stringify({ licence: licence(name) }),
    ])
  }
  expect((await get('/v1/sources/src_loose', { after: 60_000 })).json().licence).toEqual(licence('CC-BY-4.0'))
})

test('volumes are counted once a minute for all callers', async () => {
  let counts = 0
  const query: Store['query'] = (sql, parameters) => {
    if (sql.includes('by_sku')) counts++
    return store.query(sql, parameters)
  }
  const counting = testApi({ ...store, query }, clock)
  const urls = ['/v1/sources', '/v1/sources?limit=1', '/v1/sources/src_north', '/v1/sources/src_loose']
  await Promise.all(urls.map((url) => counting.inject(url)))
  clock.advance(59_000)
  await counting.inject('/v1/sources')
  expect(counts).toBe(1)
  clock.advance(2_000)
  await counting.inject('/v1/sources')
  expect(counts).toBe(2)
  await counting.close()
})

test.each(['src_x', '%00', 'x'.repeat(90)])('the unknown source %s answers 404', async (unknown) => {
  const response = await get(`/v1/sources/${unknown}`)
  expect([response.statusCode, response.json().error]).toEqual([404, 'source_not_found'])
})
