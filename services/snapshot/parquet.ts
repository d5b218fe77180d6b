import { zstdCompressSync } from 'node:zlib'
import { fileDigest, syncPath } from '@catalog/runtime/durable-files.ts'
import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'

/** Parquet files for analysts, compressed by Zstandard and written in row groups: memory does not grow with a table. */

/** A row group ends with either: encoding one holds the process for some 50 ms. */
const [GROUP_ROWS_MAX, GROUP_CHARS_MAX] = [5_000, 8_000_000]

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const
/** Types of columns by their names in SQL, with the value that a row has. */
const TYPES = {
  VARCHAR: { element: TEXT, encoded: (value: string) => value },
  'VARCHAR[]': { element: TEXT, encoded: (value: readonly string[]) => value },
  BOOLEAN: { element: { type: 'BOOLEAN' }, encoded: (value: boolean) => value },
  INTEGER: { element: { type: 'INT32', converted_type: 'INT_32' }, encoded: (value: number) => value },
  BIGINT: { element: { type: 'INT64', converted_type: 'INT_64' }, encoded: (value: number) => BigInt(value) },
  DOUBLE: { element: { type: 'DOUBLE' }, encoded: (value: number) => value },
  /** An instant of our one spelling, in microseconds. */
  TIMESTAMPTZ: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    encoded: (value: string) => BigInt(Date.parse(value)) * 1_000n,
  },
} as const satisfies Readonly<Record<string, { element: Omit<SchemaElement, 'name'>; encoded: unknown }>>

export type Columns = Readonly<Record<string, keyof typeof TYPES>>
/** A row; undefined is null in the file. */
export type RowOf<C extends Columns> = Readonly<{
  [Name in keyof C]: Parameters<(typeof TYPES)[C[Name]]['encoded']>[0] | null | undefined
}>

export type Table<C extends Columns> = Readonly<{
  add: (rows: readonly RowOf<C>[]) => void
  /** Completes and syncs the file. */
  finish: () => Promise<{ rows: number; bytes: number; sha256: string }>
}>

/** Begins a file, or replaces it. */
export function createTable<const C extends Columns>(path: string, columns: C): Table<C> {
  const elements = Object.entries(columns).map(([name, type]) => elementsOf(name, type))
  const parquet = new ParquetWriter({
    writer: fileWriter(path),
    schema: [{ name: 'root', num_children: elements.length }, ...elements.flat()],
    codec: 'ZSTD',
    compressors: { ZSTD: zstdCompressSync },
  })
  let group: RowOf<C>[] = []
  let chars = 0
  let rows = 0
  const endGroup = () => {
    const columnData = Object.entries(columns).map(([name, type]) => {
      const encoded = TYPES[type].encoded as (value: unknown) => unknown
      const data = group.map((row) => row[name] ?? null).map((value) => (value === null ? null : encoded(value)))
      return { name, data }
    })
    // The file's writer is synchronous.
    void parquet.write({ columnData, rowGroupSize: GROUP_ROWS_MAX })
    rows += group.length
    group = []
    chars = 0
  }
  return {
    add(added) {
      for (const row of added) {
        group.push(row)
        for (const value of Object.values(row)) chars += typeof value === 'string' ? value.length : 0
        if (group.length === GROUP_ROWS_MAX || chars > GROUP_CHARS_MAX) endGroup()
      }
    },
    async finish() {
      if (group.length > 0) endGroup()
      await parquet.finish()
      await syncPath(path)
      return { rows, ...(await fileDigest(path)) }
    },
  }
}

/** The elements of a column in the file's schema: a list has two more around its values. */
function elementsOf(name: string, type: keyof typeof TYPES): SchemaElement[] {
  const value = { ...TYPES[type].element, repetition_type: 'OPTIONAL' as const }
  if (type !== 'VARCHAR[]') return [{ ...value, name }]
  return [
    { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { ...value, name: 'element' },
  ]
}
