import { exponentOf } from '@catalog/core/money/money.ts'
import { flagAt, isObject, type JsonObject, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { isZero, ofMinorUnits, rangeOf, type ShopContext, stock } from '@catalog/formats/shops/products/shop-record.ts'

/** A product gives its default variant. */
const soldOf = (product: JsonObject) => (isObject(product.defaultVariantData) ? product.defaultVariantData : product)

const amountOf = (product: JsonObject, { currency = '' }: ShopContext) =>
  ofMinorUnits(textAt(soldOf(product), 'price'), exponentOf(currency) ?? 2)

/**
 * Sylius by its Shop API: whole numbers of minor units, in the currency of the channel. A product with several variants gives
 * the default one alone, so it is refused. https://docs.sylius.com/the-book/products
 */
export const sylius = platform({
  system: 'sylius',
  isProduct: (object) =>
    'code' in object &&
    (isObject(object.defaultVariantData) ||
      (textAt(object, '@type') === 'ProductVariant' && 'price' in object && 'originalPrice' in object)),
  refusal: (product, context) =>
    Array.isArray(product.variants) && product.variants.length > 1
      ? rangeOf(amountOf(product, context), '', 'the default variant alone: expected /api/v2/shop/product-variants')
      : null,
  ref: (product) => textAt(soldOf(product), 'code'),
  price(product, { context }) {
    const amount = amountOf(product, context)
    return isZero(amount) ? '' : amount
  },
  own: {
    name: (product) => textAt(product, 'name') || textAt(soldOf(product), 'name'),
    availability: (product) => stock(flagAt(soldOf(product), 'inStock')),
  },
})
