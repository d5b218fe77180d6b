import { type AttributesByRole, agree, valuesOf } from '@catalog/core/attributes/attribute-differences.ts'
import { isPlainSize } from '@catalog/core/attributes/attributes-of.ts'
import { keptPer } from '@catalog/core/memo.ts'
import { toText } from '@catalog/core/money/rational.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { isNominallyEqual, type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { RivalModel } from './assignment.ts'
import { contradictionBesidesUnit } from './contradictions.ts'
import { scoreTrees, type TreeModel } from './gradient-boosting.ts'
import { attributesByRole, type MatchText } from './match.ts'
import {
  jaccard,
  type PairText,
  type Put,
  putCodes,
  putWords,
  type Rarity,
  readPairText,
  shareInside,
  trigramCosine,
} from './pair-measures.ts'
import { putNumbers, putOrder, putUnexplainedOf, unexplainedBy } from './variant-measures.ts'

/**
 * Estimates how likely two SKUs of two vendors are one product. The gates of {@link canBeOneProduct} refuse impossible pairs
 * first. The price takes no part: it would choose the votes of its own median.
 */

/** Semantic similarity of two names, beyond their words. The scorer also works without it. */
export type Meaning = Readonly<{
  /** Cosine of the embeddings of the names. */
  cosine?: number | undefined
  /** Concepts of the lexicon that each name holds. */
  concepts?: readonly [ReadonlySet<string>, ReadonlySet<string>] | undefined
}>

/** The learned scorer, kept as JSON. */
export type SkuPairModel = Readonly<{
  version: 'sku-pair/1'
  /** Fingerprint of the embedder behind the training cosines; those of another embedder mean something else. */
  vectors: string
  /** Names of the features in order; a model with other features is refused. */
  features: readonly string[]
  trees: TreeModel
  words: WordTable
  /** The second pass: each pair among its rivals. */
  among: RivalModel
  /** Chance of the second pass from which a pair joins automatically. */
  automaticMin: number
  /** Chance of the second pass from which a person reviews a pair. */
  reviewMin: number
}>

/** Learned values of single words. */
export type WordTable = Readonly<{
  /** Rarity among names; unlisted words have the rarity `rarest`. */
  rarity: Readonly<Record<string, number>>
  rarest: number
  /** Log-odds of "one product" when only one of two names has the word: below 0 against, above 0 for. */
  verdict: Readonly<Record<string, number>>
}>

/** Chance in (0, 1) that the two are one product, for either order. Throws when the model has other features. */
export function scorePair(model: SkuPairModel, a: MatchText, b: MatchText, meaning: Meaning = {}): number {
  const { names, row } = skuPairFeatures(a, b, { ...wordsIn(model.words), meaning })
  if (!MODELS_CHECKED.has(model)) {
    if (names.join() !== model.features.join()) {
      throw new Error(`model of ${model.features.length} features: expected ${names.length}, ${names.join(', ')}`)
    }
    MODELS_CHECKED.add(model)
  }
  return scoreTrees(model.trees, row)
}
const MODELS_CHECKED = new WeakSet<SkuPairModel>()

/** Learned log-odds of one word; 0 for an unknown word. */
export type WordWeight = (word: string) => number

export function wordsIn(table: WordTable): { rarity: Rarity; verdict: WordWeight } {
  const kept = WORDS.get(table)
  if (kept) return kept
  // "constructor" may be a word, so inherited properties must not count.
  const [rarities, verdicts] = [new Map(Object.entries(table.rarity)), new Map(Object.entries(table.verdict))]
  const words = {
    rarity: (word: string) => rarities.get(word) ?? table.rarest,
    verdict: (word: string) => verdicts.get(word) ?? 0,
  }
  WORDS.set(table, words)
  return words
}
const WORDS = new WeakMap<WordTable, { rarity: Rarity; verdict: WordWeight }>()

// Gates ---------------------------------------------------------------------------------------------------------------

