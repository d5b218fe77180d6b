import { isObject } from '@catalog/formats/shops/products/json-values.ts'
import { hitsOf, isPriced } from './hits.ts'

/** Typesense. https://typesense.org/docs/latest/api/search.html */
export const typesense = hitsOf(
  'typesense',
  (object) =>
    isObject(object.document) &&
    ['text_match', 'highlights', 'highlight'].some((key) => key in object) &&
    isPriced(object.document),
  (hit) => (isObject(hit.document) ? hit.document : null),
)
