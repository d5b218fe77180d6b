import { flagAt, type JsonObject, objectsAt, plainText, textAt, valueAt } from './json-values.ts'
import {
  differ,
  hundredths,
  idOf,
  notSold,
  priceOf,
  rangeOf,
  type ShopContext,
  type ShopRecord,
  type ShopShape,
  stock,
  uniqueRefs,
} from './shop-shape.ts'

/**
 * Products of Shopify: `products.json`, one product as JSON or for scripts, search suggestions, the Admin API and the
 * Storefront API. Every variant is a record, named by product and variant; `compare_at_price` is what it cost before.
 */
export const shopify: ShopShape = {
  system: 'shopify',
  isProduct: (object) => isScripted(object) || isListed(object) || isSuggested(object) || isOfGraph(object),
  recordsOf(product, context) {
    const kind = textAt(product, 'product_type', 'productType', 'type')
    if (NOT_SOLD.test(kind) || flagAt(product, 'gift_card', 'isGiftCard', 'variants.0.gift_card') === true) {
      const ref = textAt(product, 'variants.0.sku', 'handle')
      return [notSold(ref, kind || 'gift card')]
    }
    const variants = objectsAt(product, 'variants')
    return variants.length === 0 ? [alone(product, context)] : variantsOf(product, variants, context)
  },
}

/** Types that shops give to what nobody buys by the piece; they are words of the shop, so only plain ones count. */
const NOT_SOLD =
  /^(gift[ _-]?cards?|rentals?|hire|courses?|workshops?|class(es)?|events?|services?|bookings?|subscriptions?|memberships?)$/i

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

const NO_OPTION = /^default( title)?$/i

function variantsOf(product: JsonObject, variants: readonly JsonObject[], context: ShopContext): ShopRecord[] {
  const title = textAt(product, 'title')
  const isMinor = isScripted(product)
  const refs = uniqueRefs(variants.map((one) => ({ sku: textAt(one, 'sku'), id: idOf(textAt(one, 'id')) })))
  return variants.map((variant, i) => {
    const option = textAt(variant, 'title') || optionsOf(variant)
    const price = textAt(variant, 'price.amount', 'priceV2.amount', 'price')
    return priceOf(
      {
        ...sharedOf(product),
        ref: refs[i] || textAt(product, 'handle'),
        name: NO_OPTION.test(option) || option === '' ? title : `${title} ${option}`,
        price: isMinor ? hundredths(price) : price,
        currency: textAt(variant, 'price.currencyCode', 'priceV2.currencyCode', 'price_currency'),
        gtin: textAt(variant, 'barcode').replace(/^'/, ''),
        packQuantity: textAt(variant, 'unit_price_measurement.quantity_value', 'unitPriceMeasurement.quantityValue'),
        packUnit: textAt(variant, 'unit_price_measurement.quantity_unit', 'unitPriceMeasurement.quantityUnit'),
        availability: stock(flagAt(variant, 'available', 'availableForSale', 'inventory_available')),
      },
      context,
    )
  })
}

function optionsOf(variant: JsonObject): string {
  const selected = objectsAt(variant, 'selectedOptions').map((one) => textAt(one, 'value'))
  const numbered = ['option1', 'option2', 'option3'].map((key) => textAt(variant, key))
  return (selected.length > 0 ? selected : numbered).filter((text) => text !== '').join(' / ')
}

function sharedOf(product: JsonObject) {
  return {
    brand: textAt(product, 'vendor', 'brand.name'),
    category: textAt(product, 'product_type', 'productType', 'type'),
    description: textAt(product, 'body_html', 'description', 'body'),
    url:
      textAt(product, 'url', 'onlineStoreUrl') ||
      (textAt(product, 'handle') && `/products/${textAt(product, 'handle')}`),
  }
}

/** A product without its variants has a price when all of them have one. */
function alone(product: JsonObject, context: ShopContext): ShopRecord {
  const ref = idOf(textAt(product, 'id')) || textAt(product, 'handle')
  const low = textAt(product, 'price_min', 'priceRange.minVariantPrice.amount', 'price')
  const high = textAt(product, 'price_max', 'priceRange.maxVariantPrice.amount')
  if (differ(low, high)) return rangeOf(ref, low, high, 'expected its variants, as in /products/HANDLE.json')
  const price = low || textAt(product, 'price.amount')
  return priceOf(
    {
      ...sharedOf(product),
      ref: textAt(product, 'sku') || ref,
      name: textAt(product, 'title'),
      price: isScripted(product) ? hundredths(price) : price,
      currency: textAt(product, 'priceRange.minVariantPrice.currencyCode', 'price.currencyCode'),
      availability: stock(flagAt(product, 'available', 'availableForSale')),
    },
    context,
  )
}
