import { isWithin } from '@catalog/formats/mapping/dates.ts'
import { isObject, type JsonObject, objectsAt, textAt, valueAt } from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { isZero, ofMinorUnits, type ShopContext } from '@catalog/formats/shops/products/shop-record.ts'

/**
 * Product projections of commercetools: every variant at its selected price (`price`), else at the only one of `prices` that
 * holds for everybody now. A discounted price comes before the value. https://docs.commercetools.com/api/projects/productProjections
 */
export const commercetools = platform({
  system: 'commercetools',
  isProduct: (object) =>
    isObject(object.masterVariant) &&
    (Array.isArray(object.masterVariant.prices) || isObject(object.masterVariant.price)),
  variants: (product) => [product.masterVariant, ...objectsAt(product, 'variants')].filter(isObject),
  id: (variant, { product }) => `${textAt(product, 'id')}-${textAt(variant, 'id')}`,
  price(variant, { context }) {
    const amounts = amountsOf(variant, context)
    const [amount] = amounts
    if (amounts.some((one) => one.price !== amount?.price || one.currency !== amount.currency)) {
      const shown = amounts.map(({ price, currency }) => `${price} ${currency}`).join(', ')
      const detail = `several prices: ${shown.slice(0, 200)}; expected one: ask for priceCurrency and priceCountry`
      return { reason: 'AMBIGUOUS_OFFER', detail }
    }
    return amount === undefined || isZero(amount.price) ? '' : amount.price
  },
  own: {
    currency: (variant, { context }) => amountsOf(variant, context)[0]?.currency ?? '',
    brand: attribute('brand', 'manufacturer'),
    gtin: attribute('ean', 'gtin', 'upc'),
  },
})

function attribute(...names: readonly string[]) {
  return (variant: JsonObject) => {
    const found = objectsAt(variant, 'attributes').find((one) => names.includes(textAt(one, 'name').toLowerCase()))
    return textAt(found, 'value')
  }
}

type Amount = Readonly<{ price: string; currency: string }>

function amountsOf(variant: JsonObject, context: ShopContext): readonly Amount[] {
  if (isObject(variant.price)) return [amountOf(variant.price)]
  return objectsAt(variant, 'prices')
    .filter((one) => holdsForAll(one, context))
    .map(amountOf)
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

function amountOf(price: JsonObject): Amount {
  const money = valueAt(price, 'discounted.value') ?? price.value
  const digits = textAt(money, 'preciseAmount', 'centAmount')
  return {
    price: ofMinorUnits(digits, Number(textAt(money, 'fractionDigits') || '2')),
    currency: textAt(money, 'currencyCode'),
  }
}
