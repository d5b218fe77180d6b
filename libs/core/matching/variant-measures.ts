import { keptPer } from '@catalog/core/memo.ts'
import { editLikeness, jaccard, type PairText, type Put, type Rarity, ratio } from './pair-measures.ts'

/** Measures of two texts that tell variants of one product apart: numbers, order, and unexplained words. */

/**
 * Compares numbers by size class: years, versions and counts below 100, larger ones. It also counts agreeing and
 * differing numbers beside the same word ("cs3" and "cs2", "5 users" and "10 users").
 */
export function putNumbers(put: Put, a: PairText, b: PairText): void {
  const [ofA, ofB] = [numbersOf(a), numbersOf(b)]
  const [kindsOfA, kindsOfB] = [distinctNumbersOf(a), distinctNumbersOf(b)]
  for (const kind of NUMBER_KINDS.keys()) {
    const [inA, inB] = [kindsOfA.get(kind), kindsOfB.get(kind)] as [ReadonlySet<number>, ReadonlySet<number>]
    const isInBoth = inA.size > 0 && inB.size > 0
    put(`${kind} jaccard`, isInBoth ? jaccard(inA, inB) : inA.size > 0 ? ONLY_A : inB.size > 0 ? ONLY_B : Number.NaN)
    put(`${kind} only a`, inA.difference(inB).size)
    put(`${kind} only b`, inB.difference(inA).size)
    put(`${kind} apart`, isInBoth ? Math.abs(Math.max(...inA) - Math.max(...inB)) : Number.NaN)
  }
  let [agreeing, differing] = [0, 0]
  for (const side of ['before', 'behind'] as const) {
    for (const number of ofA) {
      const others = ofB.filter((other) => number[side] !== undefined && other[side] === number[side])
      if (others.some(({ value }) => value === number.value)) agreeing += 1
      else if (others.length > 0) differing += 1
    }
  }
  put('agreeing', agreeing)
  put('differing', differing)
  put('all', jaccard(allNumbersOf(a), allNumbersOf(b)))
  put('atoms', jaccard(distinctAtomsOf(a), distinctAtomsOf(b)))
}
const distinctAtomsOf = keptPer(({ atoms }: PairText) => new Set(atoms) as ReadonlySet<string>)
const isYear = (value: number) => Number.isInteger(value) && value >= 1980 && value < 2040
const NUMBER_KINDS: ReadonlyMap<string, (value: number) => boolean> = new Map([
  ['year', isYear],
  ['small', (value) => value < 100],
  ['large', (value) => value >= 100 && !isYear(value)],
])
/** Below every Jaccard value, so that one cut separates "only one side has this kind". */
const ONLY_A = -1
const ONLY_B = -2
/** Longer numbers are codes. */
const NUMBER_LENGTH_MAX = 6

const numbersOf = keptPer(({ atoms }: PairText) =>
  atoms.flatMap((atom, at) =>
    /^\d/.test(atom) && atom.length <= NUMBER_LENGTH_MAX
      ? [{ value: Number(atom), before: atoms[at - 1], behind: atoms[at + 1] }]
      : [],
  ),
)

const allNumbersOf = keptPer(
  (text: PairText) => new Set(numbersOf(text).map(({ value }) => value)) as ReadonlySet<number>,
)
const distinctNumbersOf = keptPer((text: PairText) => {
  const all = [...allNumbersOf(text)]
  return new Map([...NUMBER_KINDS].map(([kind, isOfKind]) => [kind, new Set(all.filter(isOfKind))]))
})

/** Compares word order: makers and product lines stand at the head of a title. */
export function putOrder(put: Put, a: PairText, b: PairText, rarity: Rarity): void {
  let prefix = 0
  while (prefix < a.words.length && a.words[prefix] === b.words[prefix]) prefix++
  put('prefix', prefix)
  put('first of a', a.words.length === 0 ? Number.NaN : Number(b.distinct.has(a.words[0] as string)))
  put('first of b', b.words.length === 0 ? Number.NaN : Number(a.distinct.has(b.words[0] as string)))
  put('neighbours', jaccard(neighboursOf(a), neighboursOf(b)))
  const common = commonSubsequence(a.words, b.words, rarity)
  put('sequence of a', ratio(common, weightOf(a, rarity)))
  put('sequence of b', ratio(common, weightOf(b, rarity)))
  put('head of a', headShare(a, b, rarity))
  put('head of b', headShare(b, a, rarity))
}
/** Words of a title that order measures read; longer texts are descriptions. */
const ORDERED_WORDS_MAX = 40

