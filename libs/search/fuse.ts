import type { Candidate, SearchFilter, SearchIndex } from './search.ts'
import { idfOf, isCode, isNumber, tokensOf, trigramsOf } from './text.ts'

/** What `GET /search` calls `mode`. */
export type SearchMode = 'vector' | 'vector_no_match' | 'empty_embedding' | 'fallback_no_ai'

export type SearchAnswer = Readonly<{
  mode: SearchMode
  /** Best first, equal scores by id; every score is at least 0. */
  results: readonly { readonly itemId: string; readonly score: number }[]
}>

/**
 * Answers a query from an index. `vector` is the query's embedding, null when the embedder found nothing to embed in it,
 * 'no_embedder' when none is configured.
 *
 * | mode | when | results |
 * |---|---|---|
 * | vector | a document is near enough | those, and documents that hold the words |
 * | vector_no_match | none is | documents that hold the words, or none |
 * | empty_embedding | the query has no vector | documents that hold its codes and numbers, or none |
 * | fallback_no_ai | no embedder, or an index that has documents but no vector of this embedder | by words alone |
 *
 * Throws what the index throws.
 */
export async function search({
  query,
  vector,
  index,
  filter,
  limit,
}: {
  query: string
  vector: Float32Array | null | 'no_embedder'
  index: SearchIndex
  filter?: SearchFilter
  limit: number
}): Promise<SearchAnswer> {
  const [near, lexical, frequencies] = await Promise.all([
    vector instanceof Float32Array ? index.nearest(vector, CANDIDATES_MAX, filter) : [],
    index.lexical(query, CANDIDATES_MAX, filter),
    index.frequencies(distinctTokens(query)),
  ])
  // The same document may come by both ways; the one that came by vector also knows its cosine.
  const candidates = new Map([...lexical, ...near].map((candidate) => [candidate.itemId, candidate]))
  const hits = rank({ query, candidates: [...candidates.values()], frequencies }).filter(passes)
  return {
    mode: await modeOf(),
    results: hits.slice(0, limit).map(({ itemId, score }) => ({ itemId, score })),
  }

  async function modeOf(): Promise<SearchMode> {
    if (vector === 'no_embedder') return 'fallback_no_ai'
    if (vector === null) return 'empty_embedding'
    if (hits.some(({ cos }) => cos >= COSINE_MIN)) return 'vector'
    if (near.length > 0) return 'vector_no_match'
    const { documents, vectors } = await index.state()
    return documents > 0 && vectors === 0 ? 'fallback_no_ai' : 'vector_no_match'
  }
}

/** A candidate with its terms: each 0 to 1, except `codes`, which counts. */
export type Scored = Readonly<{
  itemId: string
  score: number
  cos: number
  cov: number
  num: number
  tri: number
  codes: number
}>

/**
 * Scores candidates from their own fields, so every index ranks alike: cos + .3 cov + .3 num + .3 tri + 2 codes.
 *
 * - cos: cosine, not below 0; 0 for a candidate that was not found by vector
 * - cov: share of the query's distinct tokens that name or body hold, weighed by idf
 * - num: Jaccard overlap of the numbers of query and name; 0 when the query has none
 * - tri: cosine of the sets of letter trigrams of query and name: what is left of a word with a typing error
 * - codes: how many of the query's codes (article numbers, GTINs, grades) name or body hold, letter by letter
 *
 * `frequencies` are the index's for `distinctTokens(query)`, in that order. Best first, equal scores by id.
 */
export function rank({
  query,
  candidates,
  frequencies,
}: {
  query: string
  candidates: readonly Candidate[]
  frequencies: { readonly documents: number; readonly counts: readonly number[] }
}): Scored[] {
  const tokens = distinctTokens(query)
  const idf = tokens.map((_, i) => idfOf({ documents: frequencies.documents, count: frequencies.counts[i] ?? 0 }))
  const idfTotal = idf.reduce((sum, value) => sum + value, 0)
  const numbers = new Set(tokens.filter(isNumber))
  const codes = tokens.filter(isCode)
  const trigrams = trigramsOf(tokens)

  const scored = candidates.map(({ itemId, name, body, cosine }): Scored => {
    const nameTokens = tokensOf(name)
    const held = new Set([...nameTokens, ...tokensOf(body)])
    const covered = tokens.reduce((sum, token, i) => (held.has(token) ? sum + (idf[i] as number) : sum), 0)
    const cos = Math.max(0, cosine ?? 0)
    const cov = idfTotal > 0 ? covered / idfTotal : 0
    const num = jaccard(numbers, new Set(nameTokens.filter(isNumber)))
    const tri = setCosine(trigrams, trigramsOf(nameTokens))
    const codesHeld = codes.filter((code) => held.has(code)).length
    const score = cos + COVERAGE_WEIGHT * cov + NUMBER_WEIGHT * num + TRIGRAM_WEIGHT * tri + CODE_WEIGHT * codesHeld
    return { itemId, score, cos, cov, num, tri, codes: codesHeld }
  })
  return scored.sort((a, b) => b.score - a.score || (a.itemId < b.itemId ? -1 : 1))
}

/** The distinct tokens of a query, whose frequencies {@link rank} needs. */
export function distinctTokens(query: string): string[] {
  return [...new Set(tokensOf(query))]
}

/** Near in meaning, or holding half of what the query says (by idf), or a code of it, or spelled nearly alike. */
function passes({ cos, cov, tri, codes }: Scored): boolean {
  return cos >= COSINE_MIN || cov >= COVERAGE_MIN || tri >= TRIGRAM_MIN || codes > 0
}

/** Candidates by vector and by words, each: beyond, the score hardly ever brings one into the first 50. */
const CANDIDATES_MAX = 100

/** Measured flat between .3 and .5 for cov and num; with both, size variants that tie by vector are told apart. */
const COVERAGE_WEIGHT = 0.3
const NUMBER_WEIGHT = 0.3
/**
 * Between .2, which no longer outweighs a chance neighbour for a word with one wrong letter, and .5, which costs queries
 * across languages 1.6 points of R@1, because words that look alike there mean other things ("burro", "carta").
 */
const TRIGRAM_WEIGHT = 0.3
/** More than all other terms together (1.9): who types an article number wants that article first. */
const CODE_WEIGHT = 2

/**
 * Unrelated texts stay below: their cosine in 128 random dimensions has a deviation of .09, so the nearest of 100,000
 * reaches .40; a trained model of that size keeps 97 % of in-domain queries at .45.
 */
const COSINE_MIN = 0.45
/** Half of the query's weight: a shared "de" or "mm" is far from it, the one rare word of two reaches it. */
const COVERAGE_MIN = 0.5
/** Half of the trigrams shared: two wrong letters in a word of ten. */
const TRIGRAM_MIN = 0.5

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0) return 0
  const shared = a.intersection(b).size
  return shared / (a.size + b.size - shared)
}

function setCosine(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size > 0 && b.size > 0 ? a.intersection(b).size / Math.sqrt(a.size * b.size) : 0
}
