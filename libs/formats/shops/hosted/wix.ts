import {
  flagAt,
  isObject,
  type JsonObject,
  objectsAt,
  plainText,
  textAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { differ, notSoldAs, rangeOf, stock } from '@catalog/formats/shops/products/shop-record.ts'

const PRICES = [
  'variant.priceData.discountedPrice',
  'variant.priceData.price',
  'priceData.discountedPrice',
  'price.discountedPrice',
  'price.actualPrice.amount',
  'priceData.price',
  'price.price',
]
const lowest = (product: JsonObject) => textAt(product, 'actualPriceRange.minValue.amount', 'priceRange.minValue')

/** Wix Stores, of both versions of its catalog. */
export const wix = platform({
  system: 'wix',
  isProduct: (object) =>
    (('priceData' in object || isObject(object.price)) &&
      'slug' in object &&
      ('productType' in object || 'stock' in object)) ||
    ('actualPriceRange' in object && 'slug' in object),
  refusal: (product) => notSoldAs(textAt(product, 'productType'), /service|booking|course|gift/i),
  variants(product) {
    const priced = objectsAt(product, 'variantsInfo.variants', 'variants').filter(
      (one) => textAt(one, ...PRICES) !== '',
    )
    return priced.length > 1 || flagAt(product, 'manageVariants') !== false ? priced : []
  },
  refusalAlone(product) {
    const high = textAt(product, 'actualPriceRange.maxValue.amount', 'priceRange.maxValue')
    return differ(lowest(product), high) ? rangeOf(lowest(product), high, 'expected its variants') : null
  },
  price: (sold) => textAt(sold, ...PRICES) || lowest(sold),
  options: (variant) =>
    Array.isArray(variant.choices)
      ? objectsAt(variant, 'choices').map((one) => textAt(one, 'optionChoiceNames.choiceName', 'choiceName', 'value'))
      : Object.values(isObject(variant.choices) ? variant.choices : {}).map(plainText),
  shared: {
    availability: (product) =>
      stock(flagAt(product, 'stock.inStock', 'inventory.inStock')) ||
      textAt(product, 'stock.inventoryStatus', 'inventory.availabilityStatus'),
    url(product) {
      const base = textAt(product, 'productPageUrl.base').replace(/\/$/, '')
      const path = textAt(product, 'productPageUrl.path', 'url.relativePath')
      return textAt(product, 'url.url') || (path === '' ? '' : `${base}${path}`)
    },
  },
})
