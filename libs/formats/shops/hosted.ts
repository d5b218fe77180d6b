import { flagAt, isObject, type JsonObject, localText, objectsAt, plainText, textAt, valueAt } from './json-values.ts'
import {
  differ,
  hundredths,
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

/** Products of BigCommerce: REST v3, and the GraphQL Storefront API. */
export const bigcommerce: ShopShape = {
  system: 'bigcommerce',
  isProduct: (object) =>
    ('calculated_price' in object && 'sku' in object) ||
    ('entityId' in object && 'name' in object && isObject(object.prices)),
  recordsOf(product, context) {
    const isRest = 'calculated_price' in product
    const variants = objectsAt(product, 'variants')
    const ref = textAt(product, 'sku') || textAt(product, 'id', 'entityId')
    if (variants.length > 0 && variants.some((one) => pricedBy(one) !== '')) {
      const refs = uniqueRefs(variants.map((one) => ({ sku: textAt(one, 'sku'), id: textAt(one, 'id', 'entityId') })))
      return variants.map((one, i) => bigcommerceRecord(product, { sold: one, ref: refs[i] || ref, context }))
    }
    const [low, high] = [textAt(product, 'prices.priceRange.min.value'), textAt(product, 'prices.priceRange.max.value')]
    if (!isRest && differ(low, high))
      return [rangeOf(ref, low, high, 'expected its variants: ask for variants { edges }')]
    return [bigcommerceRecord(product, { sold: product, ref, context })]
  },
}

const pricedBy = (sold: JsonObject) =>
  textAt(sold, 'prices.salePrice.value', 'prices.price.value', 'calculated_price', 'price')

function bigcommerceRecord(
  product: JsonObject,
  { sold, ref, context }: Readonly<{ sold: JsonObject; ref: string; context: ShopContext }>,
): ShopRecord {
  const options = [
    ...objectsAt(sold, 'option_values').map((one) => textAt(one, 'label')),
    ...objectsAt(sold, 'options').flatMap((one) => objectsAt(one, 'values').map((value) => textAt(value, 'label'))),
  ]
  const price = pricedBy(sold) || pricedBy(product)
  const level = textAt(sold, 'inventory_level')
  const isTracked = !/^none$/.test(textAt(product, 'inventory_tracking'))
  const written = textAt(product, 'availabilityV2.status', 'availability').toLowerCase()
  return priceOf(
    {
      ref,
      name: namedWith(textAt(product, 'name'), sold === product ? [] : options),
      price: isZero(price) ? '' : price,
      currency: textAt(sold, 'prices.price.currencyCode') || textAt(product, 'prices.price.currencyCode'),
      brand: textAt(product, 'brand.name', 'brand_name'),
      category: textAt(objectsAt(product, 'categories')[0], 'name'),
      description: textAt(product, 'plainTextDescription', 'description'),
      // A product without options has one variant, whose numbers stand with the product.
      gtin: textAt(sold, 'gtin', 'upc', 'ean') || (options.length === 0 ? textAt(product, 'gtin', 'upc', 'ean') : ''),
      mpn: textAt(sold, 'mpn') || textAt(product, 'mpn'),
      availability:
        written === 'preorder'
          ? 'PreOrder'
          : written === 'disabled' || written === 'unavailable'
            ? 'OutOfStock'
            : stock(
                flagAt(sold, 'inventory.isInStock', 'isPurchasable') ??
                  (level !== '' && isTracked && 'inventory_tracking' in product
                    ? Number(level) > 0
                    : written === 'available'
                      ? true
                      : undefined),
              ),
      url: textAt(product, 'path', 'custom_url.url', 'addToCartUrl'),
    },
    context,
  )
}

/** Products of Wix Stores, of both versions of its catalog. */
export const wix: ShopShape = {
  system: 'wix',
  isProduct: (object) =>
    (('priceData' in object || isObject(object.price)) &&
      'slug' in object &&
      ('productType' in object || 'stock' in object)) ||
    ('actualPriceRange' in object && 'slug' in object),
  recordsOf(product, context) {
    const ref = textAt(product, 'sku') || textAt(product, 'id')
    const kind = textAt(product, 'productType')
    if (/service|booking|course|gift/i.test(kind)) return [notSold(ref, kind)]
    const variants = objectsAt(product, 'variantsInfo.variants', 'variants').filter((one) => wixPrice(one) !== '')
    if (variants.length > 0 && (flagAt(product, 'manageVariants') !== false || variants.length > 1)) {
      const refs = uniqueRefs(
        variants.map((one) => ({ sku: textAt(one, 'variant.sku', 'sku'), id: textAt(one, 'id') })),
      )
      return variants.map((one, i) => wixVariant(product, one, { ref: refs[i] || ref, context }))
    }
    const low = textAt(product, 'actualPriceRange.minValue.amount', 'priceRange.minValue')
    const high = textAt(product, 'actualPriceRange.maxValue.amount', 'priceRange.maxValue')
    if (differ(low, high)) return [rangeOf(ref, low, high, 'expected its variants')]
    return [
      priceOf({ ...wixShared(product), ref, name: textAt(product, 'name'), price: wixPrice(product) || low }, context),
    ]
  },
}

const wixPrice = (sold: JsonObject) =>
  textAt(
    sold,
    'variant.priceData.discountedPrice',
    'variant.priceData.price',
    'priceData.discountedPrice',
    'price.discountedPrice',
    'price.actualPrice.amount',
    'priceData.price',
    'price.price',
  )

function wixShared(product: JsonObject) {
  const base = textAt(product, 'productPageUrl.base').replace(/\/$/, '')
  const path = textAt(product, 'productPageUrl.path', 'url.relativePath')
  return {
    currency: textAt(product, 'priceData.currency', 'price.currency', 'currency'),
    brand: textAt(product, 'brand.name', 'brand'),
    description: textAt(product, 'plainDescription', 'description'),
    availability:
      stock(flagAt(product, 'stock.inStock', 'inventory.inStock')) ||
      textAt(product, 'stock.inventoryStatus', 'inventory.availabilityStatus'),
    url: textAt(product, 'url.url') || (path === '' ? '' : `${base}${path}`),
  }
}

function wixVariant(
  product: JsonObject,
  variant: JsonObject,
  { ref, context }: Readonly<{ ref: string; context: ShopContext }>,
): ShopRecord {
  const { choices } = variant
  const options = Array.isArray(choices)
    ? objectsAt(variant, 'choices').map((one) => textAt(one, 'optionChoiceNames.choiceName', 'choiceName', 'value'))
    : Object.values(isObject(choices) ? choices : {}).map(plainText)
  const inStock = flagAt(variant, 'stock.inStock', 'inventoryStatus.inStock')
  return priceOf(
    {
      ...wixShared(product),
      ref,
      name: namedWith(textAt(product, 'name'), options),
      price: wixPrice(variant),
      currency: textAt(variant, 'variant.priceData.currency') || wixShared(product).currency,
      gtin: textAt(variant, 'barcode'),
      ...(inStock !== undefined && { availability: stock(inStock) }),
    },
    context,
  )
}

/** Products of Squarespace: a page as JSON, whose prices are also in cents, and the Commerce API. */
export const squarespace: ShopShape = {
  system: 'squarespace',
  isProduct: (object) =>
    ('urlId' in object &&
      ('structuredContent' in object || 'productType' in object) &&
      variantsOfSquare(object).length > 0) ||
    (Array.isArray(object.variants) &&
      objectsAt(object, 'variants').some((one) => valueAt(one, 'pricing.basePrice') !== undefined)),
  recordsOf(product, context) {
    const variants = variantsOfSquare(product)
    const kind = textAt(product, 'structuredContent.productType', 'productType', 'type')
    const refs = uniqueRefs(
      variants.map((one) => ({ sku: textAt(one, 'sku'), id: textAt(one, 'id') || textAt(product, 'id', 'urlId') })),
    )
    // 1 is a physical product, 2 a download, 3 a service, 4 a gift card.
    if (/^[34]$|SERVICE|GIFT/.test(kind)) return [notSold(refs[0] ?? '', kind === '4' ? 'gift card' : 'service')]
    return variants.map((variant, i) => {
      const options = Object.values(isObject(variant.attributes) ? variant.attributes : {}).map(plainText)
      const quantity = textAt(variant, 'qtyInStock', 'stock.quantity')
      const unlimited = flagAt(variant, 'unlimited', 'stock.unlimited')
      return priceOf(
        {
          ref: refs[i] ?? '',
          name: namedWith(textAt(product, 'title', 'name'), options),
          ...squarePrice(variant),
          description: textAt(product, 'excerpt', 'body', 'description'),
          category: localText(product, 'categories'),
          availability: stock(unlimited === true ? true : quantity === '' ? undefined : Number(quantity) > 0),
          url: textAt(product, 'fullUrl', 'url'),
        },
        context,
      )
    })
  },
}

function variantsOfSquare(product: JsonObject): readonly JsonObject[] {
  return objectsAt(product, 'structuredContent.variants', 'variants').filter(
    (one) => 'priceMoney' in one || 'pricing' in one || ('price' in one && 'onSale' in one),
  )
}

function squarePrice(variant: JsonObject): Readonly<{ price: string; currency: string }> {
  const isSale = flagAt(variant, 'onSale', 'pricing.onSale') === true
  const own = textAt(variant, 'priceMoney.value', 'pricing.basePrice.value') || hundredths(textAt(variant, 'price'))
  const sale =
    textAt(variant, 'salePriceMoney.value', 'pricing.salePrice.value') || hundredths(textAt(variant, 'salePrice'))
  const currency = textAt(variant, 'priceMoney.currency', 'pricing.basePrice.currency')
  return { price: isSale && !isZero(sale) ? sale : own, currency }
}

/** Products of Tiendanube and Nuvemshop: texts stand once for each language. */
export const tiendanube: ShopShape = {
  system: 'tiendanube',
  isProduct: (object) =>
    isObject(object.name) &&
    isObject(object.handle) &&
    Array.isArray(object.variants) &&
    objectsAt(object, 'variants').some(
      (one) => 'promotional_price' in one || 'stock_management' in one || 'values' in one,
    ),
  recordsOf(product, context) {
    const variants = objectsAt(product, 'variants')
    const refs = uniqueRefs(variants.map((one) => ({ sku: textAt(one, 'sku'), id: textAt(one, 'id') })))
    return variants.map((variant, i) => {
      const options = objectsAt(variant, 'values').map((one) => localText({ one }, 'one'))
      const sale = textAt(variant, 'promotional_price')
      const price = isZero(sale) ? textAt(variant, 'price') : sale
      const quantity = textAt(variant, 'stock')
      const isManaged = flagAt(variant, 'stock_management')
      return priceOf(
        {
          ref: refs[i] ?? '',
          name: namedWith(localText(product, 'name'), options),
          price: isZero(price) ? '' : price,
          brand: textAt(product, 'brand'),
          mpn: textAt(variant, 'mpn'),
          category: localText(objectsAt(product, 'categories')[0], 'name'),
          description: localText(product, 'description'),
          gtin: textAt(variant, 'barcode'),
          availability: stock(
            isManaged === false || (quantity === '' && isManaged === undefined)
              ? undefined
              : quantity === '' || Number(quantity) > 0,
          ),
          url: textAt(product, 'canonical_url') || localText(product, 'urls'),
        },
        context,
      )
    })
  },
}

/**
 * Products of Ecwid by its REST API: a combination of options is sold at its own price, and one without a price at the
 * product's unless an option changes it. Prices of the answer are those of the catalog, before taxes that the shop adds.
 */
export const ecwid: ShopShape = {
  system: 'ecwid',
  isProduct: (object) =>
    'name' in object &&
    'price' in object &&
    (Array.isArray(object.combinations) || 'defaultDisplayedPrice' in object) &&
    ('defaultDisplayedPrice' in object || 'defaultCombinationId' in object || 'enabled' in object),
  recordsOf(product, context) {
    const ref = textAt(product, 'sku', 'id')
    const combinations = objectsAt(product, 'combinations')
    const shared = {
      brand: textAt(product, 'brand'),
      description: textAt(product, 'description'),
      category: localText(objectsAt(product, 'categories')[0], 'name'),
      url: textAt(product, 'url'),
    }
    if (combinations.length === 0) {
      const price = textAt(product, 'price')
      const availability = stock(flagAt(product, 'inStock'))
      return [
        priceOf(
          { ...shared, ref, name: textAt(product, 'name'), price: isZero(price) ? '' : price, availability },
          context,
        ),
      ]
    }
    const refs = uniqueRefs(combinations.map((one) => ({ sku: textAt(one, 'sku'), id: textAt(one, 'id') })))
    // An option may change the price of the product.
    const isModified = objectsAt(product, 'options').some((option) =>
      objectsAt(option, 'choices').some((choice) => !isZero(textAt(choice, 'priceModifier'))),
    )
    return combinations.map((one, i) => {
      const price = textAt(one, 'price') || (isModified ? '' : textAt(product, 'price'))
      const options = objectsAt(one, 'options').map((option) => textAt(option, 'value'))
      return priceOf(
        {
          ...shared,
          ref: refs[i] || ref,
          name: namedWith(textAt(product, 'name'), options),
          price: isZero(price) ? '' : price,
          availability: stock(flagAt(one, 'inStock')),
        },
        context,
      )
    })
  },
}
