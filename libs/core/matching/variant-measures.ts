import { keptPer } from '@catalog/core/memo.ts'
import {
  countShared,
  editLikeness,
  jaccard,
  jaccardOfSorted,
  overlapOf,
  type PairText,
  type Put,
  type Rarity,
  ratio,
} from './pair-measures.ts'

/** Measures of two texts that tell variants of one product apart: numbers, order, and unexplained words. */

/**
 * Compares numbers by size class: years, versions and counts below 100, larger ones. It also counts agreeing and
 * differing numbers beside the same word ("cs3" and "cs2", "5 users" and "10 users").
 */
export function putNumbers(put: Put, a: PairText, b: PairText): void {
  const [ofA, ofB] = [numbersOf(a), numbersOf(b)]
  for (const [at, { names }] of NUMBER_KINDS.entries()) {
    const [inA, inB] = [ofA.kinds[at], ofB.kinds[at]] as [NumberKind, NumberKind]
    const isInBoth = inA.values.size > 0 && inB.values.size > 0
    const shared = isInBoth ? countShared(inA.values, inB.values) : 0
    const [onlyA, onlyB] = [inA.values.size - shared, inB.values.size - shared]
    const likeness = isInBoth ? ratio(shared, onlyA + onlyB + shared) : Number.NaN
    if (isInBoth || onlyA + onlyB === 0) put.ordered(names.jaccard, likeness, likeness)
    else put.ordered(names.jaccard, onlyA > 0 ? ONLY_A : ONLY_B, onlyA > 0 ? ONLY_B : ONLY_A)
    put.sides(names.only, onlyA, onlyB)
    put.one(names.apart, isInBoth ? Math.abs(inA.largest - inB.largest) : Number.NaN)
  }
  const [besideA, besideB] = [besideWords(ofA.placed, ofB.placed), besideWords(ofB.placed, ofA.placed)]
  put.ordered('agreeing', besideA.agreeing, besideB.agreeing)
  put.ordered('differing', besideA.differing, besideB.differing)
  put.one('all', jaccard(ofA.values, ofB.values))
  put.one('atoms', jaccardOfSorted(a.atomNumbers, b.atomNumbers))
}
const isYear = (value: number) => Number.isInteger(value) && value >= 1980 && value < 2040
const NUMBER_KINDS = Object.entries({
  year: isYear,
  small: (value: number) => value < 100,
  large: (value: number) => value >= 100 && !isYear(value),
}).map(([kind, isOfKind]) => ({
  isOfKind,
  names: { jaccard: `${kind} jaccard`, only: `${kind} only`, apart: `${kind} apart` },
}))
/** Below every Jaccard value, so that one cut separates "only one side has this kind". */
const ONLY_A = -1
const ONLY_B = -2
/** Longer numbers are codes. */
const NUMBER_LENGTH_MAX = 6

type PlacedNumber = Readonly<{ value: number; before: string | undefined; behind: string | undefined }>
type NumberKind = Readonly<{ values: ReadonlySet<number>; largest: number }>

const numbersOf = keptPer(({ atoms }: PairText) => {
  const placed = atoms.flatMap((atom, at): PlacedNumber[] =>
    /^\d/.test(atom) && atom.length <= NUMBER_LENGTH_MAX
      ? [{ value: Number(atom), before: atoms[at - 1], behind: atoms[at + 1] }]
      : [],
  )
  const values: ReadonlySet<number> = new Set(placed.map(({ value }) => value))
  const kinds = NUMBER_KINDS.map(({ isOfKind }): NumberKind => {
    const ofKind = [...values].filter(isOfKind)
    return { values: new Set(ofKind), largest: Math.max(...ofKind) }
  })
  return { placed, values, kinds }
})

/** The numbers that stand beside a word beside which the other text has the same number, or only others. */
function besideWords(numbers: readonly PlacedNumber[], others: readonly PlacedNumber[]) {
  let [agreeing, differing] = [0, 0]
  for (const { value, before, behind } of numbers) {
    let [isBefore, isBehind, isSameBefore, isSameBehind] = [false, false, false, false]
    for (const other of others) {
      const isSame = other.value === value
      if (before !== undefined && other.before === before) {
        isBefore = true
        isSameBefore ||= isSame
      }
      if (behind !== undefined && other.behind === behind) {
        isBehind = true
        isSameBehind ||= isSame
      }
    }
    agreeing += Number(isSameBefore) + Number(isSameBehind)
    differing += Number(isBefore && !isSameBefore) + Number(isBehind && !isSameBehind)
  }
  return { agreeing, differing }
}

/** Compares word order: makers and product lines stand at the head of a title. */
export function putOrder(put: Put, a: PairText, b: PairText, rarity: Rarity, overlap = overlapOf(a, b, rarity)): void {
  const [ofA, ofB] = [a.weights(rarity), b.weights(rarity)]
  let prefix = 0
  while (prefix < a.words.length && a.numbers[prefix] === b.numbers[prefix]) prefix++
  put.one('prefix', prefix)
  put.sides('first of', startsInside(a, b), startsInside(b, a))
  put.one('neighbours', jaccardOfSorted(a.neighbours, b.neighbours))
  const common = commonSubsequence(a.numbers, b.numbers, ofA.words)
  put.sides('sequence of', ratio(common, orderedSum(ofA.words)), ratio(common, orderedSum(ofB.words)))
  put.sides('head of', ratio(overlap.a.headShared, ofA.headSum), ratio(overlap.b.headShared, ofB.headSum))
}
/** Words of a title that order measures read; longer texts are descriptions. */
const ORDERED_WORDS_MAX = 40

