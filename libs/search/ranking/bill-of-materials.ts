import {
  type AttributesByRole,
  agree,
  valuesOf as attributeValues,
} from '@catalog/core/attributes/attribute-differences.ts'
import { isPlainSize } from '@catalog/core/attributes/attributes-of.ts'
import { attributesByRole, type MatchSku } from '@catalog/core/matching/match.ts'
import { ONE, type Rational, toText } from '@catalog/core/money/rational.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { isNominallyEqual, type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { conversionFactor, isOfUnknownContents, type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'
import { valuesOf } from '@catalog/search/query/sizes.ts'
import { tokensOf } from '@catalog/search/query/text.ts'

/**
 * A line of a bill of materials. Search finds candidate items, and this module decides which one the line means, if
 * any. A missed match costs a look, but a wrong size costs money. So sizes, packs, designations and units are gates,
 * not scores.
 */
export type Line = Readonly<{
  /** As written: "10 sacos cemento CEM II 25 kg". */
  text: string
  /** Unit of the wanted quantity; null where the line has none. */
  unit: string | null
  /** The same in plain words, as search reads it; absent where no word is a short name. */
  thing?: string
}>

/** An item that search found for the line, with two terms of its score: see fuse.ts. */
export type LineCandidate = Readonly<{
  itemId: string
  /** What its vendors call it, the headline first; at least one. */
  names: readonly string[]
  unit: string | null
  score: number
  cos: number
  /** False where search found something like the line, and not the thing; absent counts as true. */
  isThing?: boolean
}>

export type LineEvidence = Readonly<{
  /** Share of the line's words in the name, in any language, 0 to 1. */
  words: number
  /** Cosine of line and name, 0 to 1; 0 without a vector match. */
  meaning: number
  /**
   * Whether the item has every size of the line: equal; unknown where it lacks one; none where the line has no size.
   */
  sizes: 'equal' | 'unknown' | 'none'
  /** Whether the item's unit measures the line's quantity. */
  unit: 'equal' | 'convertible' | 'unknown'
}>

export type LineMatch = Readonly<{
  itemId: string
  /** Confidence that the line means this item, 0 to 1: 1 - (1 - words) × (1 - meaning). */
  score: number
  /** Units of the item in one unit of the line; null where the units do not convert. */
  itemUnits: Rational | null
  evidence: LineEvidence
}>

/**
 * | status | item | why |
 * |---|---|---|
 * | matched | the best | it fits, and no other item fits as well, or the line is the name of this one alone |
 * | ambiguous | the best | several items fit alike, or it lacks a size of the line |
 * | unmatched | none | see reason |
 *
 * The reasons of an unmatched line: no item is near (nothing_near), or the near items differ in size (size_differs), in
 * grade, type, side or colour (designation_differs), or in the kind of unit (unit_differs).
 */
export type LineAnswer = Readonly<{
  status: 'matched' | 'ambiguous' | 'unmatched'
  reason: Refusal | 'nothing_near' | null
  best: LineMatch | null
  /** The other fitting items, best first; empty for an unmatched line. */
  alternatives: readonly LineMatch[]
}>
type Refusal = 'size_differs' | 'designation_differs' | 'unit_differs'

/** Decides between candidates, given best first. A cosine below `cosineMin` (see Embedder) counts as 0. */
export function decideLine(
  line: Line,
  { candidates, cosineMin }: { candidates: readonly LineCandidate[]; cosineMin: number },
): LineAnswer {
  const reading = readLine(line)
  const near = candidates
    .map((candidate) => judge(reading, candidate, cosineMin))
    .filter(({ score }) => score >= NEAR_MIN)
  const fitting = near.filter(({ refusal }) => refusal === null)
  const [first, ...rest] = [
    ...fitting.filter(({ isNamed }) => isNamed),
    // Rank items with every size of the line before items that lack one.
    ...fitting.filter(({ isNamed, evidence }) => !isNamed && evidence.sizes !== 'unknown'),
    ...fitting.filter(({ isNamed, evidence }) => !isNamed && evidence.sizes === 'unknown'),
  ]
  const [best, ...others] = [first, ...rest].flatMap((judged) => (judged ? [asMatch(judged)] : []))
  if (best === undefined) {
    return { status: 'unmatched', reason: near[0]?.refusal ?? 'nothing_near', best: null, alternatives: [] }
  }
  const isOpen = best.evidence.sizes === 'unknown' || best.evidence.unit === 'unknown'
  const isOnlyName = first?.isNamed === true && !rest.some(({ isNamed }) => isNamed)
  if (isOnlyName && !isOpen) return { status: 'matched', reason: null, best, alternatives: others }
  const scoreOf = new Map(candidates.map(({ itemId, score }) => [itemId, score]))
  const leads = (itemId: string) => (scoreOf.get(best.itemId) ?? 0) - (scoreOf.get(itemId) ?? 0) >= LEAD_MIN
  const rival = others.some(
    ({ itemId, score, evidence }) =>
      score > best.score - RIVAL_MARGIN && evidence.sizes === best.evidence.sizes && !leads(itemId),
  )
  const { isThing = true } = candidates.find(({ itemId }) => itemId === best.itemId) ?? {}
  const status = isOpen || rival || !isThing || best.score < SURE_MIN ? 'ambiguous' : 'matched'
  return { status, reason: null, best, alternatives: others }
}

