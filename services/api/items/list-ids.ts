import type { ListItemsQuery } from '@catalog/api/contract/contract.ts'
import { survivorIds } from '@catalog/replica/read/items.ts'
import { readItems } from '@catalog/replica/read/listing.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { itemJson } from './item-json.ts'
import { ITEM_ID } from './items.ts'

type IdsQuery = Pick<ListItemsQuery, 'price_region' | 'lang'> & Readonly<{ ids: readonly string[] }>

/** The items of some ids in the order of the ids, each once; `added` says which are of no item, and which were merged. */
export function itemsOfIds(
  tables: Tables,
  { ids, price_region: priceRegion, lang }: IdsQuery,
): { json: string; next: null; added: object } {
  const survivors = survivorIds(
    tables,
    ids.filter((id) => ITEM_ID.test(id)),
  )
  const itemIds = [...new Set(survivors.values())]
  const limit = Math.max(1, itemIds.length)
  const { rows } = readItems(tables, { order: 'id', limit, itemIds, priceRegion, isNamed: lang !== undefined })
  const byId = new Map(rows.map((row) => [row.item_id, row]))
  const asked = ids.map((id) => ({ id, row: byId.get(survivors.get(id) ?? '') }))
  const shown = new Set(asked.flatMap(({ row }) => row ?? []))
  return {
    json: [...shown].map((row) => itemJson(row, { priceRegion, lang })).join(','),
    next: null,
    added: {
      not_found: asked.flatMap(({ id, row }) => (row === undefined ? [id] : [])),
      merged: asked.flatMap(({ id, row }) =>
        row === undefined || row.item_id === id ? [] : [{ id, merged_into: row.item_id }],
      ),
    },
  }
}
