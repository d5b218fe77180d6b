import type { Size } from '@catalog/core/units/sizes.ts'
import type { Question } from '@catalog/search/query/question.ts'
import { conceptTerms, isConcept, letterCountOf, type NameReading, readingOf } from '@catalog/search/query/reading.ts'
import { compareSizes, type SizeComparison } from '@catalog/search/query/sizes.ts'
import { distinctTokens } from '@catalog/search/query/terms.ts'
import { idfOf, isCode, isNumber, tokensOf, trigramsOf, trigramsShared } from '@catalog/search/query/text.ts'
import type { Candidate, SearchFilter, SearchIndex } from '@catalog/search/search.ts'
import { fitOf } from './fit.ts'
import { marginOf } from './refusal.ts'

/** The `mode` of `GET /search`. */
export type SearchMode = 'vector' | 'vector_no_match' | 'empty_embedding' | 'fallback_no_ai'

export type SearchAnswer = Readonly<{
  mode: SearchMode
  /** How far the best result lies above the floor of answers: see {@link marginOf}; null without vectors. */
  margin: number | null
  /** Best first, equal scores by id; every score is at least 0. */
  results: readonly Hit[]
}>

/** `cos` is the semantic part of the score, 0 to 1; 0 without a vector match. */
export type Hit = Readonly<{
  itemId: string
  score: number
  cos: number
  /** False where its name says another thing, or it contradicts a grade or kind of the question. */
  isThing?: boolean
  why?: Why
}>

/** Why a result was found: the parts of its score, rounded for people, and what it agrees and contradicts in. */
export type Why = Readonly<{
  meaning: number
  words: number
  concepts: number
  sizes: number
  spelling: number
  codes: number
  agreed: readonly string[]
  contradicted: readonly string[]
}>

/**
 * Answers a query from an index. `vector` is the query's embedding, null when the embedder returned none, 'no_embedder'
 * when none is configured. `cosineMin` is the least cosine at which a document is near the query; it matters only with
 * a vector. `identified` are the items with a GTIN or manufacturer's reference of the query, after the filter; they
 * rank first.
 *
 * | mode | when | results, after the identified ones |
 * |---|---|---|
 * | vector | anything is found | near documents, and documents with the words |
 * | vector_no_match | nothing is found | none |
 * | empty_embedding | the query has no vector | documents with its codes and numbers, or none |
 * | fallback_no_ai | no embedder, or its vectors do not yet cover all documents | by words alone |
 *
 * Throws what the index throws.
 */
export async function search({
  question,
  vector,
  cosineMin,
  index,
  identified = [],
  filter,
  admitted,
  limit,
  isRefusing = true,
}: {
  question: Question
  vector: Float32Array | null | 'no_embedder'
  cosineMin: number
  index: SearchIndex
  identified?: readonly string[]
  filter?: SearchFilter
  /** Which of these items pass filters that the index cannot apply; the index is then asked for more candidates. */
  admitted?: (itemIds: readonly string[]) => Promise<readonly string[]>
  limit: number
  /** False for a caller that judges candidates itself: then something like the thing counts too. */
  isRefusing?: boolean
}): Promise<SearchAnswer> {
  const query = question.thing
  const times = admitted ? ADMITTED_FACTOR : isRefusing ? 1 : JUDGED_FACTOR
  const [near, lexical, frequencies, isEmbedded] = await Promise.all([
    vector instanceof Float32Array ? index.nearest(vector, times * CANDIDATES_MAX, filter) : [],
    index.lexical(query, times * (vector instanceof Float32Array ? LEXICAL_MAX : CANDIDATES_MAX), filter),
    index.frequencies(distinctTokens(query)),
    vector instanceof Float32Array ? index.isEmbedded() : false,
  ])
  // A document may come both ways; the copy of the vector search wins, because it has the cosine.
  const candidates = new Map([...lexical, ...(isEmbedded ? near : [])].map((found) => [found.itemId, found]))
  const passing = admitted ? new Set(await admitted([...candidates.keys()])) : candidates
  const ranked = answersFirst(
    rank({
      question,
      candidates: [...candidates.values()].filter(({ itemId }) => passing.has(itemId)),
      frequencies,
    }),
  )
  // The floor is measured with vectors: without them, words decide as they are.
  const margin = isEmbedded && vector !== null ? marginOf(ranked, question) : null
  const isAnswered = !isRefusing || margin === null || margin >= 0
  // Once any result is near, keep those within 0.15 of it: the right name in another language often lies a little
  // farther.
  const isNear = ranked.some(({ cos }) => cos >= cosineMin)
  const hits = isAnswered ? ranked.filter((hit) => passes(hit, isNear ? cosineMin - NEAR_WITHIN : cosineMin)) : []
  const shown = identified.length === 0 ? hits.slice(0, limit) : hits
  const results = withIdentifiedFirst(identified, shown.map(hitOf)).slice(0, limit)
  return { mode: modeOf(), margin, results }

  function modeOf(): SearchMode {
    if (vector === null) return 'empty_embedding'
    if (!isEmbedded) return 'fallback_no_ai'
    return results.length > 0 ? 'vector' : 'vector_no_match'
  }
}

