import { flagAt, type JsonObject, objectsAt, plainText, textAt, valueAt } from './json-values.ts'
import { dayOf, type NoSalePrice, saleOrOwn } from './sales.ts'
import {
  differ,
  isZero,
  namedWith,
  notOffered,
  priceOf,
  rangeOf,
  type ShopContext,
  type ShopRecord,
  type ShopShape,
  stock,
} from './shop-shape.ts'

/**
 * Products of Magento and Adobe Commerce: GraphQL, Live Search and REST. A configurable product gives its variants; without
 * them its price is the lowest of theirs, and refused.
 */
export const magento: ShopShape = {
  system: 'magento',
  isProduct: (object) =>
    valueAt(object, 'price_range.minimum_price') !== undefined ||
    valueAt(object, 'price.regularPrice.amount') !== undefined ||
    valueAt(object, 'price.minimalPrice.amount') !== undefined ||
    /^(Simple|Complex)ProductView$/.test(plainText(object.__typename)) ||
    ('type_id' in object && 'sku' in object && ('attribute_set_id' in object || 'custom_attributes' in object)),
  recordsOf(product, context) {
    const variants = objectsAt(product, 'variants').flatMap((one) => {
      const inner = valueAt(one, 'product')
      return inner === undefined ? [] : [{ inner: inner as JsonObject, labels: labelsOf(one) }]
    })
    if (variants.length === 0) return [alone(product, context)]
    return variants.map(({ inner, labels }) => {
      const name = namedWith(textAt(inner, 'name') || textAt(product, 'name'), labels)
      return recordOf(inner, { name, product, context })
    })
  },
}

const labelsOf = (variant: JsonObject) =>
  objectsAt(variant, 'attributes').map((one) => textAt(one, 'label', 'value_index'))

const PARENTS = /^(configurable|bundle|grouped|complex)/i

function alone(product: JsonObject, context: ShopContext): ShopRecord {
  const ref = textAt(product, 'sku')
  const low = finalPrice(product)
  const high = textAt(product, 'price_range.maximum_price.final_price.value', 'priceRange.maximum.final.amount.value')
  if (PARENTS.test(textAt(product, '__typename', 'type_id')) || differ(low, high)) {
    return rangeOf(ref, low, high, 'expected its variants: ask for variants { product { sku name price_range } }')
  }
  return recordOf(product, { name: textAt(product, 'name'), product, context })
}

function recordOf(
  sold: JsonObject,
  { name, product, context }: Readonly<{ name: string; product: JsonObject; context: ShopContext }>,
): ShopRecord {
  const status = textAt(sold, 'stock_status')
  const inStock =
    status === ''
      ? flagAt(sold, 'inStock', 'in_stock', 'extension_attributes.stock_item.is_in_stock')
      : status === 'IN_STOCK'
  const categories = objectsAt(product, 'categories')
  const ref = textAt(sold, 'sku')
  // 1 is enabled, 2 disabled.
  if (textAt(sold, 'status') === '2') return notOffered(ref, 'disabled')
  const price = askedPrice(sold, context.at)
  if (typeof price !== 'string') return { ...price, vendorRef: ref }
  return priceOf(
    {
      ref,
      name,
      price,
      currency: textAt(
        sold,
        'price_range.minimum_price.final_price.currency',
        'price_range.minimum_price.regular_price.currency',
        'price.minimalPrice.amount.currency',
        'price.regularPrice.amount.currency',
        'price.final.amount.currency',
      ),
      category: textAt(categories[0], 'name'),
      brand: textAt(product, 'manufacturer_name', 'brand'),
      description: textAt(product, 'short_description.html', 'description.html', 'shortDescription'),
      gtin: textAt(sold, 'gtin', 'ean', 'barcode') || customOf(sold, 'ean', 'gtin', 'barcode', 'upc'),
      mpn: textAt(sold, 'mpn') || customOf(sold, 'mpn'),
      availability: stock(inStock),
      url: textAt(sold, 'canonical_url', 'url', 'product_url') || pathOf(product),
    },
    context,
  )
}

function pathOf(product: JsonObject): string {
  const key = textAt(product, 'url_key')
  return key === '' ? '' : `/${key}${textAt(product, 'url_suffix')}`
}

/** A custom attribute of REST. */
function customOf(product: JsonObject, ...codes: readonly string[]): string {
  const found = objectsAt(product, 'custom_attributes').find((one) => codes.includes(textAt(one, 'attribute_code')))
  return textAt(found, 'value')
}

/** The price after discounts; '' for none. */
function finalPrice(product: JsonObject): string {
  const price = textAt(
    product,
    'price_range.minimum_price.final_price.value',
    'price_range.minimum_price.regular_price.value',
    'price.minimalPrice.amount.value',
    'price.regularPrice.amount.value',
    'price.final.amount.value',
    'priceRange.minimum.final.amount.value',
    'price',
  )
  return isZero(price) ? '' : price
}

/**
 * The price that the shop asks at an instant. REST, and GraphQL before `price_range`, give the price and beside it a special
 * price, which holds from one day to another, both included, where it is lower.
 */
function askedPrice(product: JsonObject, at: Date | null): string | NoSalePrice {
  const own = finalPrice(product)
  const isFinal = FINALS.some((path) => valueAt(product, path) !== undefined)
  const special = specialOf(product, 'special_price')
  if (isFinal || isZero(special) || (!isZero(own) && Number(special) >= Number(own))) return own
  const [start, end] = [specialOf(product, 'special_from_date'), specialOf(product, 'special_to_date')].map(dayOf)
  return saleOrOwn({ sale: special, own, period: { start: start ?? '', end: end ?? '' } }, at)
}
/** Prices with the discount in them. */
const FINALS = ['price_range', 'price.minimalPrice', 'price.final', 'priceRange'] as const

const specialOf = (product: JsonObject, name: string) => textAt(product, name) || customOf(product, name)
