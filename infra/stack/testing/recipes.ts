import { itemIdOf, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { RecipeRecorded } from '@catalog/core/events/recipes.ts'
import type { Store } from '@catalog/store/db.ts'
import { insertRecipes } from '@catalog/store/vendor/recipes.ts'
import { addSkus, publish, type TestItem } from './api.ts'

/** Test helpers: recipes of a price bank, and items with its SKUs. */

export const BANK: RecipeRecorded['source'] = { id: 'src_bank', name: 'Price bank', region: 'ES', url: null }

export type RecipeLine = readonly [
  ref: string,
  kind: RecipeRecorded['components'][number]['kind'],
  factor: string,
  rate: string,
  price: string | null,
  unit?: string,
]
type RecipeOptions = {
  price?: string | null
  unit?: string
  source?: RecipeRecorded['source']
  currency?: string
  at?: string
  trust?: number
  rule?: RecipeRecorded['rule']
}
let deliveries = 0n

/** Records a recipe as a crawl does; returns the id of the SKU that it makes. */
export async function recordRecipe(
  store: Store,
  ref: string,
  lines: readonly RecipeLine[],
  {
    price = null,
    unit = 'kg',
    source = BANK,
    currency = 'EUR',
    at = '2026-11-20T00:00:00Z',
    trust = 60,
    rule,
  }: RecipeOptions = {},
): Promise<string> {
  const event = RecipeRecorded.parse({
    type: 'RecipeRecorded',
    v: 1,
    event_id: `recipe-${source.id}-${ref}-${at}`.slice(0, 100),
    recorded_at: at,
    source,
    vendor_ref: ref,
    unit,
    components: lines.map(([code, kind, factor, rate, amount, of = unit], i) => ({
      position: i + 1,
      kind,
      vendor_ref: code,
      name: `Name of ${code}`,
      unit: kind === 'percentage' ? '%' : of,
      factor,
      yield: rate,
      price: amount,
    })),
    declared_price: price,
    rule,
    currency,
    observed_at: at,
    crawl_id: 'crawl',
    position: 'bank.bc3 line 1',
  })
  await store.transaction(async (tx) => {
    await tx.query(
      `insert into sources (source_id, registered_offset, name, region, url, trust_score, validity_days, kind, enabled)
       values ($1, 0, $2, $3, $4, $5, 400, 'bank', true) on conflict do nothing`,
      [source.id, source.name, source.region, source.url, trust],
    )
    await insertRecipes(tx, [{ event, partition: 0, offset: deliveries++ }])
    await tx.query(
      `insert into checkpoints values ('vendor', 'vendor.observations', 0, 1, null)
       on conflict (projection, topic, partition) do update set next = checkpoints.next + 1`,
    )
  })
  return vendorSkuIdOf(source.id, ref)
}

/** Publishes an item with these SKUs of a source, the first of which founded it; returns its id. */
export async function publishWithSkus(
  store: Store,
  refs: readonly string[],
  { source = BANK.id, ...given }: Omit<TestItem, 'id'> & { source?: string } = {},
): Promise<string> {
  const skuIds = refs.map((ref) => vendorSkuIdOf(source, ref))
  const id = itemIdOf(skuIds[0] as string, 0)
  await publish(store, { id, unit: 'kg', vendor_sku_ids: skuIds, ...given })
  await store.query(
    `insert into vendor_skus (vendor_sku_id, source, vendor_ref)
     select sku, (select source from sources where source_id = $2), sku from unnest($1::text[]) sku on conflict do nothing`,
    [skuIds, source],
  )
  await joinSkus(store, id, skuIds)
  return id
}

/** Puts recorded SKUs into an item, as a match and the next publication do; the first one founds it. */
export async function joinSkus(store: Store, itemId: string, skuIds: readonly string[]): Promise<void> {
  await store.query(
    `insert into item_keys (item_id, founder, founding_n) select $1, sku, 0 from vendor_skus where vendor_sku_id = $2
     on conflict do nothing`,
    [itemId, skuIds[0]],
  )
  await store.query(
    `insert into memberships (sku, item, source) select sku, item, source from vendor_skus, item_keys
      where vendor_sku_id = any($1) and item_id = $2 on conflict do nothing`,
    [skuIds, itemId],
  )
  await addSkus(store, itemId, skuIds)
}
