import type { Size } from '@catalog/core/units/sizes.ts'
import type { Question } from '@catalog/search/query/question.ts'
import { conceptTerms, isConcept, letterCountOf, type NameReading, readingOf } from '@catalog/search/query/reading.ts'
import { compareSizes, type Difference, type SizeComparison } from '@catalog/search/query/sizes.ts'
import { distinctTokens } from '@catalog/search/query/terms.ts'
import { idfOf, isCode, isNumber, tokensOf, trigramsOf, trigramsShared } from '@catalog/search/query/text.ts'
import type { Candidate } from '@catalog/search/search.ts'
import { fitOf } from './fit.ts'

/** A candidate with the parts of its score: 0 to 1 each, except `num` (from -.5), `len` and `codes`. */
export type Scored = Readonly<{
  itemId: string
  score: number
  cos: number
  cov: number
  con: number
  head: number
  num: number
  tri: number
  len: number
  codes: number
  /** Whether question and name name things of the lexicon, and share none. */
  isOther: boolean
  /** Absent beyond the candidates that are compared in full. */
  agreed?: readonly string[]
  differences?: readonly Difference[]
  /** The name that scored, and what else search reads of the item. */
  named: NameReading
  body: string
}>

/**
 * Scores candidates from their own fields, so that every index ranks alike. The name that scores best counts. The score is
 * the sum of these parts, at least 0:
 *
 * - cos: cosine, 0 without a vector match; or, where larger, .65 of the shared concepts of question and name: all of it for
 *   "lã de rocha" and "mineral wool", less for each word of either that names no concept
 * - .2 cov: share of the question's distinct words in name or body, or as a size in another unit; weighted by idf
 * - .15 head: share of the question's concepts, or else words, that the name is about and does not only mention
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
    const head = shareOf(concepts.length > 0 ? concepts : words, (term) => name.headTerms.has(term))
    const tri = trigramSimilarity(trigrams, name)
    const len = lengthRatio(letterCount, name.letterCount)
    const codesMatched = codes.filter(({ term }) => holds(term)).length
    const score =
      Math.max(cos, synonymy) +
      COVERAGE_WEIGHT * cov +
      CONCEPT_WEIGHT * con +
      HEAD_WEIGHT * head +
      NUMBER_WEIGHT * num * (num < 0 && con > 0 ? SAME_SIZE_SHARE : 1) +
      TRIGRAM_WEIGHT * tri -
      LENGTH_WEIGHT * len -
      (isOther ? OTHER_THING_WEIGHT : 0) +
      (codesMatched > 0 ? CODE_SCORE + codesMatched / codes.length : 0)
    return {
      score: Math.max(0, score),
      cos,
      cov,
      con,
      head,
      num,
      tri,
      len,
      codes: codesMatched,
      isOther,
      named: name,
    }
  }

  const scored = candidates.map((candidate): Scored => {
    const { itemId, cosine, reading } = candidate
    const { names, bodyWords } = reading ?? readingOf(candidate)
    // Indices compute cosines to different last digits, which must not order equal names.
    const cos = Math.max(0, Math.round((cosine ?? 0) * COSINE_STEPS) / COSINE_STEPS)
    const parts = names.map((name) => scoreName(name, { bodyWords, cos }))
    // Of equal scores the first: the headline.
    const best = parts.reduce((best, part) => (part.score > best.score ? part : best))
    return { itemId, ...best, body: candidate.body }
  })
  scored.sort(byScore)
  return fitted(scored, { question, texts: new Map(candidates.map((candidate) => [candidate.itemId, candidate])) })
}

/** Compares grades and kinds of the best candidates with the question's, and orders all. */
function fitted(
  scored: readonly Scored[],
  { question, texts }: { question: Question; texts: ReadonlyMap<string, Candidate> },
): Scored[] {
  const best = scored.slice(0, FITTED_MAX).map((hit): Scored => {
    const candidate = texts.get(hit.itemId) as Candidate
    const fit = fitOf(question, candidate)
    // Who names no kind asks for the thing, not for its installation.
    const isOnlyWork = question.kind.kind === null && candidate.kind === 'work'
    const isOnlyLabour = question.kind.kind === null && question.unit === null && candidate.kind === 'labour'
    const score =
      hit.score +
      AGREED_WEIGHT * Math.min(AGREED_MAX, fit.agreed.length) -
      CONTRADICTED_WEIGHT * Math.min(2, fit.differences.length) -
      (fit.differences.length > 0 && hit.codes > 0 ? CODE_SCORE : 0) -
      (isOnlyWork ? ONLY_WORK_WEIGHT : 0) -
      (isOnlyLabour ? ONLY_LABOUR_WEIGHT : 0)
    return { ...hit, ...fit, score: Math.max(0, score) }
  })
  const worst = best.sort(byScore).at(-1)?.score ?? 0
  // A candidate beyond them ranks below each of them, so its score is no higher.
  const rest = scored.slice(FITTED_MAX).map((hit) => ({ ...hit, score: Math.min(hit.score, worst) }))
  return [...best, ...rest]
}
/** Candidates whose grades and kinds are compared, which takes time: more than the longest page has. */
const FITTED_MAX = 60
const AGREED_WEIGHT = 0.1
const AGREED_MAX = 2
const ONLY_WORK_WEIGHT = 0.1
const ONLY_LABOUR_WEIGHT = 0.15
const CONTRADICTED_WEIGHT = 0.3
const COSINE_STEPS = 100_000

/** Best first, ties by id. */
export function byScore(a: Pick<Scored, 'itemId' | 'score'>, b: Pick<Scored, 'itemId' | 'score'>): number {
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
export function isNear({ cos, cov, con, tri, codes }: Scored): boolean {
  return (
    cos >= COSINE_MIN - NEAR_WITHIN || cov >= COVERAGE_MIN || con >= COVERAGE_MIN || tri >= TRIGRAM_MIN || codes > 0
  )
}

/** Measured flat from .1 to .5 for cov and .2 to .6 for num; both together separate sizes with equal vectors. */
const COVERAGE_WEIGHT = 0.2
const NUMBER_WEIGHT = 0.4
/** Flat from .5 to .7. */
const SAME_SIZE_SHARE = 0.7
/** Half the weight of the word itself: flat from .07 to .15 across languages, and it finds regional words. */
const CONCEPT_WEIGHT = 0.1
/** What the name is about, beside what it only mentions. */
const HEAD_WEIGHT = 0.15
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
/** More than all other parts together (2.2): an article number asks for that article first. */
export const CODE_SCORE = 3

/** Below, a document has another subject, however clearly the query is about building. */
export const COSINE_MIN = 0.4
/** The usual distance of the right name in another language below a near one. */
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
