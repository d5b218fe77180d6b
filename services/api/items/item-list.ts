import type { Caller } from '@catalog/api/callers/rate-limits.ts'
import { ExtendedListItemsResponse, inItsMoney, ListItemsQuery, operation } from '@catalog/api/contract/contract.ts'
import { projectionVersion, publicationVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { type CursorScope, type Cursors, nextLink, type Parameters } from '@catalog/api/http/cursor.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { priceRegionHeader } from '@catalog/api/http/headers.ts'
import type { ItemsPage, ItemsQuery } from '@catalog/replica/read/items-query.ts'
import { readItems, readPlainPage } from '@catalog/replica/read/listing.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { categoriesBelow, identifiedItems, knownSource } from './filters.ts'
import { itemJson } from './item-json.ts'
import { countsOf } from './list-counts.ts'
import { itemsOfIds } from './list-ids.ts'

type ListContext = Pick<ApiContext, 'store' | 'read' | 'cache' | 'cursors' | 'baseUrl'>

/** GET /items. */
export function itemListRoute(v1: V1, context: ListContext): void {
  const { cache } = context
  v1.get(
    '/items',
    operation('listItems', { querystring: ListItemsQuery, answer: ExtendedListItemsResponse }),
    async (request, reply) => {
      const { caller } = request
      const query = inItsMoney(request.query)
      // The SKUs of an item change with vendor data, without a publication.
      const versionOf = isOfSkus(query) ? projectionVersion : publicationVersion
      const key = JSON.stringify(['items', query, caller.tier, caller.perMinute])
      const document = await cache.get({ key, versionOf }, () => renderPage(context, query, caller))
      return sendDocument(request, reply, document)
    },
  )
}

/** Whether the filters ask which SKUs an item has, and what vendors say of them. */
const isOfSkus = ({ source, gtin, manufacturer_ref }: ListItemsQuery) =>
  source !== undefined || gtin !== undefined || manufacturer_ref !== undefined

async function renderPage(context: ListContext, query: ListItemsQuery, caller: Caller): Promise<RenderedDocument> {
  const { ids } = query
  const cursors = await context.cursors.get()
  const shown = { baseUrl: context.baseUrl, query, caller, cursors, scope: scopeOf(query) }
  if (ids !== undefined)
    return pageDocument(
      context.read((tables) => itemsOfIds(tables, { ...query, ids })),
      shown,
    )
  const question = await askedItems(context, query, afterOf(query, cursors))
  const page = context.read((tables) => ({
    ...readListed(tables, question),
    added: countsOf(tables, { query, filters: question }),
  }))
  return pageDocument(page, shown)
}

/** The question of a list or an export; throws category_not_found and source_not_found. */
export async function askedItems(
  { store, read }: Pick<ApiContext, 'store' | 'read'>,
  query: ListItemsQuery,
  after: string | undefined,
): Promise<ListedQuestion> {
  const { category_id, source, lang } = query
  const known = {
    after,
    categoryIds: category_id === undefined ? undefined : categoriesBelow(read, category_id),
    sourceId: source === undefined ? undefined : await knownSource(store, source),
    itemIds: await identifiedItems(store, query),
  }
  return { ...questionOf(query, known), lang }
}

/**
 * The scope of the page's cursors: every parameter but those that show the same rows otherwise. A price region selects or
 * orders rows only by the prices of its medians.
 */
function scopeOf(query: ListItemsQuery, priceRegion = isOfPrices(query) ? query.price_region : undefined): CursorScope {
  const { cursor: _c, limit: _n, lang: _l, price_region: _p, fields: _f, include: _i, ...selecting } = query
  const { sort, region, q, ...filters } = selecting
  const given = Object.entries(filters).map(([name, value]) => `${name}=${value}`)
  return ['items', sort, region, q, priceRegion, ...given.sort()]
}

const isOfPrices = ({ sort, currency }: ListItemsQuery) =>
  currency !== undefined || sort === 'price' || sort === '-price'

/** Cursors never expire, and those of earlier releases hold for their price region alone. */
const afterOf = (query: ListItemsQuery, { decode }: Cursors) =>
  query.cursor === undefined ? undefined : decode(query.cursor, scopeOf(query), scopeOf(query, query.price_region))

function questionOf(
  query: ListItemsQuery,
  known: Pick<ItemsQuery, 'after' | 'categoryIds' | 'sourceId' | 'itemIds'>,
): ItemsQuery {
  return {
    // Filters of one word have one name.
    ...query,
    ...known,
    order: ORDERS[query.sort],
    priceRegion: query.price_region,
    isNamed: query.lang !== undefined,
    priceMin: query.price_min,
    priceMax: query.price_max,
    updatedSince: query.updated_since,
  }
}

const ORDERS = {
  id: 'id',
  updated: 'seq',
  '-updated': '-seq',
  name: 'name',
  price: 'price',
  '-price': '-price',
} as const

/** Items as JSON without brackets; `added` are further members of the answer. */
type ListedPage = Readonly<{ json: string; next: string | null; added?: object }>

function pageDocument(
  page: ListedPage,
  {
    baseUrl,
    query,
    caller,
    cursors,
    scope,
  }: { baseUrl: string; query: ListItemsQuery; caller: Caller; cursors: Cursors; scope: CursorScope },
): RenderedDocument {
  const next = page.next === null ? null : cursors.encode(page.next, scope, nextQuery(query))
  const meta = { tier: caller.tier, rate_limit_per_min: caller.perMinute }
  const items = query.fields === undefined ? page.json : withFields(page.json, query.fields)
  const added = Object.entries(page.added ?? {}).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
  return documentOf(
    `{"items":[${items}],"cursor":${JSON.stringify(next)},"meta":${JSON.stringify(meta)}${added.join('')}}`,
    {
      'content-type': JSON_TYPE,
      ...priceRegionHeader(query.price_region),
      ...(next === null ? {} : { link: nextLink(`${baseUrl}/items`, next) }),
    },
  )
}

/** The parameters of the next page, which counts nothing anew. */
const nextQuery = ({ ids: _i, include: _a, ...query }: ListItemsQuery): Parameters => query

/** The items with some of their fields, in the order in which items have them. */
function withFields(json: string, fields: readonly string[]): string {
  const items = JSON.parse(`[${json}]`) as Record<string, unknown>[]
  const chosen = items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name))))
  return JSON.stringify(chosen).slice(1, -1)
}

export type ListedQuestion = ItemsQuery & Readonly<{ lang: string | undefined }>

/** A page of items as the JSON of each. */
export function readItemTexts(
  tables: Tables,
  question: ListedQuestion,
): Readonly<{ texts: readonly string[]; next: string | null }> {
  const { rows, next } = readItems(tables, question)
  const texts = rows.map((row) => itemJson(row, question))
  // Further on, a text that is no JSON would end a download that has begun.
  for (const text of texts) JSON.parse(text)
  return { texts, next }
}

const readListed = (tables: Tables, question: ListedQuestion): ListedPage =>
  isPlain(question) ? readPlainPage(tables, question) : shownPage(readItems(tables, question), question)

/** The items of a page as JSON, without brackets. */
function shownPage({ rows, next }: ItemsPage, { priceRegion, lang }: ListedQuestion): ListedPage {
  return { json: rows.map((row) => itemJson(row, { priceRegion, lang })).join(','), next }
}

/** Whether the page is all items in the order of their ids, as they are stored. */
function isPlain({ order, after: _a, limit: _l, isNamed, lang: _n, ...filters }: ListedQuestion): boolean {
  return order === 'id' && isNamed !== true && Object.values(filters).every((filter) => filter === undefined)
}
