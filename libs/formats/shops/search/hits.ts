import {
  flagAt,
  isObject,
  type JsonObject,
  localText,
  objectsAt,
  plainText,
  textAt,
  valueAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { local, platform } from '@catalog/formats/shops/products/platform.ts'
import { conflictBeside, fieldsOf, saleOrOwn, salePeriodOf } from '@catalog/formats/shops/products/sales.ts'
import {
  differ,
  type NoPrice,
  namedWith,
  pathOf,
  rangeOf,
  type ShopContext,
  type ShopShape,
  stock,
} from '@catalog/formats/shops/products/shop-record.ts'
import { DOCUMENT_KEYS } from './document-keys.ts'
import { pricedVariants, unfoldedVariants } from './variants.ts'

/** Hits of a search, whose documents are the shop's own: a reference, a name and a price by their usual keys. */

const { finals: FINALS, sales: SALES, own: OWN } = DOCUMENT_KEYS
/** Prices of these names set a list apart from those that a guess by headings reads. */
const BESIDE_PRICE = [...FINALS, ...SALES].filter((path) => !/\.|^selling/.test(path))

const hasPrice = (object: JsonObject) =>
  textAt(object, ...FINALS, ...SALES, ...OWN) !== '' || marketPrice(object) !== null
export const isPriced = (object: JsonObject) => hasPrice(object) || pricedVariants(object, hasPrice).length > 0

const refOf = (hit: JsonObject) =>
  Array.isArray(hit.sku) ? plainText(hit.sku[0]) : textAt(hit, ...DOCUMENT_KEYS.references)
const nameOf = local(...DOCUMENT_KEYS.names)
const currencyOf = (hit: JsonObject) => marketPrice(hit)?.currency ?? textAt(hit, ...DOCUMENT_KEYS.currencies)
const variantsOf = (hit: JsonObject) => unfoldedVariants(hit, { hasPrice, refOf, nameOf, currency: currencyOf(hit) })

const document = platform({
  system: 'documents of a shop',
  isProduct: isPriced,
  refusal(hit) {
    if (variantsOf(hit) !== null) return null
    const count = pricedVariants(hit, hasPrice).length
    const detail = `the record has ${count} variants with prices, and some lack a reference of their own: expected one for each`
    return { reason: 'LOSES_RECORDS', detail }
  },
  variants: (hit) => variantsOf(hit) ?? [],
  ref: refOf,
  sku: refOf,
  price(hit, { context }) {
    const market = marketPrice(hit)
    const price = market?.price ?? askedPrice(hit, context)
    if (typeof price !== 'string') return price
    const high = textAt(hit, 'price_max', 'max_price', 'price.max') || (market?.max ?? '')
    const low = textAt(hit, 'price_min', 'min_price', 'price.min') || price
    const isParent = /^(configurable|grouped|bundle|variable)$/.test(textAt(hit, 'type_id', 'type'))
    return isParent || differ(low, high) ? rangeOf(low, high, 'expected a hit for each variant') : price
  },
  own: {
    name(hit) {
      const option = textAt(hit, 'variant_title')
      return namedWith(nameOf(hit), /^default( title)?$/i.test(option) ? [] : [option])
    },
    currency: currencyOf,
    brand: local('brand', 'vendor', 'manufacturer'),
    category_path: categoryOf,
    description: ['short_description', 'description'],
    gtin: ['gtin', 'ean', 'barcode', 'upc'],
    mpn: 'mpn',
    unit: ['unit', 'sales_unit', 'uom'],
    availability: (hit) =>
      textAt(hit, 'availability') || stock(flagAt(hit, 'in_stock', 'inStock', 'inventory_available', 'available')),
    url: (hit) => textAt(hit, 'url', 'link') || (textAt(hit, 'handle') && `/products/${textAt(hit, 'handle')}`),
  },
})

/** The shape of a search service: its hits, and the document in each; null for one that is no product. */
export function hitsOf(
  system: string,
  isProduct: ShopShape['isProduct'],
  documentOf: (hit: JsonObject) => JsonObject | null = (hit) => hit,
): ShopShape {
  return {
    system,
    isProduct,
    recordsOf(hit, context) {
      const found = documentOf(hit)
      return found === null ? [] : document.recordsOf(found, context)
    },
  }
}

/**
 * Products of any other list that states what they cost now beside what they cost before: a guess by headings would read
 * the price before. Other lists are left to that guess.
 */
export const listWithSales = hitsOf(
  'list with sale prices',
  (object) =>
    BESIDE_PRICE.some((key) => key in object) &&
    textAt(object, ...OWN) !== '' &&
    textAt(object, ...DOCUMENT_KEYS.references) !== '' &&
    nameOf(object) !== '',
)

/** The price that the shop asks on the day of the observation; '' for none. */
function askedPrice(hit: JsonObject, { at }: ShopContext): string | NoPrice {
  const amountAt = (paths: readonly string[]) =>
    paths.find((path) => textAt(hit, path) !== '' && Number(textAt(hit, path)) !== 0) ?? ''
  const [final, sale, own] = [amountAt(FINALS), amountAt(SALES), amountAt(OWN)]
  if (final !== '') return textAt(hit, final)
  const text = (path: string) => (path === '' ? '' : textAt(hit, path))
  const asked = saleOrOwn({ sale: text(sale), own: text(own), period: salePeriodOf(hit) }, at)
  if (own === '' || asked !== text(own)) return asked
  // The sale that does not hold is no conflict.
  const { [sale]: _over, ...others } = fieldsOf(hit)
  return conflictBeside(others, own) ?? asked
}

/** The price by currency of Algolia's index for Magento: { GBP: { default: 12.5, default_max: 14 } }. */
function marketPrice(hit: JsonObject): Readonly<{ currency: string; price: string; max: string }> | null {
  const { price } = hit
  if (!isObject(price)) return null
  const found = Object.entries(price).filter(([code, one]) => /^[A-Z]{3}$/.test(code) && textAt(one, 'default') !== '')
  const [first] = found
  if (first === undefined || found.length > 1) return null
  return { currency: first[0], price: textAt(first[1], 'default'), max: textAt(first[1], 'default_max') }
}

function categoryOf(hit: JsonObject): string {
  const levels = valueAt(hit, 'categories')
  if (isObject(levels)) {
    const deepest = Object.keys(levels)
      .filter((key) => /^level\d$/.test(key))
      .toSorted()
      .at(-1)
    return deepest === undefined ? '' : pathOf(localText(levels, deepest).split(/\s*\/\/\/\s*/))
  }
  return textAt(objectsAt(hit, 'categories')[0], 'name') || localText(hit, 'category', 'product_type', 'categories')
}
