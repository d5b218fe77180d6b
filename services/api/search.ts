import { type Embedder, EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { type SearchAnswer, search } from '@catalog/search/fuse.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { readItemsById } from '@catalog/store/catalog.ts'
import type { ApiContext, V1 } from './context.ts'
import { answers, SearchQuery, SearchResponse } from './contract.ts'
import { documentOf, JSON_TYPE, sendOnce } from './documents.ts'
import { ApiError } from './errors.ts'
import { itemJson } from './items.ts'

/** An index that failed is asked again by the next request; a restart of it takes seconds. */
const INDEX_RETRY_SECONDS = 5

/** GET /search, in a bucket of its own. */
export function searchRoute(
  v1: V1,
  { store, index, embedder }: Pick<ApiContext, 'store'> & { index: SearchIndex; embedder: Embedder | null },
): void {
  v1.get(
    '/search',
    {
      config: { bucket: 'search' },
      schema: {
        operationId: 'search',
        summary: 'Semantic search in any language',
        description: 'Results are sorted by score; `mode` says how they were found.',
        tags: ['Search'],
        querystring: SearchQuery,
        response: answers('The results', { 'application/json': SearchResponse }, [400, 503]),
      },
    },
    async (request, reply) => {
      const { q, limit, region, price_region: priceRegion } = request.query
      const { mode, results } = await found({ q, limit, region })
      const rows = await readItemsById(store, { itemIds: results.map(({ itemId }) => itemId), priceRegion })
      const items = new Map(rows.map((row) => [row.item_id, itemJson(row, priceRegion)]))
      // An item that left the catalog since it was indexed is passed over.
      const shown = results.flatMap(({ itemId, score }) => {
        const item = items.get(itemId)
        return item === undefined ? [] : [`${item.slice(0, -1)},"score":${score}}`]
      })
      const answer = `{"query":${JSON.stringify(q)},"results":[${shown.join(',')}],"mode":${JSON.stringify(mode)}}`
      return sendOnce(request, reply, documentOf(answer, { 'content-type': JSON_TYPE }))
    },
  )

  async function found({
    q,
    limit,
    region,
  }: {
    q: string
    limit: number
    region: string | undefined
  }): Promise<SearchAnswer> {
    // U+0000 is in no document, and Postgres takes no text that holds it.
    const query = q.replaceAll('\0', ' ')
    try {
      const vector = embedder === null ? 'no_embedder' : ((await embedder.embed([query], 'query'))[0] ?? null)
      return await search({ query, vector, index, limit, ...(region === undefined ? {} : { filter: { region } }) })
    } catch (cause) {
      throw unavailable(cause)
    }
  }
}

function unavailable(cause: unknown): ApiError {
  return cause instanceof EmbedderUnavailable
    ? new ApiError('search_unavailable', 'the query cannot be embedded', {
        retryAfterSeconds: Math.max(1, Math.ceil(cause.retryAfterSeconds)),
        cause,
      })
    : new ApiError('search_unavailable', 'the index does not answer', { retryAfterSeconds: INDEX_RETRY_SECONDS, cause })
}
