import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { LATEST_PRICES, type LatestPrice } from '@catalog/store/catalog/detail.ts'
import { type Queryable, rowsParameter } from '@catalog/store/db.ts'
import { TRUST } from '@catalog/store/vendor/sources.ts'

/**
 * Statements by which a replica copies the vendor side. The log numbers its changes: every observation, redelivery and
 * retraction keeps its partition and offset, so a replica asks for what came after its positions.
 */

/** Next offsets by partition of vendor.observations. */
export type PartitionOffsets = ReadonlyMap<number, bigint>

/** The SKUs whose present prices may differ from those at these positions. Partitions without a position count from 0. */
export async function skusTouchedSince(db: Queryable, since: PartitionOffsets): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `with since as (
       select partition, coalesce(s.next, 0) as next from checkpoints
         left join jsonb_to_recordset($1::jsonb) as s (partition int, next bigint) using (partition)
        where projection = 'vendor' and topic = '${TOPICS.observations}' and checkpoints.next > coalesce(s.next, 0)
     ), retracted as (
       select r.* from since join retractions r using (partition) where r."offset" >= since.next
     ), touched as (
       select o.sku from since, lateral (
         select sku from deliveries_from(since.partition, since.next) join observations using (observation) offset 0) o
       union select o.sku from retracted join observations o using (observation_id) where scope = 'observation'
       union select k.sku from retracted join sources using (source_id) join vendor_skus k using (source)
         where scope <> 'observation'
     )
     select vendor_sku_id as id from touched join vendor_skus using (sku)`,
    [rowsParameter([...since].map(([partition, next]) => ({ partition, next })))],
  )
  return rows.map(({ id }) => id)
}

/** A price of a SKU at its latest instant, with the source that it comes from. */
export type ReplicatedPrice = LatestPrice & Readonly<{ source_id: string }>

/** The present prices of these SKUs, by SKU; leaves out SKUs without one. */
export async function readLatestPrices(
  db: Queryable,
  vendorSkuIds: readonly string[],
): Promise<Map<string, ReplicatedPrice[]>> {
  const rows = await db.query<ReplicatedPrice>(
    `select p.*, p.cents::float8 as cents, p.per_quantity::float8 as per_quantity
     from (${LATEST_PRICES('$1::text[]')}) p order by p.place, p.observation_id`,
    [vendorSkuIds],
  )
  return Map.groupBy(
    rows.map((row) => ({ ...row, observed_at: instant(new Date(row.observed_at)) })),
    ({ vendor_sku_id }) => vendor_sku_id,
  )
}

/** A source as details show it. Until it is registered, its observations say its name, region and address. */
export type ReplicatedSource = Readonly<{
  source_id: string
  name: string | null
  region: string | null
  url: string | null
  trust_score: number
  is_registered: boolean
}>

/** All sources, some hundreds. */
export async function readReplicatedSources(db: Queryable): Promise<ReplicatedSource[]> {
  return db.query(
    `select source_id, name, region, url, ${TRUST} as trust_score, registered_offset is not null as is_registered
     from sources s`,
  )
}

/** The SKUs of these sources. */
export async function skusOfSources(db: Queryable, sourceIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select vendor_sku_id as id from sources join vendor_skus using (source) where source_id = any($1)`,
    [sourceIds],
  )
  return rows.map(({ id }) => id)
}
