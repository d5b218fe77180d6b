import { flagAt, isObject, type JsonObject, localText, objectsAt, plainText, textAt, valueAt } from './json-values.ts'
import { conflictBeside, fieldsOf, type NoSalePrice, saleOrOwn, salePeriodOf } from './sales.ts'
import {
  differ,
  namedWith,
  priceOf,
  rangeOf,
  type ShopContext,
  type ShopRecord,
  type ShopShape,
  stock,
} from './shop-shape.ts'
import { pricedVariants, unfoldedVariants } from './variants.ts'

/** Records of Klevu: `price` is the one before the discount, `salePrice` what the shop asks. */
export const klevu: ShopShape = {
  system: 'klevu',
  isProduct: (object) =>
    'salePrice' in object && ('typeOfRecord' in object || 'itemGroupId' in object || 'inStock' in object),
  recordsOf(hit, context) {
    if (/CMS|CATEGORY/.test(textAt(hit, 'typeOfRecord'))) return []
    const ref = textAt(hit, 'sku', 'id')
    const [low, high] = [textAt(hit, 'startPrice'), textAt(hit, 'toPrice')]
    if (differ(low, high)) return [rangeOf(ref, low, high, 'expected a record for each variant')]
    const categories = textAt(hit, 'klevu_category', 'category')
    return [
      priceOf(
        {
          ref,
          name: textAt(hit, 'name'),
          price: textAt(hit, 'salePrice', 'price'),
          currency: textAt(hit, 'currency', 'storeBaseCurrency'),
          brand: textAt(hit, 'brand'),
          category: categories.split(';;')[0]?.split(';') ?? [],
          description: textAt(hit, 'shortDesc', 'desc'),
          gtin: textAt(hit, 'ean', 'gtin', 'barcode'),
          availability: stock(flagAt(hit, 'inStock')),
          url: textAt(hit, 'url'),
        },
        context,
      ),
    ]
  },
}

/** Hits of Algolia, also as its extensions for Magento and Shopify index products. */
export const algolia: ShopShape = {
  system: 'algolia',
  isProduct: (object) => 'objectID' in object && isPriced(object),
  // An index of suggestions or pages has neither prices nor references.
  recordsOf: (hit, context) => (isPriced(hit) || textAt(hit, 'sku') !== '' ? hitRecords(hit, context) : []),
}

/** Hits of Elasticsearch, OpenSearch and the like, whose documents are the shop's own. */
export const elasticsearch: ShopShape = {
  system: 'elasticsearch',
  isProduct: (object) => isObject(object._source) && isPriced(object._source),
  recordsOf(hit, context) {
    const document = isObject(hit._source) ? hit._source : {}
    return hitRecords({ ...document, objectID: textAt(hit, '_id') }, context)
  },
}

/** Hits of Typesense, whose documents are the shop's own. https://typesense.org/docs/latest/api/search.html */
export const typesense: ShopShape = {
  system: 'typesense',
  isProduct: (object) =>
    isObject(object.document) &&
    ['text_match', 'highlights', 'highlight'].some((key) => key in object) &&
    isPriced(object.document),
  recordsOf: (hit, context) => (isObject(hit.document) ? hitRecords(hit.document, context) : []),
}

/**
 * Products of any other list that states what they cost now beside what they cost before: a guess by headings would read
 * the price before. Other lists are left to that guess.
 */
export const listWithSales: ShopShape = {
  system: 'list with sale prices',
  isProduct: (object) =>
    BESIDE_PRICE.some((key) => key in object) &&
    textAt(object, ...OWN) !== '' &&
    textAt(object, ...REFERENCES) !== '' &&
    localText(object, ...NAMES) !== '',
  recordsOf: hitRecords,
}
/** What a shop has worked out already. */
const FINALS = [
  'final_price',
  'finalPrice',
  'current_price',
  'currentPrice',
  'best_price',
  'selling_price',
  'sellingPrice',
  'price.final',
  'price.current',
  'prices.final',
  'prices.current',
] as const
/** What holds by its dates: `sale_price` of merchant feeds and WooCommerce, `special_price` of Magento. */
const SALES = ['sale_price', 'salePrice', 'special_price', 'specialPrice', 'price.sale'] as const
/** What holds without a sale. */
const OWN = [
  'price.value',
  'price.amount',
  'price.gross',
  'price.price',
  'price',
  'unit_price',
  'regular_price',
  'regularPrice',
  'list_price',
  'listPrice',
] as const
/** Keys that set a list apart from those that a guess reads. */
const BESIDE_PRICE = [
  'final_price',
  'finalPrice',
  'current_price',
  'currentPrice',
  'best_price',
  'sale_price',
  'salePrice',
  'special_price',
  'specialPrice',
] as const
const REFERENCES = [
  'sku',
  'code',
  'product_code',
  'productCode',
  'article_number',
  'item_number',
  'reference',
  'pid',
  'objectID',
  'id',
] as const
const NAMES = ['name', 'title', 'product_name', 'productName', 'label'] as const

