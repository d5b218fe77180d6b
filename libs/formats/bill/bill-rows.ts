import { foldText } from '@catalog/core/text.ts'
import { type BillRow, LINE_CHARS_MAX, UNIT_CHARS_MAX } from './bill.ts'
import type { ChosenColumns } from './bill-columns.ts'
import { decimalIn, isBlank, multiplies, sumOf } from './bill-numbers.ts'
import { NO_CELL, type TableRow } from './bill-tables.ts'
import { headingOf, isChapterKind, isSumLabel, isSurcharge, isTitle } from './bill-words.ts'

/** Characters of the rest of what a file says of a line. */
export const LONG_CHARS_MAX = 4_000

/** A row of a table by its columns, and what it is. */
type Read = ReturnType<typeof valuesOf> & Readonly<{ kind: 'line' | 'sum' | 'text' | 'nothing' }>

const hasLetter = (text: string) => /\p{L}/u.test(text)

function valuesOf(row: TableRow, columns: ChosenColumns) {
  const cellsIn = (of: readonly number[]) => of.map((column) => row.cells[column] ?? NO_CELL)
  const textIn = (of: readonly number[]) => cellsIn(of).find((cell) => !isBlank(cell))?.text ?? null
  const { marks, p, q, a } = columns
  const more = cellsIn(columns.more).flatMap(({ text }) => (hasLetter(text) ? [text] : []))
  const unit = textIn(columns.unit)
  // A heading beside a title, as some bills repeat it, is no quantity.
  const [quantityCell = NO_CELL] = cellsIn(q === null ? [] : [q]).filter(({ text }) => headingOf(text) === null)
  const own = cellsIn(columns.text).find(({ text }) => hasLetter(text))?.text
  return {
    row,
    isChapter: isChapterKind(textIn(columns.kind) ?? ''),
    code: textIn(columns.code),
    // The second text alone is that of a part: "Roof", and "tiles" below it.
    text: own ?? (unit !== null || /\d/.test(quantityCell.text) ? more.shift() : undefined) ?? null,
    more: more.join(' ') || null,
    unit,
    quantity: decimalIn(quantityCell, marks[0]),
    price: sumOf(cellsIn(p).flatMap((cell) => decimalIn(cell, marks[1]) ?? [])),
    amount: decimalIn(row.cells[a ?? -1], marks[2]),
    quantityCell,
    region: textIn(columns.region),
    label: row.cells.find((cell) => !cell.isNumber && hasLetter(cell.text))?.text ?? '',
  }
}

function kindOf(
  read: ReturnType<typeof valuesOf>,
  columns: ChosenColumns,
  chapters: ReadonlySet<string>,
): Read['kind'] {
  const { row, code, text, unit, quantity, quantityCell, price, amount, label } = read
  if (row.problem !== null) return 'line'
  if (read.isChapter) return 'text'
  // Formulas give rows without anything zeros.
  const hasQuantity =
    !isBlank(quantityCell) && (Number(quantity ?? 1) !== 0 || unit !== null || columns.unit.length === 0)
  const hasNumbers = row.cells.some((cell) => (decimalIn(cell, ',') ?? decimalIn(cell, '.')) !== null)
  // Below a chapter its code and amount come again, without a kind.
  const isClosing = chapters.size > 0 && code === null && unit === null
  if (isClosing && (chapters.has(foldText(text ?? '')) || amount !== null)) return 'sum'
  if ((quantity === null || unit === null || unit === '%') && hasNumbers && (isSumLabel(label) || isSurcharge(label)))
    return 'sum'
  if (isColumnNumbers(row)) return 'nothing'
  if (text === null && code === null) {
    // A form that nobody filled in has zeros.
    if (unit !== null && hasQuantity) return Number(quantity ?? 1) === 0 ? 'nothing' : 'line'
    return price === null && amount === null ? 'nothing' : unit === null && !hasQuantity ? 'sum' : 'line'
  }
  // A label in the column of quantities is none.
  if (text === null) return hasQuantity && (unit !== null || /\d/.test(quantityCell.text)) ? 'line' : 'nothing'
  const isList = columns.unit.length === 0 && columns.quantity.length === 0
  return unit !== null || hasQuantity || Number(price ?? 0) !== 0 || isList ? 'line' : 'text'
}

