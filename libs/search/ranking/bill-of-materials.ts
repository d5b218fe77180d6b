import type { AttributesByRole } from '@catalog/core/attributes/attribute-differences.ts'
import { rolesOf } from '@catalog/core/attributes/attributes-of.ts'
import { kindDifference } from '@catalog/core/kinds/differences.ts'
import { type KindReading, kindOf } from '@catalog/core/kinds/kind-of.ts'
import type { Rational } from '@catalog/core/money/rational.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { isNominallyEqual, type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import type { SoldUnit } from '@catalog/core/units/sold-unit.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'
import { isPartOf, sizesIn } from '@catalog/search/query/sizes.ts'
import { SURE_MARGIN } from './fuse.ts'
import { type ItemSizes, nameKey, readItem } from './item-reading.ts'
import type { Conversion, Stated } from './line-conversions.ts'
import { hasDesignations, isContradicted, isOtherGrade, isOtherWork, lacksGrade, saidIn } from './line-traits.ts'
import { lineUnit, unitFit } from './line-units.ts'
import { countsDiffer, countsOf, isOfPart, isOtherHead, type LineWords, shareOf, wordsIn } from './line-words.ts'
import { COSINE_MIN } from './score.ts'

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
  /** The thing as search reads it, with abbreviated words written out; absent: as written. */
  inFull?: string
  /** The thing as search reads it, where its language names it first: "riego de adherencia" is a kind of "riego". */
  headFirst?: string
  /** The market of the line, whose builders spell units in their way; absent: any. */
  market?: string | undefined
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
  /** How they convert, or may: null where line and item have one unit, or nothing is known. */
  conversion: Conversion | null
  evidence: LineEvidence
}>

/**
 * | status | item | why |
 * |---|---|---|
 * | matched | the best | it fits, and no other item fits as well, or the line is the name of this one alone |
 * | ambiguous | the best | several items fit alike, or it lacks a size or grade of the line |
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

/** What search found for a line: see {@link search}. */
export type LineSearch = Readonly<{
  /** Best first. */
  candidates: readonly LineCandidate[]
  /** How far the first lies above the floor of answers; null without vectors. */
  margin: number | null
}>

/** Decides between the candidates of a line. */
export function decideLine(line: Line, { candidates, margin }: LineSearch): LineAnswer {
  const reading = readLine(line)
  const leader = leaderOf({ candidates, margin })
  const near = candidates
    .map((candidate) => ({ candidate, likeness: likenessIn(reading, candidate) }))
    .filter(({ candidate, likeness }) => likeness.score >= NEAR_MIN || candidate.itemId === leader)
    .map(({ candidate, likeness }) => judge(reading, candidate, likeness))
  const stocked = near.filter(({ refusal }) => refusal === null)
  const fitting = stocked.filter((one) => !stocked.some((other) => isNearerPack(other, one)))
  // So many bricks make a square metre, but of which wall a person must say.
  const choices = near.filter(({ refusal, conversion }) => refusal === 'unit_differs' && conversion !== null)
  const [best, ...others] = [
    ...fitting.filter(({ isNamed, evidence }) => isNamed && evidence.unit === 'equal'),
    ...fitting.filter(({ isNamed, evidence }) => isNamed && evidence.unit !== 'equal'),
    // Rank items with every size of the line before items that lack one.
    ...fitting.filter(({ isNamed, evidence }) => !isNamed && evidence.sizes !== 'unknown'),
    ...fitting.filter(({ isNamed, evidence }) => !isNamed && evidence.sizes === 'unknown'),
  ]
  const further = [...stocked.filter((one) => !fitting.includes(one)), ...choices]
  if (best === undefined) {
    const [choice = null, ...more] = further
    if (choice !== null) return { status: 'ambiguous', reason: null, best: choice, alternatives: more }
    return { status: 'unmatched', reason: near[0]?.refusal ?? 'nothing_near', best: null, alternatives: [] }
  }
  const alternatives = [...others, ...further]
  const isOpen =
    best.isOtherWork ||
    best.isFaint ||
    others.some((other) => isTwin(other, best, reading)) ||
    (best.lacksGrade && !best.isNamed) ||
    best.evidence.sizes === 'unknown' ||
    best.evidence.unit === 'unknown' ||
    choices.some(({ isNamed, score }) => isNamed || score > best.score)
  const isOnlyName = best.isNamed && !others.some(({ isNamed, evidence }) => isNamed && evidence.unit !== 'unknown')
  if (isOnlyName && !isOpen) return { status: 'matched', reason: null, best, alternatives }
  const scoreOf = new Map(candidates.map(({ itemId, score }) => [itemId, score]))
  const leads = (itemId: string) => (scoreOf.get(best.itemId) ?? 0) - (scoreOf.get(itemId) ?? 0) >= LEAD_MIN
  const rival = others.some(
    (other) =>
      other.score > best.score - RIVAL_MARGIN &&
      other.evidence.sizes === best.evidence.sizes &&
      other.evidence.unit !== 'unknown' &&
      !leads(other.itemId) &&
      !(best.evidence.words === 1 && isSpecial(other, best)),
  )
  const { isThing = true } = candidates.find(({ itemId }) => itemId === best.itemId) ?? {}
  const preferred = candidates[0]
  const isPassedOver =
    preferred !== undefined &&
    preferred.score - (scoreOf.get(best.itemId) ?? 0) >= PASSED_OVER_MIN &&
    others.some(({ itemId }) => itemId === preferred.itemId)
  // Search would have found nothing. It knows less of the sizes of a line than this module.
  const isRefused = margin !== null && margin < 0 && margin !== Number.NEGATIVE_INFINITY
  const isUnlikely = !isThing || best.score < SURE_MIN
  const isUnsure =
    isOpen || rival || isPassedOver || isRefused || best.isOtherHead || (isUnlikely && best.itemId !== leader)
  const status = isUnsure ? 'ambiguous' : 'matched'
  return { status, reason: null, best, alternatives }
}

