import { foldText } from '@catalog/core/text.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { currencyIn } from '@catalog/formats/headings/heading-vocabulary.ts'
import type { Bill, BillLine, BillRow } from './bill.ts'
import {
  type BillColumns,
  chosenColumns,
  columnsOf,
  type GivenColumns,
  headingAt,
  shownColumns,
} from './bill-columns.ts'
import { type DecimalMark, decimalIn } from './bill-numbers.ts'
import { blockRows } from './bill-rows.ts'
import { type BillTable, NO_CELL, readBillTables, type TableRow } from './bill-tables.ts'
import { headingOf, isSumLabel, isSurcharge } from './bill-words.ts'

/** Rows below one heading, or below several that name the same columns. */
type Block = Readonly<{ columns: BillColumns; headingRow: number; rows: TableRow[] }>

/** What a sheet says as a bill. */
type SheetBill = Readonly<{
  table: BillTable
  block: Block
  rows: readonly BillRow[]
  lines: readonly BillLine[]
  notes: readonly string[]
}>

/** Reads a CSV file or a workbook; several sheets are one bill, each a section. Throws where no row heads the text of lines. */
export async function tableBill(
  source: ByteSource,
  { format, columns: given = {} }: { format: 'csv' | 'xlsx'; columns?: GivenColumns | undefined },
): Promise<Bill> {
  const isHeading = (cells: readonly string[]) =>
    headingAt([{ row: 1, cells: cells.map((text) => ({ text, isNumber: false })), problem: null }], 0, given) !== null
  const tables = await readBillTables(source, { format, isHeading })
  const headed = tables.flatMap((table) => sheetBill(table, blocksOf(table, given)))
  const read = headed.length > 0 ? headed : tables.flatMap((table) => sheetBill(table, namesIn(table, given)))
  if (read.length === 0) throw noColumn(source.name, tables, given)
  const { counted, notes } = countedSheets(read.filter(({ lines }) => lines.length > 0))
  const rows = counted.flatMap(({ table, block, rows }): readonly BillRow[] => {
    if (counted.length < 2) return rows
    const position = `${table.name} line ${block.headingRow}`
    const title = { kind: 'section', position, level: 1, code: null, text: table.sheet ?? '' } as const
    return [title, ...rows.map((row) => (row.kind === 'section' ? { ...row, level: row.level + 1 } : row))]
  })
  const [{ table, block } = read[0] as SheetBill] = counted
  const above = table.rows.filter(({ row }) => row < block.headingRow).flatMap(({ cells }) => cells)
  return {
    name: source.name,
    format,
    title: above.find(({ text }) => /\p{L}{3}/u.test(text))?.text.slice(0, 200) ?? null,
    currency: [...above.map(({ text }) => text), ...block.columns.names].reduce(
      (found: string | null, text) => found ?? currencyIn(text),
      null,
    ),
    rows,
    total: totalOf(
      counted,
      counted.length < 2 ? [] : tables.filter((other) => !read.some(({ table }) => table === other)),
    ),
    notes: [...notes, ...counted.flatMap((sheet) => sheet.notes)],
    ...(format === 'xlsx' && {
      sheets: counted.map(({ table, block }) => ({ number: table.number, headingRow: block.headingRow })),
    }),
  }
}

function sheetBill(table: BillTable, blocks: readonly Block[]): SheetBill[] {
  const [block] = blocks
  if (block === undefined) return []
  const notes = new Set<string>()
  const place = { sheet: table.sheet === null ? null : table.number, name: table.name }
  const rows = blocks.flatMap((block) => {
    const lines = withoutBidders(block, (note) => notes.add(`${table.name}: ${note}`))
    const chosen = chosenColumns(block.columns, lines, usualMark(table, block))
    const { p, names, price } = chosen
    const [read = 0, other = 0] = [p[0], price.find((column) => column !== p[0])]
    const label = names[read] === names[other] ? groupAbove(table, block, read) : names[read]
    if (p.length === 1 && price.length > 1) notes.add(`${table.name}: of ${price.length} prices '${label}' is read`)
    return blockRows(lines, chosen, place)
  })
  if (table.hiddenRows > 0) notes.add(`${table.name}: ${table.hiddenRows} hidden rows are left out`)
  const kept = withoutRemarks(rows)
  return [{ table, block, rows: kept, lines: kept.filter((row) => row.kind === 'line'), notes: [...notes] }]
}

