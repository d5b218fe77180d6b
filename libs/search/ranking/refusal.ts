import { readFileSync } from 'node:fs'
import { scoreTrees, type TreeModel } from '@catalog/core/matching/gradient-boosting.ts'
import { once } from '@catalog/core/memo.ts'
import { isCommonWord } from '@catalog/embed/builtin/builtin.ts'
import type { Question } from '@catalog/search/query/question.ts'
import { conceptTerms, isConcept } from '@catalog/search/query/reading.ts'
import { isTradeWord } from '@catalog/search/query/spelling.ts'
import { distinctTokens } from '@catalog/search/query/terms.ts'
import { isNumber } from '@catalog/search/query/text.ts'
import { likenessOf } from './likeness.ts'
import type { Scored } from './score.ts'

/** What a question says before anything is found, 0 to 1 where it is a share. */
export type AskedSigns = Readonly<{
  words: number
  sizes: number
  /** Concepts of the lexicon, and the share of its words that name them. */
  concepts: number
  conceptShare: number
  /** Share of its words that the trade uses; that everyday language alone uses; that no document has. */
  tradeShare: number
  commonShare: number
  unseenShare: number
}>

/** `counts` are the documents with each of `distinctTokens(question.thing)`. */
export function askedSigns({ thing, sizes, concepts }: Question, counts: readonly number[]): AskedSigns {
  const tokens = distinctTokens(thing)
  const words = tokens.filter((token) => !isConcept(token) && !isNumber(token) && /\p{L}{3}/u.test(token))
  const shareOf = (is: (word: string) => boolean) => words.filter(is).length / Math.max(1, words.length)
  const isUnseen = new Set(tokens.filter((_, i) => counts[i] === 0))
  return {
    words: words.length,
    sizes: sizes.length,
    concepts: concepts.length,
    conceptShare: conceptTerms(thing).share,
    tradeShare: shareOf(isTradeWord),
    commonShare: shareOf((word) => !isTradeWord(word) && isCommonWord(word)),
    unseenShare: shareOf((word) => isUnseen.has(word)),
  }
}

/** The signs of one result, in the order that the model learned. */
export function signsOf(hit: Scored, { thing }: Question, asked: AskedSigns, bestScore: number): readonly number[] {
  const { score, cos, cov, con, head, num, tri, len, codes, isOther, agreed = [], differences = [] } = hit
  const kinds = differences.filter(({ about }) => OF_KIND.has(about)).length
  const worded = differences.filter(({ about, asked }) => !OF_KIND.has(about) && !/\d/.test(asked)).length
  const signs = [
    score,
    score - bestScore,
    cos,
    cov,
    con,
    head,
    num,
    tri,
    len,
    Number(codes > 0),
    Number(isOther),
    agreed.length,
    kinds,
    worded,
    differences.length - kinds - worded,
    ...Object.values(likenessOf(thing, { name: hit.named.name, body: hit.body })),
    ...Object.values(asked),
  ]
  return signs.map((sign) => Math.round(sign * SIGN_STEPS) / SIGN_STEPS)
}
/** Coarser than the noise of what it is computed from. */
const SIGN_STEPS = 1_000

const OF_KIND: ReadonlySet<string> = new Set(['kind', 'trade', 'unit', 'action', 'operator', 'machine'])

/**
 * The chance that a result is what is asked, or that in another size, grade or pack: learned from judged results of builders'
 * questions and of everyday ones (`npm run evaluate -- refusal`).
 */
export function chanceOf(signs: readonly number[]): number {
  return scoreTrees(model(), signs)
}

/** The chance of a question's best result below which the question is refused: nothing found is the thing. */
export const chanceMin = (): number => model().floor

const model = once(
  () => JSON.parse(readFileSync(new URL('refusal.json', import.meta.url), 'utf8')) as TreeModel & { floor: number },
)