/** Ranks what contradicts the question below the best result that is the thing in the size that the question states. */
function answersFirst(ranked: readonly Scored[]): readonly Scored[] {
  const best = ranked.find(
    ({ cov, con, num, contradicted }) =>
      num > 0 && contradicted?.length === 0 && (cov >= NAMED_MIN || (con === 1 && num >= ALL_SIZES_MIN)),
  )
  if (best === undefined) return ranked
  let lowered = 0
  return ranked
    .map((hit) =>
      hit.num < 0 || (hit.contradicted?.length ?? 0) > 0
        ? { ...hit, score: Math.max(0, Math.min(hit.score, best.score - BELOW * ++lowered)) }
        : hit,
    )
    .sort(byScore)
}
/** Share of the words of a question by which a result is the thing: across languages, grades are misread too often. */
const NAMED_MIN = 0.6
/** Overlap of all sizes, one of them nominally, where the concept alone names the thing. */
const ALL_SIZES_MIN = 0.5
/** Any distance: scores of contradicting results are likenesses, and no amounts. */
const BELOW = 0.01

function hitOf({
  itemId,
  score,
  cos,
  cov,
  con,
  num,
  tri,
  codes,
  isOther,
  agreed = [],
  contradicted = [],
}: Scored): Hit {
  const isThing = contradicted.length === 0 && (!isOther || score >= OTHER_THING_MIN)
  const why = { meaning: rounded(cos), words: rounded(cov), concepts: rounded(con), sizes: rounded(num) }
  return {
    itemId,
    score,
    cos,
    isThing,
    why: { ...why, spelling: rounded(tri), codes, agreed, contradicted },
  }
}
/** From this score on, an item is the thing though its name says another one. */
const OTHER_THING_MIN = 1.05
/** Three decimals keep all the information of a part. */
const rounded = (part: number) => Math.round(Math.min(1, part) * 1_000) / 1_000

/** Moves the identified items to the front, each above its own score. */
function withIdentifiedFirst(identified: readonly string[], hits: readonly Hit[]): Hit[] {
  const first = new Set(identified)
  const known = new Map(hits.map((hit) => [hit.itemId, hit]))
  const raised = [...first].map((itemId) => {
    const hit = known.get(itemId) ?? { itemId, score: 0, cos: 0 }
    return { ...hit, score: IDENTIFIED_SCORE + hit.score }
  })
  return [...raised.sort(byScore), ...hits.filter(({ itemId }) => !first.has(itemId))]
}

/** A candidate with the parts of its score: 0 to 1 each, except `num` (from -.5), `len` and `codes`. */
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
  /** Whether question and name name things of the lexicon, and share none. */
  isOther: boolean
  /** Absent beyond the candidates that are compared in full. */
  agreed?: readonly string[]
  contradicted?: readonly string[]
}>

/**
 * Scores candidates from their own fields, so that every index ranks alike. The name that scores best counts. The score is
 * the sum of these parts, at least 0:
 *
 * - cos: cosine, 0 without a vector match; or, where larger, .65 of the shared concepts of question and name: all of it for
 *   "lã de rocha" and "mineral wool", less for each word of either that names no concept
 * - .2 cov: share of the question's distinct words in name or body, or as a size in another unit; weighted by idf
 * - .1 con: share of the question's concepts in the name, weighted by idf; -.1 where both name things and share none
 * - .4 num: overlap of sizes, packs and numbers, negative where the item contradicts the question; .7 of a contradiction where
 *   the name says the same thing: a board of another size is nearer than a screw of its size
 * - .15 tri: cosine of the letter trigram sets of question and name, which survives typing errors
 * - -.12 len: difference in length of name and question, as the logarithm of the ratio of their letters, at most 1.67: of
 *   two equally near names, the one as specific as the question is meant
 * - codes: 3 to 4 when name or body has a code of the question (article number, grade) exactly, 4 for all codes; 3 less where
 *   the item contradicts the question: PN16 is no article number
 * - .1 for each of two grades or kinds that both state, -.3 for each of two in which the item is another one, -.1 for a
 *   work where the question names no kind
 *
 * `frequencies` are the index's for `distinctTokens(query)`, in that order. Best first, ties by id.
 */
