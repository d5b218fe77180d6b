import { itemsProjection } from './items.ts'
import { vendorProjection } from './vendor.ts'

/** All read models that are folded from the log. */
export const PROJECTIONS = [vendorProjection, itemsProjection]
