import { foldText } from '@catalog/core/text.ts'

/**
 * Measures how alike two texts of products are: shared words by rarity, spelling, codes, numbers, order. Each measure
 * is one number that the trees of gradient-boosting.ts weigh; NaN where a text gives nothing to measure.
 */

export class PairText {
  /** Folded, with repeats: "CAT-5e 10 .0" gives "cat-5e", "10.0". */
  readonly words: readonly string[]
  readonly distinct: ReadonlySet<string>
  /** Words that identify rather than describe, letters and digits only: "cat5e", "79027". */
  readonly codes: ReadonlySet<string>
  /** Runs of letters and numbers: "standard17" gives "standard", "17". */
  readonly atoms: readonly string[]
  /** Its letters and digits alone. */
  readonly squeezed: string
  /** Every three letters as one number, ascending and with repeats: a tenth of the memory of a map of texts. */
  readonly trigrams: Float64Array
  readonly trigramLength: number
  /** Numbers of the words in their order. */
  readonly numbers: Float64Array
  /** The distinct words by their numbers, ascending, and those numbers: two texts are compared by one walk over both. */
  readonly sorted: readonly string[]
  readonly sortedNumbers: Float64Array
  /** The letters and digits of each of these, and where it first stands in the text. */
  readonly plain: readonly string[]
  readonly places: readonly number[]
  /** Numbers of the distinct atoms and of the distinct neighbouring words, ascending. */
  readonly atomNumbers: Float64Array
  readonly neighbours: Float64Array
  #weighed: { rarity: Rarity; weights: Weights } | undefined

  constructor(text: string) {
    const folded = foldText(text)
    // Tokenized corpora split "10.0" into "10 .0".
    this.words = folded.replace(/(?<=\d) (?=\.\d)/g, '').match(WORD) ?? []
    this.distinct = new Set(this.words)
    this.codes = new Set(this.words.map(squeezed).filter(isCode))
    this.atoms = this.words.flatMap((word) => word.match(ATOM) ?? [])
    this.squeezed = squeezed(folded)
    this.trigrams = trigramsOf(this.words.join(' '))
    this.trigramLength = Math.sqrt(trigramProduct(this.trigrams, this.trigrams))
    this.numbers = Float64Array.from(this.words, numberOf)
    const numbered = [...this.distinct].map((word, place) => ({ word, place, number: numberOf(word) }))
    numbered.sort((a, b) => a.number - b.number)
    this.sorted = numbered.map(({ word }) => word)
    this.sortedNumbers = Float64Array.from(numbered, ({ number }) => number)
    this.plain = this.sorted.map(squeezed)
    this.places = numbered.map(({ place }) => place)
    this.atomNumbers = sortedNumbers(this.atoms)
    this.neighbours = sortedNumbers(this.words.slice(1).map((word, at) => `${this.words[at]} ${word}`))
  }

