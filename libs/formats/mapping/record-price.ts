import {
  canMean,
  exponentOf,
  MoneyOutOfRange,
  moneyFromDecimal,
  type ParsedPrice,
  parsePrice,
  priceOfThousands,
  priceWithoutDecimals,
  withoutFloatError,
} from '@catalog/core/money/money.ts'
import { readNumber } from '@catalog/core/money/rational.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { canonicalUnit } from '@catalog/core/units/unit-translator.ts'
import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { rounded } from '@catalog/formats/steps/round.ts'
import { count, type StepTally } from '@catalog/formats/steps/tally.ts'
import { isLongPeriod, isPeriod, isShare } from '@catalog/formats/vocabulary/unit-price.ts'
import { YES_NO } from '@catalog/formats/vocabulary/yes-no.ts'
import { type ObservationContent, RecordRefused } from './candidate.ts'
import { columnsOf } from './columns.ts'
import type { Columns } from './mapping-keys.ts'
import type { TextReaders } from './record-text.ts'
import { isCarriable, oneLine } from './text-checks.ts'

export type PriceOptions = Readonly<{
  /** Decimal mark of prices; null when each price must show it by itself. */
  decimal: ',' | '.' | null
  /**
   * The format or the operator states how prices are written, so prices in a currency without minor unit are literal
   * too.
   */
  isDecimalGiven?: boolean
  /** Numbers are what a person sees (a spreadsheet) instead of a program's reading of a text (JSON). */
  hasVisibleNumbers?: boolean
  /** The format offers goods for sale, so that a price for a time is that of a rent. */
  isOfSale?: boolean
  /** Decimal places that prices are rounded to, half up. */
  round?: number | undefined
  /** Where rounded prices are counted. */
  tally?: StepTally | undefined
}>

type PriceContext = PriceOptions & Readonly<{ column: Columns | undefined; currency: string | undefined }>
type Amount = Pick<ParsedPrice, 'decimal' | 'currency'> & Partial<Pick<ParsedPrice, 'mark'>>

/** Records of XML and JSON lack a column that was renamed: the column tells that from a price that is not stated. */
const blankText = (column: Columns | undefined) =>
  column === undefined ? 'the price is blank' : `the price is blank in column '${columnsOf(column).join(' + ')}'`

const PER_QUANTITY_MAX = 1_000_000_000_000_000
const MAY_BE_THOUSANDS = '; its currency has no decimals, so these may be thousands: give `decimal` in the mapping'
const MARK_UNKNOWN = '; its decimal mark is ambiguous: give `decimal` in the mapping'

/** Reads the prices of the records of one file. */
export class PriceReader {
  readonly #text: TextReaders
  readonly #context: PriceContext
  /** The last currency read: few currencies fill a file. */
  #lastCurrency: Readonly<{ written: string; code: string }> | null = null

  constructor(text: TextReaders, context: PriceContext) {
    this.#text = text
    this.#context = context
  }

