import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Projection } from '@catalog/projector/pump.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'

/** Folds observations alone into the tables of one schema, with its own consumer group. */
export const projectionInto = (schema: string): Projection => ({
  ...vendorProjection,
  topics: [TOPICS.observations],
  name: `vendor-${schema}`,
})
