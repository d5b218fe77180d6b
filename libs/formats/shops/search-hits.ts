import { flagAt, isObject, type JsonObject, localText, objectsAt, plainText, textAt, valueAt } from './json-values.ts'
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
  isProduct: (object) => 'objectID' in object && hasPrice(object),
  // An index of suggestions or pages has neither prices nor references.
  recordsOf: (hit, context) => (hasPrice(hit) || textAt(hit, 'sku') !== '' ? [hitRecord(hit, context)] : []),
}

/** Hits of Elasticsearch, OpenSearch and the like, whose documents are the shop's own. */
export const elasticsearch: ShopShape = {
  system: 'elasticsearch',
  isProduct: (object) => isObject(object._source) && hasPrice(object._source),
  recordsOf(hit, context) {
    const document = isObject(hit._source) ? hit._source : {}
    return [hitRecord({ ...document, objectID: textAt(hit, '_id') }, context)]
  },
}

/**
 * Products of any other list that states what they cost now beside what they cost before: a guess by headings would read
 * the price before. Other lists are left to that guess.
 */
export const listWithSales: ShopShape = {
  system: 'list with sale prices',
  isProduct: (object) =>
    SALES.some((key) => key in object) &&
    textAt(object, 'price', 'price.value', 'price.amount') !== '' &&
    textAt(object, ...REFERENCES) !== '' &&
    localText(object, ...NAMES) !== '' &&
    !Array.isArray(object.variants),
  recordsOf: (hit, context) => [hitRecord(hit, context)],
}
const SALES = [
  'final_price',
  'finalPrice',
  'current_price',
  'currentPrice',
  'best_price',
  'sale_price',
  'salePrice',
  'special_price',
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

const PRICES = [
  'final_price',
  'finalPrice',
  'current_price',
  'currentPrice',
  'best_price',
  'selling_price',
  'sellingPrice',
  'sale_price',
  'salePrice',
  'special_price',
  'price.final',
  'price.current',
  'price.sale',
  'price.value',
  'price.amount',
  'price.gross',
  'price.price',
  'prices.final',
  'prices.current',
  'price',
  'unit_price',
] as const
const CURRENCIES = [
  'currency',
  'currency_code',
  'currencyCode',
  'price_currency',
  'price.currency',
  'price.currencyCode',
] as const

const hasPrice = (object: JsonObject) =>
  PRICES.some((path) => textAt(object, path) !== '') || marketPrice(object) !== null

/** A reference, a name and a price by their usual keys. */
function hitRecord(hit: JsonObject, context: ShopContext): ShopRecord {
  const skus = valueAt(hit, 'sku')
  const ref = Array.isArray(skus) ? plainText(skus[0]) : textAt(hit, ...REFERENCES)
  const market = marketPrice(hit)
  const high = textAt(hit, 'price_max', 'max_price', 'price.max') || (market?.max ?? '')
  const price =
    market?.price ?? PRICES.map((path) => textAt(hit, path)).find((text) => text !== '' && Number(text) !== 0) ?? ''
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
      currency: market?.currency ?? CURRENCIES.map((path) => textAt(hit, path)).find((text) => text !== '') ?? '',
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
