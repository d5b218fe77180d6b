import { type AttributesByRole, numberOf } from '@catalog/core/attributes/attribute-differences.ts'
import { isPlainSize } from '@catalog/core/attributes/attributes-of.ts'
import { isNominallyEqual, type Size, sizesOf } from '@catalog/core/units/sizes.ts'

/** How the sizes of a name fit those of a query. */
export type SizeComparison = Readonly<{
  /**
   * Jaccard overlap from -.5 to 1; 0 where the query or the name has no sizes. Nearly a full match: 12.5 mm for 13 mm
   * or 1/2 in, and 13 mm as part of 1200x2500x13 mm. A name with a contradicting size ranks below a name without sizes.
   */
  overlap: number
  /** The numbers of the query that the name has, in any unit. */
  matchedNumbers: ReadonlySet<number>
}>

/** A value that a question asks for and another one that is stocked, in words for people: 35 kg and 25 kg. */
export type Difference = Readonly<{ about: string; asked: string; stocked: string }>

/** The sizes of a question of which a name has other values: what it is stocked in instead. */
export function sizeDifferences(wanted: readonly Size[], named: readonly Size[]): readonly Difference[] {
  const others = named.filter((other) => !wanted.some((size) => isAlike(size, other)))
  return wanted.flatMap((size) => {
    if (fitOf(size, named, others) >= 0) return []
    const kind = others.filter((other) => isSameKind(size, other))
    const measured = kind.find(({ dimension }) => dimension === size.dimension) ?? kind[0]
    return measured === undefined ? [] : [{ about: 'size', asked: sizeText(size), stocked: sizeText(measured) }]
  })
}

/** "25 kg", "12.5 mm", "2.5 mm²", "60 x 60"; pieces as written. */
export function sizeText({ dimension, values, written }: Size): string {
  const isSmall = Math.min(...values) < (SMALL[dimension] ?? 0) || (dimension === 'length' && Math.max(...values) < 1)
  const unit = (isSmall ? MILLIMETRES[dimension] : undefined) ?? BASE_UNITS[dimension]
  if (unit === undefined) return written.join(' x ')
  const [name, scale] = unit
  return `${values.map((value) => Number((value * scale).toPrecision(SHOWN_DIGITS))).join(' x ')} ${name}`
}
const BASE_UNITS: Readonly<Record<string, readonly [name: string, scale: number]>> = {
  length: ['m', 1],
  area: ['m²', 1],
  volume: ['l', 1000],
  mass: ['kg', 1],
  time: ['h', 1 / 3600],
}
/** Sizes with a part below, in base units, are told in millimetres: profiles, doors, and sections of wires. */
const SMALL: Readonly<Record<string, number>> = { length: 0.1, area: 0.001 }
const MILLIMETRES: typeof BASE_UNITS = { length: ['mm', 1_000], area: ['mm²', 1_000_000] }
const SHOWN_DIGITS = 4

const NOTHING: SizeComparison = { overlap: 0, matchedNumbers: new Set() }

export function compareSizes(wanted: readonly Size[], named: readonly Size[]): SizeComparison {
  if (wanted.length === 0 || named.length === 0) return NOTHING
  // "3/8 in, 12 m long" is no contradiction of "3/8 in".
  const others = named.filter((other) => !wanted.some((size) => isAlike(size, other)))
  const matchedNumbers = new Set<number>()
  let shared = 0
  let contradicted = 0
  for (const size of wanted) {
    const fit = fitOf(size, named, others)
    shared += Math.max(0, fit)
    contradicted += Math.max(0, -fit)
    if (fit > 0) for (const number of size.written) matchedNumbers.add(number)
  }
  // One size of the name may match two of the query, so at most all of them are shared.
  const all = Math.max(wanted.length, wanted.length + named.length - shared)
  const overlap = shared / all - (CONTRADICTION * contradicted) / wanted.length
  return { overlap, matchedNumbers }
}

/**
 * 1 for the same size, less for its nominal equal or a part of a larger size. Another size of its kind is negative: -1 from
 * half or double on, and less for a nearer one, which replaces the wanted one sooner.
 */
