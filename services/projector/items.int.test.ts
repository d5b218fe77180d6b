import { canonicalJson } from '@catalog/core/digest.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { LogRecord } from '@catalog/log/log.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeEach, expect, test } from 'vitest'
import { itemsProjection } from './items.ts'
import { applyBatch } from './pump.ts'

const store = await storeOfFile()
beforeEach(async () => {
  await store.query(
    `truncate checkpoints, items, item_regions, item_markets, price_points, categories, changes, change_scopes,
       scope_heads restart identity`,
  )
})

const night = (day: number) => `2026-01-0${day}T00:00:00Z`
const median = (cents: number, day: number, currency = 'EUR') =>
  canonicalJson({ cents, currency, recorded_at: night(day) })

/** The events of one item, each with the median before the change; null: no median, undefined: no change. */
const history = [
  [{ cents: 100, version: 1, asOf: night(1) }, null],
  [{ cents: 100, version: 2, asOf: night(2), observations: 9 }, undefined],
  [{ cents: 120, version: 3, asOf: night(3) }, median(100, 1)],
  [{ cents: null, version: 4, asOf: night(4) }, median(120, 3)],
  [{ cents: 90, version: 5, asOf: night(5), currency: 'USD' }, null],
  [{ cents: 90, version: 6, asOf: night(6), currency: 'USD', state: 'gone' as const }, median(90, 5, 'USD')],
] as const

test.each([1, 2, 6])('stores the former median with a change, in batches of %i', async (batch) => {
  const events = history.map(([said]) => published({ id: 'ci_a', ...said }))
  const records: LogRecord[] = events.map((event, i) => ({
    topic: TOPICS.items,
    partition: 0,
    offset: BigInt(i),
    key: 'k',
    value: JSON.stringify(event),
  }))
  for (let from = 0; from < records.length; from += batch) {
    await applyBatch({ store, projection: itemsProjection }, records.slice(from, from + batch))
  }
  const rows = await store.query<{ former: string | null }>(`select former_median as former from changes order by seq`)
  const expected = history.flatMap(([, former]) => (former === undefined ? [] : [former]))
  expect(rows.map(({ former }) => former)).toEqual(expected)
})
