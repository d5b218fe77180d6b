import { describe, expect, test } from 'vitest'
import { guessColumns, resolveMapping } from './columns.ts'
import { BadMapping, dateOrderOf, parseMapping } from './mapping.ts'

describe('a mapping file', () => {
  test('is JSON or YAML', () => {
    const mapping = {
      delimiter: ';',
      encoding: 'windows-1252',
      decimal: ',',
      date_format: 'dmy',
      records: 'data.items',
      columns: { vendor_ref: ['Código', 'Tipo'], price: 'PVP', category_path: { column: 'Familia', separator: '/' } },
      constants: { currency: 'EUR', tax_included: 'false', trust: '70' },
    }
    const yaml = `
delimiter: ';'
encoding: Latin-1
decimal: ','
date_format: DD/MM/YYYY
records: data.items
columns:
  vendor_ref: [Código, Tipo]
  price: PVP
  category_path: { column: Familia, separator: / }
constants: { currency: EUR, tax_included: false, trust: 70 }
`
    expect(parseMapping(yaml, 'm.yaml')).toEqual(mapping)
    expect(parseMapping(JSON.stringify(mapping), 'm.json')).toEqual(mapping)
  })

  test('names steps, layout and edition', () => {
    const text = `
member: "*.xlsx"
sheet: [ISD, 3]
skip_rows: 2
header_row: [9, 10]
short_rows: true
columns: { vendor_ref: 1, name: [2, "3"] }
replace: [{ in: { matching: ^a }, pattern: "^(b)", with: $1 }]
lookup: [{ in: [a, b], table: { x: 1 }, else: y }]
parents: { code: 1, text: 2, separator: . }
unpivot: { columns: [a, b], heading: state, value: price }
rows: { only: { a: . }, except: { b: [x, y] } }
round: 2
edition: { cell: B3, format: MM/YYYY }
`
    expect(parseMapping(text, 'm.yaml')).toMatchObject({
      sheet: ['ISD', 3],
      header_row: [9, 10],
      columns: { vendor_ref: '1', name: ['2', '3'] },
      lookup: [{ table: { x: '1' } }],
      parents: { code: '1', text: '2' },
      edition: { cell: 'B3', format: 'MM/YYYY' },
    })
  })

  test('names units by sets, by own spellings, or by both', () => {
    const unitsOf = (text: string) => parseMapping(`units: ${text}`, 'm.yaml').units
    expect(unitsOf('us-dot')).toEqual({ sets: ['us-dot'], spellings: {} })
    expect(unitsOf('{ SYS: yd², "M.G.": 1000 gal, tramex: m² }')).toEqual({
      sets: [],
      spellings: { sys: 'yd²', mg: '1000 US gal', tramex: 'm²' },
    })
    expect(unitsOf('[us, { rollo: roll 50 m }]')).toEqual({ sets: ['us'], spellings: { rollo: 'roll 50 m' } })
    expect(parseMapping('{}', 'm.yaml')).toEqual({})
  })

  test.each([
    ['columns: { prize: PVP }', /columns: .*prize/],
    ['decimal: ";"', /decimal: .*","/],
    ['encoding: EBCDIC', /encoding: expected utf-8/],
    ['date_format: soon', /date_format: expected an order such as DD\/MM\/YYYY/],
    ['delimiter: ";;"', /delimiter: expected one character/],
    ['columns: { name: [] }', /columns\.name/],
    ['units: { tramex: foo }', /units\.tramex: expected a unit that prices are per/],
    ['units: { X: mg }', /units\.X: expected a unit/],
    ['units: [us-dot, mars]', /units\.1: expected SPELLING: UNIT pairs, or one of the sets us-dot, us/],
    ['units: []', /units: expected 1 to 20/],
    ['records: data..items', /records: expected a path such as data\.items/],
    ['records: ""', /records: expected a path/],
    [
      'replace: [{ in: a, pattern: "(", with: "" }]',
      /replace\.0\.pattern: expected a regular expression of RE2: missing/,
    ],
    ['replace: [{ in: a, pattern: "(?=a)", with: "" }]', /replace\.0\.pattern: expected a regular expression of RE2/],
    [
      'replace: [{ in: a, pattern: "a", with: "$1" }]',
      /replace\.0\.with: expected a group of the pattern, which has 0/,
    ],
    [
      'replace: [{ in: a, pattern: "a", with: "$" }]',
      /replace\.0\.with: expected \$ only before the number of a group/,
    ],
    ['lookup: [{ in: a, table: {} }]', /lookup\.0\.table: expected 1 to 1000 texts/],
    ['rows: {}', /rows: expected only, except or both/],
    ['rows: { only: {} }', /rows\.only: expected 1 to 50 columns/],
    ['parents: { text: a }', /parents: expected \{ text, code \}/],
    ['unpivot: { columns: [a], heading: x, value: x }', /unpivot\.value: expected another name/],
    ['unpivot: { columns: { matching: "a" }, heading: x, value: y, as: "$1" }', /unpivot\.as: expected a group/],
    ['round: 9', /round: /],
    ['header_row: first', /header_row: expected the number of a line/],
    ['skip_rows: 0', /skip_rows: /],
    ['edition: { cell: 3B, format: MM/YYYY }', /edition\.cell: expected a cell such as B3/],
    ['edition: { cell: B3, format: MM }', /edition\.format: expected a format with YYYY/],
    ['edition: { name: "prices" }', /edition\.name: expected a part of a name with \{YYYY\}/],
    ['just text', /mapping: /],
    ['{', /expected JSON or YAML/],
    ['a: &a [1]\nb: [*a, *a]', /expected JSON or YAML/],
  ])('that is invalid is refused with place and expectation: %s', (text, message) => {
    const parsing = () => parseMapping(text, 'm.yaml')
    expect(parsing).toThrow(BadMapping)
    expect(parsing).toThrow(message)
    expect(parsing).toThrow(/^m\.yaml: /)
  })

  test('finds its columns despite case, accents and blanks, and names missing ones', () => {
    const mapping = { columns: { vendor_ref: 'codigo', name: 'Nombre', price: 'PVP' } }
    const { resolved, missing } = resolveMapping(mapping, ['CÓDIGO ', 'Nombre', 'Precio'])
    expect(resolved.columns).toMatchObject({ vendor_ref: 'CÓDIGO ', name: 'Nombre' })
    expect(resolved.guessed).toEqual([])
    expect(missing).toEqual(["price: no column 'PVP'"])
  })

  test('without columns guesses them, and a constant overrides a guess', () => {
    const { resolved, missing } = resolveMapping({ constants: { unit: 'u' } }, ['Ref.', 'Nombre', 'Ud', 'Precio (€)'])
    expect(resolved.columns).toEqual({ vendor_ref: 'Ref.', name: 'Nombre', price: 'Precio (€)' })
    expect(resolved.constants).toEqual({ unit: 'u', currency: 'EUR' })
    expect(resolved.guessed).toEqual(['vendor_ref', 'name', 'price', 'currency'])
    expect(missing).toEqual([])
    expect(resolveMapping({}, ['a', 'b']).missing).toHaveLength(3)
  })
})

