import { textAt } from '@catalog/formats/shops/products/json-values.ts'
import { platform } from '@catalog/formats/shops/products/platform.ts'
import { differ, pathOf, rangeOf, type ShopShape } from '@catalog/formats/shops/products/shop-record.ts'

const product = platform({
  system: 'klevu',
  isProduct: (object) =>
    'salePrice' in object && ('typeOfRecord' in object || 'itemGroupId' in object || 'inStock' in object),
  refusal(hit) {
    const [low, high] = [textAt(hit, 'startPrice'), textAt(hit, 'toPrice')]
    return differ(low, high) ? rangeOf(low, high, 'expected a record for each variant') : null
  },
  own: {
    category_path: (hit) => pathOf(textAt(hit, 'klevu_category', 'category').replace(/;;.*$/s, '').split(';')),
  },
})

/** Klevu: `price` is the one before the discount, `salePrice` what the shop asks. Pages and categories sell nothing. */
export const klevu: ShopShape = {
  ...product,
  recordsOf: (hit, context) =>
    /CMS|CATEGORY/.test(textAt(hit, 'typeOfRecord')) ? [] : product.recordsOf(hit, context),
}
