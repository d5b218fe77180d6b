import { columnNumber } from './column-letters.ts'

/** Characters of a sheet that wait for the end of their row; more of them pass as they are. */
const HELD_CHARS_MAX = 4 * 1024 ** 2

const ROW = /<((?:\w{1,20}:)?)row\b([^<>]*?)(?:\/>|>([\s\S]*?)<\/\1row>)/g
const CELL = /<((?:\w{1,20}:)?)c\b([^<>]*?)(?:\/>|>([\s\S]*?)<\/\1c>)/g
const COLUMN = /<(?:\w{1,20}:)?col\b([^<>]*)>/g
/** A formula that gives no text has a value without a character. */
const HAS_VALUE = /<(?:\w{1,20}:)?[vt]\b[^<>]*>[^<]/
/** Marks of rows that nobody took: a reader that stops early leaves some. */
const NO_MARKS: ReadonlyMap<number, string> = new Map()

/**
 * What a person sees of a sheet: neither hidden rows nor hidden columns, and the marks that number formats show beside
 * numbers. A collapsed group of rows counts as shown, because one click opens it.
 */
export class ShownCells {
  readonly #marks: ReadonlyMap<number, string>
  readonly #marksOfRow = new Map<number, ReadonlyMap<number, string>>()
  readonly #hidden = new Set<number>()
  #row = 0
  #hiddenRows = 0
  readonly #hiddenValues = new Set<number>()

  readonly #keepsColumns: boolean

  /** `marks`: what a cell format shows, such as "€" or "%". `keepsColumns`: hidden columns are told, and not left out. */
  constructor(marks: ReadonlyMap<number, string>, { keepsColumns = false } = {}) {
    this.#marks = marks
    this.#keepsColumns = keepsColumns
  }

  /** How many rows and columns with a value are hidden so far. */
  get hidden(): Readonly<{ rows: number; columns: number }> {
    return { rows: this.#hiddenRows, columns: this.#hiddenValues.size }
  }

  /** The hidden columns with a value so far, from 0. */
  get hiddenColumns(): ReadonlySet<number> {
    return this.#hiddenValues
  }

  /** The marks of a row by column, both from 0; a row gives them once. */
  takeMarks(row: number): ReadonlyMap<number, string> {
    const marks = this.#marksOfRow.get(row) ?? NO_MARKS
    this.#marksOfRow.delete(row)
    return marks
  }

  /** The same number of bytes of a sheet, with blanks for what is hidden and for rows without a value. */
  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    let held = ''
    for await (const chunk of chunks) {
      // A character for each byte, so that lengths stay.
      const text = held + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
      const last = lastRowStart(text)
      const end = text.length - last > HELD_CHARS_MAX ? text.length : last
      held = text.slice(end)
      if (end > 0) yield Buffer.from(this.#shown(text.slice(0, end)), 'latin1')
    }
    if (held !== '') yield Buffer.from(this.#shown(held), 'latin1')
  }

  #shown(xml: string): string {
    for (const [, attributes = ''] of xml.matchAll(COLUMN)) {
      if (!isHidden(attributes)) continue
      const [min, max] = [numberOf(attributes, 'min') ?? 0, numberOf(attributes, 'max') ?? 0]
      for (let column = min; column <= Math.min(max, COLUMNS_MAX); column++) this.#hidden.add(column - 1)
    }
    return xml.replace(ROW, (row: string, prefix: string, attributes: string, cells = '') => {
      const number = numberOf(attributes, 'r')
      this.#row = number ?? this.#row + 1
      const isShown = !isHidden(attributes) || numberOf(attributes, 'outlineLevel') !== null
      const hasValue = HAS_VALUE.test(cells)
      if (isShown && hasValue) return this.#shownRow(row)
      if (hasValue) this.#hiddenRows++
      // Without numbers of their own, the next rows count from this one.
      return (number === null ? `<${prefix}row/>` : '').padEnd(row.length)
    })
  }

  #shownRow(row: string): string {
    if (this.#hidden.size === 0 && this.#marks.size === 0) return row
    const marks = new Map<number, string>()
    let next = 0
    const shown = row.replace(CELL, (cell: string, prefix: string, attributes: string) => {
      const letters = /\sr="([A-Z]{1,3})\d/i.exec(attributes)?.[1]
      const column = letters === undefined ? next : columnNumber(letters) - 1
      next = column + 1
      if (this.#hidden.has(column) && HAS_VALUE.test(cell)) this.#hiddenValues.add(column)
      if (this.#hidden.has(column) && !this.#keepsColumns) return `<${prefix}c${attributes}/>`.padEnd(cell.length)
      const mark = this.#marks.get(numberOf(attributes, 's') ?? 0)
      if (mark !== undefined && !/\st="(?!n")/.test(attributes)) marks.set(column, mark)
      return cell
    })
    if (marks.size > 0) this.#marksOfRow.set(this.#row - 1, marks)
    return shown
  }
}

/** Excel's last column, XFD. */
const COLUMNS_MAX = 16_384

/** Hidden, or without a width or a height. */
const isHidden = (attributes: string) => /\shidden="(?:1|true)"|\s(?:width|ht)="0(?:\.0+)?"/i.test(attributes)

const ATTRIBUTES = Object.fromEntries(
  (['r', 's', 'min', 'max', 'outlineLevel'] as const).map((name) => [name, new RegExp(`\\s${name}="(\\d{1,9})"`)]),
) as Record<'r' | 's' | 'min' | 'max' | 'outlineLevel', RegExp>

function numberOf(attributes: string, name: keyof typeof ATTRIBUTES): number | null {
  const found = ATTRIBUTES[name].exec(attributes)?.[1]
  return found === undefined ? null : Number(found)
}

/** Where the last row begins; 0 without one. */
function lastRowStart(text: string): number {
  const plain = text.lastIndexOf('<row')
  if (plain !== -1) return plain
  const prefixed = text.lastIndexOf(':row ')
  return Math.max(0, text.lastIndexOf('<', prefixed))
}
