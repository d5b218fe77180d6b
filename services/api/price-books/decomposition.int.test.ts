import { type Decomposition, DecompositionResponse, ErrorBody } from '@catalog/api/contract/contract.ts'
import { itemIdOf, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { publish, testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { BANK, publishWithSkus, type RecipeLine, recordRecipe } from '@catalog/stack/testing/recipes.ts'
import type { Store } from '@catalog/store/db.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { decompositionOf } from './decomposition.ts'

const DAY = '2026-11-20T00:00:00Z'
const store = await storeOfFile()
const api = closedAfterAll(testApi(store, testClock()))

const record = (ref: string, lines: readonly RecipeLine[], more: Parameters<typeof recordRecipe>[3] = {}) =>
  recordRecipe(store, ref, lines, more)
const item = (refs: readonly string[], given: Parameters<typeof publishWithSkus>[2] = {}) =>
  publishWithSkus(store, refs, given)
const median = (cents: number, currency = 'EUR') => ({ cents, currency, recorded_at: DAY })

async function read(id: string, query = ''): Promise<Decomposition> {
  const response = await api.inject(`/v1/items/${id}/decomposition${query}`)
  expect([response.statusCode, response.body.slice(0, 300)]).toEqual([200, expect.anything()])
  return DecompositionResponse.parse(response.json())
}

async function refusal(path: string) {
  const response = await api.inject(path)
  const { error, details } = ErrorBody.parse(response.json())
  return { status: response.statusCode, error, details }
}

/** Worked example: 1.47 + 0.07 + 0.42 = 1.96, and 2 % of it are 0.04. */
const EXAMPLE: readonly RecipeLine[] = [
  ['M001', 'material', '1.05', '1', '1.40'],
  ['Q001', 'machinery', '1', '0.02', '3.50', 'h'],
  ['O001', 'labor', '1', '0.02', '21.00', 'h'],
  ['%', 'percentage', '1', '0.02', null],
]

let example: string
let bars: string

beforeAll(async () => {
  await record('EJ001', EXAMPLE, { price: '2.00' })
  example = await item(['EJ001'], {
    name: 'Example unit',
    names: [{ lang: 'es', name: 'Unidad de ejemplo', regions: ['ES'] }],
    median_price: median(230),
  })
  // Sold by 25 kg: 40.00 for a bag are 1.60 for a kilogram.
  bars = await item(['M001'], {
    name: 'Bars',
    names: [{ lang: 'es', name: 'Varillas', regions: ['MX'] }],
    unit: '25 kg',
    median_price: median(4_000),
    markets: { MX: median(90_000, 'MXN'), ES: median(5_000) },
  })
})

describe('a decomposition', () => {
  test("shows each line's amount beside the amount at today's median", async () => {
    const { lines, totals, computed_price, reconciles, rule, now, recipe, truncated, warnings } = await read(example)
    expect(lines.map(({ code, kind, quantity, amount }) => [code, kind, quantity, amount])).toEqual([
      ['M001', 'material', '1.05', '1.47'],
      ['Q001', 'machinery', '0.02', '0.07'],
      ['O001', 'labor', '0.02', '0.42'],
      ['%', 'percentage', '0.02', '0.04'],
    ])
    expect(lines[3]).toMatchObject({ base_amount: '1.96', unit_price: null })
    expect(lines[0]).toMatchObject({
      unit_price: '1.40',
      price_basis: 'file',
      item: { id: bars, unit: '25 kg', median_price: median(4_000) },
      now: { basis: 'item', unit_price: '1.60', amount: '1.68' },
    })
    expect(lines[1]?.now).toBeNull()
    expect(totals).toEqual({
      labor: '0.42',
      machinery: '0.07',
      material: '1.47',
      percentage: '0.04',
      total: '2.00',
      auxiliary: '0.00',
      waste: '0.00',
      unclassified: '0.00',
      indirect: '0.00',
    })
    expect({ computed_price, reconciles, rule }).toEqual({
      computed_price: '2.00',
      reconciles: true,
      rule: 'line_rounded_2',
    })
    // 1.68 + 0.07 + 0.42 = 2.17, and 2 % of it are 0.04; 0.49 and its 2 % still use file prices.
    expect(now).toEqual({ total: '2.21', at_file_prices: '0.50', priced_lines: 1, lines: 3 })
    expect(recipe).toMatchObject({
      vendor_ref: 'EJ001',
      declared_price: '2.00',
      source: { id: BANK.id, trust_score: 60 },
    })
    expect([truncated, warnings]).toEqual([false, []])
  })

  test('of a quantity is rounded once, and agrees with one unit', async () => {
    const { lines, totals, computed_price, resources } = await read(example, '?quantity=12.5')
    expect(lines.map(({ quantity, amount }) => [quantity, amount])).toEqual([
      ['13.125', '18.38'],
      ['0.25', '0.88'],
      ['0.25', '5.25'],
      ['0.02', '0.49'],
    ])
    expect([totals.total, computed_price]).toEqual(['25.00', '2.00'])
    expect(resources).toMatchObject({ material: '18.38', percentage: '0.50' })
  })

  test('uses the medians of a region, and never mixes currencies', async () => {
    expect((await read(example, '?region=ES')).lines[0]?.now).toMatchObject({ unit_price: '2.00', amount: '2.10' })
    const mexican = await read(example, '?region=MX')
    expect(mexican.lines[0]).toMatchObject({ item: { median_price: median(90_000, 'MXN') }, now: null })
    expect(mexican).toMatchObject({ now: null, warnings: ['1 linked items are priced in another currency'] })
    expect(mexican.item.median_price).toBeNull()
  })

  test('names the item and its components as vendors of the region do', async () => {
    const namesIn = ({ item, lines }: Decomposition) => [item.name, lines[0]?.item?.name]
    expect(namesIn(await read(example))).toEqual(['Example unit', 'Bars'])
    expect(namesIn(await read(example, '?region=MX'))).toEqual(['Unidad de ejemplo', 'Varillas'])
    expect(namesIn(await read(example, '?region=GB'))).toEqual(['Example unit', 'Bars'])
  })

  test('follows the rule of its file, indirect cost included', async () => {
    const rule = { percentages: 'share', line_decimals: 2, indirect_rate: '0.05', total_decimals: 0 } as const
    await record('PESETAS', [['SAND', 'material', '1', '1', '207.33']], { price: '218', currency: 'ESP', rule })
    const id = await item(['PESETAS'])
    const { totals, ...rest } = await read(id)
    // 207.33 × 1.05 = 217.6965
    expect(totals).toMatchObject({ material: '207.33', indirect: '10.67', total: '218.00' })
    expect(rest).toMatchObject({
      computed_price: '218.00',
      difference: '0.00',
      reconciles: true,
      rule: 'line_rounded_2_with_ci_5_total_0',
    })
    const text = await api.inject({ url: `/v1/items/${id}/decomposition`, headers: { accept: 'text/markdown' } })
    expect(text.body).toContain('- By the prices of the file: 218.00, of which 10.67 indirect cost and rounding')
  })

  test.each([
    ['14', true],
    ['13', false],
    ['14.7', true],
    ['14.72', false],
    ['14.699', true],
    ['14.698', false],
  ])('of 14.70 against a declared %s reconciles: %s', async (price, reconciles) => {
    const ref = `PRICED-${price}`
    await record(ref, [['SAND', 'material', '1', '7', '2.10']], { price })
    expect(await read(await item([ref]))).toMatchObject({ computed_price: '14.70', reconciles })
  })

  test('warns of units that do not convert and of lines without a price', async () => {
    await record(
      'ODD',
      [
        ['BAG', 'material', '1', '2', null, 'bag'],
        ['M001', 'material', '1', '1', '1.40', 'm'],
      ],
      { price: '5' },
    )
    const id = await item(['ODD'])
    const { lines, reconciles, computed_price, warnings } = await read(id)
    expect(lines.map(({ amount, now }) => [amount, now])).toEqual([
      [null, null],
      ['1.40', null],
    ])
    expect([reconciles, computed_price]).toEqual([null, null])
    expect(warnings).toEqual([
      '1 of the lines have no price: the totals lack them',
      '1 linked items are sold in a unit that does not convert',
    ])
  })
})

describe('an auxiliary', () => {
  test('shows its components for the requested quantity, with its kinds resolved', async () => {
    await record(
      'MORTAR',
      [
        ['CEM', 'material', '1', '250', '0.10'],
        ['O001', 'labor', '1', '2', '20.00', 'h'],
      ],
      { price: '65.00' },
    )
    await record(
      'WALL',
      [
        ['MORTAR', 'auxiliary', '1', '0.1', '65.00', 'm3'],
        ['BRICK', 'material', '50', '1', '0.20', 'u'],
      ],
      { price: '16.50' },
    )
    const cement = await item(['CEM'], { name: 'Cement', median_price: median(20) })
    const wall = await item(['WALL'], { name: 'Wall' })
    const { lines, resources, totals, now } = await read(wall, '?quantity=10')
    expect(lines[0]).toMatchObject({ kind: 'auxiliary', quantity: '1', amount: '65.00', omitted: null })
    expect(lines[0]?.children.map(({ code, quantity, amount, item }) => [code, quantity, amount, item?.id])).toEqual([
      ['CEM', '250', '25.00', cement],
      ['O001', '2', '40.00', undefined],
    ])
    expect(totals).toMatchObject({ auxiliary: '65.00', material: '100.00', total: '165.00' })
    expect(resources).toMatchObject({ auxiliary: '0.00', material: '125.00', labor: '40.00' })
    // 250 kg at 0.20 instead of 0.10 add 25.00; labor and bricks keep the file's prices.
    expect(lines[0]?.now).toEqual({ basis: 'components', unit_price: '90.00', amount: '90.00' })
    expect(now).toEqual({ total: '190.00', at_file_prices: '140.00', priced_lines: 1, lines: 2 })
  })

  test('without a price in the file costs as much as its recipe', async () => {
    await record('PASTE', [['CEM', 'material', '1', '3', '0.10']])
    await record('JOINT', [['PASTE', 'auxiliary', '2', '1', null]], { price: '0.60' })
    const { lines, reconciles } = await read(await item(['JOINT']))
    expect(lines[0]).toMatchObject({ unit_price: '0.30', price_basis: 'recipe', amount: '0.60' })
    expect(reconciles).toBe(true)
  })

  test('below the requested depth is omitted, and the answer says so', async () => {
    const ref = 'WALL'
    const id = itemIdOf(vendorSkuIdOf(BANK.id, ref), 0)
    const shallow = await read(id, '?depth=1')
    expect(shallow.lines.map(({ children, omitted }) => [children.length, omitted])).toEqual([
      [0, 'depth'],
      [0, null],
    ])
    expect(shallow.truncated).toBe(true)
    const deep = await read(id, '?depth=2')
    expect([deep.truncated, deep.totals, deep.now]).toEqual([false, shallow.totals, shallow.now])
  })

  test('inside itself is cut at its second occurrence', async () => {
    await record('HEN', [['EGG', 'auxiliary', '1', '1', '3.00']], { price: '3.00' })
    await record(
      'EGG',
      [
        ['HEN', 'auxiliary', '1', '1', null],
        ['SHELL', 'material', '1', '1', '1.00'],
      ],
      { price: '3.00' },
    )
    const { lines, warnings, truncated } = await read(await item(['HEN']))
    const [hen] = lines[0]?.children ?? []
    expect(hen).toMatchObject({ code: 'HEN', omitted: 'cycle', children: [] })
    expect(warnings).toEqual(['1 components lead back to what they are part of'])
    expect(truncated).toBe(false)
  })

  test('nested sixty levels deep is shown for fifty, with one query a level', async () => {
    for (let level = 0; level < 60; level++) {
      await record(`L${level}`, [[`L${level + 1}`, 'auxiliary', '1', '1', '1.00']], { price: '1.00' })
    }
    const id = await item(['L0'])
    let queries = 0
    const counting: Pick<Store, 'query'> = {
      query(sql, parameters) {
        queries++
        return store.query(sql, parameters)
      },
    }
    const { lines, truncated, totals } = await decompositionOf(counting, { itemId: id, depth: 50, quantity: '1' })
    let levels = 0
    let line = lines[0]
    while (line !== undefined) {
      levels++
      if (line.children.length === 0) expect(line.omitted).toMatch(/^(depth|size)$/)
      line = line.children[0]
    }
    expect([levels, truncated, totals.total]).toEqual([50, true, '1.00'])
    expect(queries).toBeLessThanOrEqual(53)
  })

  test('that doubles at every level still ends, with the deepest lines omitted', async () => {
    for (let level = 0; level < 30; level++) {
      const next = `T${level + 1}`
      await record(
        `T${level}`,
        [
          [next, 'auxiliary', '1', '0.5', '1.00'],
          [next, 'auxiliary', '1', '0.5', '1.00'],
        ],
        { price: '1.00' },
      )
    }
    await record('T30', [['LEAF', 'material', '1', '1', '1.00']], { price: '1.00' })
    const id = await item(['T0'])
    const begun = performance.now()
    const { lines, truncated, resources } = await decompositionOf(store, { itemId: id, depth: 50, quantity: '1' })
    expect(performance.now() - begun).toBeLessThan(5_000)
    const count = (of: Decomposition['lines']): number => of.reduce((sum, { children }) => sum + 1 + count(children), 0)
    expect(count(lines)).toBeLessThanOrEqual(2_000)
    expect([truncated, resources.material]).toEqual([true, '1.00'])
  })
})

describe('the recipe of an item with several vendors', () => {
  const REMOTE = { id: 'src_remote', name: 'Remote bank', region: 'MX', url: null }
  let id: string
  beforeAll(async () => {
    await record('SHARED', [['M001', 'material', '1', '1', '1.40']], { price: '1.40' })
    await record('SHARED', [['M001', 'material', '1', '2', '1.40']], { price: '2.80', at: '2026-11-21T00:00:00Z' })
    await record('REMOTE', [['X', 'material', '1', '1', '9.00']], { price: '9.00', source: REMOTE, trust: 90 })
    id = await item(['SHARED'])
    await publish(store, {
      id,
      unit: 'kg',
      vendor_sku_ids: [vendorSkuIdOf(BANK.id, 'SHARED'), vendorSkuIdOf(REMOTE.id, 'REMOTE')],
    })
  })

  test('comes from the most trusted source, and the others are alternatives', async () => {
    const { recipe, alternatives } = await read(id)
    expect(recipe.source.id).toBe(REMOTE.id)
    // Only the newest recipe of each SKU is an alternative.
    expect(alternatives.map(({ source, declared_price }) => [source.id, declared_price])).toEqual([[BANK.id, '2.80']])
  })

  test('comes from the requested region or source first', async () => {
    expect((await read(id, '?region=ES')).recipe.source.id).toBe(BANK.id)
    expect((await read(id, '?region=EU')).recipe.source.id).toBe(BANK.id)
    expect((await read(id, '?region=LATAM')).recipe.source.id).toBe(REMOTE.id)
    expect((await read(id, `?source=${BANK.id}`)).recipe.source.id).toBe(BANK.id)
  })

  test('is missing for a source without one', async () => {
    expect(await refusal(`/v1/items/${id}/decomposition?source=src_none`)).toEqual({
      status: 404,
      error: 'recipe_not_found',
      details: `item '${id}': expected a recipe of source 'src_none', found none`,
    })
  })
})

describe('a decomposition request', () => {
  test.each([
    ['depth=0', 'depth'],
    ['depth=51', 'depth'],
    ['region=XX', 'region'],
    ['quantity=-1', 'quantity'],
    ['quantity=1e3', 'quantity'],
    ['quantity=1,5', 'quantity'],
    ['source=', 'source'],
  ])('with %s is refused with the name of the parameter', async (query, name) => {
    const { status, error, details } = await refusal(`/v1/items/${example}/decomposition?${query}`)
    expect([status, error]).toEqual([400, 'invalid_parameter'])
    expect(details).toMatch(new RegExp(`^${name}: expected`))
  })

  test('distinguishes a missing item from a missing recipe', async () => {
    expect(await refusal('/v1/items/ci_none/decomposition')).toMatchObject({ status: 404, error: 'item_not_found' })
    expect(await refusal(`/v1/items/${bars}/decomposition`)).toMatchObject({ status: 404, error: 'recipe_not_found' })
  })

  test('serves Markdown, revalidates, and renders anew after vendor changes', async () => {
    const url = `/v1/items/${example}/decomposition`
    const text = await api.inject({ url, headers: { accept: 'text/markdown' } })
    expect(text.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(text.body).toContain('| 1 | material | M001 | Name of M001 | kg | 1.05 | 1.40 | 1.47 | 1.68 |')
    expect(text.body).toContain('- Declared price of one kg: 2.00, which its lines give')
    const first = await api.inject(url)
    expect(first.headers.vary).toBe('Authorization, Accept, Accept-Encoding')
    const again = await api.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } })
    expect(again.statusCode).toBe(304)
  })
})
