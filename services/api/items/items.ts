import {
  ExtendedItemDetailResponse,
  IdParams,
  type ItemDetail,
  ItemQuery,
  Markdown,
  operation,
} from '@catalog/api/contract/contract.ts'
import { projectionVersion } from '@catalog/api/http/catalog-version.ts'
import { type ApiContext, itemPage, type V1 } from '@catalog/api/http/context.ts'
import { addressOf, type Parameters } from '@catalog/api/http/cursor.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { priceRegionHeader } from '@catalog/api/http/headers.ts'
import { preferredLanguages, preferredType } from '@catalog/api/http/negotiate.ts'
import { type Basis, votesIn } from '@catalog/core/events/items.ts'
import { type ItemDetailTexts, readItemDetail } from '@catalog/replica/read/detail.ts'
import type { Price } from '@catalog/replica/read/points.ts'
import type { z } from 'zod'
import { noteOf } from './explain.ts'
import { categoryPathFor } from './item-category.ts'
import { itemJson, type Shown } from './item-json.ts'
import { itemMarkdown, itemSummary } from './markdown.ts'

type ItemsContext = Pick<ApiContext, 'read' | 'cache' | 'baseUrl'>

/** GET /items/{id}. */
export function itemRoutes(v1: V1, context: ItemsContext): void {
  const read = itemReader(context)
  v1.get(
    '/items/:id',
    operation('getItem', {
      params: IdParams,
      querystring: ItemQuery,
      answer: { 'application/json': ExtendedItemDetailResponse, 'text/markdown': Markdown },
    }),
    async (request, reply) => {
      const { id } = request.params
      const { price_region: priceRegion, include } = request.query
      const markdown = preferredType(request.headers.accept, TYPES) === 'text/markdown'
      // JSON shows the same name to every reader of an address.
      const lang = request.query.lang ?? (markdown ? preferredLanguages(request.headers['accept-language']) : undefined)
      const document = await read({ id, priceRegion, lang, include }, markdown ? 'markdown' : 'json')
      reply.header(
        'vary',
        markdown ? 'Authorization, Accept, Accept-Language, Accept-Encoding' : 'Authorization, Accept, Accept-Encoding',
      )
      return sendDocument(request, reply, document)
    },
  )
}

/** What the tool of agents answers from: an item with its editions, and the beginning of its Markdown. */
export type ItemForAgents = Readonly<{ detail: ItemDetail; summary: string }>

/** JSON and Markdown as GET /items/{id} answers, or {@link ItemForAgents} as JSON. */
type Form = 'json' | 'markdown' | 'agents'

/** Reads the answer of GET /items/{id}. */
export function itemReader(context: ItemsContext): (question: ItemQuestion, form: Form) => Promise<RenderedDocument> {
  return (question, form) => {
    const { id, priceRegion, lang, include } = question
    const key = JSON.stringify(['item', id, priceRegion, lang, include, form])
    return context.cache.get({ key, versionOf: projectionVersion }, async () => {
      const row = await foundItem(question.id, async () => readRow(context, question))
      const { json, text, headers } = formsOf(row, { ...context, question })
      if (form === 'markdown') {
        return documentOf(text(itemMarkdown), { 'content-type': 'text/markdown; charset=utf-8', ...headers })
      }
      const body = form === 'json' ? json : `{"detail":${json},"summary":${JSON.stringify(text(itemSummary))}}`
      return documentOf(body, { 'content-type': JSON_TYPE, ...headers })
    })
  }
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

/** A median as answers show it. */
export function pointOf({ recorded_at, cents, currency }: Price) {
  return { recorded_at, price_cents: cents, currency }
}

export type ItemQuestion = Shown & Readonly<{ id: string; include?: z.output<typeof ItemQuery>['include'] }>

const readRow = ({ read }: ItemsContext, { id: itemId, priceRegion }: ItemQuestion) =>
  read((tables) => readItemDetail(tables, { itemId, priceRegion, days: HISTORY_DAYS }))

function withoutEditions(vendorsJson: string): string {
  if (!vendorsJson.includes('"edition":')) return vendorsJson
  const vendors = JSON.parse(vendorsJson) as ItemDetail['vendors']
  return JSON.stringify(vendors.map(({ edition: _, ...vendor }) => vendor))
}

function formsOf(
  row: ItemDetailTexts,
  { baseUrl, question: { id, priceRegion, lang, include } }: { baseUrl: string; question: ItemQuestion },
) {
  const location = survivorLocation(baseUrl, {
    requested: id,
    shown: row.item_id,
    query: {
      price_region: priceRegion,
      lang: typeof lang === 'string' ? lang : undefined,
      include: include?.join(','),
    },
  })
  const vendors = include?.includes('edition') ? row.vendors_json : withoutEditions(row.vendors_json)
  const history = row.history.map(pointOf)
  const prices = JSON.stringify(history.filter(({ price_cents }) => price_cents !== null))
  const json = `{"item":${itemJson(row, { priceRegion, lang })},"vendors":${vendors},"price_history":${prices}}`
  return {
    json,
    text(render: typeof itemMarkdown): string {
      const detail = { ...(JSON.parse(json) as ItemDetail), price_history: history }
      const { name: headline, median_price } = JSON.parse(row.item_json) as ItemDetail['item']
      const basis = JSON.parse(row.basis) as Basis
      return render(detail, {
        note: noteOf(basis, priceRegion),
        votes: votesIn(basis, priceRegion),
        kind: row.kind,
        page: itemPage(row.item_id, { baseUrl, region: priceRegion }),
        headline,
        market: priceRegion === undefined ? undefined : { region: priceRegion, headline: median_price },
        category: categoryPathFor(detail.item.category_id, { priceRegion, lang }),
      })
    },
    headers: { ...priceRegionHeader(priceRegion), ...location },
  }
}
