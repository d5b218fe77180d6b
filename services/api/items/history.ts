import { IdParams, ItemHistoryQuery, ItemHistoryResponse, operation } from '@catalog/api/contract/contract.ts'
import { publicationVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { nextLink, pageOf } from '@catalog/api/http/cursor.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { readHistory } from '@catalog/replica/read/detail.ts'
import type { z } from 'zod'
import { foundItem, pointOf, survivorLocation } from './items.ts'

/** GET /items/{id}/history, the price over all time, with its gaps. */
export function historyRoute(v1: V1, context: HistoryContext): void {
  const { cache, now } = context
  v1.get(
    '/items/:id/history',
    operation('getItemHistory', { params: IdParams, querystring: ItemHistoryQuery, answer: ItemHistoryResponse }),
    async (request, reply) => {
      const { id } = request.params
      const { query } = request
      // The price in force in the future is unknown. Only the clock decides that, so no cache may keep the answer.
      const isAhead = query.from !== undefined && Date.parse(query.from) > now().getTime()
      const document = isAhead
        ? await historyDocument(context, { id, query, isAhead })
        : await cache.get({ key: JSON.stringify(['history', id, query]), versionOf: publicationVersion }, () =>
            historyDocument(context, { id, query, isAhead }),
          )
      return sendDocument(request, reply, document)
    },
  )
}

type HistoryContext = Pick<ApiContext, 'read' | 'cache' | 'cursors' | 'baseUrl'> & Readonly<{ now: () => Date }>

async function historyDocument(
  { read, cursors, baseUrl }: HistoryContext,
  { id, query, isAhead }: { id: string; query: z.output<typeof ItemHistoryQuery>; isAhead: boolean },
): Promise<RenderedDocument> {
  const { price_region: priceRegion, from, to, cursor, limit } = query
  const { encode, decode } = await cursors.get()
  // The scope leaves the item out: after a merge between two pages, the cursor continues in the survivor's history.
  const scope = ['history', priceRegion, from, to]
  const after = cursor === undefined ? undefined : decode(cursor, scope)
  const row = await foundItem(id, async (itemId) =>
    read((tables) => readHistory(tables, { itemId, priceRegion, from, to, after, limit: limit + 1 })),
  )
  const { shown, last } = pageOf(isAhead ? [] : row.points, limit)
  const next = last === undefined ? null : encode(last.recorded_at, scope, query)
  const path = '/history'
  const body: z.infer<typeof ItemHistoryResponse> = {
    item_id: row.item_id,
    price_region: priceRegion ?? null,
    points: shown.map(pointOf),
    cursor: next,
  }
  return documentOf(JSON.stringify(body), {
    'content-type': JSON_TYPE,
    ...survivorLocation(baseUrl, { requested: id, shown: row.item_id, path, query }),
    ...(next === null ? {} : { link: nextLink(`${baseUrl}/items/${id}${path}`, next) }),
  })
}
