import { instant } from '@catalog/core/time.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { NAMES } from '@catalog/store/lists/filters.ts'
import { UNRETRACTED } from '@catalog/store/vendor/retraction.ts'
import { TRUST } from '@catalog/store/vendor/sources.ts'

/** Everything shown about one item, found by its id or by the id of an item that was merged into it. */

/** A longer chain of merges counts as a cycle. */
export const MERGE_HOPS_MAX = 64

/** The items of some ids, each with the id that was asked for, or the survivors of their merges. */
const survivors = (asked: string) => `
  with recursive chain as (
    select item_id as asked, item_id, state, merged_into, 0 as hops from items where ${asked}
    union all
    select c.asked, i.item_id, i.state, i.merged_into, c.hops + 1
      from chain c join items i on i.item_id = c.merged_into collate "C"
     where c.state = 'merged' and c.hops < ${MERGE_HOPS_MAX}
  ), survivor as (
    select c.asked, i.* from chain c join items i on i.item_id = c.item_id where c.state = 'active'
  )`

/** The item of $1, or the survivor of its merges. No row when the item never existed or is gone. */
const SURVIVOR = survivors('item_id = $1')

/** The id of the item, or of the survivor of its merges; undefined when it never existed or is gone. */
export async function survivorId(db: Queryable, itemId: string): Promise<string | undefined> {
  const [row] = await db.query<{ item_id: string }>(`${SURVIVOR} select item_id from survivor`, [itemId])
  return row?.item_id
}

/** When an item left, in microseconds since 1970; undefined for one that is there, or whose change is no longer kept. */
export async function readLeftUs(db: Queryable, itemId: string): Promise<bigint | undefined> {
  const [row] = await db.query<{ updated_us: bigint }>(
    `select c.updated_us from items i join changes c on c.seq = i.seq where i.item_id = $1 and i.state <> 'active'`,
    [itemId],
  )
  return row?.updated_us
}

/** The survivors of these items by the id that was asked for; none for items that never existed or are gone. */
export async function survivorIds(db: Queryable, itemIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ asked: string; item_id: string }>(
    `${survivors('item_id = any ($1::text[])')} select asked, item_id from survivor`,
    [itemIds],
  )
  return new Map(rows.map(({ asked, item_id }) => [asked, item_id]))
}

export type ItemDetailRow = Readonly<{
  item_id: string
  item_json: string
  kind: string | null
  /** Its names by language and market, as JSON; null where all are its name. */
  names_json: string | null
  /** The median of the requested price region; null without a region, or without a vote there. */
  median_json: string | null
  /** JSON of the votes and exclusions behind the median. */
  basis: string
  /** In the order of the item's SKUs, then by observation id. */
  seen: readonly LatestPrice[]
  /** Ascending by time. */
  history: readonly PricePoint[]
}>

/**
 * Reads the whole detail of an item, or of the survivor of its merges, in one statement. It covers the present prices
 * of its SKUs, and the price history over the days up to the `as_of` of the last finished run. Without a price region
 * the history is that of the headline. Undefined when the item never existed or is gone.
 */
export async function readItemDetail(
  db: Queryable,
  { itemId, priceRegion, days }: { itemId: string; priceRegion?: string | undefined; days: number },
): Promise<ItemDetailRow | undefined> {
  const [row] = await db.query<ItemDetailRow>(
    `${SURVIVOR}
     select i.item_id, i.item_json, i.kind, i.basis, ${NAMES} as names_json,
            (select m.median_json from item_markets m where m.item_id = i.item_id and m.region = $2) as median_json,
            (select coalesce(json_agg(p order by p.place, p.observation_id), '[]') from (${LATEST_PRICES('i.vendor_sku_ids')}) p) as seen,
            (select coalesce(json_agg(p order by p.recorded_at), '[]') from (${RECENT_HISTORY}) p) as history
       from survivor i`,
    [itemId, priceRegion ?? null, days],
  )
  return (
    row && {
      ...row,
      seen: row.seen.map((price) => ({ ...price, observed_at: instant(new Date(price.observed_at)) })),
      history: row.history.map(pricePoint),
    }
  )
}

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

