import { cachedRead } from '@catalog/api/http/cached-read.ts'
import type { ReadCatalog } from '@catalog/api/http/catalog-version.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { categoriesBelow } from '@catalog/api/items/filters.ts'
import { regionOfMarket } from '@catalog/core/median/regions.ts'
import { type Embedder, EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { passingItemIds, readItemIds, type ShownFilters } from '@catalog/replica/read/counts.ts'
import { codeKeys } from '@catalog/search/query/codes.ts'
import { embeddable, type Question, readQuestion, respelledQuestion } from '@catalog/search/query/question.ts'
import { RESULTS_MAX, type SearchAnswer, search } from '@catalog/search/ranking/fuse.ts'
import { FILTER_IDS_MAX, type SearchIndex } from '@catalog/search/search.ts'
import { countItems } from '@catalog/store/catalog/queries.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { itemIdsByKey } from '@catalog/store/search/search-docs.ts'

/** The next request tries a failed index again; a restart takes seconds. */
const INDEX_RETRY_SECONDS = 5
/** Items with a code of the query. */
const IDENTIFIED_MAX = 50
/** The most items of all pages. */
export const FOUND_MAX = RESULTS_MAX + IDENTIFIED_MAX

/** How far the chance of a question must lie above the floor once its words are respelled: "caviar" is no "cavar". */
const RESPELLED_MARGIN_MIN = 0.2

/** What a caller asks. */
export type Search = Readonly<{
  q: string
  limit: number
  /** A region, or a subdivision. */
  region: string | undefined
  /** Items in this category or in any below it. */
  categoryId: string | undefined
  kind?: string | undefined
  /** Filters by what lists show of an item. */
  shown?: ShownFilters | undefined
  /** Keys of codes that some SKU has, where the caller knows all of the query; absent: the store is asked. */
  codes?: ReadonlySet<string>
  /** False for candidates that the caller judges; absent: what is not stocked finds nothing. */
  isRefusing?: boolean
}>

/** `question` is the query as it was read. */
export type Found = SearchAnswer & Readonly<{ question: Question }>

/** Throws category_not_found, search_unavailable, and the errors of the store. */
export type Finder = (asked: Search) => Promise<Found>

/** The first reading loads the vocabularies, which takes half a second: no reader waits for that, nor is refused meanwhile. */
export const loadVocabularies = () => readQuestion('cable 3x1,5 mm2', null)

export function openFinder({
  store,
  read = unread,
  index,
  embedder,
  onUnavailable = 'refuse',
}: {
  store: Queryable
  /** Absent: no search has filters by category or by what lists show. */
  read?: ReadCatalog
  index: SearchIndex
  embedder: Embedder | null
  /** What a question does that the embedder cannot embed at present: throws, or is answered by words alone. */
  onUnavailable?: OnUnavailable
}): Finder {
  loadVocabularies()
  const isSettled = openIndexCheck({ store, index })
  return async ({ q, limit, region: market, categoryId, kind, shown: given, codes, isRefusing = true }) => {
    // No document contains U+0000, and Postgres accepts no text with it.
    const query = q.replaceAll('\0', ' ')
    // The index holds regions, and lists the items of a subdivision.
    const asked = market && regionOfMarket(market)
    const shown = market === asked ? given : { ...given, region: market }
    const question = readQuestion(query, asked ?? null)
    // "cement in spain" asks for that market, unless the caller chose one.
    const region = asked ?? question.market?.region
    const categoryIds = categoryId === undefined ? undefined : categoriesBelow(read, categoryId)
    const passing = shown && read((tables) => readItemIds(tables, shown, FILTER_IDS_MAX))
    const admitted =
      shown && (async (itemIds: readonly string[]) => read((tables) => passingItemIds(tables, shown, itemIds)))
    const ofIndex = {
      ...(region !== undefined && { region }),
      ...(categoryIds !== undefined && { categoryIds }),
      ...(kind !== undefined && { kind }),
    }
    const ranked =
      passing === undefined
        ? { filter: ofIndex }
        : passing === 'wide'
          ? { filter: ofIndex, ...(admitted && { admitted }) }
          : { filter: { ...ofIndex, itemIds: passing } }
    const keys = codeKeys(query).filter((key) => codes === undefined || codes.has(key))
    const answerTo = async (question: Question): Promise<Found> => {
      const [identified, vector] = await Promise.all([
        itemIdsByKey(store, { keys, ...ofIndex, limit: IDENTIFIED_MAX }),
        embedded(embeddable(question), { embedder, onUnavailable }),
      ])
      const answer = await search({
        question,
        vector,
        index,
        identified: admitted && identified.length > 0 ? await admitted(identified) : identified,
        ...ranked,
        limit,
        isRefusing,
        worthOf: embedder?.worthOf,
      }).catch((cause) => {
        throw new ApiError('search_unavailable', 'the index does not answer', {
          retryAfterSeconds: INDEX_RETRY_SECONDS,
          cause,
        })
      })
      return { ...answer, question }
    }
    const bestAnswer = async (): Promise<Found> => {
      const found = await answerTo(question)
      const spelled = found.results.length > 0 || !isRefusing ? null : respelledQuestion(question, region ?? null)
      const again = spelled && (await answerTo(spelled))
      const isClear = again?.margin == null || again.margin >= RESPELLED_MARGIN_MIN
      return again && again.results.length > 0 && isClear ? again : found
    }
    const best = await bestAnswer()
    if (best.results.length > 0 || (await isSettled())) return best
    return bestAnswer()
  }
}

const unread: ReadCatalog = () => {
  throw new Error('expected a reader of the catalog for these filters')
}

/** Counting all items takes a scan, which searches without a result share. */
const ITEMS_AGE_MAX_MS = 10_000
/** An index with a smaller share of the catalog's items is being filled: it was deleted, or is new. */
const FILLED_SHARE_MIN = 0.9

/**
 * Judges the index after an answer without results. Throws search_unavailable while it lacks documents of many items. Returns
 * false for an index that changed since the last such answer: it may have been filled only after it was searched.
 */
function openIndexCheck({ store, index }: { store: Queryable; index: SearchIndex }): () => Promise<boolean> {
  const items = cachedRead(() => countItems(store), { ageMaxMs: ITEMS_AGE_MAX_MS, now: () => new Date() })
  let lastDocuments: number | undefined
  return async () => {
    const { documents } = await index.frequencies([])
    if (documents < FILLED_SHARE_MIN * (await items.get())) {
      lastDocuments = undefined
      throw new ApiError('search_unavailable', 'the index is being filled', { retryAfterSeconds: INDEX_RETRY_SECONDS })
    }
    const isSettled = documents === lastDocuments
    lastDocuments = documents
    return isSettled
  }
}

export type OnUnavailable = 'refuse' | 'fallback'

async function embedded(
  query: string,
  { embedder, onUnavailable }: { embedder: Embedder | null; onUnavailable: OnUnavailable },
): Promise<Float32Array | null | 'no_embedder'> {
  if (embedder === null) return 'no_embedder'
  const vectors = await embedder.embed([query], 'query').catch((cause) => {
    if (onUnavailable === 'fallback' && cause instanceof EmbedderUnavailable) return null
    const seconds = cause instanceof EmbedderUnavailable ? cause.retryAfterSeconds : INDEX_RETRY_SECONDS
    const retryAfterSeconds = Math.max(1, Math.ceil(seconds))
    throw new ApiError('search_unavailable', 'the query cannot be embedded', { retryAfterSeconds, cause })
  })
  if (vectors === null) return 'no_embedder'
  const [vector = null] = vectors
  // A vector without direction, or of another length, is near to nothing.
  const isUsable = vector?.length === embedder.dims && vector.every(Number.isFinite) && vector.some(Boolean)
  return isUsable ? vector : null
}