/** Whether two SKUs can be one product at all: nothing that they state contradicts, and {@link areSoldAlike}. Symmetric. */
export function canBeOneProduct(a: MatchText, b: MatchText): boolean {
  return areSoldAlike(a, b) && contradictionBesidesUnit(a, b) === null
}

/**
 * Whether two SKUs can be one sold thing. It refuses two measures of other dimensions (kg and m²), a bare measure and a
 * piece or pack (a metre and a drum of 100 m), and other contents (25 kg and 40 kg, or 25 l). Kinds of pieces do not
 * matter: one vendor sells by the bag or sheet, the next by the unit. Symmetric.
 */
export function areSoldAlike(a: MatchText, b: MatchText): boolean {
  const [one, other] = [soldAs(a), soldAs(b)]
  if (one.measure !== other.measure && one.isKnown && other.isKnown) return false
  if (one.sold !== null && other.sold !== null && one.sold !== other.sold) return false
  return one.holds.entries().every(([dimension, values]) => {
    const others = other.holds.get(dimension)
    return others === undefined || agree(dimension, values, others)
  })
}

type SoldAs = Readonly<{
  /** False for a missing or unknown unit. */
  isKnown: boolean
  /** Dimension of a bare measure, null for pieces and packs. */
  measure: string | null
  /** Dimension of the sold quantity, a measure or the contents of a pack; null for pieces of unknown contents. */
  sold: string | null
  /** Contents of one piece in base units by dimension, from its pack and its name. */
  holds: ReadonlyMap<string, ReadonlySet<string>>
}>

const soldAs = keptPer((sku: MatchText): SoldAs => {
  const unit = sku.unit === null ? null : parseUnit(sku.unit, sku)
  const isPiece = unit === null || unit.dimension === 'count' || unit.dimension.startsWith('count:')
  const sold = soldUnit(sku)
  const holds = new Map<string, ReadonlySet<string>>(
    attributesByRole(sku)
      .entries()
      .filter(([role]) => CONTENTS.has(role))
      .map(([role, attributes]) => [role, valuesOf(attributes)] as const),
  )
  if (isPiece && sold.quantity && sold.dimension && CONTENTS.has(sold.dimension)) {
    const content = toText(sold.quantity)
    holds.set(sold.dimension, new Set([...(holds.get(sold.dimension) ?? []), content]))
  }
  const isCounted = sold.dimension === null || sold.dimension === 'count' || sold.dimension.startsWith('count:')
  return {
    isKnown: unit !== null,
    measure: isPiece ? null : (unit?.dimension ?? null),
    sold: isCounted ? null : sold.dimension,
    holds,
  }
})
/** Lengths and areas in a name are sizes of the product, which the gates on names compare. */
const CONTENTS: ReadonlySet<string> = new Set(['mass', 'volume'])

// Features ------------------------------------------------------------------------------------------------------------

type SkuTexts = Readonly<{ name: PairText; category: PairText; ref: string; sizes: readonly Size[] }>
const textsOf = keptPer(
  (sku: MatchText): SkuTexts => ({
    name: readPairText(sku.name),
    category: readPairText((sku.categoryPath ?? []).join(' ')),
    ref: readPairText(sku.manufacturerRef ?? '').squeezed,
    sizes: sizesOf(sku.name, sku.lang),
  }),
)

