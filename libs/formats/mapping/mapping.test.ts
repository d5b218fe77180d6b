import { describe, expect, test } from 'vitest'
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

test.each(['allow: [Norte]', 'allow: any'])('no mapping lets a file choose ids, with %s', (rule) => {
  expect(() => parseMapping(`columns: { source: d, source_id: e }\nsources: { ${rule} }`, 'm.yaml')).toThrow(
    'columns.source_id: a file never chooses the id of a source: expected columns.source',
  )
})
