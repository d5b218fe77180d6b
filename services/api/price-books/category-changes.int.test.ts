import { publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))

type Point = readonly [at: string, cents: number | null, currency?: string]
type Given = Readonly<{ category: string; market?: string; points: readonly Point[]; state?: 'gone' }>

async function item(name: string, { category, market = '', points, state = undefined }: Given): Promise<void> {
  const id = testId('ci_', name)
  await publish(store, { id, category_id: category, ...(state && { state }) })
  for (const [at, cents, currency = 'EUR'] of points) {
    const stored = cents === null ? null : currency
    await store.query(`insert into price_points values ($1, $2, $3, $4, $5)`, [id, market, at, cents, stored])
  }
}

async function changes(query: string) {
  clock.advance(250)
  return await api.inject(`/v1/categories/changes${query}`)
}

beforeAll(async () => {
  await store.query(
    `insert into categories values ('cat_a', null, 'Materials', 0), ('cat_b', 'cat_a', 'Cement', 1),
       ('cat_c', 'cat_b', 'White cement', 2), ('cat_e', null, 'Labour', 0)`,
  )
})

test('before the first run nothing is compared', async () => {
  const answer = { days: 90, price_region: null, since: null, until: null, categories: [] }
  expect((await changes('')).json()).toEqual(answer)
})

test('a category moves as the geometric mean of its items that have a price at both ends', async () => {
  await store.query(`insert into run_marks values ('run', '2026-11-20T02:00:00Z', 1, 1, 1)`)
  await item('up', {
    category: 'cat_b',
    points: [
      ['2026-07-01', 200],
      ['2026-10-01', 100],
      ['2026-11-19', 110],
    ],
  })
  await item('steady', { category: 'cat_c', points: [['2026-08-01', 100]] })
  await item('fall', {
    category: 'cat_c',
    points: [
      ['2026-08-01', 100],
      ['2026-11-01', 97],
    ],
  })
  // None of these has a price in one currency at both ends.
  await item('fresh', { category: 'cat_c', points: [['2026-11-15', 500]] })
  await item('lost', {
    category: 'cat_c',
    points: [
      ['2026-08-01', 100],
      ['2026-11-01', null],
    ],
  })
  await item('again', {
    category: 'cat_c',
    points: [
      ['2026-06-01', 100],
      ['2026-07-01', null],
      ['2026-11-10', 900],
    ],
  })
  await item('dollars', {
    category: 'cat_c',
    points: [
      ['2026-08-01', 100],
      ['2026-11-01', 300, 'USD'],
    ],
  })
  await item('gone', {
    category: 'cat_c',
    points: [
      ['2026-08-01', 100],
      ['2026-11-01', 300],
    ],
    state: 'gone',
  })
  // Another unit, and no price that rose tenfold.
  await item('tenfold', {
    category: 'cat_c',
    points: [
      ['2026-08-01', 100],
      ['2026-11-01', 1000],
    ],
  })
  await item('mexico', {
    category: 'cat_e',
    market: 'MX',
    points: [
      ['2026-08-01', 100, 'MXN'],
      ['2026-11-01', 150, 'MXN'],
    ],
  })

  const month = (await changes('?days=30')).json()
  expect(month).toEqual({
    days: 30,
    price_region: null,
    since: '2026-10-21T02:00:00Z',
    until: '2026-11-20T02:00:00Z',
    categories: [
      { id: 'cat_a', compared_count: 3, rise_count: 1, fall_count: 1, change_percent: 2.19 },
      { id: 'cat_b', compared_count: 3, rise_count: 1, fall_count: 1, change_percent: 2.19 },
      // Two items tell nothing of a category.
      { id: 'cat_c', compared_count: 2, rise_count: 0, fall_count: 1, change_percent: null },
    ],
  })
  // In 90 days the first one fell from 2.00 to 1.10.
  const quarter = (await changes('?days=90')).json()
  expect(quarter.categories[0]).toMatchObject({ rise_count: 0, fall_count: 2, change_percent: -18.9 })
  expect((await changes('?days=30&price_region=mx')).json()).toMatchObject({
    price_region: 'MX',
    categories: [{ id: 'cat_e', compared_count: 1, rise_count: 1, fall_count: 0, change_percent: null }],
  })
})

test('the answer stands until the next publication, which it counts', async () => {
  const first = await changes('?days=30')
  const ifNoneMatch = { 'if-none-match': String(first.headers.etag) }
  const again = await api.inject({ url: '/v1/categories/changes?days=30', headers: ifNoneMatch })
  expect(again.statusCode).toBe(304)
  await item('fourth', {
    category: 'cat_a',
    points: [
      ['2026-08-01', 100],
      ['2026-11-18', 150],
    ],
  })
  expect((await changes('?days=30')).json().categories[0]).toMatchObject({
    id: 'cat_a',
    compared_count: 4,
    change_percent: 12.48,
  })
})

test.each(['31', '', '1e2', 'x'])('days=%s is refused with the periods that exist', async (days) => {
  const refused = await changes(`?days=${days}`)
  expect(refused.statusCode).toBe(400)
  expect(refused.json().details).toBe(`days: expected one of 7, 30, 90, 365, found "${days}"`)
})