  /** The rarities of its words, made once for all its pairs. */
  weights(rarity: Rarity): Weights {
    if (this.#weighed?.rarity !== rarity) this.#weighed = { rarity, weights: weigh(this, rarity) }
    return this.#weighed.weights
  }
}
const WORD = /[\p{L}\p{N}]+(?:[-./][\p{L}\p{N}]+)*/gu
const ATOM = /\d+(?:\.\d+)?|\p{L}+/gu

/** Rarity of a word: 0 when every text has it. */
export type Rarity = (word: string) => number
/** Takes measures by name. Every pair gives the same names in the same order. */
export type Put = Readonly<{
  one: (name: string, value: number) => void
  /** A measure of each side. */
  sides: (name: string, a: number, b: number) => void
  /** A measure that depends on which text comes first: as given, and swapped. */
  ordered: (name: string, value: number, swapped: number) => void
}>

export const readPairText = (text: string) => new PairText(text)

function squeezed(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

function isCode(word: string): boolean {
  return /^\d{5,}$/.test(word) || (word.length >= 4 && /\d/.test(word) && /\p{L}/u.test(word))
}

/** The 53-bit hash cyrb53 (public domain). Of a million words, two share one by chance once in 18,000 catalogs. */
function numberOf(text: string): number {
  let [one, two] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 2654435761)
    two = Math.imul(two ^ unit, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return 2 ** 32 * (two & 0x1fffff) + (one >>> 0)
}

const sortedNumbers = (texts: readonly string[]) => Float64Array.from(new Set(texts), numberOf).sort()

function trigramsOf(text: string): Float64Array {
  const padded = ` ${text} `
  const trigrams = new Float64Array(Math.max(0, padded.length - 2))
  for (let at = 0; at < trigrams.length; at++) {
    const [one, two, three] = [padded.charCodeAt(at), padded.charCodeAt(at + 1), padded.charCodeAt(at + 2)]
    trigrams[at] = (one * CODE_UNITS + two) * CODE_UNITS + three
  }
  return trigrams.sort()
}
/** Values of a UTF-16 code unit. */
const CODE_UNITS = 0x10000

/** The sum, over the trigrams of both, of the product of their counts. */
function trigramProduct(a: Float64Array, b: Float64Array): number {
  let [product, atA, atB] = [0, 0, 0]
  while (atA < a.length && atB < b.length) {
    const [one, other] = [a[atA] as number, b[atB] as number]
    if (one !== other) {
      if (one < other) atA++
      else atB++
      continue
    }
    const [fromA, fromB] = [atA, atB]
    while (a[atA] === one) atA++
    while (b[atB] === one) atB++
    product += (atA - fromA) * (atB - fromB)
  }
  return product
}

// Words ---------------------------------------------------------------------------------------------------------------

/** Rarities of the words in their order, of the `sorted` words, and of these with the most weight on the first word. */
type Weights = Readonly<{
  words: Float64Array
  sorted: Float64Array
  heads: Float64Array
  sum: number
  squares: number
  headSum: number
}>

function weigh({ words, sorted }: PairText, rarity: Rarity): Weights {
  const ofWords = Float64Array.from(words, rarity)
  const places = new Map(sorted.map((word, at) => [word, at]))
  const heads = new Float64Array(sorted.length)
  for (const [at, word] of words.entries()) {
    const place = places.get(word) as number
    heads[place] = (heads[place] as number) + (ofWords[at] as number) / (1 + at)
  }
  const weights = Float64Array.from(sorted, rarity)
  return {
    words: ofWords,
    sorted: weights,
    heads,
    sum: sumOf(weights),
    squares: sumOf(weights.map((weight) => weight ** 2)),
    headSum: sumOf(heads),
  }
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)

/** What one text has beyond another: the places in `sorted` of its words that the other lacks, in the order of the text, and their rarities. */
type Side = Readonly<{ only: readonly number[]; sum: number; rarest: number; headShared: number }>
/** The words that two texts share, and what each has beyond. */
export type Overlap = Readonly<{ shared: number; squares: number; rarest: number; a: Side; b: Side }>

export function overlapOf(a: PairText, b: PairText, rarity: Rarity): Overlap {
  const [ofA, ofB] = [a.weights(rarity), b.weights(rarity)]
  const [onlyA, onlyB]: [number[], number[]] = [[], []]
  let [atA, atB, shared, squares, rarest, headA, headB] = [0, 0, 0, 0, 0, 0, 0]
  while (atA < a.sorted.length || atB < b.sorted.length) {
    const one = atA < a.sorted.length ? (a.sortedNumbers[atA] as number) : Number.POSITIVE_INFINITY
    const other = atB < b.sorted.length ? (b.sortedNumbers[atB] as number) : Number.POSITIVE_INFINITY
    if (one < other) onlyA.push(atA++)
    else if (other < one) onlyB.push(atB++)
    else {
      const weight = ofA.sorted[atA] as number
      shared += 1
      squares += weight ** 2
      if (weight > rarest) rarest = weight
      headA += ofA.heads[atA++] as number
      headB += ofB.heads[atB++] as number
    }
  }
  return { shared, squares, rarest, a: sideOf(a, ofA, onlyA, headA), b: sideOf(b, ofB, onlyB, headB) }
}

function sideOf({ places }: PairText, { sorted }: Weights, only: number[], headShared: number): Side {
  // Sums of decimals depend on their order, and cuts of the trees lie on such sums.
  only.sort((one, other) => (places[one] as number) - (places[other] as number))
  let [sum, rarest] = [0, 0]
  for (const at of only) {
    const weight = sorted[at] as number
    sum += weight
    if (weight > rarest) rarest = weight
  }
  return { only, sum, rarest, headShared }
}

/** Measures shared words with and without rarity, and the rarest words of only one side. */
export function putWords(put: Put, a: PairText, b: PairText, rarity: Rarity, overlap = overlapOf(a, b, rarity)): void {
  const { shared, squares } = overlap
  const [ofA, ofB] = [a.weights(rarity).squares, b.weights(rarity).squares]
  put.one('cosine', ratio(squares, Math.sqrt(ofA * ofB)))
  put.sides('of', ratio(squares, ofA), ratio(squares, ofB))
  put.one('of smaller', ratio(squares, Math.min(ofA, ofB)))
  put.sides('rarest only', overlap.a.rarest, overlap.b.rarest)
  put.one('rarest shared', overlap.rarest)
  put.sides('only', overlap.a.sum, overlap.b.sum)
  put.one('jaccard', ratio(shared, a.sorted.length + b.sorted.length - shared))
  put.one('containment', ratio(shared, Math.min(a.sorted.length, b.sorted.length)))
  put.one('trigrams', trigramCosine(a, b))
}

export function trigramCosine(a: PairText, b: PairText): number {
  if (a.words.length === 0 || b.words.length === 0) return Number.NaN
  return trigramProduct(a.trigrams, b.trigrams) / (a.trigramLength * b.trigramLength)
}

/** Share of a text inside the other one, by rarity; longer words also count inside compounds. */
export function shareInside(
  text: PairText,
  other: PairText,
  rarity: Rarity,
  { only } = overlapOf(text, other, rarity).a,
): number {
  const weights = text.weights(rarity)
  let outside = 0
  for (const at of only) {
    const isInside = (text.sorted[at] as string).length >= 3 && other.squeezed.includes(text.plain[at] as string)
    if (!isInside) outside += weights.sorted[at] as number
  }
  return ratio(weights.sum - outside, weights.sum)
}

/** Of two ascending lists without repeats. */
export function jaccardOfSorted(a: Float64Array, b: Float64Array): number {
  let [shared, atA, atB] = [0, 0, 0]
  while (atA < a.length && atB < b.length) {
    const [one, other] = [a[atA] as number, b[atB] as number]
    if (one === other) shared += 1
    if (one <= other) atA++
    if (other <= one) atB++
  }
  return ratio(shared, a.length + b.length - shared)
}

export function jaccard(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  const shared = countShared(a, b)
  return ratio(shared, a.size + b.size - shared)
}

/** The size of the intersection, which is not made. */
export function countShared(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  let shared = 0
  for (const each of a) if (b.has(each)) shared += 1
  return shared
}

export function ratio(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole
}

// Codes ---------------------------------------------------------------------------------------------------------------

export function putCodes(put: Put, a: PairText, b: PairText): void {
  const shared = countShared(a.codes, b.codes)
  put.one('jaccard', ratio(shared, a.codes.size + b.codes.size - shared))
  put.one('containment', ratio(shared, Math.min(a.codes.size, b.codes.size)))
  let [best, prefix, edits] = [Number.NaN, Number.NaN, Number.NaN]
  for (const one of a.codes) {
    for (const other of b.codes) {
      const isInside = one.includes(other) || other.includes(one)
      best = atLeast(best, one === other ? 1 : isInside ? CODE_INSIDE : 0)
      prefix = atLeast(prefix, commonPrefix(one, other) / Math.max(one.length, other.length))
      edits = atLeast(edits, editLikeness(one, other))
    }
  }
  put.one('best', best)
  put.one('prefix', prefix)
  put.one('edits', edits)
  const isInText = holdsAny(b, a.codes) || holdsAny(a, b.codes)
  put.one('in text', a.codes.size + b.codes.size === 0 ? Number.NaN : Number(isInText))
  put.sides('count', a.codes.size, b.codes.size)
}
/** Weight of a code inside a longer one: often the same code without a suffix. */
const CODE_INSIDE = 0.8

function holdsAny({ squeezed }: PairText, codes: ReadonlySet<string>): boolean {
  for (const code of codes) if (squeezed.includes(code)) return true
  return false
}

function atLeast(former: number, value: number): number {
  return Number.isNaN(former) ? value : Math.max(former, value)
}

function commonPrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** 1 − edit distance / length of the longer word: 1 for equal words. */
export function editLikeness(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1)
    let [diagonal, left] = [i - 1, i]
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] as number
      left = Math.min(diagonal + (letter === b.charCodeAt(j - 1) ? 0 : 1), above + 1, left + 1)
      diagonal = above
      row[j] = left
    }
    row[0] = i
  }
  return 1 - (row[b.length] as number) / Math.max(a.length, b.length, 1)
}
