import type { Caller } from '@catalog/api/callers/rate-limits.ts'
import {
  answers,
  IdParams,
  type ItemDetail,
  ItemDetailResponse,
  ItemQuery,
  ListItemsQuery,
  ListItemsResponse,
  Markdown,
} from '@catalog/api/contract/contract.ts'
import { projectionVersion, publicationVersion } from '@catalog/api/http/catalog-version.ts'
import {
  type ApiContext,
  addressOf,
  fromReplica,
  nextLink,
  type Parameters,
  type V1,
} from '@catalog/api/http/context.ts'
import type { CursorScope, Cursors } from '@catalog/api/http/cursor.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { priceRegionHeader } from '@catalog/api/http/headers.ts'
import { preferredLanguages, preferredType } from '@catalog/api/http/negotiate.ts'
import { type ItemDetailTexts, readItemDetail as readReplicatedDetail } from '@catalog/replica/detail.ts'
import { readPlainPage, readItems as readReplicatedItems } from '@catalog/replica/listing.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { vendorObservation } from '@catalog/replica/vendor-price.ts'
import { readItemDetail } from '@catalog/store/catalog/detail.ts'
import { type ItemsPage, type ItemsQuery, readItems } from '@catalog/store/catalog/listing.ts'
import type { Store } from '@catalog/store/db.ts'
import { noteOf } from './explain.ts'
import { categoriesBelow, knownSource } from './filters.ts'
import { categoryPathFor } from './item-category.ts'
import { itemJson, type Shown } from './item-json.ts'
import { itemMarkdown } from './markdown.ts'

type ItemsContext = Pick<ApiContext, 'store' | 'replica' | 'cache' | 'cursors' | 'baseUrl'>

