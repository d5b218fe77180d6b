import type { Region } from '@catalog/core/events/sources.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { multiply, parseDecimal, type Rational, rational } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import type { BillFile, FileLine } from './bill-file.ts'
import type { Matched } from './line-answers.ts'

/** A bill with the answers for its lines. */

/** A line of the bill with its answer; `text` is that of the bill. */
export type PricedLine = FileLine &
  Omit<Matched, 'text'> &
  Readonly<{
    /** The words that a person asked for instead of the text; null: the text itself. */
    askedText: string | null
  }>

export type PricedBill = Omit<BillFile, 'lines'> &
  Readonly<{
    lines: readonly PricedLine[]
    /** The market of items and prices; null: any item, headline prices. */
    region: Region | null
    /** When it was priced, RFC 3339. */
    pricedAt: string
    /** SHA-256 of the file in hexadecimal. */
    fileSha256: string
  }>

/** Decimals of item units in a unit of the line that count. */
const UNITS_PLACES = 12
/** Decimals of a unit price: a kg costs a fraction of a tonne's cents. */
const PRICE_PLACES = 4
const LEAST_PLACES = 2

/** Today's price of a unit of the line, in major units of the currency; null without a matched item, its median or the unit. */
export function unitPriceOf({ status, item, item_units: units }: PricedLine): Rational | null {
  const median = status === 'matched' ? item?.median_price : null
  if (!median || units === null) return null
  const major = rational(BigInt(median.cents), 10n ** BigInt(exponentOf(median.currency) ?? 2))
  return multiply(major, parseDecimal(units.toFixed(UNITS_PLACES)))
}

/** The unit price as a plain decimal. */
export function unitPriceText(line: PricedLine): string | null {
  const price = unitPriceOf(line)
  return price && decimalText(price, { places: PRICE_PLACES, least: LEAST_PLACES })
}
