import { EditionItemResponse, EditionItemsResponse, ListEditionsResponse } from '@catalog/api/contract/contract.ts'
import { canonicalJson, sha256Hex } from '@catalog/core/digest.ts'
import { BASE_URL, markRun, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { freezeEditions } from '@catalog/store/history/editions.ts'
import { beforeAll, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))
const id = testId('ci_', 'item')
const gone = testId('ci_', 'gone')
const euros = (cents: number) => ({ cents, currency: 'EUR', recorded_at: null })
const LICENCE = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' }

async function get(path: string) {
  clock.advance(250)
  return await api.inject(`/v1/editions${path}`)
}

beforeAll(async () => {
  await publish(store, { id, name: 'Cement', median_price: euros(400), markets: { ES: euros(410) } })
  await publish(store, { id: gone })
  await markRun(store, '2026-10-30T02:00:00Z')
  await publish(store, { id, name: 'Portland cement', median_price: euros(485), markets: { ES: euros(495) } })
  await publish(store, { id: gone, state: 'gone' })
  await markRun(store, '2026-10-31T02:00:00Z')
  await publish(store, { id, name: 'Cement of November', median_price: euros(900) })
  await publish(store, { id: testId('ci_', 'newer') })
  await markRun(store, '2026-11-01T02:00:00Z')
  await freezeEditions(store, { licence: LICENCE })
})

test('the list names the months that ended, with the hash of the very bytes of each manifest', async () => {
  const { editions } = ListEditionsResponse.parse((await get('')).json())
  expect(editions).toMatchObject([
    {
      edition: '2026-10',
      id: 'ccc:2026-10',
      as_of: '2026-10-31T02:00:00Z',
      count: 1,
      url: `${BASE_URL}/editions/2026-10`,
    },
  ])
  const manifest = await get('/2026-10')
  expect(sha256Hex(manifest.body)).toBe(editions[0]?.sha256)
  expect(manifest.json()).toMatchObject({ edition: '2026-10', licence: LICENCE, count: 1 })
})

test('an item is as the last run of the month left it, and hashes to what the edition says', async () => {
  const item = EditionItemResponse.parse((await get(`/2026-10/items/${id}`)).json())
  expect(item).toMatchObject({
    id: `ccc:2026-10:${id}`,
    item_id: id,
    as_of: '2026-10-31T02:00:00Z',
    licence: LICENCE,
    url: `${BASE_URL}/editions/2026-10/items/${id}`,
  })
  expect(item.state.item).toMatchObject({ name: 'Portland cement', median_price: { cents: 485 } })
  expect(sha256Hex(canonicalJson(item.state as never))).toBe(item.state_sha256)
  expect(item.cite_as).toContain('“Portland cement”, median 4.85 EUR per 25 kg as of 2026-10-31T02:00:00Z')
  const spain = (await get(`/2026-10/items/${id}?price_region=ES`)).json()
  expect([spain.cite_as, spain.url]).toEqual([
    expect.stringContaining('median 4.95 EUR per 25 kg in ES'),
    `${item.url}?price_region=ES`,
  ])
})

test('its pages hold all items of that month, and nothing else', async () => {
  const first = EditionItemsResponse.parse((await get('/2026-10/items?limit=1')).json())
  const states = [...first.states]
  for (let { cursor } = first; cursor !== null; ) {
    const page = EditionItemsResponse.parse((await get(`/2026-10/items?limit=1&cursor=${cursor}`)).json())
    states.push(...page.states)
    cursor = page.cursor
  }
  expect(states.map(({ item }) => [item.id, item.name])).toEqual([[id, 'Portland cement']])
  expect((await get(`/2026-09/items?cursor=${first.cursor}`)).json().error).toBe('invalid_cursor')
})

test.each([
  ['/2026-11', 'edition_not_found'],
  ['/2026-13', 'edition_not_found'],
  ['/x', 'edition_not_found'],
  ['/2026-11/items', 'edition_not_found'],
  [`/2026-10/items/${gone}`, 'item_not_found'],
  [`/2026-10/items/${testId('ci_', 'newer')}`, 'item_not_found'],
  ['/2026-10/items/%00', 'item_not_found'],
])('%s answers %s', async (path, error) => {
  const response = await get(path)
  expect([response.statusCode, response.json().error]).toEqual([404, error])
})
