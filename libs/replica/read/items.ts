import type { Tables } from '@catalog/replica/tables.ts'
import type { ItemRow } from './items-query.ts'

/** Items by their ids. */

/** A longer chain of merges counts as a cycle. */
const MERGE_HOPS_MAX = 64

/** The active ones of these items, in no particular order. */
export function readItemsById(
  tables: Tables,
  { itemIds, priceRegion }: { itemIds: readonly string[]; priceRegion: string | undefined },
): Omit<ItemRow, 'seq' | 'place'>[] {
  return tables.all(
    `select i.item_id, i.item_json, i.names_json,
       (select median_json from item_markets m where m.item_id = i.item_id and m.region = ?2) as median_json
     from items i where i.item_id in (select value from json_each(?1))`,
    JSON.stringify(itemIds),
    priceRegion ?? null,
  )
}

/** JSON of the votes and exclusions behind the median of an item. */
export const readBasis = (tables: Tables, itemId: string): string | undefined =>
  tables.get<{ basis: string }>('select basis from bases where item_id = ?', itemId)?.basis

/** An active item with the instant of its last change. */
export type ChangedItem = Readonly<{ item_id: string; updated_at: string }>

/** The active items whose id begins with a text, at most `max` of them, in id order. */
export function readItemsByPrefix(
  tables: Tables,
  { prefix, max }: { prefix: string; max: number },
): readonly ChangedItem[] {
  return tables.all(
    `select item_id, json_extract(item_json, '$.updated_at') as updated_at from items
      where item_id >= ?1 and item_id < ?1 || '~' order by item_id limit ?2`,
    prefix,
    max,
  )
}

/** The id of the item, or of the survivor of its merges; undefined when it never existed or is gone. */
export function survivorId(tables: Tables, itemId: string): string | undefined {
  let id: string | null = itemId
  for (let hops = 0; id !== null && hops <= MERGE_HOPS_MAX; hops++) {
    const former: { merged_into: string | null } | undefined = tables.get(
      'select merged_into from former_items where item_id = ?',
      id,
    )
    if (former === undefined)
      return tables.get('select 1 from items where item_id = ?', id) === undefined ? undefined : id
    id = former.merged_into
  }
  return undefined
}

/** The survivors of these items by the id that was asked for; none for items that never existed or are gone. */
export function survivorIds(tables: Tables, itemIds: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    itemIds.flatMap((itemId) => {
      const survivor = survivorId(tables, itemId)
      return survivor === undefined ? [] : [[itemId, survivor] as const]
    }),
  )
}