/** The features of a pair with their names, equal for either order. NaN where a side gives no value. */
export function skuPairFeatures(
  a: MatchText,
  b: MatchText,
  { rarity, verdict, meaning }: { rarity: Rarity; verdict: WordWeight; meaning: Meaning },
): { names: string[]; row: number[] } {
  const names: string[] = []
  const row: number[] = []
  const put: Put = (name, value) => {
    names.push(name)
    row.push(value)
  }
  const [one, other] = [textsOf(a), textsOf(b)]
  const families: readonly (readonly [string, (put: Put, x: PairText, y: PairText) => void])[] = [
    ['words', (to, x, y) => putWords(to, x, y, rarity)],
    ['codes', putCodes],
    ['numbers', putNumbers],
    ['order', (to, x, y) => putOrder(to, x, y, rarity)],
    ['unexplained', (to, x, y) => putUnexplainedOf(to, x, { side: 'a', by: y, rarity })],
    ['held', (to, x, y) => to('of a', shareInside(x, y, rarity))],
    ['length', (to, x) => to('of a', x.words.length)],
  ]
  for (const [family, measure] of families) {
    putBothWays(put, family, (to, isSwapped) =>
      measure(to, isSwapped ? other.name : one.name, isSwapped ? one.name : other.name),
    )
  }
  const [onlyA, onlyB] = unexplainedWords(a, b)
  const verdicts = [...onlyA, ...onlyB].map(verdict)
  put('verdicts: lowest', Math.min(0, ...verdicts))
  put('verdicts: highest', Math.max(0, ...verdicts))
  put(
    'verdicts: sum',
    verdicts.reduce((sum, each) => sum + each, 0),
  )
  const short = [onlyA, onlyB].map((words) => words.filter((word) => word.length <= GRADE_LENGTH_MAX).length)
  put('grades: left, smaller', Math.min(...short))
  put('grades: left, larger', Math.max(...short))
  putAttributes(put, a, b)
  putSizes(put, a, b)
  const isRefMissing = one.ref === '' || other.ref === ''
  put('reference: equal', isRefMissing ? Number.NaN : Number(one.ref === other.ref))
  put('reference: in name', refInName(one.ref, other.name, other.ref, one.name))
  put('gtin: equal', a.gtin && b.gtin ? Number(a.gtin === b.gtin) : Number.NaN)
  put('category: trigrams', trigramCosine(one.category, other.category))
  put('language: equal', a.lang && b.lang ? Number(a.lang === b.lang) : Number.NaN)
  put('meaning: cosine', meaning.cosine ?? Number.NaN)
  put('meaning: concepts', meaning.concepts ? jaccard(...meaning.concepts) : Number.NaN)
  return { names, row }
}

/** Shorter words are grades and types: "L", "II", "H1". */
const GRADE_LENGTH_MAX = 3

/** The words of each name that the other does not explain in any form. */
export function unexplainedWords(a: MatchText, b: MatchText): readonly [readonly string[], readonly string[]] {
  const [one, other] = [textsOf(a).name, textsOf(b).name]
  return [unexplainedBy(other, one), unexplainedBy(one, other)]
}

/**
 * Measures in both directions. One-sided measures ("only a") give the smaller and the larger value, others the larger,
 * so the result does not depend on the order of the two. When one side has no number, the other side's counts.
 */
function putBothWays(put: Put, family: string, measure: (put: Put, isSwapped: boolean) => void): void {
  const swapped: number[] = []
  measure((_, value) => swapped.push(value), true)
  const layout = LAYOUTS.get(family) ?? layoutOf(family, measure)
  let at = 0
  measure((_, value) => {
    const { smaller, larger } = layout[at] as MeasureNames
    const other = swapped[at++] as number
    if (larger === null) return
    const isLeast = Number.isNaN(other) || value < other
    if (smaller !== null) put(smaller, Number.isNaN(value) || !isLeast ? other : value)
    put(larger, Number.isNaN(value) || (isLeast && !Number.isNaN(other)) ? other : value)
  }, false)
}

/** Names of the features of one measure; no `smaller` without sides, neither for the second side. */
type MeasureNames = Readonly<{ smaller: string | null; larger: string | null }>
/** Every pair gives the same measures in the same order, so their names are made once. */
const LAYOUTS = new Map<string, readonly MeasureNames[]>()

function layoutOf(family: string, measure: (put: Put, isSwapped: boolean) => void): readonly MeasureNames[] {
  const layout: MeasureNames[] = []
  measure((name) => {
    const plain = `${family}: ${name}`
    const side = plain.slice(0, -2)
    if (name.endsWith(' b')) layout.push({ smaller: null, larger: null })
    else if (name.endsWith(' a')) layout.push({ smaller: `${side}, smaller`, larger: `${side}, larger` })
    else layout.push({ smaller: null, larger: plain })
  }, false)
  LAYOUTS.set(family, layout)
  return layout
}

