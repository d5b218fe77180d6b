import { COLUMNS_MAX, type ReadRecord } from '@catalog/formats/bytes/record.ts'

/** A row of a table: its cells (null for an empty or broken line) and its text. */
export type Row = Readonly<{
  cells: readonly string[] | null
  raw: string
  line: number
  broken?: Readonly<{ reason: string; detail: string }>
  /** Indexes of cells that are numbers of the format itself. */
  numberCells?: readonly number[]
  /** What the formats of cells show beside their numbers, by index. */
  marks?: ReadonlyMap<number, string>
}>

/** What the operator says of the layout of a table. */
export type TableLayout = Readonly<{
  /** Lines above the table. */
  skippedLines?: number | undefined
  /** Lines of the heading, the last of which is its own; null for a table without one, whose columns are 1, 2, 3 ... */
  headingLines?: readonly number[] | null | undefined
  /** Rows that end early have blank cells there; each is told to `onShortRow`. */
  canRowsBeShort?: boolean | undefined
  onShortRow?: ((position: string, cells: number, columns: number) => void) | undefined
  /** A cell that tells of the whole file, with its line from 1 and its column from 0. */
  cell?: Readonly<{ line: number; column: number; onText: (text: string) => void }> | undefined
}>

export type TableOptions = Readonly<{
  position: (line: number) => string
  /** Spreadsheets omit blank cells at the end of a row. */
  canRowsBeShort: boolean
  layout?: TableLayout | undefined
  isHeading?: ((columns: readonly string[]) => boolean) | undefined
  /** Called once, with the names of the columns and the line of the heading row. */
  onHeading: (columns: readonly string[], line: number) => void
}>

/** Rows that may precede the heading (title, date, address). */
const PREAMBLE_ROWS_MAX = 20

/**
 * Turns the rows of a table into records by its heading row: the one that the layout names, else the first row that `isHeading`
 * accepts among the first {@link PREAMBLE_ROWS_MAX}, else the first of those with the most cells that are not blank. Skips rows
 * above the heading and rows without text. A row needs a cell for each column, unless rows may be short; further cells must be blank.
 */
export class Table {
  readonly #options: TableOptions
  #columns: readonly string[] | null = null
  #preamble: Row[] = []
  readonly #heading: Row[] = []
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
    const { skippedLines = 0, headingLines, cell } = this.#options.layout ?? {}
    if (cell !== undefined && row.line === cell.line) cell.onText(row.cells?.[cell.column] ?? '')
    if (row.line <= skippedLines) return []
    if (this.#columns !== null) return this.#record(row)
    if (headingLines === null) return this.#numbered(row)
    if (headingLines !== undefined) return this.#afterHeading(row, headingLines)
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
    const lines = this.#options.layout?.headingLines
    if (lines && this.#columns === null) return this.#refused ? [] : this.#withoutHeading(Math.max(...lines))
    if (lines === null) return this.#numberedRows()
    const [heading, ...others] = this.#preamble.slice(likeliestHeading(this.#preamble))
    this.#preamble = []
    if (heading === undefined) return []
    if (heading.broken !== undefined || heading.cells === null) {
      return this.#refuse(heading, heading.broken ?? { reason: 'BAD_HEADING', detail: 'the heading row is broken' })
    }
    return this.#begin(heading, heading.cells) ?? others.flatMap((row) => this.#record(row))
  }

  /** Names the columns by the cells of a heading; the refusal of one that is too wide. */
  #begin(heading: Row, cells: readonly string[]): ReadRecord[] | null {
    const width = widthOf(cells)
    if (width > COLUMNS_MAX) {
      const detail = `the heading has ${width} columns, at most ${COLUMNS_MAX} are read`
      return this.#refuse(heading, { reason: 'TOO_MANY_COLUMNS', detail })
    }
    this.#columns = columnNames(cells)
    this.#options.onHeading(this.#columns, heading.line)
    return null
  }

