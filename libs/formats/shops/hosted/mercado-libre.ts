import { type JsonObject, objectsAt, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { counted, platform } from '@catalog/formats/shops/products/platform.ts'
import { notSoldAs } from '@catalog/formats/shops/products/shop-record.ts'

/** An attribute of a listing by its id. */
const attribute =
  (...ids: readonly string[]) =>
  (listing: JsonObject) => {
    const found = ids.map((id) => objectsAt(listing, 'attributes').find((one) => textAt(one, 'id') === id))
    return found.map((one) => textAt(one, 'value_name')).find((text) => text !== '') ?? ''
  }

/** Mercado Libre and marketplaces like it: each listing is one seller's offer. */
export const mercadoLibre = platform({
  system: 'mercado-libre',
  isProduct: (object) =>
    'currency_id' in object && 'title' in object && 'price' in object && ('site_id' in object || 'permalink' in object),
  refusal(listing) {
    const condition = textAt(listing, 'condition')
    if (condition !== '' && !/^(new|not_specified)$/.test(condition)) {
      return { reason: 'NOT_NEW', detail: `condition '${condition.slice(0, 40)}': expected new` }
    }
    return notSoldAs(textAt(listing, 'buying_mode'), /auction|classified/)
  },
  variants: (listing) => objectsAt(listing, 'variations').filter((one) => textAt(one, 'price') !== ''),
  sku: (variation, { product }) => `${textAt(product, 'id')}|${textAt(variation, 'id')}`,
  options: (variation) => objectsAt(variation, 'attribute_combinations').map((one) => textAt(one, 'value_name')),
  shared: {
    brand: attribute('BRAND'),
    mpn: attribute('PART_NUMBER', 'MPN'),
    gtin: attribute('GTIN'),
  },
  own: {
    availability: (sold) =>
      /^(active)?$/.test(textAt(sold, 'status')) ? counted('available_quantity')(sold) : 'OutOfStock',
  },
})
