import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readHead, readItems, readLatestPrices, readPriceHistory } from './catalog.ts'
import type { Store } from './db.ts'
import { openTestStore } from './testing.ts'

let store: Store
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await store.query(
    `truncate sources, crawls, retractions, price_points, run_marks, scope_heads, checkpoints, items cascade`,
  )
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

test('the prices of a SKU are exactly its unretracted observations at the latest instant that has one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(day, { minLength: 6, maxLength: 6 }),
      fc.array(fc.record({ observation, crawl, day }), { maxLength: 10 }),
      fc.array(retraction, { maxLength: 4 }),
      async (observedDays, deliveries, retractions) => {
        await store.query(`truncate sources, crawls, retractions, observations, redeliveries restart identity cascade`)
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
        // c1 brought every observation first.
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
        const found = await readLatestPrices(store, ['vsku_0', 'vsku_1', 'vsku_unknown'])
        expect(found.map(({ observation_id }) => observation_id)).toEqual(
          expected.map(({ observation_id }) => (observation_id as Buffer).toString('hex')),
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('a catalog without any change stands at 0, and every checkpoint of the two projections moves the head', async () => {
  const { gen, ...empty } = await readHead(store)
  expect(gen).toMatch(/^[0-9a-f]{16}$/)
  expect(empty).toEqual({ seq: 0n, checkpoints: '' })
  await store.query(`insert into scope_heads values ('items', 7, ''), ('region/ES', 9, '')`)
  await store.query(
    `insert into checkpoints values ('vendor', 'vendor.observations', 1, 5), ('items', 'catalog.items', 0, 3), ('index', 'changes', 0, 1)`,
  )
  expect(await readHead(store)).toMatchObject({
    seq: 7n,
    checkpoints: 'items/catalog.items/0/3 vendor/vendor.observations/1/5',
  })
})

test('without a finished run there is no history', async () => {
  await store.query(`insert into price_points values ('ci_a', '', '2026-11-01T00:00:00Z', 5, 'EUR')`)
  expect(await readPriceHistory(store, { itemId: 'ci_a', market: '', days: 90 })).toEqual([])
})

test('a price at the very edge is in force there once, and a gap in force at the edge begins nothing', async () => {
  await store.query(`insert into run_marks values ('run', '2026-11-20T02:00:00Z', 1, 1, 1)`)
  await store.query(
    `insert into price_points values ('ci_a', '', '2026-08-22T02:00:00Z', 5, 'EUR'), ('ci_b', '', '2026-07-01T02:00:00Z', 5, 'EUR'),
       ('ci_b', '', '2026-08-01T02:00:00Z', null, null), ('ci_b', '', '2026-11-20T02:00:00Z', 6, 'EUR')`,
  )
  const history = async (itemId: string) =>
    (await readPriceHistory(store, { itemId, market: '', days: 90 })).map(({ recorded_at, cents }) => [
      recorded_at,
      cents,
    ])
  expect(await history('ci_a')).toEqual([['2026-08-22T02:00:00Z', 5n]])
  expect(await history('ci_b')).toEqual([['2026-11-20T02:00:00Z', 6n]])
})

test('ids are ordered by their bytes, whatever the collation of the database', async () => {
  for (const [i, id] of ['ci_b', 'ci_B', 'ci_a', 'ci_Z'].entries()) {
    await store.query(
      `insert into items values ($1, 1, $2, 'active', null, '{}', '{}', '', '', 'n', 'n', null, '{}', '{}', 'run', now())`,
      [id, i],
    )
  }
  const page = async (after?: string) =>
    (
      await readItems(store, { order: 'id', after, limit: 2, region: undefined, q: undefined, priceRegion: undefined })
    ).map(({ item_id }) => item_id)
  expect(await page()).toEqual(['ci_B', 'ci_Z'])
  expect(await page('ci_Z')).toEqual(['ci_a', 'ci_b'])
})
