import { type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { conceptTerms, isConcept, lettersOf, type Reading, readingOf } from '@catalog/search/query/reading.ts'
import { compareSizes, type SizeComparison } from '@catalog/search/query/sizes.ts'
import { distinctTokens } from '@catalog/search/query/terms.ts'
import { idfOf, isCode, isNumber, tokensOf, trigramsOf, trigramsShared } from '@catalog/search/query/text.ts'
import type { Candidate, SearchFilter, SearchIndex } from '@catalog/search/search.ts'

/** What `GET /search` calls `mode`. */
export type SearchMode = 'vector' | 'vector_no_match' | 'empty_embedding' | 'fallback_no_ai'

export type SearchAnswer = Readonly<{
  mode: SearchMode
  /** Best first, equal scores by id; every score is at least 0. */
  results: readonly Hit[]
}>

/** `cos` is the part of the score that is likeness in meaning, 0 to 1; 0 where there was none to find it by. */
export type Hit = Readonly<{ itemId: string; score: number; cos: number }>

/**
 * Answers a query from an index. `vector` is the query's embedding, null when the embedder found nothing to embed in it,
 * 'no_embedder' when none is configured; `cosineMin` the least cosine at which a document is near to this query, of no
 * account without a vector.
 * `identified` are the items, which the filter has let through, whose GTIN or manufacturer's reference the query says:
 * they come first.
 *
 * | mode | when | results, after those that are identified |
 * |---|---|---|
 * | vector | a document is near enough | those, and documents that hold the words |
 * | vector_no_match | none is | documents that hold the words, or none |
 * | empty_embedding | the query has no vector | documents that hold its codes and numbers, or none |
 * | fallback_no_ai | no embedder, or vectors of this embedder do not cover the documents yet | by words alone |
 *
 * Throws what the index throws.
 */
export async function search({
  query,
  vector,
  cosineMin,
  index,
  identified = [],
  filter,
  limit,
}: {
  query: string
  vector: Float32Array | null | 'no_embedder'
  cosineMin: number
  index: SearchIndex
  identified?: readonly string[]
  filter?: SearchFilter
  limit: number
}): Promise<SearchAnswer> {
  const [near, lexical, frequencies, isEmbedded] = await Promise.all([
    vector instanceof Float32Array ? index.nearest(vector, CANDIDATES_MAX, filter) : [],
    index.lexical(query, vector instanceof Float32Array ? LEXICAL_MAX : CANDIDATES_MAX, filter),
    index.frequencies(distinctTokens(query)),
    vector instanceof Float32Array ? index.isEmbedded() : false,
  ])
  // The same document may come by both ways; the one that came by vector also knows its cosine.
  const candidates = new Map([...lexical, ...(isEmbedded ? near : [])].map((found) => [found.itemId, found]))
  const ranked = rank({ query, candidates: [...candidates.values()], frequencies })
  // Once something is near, what lies a little farther may still be what was meant, in another language most of all.
  const isNear = ranked.some(({ cos }) => cos >= cosineMin)
  const hits = ranked.filter((hit) => passes(hit, isNear ? cosineMin - NEAR_WITHIN : cosineMin))
  return { mode: modeOf(), results: withFirst(identified, hits).slice(0, limit) }

  function modeOf(): SearchMode {
    if (vector === null) return 'empty_embedding'
    if (!isEmbedded) return 'fallback_no_ai'
    return hits.some(({ cos }) => cos >= cosineMin) ? 'vector' : 'vector_no_match'
  }
}

/** Hits with the identified items before them, each with what it scores besides. */
function withFirst(identified: readonly string[], hits: readonly Hit[]): Hit[] {
  const first = new Set(identified)
  const known = new Map(hits.map((hit) => [hit.itemId, hit]))
  const raised = [...first].map((itemId) => {
    const { score, cos } = known.get(itemId) ?? { score: 0, cos: 0 }
    return { itemId, score: IDENTIFIED_SCORE + score, cos }
  })
  const rest = hits.filter(({ itemId }) => !first.has(itemId))
  return [...raised.sort(byScore), ...rest.map(({ itemId, score, cos }) => ({ itemId, score, cos }))]
}

/** A candidate with its parts, each of 0 to 1, except `num`, which begins at -.5, and `len` and `codes`. */
export type Scored = Readonly<{
  itemId: string
  score: number
  cos: number
  cov: number
  con: number
  num: number
  tri: number
  len: number
  codes: number
}>

/**
 * Scores candidates from their own fields, so every index ranks alike, by the sum of
 *
 * - cos: cosine, 0 for a candidate that was not found by vector; or, where that is more, .65 of what query and name say of
 *   the same concepts: all of it for "lã de rocha" and "mineral wool", less for each word of either that names none
 * - .2 cov: share of the query's distinct tokens that name or body hold, or say as a size in another unit; weighed by idf
 * - .1 con: share of the concepts which the query names that the name also names, weighed by idf
 * - .3 num: overlap of the sizes and numbers of query and name, below 0 where the name contradicts the query
 * - .15 tri: cosine of the sets of letter trigrams of query and name: what is left of a word with a typing error
 * - -.12 len: how much longer or shorter the name is than the query, as the logarithm of the ratio of their letters, at
 *   most 1.67: of two names that are as near, the one that says as much as the query is meant
 * - codes: 3 to 4 when name or body hold a code of the query (article number, grade) letter by letter, 4 for all of them
 *
 * and at least 0. `frequencies` are the index's for `distinctTokens(query)`, in that order. Best first, equal scores by
 * id.
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
  const terms = distinctTokens(query).map((term, i) => ({
    term,
    idf: idfOf({ documents: frequencies.documents, count: frequencies.counts[i] ?? 0 }),
  }))
  const concepts = terms.filter(({ term }) => isConcept(term))
  const words = terms.filter(({ term }) => !isConcept(term))
  const codes = words.filter(({ term }) => isCode(term))
  const conceptShare = conceptTerms(query).share
  const sizes = sizesOf(query)
  const trigrams = trigramsOf(words.map(({ term }) => term))
  const letters = lettersOf(tokensOf(query))

  const compared = new Map<readonly Size[], SizeComparison>()
  const compare = (named: readonly Size[]) => {
    const known = compared.get(named) ?? compareSizes(sizes, named)
    compared.set(named, known)
    return known
  }

  const scored = candidates.map(({ itemId, name, body, cosine, reading = readingOf({ name, body }) }): Scored => {
    const { overlap: num, said } = compare(sizes.length > 0 ? reading.sizes : NO_SIZES)
    const isHeld = (term: string) => reading.holds(term) || (isNumber(term) && said.has(Number(term)))
    const cos = Math.max(0, cosine ?? 0)
    const cov = shareOf(words, isHeld)
    const con = concepts.length > 0 ? shareOf(concepts, (term) => reading.concepts.terms.includes(term)) : 0
    const synonymy = con > 0 ? SYNONYM_WEIGHT * con * conceptShare * reading.concepts.share : 0
    const tri = likeness(trigrams, reading)
    const len = lengthRatio(letters, reading.letters)
    const codesHeld = codes.filter(({ term }) => reading.holds(term)).length
    const score =
      Math.max(cos, synonymy) +
      COVERAGE_WEIGHT * cov +
      CONCEPT_WEIGHT * con +
      NUMBER_WEIGHT * num +
      TRIGRAM_WEIGHT * tri -
      LENGTH_WEIGHT * len +
      (codesHeld > 0 ? CODE_SCORE + codesHeld / codes.length : 0)
    return { itemId, score: Math.max(0, score), cos, cov, con, num, tri, len, codes: codesHeld }
  })
  return scored.sort(byScore)
}

function byScore(a: Pick<Hit, 'itemId' | 'score'>, b: Pick<Hit, 'itemId' | 'score'>): number {
  return b.score - a.score || (a.itemId < b.itemId ? -1 : 1)
}

type Weighed = Readonly<{ term: string; idf: number }>

/** 0 to 1; 0 where there are none. */
function shareOf(terms: readonly Weighed[], isHeld: (term: string) => boolean): number {
  let held = 0
  let all = 0
  for (const { term, idf } of terms) {
    all += idf
    if (isHeld(term)) held += idf
  }
  return all > 0 ? held / all : 0
}

const NO_SIZES: readonly Size[] = []

/** Near in meaning, or holding half of what the query says (by idf) or names, or a code of it, or spelled nearly alike. */
function passes({ cos, cov, con, tri, codes }: Scored, cosineMin: number): boolean {
  return cos >= cosineMin || cov >= COVERAGE_MIN || con >= COVERAGE_MIN || tri >= TRIGRAM_MIN || codes > 0
}

/** Candidates by vector, or by words where there are no vectors: beyond, the score hardly brings one into the first 50. */
const CANDIDATES_MAX = 100
/** By words beside those by vector: what a reader is given at most. Each costs the index as much as one by vector. */
const LEXICAL_MAX = 50

/** Measured flat from .1 to .5 for cov and .2 to .6 for num; with both, sizes that tie by vector are told apart. */
const COVERAGE_WEIGHT = 0.2
const NUMBER_WEIGHT = 0.3
/** Half of the word itself: flat from .07 to .15 across languages, and what finds words of a region. */
const CONCEPT_WEIGHT = 0.1
/**
 * What the lexicon says outright is nearer than what only looks alike, and less near than what a vector knows to be the
 * same: flat from .6 to .8.
 */
const SYNONYM_WEIGHT = 0.65
/**
 * Above, queries across languages lose, by half a point of R@1 at .3, because words that look alike there mean other
 * things ("burro", "carta"); below .1, words with a wrong letter do.
 */
const TRIGRAM_WEIGHT = 0.15
/** Measured across 30 pairs of languages: R@1 + 1.5; flat from .08 to .14. */
const LENGTH_WEIGHT = 0.12
/** A word is no worse a query for a long name than three are: beyond, the weighted part is .2. */
const LENGTH_MAX = 1.67
/** More than all other parts together (1.75): who types an article number wants that article first. */
const CODE_SCORE = 3
/** More than a code and all other parts together (5.75). */
const IDENTIFIED_SCORE = 10

/** As much as the right name commonly lies below a wrong one that is near: a name is only refused with all others. */
const NEAR_WITHIN = 0.15
/** Half of the query's weight: a shared "de" or "mm" is far from it, the one rare word of two reaches it. */
const COVERAGE_MIN = 0.5
/** Half of the trigrams shared: two wrong letters in a word of ten. */
const TRIGRAM_MIN = 0.5

function lengthRatio(a: number, b: number): number {
  return a > 0 && b > 0 ? Math.min(LENGTH_MAX, Math.abs(Math.log(a / b))) : 0
}

function likeness(trigrams: ReadonlySet<string>, { words, trigramCount }: Reading): number {
  if (trigrams.size === 0 || trigramCount === 0) return 0
  return trigramsShared(trigrams, words) / Math.sqrt(trigrams.size * trigramCount)
}
