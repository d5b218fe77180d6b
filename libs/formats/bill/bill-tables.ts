import { decodeStream } from '@catalog/formats/bytes/encoding.ts'
import { type ByteSource, isBroken, type RecordBatches } from '@catalog/formats/bytes/record.ts'
import { openArchive } from '@catalog/formats/bytes/zip.ts'
import { readCsv } from '@catalog/formats/tables/csv.ts'
import type { FormulaCell } from '@catalog/formats/xlsx/formulas.ts'
import { readXlsx, worksheetsOf } from '@catalog/formats/xlsx/xlsx.ts'

/** A table of a bill: a CSV file, or one sheet of a workbook by its number from 1; `name` is that of its positions. */
export type BillTable = Readonly<{ name: string; sheet: string | null; number: number; isVisible: boolean }> &
  Readonly<{
    rows: readonly TableRow[]
    /** Rows that the sheet hides, which are left out, and columns from 0, which are read. */
    hiddenRows: number
    hiddenColumns: ReadonlySet<number>
  }>

/** A row from 1; `problem`: why it cannot be split into cells. */
export type TableRow = Readonly<{ row: number; cells: readonly Cell[]; problem: string | null }>

/** `isNumber`: a number of the format itself, with a point; `formula`: what stored no value and cannot be computed. */
export type Cell = Readonly<{ text: string; isNumber: boolean; formula?: string }>

export const NO_CELL: Cell = { text: '', isNumber: false }

/** Sheets of a workbook, and rows of each, that are read as a bill. */
const SHEETS_MAX = 100
const ROWS_MAX = 100_000
const layout = { headingLines: null }

/** Reads the tables of a CSV file or of a workbook. `isHeading` tells the delimiter of a CSV file. */
export async function readBillTables(
  source: ByteSource,
  { format, isHeading }: { format: 'csv' | 'xlsx'; isHeading: (cells: readonly string[]) => boolean },
): Promise<readonly BillTable[]> {
  const { name } = source
  if (format === 'csv') {
    const rows = await rowsOf(readCsv(decodeStream(source.open(), {}).text, { name, isHeading, layout }))
    return [{ name, sheet: null, number: 1, isVisible: true, rows, hiddenRows: 0, hiddenColumns: new Set() }]
  }
  const tables: BillTable[] = []
  using archive = await openArchive(await source.whole())
  const sheets = await worksheetsOf(archive)
  for (const { name: sheet, number, isVisible } of sheets.slice(0, SHEETS_MAX)) {
    const formulas: FormulaCell[] = []
    const hidden = { hiddenRows: 0, hiddenColumns: new Set<number>() as ReadonlySet<number> }
    const place = sheets.length > 1 ? `${name} sheet ${sheet}` : name
    const records = readXlsx(source, {
      name: place,
      sheet: number,
      layout,
      keepsHiddenColumns: true,
      onHidden: ({ rows }, columns) => Object.assign(hidden, { hiddenRows: rows, hiddenColumns: columns }),
      onFormula: (formula) => formulas.push(formula),
    })
    tables.push({
      name: place,
      sheet,
      number,
      isVisible,
      rows: withFormulas(await rowsOf(records), formulas),
      ...hidden,
    })
  }
  return tables
}

async function rowsOf(batches: RecordBatches): Promise<TableRow[]> {
  const rows: TableRow[] = []
  for await (const batch of batches) {
    for (const record of batch) {
      const row = Number(/ line (\d+)$/.exec(record.position)?.[1] ?? 0)
      // The whole file is no table, not only a row of it.
      if (isBroken(record) && record.endsFile) throw new Error(`${record.position}: ${record.detail}`)
      if (isBroken(record)) rows.push({ row, cells: [{ text: record.raw, isNumber: false }], problem: record.detail })
      else {
        const { fields, numbers } = record
        const cells = Object.entries(fields).map(([column, text]) => ({
          text: text.trim(),
          isNumber: numbers?.has(column) ?? false,
        }))
        rows.push({ row, cells, problem: null })
      }
    }
    if (rows.length > ROWS_MAX) throw new Error(`the table has more than ${ROWS_MAX} rows: expected a bill`)
  }
  return rows
}

/** The rows with the formulas that stored no value, in place of a blank. */
function withFormulas(rows: readonly TableRow[], formulas: readonly FormulaCell[]): readonly TableRow[] {
  const byRow = Map.groupBy(formulas, ({ row }) => row)
  return rows.map(({ cells, ...row }) => {
    const own = new Map(byRow.get(row.row)?.map(({ column, formula }) => [column, formula]))
    const width = Math.max(cells.length, ...own.keys().map((column) => column + 1))
    const all = Array.from({ length: width }, (_, i): Cell => {
      const formula = own.get(i)
      return formula === undefined ? (cells[i] ?? NO_CELL) : { ...NO_CELL, formula }
    })
    return { ...row, cells: own.size === 0 ? cells : all }
  })
}
