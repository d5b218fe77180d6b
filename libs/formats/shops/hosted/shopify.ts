import {
  flagAt,
  type JsonObject,
  objectsAt,
  plainText,
  textAt,
  valueAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { differ, hundredths, notSoldAs, rangeOf } from '@catalog/formats/shops/products/shop-record.ts'

/** Types that shops give to what nobody buys by the piece; they are words of the shop, so only plain ones count. */
const NOT_SOLD =
  /^(gift[ _-]?cards?|rentals?|hire|courses?|workshops?|class(es)?|events?|services?|bookings?|subscriptions?|memberships?)$/i
const TYPES = ['product_type', 'productType', 'type']
const NO_OPTION = /^default( title)?$/i

const isListed = (object: JsonObject) =>
  Array.isArray(object.variants) &&
  'handle' in object &&
  'title' in object &&
  // Proxies trim the vendor. A price in hundredths, as scripts get it, is a number and no text.
  ('vendor' in object || objectsAt(object, 'variants').some((one) => typeof one.price === 'string'))
/** `/products/HANDLE.js` has its prices in hundredths, whatever the currency. */
const isScripted = (object: JsonObject) => 'price_min' in object && 'price_varies' in object && 'handle' in object
const isSuggested = (object: JsonObject) =>
  'price_min' in object && 'price_max' in object && 'handle' in object && 'compare_at_price_min' in object
const isOfGraph = (object: JsonObject) =>
  /^gid:\/\/shopify\/Product\//.test(plainText(object.id)) ||
  ('handle' in object && valueAt(object, 'priceRange.minVariantPrice') !== undefined)

/** The number of a global id: "gid://shopify/Product/12" is "12". */
const idOf = (object: JsonObject) => textAt(object, 'id').replace(/^gid:\/\/.*\/(\d+)(\?.*)?$/, '$1')
/** A product without its variants has a price when all of them have one. */
const lowest = (product: JsonObject) => textAt(product, 'price_min', 'priceRange.minVariantPrice.amount', 'price')

/**
 * Shopify: `products.json`, one product as JSON or for scripts, search suggestions, the Admin API and the Storefront API. Every
 * variant is a record, named by product and variant; `compare_at_price` is what it cost before.
 */
export const shopify = platform({
  system: 'shopify',
  isProduct: (object) => isScripted(object) || isListed(object) || isSuggested(object) || isOfGraph(object),
  refusal(product) {
    const isGiftCard = flagAt(product, 'gift_card', 'isGiftCard', 'variants.0.gift_card') === true
    return notSoldAs(textAt(product, ...TYPES) || (isGiftCard ? 'gift card' : ''), isGiftCard ? /./ : NOT_SOLD)
  },
  refusalAlone(product) {
    const high = textAt(product, 'price_max', 'priceRange.maxVariantPrice.amount')
    if (!differ(lowest(product), high)) return null
    return rangeOf(lowest(product), high, 'expected its variants, as in /products/HANDLE.json')
  },
  ref: (product) =>
    textAt(product, 'sku', 'variants.0.sku') ||
    (objectsAt(product, 'variants').length > 0 ? '' : idOf(product)) ||
    textAt(product, 'handle'),
  id: idOf,
  price(sold, { product }) {
    const price = sold === product ? lowest(product) || textAt(product, 'price.amount') : variantPrice(sold)
    return isScripted(product) ? hundredths(price) : price
  },
  shared: {
    category_path: TYPES,
    url: (product) =>
      textAt(product, 'url', 'onlineStoreUrl') ||
      (textAt(product, 'handle') && `/products/${textAt(product, 'handle')}`),
  },
  own: {
    name(sold, { product }) {
      const option = sold === product ? '' : textAt(sold, 'title') || optionsOf(sold)
      return option === '' || NO_OPTION.test(option) ? '' : `${textAt(product, 'title')} ${option}`
    },
    gtin: (sold) => textAt(sold, 'barcode').replace(/^'/, ''),
  },
})

const variantPrice = (variant: JsonObject) => textAt(variant, 'price.amount', 'priceV2.amount', 'price')

function optionsOf(variant: JsonObject): string {
  const selected = objectsAt(variant, 'selectedOptions').map((one) => textAt(one, 'value'))
  const numbered = ['option1', 'option2', 'option3'].map((key) => textAt(variant, key))
  return (selected.length > 0 ? selected : numbered).filter((text) => text !== '').join(' / ')
}
