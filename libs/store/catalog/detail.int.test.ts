import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { readHistory, readItemDetail, readSkuNames } from './detail.ts'

const store = await storeOfFile()
beforeEach(async () => {
  await store.query(
    `truncate sources, vendor_skus, crawls, observations, retractions, price_points, run_marks, items cascade`,
  )
  for (const id of ['ci_a', 'ci_b']) {
    await store.query(
      `insert into items values ($1, 1, 1, 'active', null, '{}', '{}', '', '', 'n', 'n', null,
         '{vsku_0,vsku_1,vsku_unknown}', '{}', 'run', now())`,
      [id],
    )
  }
})

const instantAt = (day: number) => `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`
const day = fc.integer({ min: 1, max: 4 })
const observation = fc.integer({ min: 0, max: 5 })
const crawl = fc.constantFrom('c1', 'c2')
const retraction = fc.oneof(
  fc.record({ scope: fc.constant('observation'), observation }),
  fc.record({ scope: fc.constant('crawl'), crawl, source: fc.constantFrom(0, 1) }),
  fc.record({ scope: fc.constant('source'), source: fc.constantFrom(0, 1), day }),
)

test('shows exactly the unretracted observations of a SKU at the latest instant that has any', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(day, { minLength: 6, maxLength: 6 }),
      fc.array(fc.record({ observation, crawl, day }), { maxLength: 10 }),
      fc.array(retraction, { maxLength: 4 }),
      async (observedDays, deliveries, retractions) => {
        await store.query(
          `truncate sources, vendor_skus, crawls, retractions, observations, redeliveries restart identity cascade`,
        )
        await store.query(`insert into sources (source_id) values ('src_0'), ('src_1')`)
        await store.query(`insert into vendor_skus (vendor_sku_id, source) values ('vsku_0', 1), ('vsku_1', 2)`)
        await store.query(`insert into crawls (crawl_id) values ('c1'), ('c2')`)
        await store.query(
          `with terms as (
             insert into price_terms (terms_key, currency, per_quantity, kind) values ('EUR', 'EUR', 1, 'list')
             on conflict (terms_key) do update set kind = excluded.kind returning terms
           )
           insert into observations (observation, observation_id, sku, terms, crawl, recorded_at, observed_at, cents, payload)
           select n, decode(lpad(n::text, 2, '0'), 'hex'), 1 + n % 2, terms, 1, at::timestamptz, at::timestamptz, n,
             '{"source":{"name":"S"}}'
             from unnest($1::text[]) with ordinality as o (at, place) cross join terms, lateral (select place::int - 1 as n) p`,
          [observedDays.map(instantAt)],
        )
        // Crawl c1 delivered every observation first.
        for (const { observation, crawl, day } of deliveries.filter(({ crawl }) => crawl !== 'c1')) {
          await store.query(
            `insert into redeliveries select $1, crawl, 0, 0, $3 from crawls where crawl_id = $2 on conflict do nothing`,
            [observation, crawl, instantAt(day)],
          )
        }
        for (const [i, retracted] of retractions.entries()) {
          await store.query(`insert into retractions values ($1, $2, $3, decode($4, 'hex'), $5, 'wrong', 0, 0, $6)`, [
            String(i),
            retracted.scope,
            `src_${'source' in retracted ? retracted.source : retracted.observation % 2}`,
            'observation' in retracted ? `0${retracted.observation}` : null,
            'crawl' in retracted ? retracted.crawl : null,
            instantAt('day' in retracted ? retracted.day : 1),
          ])
        }
        const expected = await store.query(
          `select o.observation_id, k.vendor_sku_id from observations o join vendor_skus k using (sku)
            where o.observation not in (select observation from hidden_observations('{}'))
              and o.observed_at = (select max(p.observed_at) from observations p where p.sku = o.sku
                and p.observation not in (select observation from hidden_observations('{}')))
            order by k.vendor_sku_id, o.observation_id`,
        )
        const found = await readItemDetail(store, { itemId: 'ci_a', days: 90 })
        expect(found?.seen.map(({ observation_id }) => observation_id)).toEqual(
          expected.map(({ observation_id }) => (observation_id as Buffer).toString('hex')),
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('shows no history before a finished run', async () => {
  await store.query(`insert into price_points values ('ci_a', '', '2026-11-01T00:00:00Z', 5, 'EUR')`)
  expect((await readItemDetail(store, { itemId: 'ci_a', days: 90 }))?.history).toEqual([])
})

test('shows a price at the exact start once, and no entry for a gap in force at the start', async () => {
  await store.query(`insert into run_marks values ('run', '2026-11-20T02:00:00Z', 1, 1, 1)`)
  await store.query(
    `insert into price_points values ('ci_a', '', '2026-08-22T02:00:00Z', 5, 'EUR'), ('ci_b', '', '2026-07-01T02:00:00Z', 5, 'EUR'),
       ('ci_b', '', '2026-08-01T02:00:00Z', null, null), ('ci_b', '', '2026-11-20T02:00:00Z', 6, 'EUR')`,
  )
  const history = async (itemId: string) =>
    (await readItemDetail(store, { itemId, days: 90 }))?.history.map(({ recorded_at, cents }) => [recorded_at, cents])
  expect(await history('ci_a')).toEqual([['2026-08-22T02:00:00Z', 5]])
  expect(await history('ci_b')).toEqual([['2026-11-20T02:00:00Z', 6]])
})

describe('the history', () => {
  const MARCH = '2026-03-01T00:00:00Z'
  const JUNE = '2026-06-01T00:00:00Z'
  beforeEach(async () => {
    await store.query(
      `insert into price_points values ('ci_a', '', '2026-01-01T00:00:00Z', 1, 'EUR'), ('ci_a', '', $1, 3, 'EUR'),
         ('ci_a', '', '2026-05-01T00:00:00Z', null, null), ('ci_a', '', $2, 6, 'EUR'), ('ci_a', 'ES', $2, 60, 'EUR')`,
      [MARCH, JUNE],
    )
  })
  const months = async (asked: { from?: string; to?: string; after?: string; limit?: number; priceRegion?: string }) =>
    (await readHistory(store, { itemId: 'ci_a', limit: 10, ...asked }))?.points.map(({ recorded_at, cents }) => [
      recorded_at.slice(5, 10),
      cents,
    ])

  test('shows every change and gap of the headline or of one market', async () => {
    expect(await months({})).toEqual([
      ['01-01', 1],
      ['03-01', 3],
      ['05-01', null],
      ['06-01', 6],
    ])
    expect(await months({ priceRegion: 'ES' })).toEqual([['06-01', 60]])
    expect(await months({ priceRegion: 'GB' })).toEqual([])
  })

  test('of a range begins with the value in force, dated at its start, and includes both ends', async () => {
    expect(await months({ from: '2026-02-01T00:00:00Z', to: MARCH })).toEqual([
      ['02-01', 1],
      ['03-01', 3],
    ])
    expect(await months({ from: MARCH, to: '2026-05-30T00:00:00Z' })).toEqual([
      ['03-01', 3],
      ['05-01', null],
    ])
    expect(await months({ from: '2026-05-15T00:00:00Z', to: '2026-05-20T00:00:00Z' })).toEqual([['05-15', null]])
    expect(await months({ from: '2025-05-15T00:00:00Z', to: '2025-05-20T00:00:00Z' })).toEqual([])
  })

  test('continues after a page, without repeating the value in force', async () => {
    const from = '2026-02-01T00:00:00Z'
    expect(await months({ from, limit: 1 })).toEqual([['02-01', 1]])
    expect(await months({ from, limit: 2, after: from })).toEqual([
      ['03-01', 3],
      ['05-01', null],
    ])
    expect(await months({ from, after: JUNE })).toEqual([])
  })

  test('is undefined for an unknown item, and empty for one without prices', async () => {
    expect(await readHistory(store, { itemId: 'ci_x', limit: 1 })).toBeUndefined()
    expect(await readHistory(store, { itemId: 'ci_b', limit: 1 })).toEqual({ item_id: 'ci_b', points: [] })
  })
})

test('names a SKU as its latest observation does, and an observation as it does itself', async () => {
  await store.query(`insert into sources (source_id, name) values ('src_n', 'North')`)
  await store.query(`insert into sources (source_id) values ('src_m')`)
  const skus = await store.query<{ sku: number }>(
    `insert into vendor_skus (vendor_sku_id, source, vendor_ref)
     select 'vsku_' || source_id, source, 'ref' from sources order by source returning sku`,
  )
  for (const [i, name] of ['Old', 'New', 'Unregistered'].entries()) {
    const payload = JSON.stringify({ name, source: { name: 'Said' } })
    await store.query(
      `insert into observations (observation, observation_id, sku, terms, crawl, recorded_at, observed_at, cents, payload)
       values ($1, decode($2, 'hex'), $3, 1, 1, now(), $4, 1, $5)`,
      [i, `0${i}`.repeat(32), skus[i < 2 ? 0 : 1]?.sku, `2026-0${i + 1}-01T00:00:00Z`, payload],
    )
  }
  const names = await readSkuNames(store, {
    skuIds: ['vsku_src_n', 'vsku_src_m', 'vsku_x'],
    observationIds: ['00'.repeat(32), 'ff'.repeat(32)],
  })
  const rows = [...names].map(([asked, { name, source_name, vendor_ref }]) => [asked, name, source_name, vendor_ref])
  expect(rows.sort()).toEqual([
    ['00'.repeat(32), 'Old', 'North', 'ref'],
    ['vsku_src_m', 'Unregistered', 'Said', 'ref'],
    ['vsku_src_n', 'New', 'North', 'ref'],
  ])
})
