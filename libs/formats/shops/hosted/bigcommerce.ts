import { flagAt, isObject, type JsonObject, objectsAt, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { isCounted, platform } from '@catalog/formats/shops/products/platform.ts'
import { differ, isZero, rangeOf, stock } from '@catalog/formats/shops/products/shop-record.ts'

const priceIn = (sold: JsonObject) =>
  textAt(sold, 'prices.salePrice.value', 'prices.price.value', 'calculated_price', 'price')

const optionsOf = (variant: JsonObject) => [
  ...objectsAt(variant, 'option_values').map((one) => textAt(one, 'label')),
  ...objectsAt(variant, 'options').flatMap((one) => objectsAt(one, 'values').map((value) => textAt(value, 'label'))),
]

/** BigCommerce: REST v3, and the GraphQL Storefront API. */
export const bigcommerce = platform({
  system: 'bigcommerce',
  isProduct: (object) =>
    ('calculated_price' in object && 'sku' in object) ||
    ('entityId' in object && 'name' in object && isObject(object.prices)),
  variants(product) {
    const variants = objectsAt(product, 'variants')
    return variants.some((one) => priceIn(one) !== '') ? variants : []
  },
  refusalAlone(product) {
    const [low, high] = [textAt(product, 'prices.priceRange.min.value'), textAt(product, 'prices.priceRange.max.value')]
    if ('calculated_price' in product || !differ(low, high)) return null
    return rangeOf(low, high, 'expected its variants: ask for variants { edges }')
  },
  price(sold, { product }) {
    const price = priceIn(sold) || priceIn(product)
    return isZero(price) ? '' : price
  },
  options: optionsOf,
  own: {
    // A product without options has one variant, whose numbers stand with the product.
    gtin: (sold, { product }) =>
      [sold, ...(optionsOf(sold).length === 0 ? [product] : [])]
        .map((one) => textAt(one, 'gtin', 'upc', 'ean'))
        .find(Boolean) ?? '',
    availability: (sold, { product }) => availabilityOf(sold, product),
  },
})

function availabilityOf(sold: JsonObject, product: JsonObject): string {
  const written = textAt(product, 'availabilityV2.status', 'availability').toLowerCase()
  if (written === 'preorder') return 'PreOrder'
  if (written === 'disabled' || written === 'unavailable') return 'OutOfStock'
  const isTracked = 'inventory_tracking' in product && textAt(product, 'inventory_tracking') !== 'none'
  const inStock =
    flagAt(sold, 'inventory.isInStock', 'isPurchasable') ?? (isTracked ? isCounted(sold, 'inventory_level') : undefined)
  return stock(inStock ?? (written === 'available' ? true : undefined))
}
