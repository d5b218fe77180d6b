import { BadBill, type FileLine } from '@catalog/api/bills/bill-file.ts'
import type { BillReader } from '@catalog/api/bills/bill-reader.ts'
import { correctionsFor } from '@catalog/api/bills/corrected-lines.ts'
import { itemsOfReplica } from '@catalog/api/bills/line-items.ts'
import type { openLineTurns } from '@catalog/api/bills/line-turns.ts'
import { type BillToPrice, lineToPrice, priceBill } from '@catalog/api/bills/price-bill.ts'
import type {
  Decomposition,
  DecompositionQuery,
  ExtendedSearchResponse,
  ListCategoriesQuery,
  ListCategoriesResponse,
  SearchQuery,
} from '@catalog/api/contract/contract.ts'
import { LINES_MAX } from '@catalog/api/contract/match.ts'
import { shownRows } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext } from '@catalog/api/http/context.ts'
import type { CacheIdentity, RenderedDocument } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { type ItemForAgents, type ItemQuestion, itemReader } from '@catalog/api/items/items.ts'
import { categoriesReader } from '@catalog/api/price-books/categories.ts'
import { decompositionReader } from '@catalog/api/price-books/decomposition.ts'
import type { Finder } from '@catalog/api/search/finder.ts'
import { searchReader } from '@catalog/api/search/search.ts'
import { regionOf } from '@catalog/core/events/sources.ts'
import type { z } from 'zod'

/** An answer of a route, and the cached document that it came from. */
type Read<Answer> = Readonly<{ answer: Answer; cachedAs: CacheIdentity | undefined }>

/** A line of a bill as it is asked; one of a file says where it stands and why it may have no price. */
export type AskedLine = BillToPrice['lines'][number] & Partial<Pick<FileLine, 'position' | 'problem'>>

export type InProcessClient = ReturnType<typeof openInProcessClient>

/**
 * Calls the readers behind the REST routes within the process, for a caller that is already admitted and counted.
 *
 * Law: the answer equals that of the route, because the same reader makes both. Parameters have the types that the
 * contract outputs. Throws the ApiError of the route, and the errors of the store.
 */
export function openInProcessClient(
  context: Pick<ApiContext, 'store' | 'read' | 'catalogVersion' | 'cache' | 'cursors' | 'baseUrl'> &
    Readonly<{ find: Finder; lineTurns: ReturnType<typeof openLineTurns>; bills: BillReader; now: () => Date }>,
) {
  const items = itemsOfReplica(context)
  const item = itemReader(context)
  const search = searchReader(context)
  const categories = categoriesReader(context)
  const decomposition = decompositionReader(context)
  const shown = (read: () => Promise<RenderedDocument>) => shownRows(context.read, read)
  const parsed = async <Answer>(read: () => Promise<RenderedDocument>): Promise<Read<Answer>> => {
    const { bytes, cachedAs } = await shown(read)
    return { answer: JSON.parse(bytes.toString()) as Answer, cachedAs }
  }
  return {
    /** For pages of what these routes answer whole. */
    cursors: context.cursors,
    /** GET /items/{id} with editions, and the beginning of its Markdown. */
    item: (question: Omit<ItemQuestion, 'include'>) =>
      parsed<ItemForAgents>(() => item({ ...question, include: ['edition'] }, 'agents')),
    /** GET /items/{id} as Markdown. */
    itemMarkdown: async (id: string) => (await shown(() => item({ id }, 'markdown'))).bytes.toString(),
    /** GET /search. */
    search: (query: z.output<typeof SearchQuery>) =>
      parsed<z.infer<typeof ExtendedSearchResponse>>(() => search(query)),
    /** GET /categories. */
    categories: (query: z.output<typeof ListCategoriesQuery>) =>
      parsed<z.infer<typeof ListCategoriesResponse>>(() => categories(query)),
    /** The lines of a bill's file. Throws invalid_parameter for a file that is no bill. */
    billLines: async (bytes: Uint8Array): Promise<readonly AskedLine[]> => {
      const { lines } = await context.bills.read({ name: 'bill', bytes }, LINES_MAX).catch((error) => {
        throw error instanceof BadBill ? new ApiError('invalid_parameter', error.message, { cause: error }) : error
      })
      return lines.map((line) => ({
        ...lineToPrice(line),
        region: regionOf(line.region ?? ''),
        position: line.position,
        problem: line.problem,
      }))
    },
    /** POST /match, also of lines that a program cut off. */
    priceBill: async (bill: BillToPrice, { workspaceId }: { workspaceId: string | undefined }) => {
      const corrections = await correctionsFor(context.store, { workspaceId, lines: bill.lines })
      return priceBill({ ...context, items, corrections, turn: context.lineTurns(bill) }, bill)
    },
    /** GET /items/{id}/decomposition. */
    decomposition: ({ id, ...query }: { id: string } & z.output<typeof DecompositionQuery>) =>
      parsed<Decomposition>(() => decomposition({ id, query }, 'application/json')),
  }
}
