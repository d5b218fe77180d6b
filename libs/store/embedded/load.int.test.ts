import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { observation } from '@catalog/core/events/testing.ts'
import type { Store } from '@catalog/store/db.ts'
import { openEmbeddedTestStore } from '@catalog/store/testing.ts'
import { loadObservations } from '@catalog/store/vendor/observations.ts'
import { ensureSkus, openKnownKeys } from '@catalog/store/vendor/row-keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let store: Store
beforeAll(async () => {
  store = await openEmbeddedTestStore()
})
afterAll(() => store[Symbol.asyncDispose]())
beforeEach(() => store.query(`truncate vendor_skus, sources, price_terms, crawls, observations cascade`))

const at = (days: number) => ({
  event: observation({ vendor: 'Norte', ref: 'A', cents: 100 + days, at: `2026-01-0${days}T00:00:00Z` }),
  partition: 0,
  offset: BigInt(days),
})
const found = () =>
  store.query(`select vendor_ref, currency, crawl_id, cents from observations join vendor_skus using (sku)
    join price_terms using (terms) join crawls using (crawl) order by observation`)

describe('a load that caches keys', () => {
  test('stores the rows of a batch that was rolled back after it read its own rows', async () => {
    const known = openKnownKeys()
    const failed = store.transaction(async (tx) => {
      await loadObservations(tx, [at(1)], known)
      await loadObservations(tx, [at(2)], known)
      throw new Error('the server goes away')
    })
    await expect(failed).rejects.toThrow('goes away')
    for (const days of [1, 2, 3]) await store.transaction((tx) => loadObservations(tx, [at(days)], known))
    expect((await found()).map(({ cents }) => cents)).toEqual([101n, 102n, 103n])
    expect(known.skus.size).toBe(1)
  })

  test('names a SKU by its first observation, even after a rollback of that batch', async () => {
    const known = openKnownKeys()
    const { source, vendor_ref } = at(1).event
    const bare = { vsku: vendorSkuIdOf(source.id, vendor_ref), source_id: source.id, vendor_ref: null }
    await store.transaction((tx) => ensureSkus(tx, [bare]))
    const failed = store.transaction(async (tx) => {
      await loadObservations(tx, [at(1)], known)
      throw new Error('the server goes away')
    })
    await expect(failed).rejects.toThrow('goes away')
    await store.transaction((tx) => loadObservations(tx, [at(1)], known))
    expect((await found()).map(({ vendor_ref }) => vendor_ref)).toEqual(['A'])
  })
})
