import { flagAt, isObject, localText, objectsAt, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { stock } from '@catalog/formats/shops/products/shop-record.ts'

/** Tiendanube and Nuvemshop: texts stand once for each language. */
export const tiendanube = platform({
  system: 'tiendanube',
  isProduct: (object) =>
    isObject(object.name) &&
    isObject(object.handle) &&
    Array.isArray(object.variants) &&
    objectsAt(object, 'variants').some(
      (one) => 'promotional_price' in one || 'stock_management' in one || 'values' in one,
    ),
  options: (variant) => objectsAt(variant, 'values').map((one) => localText({ one }, 'one')),
  shared: {
    url: (product) => textAt(product, 'canonical_url') || localText(product, 'urls'),
  },
  own: {
    availability(sold) {
      const quantity = textAt(sold, 'stock')
      const isManaged = flagAt(sold, 'stock_management')
      if (isManaged === false || (quantity === '' && isManaged === undefined)) return ''
      return stock(quantity === '' || Number(quantity) > 0)
    },
  },
})
