import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { observation } from '@catalog/stack/testing/events.ts'
import { openEmbeddedTestStore } from '@catalog/stack/testing/store.ts'
import type { Store } from '@catalog/store/db.ts'
import { insertObservations, loadObservations } from '@catalog/store/vendor/observations.ts'
import { ensureSkus, openKnownKeys, openMemory } from '@catalog/store/vendor/row-keys.ts'
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

describe('a memory of the tables', () => {
  const events = (...vendors: readonly string[]) =>
    vendors.map((vendor, i) => ({ event: observation({ vendor }), partition: 0, offset: BigInt(i) }))
  const names = async () => {
    const rows = await store.query<{ payload: string; id: string }>(
      'select payload, source_id as id from observations join vendor_skus using (sku) join sources using (source)',
    )
    return rows.map(({ payload, id }) => JSON.parse(payload).source.id === id)
  }

  test('begins anew with other tables', async () => {
    const memory = openMemory()
    const insert = (records: ReturnType<typeof events>) =>
      store.transaction(async (tx) => insertObservations(tx, records, await memory(tx)))
    await insert(events('Norte', 'Sur'))
    // Found in the store, so remembered.
    await insert(events('Norte', 'Sur'))
    await store.query('truncate sources, vendor_skus, price_terms, crawls, observations restart identity cascade')
    await insert(events('Sur', 'Norte'))
    expect(await names()).toEqual([true, true])
  })

  test('looks deliveries up once an insert met one, and for some batches after it', async () => {
    const memory = openMemory()
    const left: number[] = []
    for (const [i, crawl] of ['a', 'b', 'c'].entries()) {
      const records = [{ event: observation({ vendor: 'Norte', crawl }), partition: 0, offset: BigInt(i) }]
      await store.transaction(async (tx) => {
        const remembered = await memory(tx)
        await insertObservations(tx, records, remembered)
        left.push(remembered.lookUps.left)
      })
    }
    expect([left[0], left[1] === left[2]]).toEqual([0, true])
    expect(left[1]).toBeGreaterThan(0)
    expect(await store.query('select crawl_id from deliveries join crawls using (crawl) order by 1')).toEqual(
      ['a', 'b', 'c'].map((crawl_id) => ({ crawl_id })),
    )
  })
})
