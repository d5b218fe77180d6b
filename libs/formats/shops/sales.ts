import { isWithin, type Period, periodOf } from '@catalog/formats/mapping/dates.ts'
import { type JsonObject, plainText, textAt } from './json-values.ts'
import { isZero } from './shop-shape.ts'

/** Sales that hold from one day to another; the day of the observation decides. */

export type NoSalePrice = Readonly<{ reason: string; detail: string }>

/** The price that a shop asks: its sale while that lasts, else its own price. Both may be blank or zero, which is none. */
export type Sale = Readonly<{ sale: string; own: string; period: Period | null }>

/**
 * The price of a product at an instant; '' for none. BAD_DATE: the dates of the sale are unreadable. NO_PRICE: the sale does
 * not hold, and no other price stands beside it. AMBIGUOUS_OFFER: the sale is above the price that it lowers.
 */
export function saleOrOwn({ sale, own, period }: Sale, at: Date | null): string | NoSalePrice {
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
