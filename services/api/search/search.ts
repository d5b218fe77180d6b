import {
  ExtendedSearchResponse,
  inItsMoney,
  operation,
  type SearchFacets,
  SearchQuery,
} from '@catalog/api/contract/contract.ts'
import { type ApiContext, itemPage, type V1 } from '@catalog/api/http/context.ts'
import { nextLink, pageOf } from '@catalog/api/http/cursor.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendOnce } from '@catalog/api/http/documents.ts'
import { priceRegionHeader } from '@catalog/api/http/headers.ts'
import { knownSource } from '@catalog/api/items/filters.ts'
import { itemJson } from '@catalog/api/items/item-json.ts'
import { FACET_VALUES_MAX, facetValues } from '@catalog/api/items/list-counts.ts'
import { readFacets, readSourceCounts, type ShownFilters } from '@catalog/replica/read/counts.ts'
import { readItemsById } from '@catalog/replica/read/items.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { interpretationOf } from '@catalog/search/query/question.ts'
import type { Hit } from '@catalog/search/ranking/fuse.ts'
import type { z } from 'zod'
import { type Finder, FOUND_MAX } from './finder.ts'

type SearchContext = Pick<ApiContext, 'store' | 'read' | 'catalogVersion' | 'cursors' | 'baseUrl'> &
  Readonly<{ find: Finder }>
type Query = z.output<typeof SearchQuery>
type Addition = NonNullable<Query['include']>[number]

/** GET /search has a bucket of its own. */
export function searchRoute(v1: V1, context: SearchContext): void {
  const read = searchReader(context)
  v1.get(
    '/search',
    {
      config: { bucket: 'search' },
      ...operation('search', { querystring: SearchQuery, answer: ExtendedSearchResponse }),
    },
    async (request, reply) => sendOnce(request, reply, await read(request.query)),
  )
}

/** Reads the answer of GET /search. */
export function searchReader({
  store,
  read,
  catalogVersion,
  cursors,
  baseUrl,
  find,
}: SearchContext): (query: Query) => Promise<RenderedDocument> {
  return async (asked) => {
    const query = inItsMoney(asked)
    const { q, limit, region, category_id: categoryId, kind, price_region: priceRegion, lang, cursor } = query
    const includes = (name: Addition) => query.include?.includes(name) === true
    // The replica reaches this version first, so that the search reads items at least as new.
    await catalogVersion.get()
    const { encode, decode } = await cursors.get()
    const scope = scopeOf(query)
    // Cursors never expire, and those of earlier releases hold for their price region alone.
    const after = cursor === undefined ? null : decode(cursor, scope, scopeOf(query, priceRegion))
    const shown = await shownFiltersOf(store, query)
    const found = await find({ q, limit: FOUND_MAX, region, categoryId, kind, shown })
    const start = after === null ? 0 : indexAfter(found.results, after)
    const page = pageOf(found.results.slice(start, start + limit + 1), limit)
    const itemIds = page.shown.map(({ itemId }) => itemId)
    const rows = read((tables) => readItemsById(tables, { itemIds, priceRegion }))
    const items = new Map(rows.map((row) => [row.item_id, itemJson(row, { priceRegion, lang })]))
    // Skip items that left the catalog after indexing.
    const results = page.shown.flatMap(({ itemId, score, why }) => {
      const item = items.get(itemId)
      if (item === undefined) return []
      const page = includes('page_url') ? `,"page_url":"${itemPage(itemId, { baseUrl, region: priceRegion })}"` : ''
      const reason = includes('explain') && why ? `,"why":${JSON.stringify(why)}` : ''
      return [`${item.slice(0, -1)},"score":${score}${page}${reason}}`]
    })
    const next = page.last && encode(positionOf(page.last), scope, asked)
    const extra = {
      ...(next !== undefined && includes('cursor') && { cursor: next }),
      ...(includes('facets') && { facets: read((tables) => facetsOf(tables, found.results, priceRegion)) }),
      ...(includes('explain') && { interpreted: interpretationOf(found.question) }),
    }
    const answer = `{"query":${JSON.stringify(q)},"results":[${results.join(',')}],"mode":${JSON.stringify(found.mode)}`
    const members = Object.entries(extra).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
    return documentOf(`${answer}${members.join('')}}`, {
      'content-type': JSON_TYPE,
      ...priceRegionHeader(priceRegion),
      ...(next !== undefined && {
        link: nextLink(`${baseUrl}/search`, next),
      }),
    })
  }
}

/** The filters that no index holds; undefined without one. Throws source_not_found. */
async function shownFiltersOf(
  store: ApiContext['store'],
  { unit, currency, price_min, price_max, source, price_region }: Query,
): Promise<ShownFilters | undefined> {
  if (unit === undefined && currency === undefined && source === undefined) return undefined
  return {
    unit,
    currency,
    priceMin: price_min,
    priceMax: price_max,
    sourceId: source === undefined ? undefined : await knownSource(store, source),
    priceRegion: price_region,
  }
}

/** What a cursor holds for: all that selects or orders results. A price region selects only by the currency of its medians. */
function scopeOf(query: Query, priceRegion = query.currency === undefined ? undefined : query.price_region): string[] {
  const { limit: _, cursor: __, lang: ___, include: ____, ...selecting } = query
  const given = Object.entries({ ...selecting, price_region: priceRegion }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  return ['search', ...given.sort()]
}

const positionOf = ({ score, itemId }: Hit) => `${score} ${itemId}`

/** Where the results after a position begin, also where its item has left or moved since. */
function indexAfter(hits: readonly Hit[], position: string): number {
  const [score = '', itemId = ''] = position.split(' ')
  const at = hits.findIndex((hit) => positionOf(hit) === position)
  if (at >= 0) return at + 1
  const next = hits.findIndex(
    (hit) => hit.score < Number(score) || (hit.score === Number(score) && hit.itemId > itemId),
  )
  return next < 0 ? hits.length : next
}

function facetsOf(tables: Tables, hits: readonly Hit[], priceRegion: string | undefined): SearchFacets {
  const itemIds = hits.map(({ itemId }) => itemId)
  const max = FACET_VALUES_MAX
  const sources = readSourceCounts(tables, { itemIds, max })
  return {
    found: hits.length,
    ...facetValues(readFacets(tables, { filters: { itemIds, priceRegion }, max }).facets),
    sources: sources.map(({ value, name, count }) => ({ id: value, name, count })),
  }
}
