import { flagAt, type JsonObject, objectsAt, textAt, valueAt } from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import {
  differ,
  namedWith,
  notSoldAs,
  ofMinorUnits,
  rangeOf,
  stock,
} from '@catalog/formats/shops/products/shop-record.ts'

const isOfRest = (object: JsonObject) =>
  'permalink' in object && 'regular_price' in object && ('stock_status' in object || 'in_stock' in object)

/** Types of the extensions for bookings, subscriptions, rentals, courses and events. */
const NOT_SOLD = /book|subscription|rent|course|event|ticket|auction|membership|gift|donation|appointment/i

/** An amount of the Store API as a decimal. */
const amountAt = (product: JsonObject, path: string) =>
  ofMinorUnits(textAt(product, path), Number(textAt(product, 'prices.currency_minor_unit') || '2'))

const priceIn = (product: JsonObject) =>
  isOfRest(product) ? textAt(product, 'price', 'sale_price', 'regular_price') : amountAt(product, 'prices.price')

/** "Colour: Red, Size: L", which the name of a variation may hold already. */
const optionsOf = (variation: JsonObject) =>
  textAt(variation, 'variation') ||
  objectsAt(variation, 'attributes')
    .map((one) => textAt(one, 'option', 'value'))
    .filter(Boolean)
    .join(', ')

/**
 * WooCommerce: the Store API, whose prices are minor units, and REST v3. A variable product has the lowest price of its
 * variations, so it is refused; its variations are products of type `variation`.
 */
export const woocommerce = platform({
  system: 'woocommerce',
  isProduct: (object) => valueAt(object, 'prices.currency_minor_unit') !== undefined || isOfRest(object),
  refusal(product) {
    const type = textAt(product, 'type')
    const [low = '', high = ''] = ['min', 'max'].map((end) => amountAt(product, `prices.price_range.${end}_amount`))
    const hasVariations = /^(variable|grouped|bundle|composite)/.test(type)
    const isRange = differ(low, high) || (hasVariations && (low === '' || type !== 'variable'))
    const range = isRange
      ? rangeOf(low || priceIn(product), high, 'expected its variations, as of ?type=variation')
      : null
    return notSoldAs(type, NOT_SOLD) ?? range
  },
  price: priceIn,
  own: {
    name: (product) =>
      namedWith(textAt(product, 'name'), textAt(product, 'type') === 'variation' ? [optionsOf(product)] : []),
    availability(product) {
      const status = textAt(product, 'stock_status')
      if (flagAt(product, 'is_on_backorder') === true || status === 'onbackorder') return 'BackOrder'
      return stock(flagAt(product, 'is_in_stock', 'in_stock') ?? (status === '' ? undefined : status === 'instock'))
    },
  },
})
