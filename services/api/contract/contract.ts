/**
 * The shapes on the wire, each defined once: they validate requests, describe answers in the OpenAPI document, and tests
 * hold answers to them. A field or parameter outside the published specification says "Additive".
 */

export * from './basis.ts'
export * from './categories.ts'
export * from './decomposition.ts'
export * from './feeds.ts'
export { Markdown } from './fields.ts'
export * from './headers.ts'
export * from './items.ts'
export * from './keys.ts'
export * from './match.ts'
export { IdParams, RegionParams } from './parameters.ts'
export * from './responses.ts'
export * from './search.ts'
export * from './sources.ts'
