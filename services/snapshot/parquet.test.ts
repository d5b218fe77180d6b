import { createHash } from 'node:crypto'
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTable } from '@catalog/stack/snapshot/parquet.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTable, type RowOf } from './parquet.ts'

const COLUMNS = {
  id: 'VARCHAR',
  places: 'VARCHAR[]',
  is_open: 'BOOLEAN',
  count: 'INTEGER',
  cents: 'BIGINT',
  exact: 'DOUBLE',
  at: 'TIMESTAMPTZ',
} as const
type Row = RowOf<typeof COLUMNS>

/** Writes the rows in batches of 1,000, as a caller does. */
async function written(rows: readonly Row[]) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'parquet-'))
  const path = join(folder.path, 'table.parquet')
  const table = createTable(path, COLUMNS)
  for (let i = 0; i < rows.length; i += 1_000) table.add(rows.slice(i, i + 1_000))
  const report = await table.finish()
  return { ...(await readTable(path)), report, bytes: readFileSync(path) }
}

/** A row as a reader gets it. */
const asRead = ({ cents, at, ...row }: Row) => ({
  ...row,
  cents: cents === null ? null : BigInt(cents as number),
  at: at === null ? null : new Date(at as string),
})

const MAYBE = { nil: null, freq: 4 }
const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const row = fc.record({
  id: fc.option(text, MAYBE),
  places: fc.option(fc.array(text, { maxLength: 3 }), MAYBE),
  is_open: fc.option(fc.boolean(), MAYBE),
  count: fc.option(fc.integer(), MAYBE),
  cents: fc.option(fc.maxSafeInteger(), MAYBE),
  exact: fc.option(fc.double({ noNaN: true }), MAYBE),
  at: fc.option(
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01') }).map((date) => date.toISOString()),
    MAYBE,
  ),
})

test('every value comes back as it was added, by column and type', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (rows) => {
      const { rows: read, types } = await written(rows)
      expect(read).toEqual(rows.map(asRead))
      expect(types).toEqual([
        'id BYTE_ARRAY UTF8',
        'places LIST',
        'list',
        'element BYTE_ARRAY UTF8',
        'is_open BOOLEAN',
        'count INT32 INT_32',
        'cents INT64 INT_64',
        'exact DOUBLE',
        'at INT64 TIMESTAMP_MICROS UTC',
      ])
    }),
    { numRuns: 100 },
  )
})

const named = (id: string): Row => ({
  id,
  places: [id],
  is_open: true,
  count: 1,
  cents: 2,
  exact: 0.5,
  at: '2026-01-05T07:20:00.500Z',
})

test('many rows make several compressed row groups, in the order in which they were added', async () => {
  const rows = Array.from({ length: 12_345 }, (_, i) => named(`row ${i}`))
  const { rows: read, groups, codecs, report, bytes } = await written(rows)
  expect(read).toEqual(rows.map(asRead))
  expect(groups).toEqual([5_000, 5_000, 2_345])
  expect(codecs).toEqual(new Set(['ZSTD']))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(report).toEqual({ rows: rows.length, bytes: bytes.length, sha256 })
})

test('a row group ends early when its texts are long, so memory stays bounded', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => named(`${i}`.repeat(250_000)))
  const { rows: read, groups } = await written(rows)
  expect(groups.length).toBeGreaterThan(1)
  expect(read).toEqual(rows.map(asRead))
})

test('a table without rows has its columns', async () => {
  const { rows, types } = await written([])
  expect([rows, types.length]).toEqual([[], 9])
})
