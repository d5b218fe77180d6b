import { objectsAt, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { isZero } from '@catalog/formats/shops/products/shop-record.ts'

/**
 * Ecwid by its REST API: a combination of options is sold at its own price, and one without a price at the product's unless an
 * option changes it. Prices of the answer are those of the catalog, before taxes that the shop adds.
 */
export const ecwid = platform({
  system: 'ecwid',
  isProduct: (object) =>
    'name' in object &&
    'price' in object &&
    (Array.isArray(object.combinations) || 'defaultDisplayedPrice' in object) &&
    ('defaultDisplayedPrice' in object || 'defaultCombinationId' in object || 'enabled' in object),
  price(sold, { product }) {
    const isModified = objectsAt(product, 'options').some((option) =>
      objectsAt(option, 'choices').some((choice) => !isZero(textAt(choice, 'priceModifier'))),
    )
    const price = textAt(sold, 'price') || (isModified ? '' : textAt(product, 'price'))
    return isZero(price) ? '' : price
  },
  options: (combination) => objectsAt(combination, 'options').map((option) => textAt(option, 'value')),
})