function fitOf(size: Size, named: readonly Size[], others: readonly Size[]): number {
  if (named.some((other) => isSame(size, other))) return 1
  if (named.some((other) => isAlike(size, other))) return NOMINAL_FIT
  if (isPartOf(size, named)) return PART_FIT
  const distances = others.flatMap((other) => (isSameKind(size, other) ? [distanceOf(size, other)] : []))
  return distances.length === 0 ? 0 : -(1 - NEAR_SIZE * (1 - Math.min(1, ...distances)))
}

/** 12.5 and 13 mm are one board, 20 t and 44,000 lb one excavator. */
function isAlike(a: Size, b: Size): boolean {
  const isWeight = a.dimension === b.dimension && (a.dimension === 'mass' || a.dimension === 'volume')
  if (!isWeight) return isNominallyEqual(a, b)
  return a.values.length === b.values.length && distanceOf(a, b) <= CONVERTED
}
/** As a doubling; half a percent, by which rounded conversions differ (94 lb, 42.5 kg). */
const CONVERTED = 0.0072

/** How far the values of two sizes lie apart, in doublings, of the pair that differs most. */
function distanceOf(a: Size, b: Size): number {
  return Math.max(...a.values.map((value, at) => Math.abs(Math.log2(value / (b.values[at] as number)) || 0)))
}
/** What the nearest other size is spared of a contradiction. */
const NEAR_SIZE = 0.3

const NOMINAL_FIT = 0.9
const PART_FIT = 0.8
/** Half of the reward for the right size. */
const CONTRADICTION = 0.5

/** Equal to the last digit; a bare number is compared as written. */
function isSame(a: Size, b: Size): boolean {
  if (a.dimension === b.dimension) return a.text === b.text
  const isBare = a.dimension === 'number' || b.dimension === 'number'
  return isBare && a.written.join('x') === b.written.join('x')
}

/** A bare number takes the dimension of the other size: "cable 3x1.5" and "3x2.5 mm²". */
function isSameKind(a: Size, b: Size): boolean {
  const isBare = a.dimension === 'number' || b.dimension === 'number'
  return a.values.length === b.values.length && (isBare || a.dimension === b.dimension)
}

/**
 * Whether each value of a size is another value of one size, in any order, or a size of its own: 13 mm of 1200x2500x13 mm,
 * 14x19x39 of 39x19x14, and not 20x20 of 20x30.
 */
export function isPartOf(size: Size, named: readonly Size[], isEqual = isNominallyEqual): boolean {
  const wanted = valuesOf(size)
  if (wanted.length === 1) return named.flatMap(valuesOf).some((part) => isEqual(wanted[0] as Size, part))
  const larger = named.filter(({ values }) => values.length >= wanted.length).map(valuesOf)
  const single = named.filter(({ values }) => values.length === 1)
  return [...larger, single].some((parts) => {
    const left = [...parts]
    return wanted.every((value) => {
      const at = left.findIndex((part) => isEqual(value, part))
      return at >= 0 && left.splice(at, 1).length === 1
    })
  })
}

/** Each value of a size as a size of its own. */
function valuesOf({ dimension, values, written }: Size): Size[] {
  return values.map((value, at) => ({
    dimension,
    values: [value],
    written: [written[at] as number],
    text: String(value),
  }))
}

/**
 * The sizes of a text. The 40 of "CPC 40" is a grade and no size; the 3 of "#3" is that of its bar, which sellers also write
 * as 3/8 in.
 */
export function sizesIn(text: string, attributes: AttributesByRole): readonly Size[] {
  const told = [...attributes.values()].flat().filter(({ role, values }) => !isPlainSize(role) && values.length === 1)
  return sizesOf(text).flatMap((size) => {
    if (size.dimension !== 'number' || size.written.length > 1) return [size]
    const named = told.find((attribute) => NUMBERS(attribute.text).includes(size.written[0] as number))
    if (named === undefined) return [size]
    const isLength = named.unit === 'mm' && named.text.includes('#')
    return isLength ? sizesOf(`${(numberOf(named.values[0] as string) as number).toFixed(1)} mm`) : []
  })
}
const NUMBERS = (text: string) =>
  (text.match(/\d+(?:[.,]\d+)?/g) ?? []).map((number) => Number(number.replace(',', '.')))
