import { multiply, parseDecimal, type Rational, readNumber } from '@catalog/core/money/rational.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { child, children, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'
import { dateOf, timeOf } from './header.ts'

/** One price of a BMEcat article. */
export type BmecatPrice = Readonly<{
  type: PriceType
  /** '' when the catalogue's currency holds. */
  currency: string
  columns: Readonly<Record<PriceColumn, string>>
}>
type PriceColumn =
  | 'price'
  | 'per_quantity'
  | 'min_quantity'
  | 'unit'
  | 'pack_quantity'
  | 'pack_unit'
  | 'tax_included'
  | 'tax_rate'
  | 'kind'
type PriceType = Readonly<{ name: string; rank: number; kind: 'list' | 'net'; taxIncluded: string }>

/**
 * Price types by rank; a lower rank binds the vendor more. The format leaves open whether nrp, a recommendation,
 * includes tax.
 */
const PRICE_TYPES: ReadonlyMap<string, PriceType> = new Map(
  (
    [
      ['net_list', 'list', 'false'],
      ['gros_list', 'list', 'true'],
      ['net_customer', 'net', 'false'],
      ['nrp', 'list', ''],
    ] as const
  ).map(([name, kind, taxIncluded], rank) => [name, { name, rank, kind, taxIncluded }]),
)

type Refusal = Readonly<{ reason: string; detail: string }>

/**
 * Reads one price: amount × factor for a quantity of the order unit, or of the unit in PRICE_BASE. The arithmetic is
 * exact: a price for 0.25 units becomes four times the price for one. A null `observedAt` skips the check of dates.
 */
export function priceOf(
  price: XmlElement,
  around: Readonly<{ details: XmlElement; order: XmlElement | undefined; observedAt: number | null }>,
): BmecatPrice | Refusal {
  const { details, order, observedAt } = around
  const named = (price.attributes.price_type ?? '').trim().toLowerCase()
  const type = PRICE_TYPES.get(named)
  if (named === 'net_customer_exp') {
    return refusal('NOT_A_PRICE', 'net_customer_exp: the price includes express delivery')
  }
  if (type === undefined) {
    const expected = [...PRICE_TYPES.keys()].join(', ')
    return refusal('UNKNOWN_PRICE_TYPE', `price type '${named.slice(0, 40)}': expected one of ${expected}`)
  }
  if (/^(true|1)$/i.test(textOf(details, 'DAILY_PRICE'))) {
    return refusal('NOT_A_PRICE', 'a daily price, which buyers have to ask for')
  }
  const written = textOf(price, 'PRICE_AMOUNT')
  if (written === '') {
    return refusal('NO_PRICE', child(price, 'PRICE_FORMULA') ? 'a formula gives the price' : 'the price has no amount')
  }
  const amount = numberOf(written)
  if (amount === '0') return refusal('NO_PRICE', 'a price of 0 is one on request')
  const factor = numberOf(textOf(price, 'PRICE_FACTOR') || '1')
  const writtenQuantity = order ? textOf(order, 'PRICE_QUANTITY') : ''
  const quantity = numberOf(writtenQuantity || '1')
  const minimum = numberOf(textOf(price, 'LOWER_BOUND') || '0')
  if (amount === null) return unreadable('price', written)
  if (factor === null || factor === '0') return unreadable('price factor', textOf(price, 'PRICE_FACTOR'))
  if (quantity === null || quantity === '0') return unreadable('price quantity', writtenQuantity)
  if (minimum === null) return unreadable('lower bound', textOf(price, 'LOWER_BOUND'))
  const outside = validityProblem(details, observedAt)
  if (outside !== null) return outside

  const { n: per, d: part } = parseDecimal(quantity)
  const whole = multiply(multiply(parseDecimal(amount), parseDecimal(factor)), { n: part, d: 1n })
  return {
    type,
    currency: textOf(price, 'PRICE_CURRENCY'),
    columns: {
      price: decimalText(whole),
      per_quantity: per === 1n ? '' : String(per),
      min_quantity: minimum === '0' ? '' : minimum,
      ...soldAs(price, order),
      tax_included: type.taxIncluded,
      tax_rate: taxRateOf(price),
      kind: type.kind,
    },
  }
}

