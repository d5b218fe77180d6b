import { ErrorBody } from '@catalog/api/contract/contract.ts'
import { itemIdOf, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import type { PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { reprice } from '@catalog/formats/bc3/price-book/reprice.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { BASE_URL, testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { BANK, publishWithSkus, type RecipeLine, recordRecipe } from '@catalog/stack/testing/recipes.ts'
import { beforeAll, expect, test } from 'vitest'
import { bookEntries } from './price-book.ts'

const DAY = '2026-11-20T00:00:00Z'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))

const skuOf = (ref: string) => vendorSkuIdOf(BANK.id, ref)
const idOf = (ref: string) => itemIdOf(skuOf(ref), 0)
const median = (cents: number, currency = 'EUR') => ({ cents, currency, recorded_at: DAY })

const item = (ref: string, given: Parameters<typeof publishWithSkus>[2]) => publishWithSkus(store, [ref], given)

beforeAll(async () => {
  await store.query(
    `insert into categories values ('cat_works', null, 'Works', 0), ('cat_walls', 'cat_works', 'Walls', 1), ('cat_empty', null, 'Empty', 0)`,
  )
  const wall: readonly RecipeLine[] = [
    ['MORTAR', 'auxiliary', '1', '0.1', '65.00', 'kg'],
    ['BRICK', 'material', '1', '50', '0.20', 'kg'],
  ]
  await recordRecipe(store, 'WALL', wall, { unit: 'm2', price: '16.50' })
  const mortar: readonly RecipeLine[] = [
    ['CEM', 'material', '1', '250', '0.10', 'kg'],
    ['O001', 'labor', '1', '2', '20.00', 'kg'],
  ]
  await recordRecipe(store, 'MORTAR', mortar, { unit: 'm3', price: '65.00' })
  await recordRecipe(store, 'PASTE', [['CEM', 'material', '1', '9', '0.10']], { price: '0.90' })
  const priced = { median_price: median(1_700), markets: { ES: median(1_700), MX: median(30_000, 'MXN') } }
  await item('WALL', { name: 'Brick wall', unit: 'm²', category_id: 'cat_walls', cpv: '45262500', ...priced })
  await item('CEM', { name: 'Cement', unit: '25 kg', category_id: 'cat_works', median_price: median(500) })
  // The catalog sells it by the bag; the recipe uses kilograms.
  await item('PASTE', { name: 'Paste', unit: '25 kg', category_id: null, median_price: null })
})

async function bookFrom(bytes: Buffer): Promise<PriceBook> {
  const log = new DiagnosticLog()
  const { entries } = await openBc3(bytesSource('book.bc3', bytes), { log })
  const book = await buildPriceBook(entries, log)
  expect(log.kept).toEqual([])
  return book
}

async function get(path: string, accept = 'application/x-fiebdc3') {
  clock.advance(250)
  const response = await api.inject({ url: `/v1${path}`, headers: { accept } })
  return { status: response.statusCode, type: response.headers['content-type'], bytes: response.rawPayload, response }
}

const linesOf = (book: PriceBook, code: string) =>
  book.concepts.get(code)?.components.map(({ concept, factor, yield: rate }) => [concept.code, factor, rate])
const codeOf = (ref: string) => idOf(ref).slice(0, 20)

test("the price book of an item lists its recipe at the file's prices first, which add up, then the medians", async () => {
  const { status, type, bytes, response } = await get(`/items/${idOf('WALL')}/decomposition`)
  expect([status, type, response.headers.vary]).toEqual([
    200,
    'application/x-fiebdc3',
    'Authorization, Accept, Accept-Encoding',
  ])
  const book = await bookFrom(bytes)
  expect(book.version?.labels).toEqual(['Price bank 2026-11-20 EUR', 'EUR', 'ES EUR', 'MX MXN'])
  expect(book.concepts.get(codeOf('WALL'))?.prices).toEqual(['16.50', '17.00', '17.00', '300.00'])
  expect(linesOf(book, codeOf('WALL'))).toEqual([
    ['MORTAR', '1', '0.1'],
    ['BRICK', '1', '50'],
  ])
  expect(linesOf(book, 'MORTAR')).toEqual([
    ['CEM', '1', '250'],
    ['O001', '1', '2'],
  ])
  // The file's price comes first, then today's price of the item: 5.00 for 25 kg.
  expect(book.concepts.get('CEM')?.prices).toEqual(['0.10', '0.20', '0.10', '0'])
  const repriced = reprice(book, { label: 0 })
  for (const code of [codeOf('WALL'), 'MORTAR']) expect(repriced.recipes.get(code)?.reconciles).toBe(true)
})

