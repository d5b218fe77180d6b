import { flagAt, type JsonObject, objectsAt, textAt, valueAt } from './json-values.ts'
import {
  differ,
  namedWith,
  notSold,
  ofMinorUnits,
  priceOf,
  rangeOf,
  type ShopContext,
  type ShopRecord,
  type ShopShape,
  stock,
} from './shop-shape.ts'

/**
 * Products of WooCommerce: the Store API, whose prices are minor units, and REST v3. A variable product has the lowest
 * price of its variations, so it is refused; its variations are products of type `variation`.
 */
export const woocommerce: ShopShape = {
  system: 'woocommerce',
  isProduct: (object) => valueAt(object, 'prices.currency_minor_unit') !== undefined || isOfRest(object),
  recordsOf: (product, context) => [recordOf(product, context)],
}

const isOfRest = (object: JsonObject) =>
  'permalink' in object && 'regular_price' in object && ('stock_status' in object || 'in_stock' in object)

/** Types of the extensions for bookings, subscriptions, rentals, courses and events. */
const NOT_SOLD = /book|subscription|rent|course|event|ticket|auction|membership|gift|donation|appointment/i
const VARIABLE = 'expected its variations, as of ?type=variation'

function recordOf(product: JsonObject, context: ShopContext): ShopRecord {
  const type = textAt(product, 'type')
  const ref = textAt(product, 'sku') || textAt(product, 'id')
  const [low, high] = [
    amountAt(product, 'prices.price_range.min_amount'),
    amountAt(product, 'prices.price_range.max_amount'),
  ]
  const price = isOfRest(product) ? restPrice(product) : amountAt(product, 'prices.price')
  if (NOT_SOLD.test(type)) return notSold(ref, type)
  const hasVariations = /^(variable|grouped|bundle|composite)/.test(type)
  if (differ(low, high) || (hasVariations && (low === '' || type !== 'variable'))) {
    return rangeOf(ref, low || price, high, VARIABLE)
  }
  const inStock = flagAt(product, 'is_in_stock', 'in_stock')
  const backorder = flagAt(product, 'is_on_backorder') === true || textAt(product, 'stock_status') === 'onbackorder'
  const written = textAt(product, 'stock_status')
  return priceOf(
    {
      ref,
      name: type === 'variation' ? namedWith(textAt(product, 'name'), [variationOf(product)]) : textAt(product, 'name'),
      price,
      currency: textAt(product, 'prices.currency_code', 'currency'),
      brand: textAt(objectsAt(product, 'brands')[0], 'name'),
      category: textAt(objectsAt(product, 'categories')[0], 'name'),
      description: textAt(product, 'short_description', 'description'),
      gtin: textAt(product, 'global_unique_id', 'gtin'),
      availability: backorder ? 'BackOrder' : stock(inStock ?? (written === '' ? undefined : written === 'instock')),
      url: textAt(product, 'permalink'),
    },
    context,
  )
}

/** "Colour: Red, Size: L", which the name of a variation may hold already. */
function variationOf(product: JsonObject): string {
  const written = textAt(product, 'variation')
  if (written !== '') return written
  return objectsAt(product, 'attributes')
    .map((one) => textAt(one, 'option', 'value'))
    .filter(Boolean)
    .join(', ')
}

function restPrice(product: JsonObject): string {
  return textAt(product, 'price', 'sale_price', 'regular_price')
}

/** An amount of the Store API as a decimal. */
function amountAt(product: JsonObject, path: string): string {
  return ofMinorUnits(textAt(product, path), Number(textAt(product, 'prices.currency_minor_unit') || '2'))
}