/**
 * For each of these SKUs (an SQL array of text ids), the unretracted observations at its latest such instant, whatever their verdicts. Each comes
 * with its source's present registration and trust.
 */
export const LATEST_PRICES = (vendorSkuIds: string) => `
  select requested.place, k.vendor_sku_id, s.source_id,
         case when s.registered_offset is null then o.payload::jsonb->'source'->>'name' else s.name end as source_name,
         case when s.registered_offset is null then o.payload::jsonb->'source'->>'region' else s.region end as source_region,
         case when s.registered_offset is null then o.payload::jsonb->'source'->>'url' else s.url end as source_url,
         ${TRUST} as trust_score,
         encode(o.observation_id, 'hex') as observation_id, o.cents, p.currency, p.per_quantity,
         p.min_quantity::text as min_quantity, p.tax_included, p.tax_rate::text as tax_rate, p.unit, p.edition, o.observed_at
    from unnest(${vendorSkuIds}) with ordinality as requested (vendor_sku_id, place)
    join vendor_skus k on k.vendor_sku_id = requested.vendor_sku_id
    join sources s on s.source = k.source
   cross join lateral (
     select * from observations o where o.sku = k.sku and ${UNRETRACTED}
      order by o.observed_at desc fetch first 1 row with ties) o
    join price_terms p on p.terms = o.terms`

export type PricePoint = Readonly<{ recorded_at: string; cents: number; currency: string }>

/**
 * The prices of item i over $3 days in market $2: the value in force at the start, dated at the start, then each
 * change. Leaves out gaps; empty until a run has finished.
 */
const RECENT_HISTORY = `
  with span as (
    select as_of as until, as_of - make_interval(hours => 24 * $3::int) as edge
      from run_marks order by "offset" desc limit 1
  ), in_force as (
    select span.edge as recorded_at, p.cents, p.currency
      from span join price_points p on p.item_id = i.item_id and p.market = coalesce($2, '') and p.recorded_at <= span.edge
     order by p.recorded_at desc limit 1
  ), within as (
    select p.recorded_at, p.cents, p.currency
      from span join price_points p
        on p.item_id = i.item_id and p.market = coalesce($2, '') and p.recorded_at > span.edge
       and p.recorded_at <= span.until
  )
  select * from (select * from in_force union all select * from within) point where cents is not null`

function pricePoint<Point extends { readonly recorded_at: string }>(point: Point): Point {
  return { ...point, recorded_at: instant(new Date(point.recorded_at)) }
}

export type HistoryRow = Readonly<{
  item_id: string
  /** Ascending by time. Null cents and currency: no price from then on. */
  points: readonly Readonly<{ recorded_at: string; cents: number | null; currency: string | null }>[]
}>

/**
 * The price changes of an item in one market (the headline without a price region) between two instants, inclusive, at
 * most `limit`. A history from `from` begins with the value in force there, dated at `from`. `after` is exclusive: the
 * end of the previous page. Undefined when the item never existed or is gone.
 */
export async function readHistory(
  db: Queryable,
  requested: {
    itemId: string
    priceRegion?: string | undefined
    from?: string | undefined
    to?: string | undefined
    after?: string | undefined
    limit: number
  },
): Promise<HistoryRow | undefined> {
  const { itemId, priceRegion, from, to, after, limit } = requested
  const [row] = await db.query<HistoryRow>(
    `${SURVIVOR}
     select i.item_id, (select coalesce(json_agg(p order by p.recorded_at), '[]') from (
       (select $3::timestamptz as recorded_at, p.cents, p.currency from price_points p
         where p.item_id = i.item_id and p.market = $2 and p.recorded_at < $3 and $5::timestamptz is null
           and not exists (select from price_points exact
             where exact.item_id = i.item_id and exact.market = $2 and exact.recorded_at = $3)
         order by p.recorded_at desc limit 1)
       union all
       (select p.recorded_at, p.cents, p.currency from price_points p
         where p.item_id = i.item_id and p.market = $2
           and p.recorded_at >= coalesce($3, '-infinity') and p.recorded_at > coalesce($5, '-infinity')
           and p.recorded_at <= coalesce($4::timestamptz, 'infinity')
         order by p.recorded_at limit $6)
       order by recorded_at limit $6) p) as points
       from survivor i`,
    [itemId, priceRegion ?? '', from ?? null, to ?? null, after ?? null, limit],
  )
  return row && { ...row, points: row.points.map(pricePoint) }
}

