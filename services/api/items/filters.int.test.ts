import { observe, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { joinSkus } from '@catalog/stack/testing/recipes.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))

/** Advances the clock by 250 ms, after which the API sees new publications. */
async function get(query: string) {
  clock.advance(250)
  return await api.inject(`/v1/items?${query}`)
}
const names = async (query: string) => (await get(query)).json().items.map(({ name }: { name: string }) => name)

const euros = (cents: number) => ({ cents, currency: 'EUR', recorded_at: null })
beforeAll(async () => {
  await store.query(
    `insert into categories values ('cat_a', null, 'Materials', 0), ('cat_b', 'cat_a', 'Cement', 1), ('cat_c', null, 'Steel', 0)`,
  )
  for (const [name, given] of Object.entries({
    bag: { category_id: 'cat_b', kind: 'material' as const, median_price: euros(500), markets: { ES: euros(510) } },
    board: { unit: 'm²', category_id: 'cat_a', median_price: euros(900), updated_at: '2026-11-21T02:00:00Z' },
    chile: { median_price: { cents: 12_990, currency: 'CLP', recorded_at: null }, markets: { ES: euros(700) } },
    unpriced: { unit: 'm²', category_id: 'cat_c', kind: 'work' as const, median_price: null },
  })) {
    await publish(store, { id: testId('ci_', name), name, ...given })
  }
  await observe(store, {
    vendor_sku_id: 'vsku_a',
    source: { id: 'src_north' },
    observed_at: '2026-11-01T00:00:00Z',
    cents: 1,
  })
  await join('bag', 'vsku_a')
})

const join = (name: string, vendorSkuId: string) => joinSkus(store, testId('ci_', name), [vendorSkuId])

describe('GET /v1/items filters', () => {
  test('select a category with all categories below it', async () => {
    expect(await names('category_id=cat_b')).toEqual(['bag'])
    expect((await names('category_id=cat_a')).sort()).toEqual(['bag', 'board'])
  })

  test('select a kind, alone and beside other filters', async () => {
    expect(await names('kind=material')).toEqual(['bag'])
    expect(await names('kind=work&unit=m2')).toEqual(['unpriced'])
    expect(await names('kind=work&sort=updated')).toEqual(['unpriced'])
    expect(await names('kind=labour')).toEqual([])
    expect((await get('kind=goods')).statusCode).toBe(400)
  })

  test('select a unit in any spelling', async () => {
    for (const unit of ['m²', 'm2', 'M2']) {
      expect((await names(`unit=${encodeURIComponent(unit)}`)).sort()).toEqual(['board', 'unpriced'])
    }
    expect(await names('unit=25kg')).toHaveLength(2)
    expect(await names('unit=%00')).toEqual([])
  })

  test("select currency and price of the shown median, or of the requested region's", async () => {
    expect((await names('currency=eur')).sort()).toEqual(['bag', 'board'])
    expect(await names('currency=EUR&price_min=501')).toEqual(['board'])
    expect(await names('currency=EUR&price_min=500&price_max=500')).toEqual(['bag'])
    expect((await names('currency=EUR&price_region=es')).sort()).toEqual(['bag', 'chile'])
    expect(await names('currency=EUR&price_region=es&price_max=600')).toEqual(['bag'])
    expect(await names('currency=CLP&price_region=es')).toEqual([])
  })

  test('select a source, and follow a match without a publication', async () => {
    expect(await names('source=src_north')).toEqual(['bag'])
    await observe(store, {
      vendor_sku_id: 'vsku_b',
      source: { id: 'src_south' },
      observed_at: '2026-11-01T00:00:00Z',
      cents: 1,
    })
    expect(await names('source=src_south')).toEqual([])
    await join('board', 'vsku_b')
    // A match advances the same checkpoint as an observation.
    await observe(store, { vendor_sku_id: 'vsku_c', observed_at: '2026-11-01T00:00:00Z', cents: 1 })
    expect(await names('source=src_south')).toEqual(['board'])
  })

  test('select by the instant of the last change, inclusive, with or without an offset', async () => {
    expect(await names('updated_since=2026-11-21T02:00:00Z')).toEqual(['board'])
    expect(await names('updated_since=2026-11-21T03:00:00%2B01:00')).toEqual(['board'])
    expect(await names('updated_since=2026-11-21T02:00:01Z')).toEqual([])
    expect(await names('updated_since=2026-11-20T12:00:00Z&sort=updated')).toHaveLength(4)
    for (const edge of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00%2B14:00']) {
      expect(await names(`updated_since=${edge}`)).toHaveLength(4)
    }
    expect(await names('updated_since=9999-12-31T23:59:59-14:00')).toEqual([])
  })

  test('combine, and cursor and link carry all of them', async () => {
    const query = 'currency=EUR&price_min=0&price_max=900&category_id=cat_a&updated_since=2026-01-01T00:00:00Z&limit=1'
    const first = await get(query)
    const link = new URL(/<(.*)>/.exec(String(first.headers.link))?.[1] as string)
    const second = (await get(link.search.slice(1))).json()
    expect([...first.json().items, ...second.items].map(({ name }) => name).sort()).toEqual(['bag', 'board'])
    expect(second.cursor).toBeNull()
    for (const [given, other] of [
      ['price_min=0', 'price_min=1'],
      ['price_max=900', 'price_max=901'],
      ['currency=EUR', 'currency=USD'],
      ['category_id=cat_a', 'category_id=cat_b'],
      ['updated_since=2026-01-01', 'updated_since=2026-01-02'],
      ['limit=1', 'unit=kg'],
      ['limit=1', 'source=src_north'],
    ] as const) {
      const answer = await get(`${query.replace(given, other)}&cursor=${first.json().cursor}`)
      expect([other, answer.json().error]).toEqual([other, 'invalid_cursor'])
    }
  })

  test.each([
    ['price_min=5', 'price_min: expected a currency beside it, found "5"'],
    ['price_max=5', 'price_max: expected a currency beside it, found "5"'],
    ['currency=EUR&price_min=6&price_max=5', 'price_max: expected at least price_min, 6, found "5"'],
    ['currency=EUR&price_min=', 'price_min: expected an integer from 0 to 1000000000000000, found ""'],
    ['currency=EUR&price_min=-1', 'price_min: expected an integer from 0 to 1000000000000000, found "-1"'],
    ['currency=EUR&price_min=1.5', 'price_min: expected an integer from 0 to 1000000000000000, found "1.5"'],
    [
      'currency=EUR&price_min=1000000000000001',
      'price_min: expected an integer from 0 to 1000000000000000, found "1000000000000001"',
    ],
    ['currency=EURO', 'currency: expected an ISO 4217 code such as EUR, found "EURO"'],
    ['currency=EUR&currency=USD', 'currency: expected it once, found ["EUR","USD"]'],
    ['unit=', 'unit: expected 1 to 100 characters, found ""'],
    [`source=${'x'.repeat(101)}`, 'source: expected 1 to 100 characters'],
    ['category_id=', 'category_id: expected 1 to 100 characters, found ""'],
    [
      'updated_since=yesterday',
      'updated_since: expected an instant such as 2026-11-01T00:00:00Z, or a date, found "yesterday"',
    ],
    ['updated_since=2026-11-31T00:00:00Z', 'updated_since: expected an instant'],
  ])('%s answers 400: %s', async (query, details) => {
    const response = await get(query)
    expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_parameter'])
    expect(response.json().details.startsWith(details)).toBe(true)
  })
})
