import { COLUMNS_MAX, type ReadRecord } from '@catalog/formats/bytes/record.ts'

/** A row of a table: its cells (null for an empty or broken line) and its text. */
export type Row = Readonly<{
  cells: readonly string[] | null
  raw: string
  line: number
  broken?: Readonly<{ reason: string; detail: string }>
  /** Indexes of cells that are numbers of the format itself. */
  numberCells?: readonly number[]
}>

export type TableOptions = Readonly<{
  position: (line: number) => string
  /** Spreadsheets omit blank cells at the end of a row. */
  canRowsBeShort: boolean
  isHeading?: ((columns: readonly string[]) => boolean) | undefined
  /** Called once, with the names of the columns and the line of the heading row. */
  onHeading: (columns: readonly string[], line: number) => void
}>

/** Rows that may precede the heading (title, date, address). */
const PREAMBLE_ROWS_MAX = 20

/**
 * Turns the rows of a table into records by its heading row: the first row that `isHeading` accepts among the first
 * {@link PREAMBLE_ROWS_MAX}, else the first of those with the most cells that are not blank. Skips rows above the heading and rows without text. A row needs a
 * cell for each column, unless rows may be short; further cells must be blank.
 */
export class Table {
  readonly #options: TableOptions
  #columns: readonly string[] | null = null
  #preamble: Row[] = []
  #refused = false

  constructor(options: TableOptions) {
    this.#options = options
  }

  /** Whether the heading itself is broken, which ends the table. */
  get refused(): boolean {
    return this.#refused
  }

  take(row: Row): ReadRecord[] {
    if (this.#refused) return []
    if (this.#columns !== null) return this.#record(row)
    if (row.broken === undefined && (row.cells === null || row.cells.every(isBlank))) return []
    this.#preamble.push(row)
    const { cells } = row
    if (cells !== null && widthOf(cells) <= COLUMNS_MAX && this.#options.isHeading?.(columnNames(cells))) {
      this.#preamble = [row]
      return this.end()
    }
    return this.#preamble.length < PREAMBLE_ROWS_MAX && this.#options.isHeading !== undefined ? [] : this.end()
  }

  /** Call at the end of the rows: returns the records held back during the search for a heading. */
  end(): ReadRecord[] {
    const [heading, ...others] = this.#preamble.slice(likeliestHeading(this.#preamble))
    this.#preamble = []
    if (heading === undefined) return []
    if (heading.broken !== undefined || heading.cells === null) {
      return this.#refuse(heading, heading.broken ?? { reason: 'BAD_HEADING', detail: 'the heading row is broken' })
    }
    const width = widthOf(heading.cells)
    if (width > COLUMNS_MAX) {
      const detail = `the heading has ${width} columns, at most ${COLUMNS_MAX} are read`
      return this.#refuse(heading, { reason: 'TOO_MANY_COLUMNS', detail })
    }
    const columns = columnNames(heading.cells)
    this.#columns = columns
    this.#options.onHeading(columns, heading.line)
    return others.flatMap((row) => this.#record(row))
  }

  #refuse(heading: Row, why: Readonly<{ reason: string; detail: string }>): ReadRecord[] {
    this.#refused = true
    return [{ position: this.#options.position(heading.line), raw: heading.raw, ...why, endsFile: true }]
  }

  #record(row: Row): ReadRecord[] {
    const columns = this.#columns as readonly string[]
    const { raw, cells } = row
    const position = this.#options.position(row.line)
    if (row.broken !== undefined) return [{ position, raw, ...row.broken }]
    if (cells === null) return []
    if (cells.length === 0 && raw !== '') {
      return [{ position, raw, reason: 'BAD_ROW', detail: 'the row cannot be split into fields' }]
    }
    if (cells.every(isBlank)) return []
    const short = cells.length < columns.length && !this.#options.canRowsBeShort
    if (short || !cells.slice(columns.length).every(isBlank)) {
      const detail = `the row has ${cells.length} fields, expected ${columns.length}`
      return [{ position, raw, reason: 'WRONG_COLUMN_COUNT', detail }]
    }
    const fields: Record<string, string> = Object.create(null)
    for (let i = 0; i < columns.length; i++) fields[columns[i] as string] = cells[i] ?? ''
    if (row.numberCells === undefined || row.numberCells.length === 0) return [{ position, raw, fields }]
    const numbers = new Set(row.numberCells.flatMap((cell) => columns[cell] ?? []))
    return [{ position, raw, fields, numbers }]
  }
}

/** The index of the row to tell as the heading of a table without a known one: titles above it have fewer cells. */
function likeliestHeading([first, ...others]: readonly Row[]): number {
  if (first === undefined || first.broken !== undefined) return 0
  let best = { index: 0, filled: filledCells(first) }
  for (const [i, row] of others.entries()) {
    const filled = filledCells(row)
    if (filled > best.filled) best = { index: i + 1, filled }
  }
  return best.index
}

function filledCells({ cells, broken }: Row): number {
  return broken === undefined && cells !== null && cells.length <= COLUMNS_MAX
    ? cells.filter((cell) => !isBlank(cell)).length
    : 0
}

function isBlank(cell: string): boolean {
  return cell.trim() === ''
}

/** The number of cells up to the last that is not blank. */
function widthOf(cells: readonly string[]): number {
  let width = cells.length
  while (width > 0 && isBlank(cells[width - 1] as string)) width--
  return width
}

/**
 * Names for the columns of a heading row: trimmed, blanks as "column 3", repetitions as "price 2". Blank headings at
 * the end are no columns, because exports often end with a delimiter.
 */
function columnNames(heading: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return heading.slice(0, widthOf(heading)).map((cell, i) => {
    const name = cell.trim().replace(/\s+/g, ' ') || `column ${i + 1}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} ${times}`
  })
}
