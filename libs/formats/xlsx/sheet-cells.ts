import { Parser } from 'htmlparser2'
import { columnNumber } from './column-letters.ts'

/** Excel's last column, XFD. */
const COLUMNS_MAX = 16_384
/** Characters of a cell in Excel. */
const CELL_CHARS_MAX = 32_767

/**
 * A cell to write: text, a number (with two decimal places shown where `isMoney`), or a formula with the value that it has
 * now. A formula is written for the letters of the added columns, counted from 0.
 */
export type NewCell =
  | string
  | null
  | Readonly<{ number: number; isMoney?: boolean }>
  | Readonly<{ formula: (letterOf: (added: number) => string) => string; number: number }>

export type NewColumns = Readonly<{
  /** The row of the headings, from 1. */
  headingRow: number
  headings: readonly string[]
  /** Widths in characters, one for each heading. */
  widths: readonly number[]
  /** The cells of the new columns by row, from 1; a row may be new. */
  rows: ReadonlyMap<number, readonly NewCell[]>
}>

type SheetOptions = NewColumns &
  Readonly<{
    /** 0 → A, 26 → AA. */
    letterOf: (column: number) => string
    /** Index of the cell format for money; null without one. */
    moneyStyle: number | null
  }>

/** A row in the text of a sheet: where its cells end, and how. */
type RowPlace = Readonly<{
  row: number
  start: number
  /** Where new cells go. */
  end: number
  /** `<row r="3"/>`, which needs an end tag. */
  isEmptyTag: boolean
  /** The style of its last cell. */
  style: string | null
}>

/**
 * The text of a sheet with new columns at its right. Inserts text only: what stands is neither parsed into a model nor
 * written anew. Throws for a sheet without room.
 */
export function sheetWithCells(xml: string, options: SheetOptions): string {
  const { headingRow, headings, rows, letterOf } = options
  const places = placesOf(xml)
  const first = places.width
  if (first + headings.length > COLUMNS_MAX)
    throw new Error(`the sheet has ${first} columns: expected room for ${headings.length} more`)
  const { prefix } = places
  const heading = places.rows.find(({ row }) => row === headingRow)
  const cellsOf = (row: number) =>
    (row === headingRow ? headings : (rows.get(row) ?? []))
      .map((cell, i) =>
        cellText(cell, {
          prefix,
          reference: `${letterOf(first + i)}${row}`,
          letterOf: (added) => letterOf(first + added),
          style: row === headingRow ? (heading?.style ?? null) : styleOf(cell, options.moneyStyle),
        }),
      )
      .join('')
  const inserts = new Inserts(xml)
  const last = { column: first + headings.length, row: Math.max(headingRow, ...rows.keys()) }
  if (places.dimension !== null) inserts.replace(...widened(places.dimension, { last, letterOf }))
  inserts.add(places.columns.at, columnsText(options, { first, prefix, has: places.columns }))
  const wanted = [...new Set([headingRow, ...rows.keys()])].sort((a, b) => a - b)
  const standing = new Map(places.rows.map((place) => [place.row, place]))
  for (const row of wanted) {
    const place = standing.get(row)
    if (place === undefined) {
      const next = places.rows.find((other) => other.row > row)
      inserts.add(next?.start ?? places.rowsEnd, `<${prefix}row r="${row}">${cellsOf(row)}</${prefix}row>`)
    } else if (place.isEmptyTag) inserts.replace(place.end - 2, place.end, `>${cellsOf(row)}</${prefix}row>`)
    else inserts.add(place.end, cellsOf(row))
  }
  return inserts.done()
}

/** The used range with the new cells in it: some readers read no cell outside of it (ECMA-376 part 1, §18.3.1.35). */
function widened(
  { from, ref }: NonNullable<Places['dimension']>,
  { last, letterOf }: Pick<SheetOptions, 'letterOf'> & { last: { column: number; row: number } },
): [from: number, to: number, text: string] {
  const [start = 'A1', end = start] = ref.split(':')
  const rows = Number(end.replace(/\D/g, '')) || 1
  const [column, row] = [Math.max(columnOf(end), last.column), Math.max(rows, last.row)]
  return [from, from + ref.length, `${start}:${letterOf(column - 1)}${row}`]
}