/** GET /items and GET /items/{id}. */
export function itemRoutes(v1: V1, context: ItemsContext): void {
  const { cache } = context
  v1.get(
    '/items',
    {
      schema: {
        operationId: 'listItems',
        summary: 'List canonical items',
        description:
          'Every item once, or those that the filters select, with vendors and observations counted and the median ' +
          'price. Follow `cursor`, or the header Link, until there is none: a page may hold fewer items than ' +
          '`limit`, or none, and still name a next one.',
        tags: ['Items'],
        querystring: ListItemsQuery,
        response: answers('A page of items', { 'application/json': ListItemsResponse }, [404]),
      },
    },
    async (request, reply) => {
      const { query, caller } = request
      // The SKUs of an item change with vendor data, without a publication.
      const versionOf = query.source === undefined ? publicationVersion : projectionVersion
      const document = await cache.get({ key: pageKey(query, caller), versionOf }, () =>
        renderPage(context, query, caller),
      )
      return sendDocument(request, reply, document)
    },
  )

  v1.get(
    '/items/:id',
    {
      schema: {
        operationId: 'getItem',
        summary: 'Read one item with its vendors and prices',
        description:
          'The item, the latest price of each vendor, and 90 days of medians. An item that was merged answers with ' +
          'the one that survives, which Content-Location names. With `Accept: text/markdown` the same comes as a ' +
          'text for language models.',
        tags: ['Items'],
        params: IdParams,
        querystring: ItemQuery,
        response: answers('The item', { 'application/json': ItemDetailResponse, 'text/markdown': Markdown }, [404]),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { price_region: priceRegion } = request.query
      const markdown = preferredType(request.headers.accept, TYPES) === 'text/markdown'
      // JSON shows the same name to every reader of an address.
      const lang = request.query.lang ?? (markdown ? preferredLanguages(request.headers['accept-language']) : undefined)
      const document = await cache.get(
        { key: itemKey({ id, priceRegion, lang }, markdown), versionOf: projectionVersion },
        async () => {
          const { json, text, headers } = await itemForms(context, { id, priceRegion, lang })
          return markdown
            ? documentOf(text(), { 'content-type': 'text/markdown; charset=utf-8', ...headers })
            : documentOf(json, { 'content-type': JSON_TYPE, ...headers })
        },
      )
      reply.header('vary', markdown ? 'Authorization, Accept, Accept-Language, Accept-Encoding' : ITEM_VARY)
      return sendDocument(request, reply, document)
    },
  )
}

/** An item as JSON, and as Markdown. */
export type ItemForms = Readonly<{ detail: ItemDetail; markdown: string }>

/** Reads {@link ItemForms}: one read of the store gives both, of one state of the catalog. */
export function itemReader(
  context: Pick<ApiContext, 'store' | 'replica' | 'cache' | 'baseUrl'>,
): (question: ItemQuestion) => Promise<RenderedDocument> {
  return (question) =>
    context.cache.get(
      {
        key: JSON.stringify(['item forms', question.id, question.priceRegion, question.lang]),
        versionOf: projectionVersion,
      },
      async () => {
        const { json, text } = await itemForms(context, question)
        return documentOf(`{"detail":${json},"markdown":${JSON.stringify(text())}}`, { 'content-type': JSON_TYPE })
      },
    )
}

const pageKey = (query: ListItemsQuery, { tier, perMinute }: Caller) =>
  JSON.stringify(['items', query, tier, perMinute])
const itemKey = ({ id, priceRegion, lang }: ItemQuestion, markdown: boolean) =>
  JSON.stringify(['item', id, priceRegion, lang, markdown])
/** Of an item as JSON. */
export const ITEM_VARY = 'Authorization, Accept, Accept-Encoding'

/** The page, if nobody asked for it lately and the replica has it; the store is not asked. */
export function firstPage(
  { cache, replica, cursors, baseUrl }: ItemsContext,
  query: ListItemsQuery,
  caller: Caller,
): RenderedDocument | undefined {
  if (query.category_id !== undefined || query.source !== undefined) return undefined
  return cache.first({ key: pageKey(query, caller), versionOf: publicationVersion }, () => {
    const [tables, known] = [replica(), cursors.peek()]
    if (tables === undefined || known === undefined) return undefined
    const scope = scopeOf(query)
    const question = questionOf(query, { after: afterOf(query, known) })
    return pageDocument(readListed(tables, { ...question, lang: query.lang }), {
      baseUrl,
      query,
      caller,
      cursors: known,
      scope,
    })
  })
}

/** The item as JSON, if nobody asked for it lately and the replica has it; the store is not asked. */
export function firstItem(
  { cache, replica, baseUrl }: ItemsContext,
  question: ItemQuestion,
): RenderedDocument | undefined {
  return cache.first({ key: itemKey(question, false), versionOf: projectionVersion }, () => {
    const tables = replica()
    const row =
      tables &&
      readReplicatedDetail(tables, { itemId: question.id, priceRegion: question.priceRegion, days: HISTORY_DAYS })
    if (row === undefined) return undefined
    const { json, headers } = formsOf(row, { baseUrl, question })
    return documentOf(json, { 'content-type': JSON_TYPE, ...headers })
  })
}

async function renderPage(context: ItemsContext, query: ListItemsQuery, caller: Caller): Promise<RenderedDocument> {
  const cursors = await context.cursors.get()
  const scope = scopeOf(query)
  const question = await askedItems(context, query, afterOf(query, cursors))
  const page = await listedItems(context, question)
  return pageDocument(page, { baseUrl: context.baseUrl, query, caller, cursors, scope })
}

/** The question of a list or an export; throws category_not_found and source_not_found. */
export async function askedItems(
  { store, replica }: Pick<ApiContext, 'store' | 'replica'>,
  query: ListItemsQuery,
  after: string | undefined,
): Promise<ListedQuestion> {
  const { category_id, source, lang } = query
  const known = {
    after,
    categoryIds: category_id === undefined ? undefined : await categoriesBelow({ store, replica }, category_id),
    sourceId: source === undefined ? undefined : await knownSource(store, source),
  }
  return { ...questionOf(query, known), lang }
}

/**
 * The scope of the page's cursors: every parameter but those that show the same rows otherwise. A price region selects rows
 * only by the currency of its medians.
 */
function scopeOf(query: ListItemsQuery, priceRegion = query.currency === undefined ? undefined : query.price_region) {
  const { cursor: _c, limit: _n, lang: _l, price_region: _p, sort, region, q, ...filters } = query
  const given = Object.entries(filters).map(([name, value]) => `${name}=${value}`)
  return ['items', sort, region, q, priceRegion, ...given.sort()]
}

/** Cursors never expire, and those of earlier releases hold for their price region alone. */
const afterOf = (query: ListItemsQuery, { decode }: Cursors) =>
  query.cursor === undefined ? undefined : decode(query.cursor, scopeOf(query), scopeOf(query, query.price_region))

function questionOf(
  { sort, limit, region, q, price_region, lang, kind, unit, currency, ...query }: ListItemsQuery,
  known: Pick<ItemsQuery, 'after' | 'categoryIds' | 'sourceId'>,
): ItemsQuery {
  return {
    ...known,
    order: sort === 'id' ? 'id' : 'seq',
    limit,
    region,
    q,
    priceRegion: price_region,
    isNamed: lang !== undefined,
    kind,
    unit,
    currency,
    priceMin: query.price_min,
    priceMax: query.price_max,
    updatedSince: query.updated_since,
  }
}

type ListedPage = Readonly<{ json: string; next: string | null }>

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
  const next = page.next === null ? null : cursors.encode(page.next, scope)
  const meta = { tier: caller.tier, rate_limit_per_min: caller.perMinute }
  return documentOf(`{"items":[${page.json}],"cursor":${JSON.stringify(next)},"meta":${JSON.stringify(meta)}}`, {
    'content-type': JSON_TYPE,
    ...priceRegionHeader(query.price_region),
    ...(next === null ? {} : { link: nextLink(`${baseUrl}/items`, { ...query, cursor: next }) }),
  })
}

export type ListedQuestion = ItemsQuery & Readonly<{ lang: string | undefined }>

async function listedItems(
  { store, replica }: Pick<ApiContext, 'store' | 'replica'>,
  question: ListedQuestion,
): Promise<ListedPage> {
  return fromReplica(
    // The replica knows no memberships.
    question.sourceId === undefined ? replica : undefined,
    (tables) => readListed(tables, question),
    async () => shownPage(await readItems(store, question), question),
  )
}

