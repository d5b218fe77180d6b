import { flagAt, type JsonObject, localText, objectsAt, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { aboveZero, isCounted, platform } from '@catalog/formats/shops/products/platform.ts'
import { namedWith, pathOf, stock } from '@catalog/formats/shops/products/shop-record.ts'

const refOf = (item: JsonObject) => textAt(item, 'referenceId.0.Value', 'itemId')

/** The shop's own seller, else the first. */
function sellerOf(item: JsonObject): JsonObject {
  const sellers = objectsAt(item, 'sellers')
  return sellers.find((one) => flagAt(one, 'sellerDefault') === true) ?? sellers[0] ?? {}
}

/** The contents of an item that is sold by another measure than pieces. */
function contentsOf(item: JsonObject): Readonly<{ quantity: string; unit: string }> {
  const [unit, multiplier] = [textAt(item, 'measurementUnit'), textAt(item, 'unitMultiplier')]
  const isPacked = !/^un$/i.test(unit) && unit !== '' && multiplier !== '' && Number(multiplier) !== 1
  return isPacked ? { quantity: multiplier.replace(/\.?0+$/, ''), unit } : { quantity: '', unit: '' }
}

/** VTEX: every item is a record, at the price of its seller. A price is per unit of measure. */
export const vtex = platform({
  system: 'vtex',
  isProduct: (object) =>
    'productId' in object &&
    Array.isArray(object.items) &&
    objectsAt(object, 'items').some((item) => 'sellers' in item),
  sku: refOf,
  price: (item) => aboveZero('commertialOffer.Price')(sellerOf(item)),
  shared: {
    category_path: (product) => pathOf(localText(product, 'categories').split('/')),
  },
  own: {
    name: (item, { product }) =>
      textAt(item, 'nameComplete') || namedWith(textAt(product, 'productName'), [textAt(item, 'name')]),
    mpn: (item, { product }) =>
      textAt(product, 'productReference') === refOf(item) ? '' : textAt(product, 'manufacturerCode'),
    pack_quantity: (item) => contentsOf(item).quantity,
    pack_unit: (item) => contentsOf(item).unit,
    availability(item) {
      const seller = sellerOf(item)
      return stock(
        flagAt(seller, 'commertialOffer.IsAvailable') ?? isCounted(seller, 'commertialOffer.AvailableQuantity'),
      )
    },
  },
})
