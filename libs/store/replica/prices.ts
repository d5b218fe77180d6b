import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { type Queryable, rowsParameter } from '@catalog/store/db.ts'
import { UNRETRACTED } from '@catalog/store/vendor/retraction.ts'
import { articleAt, FIRST_OF_K } from '@catalog/store/vendor/row-keys.ts'
import { presentVoices } from '@catalog/store/vendor/source-aliases.ts'
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
     select vendor_sku_id as id from touched join vendor_skus using (sku)
     union select k.vendor_sku_id from touched join vendor_skus k on k.reference = touched.sku`,
    [rowsParameter([...since].map(([partition, next]) => ({ partition, next })))],
  )
  return rows.map(({ id }) => id)
}

/** A price of a SKU at its latest instant. */
export type LatestPrice = Readonly<{
  vendor_sku_id: string
  source_name: string
  source_region: string | null
  source_url: string | null
  trust_score: number
  observation_id: string
  cents: number
  currency: string
  per_quantity: number
  min_quantity: string | null
  tax_included: boolean | null
  tax_rate: string | null
  unit: string | null
  /** Of the price list; null where none is stated. */
  edition: string | null
  observed_at: string
}>

/** A SKU with its source, the number of its unretracted prices, and those at the latest instant, whatever their verdicts. */
export type ReplicatedSku = Readonly<{
  vendor_sku_id: string
  source_id: string
  observations: number
  seen: readonly LatestPrice[]
}>

/** These SKUs with their present prices, each with its source's present registration and trust. Leaves out unknown ones. */
export async function readSkus(db: Queryable, vendorSkuIds: readonly string[]): Promise<ReplicatedSku[]> {
  type Row = { source_id: string; observations: number } & (LatestPrice | { [K in keyof LatestPrice]: null })
  const rows = await db.query<Row>(
    `with requested as (
       select sku, reference, source, vendor_sku_id from unnest($1::text[]) vendor_sku_id join vendor_skus using (vendor_sku_id)
     ), known as materialized (
       select source, source_id, registered_offset, name, region, url, ${TRUST} as trust_score,
              not exists (select from retractions t where t.source_id = s.source_id) as is_whole
         from sources s where source in (select source from requested)
     )
     select k.vendor_sku_id, s.source_id,
            (select count(*)::int from observations o
              where o.sku = first.sku and k.sku = ${articleAt('o.observed_at')} and (s.is_whole or ${UNRETRACTED})) as observations,
            case when s.registered_offset is null then o.payload::jsonb->'source'->>'name' else s.name end as source_name,
            case when s.registered_offset is null then o.payload::jsonb->'source'->>'region' else s.region end as source_region,
            case when s.registered_offset is null then o.payload::jsonb->'source'->>'url' else s.url end as source_url,
            s.trust_score, encode(o.observation_id, 'hex') as observation_id, o.cents::float8 as cents, p.currency,
            p.per_quantity::float8 as per_quantity, p.min_quantity::text as min_quantity, p.tax_included,
            p.tax_rate::text as tax_rate, p.unit, p.edition, o.observed_at
       from requested k join known s using (source) join ${FIRST_OF_K}
       left join lateral (
         select * from observations o where o.sku = first.sku and k.sku = ${articleAt('o.observed_at')} and ${UNRETRACTED}
          order by o.observed_at desc fetch first 1 row with ties) o on true
       left join price_terms p on p.terms = o.terms
      order by o.observation_id`,
    [vendorSkuIds],
  )
  const skus = Map.groupBy(rows, ({ vendor_sku_id }) => vendor_sku_id as string)
  return [...skus].map(([vendor_sku_id, [first, ...others]]) => ({
    vendor_sku_id,
    source_id: first?.source_id as string,
    observations: first?.observations as number,
    seen: [first, ...others].flatMap((row) =>
      row?.observed_at == null ? [] : [{ ...row, observed_at: instant(new Date(row.observed_at)) }],
    ),
  }))
}

/** A source as details show it. Until it is registered, its observations say its name, region and address. */
export type ReplicatedSource = Readonly<{
  source_id: string
  name: string | null
  region: string | null
  url: string | null
  trust_score: number
  is_registered: boolean
  /** The name of the source that speaks for its vendor. */
  voice: string | null
}>

/** All sources, some hundreds. */
export async function readReplicatedSources(db: Queryable): Promise<ReplicatedSource[]> {
  const voices = await presentVoices(db)
  return db.query(
    `select s.source_id, s.name, s.region, s.url, ${TRUST} as trust_score, s.registered_offset is not null as is_registered,
       coalesce(v.name, s.name) as voice
     from sources s left join jsonb_to_recordset($1::jsonb) as a (id text, voice text) on a.id = s.source_id
       left join sources v on v.source_id = a.voice`,
    [rowsParameter([...voices].map(([id, voice]) => ({ id, voice })))],
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
