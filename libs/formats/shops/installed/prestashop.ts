import {
  flagAt,
  isObject,
  type JsonObject,
  localText,
  objectsAt,
  textAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { counted, platform } from '@catalog/formats/shops/products/platform.ts'
import { isZero, namedWith } from '@catalog/formats/shops/products/shop-record.ts'

const isOfService = (product: JsonObject) => !('id_product' in product)

/** PrestaShop: lists of the shop, whose prices are for people too, and of the web service, whose prices are net. */
export const prestashop = platform({
  system: 'prestashop',
  isProduct: (object) =>
    ('id_product' in object && ('price_amount' in object || 'price' in object)) ||
    ('id_manufacturer' in object &&
      'price' in object &&
      ['id_category_default', 'wholesale_price', 'unit_price_ratio', 'minimal_quantity'].some((key) => key in object)),
  ref(product) {
    const [own, combination] = [textAt(product, 'id_product', 'id'), textAt(product, 'id_product_attribute')]
    return textAt(product, 'reference') || (/^0?$/.test(combination) ? own : `${own}-${combination}`)
  },
  price(product) {
    const price = textAt(product, 'price_amount', 'price')
    return flagAt(product, 'show_price') === false || isZero(price) ? '' : price
  },
  own: {
    name: (product) => namedWith(localText(product, 'name'), attributesOf(product)),
    tax_included: (product) => (isOfService(product) ? 'false' : taxIncluded(product)),
    availability: (product) =>
      textAt(product, 'availability') || (isOfService(product) ? '' : counted('quantity')(product)),
  },
})

function taxIncluded(product: JsonObject): string {
  const labels = textAt(product, 'labels.tax_short', 'labels.tax_long')
  if (/excl|h\.?t\.?\b|sin|zzgl|escl|senza/i.test(labels)) return 'false'
  return /incl|t\.?t\.?c|con|inkl|ivato/i.test(labels) ? 'true' : ''
}

function attributesOf(product: JsonObject): readonly string[] {
  const { attributes } = product
  const groups = isObject(attributes) ? Object.values(attributes).filter(isObject) : objectsAt(product, 'attributes')
  return groups.map((one) => textAt(one, 'name', 'value'))
}
