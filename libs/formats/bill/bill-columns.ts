import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { type DecimalMark, decimalIn, type Factors, marksOf, multiplies, sumOf } from './bill-numbers.ts'
import type { Cell, TableRow } from './bill-tables.ts'
import { HEADING_KEYS, type HeadingKey, headingOf, wordsOf } from './bill-words.ts'

/** The columns of a table of a bill, each from 0, several where only the values tell which one counts; `names`: their headings. */
export type BillColumns = Readonly<Record<HeadingKey, readonly number[]> & { names: readonly string[] }>

/** Headings that a person names instead of the usual ones. */
export type GivenColumns = Readonly<Partial<Record<'text' | 'unit' | 'quantity' | 'region', string>>>

/** Numbers among the cells of a heading: a line may begin in the same row. */
const NUMBER_SHARE_MAX = 0.25
const MEASURED = ['unit', 'quantity', 'price', 'amount'] as const

/**
 * The columns that the cells of a row head, with those of the row below where both are a heading; null for another row. A heading
 * names a text and one of unit, quantity, price and amount, or a unit and a quantity beside a text without a name.
 */
export function headingAt(
  rows: readonly TableRow[],
  at: number,
  given: GivenColumns,
): { columns: BillColumns; rows: number } | null {
  const cells = rows[at]?.cells ?? []
  const columns = columnsOf(cells, given)
  if (columns === null) return null
  const isHeading =
    columns.text.length > 0
      ? MEASURED.some((key) => columns[key].length > 0)
      : columns.unit.length * columns.quantity.length > 0
  if (!isHeading && given.text === undefined) return null
  const below = rows[at + 1]?.cells ?? []
  const subs = below.filter(({ text }) => MEASURED.includes(headingOf(text)?.key as never))
  if (subs.length < 2 || below.some(({ isNumber }) => isNumber)) return { columns, rows: 1 }
  let above = ''
  const joined = Array.from({ length: Math.max(cells.length, below.length) }, (_, i) => {
    const [own = '', sub = ''] = [cells[i]?.text, below[i]?.text]
    // A merged cell stands for those at its right.
    if (own !== '' || sub === '') above = own
    return { text: `${above} ${sub}`.trim(), isNumber: false }
  })
  return { columns: columnsOf(joined, given, below) ?? columns, rows: 2 }
}

/** The columns by the texts above them. `sub`: the lower row of two, which says what a column is where it can. Null for no heading. */
export function columnsOf(
  cells: readonly Cell[],
  given: GivenColumns = {},
  sub: readonly Cell[] = [],
): BillColumns | null {
  const filled = cells.filter(({ text }) => text !== '')
  const numbers = filled.filter(({ text, isNumber }) => isNumber || /^[\d.,\s]+$/.test(text))
  if (filled.length === 0 || numbers.length > filled.length * NUMBER_SHARE_MAX) return null
  const found = cells.flatMap(({ text }, column) => {
    const heading = headingOf(sub[column]?.text ?? '') ?? headingOf(text)
    return heading === null ? [] : [{ ...heading, column }]
  })
  const columns = {} as Record<HeadingKey, number[]>
  for (const key of HEADING_KEYS) {
    const name = given[key as keyof GivenColumns]
    const own = found.filter((heading) => heading.key === key)
    // Those that are told apart by their values keep their order.
    if (!['quantity', 'price', 'amount', 'more'].includes(key)) own.sort((a, b) => a.rank - b.rank)
    columns[key] =
      name === undefined
        ? own.map(({ column }) => column)
        : cells.flatMap(({ text }, i) => (wordsOf(text) === wordsOf(name) ? [i] : []))
    if (name !== undefined && columns[key].length === 0) return null
  }
  // "Item | Description": what stands before the text is its number, what stands behind it says more.
  const [text = -1, ...others] = columns.text
  columns.text = columns.text.slice(0, 1)
  columns.code.push(...others.filter((column) => column < text))
  columns.more.unshift(...others.filter((column) => column > text))
  return { ...columns, names: cells.map((cell) => cell.text) }
}

/** The columns that a person sees, and a hidden one where no other says the same. */
export function shownColumns(columns: BillColumns, hidden: ReadonlySet<number>): BillColumns {
  const shown = HEADING_KEYS.map((key) => {
    const seen = columns[key].filter((column) => !hidden.has(column))
    return [key, seen.length > 0 ? seen : columns[key]] as const
  })
  return { ...columns, ...(Object.fromEntries(shown) as Record<HeadingKey, readonly number[]>) }
}

/** The columns of a block of a table, chosen among those that its headings name. */
export type ChosenColumns = BillColumns &
  Readonly<{
    q: number | null
    /** Several where the price of a line is their sum: of material and of labour. */
    p: readonly number[]
    a: number | null
    marks: Factors<DecimalMark | null>
    /** Most lines multiply, so one that does not is wrong. */
    isChecked: boolean
  }>

const SAMPLE_ROWS_MAX = 200
/** Longer cells are no unit. */
const UNIT_CHARS_MAX = 16
const CODE = /^[\p{L}\d][\p{L}\d.\-/]{0,11}$/u

