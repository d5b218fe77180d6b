import { createHash } from 'node:crypto'
import { sourceIdOf } from '@catalog/core/events/ids.ts'
import { observationKey } from '@catalog/core/events/topics.ts'
import { partitionOf } from '@catalog/log/kafka/partition.ts'

/** How observations of a large catalog would lie, computed from the keys and hashes that the services use. */
export type Spread = Readonly<{ observations: number; partitionSkew: number; itemSkew: number }>

/** Partitions of `vendor.observations` in the simulated catalog. */
export const PARTITIONS = 64
/** Parts of the catalog by the first byte of an item's hash. */
export const ITEM_PARTS = 256
const VENDORS = 1_000
const SKUS_PER_ITEM = 4
/** A SKU has from 1 to 99 observations, so 50 on average. */
const OBSERVATIONS_MAX = 99
/** A prime, which spreads the numbers of observations over the SKUs. */
const STEP = 7_919

/** The largest part of so many SKUs, as a multiple of the mean part: by the log's partition, and by item hash. */
export function spreadOf(skus: number): Spread {
  const sources = Array.from({ length: VENDORS }, (_, n) => sourceIdOf({ name: `Vendor ${n}`, region: 'ES' }))
  const [byPartition, byItem] = [new Float64Array(PARTITIONS), new Float64Array(ITEM_PARTS)]
  let observations = 0
  for (let sku = 0; sku < skus; sku++) {
    const count = 1 + ((sku * STEP) % OBSERVATIONS_MAX)
    observations += count
    const key = observationKey(sources[sku % VENDORS] as string, `R${sku}`)
    const chosen = partitionOf(key, PARTITIONS)
    byPartition[chosen] = (byPartition[chosen] as number) + count
    const item = createHash('sha256')
      .update(`ci_${Math.floor(sku / SKUS_PER_ITEM)}`)
      .digest()[0] as number
    byItem[item] = (byItem[item] as number) + count
  }
  return { observations, partitionSkew: skewOf(byPartition), itemSkew: skewOf(byItem) }
}

const skewOf = (parts: Float64Array) => (Math.max(...parts) * parts.length) / parts.reduce((sum, part) => sum + part, 0)
