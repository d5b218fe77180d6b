import { readNumber } from '@catalog/core/money/rational.ts'
import { foldText } from '@catalog/core/text.ts'
import { decodeStream } from '@catalog/formats/bytes/encoding.ts'
import { type BrokenRecord, type ByteSource, isBroken, type RecordBatches } from '@catalog/formats/bytes/record.ts'
import { readCsv } from '@catalog/formats/tables/csv.ts'
import { BILL_HEADINGS, TITLE_WORDS } from './bill-headings.ts'

/** A line of a bill of quantities, as written. */
export type BillLine = Readonly<{
  /** For people: "list.csv line 17". */
  position: string
  text: string
  unit: string | null
  /** A plain decimal; null when missing. */
  quantity: string | null
  region: string | null
  /** Whether the cell of the quantity is a number, which formulas of a workbook can use. */
  isQuantityNumber: boolean
}>

type Key = keyof typeof BILL_HEADINGS
const KEYS = Object.keys(BILL_HEADINGS) as Key[]

/** Column names by key; only the text is required. */
export type BillColumns = Readonly<{ text: string } & Partial<Record<Exclude<Key, 'text'>, string>>>

/** Where the heading of a bill stands. */
export type BillHeading = Readonly<{
  /** From 1; null in a CSV file, which has no cells to write to. */
  row: number | null
  /** From 0; null without a quantity. */
  quantityColumn: number | null
}>

/** Characters kept of a line; no material needs more. */
export const LINE_CHARS_MAX = 512

/**
 * Reads the lines of a CSV or XLSX list with a heading row, in order; skips empty rows, titles and sums: "CAPÍTULO 2",
 * "Subtotal". Finds columns by their headings unless `columns` names them. Broken rows, unreadable quantities, and quantities in
 * a unit without a text become broken records.
 */
export async function* readBillOfQuantities(
  source: ByteSource,
  {
    columns,
    format,
    onHeading: tell,
  }: { columns?: Partial<BillColumns>; format: 'csv' | 'xlsx'; onHeading?: (heading: BillHeading) => void },
): AsyncGenerator<BillLine | BrokenRecord, void, undefined> {
  let found: BillColumns | null = null
  const isHeading = (headings: readonly string[]) => billColumns(headings, columns ?? {}) !== null
  const onHeading = (heading: { columns: readonly string[]; line?: number }) => {
    found = billColumns(heading.columns, columns ?? {})
    if (found !== null) {
      const at = found.quantity === undefined ? -1 : heading.columns.indexOf(found.quantity)
      tell?.({ row: heading.line ?? null, quantityColumn: at < 0 ? null : at })
      return
    }
    const expected = columns?.text === undefined ? 'description, descripción, Bezeichnung …' : columns.text
    throw new NoColumn(
      `${source.name}: no column for the text (${expected}). The file has: ${heading.columns.join(' | ')}`,
    )
  }
  const options = { name: source.name, isHeading, onHeading }
  const records: RecordBatches =
    format === 'xlsx'
      ? (await import('@catalog/formats/xlsx/xlsx.ts')).readXlsx(source, options)
      : readCsv(decodeStream(source.open(), {}).text, options)
  for await (const batch of records) {
    for (const record of batch) {
      if (isBroken(record)) yield record
      else {
        const line = lineOf(record, found as unknown as BillColumns)
        if (line !== null) yield line
      }
    }
  }
}

/** No column of the file gives the text of the lines. */
class NoColumn extends Error {
  override name = 'NoColumn'
}

/** The columns of a bill among headings, by the names that they usually have or that `given` tells; null without a text. */
export function billColumns(headings: readonly string[], given: Partial<BillColumns>): BillColumns | null {
  const folded = new Map(
    headings.map((heading) => [
      foldText(heading)
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
      heading,
    ]),
  )
  const columns: Partial<Record<Key, string>> = {}
  for (const key of KEYS) {
    const names = given[key] === undefined ? BILL_HEADINGS[key].split(/,\s+/) : [foldText(given[key])]
    const heading = names.map((name) => folded.get(name)).find((heading) => heading !== undefined)
    if (heading !== undefined) columns[key] = heading
    else if (given[key] !== undefined) return null
  }
  return columns.text === undefined ? null : (columns as BillColumns)
}

function lineOf(
  {
    position,
    raw,
    fields,
    numbers,
  }: { position: string; raw: string; fields: Readonly<Record<string, string>>; numbers?: ReadonlySet<string> },
  columns: BillColumns,
): BillLine | BrokenRecord | null {
  const textAt = (key: Key) => {
    const column = columns[key]
    return (column === undefined ? '' : (fields[column] ?? '')).trim() || null
  }
  const text = textAt('text')
  const written = textAt('quantity')
  if (text === null) {
    // A row of sums has no unit; a quantity in a unit is somebody's line.
    const isLine = written !== null && textAt('unit') !== null
    const detail = `no text beside quantity '${written}': expected what the line is of`
    return isLine ? { position, raw, reason: 'NO_TEXT', detail } : null
  }
  const isTitle = columns.quantity !== undefined && written === null && textAt('unit') === null
  if (isTitle && TITLE_WORDS.test(foldText(text))) return null
  const isPlain = columns.quantity !== undefined && numbers?.has(columns.quantity)
  const quantity = written === null || isPlain ? written : readNumber(written)
  if (written !== null && (quantity === null || !/^\d{1,15}(\.\d{1,15})?$/.test(quantity))) {
    return { position, raw, reason: 'BAD_QUANTITY', detail: `quantity '${written}': expected a number such as 12.5` }
  }
  return {
    position,
    text: text.slice(0, LINE_CHARS_MAX),
    unit: textAt('unit'),
    quantity,
    region: textAt('region'),
    isQuantityNumber: isPlain === true,
  }
}