  /** Throws RecordRefused for a price that cannot be recorded. In a shop (`isShop`) a price for a time is that of a rent. */
  read(record: RawRecord, { isShop }: Readonly<{ isShop: boolean }>): Omit<ObservationContent['price'], 'kind'> {
    const { decimal, code } = this.#amount(record, isShop)
    const base = this.#text.per_quantity(record).trim()
    const perQuantity = base === '' ? 1 : Number(this.#baseQuantity(base) ?? Number.NaN)
    if (!Number.isSafeInteger(perQuantity) || perQuantity < 1) {
      throw new RecordRefused('BAD_PRICE', `base quantity '${base.slice(0, 40)}': expected a whole number from 1`)
    }
    const money = moneyOf(decimal, code)
    const per = money.per_quantity * perQuantity
    if (per > PER_QUANTITY_MAX) {
      throw new RecordRefused('PRICE_TOO_PRECISE', `${decimal} ${code} for ${perQuantity} units`)
    }
    const minimum = quantityIn(this.#text.min_quantity(record))
    const included = YES_NO.get(oneLine(this.#text.tax_included(record)).toLowerCase()) ?? null
    const rate = rateIn(this.#text.tax_rate(record))
    return {
      cents: money.cents,
      currency: code,
      per_quantity: per,
      ...(minimum !== null && { min_quantity: minimum }),
      tax: { included, ...(rate !== null && { rate }) },
    }
  }

  /** The mark of the file's prices decides whether "1.000" is a thousand. */
  #baseQuantity(text: string): string | null {
    const { decimal } = this.#context
    return readNumber(text) ?? (decimal === null ? null : readNumber(text, { decimal }))
  }

  #amount(record: RawRecord, isShop: boolean): { decimal: string; code: string } {
    const written = this.#text.price(record).trim()
    if (written === '') throw new RecordRefused('NO_PRICE', blankText(this.#context.column))
    const unit = this.#text.unit(record)
    // Lists of work price the day and the hour of a machine; a shop lets by the week or longer.
    if (this.#context.isOfSale === true ? isPeriod(unit) : isShop && isLongPeriod(unit)) {
      throw new RecordRefused('NOT_A_SALE', `the price is per ${unit.slice(0, 40)}: expected goods that are sold`)
    }
    const { decimal, isDecimalGiven, hasVisibleNumbers, column } = this.#context
    const isExact = typeof column === 'string' && record.numbers?.has(column) === true
    const mark = (isExact && record.marks?.get(column)) || ''
    if (isShare(unit) || isShare(written) || mark.includes('%') || mark.includes('‰')) {
      const shown = [written, mark, unit].filter((text) => text !== '').join(' ')
      throw new RecordRefused('NOT_A_PRICE', `'${shown.slice(0, 80)}' is a share: expected an amount of money`)
    }
    const exact = isExact ? exactNumber(written) : null
    const literal = isExact
      ? exact && { ...exact, ...shownCurrency(mark) }
      : parsePrice(written, { decimal: decimal ?? undefined })
    // The decimal mark does not matter for a currency inside the text.
    const readable = literal ?? (isExact ? null : parsePrice(written, { decimal: '.' }))
    const named = this.#text.currency(record).trim()
    const currency = named === '' ? (readable?.currency ?? this.#context.currency?.trim() ?? '') : named
    const code = this.#codeOf(currency)
    const isLiteral = isDecimalGiven || (isExact && hasVisibleNumbers)
    const isWhole = !isLiteral && exponentOf(code) === 0
    const parsed = isWhole && readable !== null ? inWholeUnits(written, { isExact, literal, readable }) : literal
    if (parsed === null) {
      const isAmbiguous = decimal === null && (readable ?? parsePrice(written, { decimal: ',' })) !== null
      const hint = literal !== null ? MAY_BE_THOUSANDS : isAmbiguous ? MARK_UNKNOWN : ''
      throw new RecordRefused('BAD_PRICE', `'${written.slice(0, 80)}' is not one number${hint}`)
    }
    if (code === '') {
      throw new RecordRefused('NO_CURRENCY', noCurrency(readable?.mark ?? null))
    }
    if (exponentOf(code) === null) {
      throw new RecordRefused('UNKNOWN_CURRENCY', `'${currency.slice(0, 40)}': expected an ISO 4217 code`)
    }
    if (parsed.currency !== null && parsed.currency !== code) {
      throw new RecordRefused('BAD_PRICE', `the price is in ${parsed.currency}, the record says ${code}`)
    }
    const open = readable?.currency === null ? (readable.mark ?? null) : null
    if (open !== null && !canMean(open, code)) {
      throw new RecordRefused('BAD_PRICE', `the price is in '${open}', the record says ${code}, which has another sign`)
    }
    if (parsed.decimal.startsWith('-') || /^[0.]*$/.test(parsed.decimal)) {
      throw new RecordRefused('BAD_PRICE', `'${written.slice(0, 80)}': expected a price above zero`)
    }
    return { decimal: this.#rounded(parsed.decimal, record), code }
  }

  /** Throws RecordRefused for a price that rounds to zero. */
  #rounded(decimal: string, { position }: RawRecord): string {
    const { round, tally = {} } = this.#context
    if (round === undefined) return decimal
    // Zeros at the end are no digits that a price loses.
    const exact = decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
    const price = rounded(exact, round)
    if (price === exact) return exact
    if (!/[1-9]/.test(price))
      throw new RecordRefused('BAD_PRICE', `${decimal} rounds to zero: expected more places than \`round: ${round}\``)
    count(tally, 'round', () => `${position}: ${decimal} → ${price}`)
    return price
  }

  /** The code behind a currency's code, symbol or name; an unknown text stays as it is, in upper case. */
  #codeOf(written: string): string {
    if (written === this.#lastCurrency?.written) return this.#lastCurrency.code
    const code = written === '' ? '' : (parsePrice(`1 ${written}`)?.currency ?? written.toUpperCase())
    this.#lastCurrency = { written, code }
    return code
  }
}

/** The currency that the format of a cell shows beside its number; none for the unit of the goods. Throws RecordRefused for an unknown one. */
function shownCurrency(shown: string): Partial<Pick<ParsedPrice, 'currency' | 'mark'>> {
  // "S/." is a currency, "€/m²" one with a unit.
  const [text = ''] = shown.split('/')
  const read = [shown, text].map((mark) => (mark.trim() === '' ? null : parsePrice(`1 ${mark.trim()}`))).find(Boolean)
  if (read) return { currency: read.currency, mark: read.mark }
  if (!/^(\p{Sc}|\p{L}{1,3}\.?)$/u.test(text.trim()) || canonicalUnit(text) !== null) return {}
  throw new RecordRefused(
    'UNKNOWN_CURRENCY',
    `the format of the cell shows '${text.trim()}': expected a currency that is known`,
  )
}

function noCurrency(mark: string | null): string {
  const found =
    mark === null
      ? 'neither a column, a constant, the price, the sources file nor the command line names one'
      : `'${mark.slice(0, 20)}' is the sign of several currencies`
  return `${found}: expected \`currency\` of the source or the mapping, or --currency`
}

/** A number of the format itself (JSON, XLSX, BC3), where "1.234" is never 1234; exponents are written out. */
function exactNumber(text: string): Amount | null {
  const match = /^([+-]?)(\d{0,40})(?:\.(\d{0,40}))?(?:e([+-]?\d{1,2}))?$/i.exec(withoutFloatError(text))
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return null
  return {
    decimal: shifted({ whole, fraction, places: Number(exponent), sign: sign === '-' ? '-' : '' }),
    currency: null,
  }
}

/**
 * A price in a currency without decimals; null when it may have lost its thousands. A null `literal` means an unknown
 * mark.
 */
function inWholeUnits(
  text: string,
  { isExact, literal, readable }: Readonly<{ isExact: boolean; literal: Amount | null; readable: Amount }>,
): Amount | null {
  const meant = priceWithoutDecimals(text, { exact: isExact })
  if (meant === undefined && literal !== null) return literal
  const decimal = meant === undefined ? priceOfThousands(text) : meant
  return decimal === null ? null : { decimal, currency: readable.currency }
}

/** The number × 10^places as a plain decimal. */
function shifted(number: { whole: string; fraction: string; places: number; sign: string }): string {
  const { whole, fraction, places, sign } = number
  const digits = whole + fraction
  const point = whole.length + places
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0')
  const at = Math.max(0, point)
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0'
  const after = padded.slice(at).replace(/0+$/, '')
  return `${sign}${before}${after === '' ? '' : `.${after}`}`
}

function moneyOf(decimal: string, currency: string): { cents: number; per_quantity: number } {
  let failure: Error
  try {
    return moneyFromDecimal(decimal, currency)
  } catch (error) {
    failure = error as Error
  }
  throw new RecordRefused(failure instanceof MoneyOutOfRange ? 'PRICE_TOO_PRECISE' : 'BAD_PRICE', failure.message)
}

/** A quantity above zero as a plain decimal; null for none. A lone comma is the decimal mark, as quantities are small. */
function quantityIn(text: string): string | null {
  const value = text.trim()
  if (value === '') return null
  const number = readNumber(value) ?? readNumber(value, { decimal: value.includes(',') ? ',' : '.' })
  return number !== null && /^\d{1,18}(\.\d{1,18})?$/.test(number) && /[1-9]/.test(number) ? number : null
}

/** A tax rate as a fraction: "21 %", "21" and "0.21" are 0.21. Null for no rate and above 100 %. */
function rateIn(text: string): string | null {
  const match = /^(\d{1,3})(?:[.,](\d{1,6}))?\s*(%?)$/.exec(text.trim())
  if (!match) return null
  const [, whole = '', fraction = '', sign] = match
  const isPercent = sign === '%' || Number(whole) >= 1
  const rate = shifted({ whole, fraction, places: isPercent ? -2 : 0, sign: '' })
  return Number(rate) <= 1 ? rate : null
}

/** The contents of a pack; null without a quantity or a unit. */
export function packOf(quantityText: string, unit: string): { quantity: string; unit: string } | null {
  const quantity = quantityIn(quantityText)
  return quantity !== null && unit !== '' && isCarriable(unit, 40) ? { quantity, unit } : null
}

/**
 * The pieces of a pack in words, "pct c/100" or "cx c/ 50 un", where the price is for the pack: its unit is a container, or the PC of
 * a pacote, which is a piece elsewhere.
 */
export function packInWords(text: string, unit: string | null): { quantity: string; unit: string } | null {
  const pack = parseUnit(text)?.pack
  if (pack === undefined || unit === null) return null
  const sold = parseUnit(unit)
  const isPacote = /^\W*pct?s?\W*$/i.test(unit) && /^\W*(pct|pc|pacotes?)\b/i.test(text)
  return isPacote || sold?.dimension.startsWith('count:') ? pack : null
}