function asMatch({ refusal: _refusal, isNamed: _isNamed, ...match }: ReturnType<typeof judge>): LineMatch {
  return match
}

/** Below, a candidate shares only a chance word with the line. */
const NEAR_MIN = 0.5
/** From here on the line identifies the item. */
const SURE_MIN = 0.7
/** A smaller difference of scores is no preference. */
const RIVAL_MARGIN = 0.1
/** From this difference of search scores on, the first is meant: by sizes, grades, words and spelling together. */
const LEAD_MIN = 0.25

type LineReading = Readonly<{
  attributes: AttributesByRole
  sizes: readonly Size[]
  words: ReadonlyMap<string, ReadonlySet<string>>
  /** The line as a name: see {@link nameKey}. */
  name: string
  unit: SoldUnit | null
}>

function readLine({ thing, ...line }: Line): LineReading {
  const { text, unit } = withoutCount(line)
  const plain = thing ?? text
  return {
    attributes: attributesByRole(asSku(plain, null)),
    sizes: sizesOf(plain),
    name: nameKey(text),
    words: new Map(wordsIn(plain).map((word) => [word, conceptsOf(word)])),
    unit: unit === null ? null : soldUnit({ unit: lineUnit(unit) }),
  }
}

/** Builders' spellings that the tables leave open, because vendors' prices need more care. */
function lineUnit(unit: string): string {
  if (LINEAR_METRE.test(unit)) return 'm'
  return TONNE.test(unit) ? 't' : unit
}
const TONNE = /^\s*(?:tons?|tonelada[s]?|tn|to)\.?\s*$/i
/** Nobody lists a quantity in millilitres: "ml" of a line is the linear metre of Spanish, French, German and others. */
const LINEAR_METRE = /^\s*m\.?\s?l\.?\s*$/i

/** "10 sacos cemento 25 kg" means ten bags: the 10 is no size of the cement. */
export function withoutCount({ text, unit }: Line): Line {
  const [whole, word = ''] =
    /^\s*\d+(?:[.,]\d+)?\s*(?:x\s*)?(\p{L}+)\.?\s+(?:(?:de|of|von|di|x)\s+)?(?=\p{L})/iu.exec(text) ?? []
  const counted = whole === undefined ? null : parseUnit(word)
  if (whole === undefined || !counted?.dimension.startsWith('count')) return { text, unit }
  return { text: text.slice(whole.length), unit: unit ?? word }
}

/** Equal for names of the same words and numbers in any order: "Azulejo 20x60 blanco" and "AZULEJO BLANCO 20 X 60". */
function nameKey(text: string): string {
  return tokensOf(text).sort().join(' ')
}

function judge(reading: LineReading, { itemId, names, unit, cos }: LineCandidate, cosineMin: number) {
  const words = Math.max(...names.map((name) => shareOf(reading.words, name)))
  const meaning = cos >= cosineMin ? Math.min(1, cos) : 0
  const sizes = compareSizes(reading.sizes, [...names.flatMap((name) => sizesOf(name)), ...sizesOf(unit ?? '')])
  const isNamed = names.some((name) => nameKey(name) === reading.name)
  const sold = soldUnit({ unit })
  const inUnit = unitFit(reading, sold)
  const refusal: Refusal | null =
    sizes === 'differ'
      ? 'size_differs'
      : !isNamed && !hasDesignations(reading.attributes, attributesOfNames(names, unit))
        ? 'designation_differs'
        : inUnit === 'differs'
          ? 'unit_differs'
          : null
  const evidence = { words, meaning, sizes, unit: inUnit } as LineEvidence
  const itemUnits =
    inUnit === 'equal' ? ONE : inUnit === 'convertible' && reading.unit ? conversionFactor(sold, reading.unit) : null
  return { itemId, score: 1 - (1 - words) * (1 - meaning), itemUnits, evidence, refusal, isNamed }
}

/**
 * Whether the item has the grades, types, sides and colours of the line, where its name tells them: "CEM II" also fits
 * "CEM II/B-L". Sizes are compared as sizes.
 */
function hasDesignations(wanted: AttributesByRole, told: AttributesByRole): boolean {
  return [...wanted].every(([role, attributes]) => {
    const others = isPlainSize(role) ? undefined : told.get(role)
    return others === undefined || agree(role, attributeValues(attributes), attributeValues(others))
  })
}