/** The name above a column of several bidders side by side. */
const groupAbove = ({ rows }: BillTable, { headingRow }: Block, column: number) =>
  rows
    .findLast(
      ({ row, cells }) => row < headingRow && !cells[0]?.text && cells.filter(({ text }) => text !== '').length > 1,
    )
    ?.cells.findLast(({ text }, i) => i <= column && text !== '')
    ?.text.replace(/\n.*/s, '')

/** Blocks of a table, each below its headings. */
function blocksOf({ rows, hiddenColumns }: BillTable, given: GivenColumns): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < rows.length; at++) {
    const heading = headingAt(rows, at, given)
    const row = rows[at] as TableRow
    const last = blocks.at(-1)
    if (heading === null) last?.rows.push(row)
    else {
      const columns = shownColumns(heading.columns, hiddenColumns)
      const isSame = last !== undefined && JSON.stringify(last.columns) === JSON.stringify(columns)
      if (!isSame) blocks.push({ columns, headingRow: row.row, rows: [] })
      // Beside a text without a heading, the first line begins in the row of the headings.
      const cells = row.cells.map((cell) => (headingOf(cell.text) === null ? cell : NO_CELL))
      if (columns.text.length === 0) blocks.at(-1)?.rows.push({ ...row, cells })
      at += heading.rows - 1
    }
  }
  return blocks
}

/** A list of names: its first row heads the text, and nothing else. */
function namesIn({ rows }: BillTable, given: GivenColumns): Block[] {
  const at = rows.findIndex(({ cells }) => cells.some(({ text }) => text !== ''))
  const columns = columnsOf(rows[at]?.cells ?? [], given)
  return columns === null || columns.text.length === 0
    ? []
    : [{ columns, headingRow: rows[at]?.row ?? 1, rows: rows.slice(at + 1) }]
}

/** The rows without those of all bidders but the first, where a line stands below itself for each. */
function withoutBidders({ columns, rows }: Block, tell: (note: string) => void): readonly TableRow[] {
  const [vendor] = columns.vendor
  if (vendor === undefined) return rows
  const nameIn = ({ cells }: TableRow) => cells[vendor]?.text ?? ''
  const same = [...columns.text, ...columns.code, ...columns.unit, ...columns.quantity]
  const firsts = new Map<string, string>()
  const lines = rows.filter((row) => {
    const key = JSON.stringify(same.map((column) => row.cells[column]?.text))
    if (!firsts.has(key)) firsts.set(key, nameIn(row))
    return firsts.get(key) === nameIn(row)
  })
  const [first = ''] = firsts.values()
  const others = [...new Set(rows.map(nameIn))].filter((name) => name !== first && name !== '')
  if (lines.length < rows.length)
    tell(`the prices are those of '${first}'; left out: ${others.join(', ')}`.slice(0, 500))
  return lines
}

/** The rows without titles that have no line, and without what stands below the last total and is none. */
function withoutRemarks(rows: readonly BillRow[]): readonly BillRow[] {
  const isStated = (row: BillRow) => row.kind === 'line' && (row.quantity ?? row.amount) !== null
  const isForm = !rows.some(isStated)
  const last = rows.findLastIndex((row) => isStated(row) || (isForm && row.kind === 'line'))
  const total = rows.findIndex((row, i) => i > last && row.kind === 'sum')
  if (total < 0) return rows.slice(0, rows.findLastIndex(({ kind }) => kind !== 'section') + 1)
  return rows.filter((row, i) => i < total || row.kind === 'sum')
}

/** Lines of a sheet that stand on another sheet too, from which on the sheet repeats that one. */
const REPEATED_SHARE = 0.8

