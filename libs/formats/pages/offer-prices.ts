import { exponentOf, parsePrice, priceWithoutDecimals, withoutFloatError } from '@catalog/core/money/money.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { parseDate } from '@catalog/formats/mapping/dates.ts'
import { isPeriod, unitPriceOf } from '@catalog/formats/vocabulary/unit-price.ts'
import { isA, localName, type Thing, type ThingIndex, textOf, textsOf } from './schema-org.ts'

/** The price of an offer in the terms of our records; a blank field is unknown. */
export type OfferPrice = Readonly<{
  /** As the page writes it. */
  price: string
  /** Whether it is a number of the format: a decimal point, and no thousands. */
  isExact: boolean
  currency: string
  tax_included: 'true' | 'false' | ''
  min_quantity: string
  unit: string
  per_quantity: string
  pack_quantity: string
  pack_unit: string
}>
export type NoPrice = Readonly<{ reason: string; detail: string }>

export type PriceContext = Readonly<{
  index: ThingIndex
  /** Currency of an offer without one, when its price shows none. */
  currency: string
  /** The instant for which prices must be valid. */
  at: Date
  /** Products of the offer; they give its condition when the offer does not. */
  products: readonly Thing[]
}>

/**
 * The prices of one offer: its own, and one for each further quantity of its specifications. Excluded are recommended
 * and struck-through prices, and prices for members, delivery, payment and recurring periods.
 *
 * When the offer has a price, a specification of the same price adds tax and quantity to it. Another one without a
 * quantity is derived from it (the price per kilogram that the law demands) and is skipped.
 *
 * Refusals: NO_PRICE, BAD_PRICE (decimals of a currency that has none), NO_CURRENCY, NOT_A_SALE (rented, wanted),
 * MEMBERS_ONLY (for members of a programme), NOT_NEW (used, refurbished, damaged), NOT_YET_VALID, EXPIRED, AMBIGUOUS_OFFER (several prices for one quantity).
 */
export function pricesOf(offer: Thing, context: PriceContext): readonly (OfferPrice | NoPrice)[] {
  if (isForMembers(offer)) {
    return [
      { reason: 'MEMBERS_ONLY', detail: 'the offer holds for members of a programme: expected a price for everybody' },
    ]
  }
  const refusal = saleProblem(offer, context.products) ?? validityProblem(offer, context.at)
  if (refusal !== null) return [refusal]
  const all = context.index.thingsOf(offer, 'priceSpecification').slice(0, SPECIFICATIONS_MAX)
  const specifications = all.filter((one) => !isA(one, CHARGES) && !isForMembers(one) && !isRecurring(one))
  const priced = specifications.filter((one) => textOf(one, 'price') !== '')
  // A specification may hold only "without value added tax", with the price in the offer.
  const telling = specifications.filter((one) => textOf(one, 'price') === '')
  const current = priced.filter((one) => validityProblem(one, context.at) === null && !isReferencePrice(one))
  const own = textOf(offer, 'price')
  if (own === '' && current.length === 0) {
    const recurring = all.find(isForPeriod)
    if (priced.length === 0 && recurring !== undefined) {
      const unit = textOf(recurring, 'unitText', 'unitCode')
      return [{ reason: 'NOT_A_SALE', detail: `the price is per ${unit.slice(0, 40)}: expected goods that are sold` }]
    }
    const outdated = priced.map((one) => validityProblem(one, context.at)).find((one) => one !== null)
    const detail = 'the offer has no price, and no specification has a current one'
    return [outdated ?? { reason: 'NO_PRICE', detail }]
  }
  const written = textsOf(offer, 'price')
  if (new Set(written.map((price) => amountOf(price, isExactPrice(offer, price)))).size > 1) return [ambiguous(written)]
  const same = own === '' ? undefined : current.find((one) => amountIn(one) === amountIn(offer))
  const sale = own === '' ? undefined : current.find((one) => isOfType(one, SALE) && amountIn(one) !== amountIn(offer))
  if (sale !== undefined) return [ambiguous([own, textOf(sale, 'price')])]
  const ofOffer = own === '' ? [] : [priceOf(same === undefined ? [offer, ...telling] : [same, offer], context)]
  const read = [...ofOffer, ...current.filter((one) => one !== same).map((one) => priceOf([one, offer], context))]
  const chosen = new Map<string, OfferPrice>()
  for (const price of read) {
    if ('reason' in price) continue
    const known = chosen.get(price.min_quantity)
    if (known === undefined) chosen.set(price.min_quantity, price)
    else if (own === '' && isUnitPrice(known) && !isUnitPrice(price)) chosen.set(price.min_quantity, price)
    else if (own === '' && isUnitPrice(known) === isUnitPrice(price) && contradict(known, price)) {
      return [ambiguous([known.price, price.price])]
    }
  }
  return chosen.size > 0 ? [...chosen.values()] : read.slice(0, 1)
}

/**
 * Whether two prices differ in amount at equal tax and currency. With and without tax they are one price; of two
 * currencies the first one counts.
 */
