import { type JsonObject, localText, objectsAt, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { local, platform } from '@catalog/formats/shops/products/platform.ts'
import { isZero, namedWith, rangeOf } from '@catalog/formats/shops/products/shop-record.ts'

const unitIn = local('unit.translated.shortCode', 'unit.shortCode', 'unit.translated.name', 'unit.name')

/** The contents of a product as its price per unit shows them. */
function contentsOf(product: JsonObject): Readonly<{ quantity: string; unit: string }> {
  const quantity = textAt(product, 'calculatedPrice.referencePrice.purchaseUnit', 'purchaseUnit')
  const unit = textAt(product, 'calculatedPrice.referencePrice.unitName') || unitIn(product)
  return isZero(quantity) || unit === '' ? { quantity: '', unit: '' } : { quantity, unit }
}

/** Shopware 6 by its Store API. A product with children is sold as one of them. */
export const shopware = platform({
  system: 'shopware',
  isProduct: (object) => 'productNumber' in object && ('calculatedPrice' in object || 'calculatedPrices' in object),
  refusal(product) {
    if (!(Number(textAt(product, 'childCount')) > 0)) return null
    const low = textAt(product, 'calculatedCheapestPrice.unitPrice', 'calculatedPrice.unitPrice')
    return rangeOf(low, '', 'expected its variants')
  },
  price(product) {
    const [tier] = objectsAt(product, 'calculatedPrices')
    const price = textAt(tier, 'unitPrice') || textAt(product, 'calculatedPrice.unitPrice')
    return isZero(price) ? '' : price
  },
  own: {
    name(product) {
      const options = objectsAt(product, 'options').map((one) => localText(one, 'translated.name', 'name'))
      return namedWith(localText(product, 'translated.name', 'name'), options)
    },
    pack_quantity: (product) => contentsOf(product).quantity,
    pack_unit: (product) => contentsOf(product).unit,
    min_quantity: (product) => (Number(textAt(product, 'minPurchase')) > 1 ? textAt(product, 'minPurchase') : ''),
    // Gross prices contain their taxes; net ones have them on top.
    tax_included(product) {
      const state = textAt(product, 'taxState', 'calculatedPrice.taxStatus')
      return state === 'gross' ? 'true' : state === 'net' ? 'false' : ''
    },
  },
})
