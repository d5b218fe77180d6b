import type {
  Decomposition,
  DecompositionQuery,
  ExtendedSearchResponse,
  ListCategoriesQuery,
  ListCategoriesResponse,
  SearchQuery,
} from '@catalog/api/contract/contract.ts'
import { shownRows } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext } from '@catalog/api/http/context.ts'
import type { CacheIdentity, RenderedDocument } from '@catalog/api/http/documents.ts'
import { type ItemForAgents, type ItemQuestion, itemReader } from '@catalog/api/items/items.ts'
import { categoriesReader } from '@catalog/api/price-books/categories.ts'
import { decompositionReader } from '@catalog/api/price-books/decomposition.ts'
import type { Finder } from '@catalog/api/search/finder.ts'
import { searchReader } from '@catalog/api/search/search.ts'
import type { z } from 'zod'

/** An answer of a route, and the cached document that it came from. */
export type Read<Answer> = Readonly<{ answer: Answer; cachedAs: CacheIdentity | undefined }>

/**
 * Calls the readers behind the REST routes within the process, for a caller that is already admitted and counted.
 *
 * Law: the answer equals that of the route, because the same reader makes both. Parameters have the types that the
 * contract outputs. Throws the ApiError of the route, and the errors of the store.
 */
export type InProcessClient = Readonly<{
  /** GET /items/{id} with editions, and the beginning of its Markdown. */
  item(question: Omit<ItemQuestion, 'include'>): Promise<Read<ItemForAgents>>
  /** GET /items/{id} as Markdown. */
  itemMarkdown(id: string): Promise<string>
  /** GET /search. */
  search(query: z.output<typeof SearchQuery>): Promise<Read<z.infer<typeof ExtendedSearchResponse>>>
  /** GET /categories. */
  categories(query: z.output<typeof ListCategoriesQuery>): Promise<Read<z.infer<typeof ListCategoriesResponse>>>
  /** GET /items/{id}/decomposition. */
  decomposition(question: { id: string } & z.output<typeof DecompositionQuery>): Promise<Read<Decomposition>>
  /** For pages of what these routes answer whole. */
  cursors: ApiContext['cursors']
}>

export function openInProcessClient(
  context: Pick<ApiContext, 'store' | 'read' | 'catalogVersion' | 'cache' | 'cursors' | 'baseUrl'> &
    Readonly<{ find: Finder }>,
): InProcessClient {
  const item = itemReader(context)
  const search = searchReader(context)
  const categories = categoriesReader(context)
  const decomposition = decompositionReader(context)
  const parsed = <Answer>(read: () => Promise<RenderedDocument>): Promise<Read<Answer>> =>
    shownRows(context.read, async () => {
      const { bytes, cachedAs } = await read()
      return { answer: JSON.parse(bytes.toString()) as Answer, cachedAs }
    })
  return {
    cursors: context.cursors,
    item: (question) => parsed(() => item({ ...addressable(question), include: ['edition'] }, 'agents')),
    async itemMarkdown(id) {
      const question = { ...addressable({ id }), priceRegion: undefined }
      const { bytes } = await shownRows(context.read, () => item(question, 'markdown'))
      return bytes.toString()
    },
    search: (query) => parsed(() => search(addressable(query))),
    categories: (query) => parsed(() => categories(addressable(query))),
    decomposition({ id, ...query }) {
      return parsed(() => decomposition({ ...addressable({ id }), query: addressable(query) }, 'application/json'))
    },
  }
}

/** Replaces lone surrogates, which have no bytes in an address. */
function addressable<Question extends object>(question: Question): Question {
  const entries = Object.entries(question).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ])
  return Object.fromEntries(entries) as Question
}
