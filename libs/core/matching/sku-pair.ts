import { type AttributesByRole, agree, valuesOf } from '@catalog/core/attributes/attribute-differences.ts'
import { isPlainSize, isVariant } from '@catalog/core/attributes/attributes-of.ts'
import { keptPer, once } from '@catalog/core/memo.ts'
import { toText } from '@catalog/core/money/rational.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { isNominallyEqual, type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { RivalModel } from './assignment.ts'
import { contradictionBesidesUnit } from './contradictions.ts'
import { scoreTrees, type TreeModel } from './gradient-boosting.ts'
import { attributesByRole, type MatchText } from './match.ts'
import {
  countShared,
  jaccard,
  overlapOf,
  type PairText,
  type Put,
  putCodes,
  putWords,
  type Rarity,
  readPairText,
  shareInside,
  trigramCosine,
} from './pair-measures.ts'
import { putNumbers, putOrder, unexplainedBy, unexplainedIn } from './variant-measures.ts'

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
  /** Fingerprints of all else that it learned from, by name: research/matching/model-inputs.ts. */
  inputs: Readonly<Record<string, string>>
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
  return scoreTrees(model.trees, measurePair(a, b, wordsOf(model), meaning))
}

/** The words of a model whose features are those of today. */
const wordsOf = keptPer((model: SkuPairModel): LearnedWords => {
  const names = SKU_PAIR_FEATURES()
  if (names.join() !== model.features.join()) {
    throw new Error(`model of ${model.features.length} features: expected ${names.length}, ${names.join(', ')}`)
  }
  return wordsIn(model.words)
})

/** Learned log-odds of one word; 0 for an unknown word. */
export type WordWeight = (word: string) => number

export type LearnedWords = Readonly<{ rarity: Rarity; verdict: WordWeight }>

export const wordsIn = keptPer((table: WordTable): LearnedWords => {
  // "constructor" may be a word, so inherited properties must not count.
  const [rarities, verdicts] = [new Map(Object.entries(table.rarity)), new Map(Object.entries(table.verdict))]
  return {
    rarity: (word) => rarities.get(word) ?? table.rarest,
    verdict: (word) => verdicts.get(word) ?? 0,
  }
})

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
  /** The same as texts. */
  contents: ReadonlySet<string>
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
    contents: new Set([...holds].flatMap(([dimension, values]) => [...values].map((value) => `${dimension} ${value}`))),
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
  { meaning, ...words }: LearnedWords & { meaning: Meaning },
): { names: readonly string[]; row: readonly number[] } {
  return { names: SKU_PAIR_FEATURES(), row: measurePair(a, b, words, meaning) }
}

/** Every pair gives the same measures in the same order, so their names are made once. */
const SKU_PAIR_FEATURES = once((): readonly string[] => {
  const [names, nothing] = [new FeatureNames(), { name: '', unit: null }]
  putPair(names, [nothing, nothing], { rarity: () => 0, verdict: () => 0 }, {})
  return names.names
})

function measurePair(a: MatchText, b: MatchText, words: LearnedWords, meaning: Meaning): readonly number[] {
  const row = new FeatureRow()
  putPair(row, [a, b], words, meaning)
  return row.row
}

type Features = Put & { family: string }

class FeatureNames implements Features {
  family = ''
  readonly names: string[] = []
  one(name: string) {
    this.names.push(`${this.family}: ${name}`)
  }
  sides(name: string) {
    this.names.push(`${this.family}: ${name}, smaller`, `${this.family}: ${name}, larger`)
  }
  ordered(name: string) {
    this.one(name)
  }
}

/** Sides give the smaller and the larger value, so the order of the two does not matter. */
class FeatureRow implements Features {
  family = ''
  readonly row: number[] = []
  one(_name: string, value: number) {
    this.row.push(value)
  }
  /** When one side has no number, the other side's counts. */
  sides(_name: string, a: number, b: number) {
    const [one, other] = [Number.isNaN(a) ? b : a, Number.isNaN(b) ? a : b]
    this.row.push(Math.min(one, other), Math.max(one, other))
  }
  ordered(_name: string, value: number, swapped: number) {
    this.row.push(Math.max(value, swapped))
  }
}

function putPair(
  put: Features,
  [a, b]: readonly [MatchText, MatchText],
  { rarity, verdict }: LearnedWords,
  meaning: Meaning,
): void {
  const [one, other] = [textsOf(a), textsOf(b)]
  const [nameA, nameB] = [one.name, other.name]
  const overlap = overlapOf(nameA, nameB, rarity)
  put.family = 'words'
  putWords(put, nameA, nameB, rarity, overlap)
  put.family = 'codes'
  putCodes(put, nameA, nameB)
  put.family = 'numbers'
  putNumbers(put, nameA, nameB)
  put.family = 'order'
  putOrder(put, nameA, nameB, rarity, overlap)
  const left = unexplainedIn(nameA, nameB, rarity, overlap.a.only)
  const right = unexplainedIn(nameB, nameA, rarity, overlap.b.only)
  put.family = 'unexplained'
  put.sides('count', left.count, right.count)
  put.sides('rarest', left.rarest, right.rarest)
  put.sides('share', left.share, right.share)
  put.sides('rarest word', left.rarestWord, right.rarestWord)
  put.sides('numbers', left.numbers, right.numbers)
  put.family = 'held'
  put.sides('of', shareInside(nameA, nameB, rarity, overlap.a), shareInside(nameB, nameA, rarity, overlap.b))
  put.family = 'length'
  put.sides('of', nameA.words.length, nameB.words.length)
  putVerdicts(put, [...left.words, ...right.words].map(verdict))
  put.family = 'grades'
  put.sides('left', countGrades(left.words), countGrades(right.words))
  putAttributes(put, a, b)
  putSizes(put, a, b)
  put.family = 'reference'
  const isRefMissing = one.ref === '' || other.ref === ''
  put.one('equal', isRefMissing ? Number.NaN : Number(one.ref === other.ref))
  put.one('in name', refInName(one.ref, other.name, other.ref, one.name))
  put.family = 'gtin'
  put.one('equal', a.gtin && b.gtin ? Number(a.gtin === b.gtin) : Number.NaN)
  put.family = 'category'
  put.one('trigrams', trigramCosine(one.category, other.category))
  put.family = 'language'
  put.one('equal', a.lang && b.lang ? Number(a.lang === b.lang) : Number.NaN)
  put.family = 'meaning'
  put.one('cosine', meaning.cosine ?? Number.NaN)
  put.one('concepts', meaning.concepts ? jaccard(...meaning.concepts) : Number.NaN)
  const [conceptsA, conceptsB] = meaning.concepts ?? []
  put.sides('concepts left', countLeft(conceptsA, conceptsB), countLeft(conceptsB, conceptsA))
}

