import { IdParams, type ItemBasis, ItemBasisResponse, operation } from '@catalog/api/contract/contract.ts'
import { projectionVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, sendDocument } from '@catalog/api/http/documents.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { type PublishedRow, readPublished } from '@catalog/store/catalog/detail.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { explanationOf } from './explain.ts'
import { publishedCategory } from './item-category.ts'
import { foundItem, survivorLocation } from './items.ts'

/** GET /items/{id}/basis, the prices of an item and their basis. */
export function basisRoute(v1: V1, { store, cache, baseUrl }: Pick<ApiContext, 'store' | 'cache' | 'baseUrl'>): void {
  v1.get(
    '/items/:id/basis',
    operation('getItemBasis', { params: IdParams, answer: ItemBasisResponse }),
    async (request, reply) => {
      const { id } = request.params
      // Votes may change without a numbered change, and SKU names change with observations.
      const document = await cache.get(
        { key: JSON.stringify(['/basis', id]), versionOf: projectionVersion },
        async () => {
          const row = await foundItem(id, (itemId) => readPublished(store, itemId))
          const location = survivorLocation(baseUrl, { requested: id, shown: row.item_id, path: '/basis' })
          return documentOf(JSON.stringify(await basisOf(store, row)), { 'content-type': JSON_TYPE, ...location })
        },
      )
      return sendDocument(request, reply, document)
    },
  )
}

async function basisOf(store: Queryable, row: PublishedRow): Promise<ItemBasis> {
  const { item, markets, merged_into, kind, names = [], category } = JSON.parse(row.public_state) as PublicState
  return await explanationOf(store, {
    itemId: row.item_id,
    name: item.name,
    unit: item.unit,
    kind: kind ?? null,
    names,
    category: publishedCategory(item.category_id, category),
    mergedInto: merged_into,
    runId: row.run_id,
    asOf: row.as_of,
    median: item.median_price,
    markets: markets.map((market) => ({
      region: market.region,
      median: market.median_price,
      vendorCount: market.vendor_count,
    })),
    vendorSkuIds: row.vendor_sku_ids,
    basis: JSON.parse(row.basis),
  })
}
