import { keptPer } from '@catalog/core/memo.ts'
import { parseRational } from '@catalog/core/money/rational.ts'
import { type Attribute, toleranceOf, unstatedValues } from './attributes-of.ts'

/** Attributes by role. */
export type AttributesByRole = ReadonlyMap<string, readonly Attribute[]>
export type AttributeDifference = Readonly<{ about: string; one: string; other: string }>

/**
 * The first role, by name, of which each side has a value that the other lacks; null when both sides can be true of one
 * product. A role that only one side states differs where silence has a meaning: a name without "Plus" is the ordinary
 * line. Symmetric but for the sides.
 */
export function attributeDifference(a: AttributesByRole, b: AttributesByRole): AttributeDifference | null {
  let first: AttributeDifference | null = null
  for (const [about, one] of a) {
    const other = b.get(about)
    // The first by name, so that swapped sides report the same role.
    if (other === undefined || (first !== null && first.about < about)) continue
    if (!doAgree(about, one, other)) first = { about, one: listed(one), other: listed(other) }
  }
  if (first !== null) return first
  for (const [about, unstated] of unstatedValues()) {
    const [one, other] = [a.get(about), b.get(about)]
    if (one && other && !equalValues(one, other)) return { about, one: listed(one), other: listed(other) }
    if (one && !other && !valuesOf(one).has(unstated)) return { about, one: listed(one), other: unstated }
    if (other && !one && !valuesOf(other).has(unstated)) return { about, one: unstated, other: listed(other) }
  }
  return null
}

/** Where silence has a meaning, fewer values say something else too: "Oro Plus" is not "Plus". */
function equalValues(one: readonly Attribute[], other: readonly Attribute[]): boolean {
  return valuesOf(one).symmetricDifference(valuesOf(other)).size === 0
}

/** All values of a role. */
export const valuesOf = keptPer(
  (attributes: readonly Attribute[]): ReadonlySet<string> => new Set(attributes.flatMap(({ values }) => values)),
)
const facesOf = keptPer((attributes: readonly Attribute[]) => attributes.filter(isFace))

function doAgree(role: string, one: readonly Attribute[], other: readonly Attribute[]): boolean {
  if (!agree(role, valuesOf(one), valuesOf(other))) return false
  const [faces, others] = [facesOf(one), facesOf(other)]
  if (faces.length === 0 || others.length === 0) return true
  const [few, many] = faces.length <= others.length ? [faces, others] : [others, faces]
  return few.every((face) => many.some((candidate) => isWithin(role, face.values, candidate.values)))
}

/** Several numbers that belong together: a width and a height, conductors and their section. */
function isFace({ values, unit }: Attribute): boolean {
  return values.length > 1 && unit !== null
}

/**
 * Whether the values of one side are all among the other's. Numbers of some roles count as equal within the rounding
 * between systems (4 ft and 1.22 m, 5/8 in and 15.9 mm). Symmetric.
 */
export function agree(role: string, one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.isSubsetOf(other) || other.isSubsetOf(one)) return true
  const tolerance = toleranceOf(role)
  if (tolerance === 0) return false
  const areAmong = (some: ReadonlySet<string>, all: ReadonlySet<string>) =>
    [...some].every((value) => [...all].some((each) => areNear(value, each, tolerance)))
  return areAmong(one, other) || areAmong(other, one)
}

/** Whether each value of the shorter list has its own equal in the longer one, in any order: 100x120 is 120x100. */
function isWithin(role: string, one: readonly string[], other: readonly string[]): boolean {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one]
  const left = [...many]
  const tolerance = toleranceOf(role)
  return few.every((value) => {
    const at = left.findIndex((each) => value === each || areNear(value, each, tolerance))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

function areNear(one: string, other: string, tolerance: number): boolean {
  if (tolerance === 0) return false
  const [a, b] = [numberOf(one), numberOf(other)]
  if (a === null || b === null) return false
  return Math.abs(a - b) <= tolerance * Math.max(a, b)
}
const NUMBER = /^\d+(?:\/\d+)?$/

/** The number of a value; null for a code. Values repeat, and exact fractions are slow to read. */
export function numberOf(text: string): number | null {
  const kept = NUMBERS.get(text)
  if (kept !== undefined) return kept
  if (NUMBERS.size >= NUMBERS_MAX) NUMBERS.clear()
  const number = NUMBER.test(text) ? quotientOf(text) : null
  NUMBERS.set(text, number)
  return number
}
const NUMBERS = new Map<string, number | null>()
const NUMBERS_MAX = 10_000

function quotientOf(text: string): number {
  const { n, d } = parseRational(text)
  return Number(n) / Number(d)
}

const listed = keptPer((attributes: readonly Attribute[]) => valueTexts(attributes).join(', '))

/** The values for people, sorted: "60 x 48 in" reads "1524 x 1219 mm", and 3000 psi "21 MPa". */
export function valueTexts(attributes: readonly Attribute[]): readonly string[] {
  return [...new Set(attributes.map(valueText))].sort()
}

function valueText({ values, unit }: Attribute): string {
  const isShort = unit === 'm' && values.every((value) => (numberOf(value) ?? 1) < 1)
  const numbers = values.map((value) => {
    const number = numberOf(value)
    return number === null ? value : String(Number((number * (isShort ? 1000 : 1)).toPrecision(SHOWN_DIGITS)))
  })
  return [numbers.join(' x '), isShort ? 'mm' : unit].filter((part) => part !== null).join(' ')
}
const SHOWN_DIGITS = 4