/** Whether the item lacks a word of the line, or adds words to the name of the plain item: "premium paint for floors". */
function isSpecial(other: ReturnType<typeof judge>, plain: ReturnType<typeof judge>): boolean {
  if (other.evidence.words < 1) return true
  return other.nameWords.size > plain.nameWords.size && plain.nameWords.isSubsetOf(other.nameWords)
}

/** Whether the item fits as well in another size or grade, of which the line names none: "ladrillo hueco doble" of 24x11.5x8 and 33x16. */
function isTwin(other: ReturnType<typeof judge>, best: ReturnType<typeof judge>, { sizes, attributes }: LineReading) {
  const isAlike = other.evidence.words >= best.evidence.words && other.evidence.sizes === best.evidence.sizes
  if (!isAlike || other.evidence.unit === 'unknown') return false
  if (isOtherGrade(attributes, best.told, other.told)) return true
  const isOfSize = sizes.length === 0 && other.own.length > 0 && best.own.length > 0
  const isIn = (size: Size) => other.own.some((one) => isSame(size, one)) || isPartOf(size, other.own, isSame)
  return isOfSize && other.nameWords.size <= best.nameWords.size && !best.own.some(isIn)
}

/** The item that search is sure of: the thing, far above the floor of answers and above every other item; null where none is. */
function leaderOf({ candidates, margin }: Pick<LineSearch, 'candidates' | 'margin'>): string | null {
  const [first, second] = candidates
  if (first === undefined || margin === null || margin < SURE_MARGIN || first.isThing === false) return null
  return first.score - (second?.score ?? 0) >= LEAD_MIN ? first.itemId : null
}

/** Whether one item is the article of another in a pack that is nearer to the unit of the line: per metre before per 100 m. */
function isNearerPack(one: ReturnType<typeof judge>, other: ReturnType<typeof judge>): boolean {
  const distanceOf = ({ itemUnits, conversion }: typeof one) =>
    itemUnits === null
      ? Number.POSITIVE_INFINITY
      : Math.abs(Math.log(Number(itemUnits.n) / Number(itemUnits.d))) +
        (conversion?.exactness === 'approximate' ? 1e3 : 0)
  const isLike = one.isNamed === other.isNamed && one.evidence.sizes === other.evidence.sizes
  return isLike && distanceOf(one) < distanceOf(other) && !one.articles.isDisjointFrom(other.articles)
}

