import type { Recipe } from '@catalog/core/events/recipes.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { reprice } from '@catalog/formats/bc3/price-book/reprice.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import type { BookItem } from '@catalog/store/catalog/price-book.ts'
import { describe, expect, test } from 'vitest'
import {
  type BookHead,
  type Concept,
  chapterCode,
  chapterLine,
  componentConcept,
  componentPrices,
  conceptEntries,
  headEntries,
  itemCode,
  itemConcept,
  labelOf,
  lineEntries,
  recipeLines,
  VendorCodes,
} from './bc3-export.ts'

const HEAD: BookHead = {
  labels: [
    labelOf({ region: null, currency: 'EUR' }),
    labelOf({ region: 'ES', currency: 'EUR' }),
    labelOf({ region: 'CL', currency: 'CLP' }),
  ],
  date: '2026-11-20',
  baseUrl: 'https://catalog.example.org/v1',
}

function bookItem(
  given: {
    id?: string
    unit?: string | null
    cents?: number | null
    markets?: BookItem['markets']
    cpv?: string | null
    votes?: readonly object[]
  } = {},
): BookItem {
  const { id = 'ci_4pkz6qjxw2h7mtd3ruvy5cnaeo', unit = 'm²', cents = 485, markets = {}, cpv = null, votes = [] } = given
  const median_price = cents === null ? null : { cents, currency: 'EUR', recorded_at: null }
  const item = { id, name: 'Placa de yeso', unit, cpv, category_id: null, vendor_count: 2, observation_count: 2 }
  const basis = JSON.stringify({ method_version: 'twm/3', currency: 'EUR', votes, excluded: [] })
  return { item_id: id, item_json: JSON.stringify({ ...item, median_price }), basis, vendor_sku_ids: [], markets }
}

const component = (
  vendor_ref: string,
  given: Partial<Recipe['components'][number]> = {},
): Recipe['components'][number] => ({
  position: 1,
  kind: 'material',
  vendor_ref,
  name: vendor_ref,
  unit: 'kg',
  factor: '1',
  yield: '1',
  price: '1.40',
  ...given,
})
const RECIPE: Recipe = {
  source: { id: 'src_bank', name: 'Bank', region: 'ES', url: null },
  vendor_ref: 'EJ001',
  unit: 'kg',
  declared_price: '2.00',
  currency: 'EUR',
  observed_at: '2026-11-01T00:00:00Z',
  components: [
    component('M001', { factor: '1.05' }),
    component('Q001', { kind: 'machinery', unit: 'h', yield: '0.02', price: '3.50' }),
    component('O001', { kind: 'labor', unit: 'h', yield: '0.02', price: '21.00' }),
    component('%', { kind: 'percentage', unit: '%', yield: '0.02', price: '0' }),
  ],
}

describe('prices by label', () => {
  test('are the medians of each market in its own currency, and 0 without one', () => {
    const row = bookItem({ markets: { ES: { cents: 500, currency: 'EUR' }, CL: { cents: 12_000, currency: 'CLP' } } })
    expect(itemConcept(row, HEAD).prices).toEqual(['4.85', '5.00', '12000'])
    const [, coefficients] = headEntries(HEAD)
    expect(coefficients.decimals.map(({ currency }) => currency)).toEqual(['EUR', 'EUR', 'CLP'])
    // A median in another currency belongs under the label of that currency.
    const other = bookItem({ cents: null, markets: { ES: { cents: 500, currency: 'USD' } } })
    expect(itemConcept(other, HEAD).prices).toEqual(['0', '0', '0'])
  })

  test("of one recipe add up by its rule's indirect cost and decimals", () => {
    const rule = { percentages: 'share', line_decimals: null, indirect_rate: '0.05', total_decimals: 0 } as const
    const [, { indirect, decimals }] = headEntries({ ...HEAD, rule })
    expect(indirect).toBe('5')
    expect(decimals.slice(0, 2).map(({ di, dc }) => [di, dc])).toEqual([
      ['6', '0'],
      ['2', '2'],
    ])
    expect(headEntries(HEAD)[1].indirect).toBeNull()
  })

  test("of a component are the item's, converted to its unit, else the file's in its own currency", () => {
    const of = (item: BookItem | undefined, unit = 'kg') =>
      componentPrices({ component: component('M001', { unit }), currency: 'EUR' }, { item, labels: HEAD.labels })
    expect(of(undefined)).toEqual(['1.40', '1.40', '0'])
    // The item costs 40.00 for a bag of 25 kg; its price in pesos must not count as euros.
    const bag = bookItem({ unit: '25 kg', cents: 4_000, markets: { CL: { cents: 30_000, currency: 'CLP' } } })
    expect(of(bag)).toEqual(['1.60', '1.40', '1200.00'])
    expect(of(bag, 'h')).toEqual(['1.40', '1.40', '0'])
    // A screw of 1.25 cents is published at 1 cent; a hundred cost 1.25 and not 1.00.
    const votes = [{ observation_id: 'o', price: '5/4', currency: 'EUR', trust: 50, markets: ['ES'] }]
    const screw = bookItem({ unit: 'u', cents: 1, votes, markets: { ES: { cents: 1, currency: 'EUR' } } })
    expect(of(screw, '100 u')).toEqual(['1.25', '1.25', '0'])
  })
})

