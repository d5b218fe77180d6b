import { isNominallyEqual, type Size } from '@catalog/core/units/sizes.ts'

/** What the sizes of a name say to those of a query. */
export type SizeComparison = Readonly<{
  /**
   * From -.5 to 1; 0 where the query has none, or the name says nothing of them. As a Jaccard overlap, in which 12.5 mm
   * for 13 mm or for 1/2 in is nearly a hit, and so is 13 mm inside of 1200x2500x13 mm. A name that says another size where
   * the query says one is worse than a name that says none.
   */
  overlap: number
  /** The numbers of the query, as it writes them, that the name says in whatever unit. */
  said: ReadonlySet<number>
}>

const NOTHING: SizeComparison = { overlap: 0, said: new Set() }

export function compareSizes(asked: readonly Size[], named: readonly Size[]): SizeComparison {
  if (asked.length === 0 || named.length === 0) return NOTHING
  const parts = named.flatMap(valuesOf)
  const said = new Set<number>()
  let shared = 0
  let contradicted = 0
  for (const size of asked) {
    const fit = fitOf(size, named, parts)
    shared += Math.max(0, fit)
    if (fit < 0) contradicted++
    if (fit > 0) for (const number of size.written) said.add(number)
  }
  // Two sizes of the query may be in one of the name: all of them, and no more, can be shared.
  const all = Math.max(asked.length, asked.length + named.length - shared)
  const overlap = shared / all - (CONTRADICTION * contradicted) / asked.length
  return { overlap, said }
}

/** 1 for the same size, less for one that is sold as it or is part of a larger one, -1 for another of its kind. */
function fitOf(size: Size, named: readonly Size[], parts: readonly Size[]): number {
  if (named.some((other) => isSame(size, other))) return 1
  if (named.some((other) => isNominallyEqual(size, other))) return NOMINAL_FIT
  if (valuesOf(size).every((value) => parts.some((part) => isNominallyEqual(value, part)))) return PART_FIT
  return named.some((other) => isOfOneKind(size, other)) ? -1 : 0
}

const NOMINAL_FIT = 0.9
const PART_FIT = 0.8
/** Half of what the right size earns. */
const CONTRADICTION = 0.5

/** To the last digit; a bare number is taken for the one that is written. */
function isSame(a: Size, b: Size): boolean {
  if (a.dimension === b.dimension) return a.text === b.text
  const isBare = a.dimension === 'number' || b.dimension === 'number'
  return isBare && a.written.join('x') === b.written.join('x')
}

/** A bare number is taken for one of whatever the other is: "cable 3x1.5" and "3x2.5 mm²". */
function isOfOneKind(a: Size, b: Size): boolean {
  const isBare = a.dimension === 'number' || b.dimension === 'number'
  return a.values.length === b.values.length && (isBare || a.dimension === b.dimension)
}

function valuesOf({ dimension, values, written }: Size): Size[] {
  return values.map((value, at) => ({
    dimension,
    values: [value],
    written: [written[at] as number],
    text: String(value),
  }))
}