function contradict(one: OfferPrice, other: OfferPrice): boolean {
  if (one.tax_included !== other.tax_included || one.currency !== other.currency) return false
  return amountOf(one.price, one.isExact) !== amountOf(other.price, other.isExact)
}

function ambiguous(prices: readonly string[]): NoPrice {
  const shown = prices.slice(0, 3).join(', ').slice(0, 200)
  return { reason: 'AMBIGUOUS_OFFER', detail: `several prices of one offer: ${shown}; expected one` }
}

/** Specifications read of one offer; quantity tiers are a dozen. */
const SPECIFICATIONS_MAX = 200
const CHARGES: ReadonlySet<string> = new Set(['DeliveryChargeSpecification', 'PaymentChargeSpecification'])
/** Price types of reference prices, which the shop does not ask. */
const REFERENCE_PRICE_TYPES: ReadonlySet<string> = new Set(
  'ListPrice SRP MSRP StrikethroughPrice RegularPrice MinimumAdvertisedPrice'.split(' '),
)
const NOT_NEW: ReadonlySet<string> = new Set(['UsedCondition', 'RefurbishedCondition', 'DamagedCondition'])

const SALE: ReadonlySet<string> = new Set(['SalePrice'])

function isReferencePrice(specification: Thing): boolean {
  return isOfType(specification, REFERENCE_PRICE_TYPES)
}

function isOfType(specification: Thing, types: ReadonlySet<string>): boolean {
  return types.has(localName(textOf(specification, 'priceType')) || idOf(specification, 'priceType'))
}

function isForMembers(specification: Thing): boolean {
  return (specification.properties.validForMemberTier ?? []).length > 0
}

/** One of several payments, or a rental price for a period. */
function isRecurring(specification: Thing): boolean {
  return textOf(specification, 'billingDuration') !== '' || isForPeriod(specification)
}

/** The price of a rent. */
function isForPeriod(specification: Thing): boolean {
  return PERIODS.has(textOf(specification, 'unitCode')) || isPeriod(textOf(specification, 'unitText'))
}
/** Days, weeks, months and years of UN/ECE. An hour is a unit of work. */
const PERIODS: ReadonlySet<string> = new Set(['DAY', 'WEE', 'MON', 'ANN'])

function isUnitPrice(price: OfferPrice | NoPrice | undefined): boolean {
  return price !== undefined && 'price' in price && price.unit !== ''
}

function saleProblem(offer: Thing, products: readonly Thing[]): NoPrice | null {
  const business = localName(textOf(offer, 'businessFunction')) || idOf(offer, 'businessFunction')
  if (business !== '' && !/^sell$/i.test(business)) {
    return { reason: 'NOT_A_SALE', detail: `business function '${business.slice(0, 40)}': expected Sell` }
  }
  const conditionOf = (thing: Thing) => localName(textOf(thing, 'itemCondition')) || idOf(thing, 'itemCondition')
  const condition = [offer, ...products].map(conditionOf).find((text) => text !== '') ?? ''
  if (!NOT_NEW.has(condition)) return null
  return { reason: 'NOT_NEW', detail: `condition '${condition}': expected NewCondition` }
}

/** The member of an enumeration that is written as a reference: `{"@id": "https://schema.org/UsedCondition"}`. */
function idOf(thing: Thing, property: string): string {
  const [value] = thing.properties[property] ?? []
  return typeof value === 'object' && 'id' in value ? localName(value.id ?? '') : ''
}

/**
 * Why a price does not hold at an instant; null when it does. Unreadable dates limit nothing, and a last day counts
 * whole.
 */
function validityProblem(thing: Thing, at: Date): NoPrice | null {
  const from = textOf(thing, 'validFrom')
  const through = textOf(thing, 'validThrough', 'priceValidUntil')
  const begin = parseDate(from, { order: 'ymd' })
  if (begin !== null && begin > at) {
    return { reason: 'NOT_YET_VALID', detail: `the price is valid from ${from}, read at ${at.toISOString()}` }
  }
  const end = parseDate(through, { order: 'ymd' })
  const isWholeDay = !/:/.test(through)
  if (end !== null && end.getTime() + (isWholeDay ? DAY_MS : 0) < at.getTime()) {
    return { reason: 'EXPIRED', detail: `the price was valid until ${through}, read at ${at.toISOString()}` }
  }
  return null
}