/** The numbers of the columns below a heading: 1, 2, 3 or "11 = 2 - 8". */
function isColumnNumbers({ cells }: TableRow): boolean {
  const filled = cells.filter(({ text }) => text !== '')
  const numbers = filled.map(({ text }) => Number(/^\d{1,3}(?=$|\s*=)/.exec(text)?.[0] ?? Number.NaN))
  const rising = numbers.filter((number, i) => number > (numbers[i - 1] ?? 0))
  return filled.length >= 4 && !numbers.some(Number.isNaN) && rising.length >= numbers.length - 1
}

/** Text in capitals, but for a letter or two such as the x of a size. */
function isCapitals(text: string): boolean {
  const [capitals, small] = [text.match(/\p{Lu}/gu)?.length ?? 0, text.match(/\p{Ll}/gu)?.length ?? 0]
  return capitals >= 3 && small <= capitals * 0.1
}

/** "1.2" → 2, "III" and "A" → 1, "OE.1.1" → 3; 0 without a code. */
const depthOf = (code: string | null) => (code ?? '').split(/[.,\-/]/).filter((part) => part !== '').length
const isUnder = (code: string, parent: string) =>
  code.startsWith(parent) && /^[.,\-/ \p{L}]/u.test(code.slice(parent.length))

/** Texts above lines that are longer name what the lines are of; shorter ones are titles. */
const PARENT_CHARS_MIN = 40
/** A line whose own text is longer has its name in a title above. */
const LONG_TEXT_CHARS_MIN = 60
/** Rows below a text that tell what it is. */
const LOOKED_AHEAD = 50

/** Where the rows of a table stand: their sheet from 1, null without one, and the name of its position. */
export type RowPlace = Readonly<{ sheet: number | null; name: string }>

/** The rows of a block of a table in order: sections, lines and sums. */
export function blockRows(rows: readonly TableRow[], columns: ChosenColumns, place: RowPlace): BillRow[] {
  const chapters = new Set<string>()
  const read = rows.flatMap((row): Read[] => {
    const values = valuesOf(row, columns)
    const kind = kindOf(values, columns, chapters)
    if (values.isChapter && values.code !== null) chapters.add(foldText(values.code))
    return kind === 'nothing' ? [] : [{ ...values, kind }]
  })
  const block = new Block(columns, place)
  for (const [at, row] of read.entries()) {
    if (row.kind === 'line') block.takeLine(row)
    else if (row.kind === 'text') block.takeText(row, read[at - 1], read.slice(at + 1, at + LOOKED_AHEAD))
    else block.takeSum(row)
  }
  return block.rows
}

/** Makes rows of a bill; what a text is depends on its neighbours. */
class Block {
  readonly rows: BillRow[] = []
  readonly #columns: ChosenColumns
  readonly #place: RowPlace
  /** Texts above that the next lines are parts of, the outermost first. */
  #parents: readonly Pick<Read, 'code' | 'text'>[] = []
  /** A text that belongs to the line below. */
  #title: Read | null = null

  constructor(columns: ChosenColumns, place: RowPlace) {
    this.#columns = columns
    this.#place = place
  }

