import { type MatchSku, traitsOf } from '@catalog/core/matching/match.ts'
import { ONE, type Rational, toText } from '@catalog/core/money/rational.ts'
import { isNominallyEqual, type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { conversionFactor, isOfUnknownContents, parseUnit, type SoldUnit, soldUnit } from '@catalog/core/units/units.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'
import { tokensOf } from '@catalog/search/query/text.ts'

/**
 * Which item a line of somebody's list of materials means, if any: search finds candidates, this decides. A line that is
 * matched to nothing costs a look; one that is matched to another size costs money, so sizes, packs, designations and
 * units are gates and never a matter of degree.
 */
export type Line = Readonly<{
  /** As it was written: "10 sacos cemento CEM II 25 kg". */
  text: string
  /** Unit of the quantity that is wanted; null where the line does not say. */
  unit: string | null
}>

/** An item that search found for a line, with two terms of its score: see fuse.ts. */
export type LineCandidate = Readonly<{ itemId: string; name: string; unit: string | null; score: number; cos: number }>

export type LineEvidence = Readonly<{
  /** Share of the line's words that the name has, or names in another language, 0 to 1. */
  words: number
  /** Cosine of line and name, 0 to 1; 0 where it was not found by meaning. */
  meaning: number
  /** Whether the item says every size of the line: equal, or unknown where it says nothing of one; none in the line. */
  sizes: 'equal' | 'unknown' | 'none'
  /** Whether a quantity in the line's unit is one in the item's. */
  unit: 'equal' | 'convertible' | 'unknown'
}>

export type Judged = Readonly<{
  itemId: string
  /** How sure it is that the line means this item, 0 to 1: 1 - (1 - words) × (1 - meaning). */
  score: number
  /** Units of the item in one unit of the line; null where the units do not tell. */
  itemUnits: Rational | null
  evidence: LineEvidence
}>

/**
 * | status | item | why |
 * |---|---|---|
 * | matched | the one | it fits, and no other one fits as well |
 * | ambiguous | the first | several fit alike, or it does not say a size that the line says |
 * | unmatched | none | nothing is near (nothing_near), or what is near has another size (size_differs), another grade, type, side or colour (designation_differs), or is sold in another kind of unit (unit_differs) |
 */
export type LineAnswer = Readonly<{
  status: 'matched' | 'ambiguous' | 'unmatched'
  reason: Refusal | 'nothing_near' | null
  best: Judged | null
  /** What else fits, best first; of an unmatched line nothing does. */
  alternatives: readonly Judged[]
}>
type Refusal = 'size_differs' | 'designation_differs' | 'unit_differs'

/**
 * Decides by candidates, best first. `cosineMin` is the least cosine that says something for this line (see Embedder);
 * below, a cosine counts for nothing.
 */
export function decideLine(
  line: Line,
  { candidates, cosineMin }: { candidates: readonly LineCandidate[]; cosineMin: number },
): LineAnswer {
  const asked = readLine(line)
  const near = candidates
    .map((candidate) => judge(asked, candidate, cosineMin))
    .filter(({ score }) => score >= NEAR_MIN)
  const fitting = near.filter(({ refusal }) => refusal === null)
  const [best, ...others] = [
    // What says every size of the line goes before what leaves one open.
    ...fitting.filter(({ evidence }) => evidence.sizes !== 'unknown'),
    ...fitting.filter(({ evidence }) => evidence.sizes === 'unknown'),
  ].map(({ refusal: _none, ...judged }): Judged => judged)
  if (best === undefined) {
    return { status: 'unmatched', reason: near[0]?.refusal ?? 'nothing_near', best: null, alternatives: [] }
  }
  const isOpen = best.evidence.sizes === 'unknown' || best.evidence.unit === 'unknown'
  const rival = others.some(
    ({ score, evidence }) => score > best.score - RIVAL_MARGIN && evidence.sizes === best.evidence.sizes,
  )
  const status = isOpen || rival || best.score < SURE_MIN ? 'ambiguous' : 'matched'
  return { status, reason: null, best, alternatives: others }
}

/** Below, a candidate has a chance word in common with the line. */
const NEAR_MIN = 0.5
/** From here on the line says what the item is. */
const SURE_MIN = 0.7
/** Two that differ by less are told apart by nothing that the line says. */
const RIVAL_MARGIN = 0.1

type Asked = Readonly<{
  traits: ReadonlyMap<string, ReadonlySet<string>>
  sizes: readonly Size[]
  words: ReadonlyMap<string, ReadonlySet<string>>
  unit: SoldUnit | null
}>

function readLine(line: Line): Asked {
  const { text, unit } = withoutCount(line)
  return {
    traits: traitsOf(asSku(text, null)),
    sizes: sizesOf(text),
    words: new Map(wordsIn(text).map((word) => [word, conceptsOf(word)])),
    unit: unit === null ? null : soldUnit({ unit }),
  }
}

/** "10 sacos cemento 25 kg" asks for ten bags: the number is no size of the cement. */
function withoutCount({ text, unit }: Line): Line {
  const [whole, word = ''] =
    /^\s*\d+(?:[.,]\d+)?\s*(?:x\s*)?(\p{L}+)\.?\s+(?:(?:de|of|von|di|x)\s+)?(?=\p{L})/iu.exec(text) ?? []
  const counted = whole === undefined ? null : parseUnit(word)
  if (whole === undefined || !counted?.dimension.startsWith('count')) return { text, unit }
  return { text: text.slice(whole.length), unit: unit ?? word }
}

function judge(asked: Asked, { itemId, name, unit, cos }: LineCandidate, cosineMin: number) {
  const words = shareOf(asked.words, name)
  const meaning = cos >= cosineMin ? Math.min(1, cos) : 0
  const sizes = sizesSaid(asked.sizes, [...sizesOf(name), ...sizesOf(unit ?? '')])
  const sold = soldUnit({ unit })
  const inUnit = unitFit(asked, sold)
  const refusal: Refusal | null =
    sizes === 'differ'
      ? 'size_differs'
      : !areDesignationsSaid(asked.traits, asSku(name, unit))
        ? 'designation_differs'
        : inUnit === 'differs'
          ? 'unit_differs'
          : null
  const evidence = { words, meaning, sizes, unit: inUnit } as LineEvidence
  const itemUnits =
    inUnit === 'equal' ? ONE : inUnit === 'convertible' && asked.unit ? conversionFactor(sold, asked.unit) : null
  return { itemId, score: 1 - (1 - words) * (1 - meaning), itemUnits, evidence, refusal }
}

/** Grades, types, sides and colours of the line, of which an item may say more: "CEM II" is also "CEM II/B-L". */
function areDesignationsSaid(asked: Asked['traits'], item: MatchSku): boolean {
  const said = traitsOf(item)
  return [...asked].every(([kind, values]) => {
    const others = DESIGNATION.test(kind) ? said.get(kind) : undefined
    return others === undefined || [...values].every((value) => [...others].some((other) => other.startsWith(value)))
  })
}
/** The other kinds are sizes. */
const DESIGNATION = /^(type |(strength|side|colour)$)/

const asSku = (name: string, unit: string | null): MatchSku => ({ vendorSkuId: '', sourceId: '', name, unit })

/** Words that say what a thing is: letters only, no function words and no units. */
function wordsIn(text: string): string[] {
  const words = tokensOf(text).filter((token) => /^\p{L}{3,}$/u.test(token) && parseUnit(token) === null)
  return [...new Set(words)]
}

/** Share of the words that the name has, in this or another form, or says by another name of the same thing. */
function shareOf(words: Asked['words'], name: string): number {
  if (words.size === 0) return 0
  const held = wordsIn(name)
  const named = conceptsOf(name)
  const found = [...words].filter(
    ([word, concepts]) => held.some((other) => isOneWord(word, other)) || !named.isDisjointFrom(concepts),
  )
  return found.length / words.size
}

/** Equal but for an ending: "placa" and "placas", "Zement" and "Zemente". */
function isOneWord(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length)
  const stem = Math.max(STEM_LETTERS_MIN, length - ENDING_LETTERS_MAX)
  return (
    a === b ||
    (length >= stem && Math.abs(a.length - b.length) <= ENDING_LETTERS_MAX && a.slice(0, stem) === b.slice(0, stem))
  )
}
const STEM_LETTERS_MIN = 4
const ENDING_LETTERS_MAX = 2

