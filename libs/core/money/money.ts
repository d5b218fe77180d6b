import { readDataFile } from '@catalog/core/data-file.ts'
import { readNumber } from './rational.ts'

/**
 * Money is an integer number of the currency's minor units. This module knows the decimals of each currency, and
 * converts vendors' price texts without floating point.
 */

/** Decimals of the currency's minor unit (EUR 2, CLP 0, KWD 3, CLF 4); null for an unknown code. */
export function exponentOf(currency: string): number | null {
  return EXPONENTS.get(currency) ?? null
}

/** The price of an observation: `cents` minor units for `per_quantity` units. */
export type QuantityPrice = Readonly<{ cents: number; per_quantity: number }>

/** The largest per_quantity of the event contract. */
const PER_QUANTITY_MAX = 10n ** 15n

/**
 * The exact price of a plain decimal: "4.85" EUR is 485 for 1. A price finer than the minor unit becomes the price of
 * 10, 100, ... units ("1.2345" EUR is 12345 for 100). Trailing zeros do not count. Throws UnknownCurrency,
 * MoneyOutOfRange (beyond safe integers) or InvalidPrice (not a plain decimal).
 */
export function moneyFromDecimal(decimalText: string, currency: string): QuantityPrice {
  const exponent = exponentOf(currency)
  if (exponent === null) throw new UnknownCurrency(`${JSON.stringify(currency)}: not a currency of ISO 4217`)
  const match = /^(-?)0*(\d{1,60})(?:\.(\d{1,60}))?$/.exec(decimalText)
  if (!match)
    throw new InvalidPrice(`${JSON.stringify(decimalText.slice(0, 200))}: expected a plain decimal such as 12.50`)
  const fraction = (match[3] ?? '').replace(/0+$/, '')
  const finer = Math.max(0, fraction.length - exponent)
  const cents = BigInt(`${match[1]}${match[2]}${fraction.padEnd(exponent, '0')}`)
  const perQuantity = 10n ** BigInt(finer)
  if (cents > MAX_SAFE || cents < -MAX_SAFE || perQuantity > PER_QUANTITY_MAX) {
    throw new MoneyOutOfRange(`${decimalText} ${currency}: ${cents} for ${perQuantity} does not fit in safe integers`)
  }
  return { cents: Number(cents), per_quantity: Number(perQuantity) }
}
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** "4.85 EUR", "1200 CLP", "-0.05 USD": all decimals of the currency, no grouping. Throws UnknownCurrency. */
export function formatMoney(cents: number, currency: string): string {
  const exponent = exponentOf(currency)
  if (exponent === null) throw new UnknownCurrency(`${JSON.stringify(currency)}: not a currency of ISO 4217`)
  return `${plainDecimal(cents, exponent)} ${currency}`
}

/** Minor units as a plain decimal with all decimals of the currency, without binary fractions: 485 and 2 give "4.85". */
export function plainDecimal(cents: number, exponent: number): string {
  const digits = String(Math.abs(cents)).padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const fraction = exponent === 0 ? '' : `.${digits.slice(-exponent)}`
  return `${cents < 0 ? '-' : ''}${whole}${fraction}`
}

/** A parsed price text: the amount, and what the text says of its currency. */
export type ParsedPrice = Readonly<{
  /** Plain decimal, negative for "-5", "5-" and the accountant's "(5)". */
  decimal: string
  /**
   * The currency when the text settles it ("R$", "EUR", "€"); null without a mark, or for a mark of several ("$",
   * "kr").
   */
  currency: string | null
  /** The code or symbol as it stands in the text; null without one. */
  mark: string | null
}>

/** Longer texts are prose. */
const PRICE_TEXT_LENGTH_MAX = 80

/**
 * Parses a price that people write: "1.234,56 €", "R$ 12,50", "$1 234,50", "USD 1,234.56", "12,-", "(12.50)". The text
 * may hold one number, one mark of a currency and a sign. Any other word ("from 12", "12 €/m²") gives null, because it
 * would change the meaning of the number. Ambiguous separators ("1.234") give null too: a wrong reading is off by a
 * factor of 1000, so the caller, who knows the file, has to pass `decimal`.
 */
export function parsePrice(
  text: string,
  options: { readonly decimal?: '.' | ',' | undefined } = {},
): ParsedPrice | null {
  if (text.length > PRICE_TEXT_LENGTH_MAX) return null
  let rest = text
    .replace(/[\s\u00a0\u202f\u2009]+/g, ' ')
    .replace(/[−–—]/g, '-')
    .trim()
  const inParentheses = /^\((.*)\)$/.exec(rest)
  if (inParentheses) rest = (inParentheses[1] as string).trim()

  const { groups } = PRICE_TEXT.exec(rest) ?? {}
  const decimal = readNumber(groups?.number ?? '', options)
  if (!groups || decimal === null) return null
  const signs = [groups.first, groups.inner, groups.last, inParentheses ? '-' : ''].filter((sign) => sign === '-')
  const marks = [groups.before, groups.after].map((side) => side?.trim() ?? '').filter((side) => side !== '')
  const currencies = new Map(marks.map((mark) => [currencyOfMark(mark), mark]))
  if (signs.length > 1 || currencies.has(undefined)) return null
  // "$12.50 CLP": the code settles the open symbol; two different currencies settle nothing.
  if (currencies.size > 1 && !currencies.delete(null)) return null
  const [currency = null, mark = null] = [...currencies][0] ?? []
  const isZero = /^[0.]+$/.test(decimal)
  return { decimal: signs.length === 1 && !isZero ? `-${decimal}` : decimal, currency, mark }
}

