import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { RecipeRecorded } from '@catalog/core/events/recipes.ts'
import { observation } from '@catalog/stack/testing/events.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertObservations } from './observations.ts'
import { insertRecipes, readLinkedItems, readRecipes } from './recipes.ts'
import { insertRetractions } from './retraction.ts'

const store = await storeOfFile()
beforeEach(() =>
  store.query(`truncate recipes, recipe_deliveries, retractions, vendor_skus, sources, observations, crawls, redeliveries,
    memberships, item_keys, items, item_markets restart identity cascade`),
)

const BANK = { id: 'src_bank', name: 'Price bank', region: 'ES', url: null }

type Said = { ref?: string; at?: string; price?: string; crawl?: string; recordedAt?: string; position?: string }

/** A recipe as crawls report it: fields that differ between crawls are not part of its id. */
function recipe({
  ref = 'A',
  at = '2026-01-01',
  price = '1',
  crawl = 'c1',
  recordedAt = '2026-02-01',
  position = 'f 1',
}: Said = {}) {
  const event: RecipeRecorded = {
    type: 'RecipeRecorded',
    v: 1,
    event_id: `${ref} ${at} ${price}`,
    recorded_at: `${recordedAt}T00:00:00Z`,
    source: BANK,
    vendor_ref: ref,
    unit: 'u',
    declared_price: price,
    currency: 'EUR',
    components: [
      { position: 1, kind: 'material', vendor_ref: 'M', name: 'm', unit: 'kg', factor: '1', yield: '1', price },
    ],
    observed_at: `${at}T00:00:00Z`,
    crawl_id: crawl,
    position,
  }
  return event
}

const record = (...events: readonly RecipeRecorded[]) =>
  store.transaction((tx) =>
    insertRecipes(
      tx,
      events.map((event, i) => ({ event, partition: 0, offset: BigInt(i) })),
    ),
  )

const retract = (target: { scope: 'crawl'; crawl_id: string } | { scope: 'source' }, recordedAt = '2026-03-01') =>
  store.transaction((tx) =>
    insertRetractions(tx, [
      {
        event: {
          type: 'ObservationRetracted',
          v: 1,
          event_id: JSON.stringify([target, recordedAt]),
          recorded_at: `${recordedAt}T00:00:00Z`,
          source_id: BANK.id,
          target,
          reason: 'wrong',
        },
        partition: 0,
        offset: 0n,
      },
    ]),
  )

const skuA = vendorSkuIdOf(BANK.id, 'A')
const priceOf = async (at?: string) =>
  (await readRecipes(store, { skuIds: [skuA], at })).recipes.get(skuA)?.recipe.declared_price ?? null

