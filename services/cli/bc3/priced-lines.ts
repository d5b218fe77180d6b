import { csvCell } from '@catalog/cli/shared/csv.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { add, multiply, parseDecimal, type Rational, rational } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import type { MeasuredLine } from '@catalog/formats/bc3/price-book/bill-of-quantities.ts'

/** Lines of a measured work with declared and present prices: amounts, totals and their texts. */

/**
 * How the present price of a line was found, or why there is none:
 *
 * - reference: the item with the same code of this very price bank, which was crawled;
 * - match: the item that the text means;
 * - ambiguous: the text may mean several items;
 * - unmatched: the text is like no item;
 * - unit_differs: the item is sold in another kind of unit;
 * - no_median: the item has no median there.
 */
export type Basis = 'reference' | 'match' | 'ambiguous' | 'unmatched' | 'unit_differs' | 'no_median'

export type PricedLine = Readonly<{
  path: string
  chapter: string
  code: string
  text: string
  unit: string
  quantity: string | null
  declared: Readonly<{ price: string; amount: string | null }> | null
  now: Readonly<{ price: string; amount: string | null; currency: string }> | null
  /** Amount now minus amount declared; null where one is missing or the currencies differ. */
  difference: string | null
  basis: Basis
  item: Readonly<{ id: string; name: string; unit: string | null }> | null
}>

/** The present price of a concept. */
export type PresentPrice = Readonly<{
  basis: Basis
  item: PricedLine['item']
  /** Per unit of the concept. */
  price: Rational | null
  currency: string | null
}>

/** Decimals of a present unit price: medians are to the cent, and a kg costs a fraction of a tonne's cents. */
const PRICE_PLACES = 4
/** Decimals of amounts; these files use two for pesetas and pesos as well. */
const AMOUNT_PLACES = 2

export function pricedLine(
  line: MeasuredLine,
  currency: string,
  { basis, item, price, currency: paid }: PresentPrice,
): PricedLine {
  const { path, chapters, code, text, unit, quantity } = line
  const amount = price && quantity ? multiply(price, parseDecimal(quantity)) : null
  const now =
    price && paid !== null
      ? { price: shown(price, PRICE_PLACES), amount: amount && shown(amount, placesOf(paid)), currency: paid }
      : null
  const difference =
    now?.amount && line.amount && paid === currency ? minus(parseDecimal(now.amount), parseDecimal(line.amount)) : null
  return {
    path: path.join('.'),
    chapter: chapters.map(({ code, title }) => title || code).join(' / '),
    code,
    text,
    unit,
    quantity,
    declared: line.price === null ? null : { price: line.price, amount: line.amount },
    now,
    difference: difference && shown(difference, AMOUNT_PLACES),
    basis,
    item,
  }
}

function placesOf(currency: string): number {
  return Math.max(AMOUNT_PLACES, exponentOf(currency) ?? 0)
}

/** Writes at least two decimals, as prices have. */
function shown(value: Rational, places: number): string {
  return decimalText(value, { places, least: AMOUNT_PLACES })
}

function minus(a: Rational, b: Rational): Rational {
  return add(a, { n: -b.n, d: b.d })
}

export type Totals = Readonly<{
  lines: number
  /** The sum over all lines with a declared price. */
  declared: string
  /** Sums over the lines with both prices in the file's currency. */
  compared: Readonly<{ lines: number; declared: string; now: string; difference: string }>
  /** Number of lines by basis. */
  by_basis: Readonly<Partial<Record<Basis, number>>>
  /** Codes without a present price. */
  unpriced: readonly string[]
}>

export function totalsOf(lines: readonly PricedLine[]): Totals {
  const sum = (amounts: readonly (string | null | undefined)[]) =>
    amounts.reduce((total, amount) => (amount ? add(total, parseDecimal(amount)) : total), rational(0n))
  const compared = lines.filter(({ difference }) => difference !== null)
  const counts: Partial<Record<Basis, number>> = {}
  for (const { basis } of lines) counts[basis] = (counts[basis] ?? 0) + 1
  return {
    lines: lines.length,
    declared: shown(sum(lines.map(({ declared }) => declared?.amount)), AMOUNT_PLACES),
    compared: {
      lines: compared.length,
      declared: shown(sum(compared.map(({ declared }) => declared?.amount)), AMOUNT_PLACES),
      now: shown(sum(compared.map(({ now }) => now?.amount)), AMOUNT_PLACES),
      difference: shown(sum(compared.map(({ difference }) => difference)), AMOUNT_PLACES),
    },
    by_basis: counts,
    unpriced: [...new Set(lines.flatMap(({ code, now }) => (now === null ? [code] : [])))],
  }
}

/** Unpriced codes in the summary for people. */
const UNPRICED_SHOWN = 20

export function summaryOf({ lines, declared, compared, by_basis, unpriced }: Totals, currency: string): string {
  const bases = Object.entries(by_basis).map(([basis, count]) => `${basis} ${count}`)
  const more = unpriced.length > UNPRICED_SHOWN ? ` and ${unpriced.length - UNPRICED_SHOWN} more` : ''
  return [
    `${lines} lines, declared ${declared} ${currency}`,
    `${compared.lines} of them priced today: declared ${compared.declared}, now ${compared.now}, difference ${compared.difference} ${currency}`,
    `by ${bases.join(', ')}`,
    ...(unpriced.length === 0 ? [] : [`without a price today: ${unpriced.slice(0, UNPRICED_SHOWN).join(', ')}${more}`]),
  ].join('\n')
}

/** Characters of a text in a table. */
const TEXT_CHARS = 40

export function rowOf({ path, code, text, unit, quantity, declared, now, difference, basis, item }: PricedLine) {
  return {
    line: path,
    code: code.slice(0, TEXT_CHARS),
    text: text.slice(0, TEXT_CHARS),
    quantity: quantity ?? '',
    unit,
    declared: declared?.price ?? '',
    now: now?.price ?? '',
    difference: difference ?? '',
    basis,
    item: item === null ? '' : `${item.name.slice(0, TEXT_CHARS)} (${item.unit ?? '-'})`,
  }
}

const CSV_COLUMNS = [
  'line',
  'chapter',
  'code',
  'text',
  'unit',
  'quantity',
  'declared_price',
  'declared_amount',
  'now_price',
  'now_amount',
  'now_currency',
  'difference',
  'basis',
  'item_id',
  'item',
  'item_unit',
]

export function csvOf(lines: readonly PricedLine[]): string {
  const rows = lines.map(({ path, chapter, code, text, unit, quantity, declared, now, difference, basis, item }) => [
    path,
    chapter,
    code,
    text,
    unit,
    quantity,
    declared?.price,
    declared?.amount,
    now?.price,
    now?.amount,
    now?.currency,
    difference,
    basis,
    item?.id,
    item?.name,
    item?.unit,
  ])
  return [CSV_COLUMNS, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

/** Leaves numbers as they are: a negative one is no formula. */
function cellOf(value: string | null | undefined): string {
  return value && /^-?\d+(\.\d+)?$/.test(value) ? value : csvCell(value)
}
