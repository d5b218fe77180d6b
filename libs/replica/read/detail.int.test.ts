import { catalogOf } from '@catalog/stack/store/replica.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { readHistory, readItemDetail } from './detail.ts'

const store = await storeOfFile()
beforeEach(async () => {
  await store.query(
    `truncate sources, vendor_skus, crawls, observations, retractions, price_points, run_marks, items cascade`,
  )
  for (const id of ['ci_a', 'ci_b']) {
    await store.query(
      `insert into items values ($1, 1, 1, 'active', null, $2, '{}', '', '', 'n', null,
         '{vsku_0,vsku_1,vsku_unknown}', '{}', 'run', now())`,
      [
        id,
        JSON.stringify({
          item: { id, name: 'n', category_id: null, unit: null, cpv: null, updated_at: '2026-11-20T12:00:00Z' },
          markets: [],
          regions: [],
        }),
      ],
    )
  }
})

test('shows no history before a finished run', async () => {
  await store.query(`insert into price_points values ('ci_a', '', '2026-11-01T00:00:00Z', 5, 'EUR')`)
  expect(readItemDetail(await catalogOf(store), { itemId: 'ci_a', days: 90 })?.history).toEqual([])
})

test('shows a price at the exact start once, and no entry for a gap in force at the start', async () => {
  await store.query(`insert into run_marks values ('run', '2026-11-20T02:00:00Z', 1, 1, 1)`)
  await store.query(
    `insert into price_points values ('ci_a', '', '2026-08-22T02:00:00Z', 5, 'EUR'), ('ci_b', '', '2026-07-01T02:00:00Z', 5, 'EUR'),
       ('ci_b', '', '2026-08-01T02:00:00Z', null, null), ('ci_b', '', '2026-11-20T02:00:00Z', 6, 'EUR')`,
  )
  const tables = await catalogOf(store)
  const history = (itemId: string) =>
    readItemDetail(tables, { itemId, days: 90 })?.history.map(({ recorded_at, cents }) => [recorded_at, cents])
  expect(history('ci_a')).toEqual([['2026-08-22T02:00:00Z', 5]])
  expect(history('ci_b')).toEqual([['2026-11-20T02:00:00Z', 6]])
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
    readHistory(await catalogOf(store), { itemId: 'ci_a', limit: 10, ...asked })?.points.map(
      ({ recorded_at, cents }) => [recorded_at.slice(5, 10), cents],
    )

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
    expect(readHistory(await catalogOf(store), { itemId: 'ci_x', limit: 1 })).toBeUndefined()
    expect(readHistory(await catalogOf(store), { itemId: 'ci_b', limit: 1 })).toEqual({ item_id: 'ci_b', points: [] })
  })
})