const startsInside = ({ words: [first] }: PairText, other: PairText) =>
  first === undefined ? Number.NaN : Number(other.distinct.has(first))

function orderedSum(weights: Float64Array): number {
  let sum = 0
  for (let at = 0; at < Math.min(weights.length, ORDERED_WORDS_MAX); at++) sum += weights[at] as number
  return sum
}

/** Weight of the longest common subsequence. */
function commonSubsequence(a: Float64Array, b: Float64Array, weights: Float64Array): number {
  const width = Math.min(b.length, ORDERED_WORDS_MAX)
  const row = new Float64Array(width + 1)
  for (let i = 0; i < Math.min(a.length, ORDERED_WORDS_MAX); i++) {
    const word = a[i]
    let diagonal = 0
    for (let j = 0; j < width; j++) {
      const above = row[j + 1] as number
      row[j + 1] = word === b[j] ? diagonal + (weights[i] as number) : Math.max(above, row[j] as number)
      diagonal = above
    }
  }
  return row[width] as number
}

/**
 * The words of a text that the other explains neither by the same word nor by a variant: a typing error, an
 * abbreviation ("ed", "std", "pos" for "point of sale"), words written together or apart, another spelling of a number.
 */
export function unexplainedIn(
  text: PairText,
  by: PairText,
  rarity: Rarity,
  only: readonly number[] = overlapOf(text, by, rarity).a.only,
) {
  const weights = text.weights(rarity)
  const words: string[] = []
  let [sum, rarest, rarestWord, numbers] = [0, 0, 0, 0]
  for (const at of only) {
    const form = formsOf(text).forms[at] as WordForm
    if (isExplained(form, by)) continue
    const weight = weights.sorted[at] as number
    words.push(form.word)
    sum += weight
    rarest = Math.max(rarest, weight)
    if (form.hasDigit) numbers += 1
    else rarestWord = Math.max(rarestWord, weight)
  }
  return { words, count: words.length, rarest, share: ratio(sum, weights.sum), rarestWord, numbers }
}

/** Distinct words of `text` that `other` holds in no form. */
export function unexplainedBy(other: PairText, text: PairText): readonly string[] {
  return unexplainedIn(text, other, ALIKE).words
}
const ALIKE: Rarity = () => 1

/** Whether the other text, which lacks this very word, holds it in another form. */
function isExplained(form: WordForm, by: PairText): boolean {
  const { word, plain, before, behind, atoms, hasDigit } = form
  const { initials, forms } = formsOf(by)
  if (plain.length >= TOGETHER_LENGTH_MIN && by.squeezed.includes(plain)) return true
  if (plain.length >= 2 && plain.length <= SHORT_LENGTH_MAX && !hasDigit && initials.includes(plain)) return true
  if (behind !== undefined && by.distinct.has(word + behind)) return true
  if (before !== undefined && by.distinct.has(before + word)) return true
  if (atoms.length > 1 && atoms.every((atom) => by.atoms.includes(atom))) return true
  return forms.some((candidate) => isVariant(form, candidate))
}

/** A distinct word with its neighbours where it first stands. */
type WordForm = Readonly<{
  word: string
  /** Its letters and digits alone. */
  plain: string
  before: string | undefined
  behind: string | undefined
  atoms: readonly string[]
  hasDigit: boolean
  /** NaN unless it is a number. */
  value: number
  isNumeral: boolean
}>

const formsOf = keptPer(({ words, sorted, plain }: PairText) => ({
  initials: words.map((word) => word[0]).join(''),
  forms: sorted.map((word, nth): WordForm => {
    const at = words.indexOf(word)
    return {
      word,
      plain: plain[nth] as string,
      before: words[at - 1],
      behind: words[at + 1],
      atoms: word.match(/\d+(?:\.\d+)?|\p{L}+/gu) ?? [],
      hasDigit: /\d/.test(word),
      value: /^[\d.]+$/.test(word) ? Number(word) : Number.NaN,
      isNumeral: /^[ivx]+$/.test(word),
    }
  }),
}))
/** Shorter words occur inside other words by chance. */
const TOGETHER_LENGTH_MIN = 4
/** Longest abbreviation. */
const SHORT_LENGTH_MAX = 5
/** Allowed between two words with the same first letter: one error in four letters, two in eight. */
const TYPO_LIKENESS_MIN = 0.75

function isVariant(a: WordForm, b: WordForm): boolean {
  if (a.hasDigit || b.hasDigit) return a.value === b.value
  // Every numeral is distinct: II does not abbreviate III.
  if (a.isNumeral && b.isNumeral) return false
  const [short, long] = a.word.length < b.word.length ? [a.word, b.word] : [b.word, a.word]
  if (short[0] !== long[0]) return false
  if (short.length >= 2 && long.startsWith(short)) return true
  if (isAbbreviation(short, long)) return true
  // The difference in length alone may exceed the limit.
  return short.length >= TYPO_LIKENESS_MIN * long.length && editLikeness(short, long) >= TYPO_LIKENESS_MIN
}

/** Whether the short word has letters of the long one in order, from its first to its last: "std" of "standard". */
function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short.length > SHORT_LENGTH_MAX || short.at(-1) !== long.at(-1)) return false
  let found = 0
  for (const letter of long) if (letter === short[found]) found++
  return found === short.length
}