/** Below, a candidate shares only a chance word with the line. */
const NEAR_MIN = 0.5
/** From here on the line identifies the item. */
const SURE_MIN = 0.8
/** Below both, the item shares too little with the line, however sure search is of it: more where it is about a part of it. */
const [FAINT_WORDS, FAINT_PART_WORDS, FAINT_MEANING] = [0.4, 0.7, 0.8]
/** A smaller difference of scores is no preference. */
const RIVAL_MARGIN = 0.1
/** From this difference of search scores on, an item that search ranks above the decided one keeps the line open. */
const PASSED_OVER_MIN = 0.1
/** From this difference of search scores on, the first is meant: by sizes, grades, words and spelling together. */
const LEAD_MIN = 0.25

type LineReading = LineWords &
  Readonly<{
    attributes: AttributesByRole
    sizes: readonly Size[]
    /** For its unit: with the sizes that only the written text has. */
    stated: Stated
    /** The line as a name: see {@link nameKey}. */
    name: string
    said: ReturnType<typeof saidIn>
    inFull: string
    unit: SoldUnit | null
    kind: KindReading
  }>

function readLine({ thing, inFull, headFirst, market, ...line }: Line): LineReading {
  const { text, unit } = withoutCount(line)
  const plain = (thing ?? text).replace(OTHER_WRITING, ' ').replace(FOLDED_DIAMETER, 'Ø')
  const attributes = rolesOf({ name: plain })
  const sizes = sizesIn(plain, attributes)
  const isKnown = (one: Size) => sizes.some((other) => one.dimension === other.dimension && one.text === other.text)
  return {
    attributes,
    sizes,
    // Search leaves out of "2x4x8" how long it is.
    stated: { attributes, sizes: [...sizes, ...sizesOf(text).filter((size) => !isKnown(size))] },
    name: nameKey(text),
    said: saidIn(plain),
    words: new Map(wordsIn(plain).map((word) => [word, conceptsOf(word)])),
    unit: unit === null ? null : lineUnit(unit, { market, text }),
    kind: kindOf({ name: plain, unit }),
    counts: countsOf(plain),
    inFull: inFull ?? plain,
    head: headFirst === undefined ? null : (wordsIn(headFirst)[0] ?? null),
  }
}
/** "10mm (3/8)": the same size once more. */
const OTHER_WRITING = /(?<=\d ?(?:mm|cm) ?)\(\s*\d+(?: \d+)?\/\d+\s*(?:"|''|in|pol|pulg)?\.?\s*\)/giu

/** "Ø12", whose mark search folds to a letter. */
const FOLDED_DIAMETER = /(?<![\p{L}\d])o ?(?=\d)/gu

/** "10 sacos cemento 25 kg" means ten bags: the 10 is no size of the cement. */
export function withoutCount({ text, unit }: Line): Line {
  const [whole, word = ''] =
    /^\s*\d+(?:[.,]\d+)?\s*(?:x\s*)?(\p{L}+)\.?\s+(?:(?:de|of|von|di|x)\s+)?(?=\p{L})/iu.exec(text) ?? []
  const counted = whole === undefined ? null : parseUnit(word)
  if (whole === undefined || !counted?.dimension.startsWith('count')) return { text, unit }
  return { text: text.slice(whole.length), unit: unit ?? word }
}

/** The item that a person chose for the line, whatever it says, with the units in which it is sold. */
export function judgeChosen(line: Line, candidate: LineCandidate): LineMatch {
  const { evidence, ...match } = judge(readLine(line), candidate)
  const sizes = evidence.sizes as LineEvidence['sizes'] | 'differ'
  return { ...match, score: 1, evidence: { ...evidence, sizes: sizes === 'differ' ? 'unknown' : sizes } }
}

/**
 * The item whose code the line carries; null where sizes, designations or unit contradict it, or where it has few words of the
 * line. Where the list of the code is known, the line may also say more than the item: names are cut off, and texts go on.
 */
export function judgeCoded(line: Line, candidate: LineCandidate, isListKnown: boolean): LineMatch | null {
  const judged = judge(readLine(line), candidate)
  const ofItem = (name: string) => judge(readLine({ text: name, unit: null }), { ...candidate, names: [line.text] })
  const isLess = ({ score, refusal }: ReturnType<typeof judge>) => score >= NEAR_MIN && refusal === null
  const isFit = judged.refusal === null && (judged.isNamed || judged.score >= NEAR_MIN)
  const isSilent = judged.refusal === null || judged.refusal === 'designation_differs'
  const isMeant = isFit || (isListKnown && isSilent && candidate.names.some((name) => isLess(ofItem(name))))
  return isMeant ? { ...judged, score: 1 } : null
}

/** Equal for lines of the same words and numbers in any order: "Azulejo 20x60 blanco" and "AZULEJO BLANCO 20 X 60". */
export const lineKey = (text: string): string => nameKey(text)

/** How near the item is by words and meaning alone, and the words of its nearest name: most candidates are not near. */
function likenessIn(reading: LineReading, { names: written, unit, cos }: LineCandidate) {
  const item = readItem({ names: written, unit })
  const shares = item.words.map((name) => shareOf(reading.words, name))
  const words = Math.max(...shares)
  const meaning = cos >= COSINE_MIN ? Math.min(1, cos) : 0
  return { item, words, meaning, score: 1 - (1 - words) * (1 - meaning), nearest: item.words[shares.indexOf(words)] }
}

function judge(
  reading: LineReading,
  candidate: LineCandidate,
  { item, words, meaning, score, nearest } = likenessIn(reading, candidate),
) {
  const { words: names, keys, attributes: told, compared, articles, kinds } = item
  const { fit, ofPiece, ...units } = unitFit(reading.unit, reading.stated, item)
  const sizes = compareSizes(withoutPiece(reading.sizes, ofPiece), compared)
  const isNamed = keys.has(reading.name)
  const refusal: Refusal | null =
    sizes === 'differ'
      ? 'size_differs'
      : !isNamed &&
          (!hasDesignations(reading.attributes, told) ||
            names.every((name) => countsDiffer(reading, name)) ||
            isContradicted(reading.said, item.said) ||
            kinds.every((kind) => kindDifference(reading.kind, kind) !== null))
        ? 'designation_differs'
        : fit === 'differs'
          ? 'unit_differs'
          : null
  const evidence = { words, meaning, sizes, unit: fit === 'differs' ? 'unknown' : fit } as LineEvidence
  return {
    itemId: candidate.itemId,
    score,
    ...units,
    evidence,
    refusal,
    isNamed,
    articles,
    nameWords: new Set(nearest?.words),
    told,
    own: compared.named.filter(({ dimension }) => dimension === 'length' || dimension === 'number'),
    lacksGrade: lacksGrade(reading.attributes, told),
    isFaint:
      !isNamed && meaning < FAINT_MEANING && words < (isOfPart(reading.inFull, names) ? FAINT_PART_WORDS : FAINT_WORDS),
    isOtherWork: !isNamed && kinds.every((kind) => isOtherWork(reading, { kind, attributes: told })),
    isOtherHead: !isNamed && isOtherHead(reading, { names, words, meaning, score }),
  }
}

/** The sizes that an item must have: not the one that says how much of it a piece is, and of "2x4x8" only the section. */
function withoutPiece(sizes: readonly Size[], ofPiece: Size | undefined): readonly Size[] {
  return sizes.flatMap((size) => {
    if (ofPiece === undefined || !isSame(size, ofPiece)) return [size]
    const [thick, wide, ...rest] = size.written
    return rest.length === 0 ? [] : sizesOf(`${thick}x${wide}`)
  })
}

/** Whether the item has every size of the line; "differ" where it has another size of the same kind. */
function compareSizes(
  wanted: readonly Size[],
  { named, numbers, contents }: ItemSizes,
): LineEvidence['sizes'] | 'differ' {
  if (wanted.length === 0) return 'none'
  // A size that the line names is no other size of its kind: "3/8 in, 12 m long" is no contradiction of "3/8 in".
  const others = named.filter((other) => !wanted.some((size) => isSame(size, other)))
  let answer: LineEvidence['sizes'] = 'equal'
  for (const size of wanted) {
    if ([...named, ...contents].some((other) => isSame(size, other))) continue
    // "codo 110 a 87" of a name with "87º".
    if (size.dimension === 'number' && size.written.length === 1 && numbers.has(String(size.written[0]))) continue
    // "13 mm" of a board of 1200x2500x13 mm.
    if (isPartOf(size, named, isSame)) continue
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
