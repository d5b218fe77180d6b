import { flagAt, isObject, type JsonObject, localText, objectsAt, textAt, valueAt } from './json-values.ts'
import {
  differ,
  isZero,
  namedWith,
  notSold,
  priceOf,
  rangeOf,
  type ShopContext,
  type ShopRecord,
  type ShopShape,
  stock,
  uniqueRefs,
} from './shop-shape.ts'

/** Products of SAP Commerce (OCC): lists, details with their variants, and tiers of volume prices. */
export const sapCommerce: ShopShape = {
  system: 'sap-commerce',
  isProduct: (object) =>
    'code' in object &&
    ('currencyIso' in asObject(object.price) ||
      'currencyIso' in asObject(valueAt(object, 'priceRange.minPrice')) ||
      (Array.isArray(object.variantOptions) && 'name' in object)),
  recordsOf(product, context) {
    const variants = objectsAt(product, 'variantOptions')
    if (variants.length > 0) return variants.map((variant) => sapVariant(product, variant, context))
    const ref = textAt(product, 'code')
    const low = textAt(product, 'priceRange.minPrice.value')
    const high = textAt(product, 'priceRange.maxPrice.value')
    if (differ(low, high) || (flagAt(product, 'multidimensional') === true && textAt(product, 'price.value') === '')) {
      return [rangeOf(ref, low, high, 'expected its variants: ask for fields=variantOptions(FULL)')]
    }
    if (/^FROM$/i.test(textAt(product, 'price.priceType'))) {
      return [rangeOf(ref, textAt(product, 'price.value'), '', 'expected its variants')]
    }
    const price = textAt(product, 'price.value') || low
    return [
      priceOf(
        { ...sapShared(product), ref, name: textAt(product, 'name'), price: isZero(price) ? '' : price },
        context,
      ),
    ]
  },
}

function sapShared(product: JsonObject) {
  const level = textAt(product, 'stock.stockLevelStatus', 'stock.stockLevelStatus.code')
  return {
    currency: textAt(product, 'price.currencyIso', 'priceRange.minPrice.currencyIso'),
    brand: textAt(product, 'manufacturer', 'brand.name'),
    category: textAt(objectsAt(product, 'categories')[0], 'name'),
    description: textAt(product, 'summary', 'description'),
    gtin: textAt(product, 'ean'),
    mpn: textAt(product, 'manufacturerAID'),
    unit: textAt(product, 'unit.name', 'unit.code', 'salesUnit'),
    availability: /low/i.test(level) ? 'LimitedAvailability' : level,
    url: textAt(product, 'url'),
  }
}

function sapVariant(product: JsonObject, variant: JsonObject, context: ShopContext): ShopRecord {
  const qualifiers = objectsAt(variant, 'variantOptionQualifiers').map((one) => textAt(one, 'value'))
  const price = textAt(variant, 'priceData.value', 'price.value')
  const shared = sapShared({ ...product, stock: valueAt(variant, 'stock') ?? product.stock })
  return priceOf(
    {
      ...shared,
      ref: textAt(variant, 'code'),
      name: namedWith(textAt(variant, 'name') || textAt(product, 'name'), qualifiers),
      price: isZero(price) ? '' : price,
      currency: textAt(variant, 'priceData.currencyIso', 'price.currencyIso') || shared.currency,
      gtin: textAt(variant, 'ean'),
      url: textAt(variant, 'url') || shared.url,
    },
    context,
  )
}