test.each([
  [
    'es',
    ['Código', 'Descripción', 'Ud.', 'PVP', 'Fecha', 'Familia', 'EAN'],
    ['vendor_ref', 'name', 'unit', 'price', 'observed_at', 'category_path', 'gtin'],
  ],
  [
    'en',
    ['SKU', 'Product name', 'Description', 'UoM', 'Unit price', 'Currency', 'Vendor'],
    ['vendor_ref', 'name', 'description', 'unit', 'price', 'currency'],
  ],
  [
    'pt',
    ['Referência', 'Designação', 'Unidade', 'Preço unitário', 'Moeda', 'Data'],
    ['vendor_ref', 'name', 'unit', 'price', 'currency', 'observed_at'],
  ],
  [
    'fr',
    ['Code article', 'Libellé', 'Unité', 'Prix HT', 'TVA', 'Fournisseur'],
    ['vendor_ref', 'name', 'unit', 'price', 'tax_rate'],
  ],
  [
    'de',
    ['Artikel-Nr.', 'Bezeichnung', 'Mengeneinheit', 'Einzelpreis', 'Währung', 'Warengruppe'],
    ['vendor_ref', 'name', 'unit', 'price', 'currency', 'category_path'],
  ],
  [
    'it',
    ['Codice articolo', 'Descrizione', 'Unità di misura', 'Prezzo', 'Categoria'],
    ['vendor_ref', 'name', 'unit', 'price', 'category_path'],
  ],
])('recognises well-known headings in %s', (_language, headings, keys) => {
  expect(guessColumns(headings).columns).toEqual(Object.fromEntries(keys.map((key, i) => [key, headings[i]])))
})

test('an ambiguous heading of goods is the name when no other column is', () => {
  expect(guessColumns(['Ref.', 'Artículo', 'PVP']).columns).toMatchObject({ vendor_ref: 'Ref.', name: 'Artículo' })
  expect(guessColumns(['Código', 'Artículo', 'Descripción']).columns).toMatchObject({ name: 'Descripción' })
  expect(guessColumns(['Artículo', 'Precio']).columns).toEqual({ vendor_ref: 'Artículo', price: 'Precio' })
})

