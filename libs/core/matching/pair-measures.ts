import { foldText } from '@catalog/core/text.ts'

/**
 * Measures how alike two texts of products are: shared words by rarity, spelling, codes, numbers, order. Each measure
 * is one number that the trees of gradient-boosting.ts weigh; NaN where a text gives nothing to measure.
 */

export type PairText = Readonly<{
  /** Folded, with repeats: "CAT-5e 10 .0" gives "cat-5e", "10.0". */
  words: readonly string[]
  distinct: ReadonlySet<string>
  /** Words that identify rather than describe, letters and digits only: "cat5e", "79027". */
  codes: ReadonlySet<string>
  /** Runs of letters and numbers: "standard17" gives "standard", "17". */
  atoms: readonly string[]
  /** Its letters and digits alone. */
  squeezed: string
  /** Every three letters as one number, ascending and with repeats: a tenth of the memory of a map of texts. */
  trigrams: Float64Array
  trigramLength: number
}>

/** Rarity of a word: 0 when every text has it. */
export type Rarity = (word: string) => number
/** Takes one measure by name. Every pair gives the same names in the same order. */
export type Put = (name: string, value: number) => void

export function readPairText(text: string): PairText {
  const folded = foldText(text)
  // Tokenized corpora split "10.0" into "10 .0".
  const words = folded.replace(/(?<=\d) (?=\.\d)/g, '').match(WORD) ?? []
  const trigrams = trigramsOf(words.join(' '))
  return {
    words,
    distinct: new Set(words),
    codes: new Set(words.map(squeezed).filter(isCode)),
    atoms: words.flatMap((word) => word.match(ATOM) ?? []),
    squeezed: squeezed(folded),
    trigrams,
    trigramLength: Math.sqrt(trigramProduct(trigrams, trigrams)),
  }
}
const WORD = /[\p{L}\p{N}]+(?:[-./][\p{L}\p{N}]+)*/gu
const ATOM = /\d+(?:\.\d+)?|\p{L}+/gu

function squeezed(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

function isCode(word: string): boolean {
  return /^\d{5,}$/.test(word) || (word.length >= 4 && /\d/.test(word) && /\p{L}/u.test(word))
}

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

/** Measures shared words with and without rarity, and the rarest words of only one side. */
export function putWords(put: Put, a: PairText, b: PairText, rarity: Rarity): void {
  const sums = { shared: 0, a: 0, b: 0, onlyA: 0, onlyB: 0, rarestA: 0, rarestB: 0, rarestShared: 0 }
  for (const word of a.distinct) {
    const weight = rarity(word)
    sums.a += weight ** 2
    if (b.distinct.has(word)) {
      sums.shared += weight ** 2
      sums.rarestShared = Math.max(sums.rarestShared, weight)
    } else {
      sums.onlyA += weight
      sums.rarestA = Math.max(sums.rarestA, weight)
    }
  }
  for (const word of b.distinct) {
    const weight = rarity(word)
    sums.b += weight ** 2
    if (!a.distinct.has(word)) {
      sums.onlyB += weight
      sums.rarestB = Math.max(sums.rarestB, weight)
    }
  }
  put('cosine', ratio(sums.shared, Math.sqrt(sums.a * sums.b)))
  put('of a', ratio(sums.shared, sums.a))
  put('of b', ratio(sums.shared, sums.b))
  put('of smaller', ratio(sums.shared, Math.min(sums.a, sums.b)))
  put('rarest only a', sums.rarestA)
  put('rarest only b', sums.rarestB)
  put('rarest shared', sums.rarestShared)
  put('only a', sums.onlyA)
  put('only b', sums.onlyB)
  put('jaccard', jaccard(a.distinct, b.distinct))
  put('containment', containment(a.distinct, b.distinct))
  put('trigrams', trigramCosine(a, b))
}

export function trigramCosine(a: PairText, b: PairText): number {
  if (a.words.length === 0 || b.words.length === 0) return Number.NaN
  return trigramProduct(a.trigrams, b.trigrams) / (a.trigramLength * b.trigramLength)
}

/** Share of `a` inside the other text, by rarity; longer words also count inside compounds. */
export function shareInside(a: PairText, b: PairText, rarity: Rarity): number {
  let [inside, all] = [0, 0]
  for (const word of a.distinct) {
    const weight = rarity(word)
    all += weight
    if (b.distinct.has(word) || (word.length >= 3 && b.squeezed.includes(squeezed(word)))) inside += weight
  }
  return ratio(inside, all)
}

export function jaccard(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  const shared = a.intersection(b).size
  return ratio(shared, a.size + b.size - shared)
}

function containment(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  return ratio(a.intersection(b).size, Math.min(a.size, b.size))
}

export function ratio(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole
}

// Codes ---------------------------------------------------------------------------------------------------------------

export function putCodes(put: Put, a: PairText, b: PairText): void {
  put('jaccard', jaccard(a.codes, b.codes))
  put('containment', containment(a.codes, b.codes))
  let [best, prefix, edits] = [Number.NaN, Number.NaN, Number.NaN]
  for (const one of a.codes) {
    for (const other of b.codes) {
      const isInside = one.includes(other) || other.includes(one)
      best = atLeast(best, one === other ? 1 : isInside ? CODE_INSIDE : 0)
      prefix = atLeast(prefix, commonPrefix(one, other) / Math.max(one.length, other.length))
      edits = atLeast(edits, editLikeness(one, other))
    }
  }
  put('best', best)
  put('prefix', prefix)
  put('edits', edits)
  const isInText =
    [...a.codes].some((code) => b.squeezed.includes(code)) || [...b.codes].some((code) => a.squeezed.includes(code))
  put('in text', a.codes.size + b.codes.size === 0 ? Number.NaN : Number(isInText))
  put('count a', a.codes.size)
  put('count b', b.codes.size)
}
/** Weight of a code inside a longer one: often the same code without a suffix. */
const CODE_INSIDE = 0.8

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
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return 1 - (row[b.length] as number) / Math.max(a.length, b.length, 1)
}
