import { flagAt, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { aboveZero, platform } from '@catalog/formats/shops/products/platform.ts'
import { notSoldAs, rangeOf } from '@catalog/formats/shops/products/shop-record.ts'

const SHOWN = ['ProductPrice.Price', 'product_price.price']
const VALUE = ['ProductPrice.PriceValue', 'product_price.price_value']

const addressOf = (slug: string) => slug && `/${slug}`

/** nopCommerce: pages of a catalog as its models, in Pascal or snake case. */
export const nopcommerce = platform({
  system: 'nopcommerce',
  isProduct: (object) =>
    ('ProductPrice' in object && ('SeName' in object || 'Name' in object)) ||
    ('product_price' in object && ('se_name' in object || 'name' in object)),
  refusal(product) {
    if (flagAt(product, 'ProductPrice.IsRental', 'product_price.is_rental') === true) return notSoldAs('rental', /./)
    const isGrouped = /group/i.test(textAt(product, 'ProductType', 'product_type'))
    // "From $12.00": of variants, of tiers, or of a group.
    const isLowest = /^(from|ab|desde|à partir|da|vanaf|od|от|a partir)\b/i.test(textAt(product, ...SHOWN))
    return isGrouped || isLowest ? rangeOf(textAt(product, ...VALUE, ...SHOWN), '', 'expected its variants') : null
  },
  price: (product) =>
    flagAt(product, 'ProductPrice.CallForPrice', 'product_price.call_for_price') === true
      ? ''
      : aboveZero(...VALUE, ...SHOWN)(product),
  own: {
    url: (product) => addressOf(textAt(product, 'SeName', 'se_name')),
  },
})