/** The columns with what only values show: a text, unit or code without a heading. */
function completed(columns: BillColumns, rows: readonly TableRow[]): BillColumns {
  const sample = rows.slice(0, SAMPLE_ROWS_MAX)
  const named = new Set(HEADING_KEYS.flatMap((key) => columns[key]))
  const width = Math.max(0, ...sample.map(({ cells }) => cells.length))
  const unnamed = Array.from({ length: width }, (_, i) => i).filter(
    (column) => !named.has(column) && !columns.names[column],
  )
  const best = (candidates: readonly number[], scoreOf: (cell: Cell) => number, least: number) => {
    const scored = candidates.map((column) => {
      return {
        column,
        score: sample.reduce((sum, { cells }) => sum + (cells[column]?.text ? scoreOf(cells[column]) : 0), 0),
      }
    })
    return scored
      .sort((a, b) => b.score - a.score)
      .flatMap(({ column, score }) => (score >= least ? [column] : []))
      .slice(0, 1)
  }
  const any = Array.from({ length: width }, (_, i) => i).filter((column) => !named.has(column))
  const text = columns.text.length > 0 ? columns.text : best(any, (cell) => (cell.isNumber ? 0 : cell.text.length), 1)
  const [first = 0] = text
  const isUnit = ({ text, isNumber }: Cell) =>
    Number(!isNumber && text.length <= UNIT_CHARS_MAX && parseUnit(text) !== null)
  const units = best(
    [...columns.unit, ...unnamed.filter((column) => column !== first)],
    isUnit,
    columns.unit.length > 0 ? 0 : 1,
  )
  const codes = best(
    any.filter((column) => column < first),
    (cell) => Number(CODE.test(cell.text)),
    2,
  )
  return { ...columns, text, unit: units, code: columns.code.length > 0 ? columns.code : codes }
}

/** Columns of a kind that are tried against each other. */
const COLUMNS_TRIED = 6
/** Of lines that multiply, from which on one that does not is wrong. */
const CHECKED_SHARE = 0.5
const CHECKED_LINES = 5
/** Another quantity is better by so many times more lines that multiply. */
const MORE_LINES = 2

/**
 * Chooses the quantity, price and amount among columns that headings name: those by which most lines multiply, then the amount that
 * holds the most sums, then the first. Where an amount adds up those before it, as of material and labour, the prices add up too.
 */
export function chosenColumns(found: BillColumns, rows: readonly TableRow[], usual: DecimalMark | null): ChosenColumns {
  const columns = completed(found, rows)
  const { quantity, price, amount, measure } = columns
  const whole = isWhole(amount, rows) ? amount.slice(-1) : amount
  const tried = (of: readonly number[]) => (of.length === 0 ? [null] : of.slice(0, COLUMNS_TRIED))
  const prices = [
    ...tried(price).map((column) => (column === null ? [] : [column])),
    ...(whole === amount ? [] : [price]),
  ]
  const amounts = tried(measure.length > 1 && price.length === 0 ? [] : whole)
  const all = tried(quantity).flatMap((q) => prices.flatMap((p) => amounts.map((a) => ({ q, p, a }))))
  const told = all.map(({ q, p, a }) => {
    const factors = rows.map(
      ({ cells }): Factors<Cell | undefined> => [cells[q ?? -1], cells[p[0] ?? -1], cells[a ?? -1]],
    )
    const marks = marksOf(factors, usual)
    const products = rows.flatMap(({ cells }) => {
      const paid = sumOf(p.flatMap((column) => decimalIn(cells[column], marks[1]) ?? []))
      return multiplies([decimalIn(cells[q ?? -1], marks[0]), paid, decimalIn(cells[a ?? -1], marks[2])]) ?? []
    })
    const sums = factors.filter(([of, , sum]) => !of?.text && decimalIn(sum, marks[2]) !== null).length
    const score = products.filter(Boolean).length
    return { q, p, a, marks, score, sums, isChecked: score >= Math.max(CHECKED_LINES, products.length * CHECKED_SHARE) }
  })
  const best = told.reduce((best, next) => {
    const isMore = next.q === best.q && (next.score - best.score || next.sums - best.sums) > 0
    return isMore || next.score > best.score * MORE_LINES ? next : best
  })
  return { ...columns, ...best }
}

/** Whether the last amount is the sum of those before it. */
function isWhole(amount: readonly number[], rows: readonly TableRow[]): boolean {
  const told = rows.flatMap(({ cells }) => {
    const [sum = 0, ...parts] = amount.map((column) => Number(decimalIn(cells[column], null) ?? 0)).reverse()
    const isSum = Math.abs(parts.reduce((all, part) => all + part, 0) - sum) <= 0.011 + sum / 1_000
    return sum === 0 || parts.filter(Boolean).length < 2 ? [] : [isSum]
  })
  return told.length > 1 && told.filter(Boolean).length > told.length * CHECKED_SHARE
}