describe('recipes', () => {
  test('give the same rows in any order, in any batches and any number of times', async () => {
    const events = [
      recipe(),
      recipe({ crawl: 'c2', recordedAt: '2026-02-02', position: 'f 9' }),
      recipe({ position: 'f 2' }),
      recipe({ at: '2026-01-05', price: '2', crawl: 'c2', recordedAt: '2026-02-02' }),
      recipe({ ref: 'B' }),
    ]
    const rows = async () => [
      await store.query(
        `select recipe_id, payload, vendor_sku_id from recipes join vendor_skus using (sku) order by 1`,
      ),
      await store.query(`select * from recipe_deliveries order by recipe_id, crawl_id`),
    ]
    await record(...events)
    const expected = await rows()
    expect(expected[1]).toHaveLength(4)
    expect(expected[1]?.[0]).toMatchObject({ crawl_id: 'c1', position: 'f 1' })
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...events, ...events], { minLength: 10 }),
        fc.integer({ min: 1, max: 10 }),
        async (shuffled, batch) => {
          await store.query(`truncate recipes, recipe_deliveries, vendor_skus, sources restart identity cascade`)
          for (let at = 0; at < shuffled.length; at += batch) await record(...shuffled.slice(at, at + batch))
          expect(await rows()).toEqual(expected)
        },
      ),
      { numRuns: 15 },
    )
  })

  test('of a SKU are chosen by date, then by the last recording', async () => {
    await record(
      recipe({ at: '2026-01-01', price: '1' }),
      recipe({ at: '2026-01-05', price: '2', recordedAt: '2026-02-02' }),
      recipe({ at: '2026-01-05', price: '3', recordedAt: '2026-02-03', crawl: 'c2' }),
    )
    expect(await priceOf()).toBe('3')
    expect(await priceOf('2026-01-04T00:00:00Z')).toBe('1')
    expect(await priceOf('2025-12-31T00:00:00Z')).toBeNull()
    // The earlier recipe comes again: it is the present one.
    await record(recipe({ at: '2026-01-05', price: '2', recordedAt: '2026-02-09', crawl: 'c3', position: 'g 7' }))
    expect(await priceOf()).toBe('2')
    const found = (await readRecipes(store, { skuIds: [skuA, skuA, 'vsku_none'] })).recipes.get(skuA)
    expect(found).toMatchObject({
      recipe_id: 'A 2026-01-05 2',
      position: 'g 7',
      recorded_at: '2026-02-09T00:00:00Z',
      source_id: BANK.id,
      source_name: 'Price bank',
      source_region: 'ES',
      trust_score: 50,
    })
  })

  test('disappear when every crawl is retracted, and stay when a later crawl delivered them', async () => {
    await record(recipe({ price: '1' }), recipe({ at: '2026-01-05', price: '2' }))
    await record(recipe({ price: '1', crawl: 'c2', recordedAt: '2026-04-01' }))
    await retract({ scope: 'crawl', crawl_id: 'c1' })
    expect(await priceOf()).toBe('1')
    await retract({ scope: 'source' }, '2026-03-31')
    expect(await priceOf()).toBe('1')
    await retract({ scope: 'source' }, '2026-04-01')
    expect(await priceOf()).toBeNull()
  })

  test('beyond the size limit are left out from the end, and the result says so', async () => {
    const refs = ['A', 'B', 'C']
    await record(...refs.map((ref) => recipe({ ref })))
    const skuIds = refs.map((ref) => vendorSkuIdOf(BANK.id, ref))
    const all = await readRecipes(store, { skuIds })
    expect([all.recipes.size, all.isWhole]).toEqual([3, true])
    const some = await readRecipes(store, { skuIds, bytesMax: all.bytes - 1 })
    expect([[...some.recipes.keys()], some.isWhole, some.bytes]).toEqual([skuIds.slice(0, 2), false, all.bytes])
  })

  test('carry the registered name of their source', async () => {
    await record(recipe())
    await store.query(`update sources set registered_offset = 0, name = 'Bank', region = null, trust_score = 80`)
    expect((await readRecipes(store, { skuIds: [skuA] })).recipes.get(skuA)).toMatchObject({
      source_name: 'Bank',
      source_region: null,
      trust_score: 80,
    })
  })
})

test('links components with the active items of their SKUs', async () => {
  const seen = observation({ ref: 'M', cents: 100 })
  await store.transaction((tx) => insertObservations(tx, [{ event: seen, partition: 0, offset: 0n }]))
  const skuId = vendorSkuIdOf(seen.source.id, 'M')
  await store.query(`insert into item_keys (item_id, founder, founding_n) select 'ci_m', sku, 0 from vendor_skus`)
  await store.query(`insert into memberships select sku, item, source from vendor_skus, item_keys`)
  const linked = async () =>
    (await readLinkedItems(store, { skuIds: [skuId, 'vsku_none'], priceRegion: 'ES' })).get(skuId)
  // Matched, and not yet published.
  expect(await linked()).toBeUndefined()
  await store.query(
    `insert into items (item_id, version, seq, state, public_state, item_json, state_sha, material_sha, name,
       vendor_sku_ids, basis, run_id, as_of)
     values ('ci_m', 1, 1, 'active', '{}', '{"id":"ci_m"}', '', '', 'm', '{}', '{}', 'run', now())`,
  )
  await store.query(`insert into item_markets values ('ci_m', 'ES', '{"cents":5}')`)
  const published = { item_id: 'ci_m', item_json: '{"id":"ci_m"}', median_json: '{"cents":5}', basis: '{}' }
  const expected = { vendor_sku_id: skuId, ...published }
  expect(await linked()).toEqual({ ...expected, names_json: null })
  await store.query(`update items set public_state = '{"names":[{"name":"m","lang":"es"}]}'`)
  expect(await linked()).toEqual({ ...expected, names_json: '[{"lang": "es", "name": "m"}]' })
  await store.query(`update items set state = 'merged'`)
  expect(await linked()).toBeUndefined()
})
