import { flagAt, isObject, objectsAt, textAt, valueAt } from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { differ, rangeOf } from '@catalog/formats/shops/products/shop-record.ts'

const hasCurrency = (price: unknown) => isObject(price) && 'currencyIso' in price

/** SAP Commerce (OCC): lists, details with their variants, and tiers of volume prices. */
export const sapCommerce = platform({
  system: 'sap-commerce',
  isProduct: (object) =>
    'code' in object &&
    (hasCurrency(object.price) ||
      hasCurrency(valueAt(object, 'priceRange.minPrice')) ||
      (Array.isArray(object.variantOptions) && 'name' in object)),
  refusalAlone(product) {
    const price = textAt(product, 'price.value')
    const [low, high] = [textAt(product, 'priceRange.minPrice.value'), textAt(product, 'priceRange.maxPrice.value')]
    if (differ(low, high) || (flagAt(product, 'multidimensional') === true && price === '')) {
      return rangeOf(low, high, 'expected its variants: ask for fields=variantOptions(FULL)')
    }
    return /^FROM$/i.test(textAt(product, 'price.priceType')) ? rangeOf(price, '', 'expected its variants') : null
  },
  options: (variant) => objectsAt(variant, 'variantOptionQualifiers').map((one) => textAt(one, 'value')),
  own: {
    availability(sold, { product }) {
      const { stock } = 'stock' in sold ? sold : product
      const level = textAt({ stock }, 'stock.stockLevelStatus', 'stock.stockLevelStatus.code')
      return /low/i.test(level) ? 'LimitedAvailability' : level
    },
  },
})