/** The state of an item's last publication. */
export type PublishedRow = Readonly<{
  item_id: string
  /** Canonical JSON. */
  public_state: string
  basis: string
  vendor_sku_ids: readonly string[]
  run_id: string
  as_of: string
}>

/** Undefined when the item never existed or is gone. */
export async function readPublished(db: Queryable, itemId: string): Promise<PublishedRow | undefined> {
  const [row] = await db.query<PublishedRow>(
    `${SURVIVOR} select item_id, public_state, basis, vendor_sku_ids, run_id, as_of from survivor`,
    [itemId],
  )
  return row
}

/** The vendor's name for a SKU. */
export type SkuName = Readonly<{
  vendor_sku_id: string
  vendor_ref: string | null
  name: string
  source_id: string
  source_name: string
  /** Of the named observation: the kind of its price, its least quantity, and its tax as the vendor states it. */
  price_kind: string | null
  min_quantity: string | null
  tax_included: boolean | null
  tax_rate: string | null
  /** The texts that tell the kind of the SKU. */
  lang: string | null
  unit: string | null
  pack: Readonly<{ quantity: string; unit: string }> | null
  gtin: string | null
  manufacturer_ref: string | null
  category_path: readonly string[] | null
}>

/**
 * Names of these SKUs, and of the SKUs of these observations (ids in hexadecimal), by the requested id. The name comes
 * from the latest unretracted observation, or from a retracted one where there is no other. Leaves out SKUs that are
 * not stored or have no observation.
 */
export async function readSkuNames(
  db: Queryable,
  { skuIds, observationIds }: { skuIds: readonly string[]; observationIds: readonly string[] },
): Promise<Map<string, SkuName>> {
  const rows = await db.query<SkuName & { requested: string }>(
    `with requested as (
       select id as requested, sku, payload from unnest($1::text[]) id join observations on observation_id = decode(id, 'hex')
       union all
       select id, k.sku, latest.payload from unnest($2::text[]) id join vendor_skus k on k.vendor_sku_id = id
         join sources s using (source), lateral (
           (select payload, 1 as place from observations o where o.sku = k.sku and ${UNRETRACTED}
             order by o.observed_at desc, o.observation_id desc limit 1)
           union all
           (select payload, 2 from observations o where o.sku = k.sku
             order by o.observed_at desc, o.observation_id desc limit 1)
           order by place limit 1) latest
     )
     select requested, vendor_sku_id, vendor_ref, payload::jsonb->>'name' as name, source_id,
            coalesce(s.name, payload::jsonb->'source'->>'name', source_id) as source_name,
            payload::jsonb->'price'->>'kind' as price_kind, payload::jsonb->'price'->>'min_quantity' as min_quantity,
            (payload::jsonb->'price'->'tax'->>'included')::boolean as tax_included,
            payload::jsonb->'price'->'tax'->>'rate' as tax_rate, payload::jsonb->>'lang' as lang,
            payload::jsonb->>'unit' as unit, payload::jsonb->'pack' as pack, payload::jsonb->>'gtin' as gtin,
            payload::jsonb->>'manufacturer_ref' as manufacturer_ref, payload::jsonb->'category_path' as category_path
       from requested join vendor_skus using (sku) join sources s using (source)`,
    [observationIds, skuIds],
  )
  return new Map(rows.map(({ requested, ...name }) => [requested, name]))
}