/** What all names together state. */
function attributesOfNames(names: readonly string[], unit: string | null): AttributesByRole {
  return Map.groupBy(
    names.flatMap((name) => [...attributesByRole(asSku(name, unit)).values()].flat()),
    ({ role }) => role,
  )
}

const asSku = (name: string, unit: string | null): MatchSku => ({ vendorSkuId: '', sourceId: '', name, unit })

/** The descriptive words of a text: letters only, without function words and units. */
function wordsIn(text: string): string[] {
  const words = tokensOf(text).filter((token) => /^\p{L}{3,}$/u.test(token) && parseUnit(token) === null)
  return [...new Set(words)]
}

/** Share of the words in the name, allowing other endings and synonyms. */
function shareOf(words: LineReading['words'], name: string): number {
  if (words.size === 0) return 0
  const nameWords = wordsIn(name)
  const named = conceptsOf(name)
  const found = [...words].filter(
    ([word, concepts]) => nameWords.some((other) => isSameWord(word, other)) || !named.isDisjointFrom(concepts),
  )
  return found.length / words.size
}

/** Equal except for an ending: "placa" and "placas", "Zement" and "Zemente". */
function isSameWord(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length)
  const stem = Math.max(STEM_LETTERS_MIN, length - ENDING_LETTERS_MAX)
  return (
    a === b ||
    (length >= stem && Math.abs(a.length - b.length) <= ENDING_LETTERS_MAX && a.slice(0, stem) === b.slice(0, stem))
  )
}
const STEM_LETTERS_MIN = 4
const ENDING_LETTERS_MAX = 2

/** Whether the item has every size of the line; "differ" where it has another size of the same kind. */
function compareSizes(wanted: readonly Size[], named: readonly Size[]): LineEvidence['sizes'] | 'differ' {
  if (wanted.length === 0) return 'none'
  // A size that the line names is no other size of its kind: "3/8 in, 12 m long" is no contradiction of "3/8 in".
  const others = named.filter((other) => !wanted.some((size) => isSame(size, other)))
  const parts = named.flatMap(valuesOf)
  let answer: LineEvidence['sizes'] = 'equal'
  for (const size of wanted) {
    if (named.some((other) => isSame(size, other))) continue
    // "13 mm" of a board of 1200x2500x13 mm.
    if (valuesOf(size).every((part) => parts.some((other) => isSame(part, other)))) continue
    if (others.some((other) => isSameKind(size, other))) return 'differ'
    answer = 'unknown'
  }
  return answer
}

/** Lengths compare nominally (1/2 in, 12.5 and 13 mm are one board), weights and counts exactly. */
function isSame(a: Size, b: Size): boolean {
  if (a.dimension === b.dimension && a.text === b.text) return true
  const isLength = [a, b].every(({ dimension }) => dimension === 'length' || dimension === 'number')
  const isBare = a.dimension === 'number' || b.dimension === 'number'
  if (isLength) return isNominallyEqual(a, b)
  return isBare && a.written.length === b.written.length && a.written.every((value, at) => value === b.written[at])
}

/** Sizes of several values match only sizes with as many values; a bare number may be anything. */
function isSameKind(wanted: Size, named: Size): boolean {
  if (wanted.dimension === 'number') return wanted.values.length > 1 && named.values.length === wanted.values.length
  return wanted.dimension === named.dimension && wanted.values.length === named.values.length
}

function unitFit({ unit, sizes }: LineReading, item: SoldUnit): LineEvidence['unit'] | 'differs' {
  if (unit === null || unit.key === item.key) return 'equal'
  const { dimension, quantity } = item
  if (conversionFactor(item, unit) !== null) return 'convertible'
  if (unit.dimension !== null && !isOfUnknownContents(unit)) {
    return dimension === null || isOfUnknownContents(item) ? 'unknown' : 'differs'
  }
  // A bag whose contents the line gives as 25 kg is an item of 25 kg.
  const isContent = (size: Size) => size.dimension === dimension && quantity !== null && size.text === toText(quantity)
  if (sizes.some(isContent)) return 'equal'
  // Three cartridges of what is sold by 300 ml, or by the piece, are three of it; what is sold by the kilogram says nothing
  // of a bag, and a piece nothing of a box of them.
  return isSingle(unit) && (isPack(item) || isSingle(item)) ? 'equal' : 'unknown'
}

/** One thing, or one container of something loose. */
function isSingle({ dimension, quantity }: SoldUnit): boolean {
  if (dimension === 'count') return quantity !== null && toText(quantity) === '1'
  return SINGLE.test(dimension ?? '')
}
const SINGLE = /^count:(?:bag|sheet|panel|bar|tube|roll|coil|bucket|can|cartridge|sausage|bottle|drum)$/
/** "25 kg" is what a container holds, "kg" is a measure. */
const isPack = ({ label }: SoldUnit) => label !== null && /^\d/.test(label)