const CURRENCIES = [
  'currency',
  'currency_code',
  'currencyCode',
  'price_currency',
  'price.currency',
  'price.currencyCode',
] as const

const hasPrice = (object: JsonObject) =>
  textAt(object, ...FINALS, ...SALES, ...OWN) !== '' || marketPrice(object) !== null

const isPriced = (object: JsonObject) => hasPrice(object) || pricedVariants(object, hasPrice).length > 0

const refOf = (hit: JsonObject) => (Array.isArray(hit.sku) ? plainText(hit.sku[0]) : textAt(hit, ...REFERENCES))
const currencyOf = (hit: JsonObject) => CURRENCIES.map((path) => textAt(hit, path)).find((text) => text !== '') ?? ''

/** The records of a hit: its variants where they have prices, else the hit itself. */
function hitRecords(hit: JsonObject, context: ShopContext): readonly ShopRecord[] {
  const count = pricedVariants(hit, hasPrice).length
  if (count === 0) return [hitRecord(hit, context)]
  const nameOf = (object: JsonObject) => localText(object, ...NAMES)
  const currency = marketPrice(hit)?.currency ?? currencyOf(hit)
  const variants = unfoldedVariants(hit, { hasPrice, refOf, nameOf, currency })
  if (variants !== null) return variants.map((variant) => hitRecord(variant, context))
  const detail = `the record has ${count} variants with prices, and some lack a reference of their own: expected one for each`
  return [{ reason: 'LOSES_RECORDS', detail, vendorRef: refOf(hit) }]
}

/** A reference, a name and a price by their usual keys. */
function hitRecord(hit: JsonObject, context: ShopContext): ShopRecord {
  const ref = refOf(hit)
  const market = marketPrice(hit)
  const high = textAt(hit, 'price_max', 'max_price', 'price.max') || (market?.max ?? '')
  const price = market?.price ?? askedPrice(hit, context)
  if (typeof price !== 'string') return { ...price, vendorRef: ref }
  const low = textAt(hit, 'price_min', 'min_price', 'price.min') || price
  if (/^(configurable|grouped|bundle|variable)$/.test(textAt(hit, 'type_id', 'type')) || differ(low, high)) {
    return rangeOf(ref, low, high, 'expected a hit for each variant')
  }
  const option = textAt(hit, 'variant_title')
  const title = localText(hit, ...NAMES)
  return priceOf(
    {
      ref,
      name: /^default( title)?$/i.test(option) ? title : namedWith(title, [option]),
      price,
      currency: market?.currency ?? currencyOf(hit),
      brand: localText(hit, 'brand', 'vendor', 'manufacturer'),
      category: categoryOf(hit),
      description: textAt(hit, 'short_description', 'description'),
      gtin: textAt(hit, 'gtin', 'ean', 'barcode', 'upc'),
      mpn: textAt(hit, 'mpn'),
      unit: textAt(hit, 'unit', 'sales_unit', 'uom'),
      availability:
        textAt(hit, 'availability') || stock(flagAt(hit, 'in_stock', 'inStock', 'inventory_available', 'available')),
      url: textAt(hit, 'url', 'link') || (textAt(hit, 'handle') && `/products/${textAt(hit, 'handle')}`),
    },
    context,
  )
}

/** The price that the shop asks on the day of the observation; '' for none. */
function askedPrice(hit: JsonObject, { at }: ShopContext): string | NoSalePrice {
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

function categoryOf(hit: JsonObject): readonly string[] | string {
  const levels = valueAt(hit, 'categories')
  if (isObject(levels)) {
    const deepest = Object.keys(levels)
      .filter((key) => /^level\d$/.test(key))
      .toSorted()
      .at(-1)
    return deepest === undefined ? '' : localText(levels, deepest).split(/\s*\/\/\/\s*/)
  }
  return textAt(objectsAt(hit, 'categories')[0], 'name') || localText(hit, 'category', 'product_type', 'categories')
}