function putAttributes(put: Put, a: MatchText, b: MatchText): void {
  const [one, other] = [attributesByRole(a), attributesByRole(b)]
  let [equal, partly, differing, typed] = [0, 0, 0, 0]
  for (const [role, attributes] of one) {
    const found = other.get(role)
    if (found === undefined) continue
    const [values, others] = [valuesOf(attributes), valuesOf(found)]
    if (!isPlain(role)) typed += 1
    if (values.symmetricDifference(others).size === 0) equal += 1
    else if (values.isDisjointFrom(others)) differing += 1
    else partly += 1
  }
  const shared = equal + partly + differing
  put('attributes: equal', equal)
  put('attributes: partly equal', partly)
  put('attributes: differing', differing)
  put('attributes: unanswered, smaller', Math.min(one.size, other.size) - shared)
  put('attributes: unanswered, larger', Math.max(one.size, other.size) - shared)
  const typedOf = (roles: AttributesByRole) => [...roles.keys()].filter((role) => !isPlain(role)).length
  const left = [typedOf(one) - typed, typedOf(other) - typed]
  put('typed: agreeing', typed)
  put('typed: unanswered, smaller', Math.min(...left))
  put('typed: unanswered, larger', Math.max(...left))
  for (const role of WEIGHTY) put(`typed: one-sided ${role}`, Number(one.has(role) !== other.has(role)))
}

/** Sizes and designations that no vocabulary names. */
function isPlain(role: string): boolean {
  return isPlainSize(role) || role.startsWith('type ')
}
/** Roles that change the price when only one side says them: white cement, a wood, a coating. */
const WEIGHTY = ['colour', 'wood', 'coating', 'finish', 'type', 'class'] as const

/** Compares sizes and numbers nominally: 1/2 in at one vendor may be 12.5 mm or 13 mm at another. */
function putSizes(put: Put, a: MatchText, b: MatchText): void {
  const [one, other] = [textsOf(a).sizes, textsOf(b).sizes]
  const answered = one.filter((size) => other.some((candidate) => isNominallyEqual(size, candidate))).length
  const answeredBack = other.filter((size) => one.some((candidate) => isNominallyEqual(size, candidate))).length
  const shares = [answered / one.length, answeredBack / other.length].filter((share) => !Number.isNaN(share))
  put('sizes: answered, smaller', shares.length === 2 ? Math.min(...shares) : Number.NaN)
  put('sizes: answered, larger', shares.length === 2 ? Math.max(...shares) : Number.NaN)
  const left = [one.length - answered, other.length - answeredBack]
  put('sizes: left, smaller', Math.min(...left))
  put('sizes: left, larger', Math.max(...left))
  const [soldA, soldB] = [soldAs(a), soldAs(b)]
  put('sold: by measure', soldA.isKnown && soldB.isKnown ? Number(soldA.measure !== null) : Number.NaN)
  const [inA, inB] = [new Set(contentsOf(soldA)), new Set(contentsOf(soldB))]
  put('sold: contents', jaccard(inA, inB))
  put('sold: contents left', inA.symmetricDifference(inB).size)
}

function contentsOf({ holds }: SoldAs): string[] {
  return [...holds].flatMap(([dimension, values]) => [...values].map((value) => `${dimension} ${value}`))
}

/** Shorter references occur in names by chance. */
const REF_LENGTH_MIN = 4

function refInName(refA: string, nameB: PairText, refB: string, nameA: PairText): number {
  const answers = [
    [refA, nameB],
    [refB, nameA],
  ] as const
  const asked = answers.filter(([ref]) => ref.length >= REF_LENGTH_MIN)
  return asked.length === 0 ? Number.NaN : Number(asked.some(([ref, name]) => name.squeezed.includes(ref)))
}
