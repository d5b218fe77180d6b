import {
  flagAt,
  isObject,
  type JsonObject,
  objectsAt,
  plainText,
  textAt,
  valueAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { isCounted, platform } from '@catalog/formats/shops/products/platform.ts'
import { hundredths, isZero, notSoldAs, stock } from '@catalog/formats/shops/products/shop-record.ts'

const variantsOf = (product: JsonObject) =>
  objectsAt(product, 'structuredContent.variants', 'variants').filter(
    (one) => 'priceMoney' in one || 'pricing' in one || ('price' in one && 'onSale' in one),
  )

/** Squarespace: a page as JSON, whose prices are also in cents, and the Commerce API. */
export const squarespace = platform({
  system: 'squarespace',
  isProduct: (object) =>
    ('urlId' in object &&
      ('structuredContent' in object || 'productType' in object) &&
      variantsOf(object).length > 0) ||
    (Array.isArray(object.variants) &&
      objectsAt(object, 'variants').some((one) => valueAt(one, 'pricing.basePrice') !== undefined)),
  refusal(product) {
    // 1 is a physical product, 2 a download, 3 a service, 4 a gift card.
    const kind = textAt(product, 'structuredContent.productType', 'productType', 'type')
    return notSoldAs(kind === '3' ? 'service' : kind === '4' ? 'gift card' : kind, /service|gift/i)
  },
  variants: variantsOf,
  ref: (product) => textAt(variantsOf(product)[0], 'sku', 'id') || textAt(product, 'id', 'urlId'),
  id: (variant, { product }) => textAt(variant, 'id') || textAt(product, 'id', 'urlId'),
  price(sold) {
    const isSale = flagAt(sold, 'onSale', 'pricing.onSale') === true
    const own = textAt(sold, 'priceMoney.value', 'pricing.basePrice.value') || hundredths(textAt(sold, 'price'))
    const sale =
      textAt(sold, 'salePriceMoney.value', 'pricing.salePrice.value') || hundredths(textAt(sold, 'salePrice'))
    return isSale && !isZero(sale) ? sale : own
  },
  options: ({ attributes }) => Object.values(isObject(attributes) ? attributes : {}).map(plainText),
  own: {
    availability: (sold) =>
      flagAt(sold, 'unlimited', 'stock.unlimited') === true
        ? stock(true)
        : stock(isCounted(sold, 'qtyInStock', 'stock.quantity')),
  },
})
