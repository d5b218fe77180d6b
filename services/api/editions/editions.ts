import {
  EditionItemParams,
  EditionItemQuery,
  EditionItemResponse,
  EditionItemsQuery,
  EditionItemsResponse,
  EditionParams,
  EditionResponse,
  ListEditionsResponse,
  operation,
} from '@catalog/api/contract/contract.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { addressOf, nextLink } from '@catalog/api/http/cursor.ts'
import {
  documentOf,
  JSON_TYPE,
  type RenderedDocument,
  sendDocument,
  unchangedSince,
} from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { ITEM_ID } from '@catalog/api/items/items.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { readStatesAt } from '@catalog/store/catalog/digests.ts'
import { generationBeganMs } from '@catalog/store/catalog/generation.ts'
import type { Store } from '@catalog/store/db.ts'
import {
  type EditionManifest,
  type EditionRow,
  editionId,
  readEdition,
  readEditionItem,
  readEditions,
} from '@catalog/store/history/editions.ts'
import type { z } from 'zod'
import { citeEdition, citeItem } from './citation.ts'

type EditionsContext = Pick<ApiContext, 'store' | 'cache' | 'cursors' | 'catalogVersion' | 'baseUrl'>

/** GET /editions and all below it: monthly editions, to be cited. */
export function editionRoutes(v1: V1, context: EditionsContext): void {
  listRoutes(v1, context)
  itemRoutes(v1, context)
}

function listRoutes(v1: V1, context: EditionsContext): void {
  const { store, cache, baseUrl } = context
  v1.get('/editions', operation('listEditions', { answer: ListEditionsResponse }), async (request, reply) => {
    const editions = (await readEditions(store)).map((row) => entryOf(row, baseUrl))
    return sendDocument(request, reply, documentOf(JSON.stringify({ editions }), { 'content-type': JSON_TYPE }))
  })

  v1.get(
    '/editions/:edition',
    operation('getEdition', { params: EditionParams, answer: EditionResponse }),
    async (request, reply) => {
      const { edition } = request.params
      const document = await cache.get({ key: JSON.stringify(['edition', edition]), versionOf: generation }, async () =>
        frozen(context, (await existing(store, edition)).manifest),
      )
      return sendDocument(request, reply, document)
    },
  )
}

function itemRoutes(v1: V1, context: EditionsContext): void {
  const { store, cache, cursors, baseUrl } = context
  v1.get(
    '/editions/:edition/items',
    operation('listEditionItems', {
      params: EditionParams,
      querystring: EditionItemsQuery,
      answer: EditionItemsResponse,
    }),
    async (request, reply) => {
      const { edition } = request.params
      const { query } = request
      const key = JSON.stringify(['edition items', edition, query])
      const document = await cache.get({ key, versionOf: generation }, async () => {
        const { encode, decode } = await cursors.get()
        const scope = ['editions', edition]
        const after = query.cursor === undefined ? '' : decode(query.cursor, scope)
        const { seq: mark } = await existing(store, edition)
        const page = await readStatesAt(store, { mark, after, limit: query.limit })
        const next = page.next === null ? null : encode(page.next, scope, query)
        const states = page.states.map(({ state }) => state).join(',')
        const link = next === null ? {} : { link: nextLink(`${urlOf(baseUrl, edition)}/items`, next) }
        const text = `{"edition":${JSON.stringify(edition)},"states":[${states}],"cursor":${JSON.stringify(next)}}`
        return frozen(context, text, link)
      })
      return sendDocument(request, reply, document)
    },
  )

  v1.get(
    '/editions/:edition/items/:id',
    operation('getEditionItem', {
      params: EditionItemParams,
      querystring: EditionItemQuery,
      answer: EditionItemResponse,
    }),
    async (request, reply) => {
      const { edition, id } = request.params
      const { price_region: region } = request.query
      const key = JSON.stringify(['edition item', edition, id, region])
      const document = await cache.get({ key, versionOf: generation }, async () => {
        return frozen(context, await editionItem(store, { edition, itemId: id, region, baseUrl }))
      })
      return sendDocument(request, reply, document)
    },
  )
}

/** Frozen bytes change with a restore of the database alone. */
const generation = ({ gen }: { gen: string }) => gen
/** A document dated by the generation: while one lasts, the address of an edition has had no other bytes. */
async function frozen(
  { catalogVersion }: Pick<ApiContext, 'catalogVersion'>,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RenderedDocument> {
  const { gen } = await catalogVersion.get()
  const document = documentOf(text, { 'content-type': JSON_TYPE, ...headers })
  return { ...document, modified: unchangedSince(generationBeganMs(gen)) }
}
const urlOf = (baseUrl: string, edition: string) => `${baseUrl}/editions/${edition}`

async function existing(store: Store, edition: string): Promise<EditionRow> {
  const row = MONTH.test(edition) ? await readEdition(store, edition) : undefined
  if (row !== undefined) return row
  const shown = edition.slice(0, 100)
  throw new ApiError('edition_not_found', `edition '${shown}': expected a month that GET /editions lists, as 2026-10`)
}
const MONTH = /^\d{4}-\d{2}$/

function entryOf(
  { edition, manifest }: EditionRow,
  baseUrl: string,
): z.infer<typeof ListEditionsResponse>['editions'][number] {
  const { id, as_of, count } = JSON.parse(manifest) as EditionManifest
  const url = urlOf(baseUrl, edition)
  return {
    edition,
    id,
    as_of,
    count,
    sha256: sha256Hex(manifest),
    url,
    cite_as: citeEdition({ edition, asOf: as_of, url }),
  }
}

/** The record as JSON, with the exact bytes of the state. */
async function editionItem(
  store: Store,
  {
    edition,
    itemId,
    region,
    baseUrl,
  }: { edition: string; itemId: string; region: string | undefined; baseUrl: string },
): Promise<string> {
  const { seq, manifest } = await existing(store, edition)
  const found = ITEM_ID.test(itemId) ? await readEditionItem(store, { seq, itemId }) : undefined
  if (found === undefined) {
    throw new ApiError('item_not_found', `item '${itemId}' was not public at the end of edition ${edition}`)
  }
  const { run_id, as_of, method, licence } = JSON.parse(manifest) as EditionManifest
  const url = addressOf(`${urlOf(baseUrl, edition)}/items/${itemId}`, { price_region: region })
  const before = { id: editionId(edition, itemId), edition, item_id: itemId, run_id, as_of, method }
  const after = {
    state_sha256: found.sha,
    edition_sha256: sha256Hex(manifest),
    licence,
    url,
    cite_as: citeItem(JSON.parse(found.state) as PublicState, { edition, asOf: as_of, url, region }),
  }
  return `${JSON.stringify(before).slice(0, -1)},"state":${found.state},${JSON.stringify(after).slice(1)}`
}
