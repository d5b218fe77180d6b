import {
  flagAt,
  isObject,
  type JsonObject,
  objectsAt,
  textAt,
  valueAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { isCounted, platform } from '@catalog/formats/shops/products/platform.ts'
import { differ, isZero, rangeOf, stock } from '@catalog/formats/shops/products/shop-record.ts'

/** The price of a variant; of a product the lowest of its variants. */
const moneyOf = (sold: JsonObject) => valueAt(sold, 'pricing.price') ?? valueAt(sold, 'pricing.priceRange.start')

function amountIn(money: unknown): string {
  const price = textAt(money, 'gross.amount', 'net.amount')
  return isZero(price) ? '' : price
}

/** Saleor: every variant at its gross price, else at the net one. https://docs.saleor.io/api-reference/products */
export const saleor = platform({
  system: 'saleor',
  isProduct: (object) =>
    valueAt(object, 'pricing.priceRange') !== undefined ||
    objectsAt(object, 'variants').some((one) => isObject(valueAt(one, 'pricing.price'))),
  variants: (product) => objectsAt(product, 'variants').filter((one) => isObject(valueAt(one, 'pricing.price'))),
  refusalAlone(product) {
    const [low = '', high = ''] = ['start', 'stop'].map((end) =>
      amountIn(valueAt(product, `pricing.priceRange.${end}`)),
    )
    if (!differ(low, high) && !Array.isArray(product.variants) && high !== '') return null
    return rangeOf(low, high, 'expected its variants with pricing { price { gross } }')
  },
  price: (sold) => amountIn(moneyOf(sold)),
  options: (variant) => [textAt(variant, 'name')].filter((name) => name !== textAt(variant, 'sku')),
  own: {
    currency: (sold) => textAt(moneyOf(sold), 'gross.currency', 'net.currency', 'currency'),
    tax_included(sold) {
      const [gross, net] = ['gross.amount', 'net.amount'].map((path) => textAt(moneyOf(sold), path))
      return gross !== '' ? 'true' : net !== '' ? 'false' : ''
    },
    availability: (sold, { product }) =>
      sold === product ? '' : stock(isCounted(sold, 'quantityAvailable') ?? flagAt(product, 'isAvailable')),
  },
})
