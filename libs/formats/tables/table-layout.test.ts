import { isBroken } from '@catalog/formats/bytes/record.ts'
import { all, textInPieces } from '@catalog/stack/testing/archives.ts'
import { expect, test } from 'vitest'
import { readCsv } from './csv.ts'
import type { TableLayout } from './table.ts'

const read = async (text: string, layout: TableLayout, delimiter?: string) => {
  const records = await all(readCsv(textInPieces(text), { name: 'f', layout, delimiter, isHeading: () => false }))
  return records.map((record) => (isBroken(record) ? `${record.reason}: ${record.detail}` : { ...record.fields }))
}

test('the heading stands on the line that the layout names', async () => {
  const text = 'Prices, of, some, region\nnotes\nCode;Price\nA;1\n\nB;2\n'
  expect(await read(text, { headingLines: [3] })).toEqual([
    { Code: 'A', Price: '1' },
    { Code: 'B', Price: '2' },
  ])
  expect(await read(text, { headingLines: [5] })).toEqual([
    'BAD_HEADING: line 5 is blank: expected the heading there, as `header_row` says',
  ])
  expect(await read(text, { headingLines: [50] })).toEqual([
    'BAD_HEADING: the table ends above line 50: expected the heading there, as `header_row` says',
  ])
})

test('a heading of several lines is joined by column, merged cells included', async () => {
  const text = 'Group,,,SP,,PA,\nCode,Name,Unit,Cost,%,Cost,%\nA,Sand,m3,1,2,3,4\n'
  expect(await read(text, { headingLines: [1, 2] })).toEqual([
    {
      'Group Code': 'A',
      'Group Name': 'Sand',
      'Group Unit': 'm3',
      'SP Cost': '1',
      'SP %': '2',
      'PA Cost': '3',
      'PA %': '4',
    },
  ])
})

test('a heading above a blank cell is that of its own column', async () => {
  const text = 'Code,,Prices,\n,Name,net,gross\nA,Sand,1,2\n'
  expect(await read(text, { headingLines: [1, 2] })).toEqual([
    { Code: 'A', Name: 'Sand', 'Prices net': '1', 'Prices gross': '2' },
  ])
})

test('a table without a heading has numbers for columns, and rows of any length', async () => {
  const text = 'A;Sand;1\nB;Lime\nC;Clay;3;kg\n'
  expect(await read(text, { headingLines: null }, ';')).toEqual([
    { 1: 'A', 2: 'Sand', 3: '1', 4: '' },
    { 1: 'B', 2: 'Lime', 3: '', 4: '' },
    { 1: 'C', 2: 'Clay', 3: '3', 4: 'kg' },
  ])
  expect(await read(`a title\n${text}`, { headingLines: null, skippedLines: 1 })).toHaveLength(3)
})

test('a table without a heading has the columns of its widest row, also below titles', async () => {
  const found: (readonly string[])[] = []
  const text = 'Prices of a region\n2026\nA;Sand;1\n'
  const layout = { headingLines: null }
  const onHeading = ({ columns }: Readonly<{ columns: readonly string[] }>) => found.push(columns)
  await all(readCsv(textInPieces(text), { name: 'f', layout, delimiter: ';', isHeading: () => false, onHeading }))
  expect(found).toEqual([['1', '2', '3']])
})

test('rows that end early have blanks only where the layout says so', async () => {
  const text = 'Code,Name,Price,Note\nA,Sand,1\nB,Lime,2,x\nC,Clay,3,y,z\n'
  const short: string[] = []
  const onShortRow = (position: string, cells: number, columns: number) =>
    short.push(`${position}: ${cells} of ${columns}`)
  expect(await read(text, { headingLines: [1], onShortRow })).toEqual([
    'WRONG_COLUMN_COUNT: the row has 3 fields, expected 4',
    { Code: 'B', Name: 'Lime', Price: '2', Note: 'x' },
    'WRONG_COLUMN_COUNT: the row has 5 fields, expected 4',
  ])
  expect(short).toEqual([])
  const filled = await read(text, { headingLines: [1], canRowsBeShort: true, onShortRow })
  expect(filled[0]).toEqual({ Code: 'A', Name: 'Sand', Price: '1', Note: '' })
  expect(filled[2]).toBe('WRONG_COLUMN_COUNT: the row has 5 fields, expected 4')
  expect(short).toEqual(['f line 2: 3 of 4'])
})

test('a cell that tells of the file is told, above the table too', async () => {
  const told: string[] = []
  const cell = { line: 2, column: 1, onText: (text: string) => told.push(text) }
  await read('Prices\nMonth,09/2026\nCode,Price\nA,1\n', { headingLines: [3], cell })
  await read('Code,Price\nA,1\n', { cell })
  expect(told).toEqual(['09/2026', '1'])
})
