import { exponentOf } from '@catalog/core/money/money.ts'
import { isWithin } from '@catalog/formats/mapping/dates.ts'
import { flagAt, isObject, type JsonObject, localText, objectsAt, plainText, textAt, valueAt } from './json-values.ts'
import {
  differ,
  isZero,
  namedWith,
  ofMinorUnits,
  priceOf,
  rangeOf,
  type ShopContext,
  type ShopRecord,
  type ShopShape,
  stock,
  uniqueRefs,
} from './shop-shape.ts'

/** Shop systems without a storefront of their own: commercetools, Saleor, Medusa, Sylius and Spree. */

/**
 * Product projections of commercetools: every variant at its selected price (`price`), else at the only one of `prices` that
 * holds for everybody now. A discounted price comes before the value. https://docs.commercetools.com/api/projects/productProjections
 */
export const commercetools: ShopShape = {
  system: 'commercetools',
  isProduct: (object) =>
    isObject(object.masterVariant) &&
    (Array.isArray(object.masterVariant.prices) || isObject(object.masterVariant.price)),
  recordsOf(product, context) {
    const variants = [...objectsAt({ master: [product.masterVariant] }, 'master'), ...objectsAt(product, 'variants')]
    const refs = uniqueRefs(
      variants.map((one) => ({ sku: textAt(one, 'sku', 'key'), id: `${textAt(product, 'id')}-${textAt(one, 'id')}` })),
    )
    return variants.map((variant, i): ShopRecord => {
      const ref = refs[i] ?? ''
      const amounts = isObject(variant.price)
        ? [moneyOf(variant.price)]
        : objectsAt(variant, 'prices')
            .filter((one) => holdsForAll(one, context))
            .map(moneyOf)
      const [amount] = amounts
      if (amounts.some((one) => one.price !== amount?.price || one.currency !== amount.currency)) {
        const shown = amounts.map(({ price, currency }) => `${price} ${currency}`).join(', ')
        const detail = `several prices: ${shown.slice(0, 200)}; expected one: ask for priceCurrency and priceCountry`
        return { reason: 'AMBIGUOUS_OFFER', detail, vendorRef: ref }
      }
      const attributes = objectsAt(variant, 'attributes')
      const attribute = (...names: readonly string[]) =>
        textAt(
          attributes.find((one) => names.includes(textAt(one, 'name').toLowerCase())),
          'value',
        )
      return priceOf(
        {
          ref,
          name: localText(product, 'name'),
          price: isZero(amount?.price ?? '') ? '' : (amount?.price ?? ''),
          currency: amount?.currency ?? '',
          brand: attribute('brand', 'manufacturer'),
          category: localText(objectsAt(product, 'categories')[0], 'obj.name'),
          description: localText(product, 'description'),
          gtin: attribute('ean', 'gtin', 'upc'),
          availability: stock(flagAt(variant, 'availability.isOnStock')),
        },
        context,
      )
    })
  },
}

/** Neither for a group of customers nor for one channel, within its dates, and in the operator's currency where known. */
function holdsForAll(price: JsonObject, { at, currency }: ShopContext): boolean {
  const period = { start: textAt(price, 'validFrom'), end: textAt(price, 'validUntil') }
  return (
    !('customerGroup' in price) &&
    !('channel' in price) &&
    isWithin(period, at) === true &&
    (currency === undefined || textAt(price, 'value.currencyCode') === currency)
  )
}

function moneyOf(price: JsonObject): Readonly<{ price: string; currency: string }> {
  const money = valueAt(price, 'discounted.value') ?? price.value
  const digits = textAt(money, 'preciseAmount', 'centAmount')
  return {
    price: ofMinorUnits(digits, Number(textAt(money, 'fractionDigits') || '2')),
    currency: textAt(money, 'currencyCode'),
  }
}

/** Products of Saleor: every variant at its gross price, else at the net one. https://docs.saleor.io/api-reference/products */
export const saleor: ShopShape = {
  system: 'saleor',
  isProduct: (object) =>
    valueAt(object, 'pricing.priceRange') !== undefined ||
    objectsAt(object, 'variants').some((one) => isObject(valueAt(one, 'pricing.price'))),
  recordsOf(product, context) {
    const shared = {
      category: textAt(product, 'category.name'),
      description: textAt(product, 'seoDescription'),
    }
    const variants = objectsAt(product, 'variants').filter((one) => isObject(valueAt(one, 'pricing.price')))
    if (variants.length === 0) {
      const ref = textAt(product, 'slug', 'id')
      const [low, high] = ['start', 'stop'].map((end) => saleorMoney(valueAt(product, `pricing.priceRange.${end}`)))
      if (differ(low?.price ?? '', high?.price ?? '') || Array.isArray(product.variants) || high?.price === '') {
        return [
          rangeOf(ref, low?.price ?? '', high?.price ?? '', 'expected its variants with pricing { price { gross } }'),
        ]
      }
      return [priceOf({ ...shared, ...(low ?? { price: '' }), ref, name: textAt(product, 'name') }, context)]
    }
    const refs = uniqueRefs(variants.map((one) => ({ sku: textAt(one, 'sku'), id: textAt(one, 'id') })))
    return variants.map((variant, i) => {
      const quantity = textAt(variant, 'quantityAvailable')
      const own = textAt(variant, 'name')
      return priceOf(
        {
          ...shared,
          ...saleorMoney(valueAt(variant, 'pricing.price')),
          ref: refs[i] ?? '',
          name: namedWith(textAt(product, 'name'), own === textAt(variant, 'sku') ? [] : [own]),
          availability: stock(quantity === '' ? flagAt(product, 'isAvailable') : Number(quantity) > 0),
        },
        context,
      )
    })
  },
}