describe('codes', () => {
  test('of items and chapters fit the standard, with the full id as a synonym', () => {
    const { code, synonyms } = itemConcept(bookItem(), HEAD)
    expect([code, code.length, synonyms]).toEqual(['ci_4pkz6qjxw2h7mtd3r', 20, ['ci_4pkz6qjxw2h7mtd3ruvy5cnaeo']])
    expect(chapterCode('cat_m5xwq2zk7hjd4ty6aaaaaaaa')).toHaveLength(19)
  })

  test("of components are the vendor's, with a suffix where two vendors share one", () => {
    const codes = new VendorCodes()
    expect([codes.of('vsku_a', 'M001'), codes.of('vsku_b', 'M001'), codes.of('vsku_a', 'M001')]).toEqual([
      'M001',
      expect.stringMatching(/^M001_[0-9a-f]{7}$/),
      'M001',
    ])
    expect(codes.of('vsku_c', 'A 1|2\\3~4;5@Norte%')).toBe('A_1_2_3_4_5_Norte_')
    expect(codes.of('vsku_d', 'X'.repeat(50))).toMatch(/^X{12}_[0-9a-f]{7}$/)
    expect(recipeLines({ ...RECIPE, components: [component('AUX', { kind: 'percentage' })] }, codes)[0]?.code).toBe(
      '%AUX',
    )
    expect(recipeLines({ ...RECIPE, components: [component('A%NAAA', { kind: 'percentage' })] }, codes)[0]?.code).toBe(
      'A%NAAA',
    )
  })
})

/** Encodes the book in a charset and reads it back. */
async function book(concepts: readonly Concept[], charset: 'ANSI' | 'UTF-8' | '850' = 'ANSI') {
  const pieces: Uint8Array[] = []
  const entries = [headEntries(HEAD), ...concepts.map((concept) => conceptEntries(concept))]
  for await (const piece of writeBc3(entries, { charset })) pieces.push(piece)
  const log = new DiagnosticLog()
  const { entries: read, encoding } = await openBc3(bytesSource('book.bc3', Buffer.concat(pieces)), { log })
  const found = await buildPriceBook(read, log)
  return { book: found, encoding, log }
}

test.each(['ANSI', 'UTF-8', '850'] as const)(
  'a price book in %s survives a round trip and adds up',
  async (charset) => {
    const codes = new VendorCodes()
    const components = RECIPE.components.map((component) =>
      componentConcept({ recipe: RECIPE, component }, { head: HEAD, item: undefined, own: undefined, codes }),
    )
    const item = {
      ...itemConcept(bookItem({ unit: 'kg', cents: 200, cpv: '44112300' }), HEAD),
      lines: recipeLines(RECIPE, codes),
    }
    const chapter = {
      code: 'cat_a',
      suffix: '#' as const,
      unit: null,
      name: 'Señales y peñas',
      lines: [chapterLine(item.code, '')],
    }
    const { book: found, log, encoding } = await book([chapter, item, ...components], charset)
    expect([log.kept, encoding.used]).toEqual([[], { ANSI: 'windows-1252', 'UTF-8': 'utf-8', '850': 'cp850' }[charset]])
    expect(found.version).toMatchObject({
      version: 'FIEBDC-3/2020',
      labels: ['EUR', 'ES EUR', 'CL CLP'],
      date: '2026-11-20',
    })
    expect(found.concepts.get('cat_a')).toMatchObject({ suffix: '#', summary: 'Señales y peñas' })
    const made = found.concepts.get(itemCode('ci_4pkz6qjxw2h7mtd3ruvy5cnaeo'))
    expect(made).toMatchObject({ unit: 'kg', summary: 'Placa de yeso', prices: ['2.00', '0', '0'] })
    expect(made?.text).toContain('https://catalog.example.org/v1/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo')
    expect(
      made?.components.map(({ concept, factor, yield: rate }) => [concept.code, concept.type, factor, rate]),
    ).toEqual([
      ['M001', '3', '1.05', '1'],
      ['Q001', '2', '1', '0.02'],
      ['O001', '1', '1', '0.02'],
      ['%', '0', '1', '0.02'],
    ])
    expect(reprice(found).recipes.get(item.code)).toMatchObject({ reconciles: true, computed: '2' })
  },
)

test('the procurement code goes into the thesaurus, and a long chapter into several records', () => {
  const entries = conceptEntries(itemConcept(bookItem({ cpv: '44112300' }), HEAD))
  expect(entries.find(({ letter }) => letter === 'A')).toMatchObject({ keys: ['CPV 44112300'] })
  const lines = Array.from({ length: 50_000 }, (_, i) => chapterLine(`X${i}`, ''))
  expect(
    lineEntries({ code: 'c', suffix: '#', lines }).map((entry) => [
      entry.letter,
      'lines' in entry && entry.lines.length,
    ]),
  ).toEqual([
    ['D', 20_000],
    ['Y', 20_000],
    ['Y', 10_000],
  ])
  expect(lineEntries({ code: 'c', lines: lines.slice(0, 1) }, { continued: true })[0]?.letter).toBe('Y')
})
