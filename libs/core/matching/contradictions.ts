import { kindDifference } from '@catalog/core/kinds/differences.ts'
import { parseRational } from '@catalog/core/money/rational.ts'
import { type MatchSku, QUANTITIES, type Reading, readingOf } from './sku-reading.ts'

/**
 * A statement of each side that cannot both be true of one product. `about` names the subject: "unit", "gtin", a trait
 * of the names ("length", "type cem", "colour"), or what the texts say of kind and attributes. `one` and `other` are
 * the two values, several joined by ", ".
 */
export type Contradiction = Readonly<{ about: string; one: string; other: string }>

/** Compares one subject of two SKUs. Symmetric but for the sides; null when both sides can be true. */
type Comparison = (a: Reading, b: Reading) => Contradiction | null

/** Asked in this order, after the units: the first contradiction is reported. */
const COMPARISONS: readonly Comparison[] = [gtinContradiction, kindContradiction, traitContradiction]

/**
 * The first contradiction that forbids two SKUs to share an item, whatever rule would join them; null when there is
 * none. Swapped SKUs give the same contradiction with its sides swapped.
 */
export function contradictionBetween(a: MatchSku, b: MatchSku): Contradiction | null {
  const [one, other] = [readingOf(a), readingOf(b)]
  return unitContradiction(one, other) ?? firstContradiction(one, other)
}

/** The same without the units, for rules that compare what is sold by themselves: a bag and a kilogram. */
export function contradictionBesidesUnit(a: MatchSku, b: MatchSku): Contradiction | null {
  return firstContradiction(readingOf(a), readingOf(b))
}

function firstContradiction(one: Reading, other: Reading): Contradiction | null {
  for (const compare of COMPARISONS) {
    const found = compare(one, other)
    if (found) return found
  }
  return null
}

/** Units of different dimension: prices per one do not convert into prices per the other. */
function unitContradiction({ sold: one }: Reading, { sold: other }: Reading): Contradiction | null {
  if (one.dimension === null || other.dimension === null || one.dimension === other.dimension) return null
  return { about: 'unit', one: one.dimension, other: other.dimension }
}

function gtinContradiction({ gtin: one }: Reading, { gtin: other }: Reading): Contradiction | null {
  return one === null || other === null || one === other ? null : { about: 'gtin', one, other }
}

/** Another kind, grade or trade of labour, action of a work, or a machine with and without its operator. */
function kindContradiction(a: Reading, b: Reading): Contradiction | null {
  return kindDifference(a.kind, b.kind)
}

/** Names that each hold a size, designation (B500S, C25/30, CEM II), side or colour that the other lacks. */
function traitContradiction(a: Reading, b: Reading): Contradiction | null {
  // In a fixed order, so that swapped SKUs report the same trait.
  for (const about of [...a.traits.keys()].sort()) {
    const [one, other] = [a.traits.get(about), b.traits.get(about)]
    if (one && other && !agree(about, one, other)) return { about, one: listed(one), other: listed(other) }
  }
  return null
}

const listed = (values: ReadonlySet<string>) => [...values].sort().join(', ')

/**
 * Whether the values of one side are all among the other's. Measures count as equal within the rounding between inches
 * and millimetres (4 ft and 1.22 m, 5/8 in and 15.9 mm). Symmetric.
 */
export function agree(kind: string, one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.isSubsetOf(other) || other.isSubsetOf(one)) return true
  if (!QUANTITIES.has(kind) || kind === 'count') return false
  const [ours, theirs] = [numbersIn(one), numbersIn(other)]
  const areAmong = (some: readonly number[], all: readonly number[]) =>
    some.every((value) => all.some((each) => Math.abs(value - each) <= ROUNDED_TOLERANCE * Math.max(value, each)))
  return areAmong(ours, theirs) || areAmong(theirs, ours)
}
/** It keeps 11 mm and 11.1 mm apart; 1.22 m and 1.2192 m, 3.78 l and a gallon differ by a seventh of that. */
const ROUNDED_TOLERANCE = 0.005

function numbersIn(values: ReadonlySet<string>): number[] {
  return [...values].map(parseRational).map(({ n, d }) => Number(n) / Number(d))
}
