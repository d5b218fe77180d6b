import { NUMBER_CHARS_MAX } from '@catalog/formats/bc3/number.ts'

/**
 * An exact decimal number: `units` × 10^-places. Sums and products of FIEBDC prices, factors and yields need no
 * division, so decimals suffice and spare the common divisors of fractions.
 */
export type Decimal = Readonly<{ units: bigint; places: number }>

export const ZERO: Decimal = { units: 0n, places: 0 }
export const ONE: Decimal = { units: 1n, places: 0 }

/**
 * Parses a plain decimal ("-0.25", "3"); null for any other text. Long texts are refused: they would take quadratic
 * time.
 */
export function toDecimal(text: string | null): Decimal | null {
  if (text === null || text.length > NUMBER_CHARS_MAX) return null
  const point = text.indexOf('.')
  const digits = point === -1 ? text : text.slice(0, point) + text.slice(point + 1)
  if (!/^-?\d+$/.test(digits)) return null
  return { units: BigInt(digits), places: point === -1 ? 0 : text.length - point - 1 }
}

export function plus(a: Decimal, b: Decimal): Decimal {
  if (a.places === b.places) return { units: a.units + b.units, places: a.places }
  const places = Math.max(a.places, b.places)
  return { units: unitsAt(a, places) + unitsAt(b, places), places }
}

export function minus(a: Decimal, b: Decimal): Decimal {
  return plus(a, { units: -b.units, places: b.places })
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, places: a.places + b.places }
}

/** Negative, zero or positive as a is below, equal to or above b. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const { units } = minus(a, b)
  return units < 0n ? -1 : units > 0n ? 1 : 0
}

/** Rounds to at most `places` decimals, half away from zero; null keeps the value. */
export function roundTo(value: Decimal, places: number | null): Decimal {
  if (places === null || value.places <= places) return value
  const unit = powerOfTen(value.places - places)
  const away = value.units < 0n ? -unit : unit
  return { units: (2n * value.units + away) / (2n * unit), places }
}

/** The factor 1 + percent/100. */
export function withPercent({ units, places }: Decimal): Decimal {
  return plus(ONE, { units, places: places + 2 })
}

/** Whether a number has more than `digits` digits before its point. */
export function exceeds({ units, places }: Decimal, digits: number): boolean {
  const limit = powerOfTen(digits + places)
  return units >= limit || -units >= limit
}

/** Plain digits with a point, at least `placesMin` decimals and no trailing zeros beyond them. */
export function formatDecimal({ units, places }: Decimal, placesMin = 0): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits
    .slice(digits.length - places)
    .replace(/0+$/, '')
    .padEnd(placesMin, '0')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function unitsAt({ units, places }: Decimal, wanted: number): bigint {
  return places === wanted ? units : units * powerOfTen(wanted - places)
}

const POWERS: bigint[] = [1n]
function powerOfTen(exponent: number): bigint {
  for (let n = POWERS.length; n <= exponent; n++) POWERS.push((POWERS[n - 1] as bigint) * 10n)
  return POWERS[exponent] as bigint
}
