import type { Api } from '@catalog/api/server.ts'
import { markRun, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
let api: Api
const id = testId('ci_', 'item')
const survivor = testId('ci_', 'survivor')
const euros = (cents: number) => ({ cents, currency: 'EUR', recorded_at: null })
const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T02:00:00Z`

async function diff(query: string, of = id) {
  clock.advance(250)
  const response = await api.inject(`/v1/items/${of}/diff?${query}`)
  return { status: response.statusCode, body: response.json() }
}

beforeAll(async () => {
  api = testApi(store, clock)
  await publish(store, { id: survivor })
  await markRun(store, day(1))
  const given = { id, regions: ['ES'], vendor_sku_ids: ['vsku_a'] }
  await publish(store, { ...given, name: 'Cement', median_price: euros(400), markets: { ES: euros(400) } })
  await markRun(store, day(2))
  await publish(store, { ...given, name: 'Portland cement', median_price: euros(500), markets: { ES: euros(400) } })
  await markRun(store, day(3))
  await publish(store, { id, state: 'merged', merged_into: survivor })
  await markRun(store, day(4))
  for (const [market, n, cents] of [
    ['', 2, 400],
    ['ES', 2, 400],
    ['', 3, 500],
  ] as const)
    await store.query(`insert into price_points values ($1, $2, $3, $4, 'EUR')`, [id, market, day(n), cents])
})
afterAll(() => api.close())

test('shows what two runs showed differently', async () => {
  // Instants between two runs are those of the earlier run.
  const { status, body } = await diff('from=2026-11-02T12:00:00Z&to=2026-11-03T23:00:00%2B01:00')
  expect(status).toBe(200)
  expect(body).toEqual({
    item_id: id,
    from: { at: '2026-11-02T12:00:00Z', run_id: expect.any(String), as_of: day(2), state: 'active', merged_into: null },
    to: { at: '2026-11-03T22:00:00Z', run_id: expect.any(String), as_of: day(3), state: 'active', merged_into: null },
    kept_since: null,
    fields: [{ field: 'name', from: 'Cement', to: 'Portland cement' }],
    markets: [
      {
        region: null,
        median: { from: { cents: 400, currency: 'EUR' }, to: { cents: 500, currency: 'EUR' } },
        change_percent: 25,
        vendor_count: { from: 1, to: 1 },
      },
    ],
  })
})

test('says when an item was not published yet, and where it went', async () => {
  const { body } = await diff('from=2026-11-01T03:00:00Z')
  expect([body.from.state, body.to]).toEqual([
    'absent',
    { at: null, run_id: expect.any(String), as_of: day(4), state: 'merged', merged_into: survivor },
  ])
  const born = (await diff(`from=2026-10-01&to=${day(2)}`)).body
  expect([born.from.run_id, born.fields[0]]).toEqual([null, { field: 'name', from: null, to: 'Cement' }])
})

test('refuses an unknown item, an end before the beginning, and a missing beginning', async () => {
  expect((await diff('from=2026-11-01', 'ci_no')).body.error).toBe('item_not_found')
  expect((await diff('from=2026-11-02&to=2026-11-01')).body.details).toContain('not before from')
  expect((await diff('')).body.details).toContain('from: expected an instant')
})

test('compares medians alone where retention dropped the earlier state', async () => {
  // As trimChanges leaves it: the newest change up to the floor stays.
  await store.query(`insert into feed_floors values ('items', 3) on conflict (scope) do update set floor = 3`)
  await store.query(`delete from changes where item_id = $1 and version = 1`, [id])
  const { body } = await diff(`from=${day(2)}&to=${day(3)}`)
  expect([body.from.state, body.to.state, body.kept_since, body.fields]).toEqual(['not_kept', 'active', day(3), []])
  expect(body.markets).toEqual([
    {
      region: null,
      median: { from: { cents: 400, currency: 'EUR' }, to: { cents: 500, currency: 'EUR' } },
      change_percent: 25,
      vendor_count: { from: null, to: 1 },
    },
  ])
  // A change that nothing replaced up to the floor is still the state.
  expect((await diff(`from=${day(1)}&to=${day(2)}`, survivor)).body.from.state).toBe('active')
})
