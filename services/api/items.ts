import { add, divide, ONE, parseDecimal, type Rational, rational } from '@catalog/core/rational.ts'
import { settlementCurrency } from '@catalog/core/reprice.ts'
import { priceAt } from '@catalog/core/verdict.ts'
import {
  type ItemRow,
  readItem,
  readItems,
  readLatestPrices,
  readPriceHistory,
  type SeenPrice,
} from '@catalog/store/catalog.ts'
import type { Caller } from './caller.ts'
import type { ApiContext, V1 } from './context.ts'
import { nextLink } from './context.ts'
import {
  answers,
  IdParams,
  type ItemDetail,
  ItemDetailResponse,
  ItemQuery,
  ListItemsQuery,
  ListItemsResponse,
  Markdown,
} from './contract.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from './documents.ts'
import { ApiError } from './errors.ts'
import { itemMarkdown } from './markdown.ts'

type ItemsContext = Pick<ApiContext, 'store' | 'head' | 'cache' | 'cursors' | 'baseUrl'>

/** GET /items and GET /items/{id}. */
export function itemRoutes(v1: V1, context: ItemsContext): void {
  const { store, head, cache, baseUrl } = context
  v1.get(
    '/items',
    {
      schema: {
        operationId: 'listItems',
        summary: 'List canonical items',
        tags: ['Catalog'],
        querystring: ListItemsQuery,
        response: answers('A page of items', { 'application/json': ListItemsResponse }, [400]),
      },
    },
    async (request, reply) => {
      const { query, caller } = request
      const { gen, seq } = await head()
      const document = await cache.get(
        { key: JSON.stringify(['items', query, caller.tier, caller.perMinute]), version: `${gen} ${seq}` },
        () => renderPage(context, query, caller),
      )
      return sendDocument(request, reply, document)
    },
  )

  v1.get(
    '/items/:id',
    {
      schema: {
        operationId: 'getItem',
        summary: 'One item with its vendors and 90 days of price history',
        description: 'As JSON, or with `Accept: text/markdown` as Markdown for language models.',
        tags: ['Catalog'],
        params: IdParams,
        querystring: ItemQuery,
        response: answers(
          'The item',
          { 'application/json': ItemDetailResponse, 'text/markdown': Markdown },
          [400, 404],
        ),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const priceRegion = request.query.price_region
      const markdown = prefersMarkdown(request.headers.accept)
      const { gen, checkpoints } = await head()
      const document = await cache.get(
        { key: JSON.stringify(['item', id, priceRegion, markdown]), version: `${gen} ${checkpoints}` },
        () => renderItem({ store, baseUrl }, { id, priceRegion, markdown }),
      )
      reply.header('vary', 'Authorization, Accept')
      return sendDocument(request, reply, document)
    },
  )
}

async function renderPage(
  { store, cursors, baseUrl }: ItemsContext,
  query: ListItemsQuery,
  caller: Caller,
): Promise<RenderedDocument> {
  const { region, q, price_region, sort, limit } = query
  const { encode, decode } = await cursors()
  const scope = ['items', sort, region, q, price_region]
  const rows = await readItems(store, {
    order: sort === 'id' ? 'id' : 'seq',
    after: query.cursor === undefined ? undefined : decode(query.cursor, scope),
    // One more than is shown tells whether a page follows.
    limit: limit + 1,
    region,
    q,
    priceRegion: price_region,
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const cursor =
    rows.length > limit && last !== undefined ? encode(sort === 'id' ? last.item_id : String(last.seq), scope) : null
  const items = shown.map((row) => itemJson(row, price_region)).join(',')
  const meta = { tier: caller.tier, rate_limit_per_min: caller.perMinute }
  return documentOf(`{"items":[${items}],"cursor":${JSON.stringify(cursor)},"meta":${JSON.stringify(meta)}}`, {
    'content-type': JSON_TYPE,
    ...(cursor === null ? {} : { link: nextLink(`${baseUrl}/items`, { ...query, cursor }) }),
  })
}

/** Days of price history in a detail (SPEC §1). */
const HISTORY_DAYS = 90

/** What an item id can look like; anything else is not looked up. */
const ITEM_ID = /^ci_[A-Za-z0-9_-]{1,97}$/

async function renderItem(
  { store, baseUrl }: Pick<ApiContext, 'store' | 'baseUrl'>,
  { id, priceRegion, markdown }: { id: string; priceRegion: string | undefined; markdown: boolean },
): Promise<RenderedDocument> {
  const row = ITEM_ID.test(id) ? await readItem(store, { itemId: id, priceRegion }) : undefined
  if (row === undefined) throw new ApiError('item_not_found', `item '${id}' does not exist`)
  const [seen, history] = await Promise.all([
    readLatestPrices(store, row.vendor_sku_ids),
    readPriceHistory(store, { itemId: row.item_id, market: priceRegion ?? '', days: HISTORY_DAYS }),
  ])
  const bySku = Object.groupBy(seen, ({ vendor_sku_id }) => vendor_sku_id)
  const vendors = row.vendor_sku_ids.flatMap((id) => (bySku[id] === undefined ? [] : [vendorObservation(bySku[id])]))
  const priceHistory = history.map((point) => ({
    recorded_at: point.recorded_at,
    price_cents: Number(point.cents),
    currency: point.currency,
  }))
  const query = priceRegion === undefined ? '' : `?price_region=${priceRegion}`
  // The item was merged into another one: say which one this is.
  const location = row.item_id === id ? {} : { 'content-location': `${baseUrl}/items/${row.item_id}${query}` }
  const item = itemJson(row, priceRegion)
  if (markdown) {
    const detail = { item: JSON.parse(item) as ItemDetail['item'], vendors, price_history: priceHistory }
    return documentOf(itemMarkdown(detail), { 'content-type': 'text/markdown; charset=utf-8', ...location })
  }
  return documentOf(
    `{"item":${item},"vendors":${JSON.stringify(vendors)},"price_history":${JSON.stringify(priceHistory)}}`,
    { 'content-type': JSON_TYPE, ...location },
  )
}

/** What the vendor's SKU costs now, given its prices at one instant, at least one. */
function vendorObservation(seen: readonly SeenPrice[]): ItemDetail['vendors'][number] {
  // Several prices at one instant are bids or quantity tiers: the one that would vote is shown, as it was observed.
  const currency = settlementCurrency(seen.map(({ currency }) => ({ currency, weight: 1 })))
  const { shown } = priceAt(
    seen
      .filter((price) => price.currency === currency)
      .map((price) => ({
        observationId: price.observation_id,
        observedAtMs: Date.parse(price.observed_at),
        currency: price.currency,
        price: netPrice(price),
        minQuantity: price.min_quantity,
        override: null,
        shown: price,
      })),
  )
  const { per_quantity, unit } = shown
  return {
    vendor_sku_id: shown.vendor_sku_id,
    source: {
      name: shown.source_name,
      region: shown.source_region,
      trust_score: shown.trust_score,
      url: shown.source_url,
    },
    price: { cents: Number(shown.cents), currency: shown.currency },
    // A price finer than the minor unit is given for so many units; dividing would round it.
    unit: per_quantity === 1n ? unit : unit === null ? `${per_quantity}` : `${per_quantity} ${unit}`,
    observed_at: shown.observed_at,
  }
}

/** Per unit and net of tax where the rate is known, as votes compare. */
function netPrice({ cents, per_quantity, tax_included, tax_rate }: SeenPrice): Rational {
  const price = rational(cents, per_quantity)
  return tax_included === true && tax_rate !== null ? divide(price, add(ONE, parseDecimal(tax_rate))) : price
}

/**
 * The item as lists show it: the stored bytes, with the median of the price region in place of the headline where one
 * is asked for. Inside a JSON string every quote is escaped, so the key is found and nothing else; its value is null or
 * an object without inner objects.
 */
export function itemJson(row: Pick<ItemRow, 'item_json' | 'median_json'>, priceRegion: string | undefined): string {
  if (priceRegion === undefined) return row.item_json
  const [before, after] = row.item_json.split(MEDIAN_KEY) as [string, string]
  return `${before}${MEDIAN_KEY}${row.median_json ?? 'null'}${after.replace(/^(null|\{[^}]*\})/, '')}`
}
const MEDIAN_KEY = '"median_price":'

/**
 * Whether an Accept header asks for Markdown rather than JSON (RFC 9110 §12.5.1): by quality, then by which of the two
 * was named more precisely, then by which came first. JSON when neither is named, or nothing decides.
 */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = accept.split(',').map((range, place) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0, place }
  })
  const rank = (type: string) => {
    for (const [precision, pattern] of [type, `${type.split('/')[0]}/*`, '*/*'].entries()) {
      const range = ranges.find((range) => range.type === pattern)
      if (range !== undefined) return { ...range, precision }
    }
    return { quality: 0, precision: 0, place: 0 }
  }
  const markdown = rank('text/markdown')
  const json = rank('application/json')
  if (markdown.quality !== json.quality) return markdown.quality > json.quality
  if (markdown.precision !== json.precision) return markdown.quality > 0 && markdown.precision < json.precision
  return markdown.quality > 0 && markdown.place < json.place
}
