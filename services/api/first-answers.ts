import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { Caller } from '@catalog/api/callers/rate-limits.ts'
import { ItemQuery, ListItemsQuery } from '@catalog/api/contract/contract.ts'
import type { ApiContext } from '@catalog/api/http/context.ts'
import { addCarried } from '@catalog/api/http/cursor.ts'
import type { RenderedDocument } from '@catalog/api/http/documents.ts'
import { V1_VARY } from '@catalog/api/http/headers.ts'
import { preferredCoding } from '@catalog/api/http/negotiate.ts'
import { firstPage } from '@catalog/api/items/item-list.ts'
import { firstItem, ITEM_ID, ITEM_VARY } from '@catalog/api/items/items.ts'
import { brokenEscape } from './query-names.ts'

/** A document that a GET request of a route shows without a body, with the value of its header Vary. */
export type FirstAnswer = Readonly<{ route: string; document: RenderedDocument; vary: string }>

/**
 * Finds the answer to a request for a page of items or for an item that nobody asked for lately. It reads the replica alone
 * and gives plain JSON; undefined leaves the request, and every error, to the routes.
 */
export type FirstAnswers = (request: IncomingMessage, caller: Caller) => FirstAnswer | undefined

export function firstAnswers(context: ApiContext): FirstAnswers {
  return ({ url = '', headers }, caller) => {
    if (!url.startsWith(ITEMS) || headers['if-none-match'] !== undefined) return undefined
    const { accept = ANY } = headers
    if (accept !== ANY && accept !== JSON_ALONE) return undefined
    if (preferredCoding(headers['accept-encoding'], { small: false }) !== 'identity') return undefined
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = mark < 0 ? {} : parse(url.slice(mark + 1))
    if (brokenEscape(url, query) !== undefined) return undefined
    try {
      if (path === ITEMS) return page(query, caller)
      return path[ITEMS.length] === '/' ? item(path.slice(ITEMS.length + 1), query) : undefined
    } catch {
      // The routes meet the same error and answer it.
      return undefined
    }
  }

  function page(given: Record<string, unknown>, caller: Caller): FirstAnswer | undefined {
    addCarried(given, LIST_NAMES)
    const query = isKnown(given, ListItemsQuery.shape) ? ListItemsQuery.safeParse(given) : undefined
    const document = query?.success ? firstPage(context, query.data, caller) : undefined
    return document && { route: ITEMS, document, vary: V1_VARY }
  }

  function item(id: string, given: object): FirstAnswer | undefined {
    const query = ITEM_ID.test(id) && isKnown(given, ItemQuery.shape) ? ItemQuery.safeParse(given) : undefined
    if (query?.success !== true) return undefined
    const { price_region: priceRegion, lang, include } = query.data
    const document = firstItem(context, { id, priceRegion, lang, include })
    return document && { route: ITEM, document, vary: ITEM_VARY }
  }
}

const isKnown = (given: object, shape: object) => Object.keys(given).every((name) => Object.hasOwn(shape, name))

const LIST_NAMES = Object.keys(ListItemsQuery.shape)
const ITEMS = '/v1/items'
const ITEM = `${ITEMS}/:id`
const ANY = '*/*'
const JSON_ALONE = 'application/json'