/** Products of Salesforce B2C Commerce: search hits and details of OCAPI (snake case) and SCAPI (camel case). */
export const salesforce: ShopShape = {
  system: 'salesforce-commerce',
  isProduct: (object) =>
    ('product_id' in object && ('product_name' in object || 'hit_type' in object)) ||
    ('productId' in object &&
      'productName' in object &&
      !('items' in object) &&
      ('price' in object || 'hitType' in object)) ||
    ('id' in object &&
      'name' in object &&
      isObject(object.type) &&
      ['item', 'master', 'variant', 'bundle', 'set'].some((type) => type in asObject(object.type))),
  recordsOf(product, context) {
    const variants = objectsAt(product, 'variants').filter((one) => textAt(one, 'price') !== '')
    const isParent = ['master', 'variation_group', 'variationGroup', 'set', 'bundle'].some(
      (type) => flagAt(product, `type.${type}`, `product_type.${type}`, `productType.${type}`) === true,
    )
    if (variants.length > 0 && isParent) return variants.map((one) => salesforceVariant(product, one, context))
    const ref = textAt(product, 'product_id', 'productId', 'id')
    const low = textAt(product, 'price')
    const high = textAt(product, 'price_max', 'priceMax')
    if (
      differ(low, high) ||
      (isParent && high === '' && /master|group|set/i.test(textAt(product, 'hit_type', 'hitType') || 'master'))
    ) {
      return [rangeOf(ref, low, high, 'expected its variants: ask for expand=variations,prices')]
    }
    const name = textAt(product, 'product_name', 'productName', 'name')
    return [priceOf({ ...salesforceShared(product), ref, name, price: isZero(low) ? '' : low }, context)]
  },
}

function salesforceShared(product: JsonObject) {
  const orderable = flagAt(product, 'inventory.orderable', 'orderable')
  const isPreorder =
    flagAt(product, 'inventory.preorderable') === true && flagAt(product, 'inventory.in_stock_date') === undefined
  return {
    currency: textAt(product, 'currency'),
    brand: textAt(product, 'brand', 'manufacturer_name', 'manufacturerName'),
    description: textAt(product, 'short_description', 'shortDescription', 'page_description', 'pageDescription'),
    gtin: textAt(product, 'ean', 'upc'),
    mpn: textAt(product, 'manufacturer_sku', 'manufacturerSku'),
    unit: textAt(product, 'unit'),
    availability:
      isPreorder && orderable === true && textAt(product, 'inventory.ats') === '0' ? 'PreOrder' : stock(orderable),
    url: textAt(product, 'c_url', 'slugUrl'),
  }
}

function salesforceVariant(product: JsonObject, variant: JsonObject, context: ShopContext): ShopRecord {
  const values = valueAt(variant, 'variation_values') ?? valueAt(variant, 'variationValues')
  return priceOf(
    {
      ...salesforceShared(product),
      ref: textAt(variant, 'product_id', 'productId'),
      name: namedWith(
        textAt(variant, 'name') || textAt(product, 'product_name', 'productName', 'name'),
        Object.entries(asObject(values)).map(([attribute, value]) => labelOf(product, attribute, value)),
      ),
      price: isZero(textAt(variant, 'price')) ? '' : textAt(variant, 'price'),
      gtin: textAt(variant, 'ean', 'upc'),
      mpn: textAt(variant, 'manufacturer_sku', 'manufacturerSku'),
      availability: stock(flagAt(variant, 'orderable')),
    },
    context,
  )
}

/** The name of a variation's value: the variants hold its code. */
function labelOf(product: JsonObject, attribute: string, value: unknown): string {
  const code = typeof value === 'string' ? value : ''
  const attributes = objectsAt(product, 'variation_attributes', 'variationAttributes')
  const values = objectsAt(
    attributes.find((one) => textAt(one, 'id') === attribute),
    'values',
  )
  return (
    textAt(
      values.find((one) => textAt(one, 'value') === code),
      'name',
    ) || code
  )
}

/**
 * Products of VTEX: every item is a record, at the price of the shop's own seller, else of the first that has it. A price is
 * per unit of measure.
 */
