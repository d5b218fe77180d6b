import {
  flagAt,
  isObject,
  type JsonObject,
  objectsAt,
  textAt,
  valueAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { differ, rangeOf, stock } from '@catalog/formats/shops/products/shop-record.ts'

const isParent = (product: JsonObject) =>
  ['master', 'variation_group', 'variationGroup', 'set', 'bundle'].some(
    (type) => flagAt(product, `type.${type}`, `product_type.${type}`, `productType.${type}`) === true,
  )

/** Salesforce B2C Commerce: search hits and details of OCAPI (snake case) and SCAPI (camel case). */
export const salesforce = platform({
  system: 'salesforce-commerce',
  isProduct: (object) =>
    ('product_id' in object && ('product_name' in object || 'hit_type' in object)) ||
    ('productId' in object &&
      'productName' in object &&
      !('items' in object) &&
      ('price' in object || 'hitType' in object)) ||
    ('id' in object &&
      'name' in object &&
      ['item', 'master', 'variant', 'bundle', 'set'].some((type) => valueAt(object.type, type) !== undefined)),
  variants: (product) =>
    isParent(product) ? objectsAt(product, 'variants').filter((one) => textAt(one, 'price') !== '') : [],
  refusalAlone(product) {
    const [low, high] = [textAt(product, 'price'), textAt(product, 'price_max', 'priceMax')]
    const isGroup = /master|group|set/i.test(textAt(product, 'hit_type', 'hitType') || 'master')
    if (!differ(low, high) && !(isParent(product) && high === '' && isGroup)) return null
    return rangeOf(low, high, 'expected its variants: ask for expand=variations,prices')
  },
  options: (variant, product) =>
    Object.entries(valuesOf(variant)).map(([attribute, value]) => labelOf(product, attribute, value)),
  own: {
    name: (sold, { product }) => (sold === product ? '' : textAt(sold, 'name')),
    availability(sold) {
      const orderable = flagAt(sold, 'inventory.orderable', 'orderable')
      const isPreorder =
        flagAt(sold, 'inventory.preorderable') === true && flagAt(sold, 'inventory.in_stock_date') === undefined
      return isPreorder && orderable === true && textAt(sold, 'inventory.ats') === '0' ? 'PreOrder' : stock(orderable)
    },
  },
})

function valuesOf(variant: JsonObject): JsonObject {
  const values = valueAt(variant, 'variation_values') ?? valueAt(variant, 'variationValues')
  return isObject(values) ? values : {}
}

/** The name of a variation's value: the variants hold its code. */
function labelOf(product: JsonObject, attribute: string, value: unknown): string {
  const code = typeof value === 'string' ? value : ''
  const found = objectsAt(product, 'variation_attributes', 'variationAttributes')
    .filter((one) => textAt(one, 'id') === attribute)
    .flatMap((one) => objectsAt(one, 'values'))
    .find((one) => textAt(one, 'value') === code)
  return textAt(found, 'name') || code
}
