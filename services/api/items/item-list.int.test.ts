import type { Api } from '@catalog/api/server.ts'
import { observe, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { joinSkus } from '@catalog/stack/testing/recipes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
let api: Api

const price = (cents: number, currency = 'EUR') => ({ cents, currency, recorded_at: null })
const ID = (name: string) => testId('ci_', name)
/** By name, in the order of publication. */
const ITEMS: Readonly<Record<string, Partial<Parameters<typeof publish>[1]>>> = {
  Zinc: {
    median_price: price(500),
    markets: { ES: price(900) },
    kind: 'material',
    category_id: 'cat_b',
    cpv: '44110000-4',
  },
  Árbol: { median_price: price(700), unit: 'm²', kind: 'material', cpv: '44112300' },
  'cement grey': { median_price: price(90, 'CLP'), regions: ['UY'], category_id: 'cat_a', cpv: '45000000-7' },
  Brick: { median_price: null, markets: { ES: price(100) }, kind: 'work', category_id: 'cat_a' },
  'Cement white': { median_price: price(500), markets: { ES: price(50, 'USD') }, regions: ['ES', 'UY'] },
}
const NAMES = Object.keys(ITEMS)

beforeAll(async () => {
  api = testApi(store, clock)
  await store.query(`insert into categories values ('cat_a', null, 'A', 0), ('cat_b', 'cat_a', 'B', 1)`)
  for (const [name, given] of Object.entries(ITEMS)) await publish(store, { id: ID(name), name, ...given })
  await publish(store, { id: ID('merged'), state: 'merged', merged_into: ID('Zinc') })
  await publish(store, { id: ID('gone'), state: 'gone' })
  for (const [name, key] of [
    ['Zinc', 'gtin:04006381333931'],
    ['Zinc', 'ref:dhp482z'],
    ['Brick', 'ref:dhp482z'],
  ] as const) {
    const sku = `vsku_${name}`
    await observe(store, { vendor_sku_id: sku, observed_at: '2026-11-01T00:00:00Z', cents: 1 })
    await joinSkus(store, ID(name), [sku])
    await store.query(`insert into match_keys select $1, sku from vendor_skus where vendor_sku_id = $2`, [key, sku])
  }
})
afterAll(() => api.close())

type Page = {
  items: { id: string; name: string; [field: string]: unknown }[]
  cursor: string | null
  [member: string]: unknown
}
async function get(query: string) {
  clock.advance(250)
  return api.inject(`/v1/items?${query}`)
}
async function page(query: string): Promise<Page> {
  const response = await get(query)
  expect([query, response.statusCode, response.body]).toEqual([query, 200, response.body])
  return response.json()
}
async function refusal(query: string) {
  const response = await get(query)
  return [response.statusCode, response.json().details] as const
}
const names = async (query: string) => (await page(query)).items.map(({ name }) => name)

describe('sort', () => {
  test.each([
    ['name', ['Árbol', 'Brick', 'cement grey', 'Cement white', 'Zinc']],
    ['-updated', [...NAMES].reverse()],
    ['price&currency=EUR', ['Zinc', 'Cement white', 'Árbol']],
    ['-price&currency=EUR', ['Árbol', 'Cement white', 'Zinc']],
    // Items without a price come last, whatever the direction; currencies are not compared, and ids decide between equals.
    ['price&price_region=ES', ['Brick', 'Zinc', 'Cement white', 'cement grey', 'Árbol']],
    ['-price&price_region=ES', ['Cement white', 'Zinc', 'Brick', 'cement grey', 'Árbol']],
    ['-price&currency=EUR&price_max=600', ['Cement white', 'Zinc']],
    ['name&region=UY', ['cement grey', 'Cement white']],
  ])('%s gives one order, on one page and page by page', async (sort, expected) => {
    const ids = expected.map(ID)
    const whole = await page(`sort=${sort}`)
    expect(whole.items.map(({ id }) => id)).toEqual(ids)
    for (const limit of [1, 2]) {
      const walked: string[] = []
      let next: string | null = ''
      while (next !== null) {
        const { items, cursor }: Page = await page(`sort=${sort}&limit=${limit}${next && `&cursor=${next}`}`)
        walked.push(...items.map(({ id }) => id))
        next = cursor
      }
      expect(walked).toEqual(ids)
    }
  })

  test('a cursor holds for its sort and filters alone, and an unknown sort is refused', async () => {
    const { cursor } = await page('sort=name&limit=1')
    expect(await names(`sort=name&limit=50&cursor=${cursor}&fields=name&lang=es`)).toHaveLength(4)
    expect(await page(`cursor=${cursor}`)).toEqual(await page(`sort=name&limit=1&cursor=${cursor}`))
    for (const query of ['sort=price&currency=EUR', 'sort=id', 'sort=name&cpv=44'])
      expect((await get(`${query}&cursor=${cursor}`)).json().error).toBe('invalid_cursor')
    expect(await refusal('sort=-name')).toEqual([400, expect.stringContaining('-updated, name, price')])
    expect(await refusal('sort=price')).toEqual([
      400,
      expect.stringContaining('sort: expected currency, region or price_region'),
    ])
  })
})

describe('ids', () => {
  test('give the items in their order, once, and say what became of the others', async () => {
    const ids = ['Brick', 'none', 'merged', 'Zinc', 'gone', 'Árbol', 'Brick'].map(ID)
    const { items, not_found, merged, cursor } = await page(`ids=${ids.join(',')},nonsense&limit=1`)
    expect(items.map(({ id }) => id)).toEqual(['Brick', 'Zinc', 'Árbol'].map(ID))
    expect({ not_found, merged, cursor }).toEqual({
      not_found: [ID('none'), ID('gone'), 'nonsense'],
      merged: [{ id: ID('merged'), merged_into: ID('Zinc') }],
      cursor: null,
    })
    expect((await page(`ids=${ID('none')}`)).items).toEqual([])
  })

  test('come with the price and name of a market, and with chosen fields', async () => {
    const { items } = await page(`ids=${ID('Brick')}&price_region=ES&fields=median_price`)
    expect(items).toEqual([expect.objectContaining({ median_price: price(100) })])
    expect(items[0]).not.toHaveProperty('unit')
  })

  test.each([
    [`ids=${Array.from({ length: 101 }, (_, i) => `ci_${i}`).join(',')}`, 'ids: expected 1 to 100 item ids'],
    ['ids=', 'ids: expected 1 to 100 item ids'],
    ['ids=ci_a&region=ES', 'region: expected none beside ids'],
    ['ids=ci_a&sort=name', 'sort: expected none beside ids'],
    ['ids=ci_a&include=total', 'include: expected none beside ids'],
  ])('%s is refused', async (query, says) => {
    expect(await refusal(query)).toEqual([400, expect.stringContaining(says)])
  })
})

describe('codes', () => {
  test.each([
    ['gtin=4006381333931', ['Zinc']],
    ['gtin=04006381333931', ['Zinc']],
    ['gtin=96385074', []],
    ['manufacturer_ref=DHP-482.Z', ['Brick', 'Zinc']],
    ['manufacturer_ref=dhp%20482z&gtin=4006381333931', ['Zinc']],
    ['manufacturer_ref=DHP482Z&kind=work&include=total', ['Brick']],
    ['cpv=44', ['Zinc', 'Árbol']],
    ['cpv=4411', ['Zinc', 'Árbol']],
    ['cpv=44110000', ['Zinc']],
    ['cpv=44110000-4', ['Zinc']],
    ['cpv=44112300-1', ['Árbol']],
    ['cpv=33', []],
  ])('%s selects', async (query, expected) => {
    expect((await names(query)).sort()).toEqual([...expected].sort())
  })

  test.each([
    ['gtin=4006381333932', 'gtin: expected 8, 12, 13 or 14 digits'],
    ['gtin=123', 'gtin: expected'],
    ['manufacturer_ref=ABCDE', 'manufacturer_ref: expected 5 or more letters and digits'],
    ['cpv=4', 'cpv: expected the first 2 to 8 digits'],
    ['cpv=44110000-', 'cpv: expected'],
  ])('%s is refused', async (query, says) => {
    expect(await refusal(query)).toEqual([400, expect.stringContaining(says)])
  })
})

describe('total and facets', () => {
  test('count what the filters select, on all pages', async () => {
    const { total, facets, cursor } = await page('limit=1&include=total,facets&region=ES')
    expect(total).toEqual({ count: 4, exact: true })
    expect(facets).toEqual({
      count: 4,
      exact: true,
      categories: [
        { id: 'cat_a', name: 'A', count: 1 },
        { id: 'cat_b', name: 'B', count: 1 },
      ],
      kinds: [
        { kind: 'material', count: 2 },
        { kind: 'work', count: 1 },
      ],
      units: [
        { unit: '25 kg', count: 3 },
        { unit: 'm²', count: 1 },
      ],
      // In the money of the market that is asked for.
      currencies: [
        { currency: 'EUR', count: 2, price_min: 100, price_max: 900 },
        { currency: 'USD', count: 1, price_min: 50, price_max: 50 },
      ],
      regions: [
        { region: 'ES', count: 4 },
        { region: 'UY', count: 1 },
      ],
    })
    // The next page counts nothing anew.
    const response = await get('limit=1&include=total,facets&region=ES')
    expect(String(response.headers.link)).toContain(`?cursor=${cursor}>`)
    expect(Object.keys(await page(`cursor=${cursor}`))).toEqual(['items', 'cursor', 'meta'])
  })

  test.each([
    ['', 5],
    ['q=cement', 2],
    ['category_id=cat_a', 3],
    ['category_id=cat_a&kind=work', 1],
    ['sort=price&currency=EUR&price_min=501', 1],
    ['source=src_vsku_Zinc', 1],
    ['updated_since=2026-11-20T12:00:00Z', 5],
    ['cpv=44&sort=name', 2],
    ['q=nothing', 0],
  ])('the total of %s is right', async (query, count) => {
    expect((await page(`${query}&include=total`)).total).toEqual({ count, exact: true })
  })

  test('are absent unless asked for', async () => {
    expect(Object.keys(await page(''))).toEqual(['items', 'cursor', 'meta'])
  })
})

describe('fields', () => {
  test('choose what of each item is shown; what the contract requires stays', async () => {
    const { items } = await page('limit=1&fields=unit,name&sort=name')
    expect(items.map((item) => Object.keys(item).sort())).toEqual([
      ['id', 'name', 'observation_count', 'unit', 'updated_at', 'vendor_count'],
    ])
    const whole = (await page('limit=1&sort=name')).items[0]
    expect(whole).toMatchObject(items[0] as object)
  })

  test('follow to the next page', async () => {
    const { headers } = await get('limit=1&fields=id,unit')
    const [, next = ''] = /\?(cursor=[\w-]+)>/.exec(String(headers.link)) ?? []
    const { items } = await page(next)
    expect([items.length, 'unit' in (items[0] as object), 'median_price' in (items[0] as object)]).toEqual([
      1,
      true,
      false,
    ])
  })

  test.each([
    ['fields=medain_price', `fields: field "medain_price": expected 'median_price'?`],
    ['fields=id,,name', 'fields: field "": expected id, name'],
    ['fields=weight', 'expected id, name, unit'],
    ['include=facet', `include: addition "facet": expected 'facets'?`],
  ])('%s is refused', async (query, says) => {
    expect(await refusal(query)).toEqual([400, expect.stringContaining(says)])
  })
})