/** Whether every size of the line is one of the item; "differ" where the item says another one of its kind. */
function sizesSaid(asked: readonly Size[], said: readonly Size[]): LineEvidence['sizes'] | 'differ' {
  if (asked.length === 0) return 'none'
  let answer: LineEvidence['sizes'] = 'equal'
  for (const size of asked) {
    if (said.some((other) => isSame(size, other))) continue
    const parts = said.flatMap(partsOf)
    // "13 mm" of a board of 1200x2500x13 mm.
    if (partsOf(size).every((part) => parts.some((other) => isSame(part, other)))) continue
    if (said.some((other) => isOfItsKind(size, other))) return 'differ'
    answer = 'unknown'
  }
  return answer
}

/** Lengths are nominal (1/2 in, 12.5 and 13 mm are one board); what is weighed or counted is what it says. */
function isSame(a: Size, b: Size): boolean {
  if (a.dimension === b.dimension && a.text === b.text) return true
  const isLength = [a, b].every(({ dimension }) => dimension === 'length' || dimension === 'number')
  const isBare = a.dimension === 'number' || b.dimension === 'number'
  if (isLength) return isNominallyEqual(a, b)
  return isBare && a.written.length === b.written.length && a.written.every((value, at) => value === b.written[at])
}

/** A size of several values is of no kind but that of others of as many; a bare number may be anything. */
function isOfItsKind(asked: Size, said: Size): boolean {
  if (asked.dimension === 'number') return asked.values.length > 1 && said.values.length === asked.values.length
  return asked.dimension === said.dimension && asked.values.length === said.values.length
}

function partsOf({ dimension, values, written }: Size): Size[] {
  return values.map((value, at) => ({
    dimension,
    values: [value],
    written: [written[at] as number],
    text: String(value),
  }))
}

function unitFit({ unit, sizes }: Asked, item: SoldUnit): LineEvidence['unit'] | 'differs' {
  if (unit === null || unit.key === item.key) return 'equal'
  const { dimension, quantity } = item
  if (conversionFactor(item, unit) !== null) return 'convertible'
  if (unit.dimension !== null && !isOfUnknownContents(unit)) {
    return dimension === null || isOfUnknownContents(item) ? 'unknown' : 'differs'
  }
  // A bag of what the line says to be 25 kg is an item of 25 kg.
  const isContent = (size: Size) => size.dimension === dimension && quantity !== null && size.text === toText(quantity)
  return sizes.some(isContent) ? 'equal' : 'unknown'
}
