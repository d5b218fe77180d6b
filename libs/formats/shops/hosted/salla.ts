import { flagAt, isObject, objectsAt, textAt, valueAt } from '@catalog/formats/shops/products/json-values.ts'
import { aboveZero, isCounted, platform } from '@catalog/formats/shops/products/platform.ts'
import { notSoldAs, stock } from '@catalog/formats/shops/products/shop-record.ts'

const priceIn = aboveZero('sale_price.amount', 'price.amount', 'regular_price.amount')

/** Salla, of Saudi Arabia: the sale price holds where it is above zero; the tax stands beside (`taxed_price`). */
export const salla = platform({
  system: 'salla',
  isProduct: (object) =>
    isObject(object.price) &&
    'amount' in object.price &&
    'currency' in object.price &&
    ('sale_price' in object || 'regular_price' in object || 'taxed_price' in object) &&
    'name' in object,
  refusal: (product) => notSoldAs(textAt(product, 'type'), /booking|donating|service|digital_card|codes/),
  variants(product) {
    const priced = objectsAt(product, 'skus').filter((one) => priceIn(one) !== '')
    return priced.length > 1 ? priced : []
  },
  price: priceIn,
  options(variant, product) {
    // A variant names its options by id alone.
    const related = valueAt(variant, 'related_option_values')
    const ids = new Set((Array.isArray(related) ? related : []).map((_id, i) => textAt(related, String(i))))
    return objectsAt(product, 'options')
      .flatMap((option) => objectsAt(option, 'values'))
      .filter((value) => ids.has(textAt(value, 'id')))
      .map((value) => textAt(value, 'name'))
  },
  own: {
    availability: (sold, { product }) =>
      textAt(product, 'status') === 'out'
        ? 'OutOfStock'
        : stock(isCounted(sold, 'stock_quantity') ?? flagAt(product, 'is_available')),
  },
})
