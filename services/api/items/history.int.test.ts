import { BASE_URL, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))
const id = testId('ci_', 'item')
const url = `/v1/items/${id}/history`
const DAYS = 400

/** Advances the clock by 250 ms, after which the API sees new publications. */
async function get(address: string) {
  clock.advance(250)
  return await api.inject(address)
}
type Point = { recorded_at: string; price_cents: number | null; currency: string | null }

beforeAll(async () => {
  await publish(store, { id })
  await store.query(
    `insert into price_points select $1, '', timestamptz '2025-01-01' + day * interval '1 day',
       case when day % 10 <> 5 then day end, case when day % 10 <> 5 then 'EUR' end from generate_series(1, $2::int) day`,
    [id, DAYS],
  )
  await store.query(`insert into price_points values ($1, 'ES', '2025-06-01T00:00:00.500Z', 77, 'EUR')`, [id])
})

test('the history is the whole range with its gaps, 365 changes a page', async () => {
  const first = (await get(url)).json()
  expect([first.item_id, first.price_region, first.points.length]).toEqual([id, null, 365])
  expect(first.points.slice(3, 6)).toEqual([
    { recorded_at: '2025-01-05T00:00:00Z', price_cents: 4, currency: 'EUR' },
    { recorded_at: '2025-01-06T00:00:00Z', price_cents: null, currency: null },
    { recorded_at: '2025-01-07T00:00:00Z', price_cents: 6, currency: 'EUR' },
  ])
  const { points, cursor } = (await get(`${url}?cursor=${first.cursor}`)).json()
  expect([points.length, cursor]).toEqual([DAYS - 365, null])
})

test('a walk returns every change once, even while prices change', async () => {
  const points: Point[] = []
  let address: string | undefined = `${url}?limit=70&from=2025-01-03T12:00:00Z`
  for (let day = 1; address !== undefined; day++) {
    const response = await get(address)
    points.push(...response.json().points)
    const link = /^<(.*)>; rel="next"$/.exec(String(response.headers.link ?? ''))?.[1]
    expect(link === undefined).toBe(response.json().cursor === null)
    address = link?.replace('https://catalog.example.org', '')
    await store.query(
      `insert into price_points select $1, '', timestamptz '2026-03-01' + $2::int * interval '1 day', 1, 'EUR'`,
      [id, day],
    )
    await publish(store, { id, name: `Changed ${day}` })
  }
  const instants = points.map(({ recorded_at }) => recorded_at)
  expect(instants).toEqual([...new Set(instants)].sort())
  expect(instants.filter((instant) => instant < '2026-02-20')).toHaveLength(DAYS - 1)
  expect(points[0]).toEqual({ recorded_at: '2025-01-03T12:00:00Z', price_cents: 2, currency: 'EUR' })
})

test('price_region selects the market, and milliseconds survive', async () => {
  const { points, price_region } = (await get(`${url}?price_region=es&from=2025-05-01T00:00:00Z`)).json()
  expect(price_region).toBe('ES')
  expect(points).toEqual([{ recorded_at: '2025-06-01T00:00:00.500Z', price_cents: 77, currency: 'EUR' }])
  const later = (await get(`${url}?price_region=es&from=2025-07-01T00:00:00Z&to=2025-08-01T00:00:00%2B02:00`)).json()
  expect(later.points).toEqual([{ recorded_at: '2025-07-01T00:00:00Z', price_cents: 77, currency: 'EUR' }])
})

test('a cursor is enough by itself, and fits only its own market and range', async () => {
  const { cursor } = (await get(`${url}?limit=1&from=2025-02-01T00:00:00Z`)).json()
  const alone = (await get(`${url}?cursor=${cursor}`)).json()
  expect(alone).toEqual((await get(`${url}?limit=1&from=2025-02-01T00:00:00Z&cursor=${cursor}`)).json())
  for (const address of [
    `${url}?cursor=${cursor}&from=2025-02-02T00:00:00Z`,
    `${url}?cursor=${cursor}&from=2025-02-01T00:00:00Z&to=2025-03-01T00:00:00Z`,
    `${url}?cursor=${cursor}&from=2025-02-01T00:00:00Z&price_region=ES`,
  ]) {
    expect([address, (await get(address)).json().error]).toEqual([address, 'invalid_cursor'])
  }
  expect((await get(`${url}?limit=9&cursor=${cursor}&from=2025-02-01T01:00:00%2B01:00`)).statusCode).toBe(200)
})

test.each([
  ['limit=0', 'limit: expected an integer from 1 to 1000, found "0"'],
  ['limit=1001', 'limit: expected an integer from 1 to 1000, found "1001"'],
  ['from=2025', 'from: expected an instant such as 2026-11-01T00:00:00Z, or a date, found "2025"'],
  [
    'from=2025-02-02T00:00:00Z&to=2025-02-01T00:00:00Z',
    'to: expected an instant that is not before from, 2025-02-02T00:00:00Z, found "2025-02-01T00:00:00Z"',
  ],
  ['price_region=XX', 'price_region: expected one of ES'],
])('%s answers 400: %s', async (query, details) => {
  const response = await get(`${url}?${query}`)
  expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_parameter'])
  expect(response.json().details.startsWith(details)).toBe(true)
})

test("a history continues with the survivor's after a merge between two pages, and gives its address", async () => {
  const merged = testId('ci_', 'merged')
  await publish(store, { id: merged })
  await store.query(
    `insert into price_points select $1, '', timestamptz '2025-01-01' + day * interval '1 day', 1, 'EUR' from generate_series(1, 5) day`,
    [merged],
  )
  const { points, cursor } = (await get(`/v1/items/${merged}/history?limit=3`)).json()
  expect(points.at(-1).recorded_at).toBe('2025-01-04T00:00:00Z')
  await publish(store, { id: merged, state: 'merged', merged_into: id })
  const next = await get(`/v1/items/${merged}/history?limit=3&cursor=${cursor}`)
  expect(next.json().points[0]).toEqual({ recorded_at: '2025-01-05T00:00:00Z', price_cents: 4, currency: 'EUR' })
  const location = String(next.headers['content-location'])
  expect(location.startsWith(`${BASE_URL}/items/${id}/history?`)).toBe(true)
  expect((await get(location.replace('https://catalog.example.org', ''))).json()).toEqual(next.json())
})