export function rank({
  question,
  candidates,
  frequencies,
}: {
  question: Question
  candidates: readonly Candidate[]
  frequencies: { readonly documents: number; readonly counts: readonly number[] }
}): Scored[] {
  const query = question.thing
  const terms = distinctTokens(query).map((term, i) => ({
    term,
    idf: idfOf({ documents: frequencies.documents, count: frequencies.counts[i] ?? 0 }),
  }))
  const concepts = terms.filter(({ term }) => isConcept(term))
  const words = terms.filter(({ term }) => !isConcept(term))
  const codes = words.filter(({ term }) => isCode(term))
  const conceptShare = conceptTerms(query).share
  const { sizes } = question
  const trigrams = trigramsOf(words.map(({ term }) => term))
  const letterCount = letterCountOf(tokensOf(query))

  const compared = new Map<readonly Size[], SizeComparison>()
  const compare = (named: readonly Size[]) => {
    const known = compared.get(named) ?? compareSizes(sizes, named)
    compared.set(named, known)
    return known
  }

  const scoreName = (name: NameReading, { bodyWords, cos }: { bodyWords: readonly string[]; cos: number }) => {
    const { overlap: num, matchedNumbers } = compare(sizes.length > 0 ? name.sizes : NO_SIZES)
    const holds = (term: string) => name.words.includes(term) || bodyWords.includes(term)
    const hasTerm = (term: string) => holds(term) || (isNumber(term) && matchedNumbers.has(Number(term)))
    const cov = shareOf(words, hasTerm)
    const con = concepts.length > 0 ? shareOf(concepts, (term) => name.concepts.terms.includes(term)) : 0
    const synonymy = con > 0 ? SYNONYM_WEIGHT * con * conceptShare * name.concepts.share : 0
    const isOther = concepts.length > 0 && con === 0 && name.concepts.terms.length > 0
    const tri = trigramSimilarity(trigrams, name)
    const len = lengthRatio(letterCount, name.letterCount)
    const codesMatched = codes.filter(({ term }) => holds(term)).length
    const score =
      Math.max(cos, synonymy) +
      COVERAGE_WEIGHT * cov +
      CONCEPT_WEIGHT * con +
      NUMBER_WEIGHT * num * (num < 0 && con > 0 ? SAME_SIZE_SHARE : 1) +
      TRIGRAM_WEIGHT * tri -
      LENGTH_WEIGHT * len -
      (isOther ? OTHER_THING_WEIGHT : 0) +
      (codesMatched > 0 ? CODE_SCORE + codesMatched / codes.length : 0)
    return { score: Math.max(0, score), cos, cov, con, num, tri, len, codes: codesMatched, isOther }
  }

  const scored = candidates.map((candidate): Scored => {
    const { itemId, cosine, reading } = candidate
    const { names, bodyWords } = reading ?? readingOf(candidate)
    const cos = Math.max(0, cosine ?? 0)
    const parts = names.map((name) => scoreName(name, { bodyWords, cos }))
    // Of equal scores the first: the headline.
    const best = parts.reduce((best, part) => (part.score > best.score ? part : best))
    return { itemId, ...best }
  })
  scored.sort(byScore)
  const texts = new Map(candidates.map((candidate) => [candidate.itemId, candidate]))
  const fitted = scored.slice(0, FITTED_MAX).map((hit): Scored => {
    const candidate = texts.get(hit.itemId) as Candidate
    const fit = fitOf(question, candidate)
    // Who names no kind asks for the thing, not for its installation.
    const isOnlyWork = question.kind.kind === null && candidate.kind === 'work'
    const score =
      hit.score +
      AGREED_WEIGHT * Math.min(AGREED_MAX, fit.agreed.length) -
      CONTRADICTED_WEIGHT * Math.min(2, fit.contradicted.length) -
      (fit.contradicted.length > 0 && hit.codes > 0 ? CODE_SCORE : 0) -
      (isOnlyWork ? ONLY_WORK_WEIGHT : 0)
    return { ...hit, ...fit, score: Math.max(0, score) }
  })
  const worst = fitted.sort(byScore).at(-1)?.score ?? 0
  // What was not compared ranks below what was, and its score says so.
  const rest = scored.slice(FITTED_MAX).map((hit) => ({ ...hit, score: Math.min(hit.score, worst) }))
  return [...fitted, ...rest]
}
/** Candidates whose grades and kinds are compared, which takes time: more than the longest page has. */
const FITTED_MAX = 60
const AGREED_WEIGHT = 0.1
const AGREED_MAX = 2
const ONLY_WORK_WEIGHT = 0.1
const CONTRADICTED_WEIGHT = 0.3