const countLeft = (concepts?: ReadonlySet<string>, others?: ReadonlySet<string>) =>
  concepts && others ? concepts.size - countShared(concepts, others) : Number.NaN

function putVerdicts(put: Features, verdicts: readonly number[]): void {
  put.family = 'verdicts'
  put.one('lowest', Math.min(0, ...verdicts))
  put.one('highest', Math.max(0, ...verdicts))
  put.one(
    'sum',
    verdicts.reduce((sum, each) => sum + each, 0),
  )
}

const countGrades = (words: readonly string[]) =>
  words.reduce((count, word) => count + Number(word.length <= GRADE_LENGTH_MAX), 0)
/** Shorter words are grades and types: "L", "II", "H1". */
const GRADE_LENGTH_MAX = 3

/** The words of each name that the other does not explain in any form. */
export function unexplainedWords(a: MatchText, b: MatchText): readonly [readonly string[], readonly string[]] {
  const [one, other] = [textsOf(a).name, textsOf(b).name]
  return [unexplainedBy(other, one), unexplainedBy(one, other)]
}

function putAttributes(put: Features, a: MatchText, b: MatchText): void {
  const [one, other] = [countedRoles(attributesByRole(a)), countedRoles(attributesByRole(b))]
  let [equal, partly, differing, typed] = [0, 0, 0, 0]
  for (const [role, attributes] of one) {
    const found = other.get(role)
    if (found === undefined) continue
    const [values, others] = [valuesOf(attributes), valuesOf(found)]
    const shared = countShared(values, others)
    if (!isPlain(role)) typed += 1
    if (shared === values.size && shared === others.size) equal += 1
    else if (shared === 0) differing += 1
    else partly += 1
  }
  const shared = equal + partly + differing
  put.family = 'attributes'
  put.one('equal', equal)
  put.one('partly equal', partly)
  put.one('differing', differing)
  put.sides('unanswered', one.size - shared, other.size - shared)
  put.family = 'typed'
  put.one('agreeing', typed)
  put.sides('unanswered', typedCount(one) - typed, typedCount(other) - typed)
  for (const [role, name] of WEIGHTY) put.one(name, Number(one.has(role) !== other.has(role)))
}

/** The gates ask the roles of variants, and one name alone says them too often to mean anything. */
const countedRoles = keptPer(
  (roles: AttributesByRole): AttributesByRole => new Map([...roles].filter(([role]) => !isVariant(role))),
)

const typedCount = keptPer((roles: AttributesByRole) => [...roles.keys()].filter((role) => !isPlain(role)).length)

/** Sizes and designations that no vocabulary names. */
function isPlain(role: string): boolean {
  return isPlainSize(role) || role.startsWith('type ')
}
/** Roles that change the price when only one side says them: white cement, a wood, a coating. */
const WEIGHTY = ['colour', 'wood', 'coating', 'finish', 'type', 'class'].map(
  (role) => [role, `one-sided ${role}`] as const,
)

/** Compares sizes and numbers nominally: 1/2 in at one vendor may be 12.5 mm or 13 mm at another. */
function putSizes(put: Features, a: MatchText, b: MatchText): void {
  const [one, other] = [textsOf(a).sizes, textsOf(b).sizes]
  const [answered, answeredBack] = [countNear(one, other), countNear(other, one)]
  const areStated = one.length > 0 && other.length > 0
  put.family = 'sizes'
  put.sides(
    'answered',
    areStated ? answered / one.length : Number.NaN,
    areStated ? answeredBack / other.length : Number.NaN,
  )
  put.sides('left', one.length - answered, other.length - answeredBack)
  const [soldA, soldB] = [soldAs(a), soldAs(b)]
  put.family = 'sold'
  put.one('by measure', soldA.isKnown && soldB.isKnown ? Number(soldA.measure !== null) : Number.NaN)
  put.one('contents', jaccard(soldA.contents, soldB.contents))
  const shared = countShared(soldA.contents, soldB.contents)
  put.one('contents left', soldA.contents.size + soldB.contents.size - 2 * shared)
}

const countNear = (sizes: readonly Size[], others: readonly Size[]) =>
  sizes.reduce((count, size) => count + Number(others.some((other) => isNominallyEqual(size, other))), 0)

/** Shorter references occur in names by chance. */
const REF_LENGTH_MIN = 4

function refInName(refA: string, nameB: PairText, refB: string, nameA: PairText): number {
  const [isAsked, isAskedBack] = [refA.length >= REF_LENGTH_MIN, refB.length >= REF_LENGTH_MIN]
  if (!isAsked && !isAskedBack) return Number.NaN
  return Number((isAsked && nameB.squeezed.includes(refA)) || (isAskedBack && nameA.squeezed.includes(refB)))
}
