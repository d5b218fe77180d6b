import { exponentOf } from '@catalog/core/money/money.ts'
import {
  flagAt,
  isObject,
  type JsonObject,
  objectsAt,
  plainText,
  textAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { firstOf, isCounted, platform } from '@catalog/formats/shops/products/platform.ts'
import { isZero, ofMinorUnits, type ShopContext, stock } from '@catalog/formats/shops/products/shop-record.ts'

/**
 * Medusa: the calculated price of every variant. Version 2 gives it as an object with decimals, version 1 as a number of minor
 * units; the list `prices` alone tells neither. https://docs.medusajs.com/resources/commerce-modules/product
 */
export const medusa = platform({
  system: 'medusa',
  isProduct: (object) =>
    'title' in object &&
    objectsAt(object, 'variants').some(
      (one) => 'calculated_price' in one || objectsAt(one, 'prices').some((price) => 'currency_code' in price),
    ),
  price(variant, { context }) {
    const { calculated_price: calculated } = variant
    const price = isObject(calculated) ? textAt(calculated, 'calculated_amount') : minorPrice(variant, context)
    if (price === null) {
      const detail = 'amounts of version 1 are minor units, and those of version 2 are none: ask for calculated_price'
      return { reason: 'AMBIGUOUS_OFFER', detail }
    }
    return isZero(price) ? '' : price
  },
  options: (variant) => [textAt(variant, 'title').replace(/^default.*$/i, '')],
  shared: {
    category_path: (product) => firstOf('categories', 'name')(product) || textAt(product, 'collection.title'),
  },
  own: {
    currency: (variant, { context }) => currencyOf(variant, context),
    tax_included: (variant) => String(flagAt(variant, 'calculated_price.is_calculated_price_tax_inclusive') ?? ''),
    availability(variant) {
      const inStock = isCounted(variant, 'inventory_quantity')
      return stock(inStock === false ? flagAt(variant, 'manage_inventory') === false : inStock)
    },
  },
})

function currencyOf(variant: JsonObject, context: ShopContext): string {
  if (isObject(variant.calculated_price)) return textAt(variant, 'calculated_price.currency_code').toUpperCase()
  const codes = [...new Set(objectsAt(variant, 'prices').map((one) => textAt(one, 'currency_code').toUpperCase()))]
  return codes.length === 1 ? (codes[0] ?? '') : (context.currency ?? '')
}

/** The price of version 1; null where nothing tells that it is one. */
function minorPrice(variant: JsonObject, context: ShopContext): string | null {
  const minor = plainText(variant.calculated_price)
  const exponent = exponentOf(currencyOf(variant, context))
  return minor === '' || !('original_price' in variant) || exponent === null ? null : ofMinorUnits(minor, exponent)
}