/**
 * The plain decimal of a price in a currency without decimals, where "12.990" and "$12.995" have thousands. Returns
 * undefined when the text is unambiguous. Returns null when it is undecidable: 12.99 may be 12,990 as some program
 * printed it, or a part of a price. `exact` prices are numbers of a format, with a decimal point.
 */
export function priceWithoutDecimals(text: string, { exact }: { readonly exact: boolean }): string | null | undefined {
  const last = GROUPED.exec(text)?.[2]
  if (last === '0' || (last !== undefined && /^\D|\D$/.test(text))) return priceOfThousands(text) ?? undefined
  return exact && /^\d{1,3}\.\d*[1-9]/.test(text) ? null : undefined
}

/** The number in a text whose one mark, before three digits, groups thousands ("12.995", "12,995 CLP"); null for others. */
export function priceOfThousands(text: string): string | null {
  const mark = GROUPED.exec(text)?.[1]
  return mark === undefined ? null : (parsePrice(text, { decimal: mark === '.' ? ',' : '.' })?.decimal ?? null)
}
/** One mark before three digits: thousands, or three decimals. */
const GROUPED = /^\D{0,20}[1-9]\d{0,2}([.,])\d\d(\d)\D{0,20}$/

/** Removes floating-point error from the last digits of a number: "12.990000000000002" is "12.99". */
export function withoutFloatError(number: string): string {
  const isFloat = /^\d{1,9}\.\d{10,40}$/.test(number) && number.replace(/^[0.]+|\./g, '').length > FLOAT_DIGITS
  return isFloat ? String(Number(Number(number).toPrecision(FLOAT_DIGITS))) : number
}
/** Significant digits that a double keeps of any decimal. */
const FLOAT_DIGITS = 15

/**
 * Sign, mark, sign, number, mark, sign; "12,-" and "12.-" have no minor units. A number may begin with its decimal mark
 * ("$.50"), unless that is the full stop of an abbreviation ("S/.50", "Rs.50").
 */
const PRICE_TEXT =
  /^(?<first>-?)(?<before>[^\d-]*?)(?<inner>-?) ?(?<number>(?:(?<![\p{L}/])[.,])?\d(?:[\d.,'’´` ]*\d)?)(?:[.,]-)?(?<after>[^\d-]*?)(?<last>-?)$/u

/** The currency of a mark; null for a mark of several currencies, undefined for text that is no mark. */
function currencyOfMark(mark: string): string | null | undefined {
  const upper = mark.toUpperCase().replace(/\.$/, '')
  return EXPONENTS.has(upper) ? upper : MARKS.get(upper)
}

/**
 * Whether a mark may stand for a currency: "$" for every dollar and peso, "kr" for the crowns. `mark` is that of
 * {@link ParsedPrice}; a mark of one currency stands for it alone.
 */
export function canMean(mark: string, currency: string): boolean {
  const known = currencyOfMark(mark)
  if (known !== null) return known === currency
  return SHARED_MARKS.get(mark.toUpperCase().replace(/\.$/, ''))?.has(currency) ?? true
}

type Lists = Readonly<Record<string, readonly string[]>>
const { shared, marks, active, withdrawn } = readDataFile(import.meta.url, 'currencies.yaml') as Readonly<
  Record<'shared' | 'marks' | 'active' | 'withdrawn', Lists>
>

/** The currencies of a mark that several have, by the mark in upper case without a final full stop. */
const SHARED_MARKS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(shared).map(([mark, codes]) => [mark, new Set(codes)]),
)

/** The currency of each mark; null for those of several. */
const MARKS: ReadonlyMap<string, string | null> = new Map([
  ...Object.keys(shared).map((mark) => [mark, null] as const),
  ...byName(marks),
])

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  [active, withdrawn].flatMap(byName).map(([code, exponent]) => [code, Number(exponent)]),
)

/** Each name of the lists with the key of its list. */
function byName(lists: Lists): readonly (readonly [name: string, key: string])[] {
  return Object.entries(lists).flatMap(([key, names]) => names.map((name) => [name, key] as const))
}

export class UnknownCurrency extends Error {
  override name = 'UnknownCurrency'
}

export class MoneyOutOfRange extends Error {
  override name = 'MoneyOutOfRange'
}

export class InvalidPrice extends Error {
  override name = 'InvalidPrice'
}
