import { isObject, textAt } from '@catalog/formats/shops/products/json-values.ts'
import { hitsOf, isPriced } from './hits.ts'

/** Elasticsearch, OpenSearch and the like. */
export const elasticsearch = hitsOf(
  'elasticsearch',
  ({ _source: source }) => isObject(source) && isPriced(source),
  (hit) => ({ ...(isObject(hit._source) && hit._source), objectID: textAt(hit, '_id') }),
)
