import { readNumber } from '@catalog/core/money/rational.ts'
import { detectDecimalMark } from '@catalog/formats/mapping/decimal-mark.ts'
import type { Cell } from './bill-tables.ts'

export type DecimalMark = ',' | '.'

const CURRENCY = String.raw`(?:[€$£¥₹฿]|R\$|US\$|Rs\.?|Rp\.?|[A-Z]{3})`
const AROUND = new RegExp(`^${CURRENCY}\\s*|\\s*${CURRENCY}$`, 'g')
/** Digits before and after the point that a quantity or an amount of money can need. */
const PLAIN = /^-?\d{1,15}(\.\d{1,15})?$/

/** The plain decimal in a cell, without currency; null for a blank, a dash and any other text. */
export function decimalIn(cell: Cell | undefined, mark: DecimalMark | null): string | null {
  if (cell === undefined || !/\d/.test(cell.text)) return null
  if (cell.isNumber) {
    // Very small numbers have an exponent or many places.
    const plain = PLAIN.test(cell.text)
      ? cell.text
      : Number(cell.text)
          .toFixed(12)
          .replace(/\.?0+$/, '')
    return PLAIN.test(plain) ? plain : null
  }
  const inBrackets = /^\((.*)\)$/.exec(cell.text)?.[1]
  const bare = (inBrackets ?? cell.text).replace(AROUND, '')
  const number = readNumber(bare.replace(/^[-−]\s*|-$/g, '').replace(AROUND, ''), { decimal: mark ?? undefined })
  if (number === null || !PLAIN.test(number)) return null
  const isNegative = Number(number) !== 0 && (inBrackets !== undefined || /^[-−]|-$/.test(bare))
  return isNegative ? `-${number}` : number
}

/** A cell that says nothing: blank, or a dash. */
export const isBlank = ({ text, formula }: Cell) => /^[-–—\s]*$/.test(text) && formula === undefined

/** The sum of decimals, such as the prices of material and labour; null of none. */
export const sumOf = (decimals: readonly string[]) =>
  decimals.length < 2
    ? (decimals[0] ?? null)
    : String(Number(decimals.reduce((sum, decimal) => sum + Number(decimal), 0).toFixed(6)))

/** A value for each of quantity, price and amount. */
export type Factors<Value> = readonly [quantity: Value, price: Value, amount: Value]

/** Whether quantity × price is the amount, as far as each is rounded; null where one of them is missing or 0. */
export function multiplies(factors: Factors<string | null>): boolean | null {
  const [q = 0, p = 0, a = 0] = factors.map((factor) => Number(factor ?? 0))
  if (q * p * a === 0) return null
  const rounded = Number.isInteger(a) ? 0.51 : 0.011
  return Math.abs(q * p - a) <= rounded + Math.abs(q) * 0.0051 + Math.abs(p) * 0.0051 + Math.abs(a) * 0.0005
}

const MARKS: readonly DecimalMark[] = [',', '.']

/**
 * The decimal marks of quantities, prices and amounts. A column decides its own; where it cannot, the mark by which lines multiply
 * does, then the mark of the other columns, then `usual`.
 */
export function marksOf(
  lines: readonly Factors<Cell | undefined>[],
  usual: DecimalMark | null,
): Factors<DecimalMark | null> {
  const textsIn = (i: number) => lines.flatMap((cells) => (cells[i]?.text && !cells[i].isNumber ? [cells[i].text] : []))
  const own = [0, 1, 2].map((i) => detectDecimalMark(textsIn(i)))
  const read = (cells: Factors<Cell | undefined>, mark: DecimalMark) =>
    cells.map((cell, i) => decimalIn(cell, own[i] ?? mark))
  const told = own.includes(null)
    ? MARKS.filter((mark) => lines.some((cells) => multiplies(read(cells, mark) as never)))
    : []
  const known = [...new Set(told.length === 1 ? told : own.filter((mark) => mark !== null))]
  return own.map((mark) => mark ?? (known.length === 1 ? known[0] : usual)) as never
}
