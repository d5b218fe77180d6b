import type { ListItemsQuery } from '@catalog/api/contract/contract.ts'
import { type ApiContext, fromReplica } from '@catalog/api/http/context.ts'
import { survivorIds as readReplicatedSurvivors } from '@catalog/replica/read/detail.ts'
import { readItems as readReplicatedItems } from '@catalog/replica/read/listing.ts'
import { survivorIds } from '@catalog/store/catalog/detail.ts'
import { readItems } from '@catalog/store/catalog/listing.ts'
import type { ItemsPage, ItemsQuery } from '@catalog/store/lists/items-query.ts'
import { itemJson } from './item-json.ts'
import { ITEM_ID } from './items.ts'

type IdsQuery = Pick<ListItemsQuery, 'price_region' | 'lang'> & Readonly<{ ids: readonly string[] }>

/** The items of some ids in the order of the ids, each once; `added` says which are of no item, and which were merged. */
export async function itemsOfIds(
  { store, replica }: Pick<ApiContext, 'store' | 'replica'>,
  { ids, price_region: priceRegion, lang }: IdsQuery,
): Promise<{ json: string; next: null; added: object }> {
  const known = ids.filter((id) => ITEM_ID.test(id))
  const question = (survivors: ReadonlyMap<string, string>): ItemsQuery => {
    const itemIds = [...new Set(survivors.values())]
    return { order: 'id', limit: Math.max(1, itemIds.length), itemIds, priceRegion, isNamed: lang !== undefined }
  }
  const { survivors, rows } = await fromReplica<{ survivors: ReadonlyMap<string, string> } & Pick<ItemsPage, 'rows'>>(
    replica,
    (tables) => {
      const survivors = readReplicatedSurvivors(tables, known)
      return { survivors, rows: readReplicatedItems(tables, question(survivors)).rows }
    },
    async () => {
      const survivors = await survivorIds(store, known)
      return { survivors, rows: (await readItems(store, question(survivors))).rows }
    },
  )
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