export const vtex: ShopShape = {
  system: 'vtex',
  isProduct: (object) =>
    'productId' in object &&
    Array.isArray(object.items) &&
    objectsAt(object, 'items').some((item) => 'sellers' in item),
  recordsOf(product, context) {
    const items = objectsAt(product, 'items')
    const refs = uniqueRefs(
      items.map((item) => ({
        sku: textAt(objectsAt(item, 'referenceId')[0], 'Value') || textAt(item, 'itemId'),
        id: textAt(item, 'itemId'),
      })),
    )
    return items.map((item, i) => {
      const sellers = objectsAt(item, 'sellers')
      const seller = sellers.find((one) => flagAt(one, 'sellerDefault') === true) ?? sellers[0]
      const price = textAt(seller, 'commertialOffer.Price')
      const isKnown = textAt(seller, 'commertialOffer.AvailableQuantity') !== ''
      const quantity = Number(textAt(seller, 'commertialOffer.AvailableQuantity'))
      const unit = textAt(item, 'measurementUnit')
      const multiplier = textAt(item, 'unitMultiplier')
      const hasContents = !/^un$/i.test(unit) && unit !== '' && multiplier !== '' && Number(multiplier) !== 1
      return priceOf(
        {
          ref: refs[i] ?? '',
          name: textAt(item, 'nameComplete') || namedWith(textAt(product, 'productName'), [textAt(item, 'name')]),
          price: isZero(price) ? '' : price,
          brand: textAt(product, 'brand'),
          mpn: textAt(product, 'productReference') === refs[i] ? '' : textAt(product, 'manufacturerCode'),
          category: localText(product, 'categories').split('/'),
          description: textAt(product, 'metaTagDescription', 'description'),
          gtin: textAt(item, 'ean'),
          unit,
          ...(hasContents && { packQuantity: multiplier.replace(/\.?0+$/, ''), packUnit: unit }),
          availability: stock(flagAt(seller, 'commertialOffer.IsAvailable') ?? (isKnown ? quantity > 0 : undefined)),
          url: textAt(product, 'link'),
        },
        context,
      )
    })
  },
}

/** Listings of Mercado Libre and marketplaces like it: each is one seller's offer. */
export const marketplace: ShopShape = {
  system: 'mercado-libre',
  isProduct: (object) =>
    'currency_id' in object && 'title' in object && 'price' in object && ('site_id' in object || 'permalink' in object),
  recordsOf(listing, context) {
    const ref = textAt(listing, 'id')
    const condition = textAt(listing, 'condition')
    if (condition !== '' && !/^(new|not_specified)$/.test(condition)) {
      return [{ reason: 'NOT_NEW', detail: `condition '${condition.slice(0, 40)}': expected new`, vendorRef: ref }]
    }
    if (/auction|classified/.test(textAt(listing, 'buying_mode'))) return [notSold(ref, textAt(listing, 'buying_mode'))]
    const attributes = objectsAt(listing, 'attributes')
    const attribute = (id: string) =>
      textAt(
        attributes.find((one) => textAt(one, 'id') === id),
        'value_name',
      )
    const told = {
      currency: textAt(listing, 'currency_id'),
      brand: attribute('BRAND'),
      mpn: attribute('PART_NUMBER') || attribute('MPN'),
      gtin: attribute('GTIN'),
      availability:
        textAt(listing, 'status') === 'active' || textAt(listing, 'status') === ''
          ? stock(quantityOf(listing))
          : 'OutOfStock',
      url: textAt(listing, 'permalink'),
    }
    const variations = objectsAt(listing, 'variations').filter((one) => textAt(one, 'price') !== '')
    if (variations.length === 0) {
      const price = textAt(listing, 'sale_price.amount', 'price')
      return [priceOf({ ...told, ref, name: textAt(listing, 'title'), price }, context)]
    }
    return variations.map((one) =>
      priceOf(
        {
          ...told,
          ref: `${ref}|${textAt(one, 'id')}`,
          name: namedWith(
            textAt(listing, 'title'),
            objectsAt(one, 'attribute_combinations').map((each) => textAt(each, 'value_name')),
          ),
          price: textAt(one, 'price'),
          availability: stock(quantityOf(one)),
        },
        context,
      ),
    )
  },
}

function quantityOf(listing: JsonObject): boolean | undefined {
  const quantity = textAt(listing, 'available_quantity')
  return quantity === '' ? undefined : Number(quantity) > 0
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})
