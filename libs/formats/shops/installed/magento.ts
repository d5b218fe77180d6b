import {
  flagAt,
  isObject,
  type JsonObject,
  objectsAt,
  plainText,
  textAt,
  valueAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { dayOf, saleOrOwn } from '@catalog/formats/shops/products/sales.ts'
import {
  differ,
  isZero,
  type NoPrice,
  notOffered,
  rangeOf,
  stock,
} from '@catalog/formats/shops/products/shop-record.ts'

const PARENTS = /^(configurable|bundle|grouped|complex)/i

/**
 * Magento and Adobe Commerce: GraphQL, Live Search and REST. A configurable product gives its variants; without them its price
 * is the lowest of theirs, and refused.
 */
export const magento = platform({
  system: 'magento',
  isProduct: (object) =>
    valueAt(object, 'price_range.minimum_price') !== undefined ||
    valueAt(object, 'price.regularPrice.amount') !== undefined ||
    valueAt(object, 'price.minimalPrice.amount') !== undefined ||
    /^(Simple|Complex)ProductView$/.test(plainText(object.__typename)) ||
    ('type_id' in object && 'sku' in object && ('attribute_set_id' in object || 'custom_attributes' in object)),
  variants: (product) =>
    objectsAt(product, 'variants').flatMap(({ product: inner, attributes }) =>
      isObject(inner) ? [{ ...inner, attributes }] : [],
    ),
  refusalAlone(product) {
    const low = finalPrice(product)
    const high = textAt(product, 'price_range.maximum_price.final_price.value', 'priceRange.maximum.final.amount.value')
    if (!PARENTS.test(textAt(product, '__typename', 'type_id')) && !differ(low, high)) return null
    return rangeOf(low, high, 'expected its variants: ask for variants { product { sku name price_range } }')
  },
  price: (sold, { context }) => askedPrice(sold, context.at),
  options: (variant) => objectsAt(variant, 'attributes').map((one) => textAt(one, 'label', 'value_index')),
  shared: {
    url(product) {
      const key = textAt(product, 'url_key')
      return key && `/${key}${textAt(product, 'url_suffix')}`
    },
  },
  own: {
    gtin: (sold) => textAt(sold, 'gtin', 'ean', 'barcode') || customOf(sold, 'ean', 'gtin', 'barcode', 'upc'),
    mpn: (sold) => textAt(sold, 'mpn') || customOf(sold, 'mpn'),
    availability(sold) {
      const status = textAt(sold, 'stock_status')
      return status === ''
        ? stock(flagAt(sold, 'inStock', 'in_stock', 'extension_attributes.stock_item.is_in_stock'))
        : stock(status === 'IN_STOCK')
    },
  },
})

/** A custom attribute of REST. */
function customOf(product: JsonObject, ...codes: readonly string[]): string {
  const found = objectsAt(product, 'custom_attributes').find((one) => codes.includes(textAt(one, 'attribute_code')))
  return textAt(found, 'value')
}

/** The price after discounts; '' for none. */
function finalPrice(product: JsonObject): string {
  const price = textAt(
    product,
    'price_range.minimum_price.final_price.value',
    'price_range.minimum_price.regular_price.value',
    'price.minimalPrice.amount.value',
    'price.regularPrice.amount.value',
    'price.final.amount.value',
    'priceRange.minimum.final.amount.value',
    'price',
  )
  return isZero(price) ? '' : price
}

/**
 * The price that the shop asks at an instant. REST, and GraphQL before `price_range`, give the price and beside it a special
 * price, which holds from one day to another, both included, where it is lower.
 */
function askedPrice(product: JsonObject, at: Date | null): string | NoPrice {
  // 1 is enabled, 2 disabled.
  if (textAt(product, 'status') === '2') return notOffered('disabled')
  const own = finalPrice(product)
  const isFinal = FINALS.some((path) => valueAt(product, path) !== undefined)
  const special = specialOf(product, 'special_price')
  if (isFinal || isZero(special) || (!isZero(own) && Number(special) >= Number(own))) return own
  const [start, end] = [specialOf(product, 'special_from_date'), specialOf(product, 'special_to_date')].map(dayOf)
  return saleOrOwn({ sale: special, own, period: { start: start ?? '', end: end ?? '' } }, at)
}
/** Prices with the discount in them. */
const FINALS = ['price_range', 'price.minimalPrice', 'price.final', 'priceRange'] as const

const specialOf = (product: JsonObject, name: string) => textAt(product, name) || customOf(product, name)
