import type { ItemConfirmed } from '@catalog/core/events/matching.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** An active item of several vendors with its last basis, as JSON text. */
export type ItemBasisRow = Readonly<{
  itemId: string
  name: string
  unit: string | null
  basis: string
  /** The SKUs that a person confirmed last to be one product; empty when nobody did. */
  confirmed: readonly string[]
}>

/** Items of at least two vendors in id order after `after`. */
export async function itemsOfVendors(
  store: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<ItemBasisRow[]> {
  const rows = await store.query<Omit<ItemBasisRow, 'confirmed'> & { confirmation: string | null }>(
    `select item_id as "itemId", name, item_json::jsonb->>'unit' as unit, basis,
       (select payload from decisions where type = 'ItemConfirmed' and subject = item_id
        order by decided_at desc, "offset" desc limit 1) as confirmation
     from items where item_id > $1 and state = 'active' and cardinality(vendor_sku_ids) > 1
     order by item_id limit $2`,
    [after, limit],
  )
  return rows.map(({ confirmation, ...row }) => ({
    ...row,
    confirmed: confirmation === null ? [] : (JSON.parse(confirmation) as ItemConfirmed).vendor_sku_ids,
  }))
}
