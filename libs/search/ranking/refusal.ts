import type { Question } from '@catalog/search/query/question.ts'

/** What speaks for a result: parts of its score as fuse.ts explains them. */
type Signs = Readonly<{
  score: number
  cos: number
  cov: number
  con: number
  num: number
  codes: number
  isOther: boolean
  agreed?: readonly string[]
  contradicted?: readonly string[]
}>

/**
 * How far the best result lies above the floor of an answer, in points of its score; below 0 the question is refused, because
 * nothing found is the thing and not merely like it. -Infinity where every result contradicts the question; +Infinity where
 * one of the first three has its code.
 *
 * The floor is lower for a result that is the thing by most of the words, by the concept, by a clear meaning or by all its
 * sizes. It was measured on builders' questions: `npm run evaluate -- questions --curve` prints what other floors would refuse.
 */
export function marginOf(ranked: readonly Signs[], question: Pick<Question, 'sizes' | 'concepts'>): number {
  const isInOtherSizes = ranked.some(({ con, num }) => con >= WORDS_MIN && num < 0)
  const margins = ranked.slice(0, SHOWN).map((hit) => {
    // Who wants a bar of a size that is not stocked wants no wire for bars.
    if (hit.isOther && hit.cov < OTHER_WORDS_MIN && hit.num < OTHER_SIZES_MIN && isInOtherSizes)
      return Number.NEGATIVE_INFINITY
    return hit.score - floorOf(hit, question)
  })
  return Math.max(Number.NEGATIVE_INFINITY, ...margins)
}

/** The least score with which a result is an answer. */
function floorOf(
  { cos, cov, con, num, codes, isOther, agreed = [], contradicted = [] }: Signs,
  { sizes, concepts }: Pick<Question, 'sizes' | 'concepts'>,
): number {
  if (contradicted.length > 0 || num < 0) return Number.POSITIVE_INFINITY
  if (codes > 0) return Number.NEGATIVE_INFINITY
  // A size that the item does not state leaves the thing to its meaning and words. Machines state theirs as an attribute.
  const isSizeOpen = sizes.length > 0 && num === 0 && !agreed.includes('machine mass')
  if (isSizeOpen && cos < HINT_MIN && cov < WORDS_MIN) return Number.POSITIVE_INFINITY
  const clearMin = concepts.length > 0 ? CLEAR_MIN : ONLY_MEANING_MIN
  const isOfItsSize = num >= SIZES_MIN && cos >= LIKELY_MIN
  if (cov >= WORDS_MIN || con >= WORDS_MIN || cos >= clearMin || isOfItsSize) return FAIR_MIN
  return isOther ? OTHER_SURE_MIN : SURE_MIN
}

/** People look at three results: an answer below them is none. */
const SHOWN = 3
const SURE_MIN = 0.68
const FAIR_MIN = 0.35
/** For an item whose name says another thing. */
const OTHER_SURE_MIN = 0.95
/** Cosine that supports other signs. */
const HINT_MIN = 0.6
/** Share of the words or concepts of a question that name the thing. */
const WORDS_MIN = 0.6
/** The same for an item whose name says another thing, where the thing itself has other sizes only. */
const OTHER_WORDS_MIN = 0.75
const OTHER_SIZES_MIN = 0.5
/** Cosine of a clear meaning. */
const CLEAR_MIN = 0.7
/** The same for a question without a concept of the lexicon, of which its meaning is the only sign. */
const ONLY_MEANING_MIN = 0.55
/** All sizes of the question, and a meaning that allows it. */
const SIZES_MIN = 0.95
const LIKELY_MIN = 0.5