  takeSum({ row, label, amount, price }: Read): void {
    this.#parents = []
    const numbers = row.cells.flatMap((cell) => decimalIn(cell, this.#columns.marks[2]) ?? [])
    const stated = amount ?? price ?? numbers.at(-1) ?? null
    this.rows.push({ kind: 'sum', position: this.#position(row), text: label.slice(0, LINE_CHARS_MAX), amount: stated })
  }

  takeLine(line: Read): void {
    const { row, quantity, quantityCell, price, amount, region } = line
    const title = this.#title
    const { sheet } = this.#place
    this.#title = null
    const code = line.code ?? title?.code ?? null
    const isPart = (parent: Pick<Read, 'code'>) =>
      code === null ||
      parent.code === null ||
      !/\d/.test(code) ||
      isUnder(code, parent.code) ||
      depthOf(code) > depthOf(parent.code)
    this.#parents = this.#parents.slice(0, this.#parents.findLastIndex(isPart) + 1)
    const own = title?.text ?? line.text ?? ''
    const above = this.#parents.map(({ text }) => text).join(' ')
    const text = `${above.slice(0, Math.max(0, LINE_CHARS_MAX - own.length - 1))} ${own}`.trim()
    const more = title !== null && line.text !== null ? line.text : line.more
    this.rows.push({
      kind: 'line',
      position: this.#position(row),
      code: code?.slice(0, UNIT_CHARS_MAX) ?? null,
      text: (text || code || '—').slice(0, LINE_CHARS_MAX),
      longText: more?.slice(0, LONG_CHARS_MAX) ?? null,
      unit: line.unit?.slice(0, UNIT_CHARS_MAX) ?? null,
      quantity,
      price,
      amount,
      region,
      counts: isBlank(quantityCell) && price !== null && Number(amount ?? 1) === 0 ? 'option' : 'yes',
      problem: problemOf({ ...line, text }, this.#columns),
      ...(sheet !== null && {
        cell: { sheet, row: row.row, quantityColumn: quantityCell.isNumber ? this.#columns.q : null },
      }),
    })
  }

  takeText(read: Read, before: Read | undefined, below: readonly Read[]): void {
    const { row, code, amount } = read
    const text = read.text as string
    const [next, after] = below
    const last = this.rows.at(-1)
    const hasCodes = this.#columns.code.length > 0
    const isShort = text.length < PARENT_CHARS_MIN
    const isTitled = read.isChapter || isCapitals(text) || isTitle(text) || (/:$/.test(text) && isShort)
    const isBelowLine = before?.kind === 'line' && before.row.row === row.row - 1
    const isAbove = next?.kind === 'line' || next?.kind === 'text'
    const hasParts =
      next !== undefined &&
      (next.code === null || code === null || isUnder(next.code, code) || depthOf(next.code) > depthOf(code))
    const isLump = Number(amount ?? 0) !== 0 && !(hasParts && isAbove)
    // "3.8.2" between "3.8.1" and "3.8.3".
    const isAmongLines = hasCodes
      ? depthOf(code) > 2 && !hasParts && depthOf(next?.code ?? null) === depthOf(code)
      : isBelowLine
    const isDescription =
      hasCodes && code === null && isBelowLine && below.find(({ kind }) => kind !== 'text')?.code != null
    if (isTitleOf(read, next, after)) this.#title = read
    else if (!isTitled && isDescription && last?.kind === 'line')
      this.rows[this.rows.length - 1] = {
        ...last,
        longText: `${last.longText ?? ''} ${text}`.trim().slice(0, LONG_CHARS_MAX),
      }
    else if (!isTitled && (isLump || (isAmongLines && amount === null))) this.takeLine(read)
    else {
      const isPart = this.#parents.length > 0 && code === null && next?.kind === 'line'
      const isParent = !isTitled && (isPart || (isAbove && amount === null && !isShort))
      const kept = this.#parents.findIndex(
        (parent) => parent.code === null || (code !== null && !isUnder(code, parent.code)),
      )
      this.#parents = isParent ? [...(kept < 0 ? this.#parents : this.#parents.slice(0, kept)), read] : []
      const level = Math.max(1, depthOf(code))
      this.rows.push({
        kind: 'section',
        position: this.#position(row),
        level,
        code,
        text: text.slice(0, LINE_CHARS_MAX),
      })
    }
  }

  #position = ({ row }: TableRow) => `${this.#place.name} line ${row}`
}

/** Whether a text belongs to the line below: that has none, or says at length what this names. */
function isTitleOf({ code, text }: Read, line: Read | undefined, after: Read | undefined): boolean {
  if (line?.kind !== 'line' || line.code !== null) return false
  const isAlone = after?.kind !== 'line' || after.code !== null
  const isLong = (line.text ?? '').length >= Math.max(LONG_TEXT_CHARS_MIN, (text ?? '').length)
  return line.text === null || (code !== null && isAlone && isLong)
}

/** Why a line cannot be priced as it stands. */
function problemOf(
  { row, text, quantity, quantityCell, price, amount }: Read,
  { isChecked }: ChosenColumns,
): string | null {
  const { text: written, formula } = quantityCell
  if (row.problem !== null) return row.problem
  if (text === '') return `no text beside quantity '${written.slice(0, 100)}': expected what the line is of`
  if (formula !== undefined)
    return `the quantity is the formula '=${formula.slice(0, 100)}' without a stored value: expected a number`
  if (!isBlank(quantityCell) && quantity === null)
    return `quantity '${written.slice(0, 100)}': expected a number such as 12.5`
  const isWrong = isChecked && multiplies([quantity, price, amount]) === false
  return isWrong
    ? `quantity ${quantity} × price ${price} is not the amount ${amount}: expected numbers that agree`
    : null
}
