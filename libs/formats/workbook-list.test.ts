import { bytesSource } from '@catalog/formats/bytes/record.ts'
import type { Mapping } from '@catalog/formats/mapping/mapping.ts'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { readOutcomes } from './read.ts'

type SheetInput = Parameters<typeof writeXlsx>[0]['sheets'][number]

const list = (ref: string, price: number | string = 1.5): NonNullable<SheetInput['rows']> => [
  ['SKU', 'Name', 'Price'],
  [`${ref}1`, 'Board', price],
  [`${ref}2`, 'Beam', price],
]
const sheet = (name: string, rows: NonNullable<SheetInput['rows']>, state: Partial<SheetInput> = {}): SheetInput => ({
  name,
  rows,
  ...state,
})

/** Reads a workbook: what each sheet gives, and what is said of the others. */
async function read(sheets: SheetInput[], mapping?: Mapping) {
  const outcomes: string[] = []
  const files = new Map<string, { complete: boolean; passedOver: readonly string[] }>()
  const source = bytesSource('f.xlsx', await writeXlsx({ sheets }))
  const defaults = { source: 'S', currency: 'EUR', observedAt: '2026-01-01', notAfter: new Date('2026-11-21') }
  for await (const batch of readOutcomes(source, { mapping, defaults })) {
    for (const { position, result } of batch.outcomes) {
      const said = 'content' in result ? result.content.vendor_ref : `${result.reason}: ${result.detail}`
      outcomes.push(`${position}: ${said}`)
    }
    const { complete, sheets_passed_over: passedOver } = batch.detected
    files.set(batch.detected.file, { complete, passedOver })
  }
  return { outcomes, files: Object.fromEntries(files) }
}

test('every visible sheet with prices is read, each by its own columns', async () => {
  const pipes = [
    ['Art.-Nr.', 'Bezeichnung', 'Preis EUR'],
    ['P1', 'Rohr', '1.234,50'],
    ['P2', 'Bogen', '3,20'],
  ]
  const { outcomes, files } = await read([sheet('Boards', list('B')), sheet('Pipes', pipes)])
  expect(outcomes).toEqual([
    'f.xlsx line 2: B1',
    'f.xlsx line 3: B2',
    'f.xlsx sheet Pipes line 2: P1',
    'f.xlsx sheet Pipes line 3: P2',
  ])
  expect(files).toEqual({
    'f.xlsx': { complete: true, passedOver: [] },
    'f.xlsx sheet Pipes': { complete: true, passedOver: [] },
  })
})

test('hidden sheets and covers are passed over and named', async () => {
  const { outcomes, files } = await read([
    sheet('2024 old', list('OLD'), { hidden: true }),
    sheet('Secret', list('SECRET'), { veryHidden: true }),
    sheet('Cover', [['Welcome'], ['Prices of', 2026]]),
    sheet('Prices', list('A')),
  ])
  expect(outcomes).toEqual(['f.xlsx sheet Prices line 2: A1', 'f.xlsx sheet Prices line 3: A2'])
  expect(files).toEqual({
    'f.xlsx sheet Prices': { complete: true, passedOver: ['2024 old', 'Secret', 'Cover'] },
  })
})

test.each([1.5, '1,50 €'])('a table that nobody can read is named, and the file is not complete: %s', async (price) => {
  const unknown = list('X', price).map((row, i) => (i === 0 ? ['Ding', 'Was', 'Wieviel'] : row))
  const { outcomes, files } = await read([sheet('Prices', list('A')), sheet('More', unknown)])
  expect(outcomes).toEqual([
    'f.xlsx line 2: A1',
    'f.xlsx line 3: A2',
    expect.stringMatching(
      /^f\.xlsx sheet More: NO_COLUMN: .* The file has: Ding \| Was \| Wieviel\. Its sheets are 'Prices', 'More'; `sheet` of the mapping names the one to read$/,
    ),
  ])
  expect(files).toMatchObject({ 'f.xlsx': { complete: true }, 'f.xlsx sheet More': { complete: false } })
})

test('the mapping names one sheet, hidden or not', async () => {
  const sheets = [sheet('Cover', [['Welcome']]), sheet('Old', list('OLD'), { hidden: true }), sheet('New', list('A'))]
  expect((await read(sheets, { sheet: 'Old' })).outcomes).toEqual([
    'f.xlsx sheet Old line 2: OLD1',
    'f.xlsx sheet Old line 3: OLD2',
  ])
  expect((await read(sheets, { sheet: 3 })).outcomes).toEqual([
    'f.xlsx sheet 3 line 2: A1',
    'f.xlsx sheet 3 line 3: A2',
  ])
  expect((await read(sheets, { sheet: 'None' })).outcomes).toEqual([
    expect.stringMatching(/: no sheet 'None' in the workbook: expected one of 'Cover', 'Old', 'New'$/),
  ])
})

test('a workbook without a table says what its first sheet has', async () => {
  const { outcomes } = await read([sheet('Cover', [['Welcome']]), sheet('Notes', [['Call us']])])
  expect(outcomes).toEqual([
    expect.stringMatching(
      /^f\.xlsx: NO_COLUMN: .* The file has: Welcome\. Its sheets are 'Cover', 'Notes'; `sheet` of/,
    ),
  ])
})

test('sheets are chosen by name, glob and number, and told to a column', async () => {
  const sheets = [sheet('ISD', list('A')), sheet('ICD', list('B')), sheet('CSD', list('C')), sheet('Old', list('D'))]
  const columns = { vendor_ref: ['SKU', '_sheet'], name: 'Name', price: 'Price' }
  const refs = async (wanted: NonNullable<Mapping['sheet']>) =>
    (await read(sheets, { sheet: wanted, columns })).outcomes.map((said) => said.replace(/^.*: /, ''))
  expect(await refs(['CSD', 'I*'])).toEqual(['A1|ISD', 'A2|ISD', 'B1|ICD', 'B2|ICD', 'C1|CSD', 'C2|CSD'])
  expect(await refs(2)).toEqual(['B1|ICD', 'B2|ICD'])
  expect(await refs('Old')).toEqual(['D1|Old', 'D2|Old'])
  expect((await refs(['ISD', 'X*'])).at(-1)).toBe("expected one of 'ISD', 'ICD', 'CSD', 'Old'")
})