/**
 * The unit and its contents. Contents apply only to a price of the order unit, when that is not itself the unit of
 * content.
 */
function soldAs(
  price: XmlElement,
  order: XmlElement | undefined,
): Readonly<Record<'unit' | 'pack_quantity' | 'pack_unit', string>> {
  const ordered = order ? textOf(order, 'ORDER_UNIT') : ''
  const unit = textOf(price, 'PRICE_BASE', 'PRICE_UNIT') || ordered
  const content = order ? textOf(order, 'CONTENT_UNIT') : ''
  const contents = numberOf(order ? textOf(order, 'NO_CU_PER_OU') : '')
  const isPack = unit === ordered && content !== '' && contents !== null && contents !== '0'
  if (!isPack || (content === ordered && contents === '1')) return { unit, pack_quantity: '', pack_unit: '' }
  return { unit, pack_quantity: contents, pack_unit: content }
}

/** The value added tax: the only rate, or in 2005 the one of that type among several. */
function taxRateOf(price: XmlElement): string {
  const details = children(price, 'TAX_DETAILS')
  const vat = details.length > 1 ? details.find((tax) => textOf(tax, 'TAX_TYPE').toLowerCase() === 'vat') : details[0]
  return textOf(price, 'TAX') || (vat ? textOf(vat, 'TAX') : '')
}

function validityProblem(details: XmlElement, observedAt: number | null): Refusal | null {
  const [start, end] = [dateOf(details, 'valid_start_date'), dateOf(details, 'valid_end_date')]
  const [from, to] = [
    start === '' ? Number.NEGATIVE_INFINITY : timeOf(start),
    end === '' ? Number.POSITIVE_INFINITY : timeOf(end),
  ]
  if (from === null || to === null) {
    return refusal(
      'BAD_DATE',
      `valid from '${start.slice(0, 40)}' to '${end.slice(0, 40)}': expected dates as 2026-01-31`,
    )
  }
  if (observedAt === null) return null
  // A price that ends on a day holds all day; programs write the midnight of a day for the day.
  const isDay = !end.includes('T') || /T00:00(?!:\d*[1-9])/.test(end)
  const last = isDay ? to + DAY_MS : to
  if (observedAt >= from && observedAt < last) return null
  const dates = `valid ${start === '' ? '' : `from ${start} `}${end === '' ? '' : `to ${end}`}`.trim()
  return refusal('NOT_VALID_NOW', `${dates}, seen at ${new Date(observedAt).toISOString()}`)
}

/**
 * Reads a number as a plain decimal without redundant zeros, '0' for any zero; null for any other text. The format has
 * a point and no thousands. Some programs write a comma, which counts only when unambiguous.
 */
function numberOf(text: string): string | null {
  const plain = text.includes(',') ? readNumber(text) : text.replace(/^\./, '0.')
  const match = /^0*(\d{1,18})(?:\.(\d{1,18}))?$/.exec(plain ?? '')
  if (!match) return null
  const fraction = match[2]?.replace(/0+$/, '') ?? ''
  return fraction === '' ? (match[1] as string) : `${match[1]}.${fraction}`
}

/** A fraction whose denominator divides a power of ten, as a decimal. */
function decimalText({ n, d }: Rational): string {
  let places = 0
  for (let power = 1n; power % d !== 0n; power *= 10n) places++
  const digits = String((n * 10n ** BigInt(places)) / d).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function unreadable(what: string, written: string): Refusal {
  return refusal('BAD_PRICE', `${what} '${written.slice(0, 40)}': expected a number above zero such as 12.50`)
}

function refusal(reason: string, detail: string): Refusal {
  return { reason, detail }
}