/** The price of the first thing that has one; the other things complete it. */
function priceOf(things: readonly Thing[], { index, currency }: PriceContext): OfferPrice | NoPrice {
  const first = (property: string) => things.map((thing) => textOf(thing, property)).find((text) => text !== '') ?? ''
  const priced = things.find((thing) => textOf(thing, 'price') !== '') as Thing
  const written = textOf(priced, 'price')
  const perUnit = unitPriceOf(written)
  const price = perUnit?.price ?? written
  const named = first('priceCurrency') || (parsePrice(price)?.currency ?? currency)
  if (named === '') {
    return {
      reason: 'NO_CURRENCY',
      detail: `'${price.slice(0, 80)}': the offer names no currency, expected priceCurrency, or currency of the source`,
    }
  }
  const isExact = perUnit === null ? isExactPrice(priced, price) : EXACT.test(price)
  const plain = plainPriceOf(price, { isExact, currency: named })
  if (plain === null) {
    const detail = `'${price.slice(0, 80)}': ${named.slice(0, 40)} is written without decimals, so these may be thousands`
    return { reason: 'BAD_PRICE', detail }
  }
  const inner = (property: string) => things.flatMap((thing) => index.thingsOf(thing, property))[0]
  const eligible = inner('eligibleQuantity')
  const reference = inner('referenceQuantity')
  // A price for two square metres, or for one at an order of two: shops write both so.
  const ordered = eligible && textOf(eligible, 'value')
  if (eligible && reference === undefined && minimumOf(ordered ?? '') !== '' && unitOf(eligible) !== '') {
    const detail = `${price.slice(0, 40)} with an eligible quantity of ${ordered} ${unitOf(eligible).slice(0, 40)}: expected referenceQuantity for a price of so much, or minValue for an order`
    return { reason: 'AMBIGUOUS_OFFER', detail }
  }
  const included = localName(first('valueAddedTaxIncluded')).toLowerCase()
  return {
    ...plain,
    currency: named,
    tax_included: included === 'true' || included === 'false' ? included : '',
    min_quantity: minimumOf(eligible ? textOf(eligible, 'minValue', 'value') : first('eligibleQuantity')),
    ...quantitiesOf({ reference, eligible, specified: unitOf(priced) || (perUnit?.unit ?? '') }, index),
  }
}

/**
 * The price as written, apart from float debris, and without thousands in a currency without decimals. Null when
 * ambiguous.
 */
function plainPriceOf(
  price: string,
  { isExact, currency }: Readonly<{ isExact: boolean; currency: string }>,
): Readonly<{ price: string; isExact: boolean }> | null {
  const clean = isExact ? withoutFloatError(price) : price
  if (clean !== price || (exponentOf(currency) !== 0 && !DECIMALS_UNUSED.has(currency)))
    return { price: clean, isExact }
  const meant = priceWithoutDecimals(price, { exact: isExact })
  if (meant === null) return null
  return meant === undefined ? { price, isExact } : { price: meant, isExact: true }
}
/** Currencies whose cents exist only on paper. */
const DECIMALS_UNUSED: ReadonlySet<string> = new Set(['COP', 'IDR'])

function minimumOf(text: string): string {
  return /^\d{1,18}([.,]\d{1,18})?$/.test(text) && Number(text.replace(',', '.')) > 1 ? text : ''
}

/** `specified` is the unit that the price specification itself names. */
type Quantities = Readonly<{ reference: Thing | undefined; eligible: Thing | undefined; specified: string }>

/**
 * The quantity that the price is for. A whole number of units is the base of the price ("for 100 pieces"). Any other
 * amount, and one that refers to a further base ("4.5 ml, shown per 100 ml"), is the contents of one article.
 */
function quantitiesOf({ reference, eligible, specified }: Quantities, index: ThingIndex) {
  const blank = { unit: '', per_quantity: '', pack_quantity: '', pack_unit: '' }
  if (reference === undefined) return { ...blank, unit: (eligible === undefined ? '' : unitOf(eligible)) || specified }
  const value = textOf(reference, 'value') || '1'
  const unit = unitOf(reference)
  const isContent = index.thingsOf(reference, 'valueReference').length > 0 || !/^\d{1,15}(\.0+)?$/.test(value)
  if (isContent) return { ...blank, pack_quantity: value, pack_unit: unit }
  const whole = value.replace(/\.0+$/, '')
  return { ...blank, unit, per_quantity: whole === '1' ? '' : whole }
}

function unitOf(quantity: Thing): string {
  return textOf(quantity, 'unitText', 'unitCode')
}

/** Whether a price is a JSON number, or a text that the standard's point makes unambiguous: "1.234" may mean 1234. */
function isExactPrice(thing: Thing, price: string): boolean {
  const isText = (thing.properties.price ?? []).some((value) => typeof value === 'string' && value.trim() === price)
  return !isText || EXACT.test(price)
}
const EXACT = /^(\d+|\d+\.\d{1,2}|\d{4,}\.\d+|\d+\.\d{4,}|0\.\d+)$/

/** The amount in a comparable form: "12.50", "12,5 €" and 12.5 are equal. */
function amountIn(thing: Thing): string {
  const price = textOf(thing, 'price')
  return amountOf(price, isExactPrice(thing, price))
}

export function amountOf(price: string, isExact: boolean): string {
  const decimal = isExact ? price : (parsePrice(price)?.decimal ?? price)
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}

/** Whether the highest price of an aggregate is another than its lowest, whatever number of offers it counts. */
export function isPriceRange(aggregate: Thing): boolean {
  const [low, high] = [textOf(aggregate, 'lowPrice', 'price'), textOf(aggregate, 'highPrice')]
  return low !== '' && high !== '' && low !== high && Number(low) !== Number(high)
}
