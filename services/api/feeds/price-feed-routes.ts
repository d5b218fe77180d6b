import { Feed, IdParams, JsonFeed, operation, PriceFeedQuery } from '@catalog/api/contract/contract.ts'
import { publicationVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { addressOf } from '@catalog/api/http/cursor.ts'
import { documentOf, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { priceRegionHeader } from '@catalog/api/http/headers.ts'
import { preferredType } from '@catalog/api/http/negotiate.ts'
import { itemJson } from '@catalog/api/items/item-json.ts'
import { foundItem } from '@catalog/api/items/items.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import { readCategoriesBelow, readCategoryName } from '@catalog/replica/read/categories.ts'
import { readItemsById, survivorId } from '@catalog/replica/read/items.ts'
import {
  type PriceChange,
  readCategoryPriceChanges,
  readItemPriceChanges,
  readLeftUs,
} from '@catalog/replica/read/price-changes.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { contentTypeOf, READER_TYPES, type ReaderFormat } from './feed-fields.ts'
import { categoryPriceFeed, itemPriceFeed } from './price-feed.ts'
import { type ReaderFeed, readerFeedOf } from './reader-feed.ts'

type PriceFeedContext = Pick<ApiContext, 'read' | 'cache' | 'baseUrl'>
type Question = Readonly<{ id: string; format: ReaderFormat }> & z.output<typeof PriceFeedQuery>
type Rendered = Readonly<{ feed: ReaderFeed; headers?: Readonly<Record<string, string>> }>
type Request = FastifyRequest<{
  Params: z.output<typeof IdParams>
  Querystring: z.output<typeof PriceFeedQuery>
}>

/** GET /feeds/item/{id} and GET /feeds/category/{id}, changes of prices for people's readers and webhooks. */
export function priceFeedRoutes(v1: V1, context: PriceFeedContext): void {
  v1.get(
    '/feeds/item/:id',
    operation('getItemFeed', { params: IdParams, querystring: PriceFeedQuery, answer: CONTENT }),
    (request, reply) => sendFeed(context, { request, reply, kind: 'item', render: itemFeed }),
  )

  v1.get(
    '/feeds/category/:id',
    operation('getCategoryFeed', { params: IdParams, querystring: PriceFeedQuery, answer: CONTENT }),
    (request, reply) => sendFeed(context, { request, reply, kind: 'category', render: categoryFeed }),
  )
}

const CONTENT = { [READER_TYPES.atom]: Feed, [READER_TYPES.rss]: Feed, [READER_TYPES.json]: JsonFeed }
/** Behind the id in the document's own address. */
const SUFFIXES: Readonly<Record<ReaderFormat, string>> = { atom: '', rss: '.rss', json: '.json' }
const FORMATS_BY_TYPE: Readonly<Record<string, ReaderFormat>> = {
  [READER_TYPES.atom]: 'atom',
  [READER_TYPES.rss]: 'rss',
  [READER_TYPES.json]: 'json',
}

async function sendFeed(
  context: PriceFeedContext,
  {
    request,
    reply,
    kind,
    render,
  }: {
    request: Request
    reply: FastifyReply
    kind: 'item' | 'category'
    render: (context: PriceFeedContext, question: Question & { self: string }) => Promise<Rendered>
  },
): Promise<FastifyReply> {
  // No id contains a dot.
  const [, id = '', suffix] = /^(.*?)(?:\.(rss|atom|json))?$/s.exec(request.params.id) ?? []
  const preferred = preferredType(request.headers.accept, [READER_TYPES.atom, READER_TYPES.rss, READER_TYPES.json])
  const accepted = FORMATS_BY_TYPE[preferred ?? ''] ?? 'atom'
  const question = { ...request.query, id, format: (suffix as ReaderFormat | undefined) ?? accepted }
  const { limit, price_region: region } = question
  const key = JSON.stringify(['price feed', kind, id, question.format, region, limit])
  const document = await context.cache.get({ key, versionOf: publicationVersion }, async () => {
    const path = `${kind}/${encodeURIComponent(id)}${SUFFIXES[question.format]}`
    const self = addressOf(`${context.baseUrl}/feeds/${path}`, shownParameters(request.query))
    return documentOfFeed(await render(context, { ...question, self }), question)
  })
  reply.header('vary', 'Authorization, Accept, Accept-Encoding')
  return sendDocument(request, reply, document)
}

/** The parameters of the document's own address: those that are not what an address without them has. */
function shownParameters({ price_region, limit }: z.output<typeof PriceFeedQuery>) {
  return { price_region, limit: limit === PriceFeedQuery.parse({}).limit ? undefined : limit }
}

function documentOfFeed({ feed, headers }: Rendered, { format, price_region }: Question): RenderedDocument {
  return documentOf(readerFeedOf(feed, format), {
    'content-type': contentTypeOf(format),
    ...priceRegionHeader(price_region),
    ...headers,
  })
}

/** Throws item_not_found. */
async function itemFeed(
  context: PriceFeedContext,
  { id, self, format, price_region: region, limit }: Question & { self: string },
): Promise<Rendered> {
  const { baseUrl } = context
  const market = region ?? ''
  const { item, changes, leftUs } = await foundItem(id, async (requested) =>
    context.read((tables) => itemPrices(tables, { requested, region, market, limit })),
  )
  const isMerged = item.id !== id
  const merge = isMerged ? { requested: id, updatedUs: leftUs ?? null } : null
  const survivor = `${baseUrl}/feeds/item/${item.id}${SUFFIXES[format]}`
  return {
    feed: itemPriceFeed({ baseUrl, region, self, item, changes, merge }),
    headers: isMerged
      ? { 'content-location': addressOf(survivor, shownParameters({ price_region: region, limit })) }
      : {},
  }
}

type Asked = Readonly<{ region: string | undefined; market: string; limit: number }>
type ItemPrices = Readonly<{ item: PublicItem; changes: readonly PriceChange[]; leftUs: bigint | undefined }>

function itemPrices(
  tables: Tables,
  { requested, region, market, limit }: Asked & { requested: string },
): ItemPrices | undefined {
  const itemId = survivorId(tables, requested)
  if (itemId === undefined) return undefined
  const [row] = readItemsById(tables, { itemIds: [itemId], priceRegion: region })
  return (
    row && {
      item: itemOf(row, region),
      changes: readItemPriceChanges(tables, { itemId, market, limit }),
      leftUs: readLeftUs(tables, requested),
    }
  )
}

/** Throws category_not_found. */
async function categoryFeed(
  context: PriceFeedContext,
  { id, self, price_region: region, limit }: Question & { self: string },
): Promise<Rendered> {
  const { baseUrl } = context
  const prices = context.read((tables) => categoryPrices(tables, { id, region, market: region ?? '', limit }))
  if (prices === undefined) throw new ApiError('category_not_found', `category '${id}' does not exist`)
  const items = new Map(prices.rows.map((row) => [row.item_id, itemOf(row, region)]))
  const changes = prices.changes.flatMap((change) => {
    const item = items.get(change.item_id)
    return item === undefined ? [] : [{ item, change }]
  })
  return { feed: categoryPriceFeed({ baseUrl, region, self, category: { id, name: prices.name }, changes }) }
}

type ShownRow = Parameters<typeof itemJson>[0] & Readonly<{ item_id: string }>
type CategoryPrices = Readonly<{ name: string; changes: readonly PriceChange[]; rows: readonly ShownRow[] }>

function categoryPrices(
  tables: Tables,
  { id, region, market, limit }: Asked & { id: string },
): CategoryPrices | undefined {
  const name = readCategoryName(tables, id)
  if (name === undefined) return undefined
  const categoryIds = readCategoriesBelow(tables, id)
  const changes = readCategoryPriceChanges(tables, { categoryIds, market, limit })
  const itemIds = changes.map(({ item_id }) => item_id)
  return { name, changes, rows: readItemsById(tables, { itemIds, priceRegion: region }) }
}

/** The item with the name that readers in the region know. */
const itemOf = (row: ShownRow, priceRegion: string | undefined) =>
  JSON.parse(itemJson(row, { priceRegion })) as PublicItem
