import { flagAt, isObject, type JsonObject, localText, objectsAt, plainText, textAt } from './json-values.ts'
import { isZero, namedWith, notSold, priceOf, rangeOf, type ShopShape, stock } from './shop-shape.ts'

/** Shop systems of Europe. */

/** Products of PrestaShop: lists of the shop, whose prices are for people too, and of the web service, whose prices are net. */
export const prestashop: ShopShape = {
  system: 'prestashop',
  isProduct: (object) =>
    ('id_product' in object && ('price_amount' in object || 'price' in object)) ||
    ('id_manufacturer' in object &&
      'price' in object &&
      ['id_category_default', 'wholesale_price', 'unit_price_ratio', 'minimal_quantity'].some((key) => key in object)),
  recordsOf(product, context) {
    const isService = !('id_product' in product)
    const combination = textAt(product, 'id_product_attribute')
    const own = textAt(product, 'id_product', 'id')
    const ref =
      textAt(product, 'reference') || (combination === '' || combination === '0' ? own : `${own}-${combination}`)
    const hidden = flagAt(product, 'show_price') === false
    const price = textAt(product, 'price_amount') || textAt(product, 'price')
    const quantity = textAt(product, 'quantity')
    const written = textAt(product, 'availability')
    return [
      priceOf(
        {
          ref,
          name: namedWith(localText(product, 'name'), attributesOf(product)),
          price: hidden || isZero(price) ? '' : price,
          currency: textAt(product, 'currency', 'price_currency'),
          brand: textAt(product, 'manufacturer_name'),
          mpn: textAt(product, 'mpn'),
          category: textAt(product, 'category_name'),
          description: localText(product, 'description_short', 'description'),
          gtin: textAt(product, 'ean13', 'upc', 'isbn'),
          taxIncluded: isService ? false : taxOf(product),
          availability: written || stock(quantity === '' || isService ? undefined : Number(quantity) > 0),
          url: textAt(product, 'canonical_url', 'url', 'link'),
        },
        context,
      ),
    ]
  },
}

function taxOf(product: JsonObject): boolean | undefined {
  const labels = textAt(product, 'labels.tax_short', 'labels.tax_long')
  if (/excl|h\.?t\.?\b|sin|zzgl|escl|senza/i.test(labels)) return false
  return /incl|t\.?t\.?c|con|inkl|ivato/i.test(labels) ? true : undefined
}

function attributesOf(product: JsonObject): readonly string[] {
  const { attributes } = product
  const groups = isObject(attributes) ? Object.values(attributes).filter(isObject) : objectsAt(product, 'attributes')
  return groups.map((one) => textAt(one, 'name', 'value'))
}

/** Products of Shopware 6 as its Store API lists them. A product with children is sold as one of them. */
export const shopware: ShopShape = {
  system: 'shopware',
  isProduct: (object) => 'productNumber' in object && ('calculatedPrice' in object || 'calculatedPrices' in object),
  recordsOf(product, context) {
    const ref = textAt(product, 'productNumber')
    const low = textAt(product, 'calculatedCheapestPrice.unitPrice', 'calculatedPrice.unitPrice')
    if (Number(textAt(product, 'childCount') || '0') > 0) return [rangeOf(ref, low, '', 'expected its variants')]
    const options = objectsAt(product, 'options').map((one) => localText(one, 'translated.name', 'name'))
    const [tier] = objectsAt(product, 'calculatedPrices')
    const price = textAt(tier, 'unitPrice') || textAt(product, 'calculatedPrice.unitPrice')
    const minimum = textAt(product, 'minPurchase')
    const contents = textAt(product, 'calculatedPrice.referencePrice.purchaseUnit', 'purchaseUnit')
    const unit = localText(product, 'unit.translated.shortCode', 'unit.shortCode', 'unit.translated.name', 'unit.name')
    const packUnit = textAt(product, 'calculatedPrice.referencePrice.unitName') || unit
    const isPacked = contents !== '' && !isZero(contents) && packUnit !== ''
    return [
      priceOf(
        {
          ref,
          name: namedWith(localText(product, 'translated.name', 'name'), options),
          price: isZero(price) ? '' : price,
          brand: localText(product, 'manufacturer.translated.name', 'manufacturer.name'),
          mpn: textAt(product, 'manufacturerNumber'),
          category: localText(objectsAt(product, 'categories')[0], 'translated.name', 'name'),
          description: localText(product, 'translated.description', 'description'),
          gtin: textAt(product, 'ean'),
          unit: localText(product, 'translated.packUnit', 'packUnit'),
          ...(isPacked && { packQuantity: contents, packUnit }),
          ...(minimum !== '' && minimum !== '1' && Number(minimum) > 1 && { minQuantity: minimum }),
          taxIncluded: taxState(product),
          availability: stock(flagAt(product, 'available')) || '',
          url: textAt(objectsAt(product, 'seoUrls')[0], 'seoPathInfo'),
        },
        context,
      ),
    ]
  },
}