const neighboursOf = keptPer(
  ({ words }: PairText) => new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`)) as ReadonlySet<string>,
)

function weightOf({ words }: PairText, rarity: Rarity): number {
  return words.slice(0, ORDERED_WORDS_MAX).reduce((sum, word) => sum + rarity(word), 0)
}

/** Weight of the longest common subsequence. */
function commonSubsequence(a: readonly string[], b: readonly string[], rarity: Rarity): number {
  const others = b.slice(0, ORDERED_WORDS_MAX)
  let row = new Array<number>(others.length + 1).fill(0)
  for (const word of a.slice(0, ORDERED_WORDS_MAX)) {
    const weight = rarity(word)
    const next = [0]
    for (const [at, other] of others.entries()) {
      next.push(word === other ? (row[at] as number) + weight : Math.max(row[at + 1] as number, next[at] as number))
    }
    row = next
  }
  return row.at(-1) as number
}

/** Share of `a` that the other text holds, with the most weight on the first word. */
function headShare(a: PairText, b: PairText, rarity: Rarity): number {
  let [inside, all] = [0, 0]
  for (const [at, word] of a.words.entries()) {
    const weight = rarity(word) / (1 + at)
    all += weight
    if (b.distinct.has(word)) inside += weight
  }
  return ratio(inside, all)
}

/**
 * Measures the words of each text that the other explains neither by the same word nor by a variant: a typing error, an
 * abbreviation ("ed", "std", "pos" for "point of sale"), words written together or apart, another spelling of a number.
 */
export function putUnexplained(put: Put, a: PairText, b: PairText, rarity: Rarity): void {
  putUnexplainedOf(put, a, { side: 'a', by: b, rarity })
  putUnexplainedOf(put, b, { side: 'b', by: a, rarity })
}

/** The measures of one side. */
export function putUnexplainedOf(
  put: Put,
  text: PairText,
  { side, by, rarity }: { side: 'a' | 'b'; by: PairText; rarity: Rarity },
): void {
  const left = unexplainedBy(by, text)
  const weights = left.map(rarity)
  let all = 0
  for (const word of text.distinct) all += rarity(word)
  put(`count ${side}`, left.length)
  put(`rarest ${side}`, Math.max(0, ...weights))
  put(
    `share ${side}`,
    ratio(
      weights.reduce((sum, weight) => sum + weight, 0),
      all,
    ),
  )
  const words = left.filter((word) => !/\d/.test(word))
  put(`rarest word ${side}`, Math.max(0, ...words.map(rarity)))
  put(`numbers ${side}`, left.length - words.length)
}

/** Distinct words of `text` that `other` holds in no form. Several measures ask for one pair in turn, so it keeps the last. */
export function unexplainedBy(other: PairText, text: PairText): readonly string[] {
  const last = LAST_UNEXPLAINED.get(text)
  if (last?.by === other) return last.words
  const words = unexplainedWordsOf(text, other)
  LAST_UNEXPLAINED.set(text, { by: other, words })
  return words
}
const LAST_UNEXPLAINED = new WeakMap<PairText, { by: PairText; words: readonly string[] }>()

function unexplainedWordsOf(text: PairText, other: PairText): string[] {
  const { initials, forms } = formsOf(other)
  return formsOf(text)
    .forms.filter((form) => {
      const { word, plain, before, behind, atoms } = form
      if (other.distinct.has(word)) return false
      if (plain.length >= TOGETHER_LENGTH_MIN && other.squeezed.includes(plain)) return false
      if (plain.length >= 2 && plain.length <= SHORT_LENGTH_MAX && !/\d/.test(plain) && initials.includes(plain))
        return false
      if (behind !== undefined && other.distinct.has(word + behind)) return false
      if (before !== undefined && other.distinct.has(before + word)) return false
      if (atoms.length > 1 && atoms.every((atom) => other.atoms.includes(atom))) return false
      return !forms.some((candidate) => isVariant(form, candidate))
    })
    .map(({ word }) => word)
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
  isNumber: boolean
  isNumeral: boolean
}>

const formsOf = keptPer(({ words, distinct }: PairText) => ({
  initials: words.map((word) => word[0]).join(''),
  forms: [...distinct].map((word): WordForm => {
    const at = words.indexOf(word)
    return {
      word,
      plain: word.replace(/[^\p{L}\p{N}]/gu, ''),
      before: words[at - 1],
      behind: words[at + 1],
      atoms: word.match(/\d+(?:\.\d+)?|\p{L}+/gu) ?? [],
      hasDigit: /\d/.test(word),
      isNumber: /^[\d.]+$/.test(word),
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
  if (a.hasDigit || b.hasDigit) return a.isNumber && b.isNumber && Number(a.word) === Number(b.word)
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