/** A page of items as the JSON of each. */
export async function readItemTexts(
  { store, replica }: Pick<ApiContext, 'store' | 'replica'>,
  question: ListedQuestion,
): Promise<Readonly<{ texts: readonly string[]; next: string | null }>> {
  const { rows, next } = await fromReplica(
    question.sourceId === undefined ? replica : undefined,
    (tables) => readReplicatedItems(tables, question),
    () => readItems(store, question),
  )
  return { texts: rows.map((row) => itemJson(row, question)), next }
}

const readListed = (tables: Tables, question: ListedQuestion): ListedPage =>
  isPlain(question) ? readPlainPage(tables, question) : shownPage(readReplicatedItems(tables, question), question)

/** The items of a page as JSON, without brackets. */
function shownPage({ rows, next }: ItemsPage, { priceRegion, lang }: ListedQuestion): ListedPage {
  return { json: rows.map((row) => itemJson(row, { priceRegion, lang })).join(','), next }
}

/** Whether the page is all items in the order of their ids, as they are stored. */
function isPlain({ order, after: _a, limit: _l, isNamed, lang: _n, ...filters }: ListedQuestion): boolean {
  return order === 'id' && isNamed !== true && Object.values(filters).every((filter) => filter === undefined)
}

/** Days of price history in an item's detail. */
const HISTORY_DAYS = 90

/** Media types of an item; JSON is the default. */
const TYPES = ['application/json', 'text/markdown'] as const

/** Shape of an item id; other values cause no query. */
export const ITEM_ID = /^ci_[A-Za-z0-9_-]{1,97}$/

/** Reads the item of this id, or the survivor of its merges; throws item_not_found. */
export async function foundItem<Row>(id: string, read: (itemId: string) => Promise<Row | undefined>): Promise<Row> {
  const row = ITEM_ID.test(id) ? await read(id) : undefined
  if (row === undefined) throw new ApiError('item_not_found', `item '${id}' does not exist`)
  return row
}

/** The Content-Location of the survivor when the requested item was merged; empty otherwise. */
export function survivorLocation(
  baseUrl: string,
  { requested, shown, path = '', query = {} }: { requested: string; shown: string; path?: string; query?: Parameters },
): Readonly<Record<string, string>> {
  return requested === shown ? {} : { 'content-location': addressOf(`${baseUrl}/items/${shown}${path}`, query) }
}

export type ItemQuestion = Shown & Readonly<{ id: string }>

type Forms = Readonly<{ json: string; text: () => string; headers: Readonly<Record<string, string>> }>

async function itemForms(
  context: Pick<ApiContext, 'store' | 'replica' | 'baseUrl'>,
  question: ItemQuestion,
): Promise<Forms> {
  const { id, priceRegion } = question
  const row = await foundItem(id, async (itemId) => detailTexts(context, { itemId, priceRegion }))
  return formsOf(row, { baseUrl: context.baseUrl, question })
}

function formsOf(
  row: ItemDetailTexts,
  { baseUrl, question: { id, priceRegion, lang } }: { baseUrl: string; question: ItemQuestion },
): Forms {
  const location = survivorLocation(baseUrl, {
    requested: id,
    shown: row.item_id,
    query: { price_region: priceRegion, lang: typeof lang === 'string' ? lang : undefined },
  })
  const json = `{"item":${itemJson(row, { priceRegion, lang })},"vendors":${row.vendors_json},"price_history":${row.history_json}}`
  return {
    json,
    text() {
      const detail = JSON.parse(json) as ItemDetail
      const { name: headline, median_price } = JSON.parse(row.item_json) as ItemDetail['item']
      return itemMarkdown(detail, {
        note: noteOf(JSON.parse(row.basis), priceRegion),
        kind: row.kind,
        headline,
        market: priceRegion === undefined ? undefined : { region: priceRegion, headline: median_price },
        category: categoryPathFor(detail.item.category_id, { priceRegion, lang }),
      })
    },
    headers: { ...priceRegionHeader(priceRegion), ...location },
  }
}

async function detailTexts(
  { store, replica }: Pick<ApiContext, 'store' | 'replica'>,
  { itemId, priceRegion }: { itemId: string; priceRegion: string | undefined },
): Promise<ItemDetailTexts | undefined> {
  const question = { itemId, priceRegion, days: HISTORY_DAYS }
  return fromReplica(
    replica,
    (tables) => readReplicatedDetail(tables, question),
    () => storedDetail(store, question),
  )
}

async function storedDetail(
  store: Store,
  question: { itemId: string; priceRegion: string | undefined; days: number },
): Promise<ItemDetailTexts | undefined> {
  const row = await readItemDetail(store, question)
  if (row === undefined) return undefined
  const { seen, history, ...texts } = row
  const vendors = [...Map.groupBy(seen, ({ vendor_sku_id }) => vendor_sku_id).values()].map(vendorObservation)
  const points = history.map(({ recorded_at, cents, currency }) => ({ recorded_at, price_cents: cents, currency }))
  return { ...texts, vendors_json: JSON.stringify(vendors), history_json: JSON.stringify(points) }
}