/** Gross prices contain their taxes; net ones have them on top. */
function taxState(product: JsonObject): boolean | undefined {
  const status = plainText(product.taxState) || textAt(product, 'calculatedPrice.taxStatus')
  return status === 'gross' ? true : status === 'net' ? false : undefined
}

/** Products of nopCommerce: pages of a catalog as its models, in Pascal or snake case. */
export const nopcommerce: ShopShape = {
  system: 'nopcommerce',
  isProduct: (object) =>
    ('ProductPrice' in object && ('SeName' in object || 'Name' in object)) ||
    ('product_price' in object && ('se_name' in object || 'name' in object)),
  recordsOf(product, context) {
    const at = (pascal: string, snake: string) => textAt(product, pascal, snake)
    const ref = at('Sku', 'sku') || at('Id', 'id')
    if (flagAt(product, 'ProductPrice.IsRental', 'product_price.is_rental') === true) return [notSold(ref, 'rental')]
    const shown = at('ProductPrice.Price', 'product_price.price')
    const value = at('ProductPrice.PriceValue', 'product_price.price_value')
    const isGrouped = /group/i.test(at('ProductType', 'product_type'))
    // "From $12.00": of variants, of tiers, or of a group.
    if (isGrouped || /^(from|ab|desde|à partir|da|vanaf|od|от|a partir)\b/i.test(shown)) {
      return [rangeOf(ref, value || shown, '', 'expected its variants')]
    }
    const price = isZero(value) ? shown : value
    return [
      priceOf(
        {
          ref,
          name: at('Name', 'name'),
          price:
            flagAt(product, 'ProductPrice.CallForPrice', 'product_price.call_for_price') === true || isZero(price)
              ? ''
              : price,
          currency: at('ProductPrice.CurrencyCode', 'product_price.currency_code'),
          description: at('ShortDescription', 'short_description'),
          gtin: at('Gtin', 'gtin'),
          mpn: at('ManufacturerPartNumber', 'manufacturer_part_number'),
          url: at('SeName', 'se_name') && `/${at('SeName', 'se_name')}`,
        },
        context,
      ),
    ]
  },
}

/**
 * Products of OpenCart and its forks as their themes list them: `special` is the price that the shop shows in place of
 * `price`, and false without one.
 */
export const opencart: ShopShape = {
  system: 'opencart',
  isProduct: (object) =>
    'product_id' in object &&
    'special' in object &&
    'price' in object &&
    'name' in object &&
    ['href', 'tax', 'minimum', 'thumb', 'rating', 'model'].some((key) => key in object),
  recordsOf(product, context) {
    const special = textAt(product, 'special')
    const price = isZero(special) ? textAt(product, 'price') : special
    const quantity = textAt(product, 'quantity')
    return [
      priceOf(
        {
          ref: textAt(product, 'sku', 'model', 'product_id'),
          name: textAt(product, 'name'),
          price: isZero(price) ? '' : price,
          currency: textAt(product, 'currency', 'currency_code'),
          brand: textAt(product, 'manufacturer'),
          description: textAt(product, 'description'),
          gtin: textAt(product, 'ean', 'upc'),
          mpn: textAt(product, 'mpn'),
          availability: stock(quantity === '' ? undefined : Number(quantity) > 0),
          url: textAt(product, 'href'),
        },
        context,
      ),
    ]
  },
}
