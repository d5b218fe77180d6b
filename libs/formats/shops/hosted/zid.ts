import { flagAt, localText, objectsAt, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { isCounted, platform } from '@catalog/formats/shops/products/platform.ts'
import { notSoldAs, stock } from '@catalog/formats/shops/products/shop-record.ts'

/** Zid, of Saudi Arabia: `sale_price` is null without a sale; variants have attributes with a name and a value by language. */
export const zid = platform({
  system: 'zid',
  isProduct: (object) =>
    'sale_price' in object &&
    'formatted_price' in object &&
    ('is_infinite' in object || 'html_url' in object || 'product_class' in object),
  refusal: (product) => notSoldAs(textAt(product, 'product_class'), /voucher|donation|booking|course|service/i),
  options: (variant) => objectsAt(variant, 'attributes').map((one) => localText(one, 'value')),
  own: {
    availability: (sold) => stock(flagAt(sold, 'is_infinite') === true ? true : isCounted(sold, 'quantity')),
  },
})
