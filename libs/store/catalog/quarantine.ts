import { instant } from '@catalog/core/time.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** A first price that waits for a second crawl or a person, as the last publication of its item shows it. */
export type WaitingPrice = Readonly<{
  observation_id: string
  item_id: string
  item: string
  unit: string | null
  source_id: string
  source: string
  article: string
  vendor_ref: string | null
  /** As observed: minor units of the currency for `per_quantity` units of the vendor. */
  cents: number
  currency: string
  per_quantity: number
  vendor_unit: string | null
  observed_at: string
  /** The item's headline without it, per unit of the item. */
  median_cents: number | null
  median_currency: string | null
}>

/** Waiting first prices by item and observation, at most `limit`; `after` is the end of the previous page. */
export async function waitingPrices(
  store: Queryable,
  { after, limit }: { after: Readonly<{ itemId: string; observationId: string }> | null; limit: number },
): Promise<WaitingPrice[]> {
  const rows = await store.query<WaitingPrice>(
    `select excluded->>'id' as observation_id, items.item_id, items.name as item, item_json::jsonb->>'unit' as unit,
       source_id, coalesce(sources.name, payload::jsonb->'source'->>'name', source_id) as source,
       payload::jsonb->>'name' as article, vendor_ref, observations.cents, price_terms.currency, per_quantity,
       price_terms.unit as vendor_unit, observed_at,
       (item_json::jsonb->'median_price'->>'cents')::bigint as median_cents,
       item_json::jsonb->'median_price'->>'currency' as median_currency
     from items cross join jsonb_array_elements(basis::jsonb->'excluded') excluded
     join observations on observation_id = decode(excluded->>'id', 'hex')
     join price_terms using (terms) join vendor_skus using (sku) join sources using (source)
     where ${IS_WAITING} and excluded->>'reason' = 'FIRST_PRICE_QUARANTINED'
       and ($1::text is null or (items.item_id, excluded->>'id') > ($1 collate "C", $2 collate "C"))
     order by items.item_id, excluded->>'id' collate "C" limit $3`,
    [after?.itemId ?? null, after?.observationId ?? null, limit],
  )
  return rows.map((row) => ({
    ...row,
    cents: Number(row.cents),
    per_quantity: Number(row.per_quantity),
    median_cents: row.median_cents === null ? null : Number(row.median_cents),
    observed_at: instant(new Date(row.observed_at)),
  }))
}

/** How many first prices wait. */
export async function countWaitingPrices(store: Queryable): Promise<number> {
  const [row] = await store.query<{ waiting: number }>(
    `select count(*)::int as waiting from items cross join jsonb_array_elements(basis::jsonb->'excluded') excluded
     where ${IS_WAITING} and excluded->>'reason' = 'FIRST_PRICE_QUARANTINED'`,
  )
  return row?.waiting ?? 0
}

/** The condition of the index items_waiting (read-models/tables.sql), word for word. */
const IS_WAITING = `items.state = 'active' and items.basis like '%"FIRST_PRICE_QUARANTINED"%'`
