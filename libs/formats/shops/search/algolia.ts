import { textAt } from '@catalog/formats/shops/products/json-values.ts'
import { hitsOf, isPriced } from './hits.ts'

/** Algolia, also as its extensions for Magento and Shopify index products. */
export const algolia = hitsOf(
  'algolia',
  (object) => 'objectID' in object && isPriced(object),
  // An index of suggestions or pages has neither prices nor references.
  (hit) => (isPriced(hit) || textAt(hit, 'sku') !== '' ? hit : null),
)
