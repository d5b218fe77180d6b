import { parsePrice } from '@catalog/core/money/money.ts'
import { setOf } from '@catalog/formats/headings/heading-vocabulary.ts'
import { isWithin, type Period, periodOf } from '@catalog/formats/mapping/dates.ts'
import { isObject, type JsonObject, plainText, textAt } from './json-values.ts'
import { isZero, type NoPrice } from './shop-record.ts'

/**
 * Prices beside the price: sales that hold from one day to another, as of the day of the observation, and others that make
 * the price doubtful.
 */

/** The price that a shop asks: its sale while that lasts, else its own price. Both may be blank or zero, which is none. */
export type Sale = Readonly<{ sale: string; own: string; period: Period | null }>

/**
 * The price of a product at an instant; '' for none. BAD_DATE: the dates of the sale are unreadable. NO_PRICE: the sale does
 * not hold, and no other price stands beside it. AMBIGUOUS_OFFER: the sale is above the price that it lowers.
 */
export function saleOrOwn({ sale, own, period }: Sale, at: Date | null): string | NoPrice {
  if (isZero(sale)) return isZero(own) ? '' : own
  const lasts = period && isWithin(period, at)
  if (lasts === null) return { reason: 'BAD_DATE', detail: 'the dates of the sale: expected a start and an end' }
  if (!lasts) {
    const detail = `the sale at ${sale.slice(0, 40)} does not hold on the day of the observation, and no other price stands beside it`
    return isZero(own) ? { reason: 'NO_PRICE', detail } : own
  }
  if (!isZero(own) && Number(sale) > Number(own)) {
    const detail = `a sale at ${sale.slice(0, 40)} above the price ${own.slice(0, 40)}: expected one price`
    return { reason: 'AMBIGUOUS_OFFER', detail }
  }
  return sale
}

/** sale_price_dates_from, special_from_date, date_on_sale_from, saleStart ... */
const OF_SALE = '^(?:date_on_)?(?:sale|special|promo|promotion|discount|offer)(?:_price)?(?:_dates?)?_'
const FROM = new RegExp(`${OF_SALE}(?:from|starts?|begins?|valid_from)(?:_date|_at|_on|_time)?$`)
const TO = new RegExp(`${OF_SALE}(?:to|ends?|until|till|expires|valid_to|valid_until)(?:_date|_at|_on|_time)?$`)

/**
 * The period of a product's sale: `sale_price_effective_date` of merchant feeds, else the dates by which Magento
 * (`special_from_date`), WooCommerce (`date_on_sale_from`) and others bound it. Open without any; null when unreadable.
 */
export function salePeriodOf(product: JsonObject): Period | null {
  const effective = textAt(product, 'sale_price_effective_date', 'salePriceEffectiveDate')
  if (effective !== '') return periodOf(effective)
  let period: Period = { start: '', end: '' }
  for (const [key, value] of Object.entries(product)) {
    const name = key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
    if (FROM.test(name)) period = { ...period, start: period.start || dayOf(plainText(value)) }
    else if (TO.test(name)) period = { ...period, end: period.end || dayOf(plainText(value)) }
  }
  return period
}

/** A midnight stands for its whole day, and ten digits are seconds since 1970. */
export function dayOf(text: string): string {
  if (isZero(text.replaceAll(/[-:T]/g, ''))) return ''
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000).toISOString()
  return text.replace(/[T ]00:00(?::00(?:\.0+)?)?(?:Z|\+00:?00)?$/i, '')
}

/** Names of a price after a discount, which no platform defines: some hold the discount itself, or a price for some. */
const DISCOUNTS = setOf('offer_prices')
/** Names of the price as people see it. */
const SHOWN = setOf('shown_prices')
/** Names remembered; beyond the limit only speed suffers. */
const NAMES_MAX = 10_000
type Kind = 'discount' | 'shown' | null
const kinds = new Map<string, Kind>()

/** "discountedPrice" and "Discounted price" are one name. */
function kindOf(column: string): Kind {
  const known = kinds.get(column)
  if (known !== undefined) return known
  const name = column
    .slice(column.lastIndexOf('.') + 1)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
  const kind = DISCOUNTS.has(name) ? 'discount' : SHOWN.has(name) ? 'shown' : null
  if (kinds.size < NAMES_MAX) kinds.set(column, kind)
  return kind
}

/**
 * Why the price in `column` is doubtful; null when nothing beside it speaks against it. AMBIGUOUS_OFFER: another column
 * has a lower price, by a name that may be the price after a discount. OFFER_CONFLICT: the text for people says another
 * amount, as "€120.50" beside 12050.
 */
export function conflictBeside(fields: Readonly<Record<string, string>>, column: string): NoPrice | null {
  const price = amountsIn(fields[column] ?? '')[0]
  if (price === undefined) return null
  const parent = column.slice(0, Math.max(0, column.lastIndexOf('.')))
  for (const key in fields) {
    const kind = kindOf(key)
    if (kind === null || key === column) continue
    const own = key.slice(0, Math.max(0, key.lastIndexOf('.')))
    if (own !== '' && own !== parent) continue
    const written = (fields[key] ?? '').slice(0, 40)
    const pair = `${column} is ${(fields[column] ?? '').slice(0, 40)}, and ${key} ${written}`
    const amounts = amountsIn(written)
    if (kind === 'discount' && amounts.some((amount) => isLower(amount, price))) {
      return {
        reason: 'AMBIGUOUS_OFFER',
        detail: `${pair}: expected a mapping that names the price that the shop asks`,
      }
    }
    if (kind === 'shown' && amounts.length > 0 && !amounts.some((amount) => agree(amount, price))) {
      return { reason: 'OFFER_CONFLICT', detail: `${pair}: expected the same amount` }
    }
  }
  return null
}

/** The amounts that a text may mean: both readings of an open decimal mark. */
function amountsIn(text: string): readonly string[] {
  if (!/\d/.test(text)) return []
  const settled = parsePrice(text)
  if (settled !== null) return [settled.decimal]
  const readings = [parsePrice(text, { decimal: '.' }), parsePrice(text, { decimal: ',' })]
  return readings.flatMap((reading) => (reading === null ? [] : [reading.decimal]))
}

/** Zero is no price, and one is a flag. */
const isLower = (amount: string, price: string) =>
  Number(amount) > 0 && amount !== '1' && Number(amount) < Number(price)

/** Whether a text for people rounds the price, at most. */
function agree(shown: string, price: string): boolean {
  const places = /\.(\d+)$/.exec(shown)?.[1]?.length ?? 0
  return Math.abs(Number(shown) - Number(price)) < 10 ** -places
}

/** The texts of an object and of the objects in it, by path, as the columns of a list have them. */
export function fieldsOf(object: JsonObject): Readonly<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  for (const [key, value] of Object.entries(object)) {
    if (!isObject(value)) fields[key] = plainText(value)
    else for (const [inner, one] of Object.entries(value)) fields[`${key}.${inner}`] = plainText(one)
  }
  return fields
}