  /** Holds the first rows of a table without a heading back: the widest says how many columns there are, since titles are narrower. */
  #numbered(row: Row): ReadRecord[] {
    this.#preamble.push(row)
    return this.#preamble.length < PREAMBLE_ROWS_MAX ? [] : this.#numberedRows()
  }

  #numberedRows(): ReadRecord[] {
    const rows = this.#preamble
    this.#preamble = []
    const [first] = rows
    if (first === undefined) return []
    const widths = rows.map(({ cells }) => cells?.length ?? 0).filter((width) => width <= COLUMNS_MAX)
    const columns = Array.from({ length: Math.max(1, ...widths) }, (_, i) => String(i + 1))
    return this.#begin(first, columns) ?? rows.flatMap((row) => this.#record(row))
  }

  /** Collects the named lines of a heading, and refuses a table that lacks the last of them. */
  #afterHeading(row: Row, lines: readonly number[]): ReadRecord[] {
    const last = Math.max(...lines)
    if (row.line < last) {
      if (lines.includes(row.line)) this.#heading.push(row)
      return []
    }
    if (row.line === last && row.broken !== undefined) return this.#refuse(row, row.broken)
    const cells = row.line === last ? (row.cells ?? []) : []
    if (cells.every(isBlank)) {
      const detail = `line ${last} is blank: expected the heading there, as \`header_row\` says`
      return this.#refuse(row, { reason: 'BAD_HEADING', detail })
    }
    const above = this.#heading.map(({ cells }) => cells ?? [])
    return this.#begin(row, joinedHeading(above, cells)) ?? []
  }

  #withoutHeading(line: number): ReadRecord[] {
    const detail = `the table ends above line ${line}: expected the heading there, as \`header_row\` says`
    return this.#refuse({ cells: null, raw: '', line }, { reason: 'BAD_HEADING', detail })
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
    const { canRowsBeShort = false, onShortRow, headingLines } = this.#options.layout ?? {}
    if (headingLines === null && cells.length > columns.length && cells.length <= COLUMNS_MAX) {
      this.#columns = cells.map((_, i) => String(i + 1))
      return this.#record(row)
    }
    const isShort = cells.length < columns.length && !this.#options.canRowsBeShort && headingLines !== null
    if (isShort && canRowsBeShort) onShortRow?.(position, cells.length, columns.length)
    if ((isShort && !canRowsBeShort) || !cells.slice(columns.length).every(isBlank)) {
      const detail = `the row has ${cells.length} fields, expected ${columns.length}`
      return [{ position, raw, reason: 'WRONG_COLUMN_COUNT', detail }]
    }
    const fields: Record<string, string> = Object.create(null)
    for (let i = 0; i < columns.length; i++) fields[columns[i] as string] = cells[i] ?? ''
    if (row.numberCells === undefined || row.numberCells.length === 0) return [{ position, raw, fields }]
    const numbers = new Set(row.numberCells.flatMap((cell) => columns[cell] ?? []))
    if (row.marks === undefined || row.marks.size === 0) return [{ position, raw, fields, numbers }]
    const marks = new Map([...row.marks].flatMap(([cell, mark]) => (columns[cell] ? [[columns[cell], mark]] : [])))
    return [{ position, raw, fields, numbers, marks }]
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

/**
 * The texts of a heading of several lines, joined by column. A text above stands for the blank cells at its right too, as merged
 * cells do, unless the heading is blank below it: then it is the heading of its own column alone.
 */
function joinedHeading(above: readonly (readonly string[])[], cells: readonly string[]): string[] {
  const width = Math.max(cells.length, ...above.map((line) => line.length))
  const spread = above.map((line) => {
    let text = ''
    return Array.from({ length: width }, (_, i) => {
      const own = (line[i] ?? '').trim()
      if (own === '') return isBlank(cells[i] ?? '') ? '' : text
      text = isBlank(cells[i] ?? '') ? '' : own
      return own
    })
  })
  return Array.from({ length: width }, (_, i) =>
    [...spread, cells]
      .map((line) => (line[i] ?? '').trim())
      .filter(Boolean)
      .join(' '),
  )
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
