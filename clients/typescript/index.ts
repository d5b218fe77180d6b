export type { components, operations, paths } from './api.ts'
export {
  type Bill,
  type Catalog,
  type CatalogOptions,
  createCatalog,
  type Found,
  type Item,
  type ItemDetail,
  type PricedBill,
} from './catalog.ts'
export { type Change, type ChangesOptions, type ItemState, POLL_SECONDS_MIN, type Position } from './changes.ts'
export { CatalogError, type ClientErrorCode } from './errors.ts'
export type { Call } from './operations.ts'
export { RETRY_LIMITS, type RetryLimits } from './retry.ts'
