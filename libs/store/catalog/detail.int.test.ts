import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { expect, test } from 'vitest'
import { readSkuNames } from './detail.ts'

const store = await storeOfFile()

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
