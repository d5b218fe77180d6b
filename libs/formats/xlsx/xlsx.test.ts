import { bytesSource, type RawRecord } from '@catalog/formats/bytes/record.ts'
import { all, workbookOf, zipOf } from '@catalog/stack/testing/archives.ts'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { readXlsx } from './xlsx.ts'

const read = (bytes: Uint8Array, options: Partial<Parameters<typeof readXlsx>[1]> = {}) =>
  all(readXlsx(bytesSource('f.xlsx', bytes), { name: 'f.xlsx', ...options }))

const workbook = (rows: unknown[][], name = 'Prices') =>
  writeXlsx({
    sheets: [
      { name, rows: rows as never },
      { name: 'Other', rows: [['x'], ['y']] },
    ],
  })

test('rows become records, with numbers as Excel shows them and dates in ISO form', async () => {
  const bytes = await workbook([
    ['ref', 'name', 'price', 'date'],
    ['A', 'Brick "x"', 0.1 + 0.2, new Date(Date.UTC(2026, 2, 1))],
    [],
    ['B', 'Sand', 1234.5],
  ])
  const records = (await read(bytes)) as RawRecord[]
  expect(records.map(({ position, fields }) => [position, { ...fields }])).toEqual([
    ['f.xlsx line 2', { ref: 'A', name: 'Brick "x"', price: '0.3', date: '2026-03-01' }],
    ['f.xlsx line 4', { ref: 'B', name: 'Sand', price: '1234.5', date: '' }],
  ])
  expect([...(records[0]?.numbers ?? [])]).toEqual(['price'])
})

test('selects a sheet by name or number, and reports a missing one', async () => {
  const bytes = await workbook([['ref'], ['A']])
  expect(await read(bytes, { sheet: 'Other' })).toMatchObject([{ position: 'f.xlsx line 2', fields: { x: 'y' } }])
  expect(await read(bytes, { sheet: 2 })).toMatchObject([{ fields: { x: 'y' } }])
  expect(await read(bytes, { sheet: 'None' })).toMatchObject([
    {
      reason: 'BAD_WORKBOOK',
      detail: "no sheet 'None' in the workbook: expected one of 'Prices', 'Other'",
      endsFile: true,
    },
  ])
})

test('reads a long sheet whole, and lets a reader stop early', async () => {
  const rows = Array.from({ length: 6_000 }, (_, i) => [`R${i}`, `Name of ${i}`])
  const source = bytesSource('f.xlsx', await workbook([['ref', 'name'], ...rows]))
  expect(await all(readXlsx(source, { name: 'f.xlsx' }))).toHaveLength(6_000)
  for await (const batch of readXlsx(source, { name: 'f.xlsx' })) {
    expect(batch[0]).toMatchObject({ position: 'f.xlsx line 2', fields: { ref: 'R0' } })
    break
  }
})

test('a file that is no workbook is one broken record', async () => {
  const whole = Buffer.from(await workbook([['ref'], ['A']]))
  for (const bytes of [Buffer.from('not a workbook'), whole.subarray(0, 500), zipOf({ 'a.txt': 'x' })]) {
    expect(await read(bytes)).toMatchObject([{ position: 'f.xlsx', reason: 'BAD_WORKBOOK', endsFile: true }])
  }
})

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const HEADING = `<row>${inline('ref')}${inline('name')}</row>`

test('given rows that claim the last column of Excel, when they are read, then the file is refused as a whole', async () => {
  const bytes = workbookOf({ rows: HEADING + '<row><c r="XFD9"><v>1</v></c></row>'.repeat(60_000) })
  const records = await all(readXlsx(bytesSource('f.xlsx', bytes), { name: 'f.xlsx' }))
  expect(records).toMatchObject([
    {
      reason: 'TOO_MANY_CELLS',
      detail: expect.stringMatching(
        /^the sheet claims \d+ cells up to here, .*: at most 100000000, and 10 for each of/,
      ),
      refusesFile: true,
    },
  ])
})

test('given one long shared string in many cells, when they are read, then the file is refused as a whole', async () => {
  const rows = HEADING + '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'.repeat(2_000)
  const strings = `<si><t>A</t></si><si><t>${'Clay brick '.repeat(2_000)}</t></si>`
  const records = await read(workbookOf({ rows, strings }))
  expect(records.at(-1)).toMatchObject({
    reason: 'EXPANDS_TOO_MUCH',
    detail: expect.stringMatching(
      /^the cells up to here have \d+ characters: at most 100 for each of its \d+ packed bytes$/,
    ),
    refusesFile: true,
  })
})

test.each([
  ['TOO_MANY_COLUMNS', inline('x').repeat(1_001), 'the row has 1001 cells, at most 1000 are read'],
  ['CELL_TOO_LONG', inline('A') + inline('x'.repeat(32_768)), 'cell 2 has 32768 characters, at most 32767 are read'],
  ['RECORD_TOO_LONG', inline('x'.repeat(32_767)).repeat(40), /^the row has 1310680 characters/],
])('breaks a row beyond a limit alone: %s', async (reason, cells, detail) => {
  const rows = `${HEADING}<row>${cells}</row><row>${inline('B')}${inline('Sand')}</row>`
  expect(await read(workbookOf({ rows }))).toMatchObject([
    { reason, detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) },
    { fields: { ref: 'B', name: 'Sand' } },
  ])
})