test('the suffix `.bc3` gives the same bytes', async () => {
  const { bytes } = await get(`/items/${idOf('WALL')}/decomposition`)
  const suffixed = await get(`/items/${idOf('WALL')}/decomposition.bc3`, '*/*')
  expect([suffixed.type, suffixed.bytes.equals(bytes)]).toEqual(['application/x-fiebdc3', true])
  const category = await get('/categories/cat_works')
  expect((await get('/categories/cat_works.bc3', '*/*')).bytes.equals(category.bytes)).toBe(true)
  expect((await get('/categories/cat_works', '*/*')).type).toBe('application/json; charset=utf-8')
})

test("an item sold in another unit than its recipe takes that quantity of the recipe's unit", async () => {
  const book = await bookFrom((await get(`/items/${idOf('PASTE')}/decomposition.bc3`)).bytes)
  expect(linesOf(book, codeOf('PASTE'))).toEqual([['PASTE', '25', '1']])
  expect(linesOf(book, 'PASTE')).toEqual([['CEM', '1', '9']])
  expect(reprice(book).recipes.get(codeOf('PASTE'))).toMatchObject({ declared: '22.50', reconciles: true })
})

test('a region writes only its own labels', async () => {
  const book = await bookFrom((await get(`/items/${idOf('WALL')}/decomposition.bc3?region=MX`)).bytes)
  expect(book.version?.labels).toEqual(['Price bank 2026-11-20 EUR', 'MX MXN'])
})

test('a category holds its chapters and items with all their components', async () => {
  const { bytes } = await get('/categories/cat_works')
  const book = await bookFrom(bytes)
  expect(book.version?.labels).toEqual(['EUR', 'ES EUR', 'MX MXN'])
  expect(linesOf(book, 'CATALOG')?.map(([code]) => code)).toEqual(['cat_works'])
  expect(linesOf(book, 'cat_works')?.map(([code]) => code)).toEqual(['cat_walls', codeOf('CEM')])
  expect(linesOf(book, 'cat_walls')?.map(([code]) => code)).toEqual([codeOf('WALL')])
  expect(book.concepts.get(codeOf('CEM'))).toMatchObject({ prices: ['5.00', '0', '0'], unit: '25 kg' })
  expect([...book.concepts.keys()]).not.toContain(codeOf('PASTE'))
  expect(bytes.toString('latin1')).toContain(`~A|${codeOf('WALL')}|CPV 45262500\\|`)
})

test('the whole catalog puts items without a category below its root', async () => {
  const codes: string[] = []
  const root: string[] = []
  for await (const batch of bookEntries(store, { scope: { kind: 'all' }, baseUrl: BASE_URL })) {
    for (const entry of batch) {
      if (entry.letter === 'C') codes.push(entry.code)
      if ((entry.letter === 'D' || entry.letter === 'Y') && entry.code === 'CATALOG')
        root.push(...entry.lines.map(({ code }) => code))
    }
  }
  expect(root).toEqual(['cat_empty', 'cat_works', codeOf('PASTE')])
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toEqual(
    expect.arrayContaining([codeOf('WALL'), codeOf('CEM'), codeOf('PASTE'), 'MORTAR', 'BRICK', 'O001']),
  )
})

test('a missing or too large price book is refused', async () => {
  expect((await get('/categories/cat_none.bc3')).status).toBe(404)
  expect((await get('/items/ci_none/decomposition.bc3')).status).toBe(404)
  const item = {
    id: 'ci_nN',
    name: 'm',
    unit: null,
    cpv: null,
    category_id: 'cat_empty',
    updated_at: '2026-11-20T12:00:00Z',
  }
  await store.query(
    `insert into items (item_id, version, seq, state, public_state, item_json, state_sha, material_sha, name,
       category_id, vendor_sku_ids, basis, run_id, as_of)
     select 'ci_n' || n, 1, n, 'active', replace($1, 'N', n::text), '{}', '', '', 'm', 'cat_empty', '{}', '{}', 'run', now()
       from generate_series(1, 2001) n`,
    [JSON.stringify({ item, markets: [], regions: [] })],
  )
  const full = testApi(store, clock)
  const response = await full.inject('/v1/categories/cat_empty.bc3')
  await full.close()
  const { error, details } = ErrorBody.parse(response.json())
  expect([response.statusCode, error]).toEqual([406, 'not_acceptable'])
  expect(details).toContain('2001 items: expected at most 2000')
})
