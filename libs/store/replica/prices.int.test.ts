import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSkus } from './prices.ts'

const store = await storeOfFile()

const instantAt = (day: number) => `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`
const day = fc.integer({ min: 1, max: 4 })
const observation = fc.integer({ min: 0, max: 5 })
const crawl = fc.constantFrom('c1', 'c2')
const retraction = fc.oneof(
  fc.record({ scope: fc.constant('observation'), observation }),
  fc.record({ scope: fc.constant('crawl'), crawl, source: fc.constantFrom(0, 1) }),
  fc.record({ scope: fc.constant('source'), source: fc.constantFrom(0, 1), day }),
)

test('shows exactly the unretracted observations of a SKU at the latest instant that has any, and counts all', async () => {
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
        const counts = await store.query(
          `select vendor_sku_id, count(observation)::int as observations
             from vendor_skus k left join (
               select sku, observation from observations
                where observation not in (select observation from hidden_observations('{}'))) o using (sku)
            group by vendor_sku_id order by vendor_sku_id`,
        )
        const skus = await readSkus(store, ['vsku_0', 'vsku_1', 'vsku_unknown'])
        skus.sort((a, b) => (a.vendor_sku_id < b.vendor_sku_id ? -1 : 1))
        expect(skus.map(({ vendor_sku_id, observations }) => ({ vendor_sku_id, observations }))).toEqual(counts)
        const found = skus.flatMap(({ seen }) => seen)
        expect(found.map(({ observation_id }) => observation_id)).toEqual(
          expected.map(({ observation_id }) => (observation_id as Buffer).toString('hex')),
        )
      },
    ),
    { numRuns: 60 },
  )
})
