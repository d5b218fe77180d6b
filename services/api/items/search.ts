import { answers, SCORE_MEANING, SearchQuery, SearchResponse } from '@catalog/api/contract/contract.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendOnce } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { type Embedder, EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { codeKeys } from '@catalog/search/query/codes.ts'
import {
  embeddable,
  interpretationOf,
  type Question,
  readQuestion,
  respelledQuestion,
} from '@catalog/search/query/question.ts'
import { type SearchAnswer, search } from '@catalog/search/ranking/fuse.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { readCategoriesBelow } from '@catalog/store/catalog/listing.ts'
import { readItemsById } from '@catalog/store/catalog/queries.ts'
import { itemIdsByKey } from '@catalog/store/search/search-docs.ts'
import type { z } from 'zod'
import { itemJson } from './item-json.ts'

/** The next request tries a failed index again; a restart takes seconds. */
const INDEX_RETRY_SECONDS = 5

/** GET /search has a bucket of its own. */
export function searchRoute(v1: V1, context: SearchContext): void {
  const read = searchReader(context)
  v1.get(
    '/search',
    {
      config: { bucket: 'search' },
      schema: {
        operationId: 'search',
        summary: 'Semantic search in any language',
        description: `Results are sorted by score; \`mode\` says how they were found. ${SCORE_MEANING}`,
        tags: ['Search'],
        querystring: SearchQuery,
        response: answers('The results', { 'application/json': SearchResponse }, [400, 404, 503]),
      },
    },
    async (request, reply) => sendOnce(request, reply, await read(request.query)),
  )
}

type SearchContext = Pick<ApiContext, 'store'> & Readonly<{ find: Finder }>

/** Reads the answer of GET /search. */
export function searchReader({
  store,
  find,
}: SearchContext): (query: z.output<typeof SearchQuery>) => Promise<RenderedDocument> {
  return async ({ q, limit, region, category, kind, price_region: priceRegion, lang, explain }) => {
    const { question, mode, results } = await find({ q, limit, region, categoryId: category, kind })
    const rows = await readItemsById(store, {
      itemIds: results.map(({ itemId }) => itemId),
      priceRegion,
      isNamed: lang !== undefined,
    })
    const items = new Map(rows.map((row) => [row.item_id, itemJson(row, { priceRegion, lang })]))
    // Skip items that left the catalog after indexing.
    const shown = results.flatMap(({ itemId, score, why }) => {
      const item = items.get(itemId)
      const reason = explain && why ? `,"why":${JSON.stringify(why)}` : ''
      return item === undefined ? [] : [`${item.slice(0, -1)},"score":${score}${reason}}`]
    })
    const interpreted = explain ? `,"interpreted":${JSON.stringify(interpretationOf(question))}` : ''
    const answer = `{"query":${JSON.stringify(q)},"results":[${shown.join(',')}],"mode":${JSON.stringify(mode)}${interpreted}}`
    return documentOf(answer, { 'content-type': JSON_TYPE })
  }
}

/** What a caller asks. */
export type Search = Readonly<{
  q: string
  limit: number
  region: string | undefined
  /** Items in this category or in any below it. */
  categoryId: string | undefined
  kind?: string | undefined
  /** False for candidates that the caller judges; absent: what is not stocked finds nothing. */
  isRefusing?: boolean
}>

/** `cosineMin` is the least significant cosine of this query; 1 without vectors. `question` is the query as it was read. */
export type Found = SearchAnswer & Readonly<{ cosineMin: number; question: Question }>

/** Throws category_not_found, search_unavailable, and the errors of the store. */
export type Finder = (asked: Search) => Promise<Found>

export function openFinder({
  store,
  index,
  embedder,
}: Pick<ApiContext, 'store'> & { index: SearchIndex; embedder: Embedder | null }): Finder {
  async function categoriesBelow(categoryId: string): Promise<readonly string[]> {
    const ids = await readCategoriesBelow(store, categoryId)
    if (ids.length > 0) return ids
    throw new ApiError('category_not_found', `category '${categoryId}' does not exist`)
  }

  return async ({ q, limit, region: asked, categoryId, kind, isRefusing = true }) => {
    // No document contains U+0000, and Postgres accepts no text with it.
    const query = q.replaceAll('\0', ' ')
    const question = readQuestion(query, asked ?? null)
    // "cement in spain" asks for that market, unless the caller chose one.
    const region = asked ?? question.market?.region
    const categoryIds = categoryId === undefined ? undefined : await categoriesBelow(categoryId)
    const filter = {
      ...(region !== undefined && { region }),
      ...(categoryIds !== undefined && { categoryIds }),
      ...(kind !== undefined && { kind }),
    }
    const answerTo = async (question: Question): Promise<Found> => {
      const [identified, { vector, cosineMin }] = await Promise.all([
        itemIdsByKey(store, { keys: codeKeys(query), ...filter, limit }),
        embedded(embeddable(question), embedder),
      ])
      const answer = await search({ question, vector, cosineMin, index, identified, filter, limit, isRefusing }).catch(
        (cause) => {
          throw new ApiError('search_unavailable', 'the index does not answer', {
            retryAfterSeconds: INDEX_RETRY_SECONDS,
            cause,
          })
        },
      )
      return { ...answer, cosineMin, question }
    }
    const found = await answerTo(question)
    const spelled = found.results.length > 0 || !isRefusing ? null : respelledQuestion(question, region ?? null)
    const again = spelled && (await answerTo(spelled))
    return again && again.results.length > 0 ? again : found
  }
}

type Embedded = Readonly<{ vector: Float32Array | null | 'no_embedder'; cosineMin: number }>

async function embedded(query: string, embedder: Embedder | null): Promise<Embedded> {
  if (embedder === null) return { vector: 'no_embedder', cosineMin: 1 }
  const [vector = null] = await embedder.embed([query], 'query').catch((cause) => {
    const seconds = cause instanceof EmbedderUnavailable ? cause.retryAfterSeconds : INDEX_RETRY_SECONDS
    const retryAfterSeconds = Math.max(1, Math.ceil(seconds))
    throw new ApiError('search_unavailable', 'the query cannot be embedded', { retryAfterSeconds, cause })
  })
  // A vector without direction, or of another length, is near to nothing.
  const isUsable = vector?.length === embedder.dims && vector.every(Number.isFinite) && vector.some(Boolean)
  return isUsable ? { vector, cosineMin: embedder.cosineMin(query, vector) } : { vector: null, cosineMin: 1 }
}
