import { all, zipOf } from '@catalog/formats/bytes/fixtures.ts'
import { bytesSource, type RawRecord } from '@catalog/formats/bytes/record.ts'
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
  expect(await read(bytes, { sheet: 'Other' })).toMatchObject([
    { position: 'f.xlsx sheet Other line 2', fields: { x: 'y' } },
  ])
  expect(await read(bytes, { sheet: 2 })).toMatchObject([{ fields: { x: 'y' } }])
  expect(await read(bytes, { sheet: 'None' })).toMatchObject([
    { reason: 'BAD_WORKBOOK', detail: 'no such sheet in the workbook: f.xlsx sheet None', endsFile: true },
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