/** The sheets that are the bill, and why others are not: hidden ones, lists, measurements of lines, and those that repeat another one. */
function countedSheets(sheets: readonly SheetBill[]): { counted: readonly SheetBill[]; notes: readonly string[] } {
  const notes: string[] = []
  let kept = sheets
  const leave = (isLeft: (sheet: SheetBill) => boolean, why: string) => {
    if (kept.every(isLeft)) return
    for (const { table, lines } of kept.filter(isLeft))
      notes.push(`${table.name}: ${lines.length} lines are left out: ${why}`)
    kept = kept.filter((sheet) => !isLeft(sheet))
  }
  leave(({ table }) => !table.isVisible, 'the sheet is hidden')
  leave(
    ({ block: { columns } }) => columns.unit.length + columns.quantity.length === 0,
    'the sheet has no units and quantities',
  )
  leave(
    ({ block: { columns } }) => columns.measure.length > 1 && columns.price.length === 0,
    'the sheet measures lines of another one',
  )
  const keyOf = ({ text, unit }: BillLine) => foldText(`${text} ${unit}`)
  const priced = ({ lines }: SheetBill) =>
    lines.filter(({ quantity, amount, problem }) => Number(quantity) * Number(amount) !== 0 && problem === null).length
  // The sheet with the most priced lines is the bill that the others repeat.
  for (const sheet of kept.toSorted((a, b) => priced(b) - priced(a))) {
    const known = new Set(sheet.lines.map(keyOf))
    const isRepeated = (other: SheetBill) =>
      other !== sheet &&
      other.lines.filter((line) => known.has(keyOf(line))).length >= other.lines.length * REPEATED_SHARE
    if (kept.includes(sheet)) leave(isRepeated, `the sheet repeats ${sheet.table.sheet}`)
  }
  return { counted: kept, notes }
}

/** A total is not much less than the lines: else it is that of a part. */
const TOTAL_SHARE_MIN = 0.5

/** The last total above or below all lines of the only sheet with amounts, else of a sheet without lines that sums others up. */
function totalOf(counted: readonly SheetBill[], summaries: readonly BillTable[]): string | null {
  const priced = counted.filter(({ lines }) => lines.some(({ amount }) => Number(amount) !== 0))
  const sum = priced.flatMap(({ lines }) => lines).reduce((total, { amount }) => total + Number(amount), 0)
  const rows = priced.length === 1 ? (priced[0]?.rows ?? []) : []
  const [first, last] = [
    rows.findIndex(({ kind }) => kind === 'line'),
    rows.findLastIndex(({ kind }) => kind === 'line'),
  ]
  const sums = rows.flatMap((row, i) => (row.kind === 'sum' && (i < first || i > last) ? [row] : []))
  const summed = summaries.flatMap(({ rows }) => rows.filter(({ cells }) => cells.some(({ text }) => isSumLabel(text))))
  const amounts = [
    ...sums.flatMap(({ text, amount }) => (isSumLabel(text) || isSurcharge(text) ? [] : [amount])),
    ...summed.map(({ cells }) =>
      decimalIn(
        cells.findLast(({ isNumber }) => isNumber),
        null,
      ),
    ),
    ...sums.flatMap(({ text, amount }) => (isSumLabel(text) ? [amount] : [])),
  ]
  return amounts.findLast((amount) => Number(amount) > 0 && Number(amount) >= sum * TOTAL_SHARE_MIN) ?? null
}

/** The decimal mark of the language of the headings, where no number of the table proves one. */
function usualMark({ sheet }: BillTable, { columns: { names } }: Block): DecimalMark | null {
  const words = foldText(names.join(' '))
  if (/\b(?:description|qty|quantity|rate|particulars)\b/.test(words)) return '.'
  if (/\b(?:menge|quantite|medicion|quantidade|quantita|qtd)\b/.test(words)) return ','
  // Workbooks hold numbers as such; Mexico and Spain differ in their texts.
  return sheet === null && /\bcant(?:idad)?\b/.test(words) ? ',' : null
}

function noColumn(name: string, tables: readonly BillTable[], { text }: GivenColumns): Error {
  const first = tables.flatMap(({ rows }) => rows)[0]?.cells.map((cell) => cell.text) ?? []
  const expected = text ?? 'description, descripción, Bezeichnung …'
  return new Error(`${name}: no column for the text (${expected}). The file has: ${first.join(' | ').slice(0, 500)}`)
}
