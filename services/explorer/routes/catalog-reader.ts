import type {
  CategoryChangesResponse,
  CategoryDetail,
  CategoryTreeResponse,
  Decomposition,
  ExtendedListItemsResponse,
  ExtendedSearchResponse,
  ItemBasis,
  ItemDetail,
  ItemHistoryResponse,
  ListSourcesResponse,
  Source,
} from '@catalog/api/contract/contract.ts'
import type { InProcessAnswer } from '@catalog/api/in-process-read.ts'
import type { z } from 'zod'

type Query = Readonly<Record<string, string | number | undefined>>

/**
 * The API as pages read it: each method asks one address and returns its JSON. Throws {@link PageFailure} for every answer
 * that is not 200.
 */
export type CatalogReader = Readonly<{
  item(id: string, query: Query): Promise<Readonly<{ detail: ItemDetail; location: string | undefined }>>
  basis(id: string): Promise<ItemBasis>
  history(id: string, query: Query): Promise<z.infer<typeof ItemHistoryResponse>>
  recipe(id: string, query: Query): Promise<Decomposition>
  items(query: Query): Promise<z.infer<typeof ExtendedListItemsResponse>>
  search(query: Query): Promise<z.infer<typeof ExtendedSearchResponse>>
  categoryTree(): Promise<z.infer<typeof CategoryTreeResponse>>
  categoryChanges(query: Query): Promise<z.infer<typeof CategoryChangesResponse>>
  category(id: string): Promise<z.infer<typeof CategoryDetail>>
  sources(query: Query): Promise<z.infer<typeof ListSourcesResponse>>
  source(id: string): Promise<z.infer<typeof Source>>
}>

/** An answer of the API that a page cannot show, with the words of its error. */
export class PageFailure extends Error {
  override name = 'PageFailure'
  readonly status: number
  readonly code: string
  readonly details: string
  readonly retryAfterSeconds: number | undefined

  constructor({ status, body, retryAfterSeconds }: InProcessAnswer, options?: ErrorOptions) {
    const { error = 'internal_error', details = '' } = (body ?? {}) as { error?: string; details?: string }
    super(`${error}: ${details}`, options)
    this.status = status
    this.code = error
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The failure of an address that no page has. */
export const nothingThere = (): PageFailure =>
  new PageFailure({ status: 404, location: undefined, retryAfterSeconds: undefined, body: { error: 'not_found' } })

export function catalogReader(read: (address: string) => Promise<InProcessAnswer>): CatalogReader {
  async function ask(path: string, query: Query = {}): Promise<InProcessAnswer> {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
    const answer = await read(`/v1${path}${search}`)
    if (answer.status !== 200) throw new PageFailure(answer)
    return answer
  }
  const json = async <T>(path: string, query?: Query) => (await ask(path, query)).body as T
  const item = (id: string) => `/items/${named(id)}`
  return {
    async item(id, query) {
      const { body, location } = await ask(item(id), query)
      return { detail: body as ItemDetail, location }
    },
    basis: (id) => json(`${item(id)}/basis`),
    history: (id, query) => json(`${item(id)}/history`, query),
    recipe: (id, query) => json(`${item(id)}/decomposition`, query),
    items: (query) => json('/items', query),
    search: (query) => json('/search', query),
    categoryTree: () => json('/categories/tree'),
    categoryChanges: (query) => json('/categories/changes', query),
    category: (id) => json(`/categories/${named(id)}`),
    sources: (query) => json('/sources', query),
    source: (id) => json(`/sources/${namedByOperator(id)}`),
  }
}

/** The id as a part of a path. Throws for a text that is no id: beside ids, routes have other words, suffixes and dots. */
function named(id: string): string {
  if (/^[a-z]+_[A-Za-z0-9_-]{1,97}$/.test(id)) return id
  throw nothingThere()
}

/** As {@link named}, for an id that an operator may have chosen. */
function namedByOperator(id: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,79}$/i.test(id)) return id
  throw nothingThere()
}
