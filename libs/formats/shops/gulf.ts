import { flagAt, isObject, type JsonObject, localText, objectsAt, textAt, valueAt } from './json-values.ts'
import {
  isZero,
  namedWith,
  notSold,
  priceOf,
  type ShopContext,
  type ShopRecord,
  type ShopShape,
  stock,
  uniqueRefs,
} from './shop-shape.ts'

/** Shop systems of Saudi Arabia. */

/** Products of Salla: the sale price holds where it is above zero; the tax stands beside (`taxed_price`). */
export const salla: ShopShape = {
  system: 'salla',
  isProduct: (object) =>
    isObject(object.price) &&
    'amount' in object.price &&
    'currency' in object.price &&
    ('sale_price' in object || 'regular_price' in object || 'taxed_price' in object) &&
    'name' in object,
  recordsOf(product, context) {
    const ref = textAt(product, 'sku') || textAt(product, 'id')
    const kind = textAt(product, 'type')
    if (/booking|donating|service|digital_card|codes/.test(kind)) return [notSold(ref, kind)]
    const skus = objectsAt(product, 'skus').filter((one) => sallaPrice(one) !== '')
    if (skus.length < 2) return [sallaRecord(product, { sold: product, ref, options: [], context })]
    const refs = uniqueRefs(skus.map((one) => ({ sku: textAt(one, 'sku'), id: textAt(one, 'id') })))
    return skus.map((one, i) =>
      sallaRecord(product, { sold: one, ref: refs[i] || ref, options: optionsOf(product, one), context }),
    )
  },
}

function sallaPrice(sold: JsonObject): string {
  const sale = textAt(sold, 'sale_price.amount')
  const price = textAt(sold, 'price.amount', 'regular_price.amount')
  return isZero(sale) ? (isZero(price) ? '' : price) : sale
}

/** A variant names its options by id alone. */
function optionsOf(product: JsonObject, sku: JsonObject): readonly string[] {
  const related = valueAt(sku, 'related_option_values')
  const ids = new Set((Array.isArray(related) ? related : []).map((_id, i) => textAt(related, String(i))))
  return objectsAt(product, 'options')
    .flatMap((option) => objectsAt(option, 'values'))
    .filter((value) => ids.has(textAt(value, 'id')))
    .map((value) => textAt(value, 'name'))
}

type Sold = Readonly<{ sold: JsonObject; ref: string; options: readonly string[]; context: ShopContext }>

function sallaRecord(product: JsonObject, { sold, ref, options, context }: Sold): ShopRecord {
  const status = textAt(product, 'status')
  const quantity = textAt(sold, 'stock_quantity')
  const inStock = quantity === '' ? flagAt(product, 'is_available') : Number(quantity) > 0
  return priceOf(
    {
      ref,
      name: namedWith(textAt(product, 'name'), options),
      price: sallaPrice(sold),
      currency: textAt(sold, 'price.currency') || textAt(product, 'price.currency'),
      brand: textAt(product, 'brand.name'),
      category: textAt(objectsAt(product, 'categories')[0], 'name'),
      description: textAt(product, 'description'),
      gtin: textAt(sold, 'gtin', 'barcode'),
      mpn: textAt(sold, 'mpn'),
      availability: status === 'out' ? 'OutOfStock' : stock(inStock),
      url: textAt(product, 'urls.customer', 'url'),
    },
    context,
  )
}

/** Products of Zid: `sale_price` is null without a sale; variants have attributes with a name and a value by language. */
export const zid: ShopShape = {
  system: 'zid',
  isProduct: (object) =>
    'sale_price' in object &&
    'formatted_price' in object &&
    ('is_infinite' in object || 'html_url' in object || 'product_class' in object),
  recordsOf(product, context) {
    const variants = objectsAt(product, 'variants')
    const kind = textAt(product, 'product_class')
    const ref = textAt(product, 'sku') || textAt(product, 'id')
    if (/voucher|donation|booking|course|service/i.test(kind)) return [notSold(ref, kind)]
    if (variants.length === 0) return [zidRecord(product, { sold: product, ref, options: [], context })]
    const refs = uniqueRefs(variants.map((one) => ({ sku: textAt(one, 'sku'), id: textAt(one, 'id') })))
    return variants.map((one, i) => {
      const options = objectsAt(one, 'attributes').map((each) => localText(each, 'value'))
      return zidRecord(product, { sold: one, ref: refs[i] || ref, options, context })
    })
  },
}

function zidRecord(product: JsonObject, { sold, ref, options, context }: Sold): ShopRecord {
  const sale = textAt(sold, 'sale_price')
  const price = isZero(sale) ? textAt(sold, 'price') : sale
  const quantity = textAt(sold, 'quantity')
  const infinite = flagAt(sold, 'is_infinite') === true
  return priceOf(
    {
      ref,
      name: namedWith(localText(product, 'name'), options),
      price: isZero(price) ? '' : price,
      currency: textAt(sold, 'currency') || textAt(product, 'currency'),
      category: localText(objectsAt(product, 'categories')[0], 'name'),
      description: localText(product, 'short_description', 'description'),
      gtin: textAt(sold, 'barcode'),
      availability: stock(infinite ? true : quantity === '' ? undefined : Number(quantity) > 0),
      url: textAt(product, 'html_url'),
    },
    context,
  )
}