test.each(['Unidad de precio', 'Preisbasis', 'Prix pour', 'PE'])(
  'recognises %s as the base quantity of a price',
  (heading) => {
    expect(guessColumns(['Ref.', 'Nombre', 'Precio', heading]).columns).toMatchObject({ per_quantity: heading })
  },
)

test('the total of a bill is no price, and a list price precedes a net one', () => {
  const priceOf = (...headings: readonly string[]) => guessColumns(['Ref.', 'Nombre', ...headings]).columns.price
  expect(priceOf('Cantidad', 'Importe')).toBeUndefined()
  expect(priceOf('Importe')).toBe('Importe')
  expect(priceOf('Cantidad', 'Importe', 'Precio')).toBe('Precio')
  expect(priceOf('Nettopreis', 'Listenpreis')).toBe('Listenpreis')
})

test('recognises a price heading with full stops', () => {
  expect(guessColumns(['Cód.', 'Descripción', 'P.V.P. (EUR)'])).toMatchObject({
    columns: { price: 'P.V.P. (EUR)' },
    stated: { currency: 'EUR' },
  })
})

test.each([
  ['Preis (exkl. MwSt.)', { tax_included: 'no' }],
  ['Price incl. VAT (GBP)', { tax_included: 'yes', currency: 'GBP' }],
  ['Precio sin IVA', { tax_included: 'no' }],
  ['Prezzo IVA inclusa', { tax_included: 'yes' }],
  ['€/m²', { unit: 'm²', currency: 'EUR' }],
  ['Preis/m²', { unit: 'm²' }],
  ['Price per kg', { unit: 'kg' }],
])('the heading %s of a price states %j', (heading, stated) => {
  const { resolved, missing } = resolveMapping({}, ['SKU', 'Name', 'Unit', heading])
  expect(missing).toEqual([])
  expect(resolved.columns.price).toBe(heading)
  expect(resolved.constants).toEqual(stated)
  expect(resolved.columns.unit).toBe('unit' in stated ? undefined : 'Unit')
})

test.each([
  ['€/m²', '€/box'],
  ['Preis exkl. MwSt.', 'Preis inkl. MwSt.'],
  ['Price per 100'],
  ['Price per user'],
  ['exkl. MwSt.'],
])('headings that leave the price open name none: %s %s', (...headings) => {
  expect(guessColumns(['SKU', 'Name', ...headings]).columns.price).toBeUndefined()
})

test('finds prices in the objects of shop APIs', () => {
  const woo = guessColumns(['id', 'name', 'sku', 'prices.price', 'prices.regular_price', 'prices.currency_code'])
  expect(woo.columns).toMatchObject({ vendor_ref: 'sku', price: 'prices.price', currency: 'prices.currency_code' })
  const hybris = guessColumns(['code', 'name', 'price.value', 'price.currencyIso', 'price.formattedValue'])
  expect(hybris.columns).toMatchObject({ vendor_ref: 'code', price: 'price.value', currency: 'price.currencyIso' })
})

test.each([
  ['DD/MM/YYYY', 'dmy'],
  ['mm-dd-yy', 'mdy'],
  ['YYYY.MM.DD', 'ymd'],
  ['ISO', 'ymd'],
  ['DD/MM', null],
])('the date format %s means %s', (format, order) => {
  expect(dateOrderOf(format)).toBe(order)
})

test('a mapping that reads sources from a column says which', () => {
  const columns = 'columns: { vendor_ref: a, name: b, price: c, source: d }'
  expect(() => parseMapping(columns, 'm.yaml')).toThrow(
    /m.yaml: sources: columns.source lets the file name its sources: expected also sources: \{ allow: \[names or ids\] \}/,
  )
  expect(parseMapping(`${columns}\nsources: { allow: any, trust_max: 40 }`, 'm.yaml').sources).toEqual({
    allow: 'any',
    trust_max: 40,
  })
  expect(() => parseMapping(`${columns}\nsources: { allow: some }`, 'm.yaml')).toThrow(
    'expected any, or a list of names or ids of sources',
  )
  expect(parseMapping('constants: { source: Norte }', 'm.yaml').constants).toEqual({ source: 'Norte' })
})

test.each([
  ['vendor', 'source'],
  ['proveedor', 'source'],
  ['country', 'region'],
  ['trust score', 'trust'],
  ['trust', 'trust'],
  ['kind', 'kind'],
  ['validity_days', 'validity_days'],
  ['updated at', 'observed_at'],
  ['last updated', 'observed_at'],
] as const)('the heading %s gives no %s', (heading, key) => {
  expect(guessColumns(['sku', 'name', 'price', heading]).columns[key]).toBeUndefined()
})
