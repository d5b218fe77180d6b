import {
  GetIndexQuery,
  type Index,
  IndexDetail,
  IndexParams,
  ListIndicesQuery,
  ListIndicesResponse,
  operation,
} from '@catalog/api/contract/contract.ts'
import { projectionVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { nextLink, pageOf } from '@catalog/api/http/cursor.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { type IndexRow, readIndexPoints, readIndices } from '@catalog/store/indices/index-points.ts'
import type { z } from 'zod'

type Context = Pick<ApiContext, 'store' | 'cache' | 'cursors' | 'baseUrl'>

/** GET /indices and GET /indices/{id}: official price indices, beside the items and never among them. */
export function indexRoutes(v1: V1, context: Context): void {
  const { store, cache } = context

  v1.get(
    '/indices',
    operation('listIndices', { querystring: ListIndicesQuery, answer: ListIndicesResponse }),
    async (request, reply) => {
      const { query } = request
      const document = await cache.get({ key: JSON.stringify(['indices', query]), versionOf: projectionVersion }, () =>
        indexPage(context, query),
      )
      return sendDocument(request, reply, document)
    },
  )

  v1.get(
    '/indices/:id',
    operation('getIndex', { params: IndexParams, querystring: GetIndexQuery, answer: IndexDetail }),
    async (request, reply) => {
      const { id } = request.params
      const { from, to } = request.query
      const document = await cache.get(
        { key: JSON.stringify(['index', id, from, to]), versionOf: projectionVersion },
        async () => {
          // No id contains U+0000, and Postgres accepts no text with it.
          const [row] = id.includes('\0') ? [] : await readIndices(store, { indexId: id })
          if (row === undefined) throw new ApiError('index_not_found', `index '${id}' does not exist`)
          const points = await readIndexPoints(store, id, { from, to })
          const detail: z.infer<typeof IndexDetail> = { index: indexOf(row), points }
          return documentOf(JSON.stringify(detail), { 'content-type': JSON_TYPE })
        },
      )
      return sendDocument(request, reply, document)
    },
  )
}

async function indexPage(
  { store, cursors, baseUrl }: Context,
  query: z.output<typeof ListIndicesQuery>,
): Promise<RenderedDocument> {
  const { cursor, limit, region } = query
  const { encode, decode } = await cursors.get()
  const scope = ['indices', region ?? '']
  const after = cursor === undefined ? undefined : decode(cursor, scope)
  const { shown, last } = pageOf(await readIndices(store, { after, limit: limit + 1, region }), limit)
  const next = last === undefined ? null : encode(last.index_id, scope, query)
  return documentOf(JSON.stringify({ indices: shown.map(indexOf), cursor: next }), {
    'content-type': JSON_TYPE,
    ...(next === null ? {} : { link: nextLink(`${baseUrl}/indices`, next) }),
  })
}

function indexOf({ index_id, source_id, publisher, url, ...row }: IndexRow): z.infer<typeof Index> {
  const { series, title, region, base, frequency, points, first_period, last_period, last_value, observed_at } = row
  return {
    id: index_id,
    publisher: { id: source_id, name: publisher, url },
    series,
    title,
    region,
    base,
    frequency,
    point_count: points,
    first_period,
    last: { period: last_period, value: last_value, observed_at },
    licence: row.licence,
  }
}
