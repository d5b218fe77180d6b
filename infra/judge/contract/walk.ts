import type { Client } from 'openapi-fetch'
import type { paths } from '../../../clients/typescript/api.ts'

export type Walked = Readonly<{ pages: number; items: number; details: number; found: number; categories: number }>

/** Listed items whose details are read. */
const DETAILS_MAX = 20

/**
 * Uses the typed client as a reader would: all pages of items, some details, a search, the categories. Throws an error
 * that names an unexpected or inconsistent answer.
 */
export async function walk(client: Client<paths>): Promise<Walked> {
  const items: string[] = []
  let pages = 0
  let cursor: string | undefined
  do {
    const query = cursor === undefined ? { limit: 100 } : { limit: 100, cursor }
    const page = await client.GET('/items', { params: { query } })
    if (page.data === undefined) throw new Error(`items: ${page.error.error}: ${page.error.details}`)
    items.push(...page.data.items.map(({ id }) => id))
    cursor = page.data.cursor ?? undefined
    pages++
  } while (cursor !== undefined)
  if (new Set(items).size !== items.length) throw new Error(`items: ${items.length} listed, some of them twice`)

  const some = items.slice(0, DETAILS_MAX)
  for (const id of some) {
    const detail = await client.GET('/items/{id}', { params: { path: { id } } })
    if (detail.data === undefined) throw new Error(`item ${id}: ${detail.error.error}: ${detail.error.details}`)
    if (typeof detail.data === 'string') throw new Error(`item ${id}: expected JSON, found text`)
    if (detail.data.item.id !== id) throw new Error(`item ${id}: found ${detail.data.item.id}`)
  }
  const search = await client.GET('/search', { params: { query: { q: 'cement', limit: 50 } } })
  if (search.data === undefined) throw new Error(`search: ${search.error.error}: ${search.error.details}`)
  const tree = await client.GET('/categories', { params: { query: { limit: 100 } } })
  if (tree.data === undefined) throw new Error(`categories: ${tree.error.error}: ${tree.error.details}`)
  // @ts-expect-error The types refuse what the API does; were they loose, this line would be an error itself.
  const unknownRegion = await client.GET('/items', { params: { query: { region: 'XX' } } })
  if (unknownRegion.response.status !== 400)
    throw new Error(`region XX: expected 400, found ${unknownRegion.response.status}`)
  return {
    pages,
    items: items.length,
    details: some.length,
    found: search.data.results.length,
    categories: tree.data.categories.length,
  }
}