/** Edits of a text, in any order of adding. */
class Inserts {
  readonly #text: string
  readonly #edits: { from: number; to: number; text: string }[] = []
  constructor(text: string) {
    this.#text = text
  }
  add(at: number, text: string): void {
    this.replace(at, at, text)
  }
  replace(from: number, to: number, text: string): void {
    this.#edits.push({ from, to, text })
  }
  done(): string {
    const parts: string[] = []
    let at = 0
    for (const { from, to, text } of this.#edits.sort((a, b) => a.from - b.from)) {
      parts.push(this.#text.slice(at, from), text)
      at = to
    }
    return parts.join('') + this.#text.slice(at)
  }
}

type Places = Readonly<{
  /** The prefix of the sheet's elements, such as "x:"; mostly empty. */
  prefix: string
  rows: readonly RowPlace[]
  /** Where rows end. */
  rowsEnd: number
  /** The number of columns in use. */
  width: number
  /** The range of used cells that the sheet states, and where; null where it states none. */
  dimension: Readonly<{ from: number; ref: string }> | null
  /** Where the widths of new columns go; null where the present ones already reach further. */
  columns: Readonly<{ at: number; isListed: boolean; last: number }>
}>

/** Finds the places of a sheet by one pass of a parser that tells positions. */
function placesOf(xml: string): Places {
  const rows: RowPlace[] = []
  let [prefix, rowsEnd, width, row, column] = ['', -1, 0, 0, 0]
  let open: { row: number; start: number; style: string | null } | null = null
  let columns = { at: -1, isListed: false, last: 0 }
  let dimension: Places['dimension'] = null
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = tag.replace(/^.*:/, '')
        if (name === 'sheetData') {
          prefix = tag.slice(0, -name.length)
          if (!columns.isListed) columns = { at: parser.startIndex, isListed: false, last: 0 }
        } else if (name === 'dimension' && attributes.ref !== undefined)
          dimension = { from: xml.indexOf(attributes.ref, parser.startIndex), ref: attributes.ref }
        else if (name === 'col')
          columns = { at: -1, isListed: true, last: Math.max(columns.last, Number(attributes.max)) }
        else if (name === 'row') {
          row = Number(attributes.r ?? row + 1)
          column = 0
          open = { row, start: parser.startIndex, style: null }
        } else if (name === 'c' && open !== null) {
          column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
          width = Math.max(width, column)
          open.style = attributes.s ?? null
        } else if (name === 'mergeCell') width = Math.max(width, columnOf(attributes.ref?.split(':')[1] ?? 'A1'))
      },
      onclosetag(tag, isImplied) {
        const name = tag.replace(/^.*:/, '')
        if (name === 'row' && open !== null) {
          const isEmptyTag = isImplied
          rows.push({ ...open, end: isEmptyTag ? parser.endIndex + 1 : parser.startIndex, isEmptyTag })
          open = null
        } else if (name === 'sheetData') rowsEnd = parser.startIndex
        else if (name === 'cols') columns.at = parser.startIndex
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  if (rowsEnd < 0) throw new Error('the sheet has no rows: expected an XLSX worksheet')
  return { prefix, rows, rowsEnd, width, dimension, columns }
}

/** "BC12" → 55. */
const columnOf = (reference: string) => columnNumber(reference.replace(/[^A-Z]/gi, ''))

function columnsText(
  { widths }: SheetOptions,
  { first, prefix, has }: { first: number; prefix: string; has: Places['columns'] },
): string {
  // Widths that already reach further right would overlap, which a workbook must not have.
  if (has.last > first) return ''
  const listed = widths
    .map((width, i) => `<${prefix}col min="${first + i + 1}" max="${first + i + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  return has.isListed ? listed : `<${prefix}cols>${listed}</${prefix}cols>`
}

const styleOf = (cell: NewCell, money: number | null) =>
  money !== null && typeof cell === 'object' && cell !== null && ('formula' in cell || cell.isMoney === true)
    ? String(money)
    : null

function cellText(
  cell: NewCell,
  {
    prefix,
    reference,
    letterOf,
    style,
  }: { prefix: string; reference: string; letterOf: (added: number) => string; style: string | null },
): string {
  if (cell === null || cell === '') return ''
  const [open, close] = [`<${prefix}c r="${reference}"${style === null ? '' : ` s="${style}"`}`, `</${prefix}c>`]
  if (typeof cell === 'string')
    return `${open} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${escaped(cell.slice(0, CELL_CHARS_MAX))}</${prefix}t></${prefix}is>${close}`
  const formula = 'formula' in cell ? `<${prefix}f>${escaped(cell.formula(letterOf))}</${prefix}f>` : ''
  return `${open}>${formula}<${prefix}v>${cell.number}</${prefix}v>${close}`
}

/** Text of XML 1.0, without the characters that it cannot hold; it reads each line end as a line feed anyway. */
function escaped(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] as string)
}
