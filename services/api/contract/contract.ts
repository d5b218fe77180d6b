/**
 * The shapes on the wire, each defined once: they validate requests, describe answers in the OpenAPI document, and tests
 * hold answers to them. Descriptions are for readers of /docs: they say why one uses a field or a parameter.
 */

export { Markdown } from '@catalog/api/contract/shared/fields.ts'
export * from '@catalog/api/contract/shared/headers.ts'
export * from '@catalog/api/contract/shared/operation.ts'
export {
  CategoryParams,
  IdParams,
  IndexParams,
  inItsMoney,
  RegionParams,
  SourceParams,
} from '@catalog/api/contract/shared/parameters.ts'
export * from '@catalog/api/contract/shared/responses.ts'
export * from './basis.ts'
export * from './categories.ts'
export * from './decomposition.ts'
export * from './editions.ts'
export * from './exports.ts'
export * from './feeds.ts'
export * from './item-list.ts'
export * from './items.ts'
export * from './keys.ts'
export * from './match.ts'
export * from './search.ts'
export * from './sources.ts'
export * from './status.ts'
