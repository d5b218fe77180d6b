import type { Embedder } from '@catalog/embed/embed.ts'
import { MemoryIndex } from '@catalog/search/exact/memory.ts'
import { embeddable, readQuestion } from '@catalog/search/query/question.ts'
import { type SearchAnswer, search } from '@catalog/search/ranking/fuse.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import type { Scorer } from './scorers.ts'

/** An index of texts and the whole search over it, as in the API. The ids of results are the positions of the texts. */
export type TextSearch = Readonly<{
  /** The answer of the API. */
  answer: (query: string, limit: number) => Promise<SearchAnswer>
  /**
   * The best results, even where the API would refuse for lack of anything near: ranking and refusal are separate
   * measures.
   */
  ranked: (query: string, limit: number) => Promise<SearchAnswer['results']>
}>

/** Indexes texts; `onText` receives the number of indexed texts. */
export async function indexTexts(
  texts: readonly string[],
  embedder: Embedder,
  onText: (done: number) => void = () => {},
): Promise<TextSearch> {
  const memory = new MemoryIndex(embedder.dims)
  for (let from = 0; from < texts.length; from += BATCH_TEXTS) {
    const batch = texts.slice(from, from + BATCH_TEXTS)
    for (const [i, vector] of (await embedder.embed(batch, 'document')).entries()) {
      const itemId = idOf(from + i)
      memory.put({ itemId, name: batch[i] as string, body: '', regions: [], categoryId: null, vector })
    }
    onText(from + batch.length)
  }
  const index = indexOf(memory)

  async function ask(query: string, limit: number, gated: boolean): Promise<SearchAnswer> {
    const question = readQuestion(query)
    const [vector = null] = await embedder.embed([embeddable(question)], 'query')
    return search({ question, vector, index, limit, isRefusing: gated })
  }

  return {
    answer: (query, limit) => ask(query, limit, true),
    ranked: async (query, limit) => (await ask(query, limit, false)).results,
  }
}

/** Texts per call of the embedder. A provider over HTTP forms batches of its own. */
const BATCH_TEXTS = 256

/** Ids sort in the order of the positions. */
const idOf = (place: number) => String(place).padStart(9, '0')
export const placeOf = (itemId: string): number => Number(itemId)

/** Search as a {@link Scorer}: the scores of its first results, 0 for all others. */
export function searchScorer(embedder: Embedder): Scorer {
  return (index) => {
    const opening = indexTexts(index, embedder)
    const scores = new Float64Array(index.length)
    return async function* (queries) {
      const searching = await opening
      for (const query of queries) {
        scores.fill(0)
        for (const { itemId, score } of await searching.ranked(query, RESULTS)) scores[placeOf(itemId)] = score
        yield scores
      }
    }
  }
}

/** Ranks beyond the tenth count as misses; the margin keeps ties at the end together. */
const RESULTS = 50

/** Documents in memory behind the index port of search. */
function indexOf(memory: MemoryIndex): SearchIndex {
  const never = async () => {
    throw new Error('an index of texts that are not changed')
  }
  return {
    adapter: 'memory',
    identity: 'memory',
    nearest: async (vector, k, filter) => memory.nearest(vector, k, filter),
    lexical: async (query, k, filter) => memory.lexical(query, k, filter),
    frequencies: async (terms) => memory.frequencies(terms),
    isEmbedded: async () => true,
    put: never,
    remove: never,
    state: never,
    drop: never,
  }
}
