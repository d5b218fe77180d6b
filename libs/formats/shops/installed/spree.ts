import { isObject, objectsAt, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { namedWith, rangeOf } from '@catalog/formats/shops/products/shop-record.ts'

/**
 * Spree by its Storefront API. A product has the price of its master variant, so one with variants is refused.
 * https://spreecommerce.org/docs/api-reference
 */
export const spree = platform({
  system: 'spree',
  isProduct: (object) =>
    /^(product|variant)$/.test(textAt(object, 'type')) &&
    isObject(object.attributes) &&
    'display_price' in object.attributes &&
    'price' in object.attributes,
  refusal: (product) =>
    objectsAt(product, 'relationships.variants.data').length > 0
      ? rangeOf(textAt(product, 'attributes.price'), '', 'expected its variants')
      : null,
  own: {
    name: (product) => namedWith(textAt(product, 'attributes.name'), [textAt(product, 'attributes.options_text')]),
  },
})