function saleorMoney(taxed: unknown): Readonly<{ price: string; currency: string; taxIncluded: boolean | undefined }> {
  const [gross, net] = [textAt(taxed, 'gross.amount'), textAt(taxed, 'net.amount')]
  const price = gross || net
  const currency = textAt(taxed, 'gross.currency', 'net.currency', 'currency')
  return { price: isZero(price) ? '' : price, currency, taxIncluded: price === '' ? undefined : gross !== '' }
}

/**
 * Products of Medusa: the calculated price of every variant. Version 2 gives it as an object with decimals, version 1 as a
 * number of minor units; the list `prices` alone tells neither. https://docs.medusajs.com/resources/commerce-modules/product
 */
export const medusa: ShopShape = {
  system: 'medusa',
  isProduct: (object) =>
    'title' in object &&
    objectsAt(object, 'variants').some(
      (one) => 'calculated_price' in one || objectsAt(one, 'prices').some((price) => 'currency_code' in price),
    ),
  recordsOf(product, context) {
    const variants = objectsAt(product, 'variants')
    const refs = uniqueRefs(variants.map((one) => ({ sku: textAt(one, 'sku'), id: textAt(one, 'id') })))
    return variants.map((variant, i): ShopRecord => {
      const ref = refs[i] ?? ''
      const money = medusaMoney(variant, context)
      if (money === null) {
        const detail = 'amounts of version 1 are minor units, and those of version 2 are none: ask for calculated_price'
        return { reason: 'AMBIGUOUS_OFFER', detail, vendorRef: ref }
      }
      const quantity = textAt(variant, 'inventory_quantity')
      const isManaged = flagAt(variant, 'manage_inventory') !== false
      return priceOf(
        {
          ...money,
          ref,
          name: namedWith(textAt(product, 'title'), [textAt(variant, 'title').replace(/^default.*$/i, '')]),
          brand: textAt(product, 'brand.name'),
          category: textAt(objectsAt(product, 'categories')[0], 'name') || textAt(product, 'collection.title'),
          description: textAt(product, 'description'),
          gtin: textAt(variant, 'ean', 'upc', 'barcode'),
          availability: stock(quantity === '' ? undefined : !isManaged || Number(quantity) > 0),
        },
        context,
      )
    })
  },
}

function medusaMoney(
  variant: JsonObject,
  context: ShopContext,
): Readonly<{ price: string; currency: string; taxIncluded?: boolean | undefined }> | null {
  const calculated = variant.calculated_price
  if (isObject(calculated)) {
    const price = textAt(calculated, 'calculated_amount')
    const currency = textAt(calculated, 'currency_code').toUpperCase()
    return {
      price: isZero(price) ? '' : price,
      currency,
      taxIncluded: flagAt(calculated, 'is_calculated_price_tax_inclusive'),
    }
  }
  const minor = plainText(calculated)
  const codes = [...new Set(objectsAt(variant, 'prices').map((one) => textAt(one, 'currency_code').toUpperCase()))]
  const currency = codes.length === 1 ? (codes[0] ?? '') : (context.currency ?? '')
  if (minor === '' || !('original_price' in variant) || exponentOf(currency) === null) return null
  return { price: isZero(minor) ? '' : ofMinorUnits(minor, exponentOf(currency) ?? 2), currency }
}

/**
 * Products and variants of Sylius' Shop API: whole numbers of minor units, in the currency of the channel. A product gives its
 * default variant, so one with several is refused. https://docs.sylius.com/the-book/products
 */
export const sylius: ShopShape = {
  system: 'sylius',
  isProduct: (object) =>
    'code' in object &&
    (isObject(object.defaultVariantData) ||
      (textAt(object, '@type') === 'ProductVariant' && 'price' in object && 'originalPrice' in object)),
  recordsOf(product, context) {
    const sold = isObject(product.defaultVariantData) ? product.defaultVariantData : product
    const amount = ofMinorUnits(textAt(sold, 'price'), exponentOf(context.currency ?? '') ?? 2)
    const ref = textAt(sold, 'code')
    if (Array.isArray(product.variants) && product.variants.length > 1) {
      return [rangeOf(ref, amount, '', 'the default variant alone: expected /api/v2/shop/product-variants')]
    }
    return [
      priceOf(
        {
          ref,
          name: textAt(product, 'name') || textAt(sold, 'name'),
          price: isZero(amount) ? '' : amount,
          description: textAt(product, 'shortDescription', 'description'),
          availability: stock(flagAt(sold, 'inStock')),
        },
        context,
      ),
    ]
  },
}

/**
 * Products and variants of Spree by its Storefront API. A product has the price of its master variant, so one with variants is
 * refused. https://spreecommerce.org/docs/api-reference
 */
export const spree: ShopShape = {
  system: 'spree',
  isProduct: (object) =>
    /^(product|variant)$/.test(textAt(object, 'type')) &&
    isObject(object.attributes) &&
    'display_price' in object.attributes &&
    'price' in object.attributes,
  recordsOf(product, context) {
    const told = product.attributes
    const ref = textAt(told, 'sku') || textAt(product, 'id')
    const price = textAt(told, 'price')
    if (objectsAt(product, 'relationships.variants.data').length > 0) {
      return [rangeOf(ref, price, '', 'expected its variants')]
    }
    return [
      priceOf(
        {
          ref,
          name: namedWith(textAt(told, 'name'), [textAt(told, 'options_text')]),
          price: isZero(price) ? '' : price,
          currency: textAt(told, 'currency'),
          description: textAt(told, 'description'),
          gtin: textAt(told, 'barcode'),
          availability: stock(flagAt(told, 'in_stock')),
        },
        context,
      ),
    ]
  },
}
