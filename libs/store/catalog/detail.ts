import type { Queryable } from '@catalog/store/db.ts'
import { UNRETRACTED } from '@catalog/store/vendor/retraction.ts'
import { articleAt, FIRST_OF_K } from '@catalog/store/vendor/row-keys.ts'

/** What an item was published from, found by its id or by the id of an item that was merged into it. */

/** A longer chain of merges counts as a cycle. */
const MERGE_HOPS_MAX = 64

/** The item of $1, or the survivor of its merges. No row when the item never existed or is gone. */
const SURVIVOR = `
  with recursive chain as (
    select item_id, state, merged_into, 0 as hops from items where item_id = $1
    union all
    select i.item_id, i.state, i.merged_into, c.hops + 1
      from chain c join items i on i.item_id = c.merged_into collate "C"
     where c.state = 'merged' and c.hops < ${MERGE_HOPS_MAX}
  ), survivor as (
    select i.* from chain c join items i on i.item_id = c.item_id where c.state = 'active'
  )`

/** The id of the item, or of the survivor of its merges; undefined when it never existed or is gone. */
export async function survivorId(db: Queryable, itemId: string): Promise<string | undefined> {
  const [row] = await db.query<{ item_id: string }>(`${SURVIVOR} select item_id from survivor`, [itemId])
  return row?.item_id
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
       select id as requested, k.sku, payload from unnest($1::text[]) id join observations on observation_id = decode(id, 'hex')
         join vendor_skus first using (sku) join vendor_skus k on k.sku = ${articleAt('observed_at')}
       union all
       select id, k.sku, latest.payload from unnest($2::text[]) id join vendor_skus k on k.vendor_sku_id = id
         join ${FIRST_OF_K} join sources s on s.source = k.source, lateral (
           (select payload, 1 as place from observations o where o.sku = first.sku and k.sku = ${articleAt('o.observed_at')} and ${UNRETRACTED}
             order by o.observed_at desc, o.observation_id desc limit 1)
           union all
           (select payload, 2 from observations o where o.sku = first.sku and k.sku = ${articleAt('o.observed_at')}
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
