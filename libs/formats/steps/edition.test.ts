import { describe, expect, test } from 'vitest'
import { cellAt, editionIn, editionInName } from './edition.ts'
import { rounded } from './round.ts'

describe('the edition of a list', () => {
  test.each([
    ['09/2026', 'MM/YYYY', { edition: '2026-09', day: '2026-09-01' }],
    ['MES DE COLETA: 12/2024', 'MM/YYYY', { edition: '2024-12', day: '2024-12-01' }],
    ['Edition 2026', 'YYYY', { edition: '2026', day: '2026-01-01' }],
    ['1/9/2026', 'DD/MM/YYYY', { edition: '2026-09-01', day: '2026-09-01' }],
    // A spreadsheet gives its dates in ISO 8601.
    ['2026-09-01', 'MM/YYYY', { edition: '2026-09', day: '2026-09-01' }],
    ['2024-01', undefined, { edition: '2024-01', day: '2024-01-01' }],
    ['2024', undefined, { edition: '2024', day: '2024-01-01' }],
    ['VEN26', undefined, null],
    ['13/2026', 'MM/YYYY', null],
    ['31/02/2026', 'DD/MM/YYYY', null],
    ['1234', 'YYYY', null],
    ['12026', 'YYYY', null],
    ['', 'MM/YYYY', null],
  ])('%s as %s', (text, format, expected) => {
    expect(editionIn(text, format)).toEqual(expected)
  })

  test.each([
    ['SINAPI_Refere\u0302ncia_2026_09.xlsx', 'Referência_{YYYY}_{MM}', '2026-09'],
    ['PA_202412_NaoDesonerado.xlsx', '{YYYY}{MM}', '2024-12'],
    ['a.zip/prices 2025.csv', 'prices {YYYY}', '2025'],
    ['prices.csv', 'prices_{YYYY}', undefined],
    [`${'9'.repeat(100_000)}`, '{YYYY}{MM}', undefined],
  ])('in the name %s', (name, template, expected) => {
    expect(editionInName(name, template)?.edition).toBe(expected)
  })

  test('stands in a cell', () => {
    expect(cellAt('B3')).toEqual({ line: 3, column: 1 })
    expect(cellAt('AA10')).toEqual({ line: 10, column: 26 })
  })
})

test.each([
  ['8.6300000000000008', 2, '8.63'],
  ['13.63017', 2, '13.63'],
  ['0.005', 2, '0.01'],
  ['0.0049', 2, '0'],
  ['9.999', 2, '10'],
  ['1467.4', 2, '1467.4'],
  ['2.5', 0, '3'],
  ['42945.941571791614', 4, '42945.9416'],
])('%s to %i places is %s', (decimal, places, expected) => {
  expect(rounded(decimal, places)).toBe(expected)
})