function byScore(a: Pick<Hit, 'itemId' | 'score'>, b: Pick<Hit, 'itemId' | 'score'>): number {
  return b.score - a.score || (a.itemId < b.itemId ? -1 : 1)
}

type WeightedTerm = Readonly<{ term: string; idf: number }>

/** 0 to 1; 0 without terms. */
function shareOf(terms: readonly WeightedTerm[], hasTerm: (term: string) => boolean): number {
  let matched = 0
  let all = 0
  for (const { term, idf } of terms) {
    all += idf
    if (hasTerm(term)) matched += idf
  }
  return all > 0 ? matched / all : 0
}

const NO_SIZES: readonly Size[] = []

/**
 * Near in meaning, or with half of the query's weight (by idf) or concepts, or with one of its codes, or similarly
 * spelled.
 */
function passes({ cos, cov, con, tri, codes }: Scored, cosineMin: number): boolean {
  return cos >= cosineMin || cov >= COVERAGE_MIN || con >= COVERAGE_MIN || tri >= TRIGRAM_MIN || codes > 0
}

/** Candidates by vector, or by words without vectors: later ones hardly ever reach the first 50 by score. */
const CANDIDATES_MAX = 100
/**
 * Candidates by words beside those by vector: the maximum result length. Each costs the index as much as one by vector.
 */
const LEXICAL_MAX = 50
/** A caller that judges wants no page of results: a share of the candidates has its twenty. */
const JUDGED_FACTOR = 0.4
/** Times as many candidates where filters apply after the index: enough where every tenth item passes. */
const ADMITTED_FACTOR = 10
/** The most results of a search, without identified ones. */
export const RESULTS_MAX = CANDIDATES_MAX + LEXICAL_MAX

/** Measured flat from .1 to .5 for cov and .2 to .6 for num; both together separate sizes with equal vectors. */
const COVERAGE_WEIGHT = 0.2
const NUMBER_WEIGHT = 0.4
/** Flat from .5 to .7. */
const SAME_SIZE_SHARE = 0.7
/** Half the weight of the word itself: flat from .07 to .15 across languages, and it finds regional words. */
const CONCEPT_WEIGHT = 0.1
/** A name of another thing; more would cost queries across languages, whose words have false friends. */
const OTHER_THING_WEIGHT = 0.1
/** A synonym of the lexicon ranks above a mere likeness and below an equal meaning by vector: flat from .6 to .8. */
const SYNONYM_WEIGHT = 0.65
/**
 * Above, queries across languages lose (half a point of R@1 at .3) by false friends ("burro", "carta"); below .1,
 * misspelled words lose.
 */
const TRIGRAM_WEIGHT = 0.15
/** Measured across 30 pairs of languages: R@1 + 1.5; flat from .08 to .14. */
const LENGTH_WEIGHT = 0.12
/** One word is as good a query for a long name as three: the weighted part is at most .2. */
const LENGTH_MAX = 1.67
/** More than all other parts together (2.05): an article number asks for that article first. */
const CODE_SCORE = 3
/** More than a code and all other parts together (6.05). */
const IDENTIFIED_SCORE = 10

/** The usual distance of the right name below a near wrong one: refuse a name only together with all others. */
const NEAR_WITHIN = 0.15
/** Half of the query's weight: a shared "de" or "mm" stays far below, the one rare word of two reaches it. */
const COVERAGE_MIN = 0.5
/** Half of the trigrams: two wrong letters in a word of ten. */
const TRIGRAM_MIN = 0.5

function lengthRatio(a: number, b: number): number {
  return a > 0 && b > 0 ? Math.min(LENGTH_MAX, Math.abs(Math.log(a / b))) : 0
}

function trigramSimilarity(trigrams: ReadonlySet<string>, { spelling, trigramCount }: NameReading): number {
  if (trigrams.size === 0 || trigramCount === 0) return 0
  return trigramsShared(trigrams, spelling) / Math.sqrt(trigrams.size * trigramCount)
}
