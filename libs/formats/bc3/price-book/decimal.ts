/**
 * An exact decimal number, `units` of 10^-places. FIEBDC prices, factors and yields are decimals and what is computed of
 * them is their sum and product: nothing is ever divided, so no common divisor has to be looked for as in fractions.
 */
export type Exact = Readonly<{ units: bigint; places: number }>

export const ZERO: Exact = { units: 0n, places: 0 }
export const UNIT: Exact = { units: 1n, places: 0 }

/** Characters of a number; a longer one is no price and no yield, and would take quadratic time. */
const NUMBER_CHARS_MAX = 60

/** The number that a plain decimal writes ("-0.25", "3"); null for a blank or null text and for anything else. */
export function exact(text: string | null): Exact | null {
  if (text === null || text.length > NUMBER_CHARS_MAX) return null
  const point = text.indexOf('.')
  const digits = point === -1 ? text : text.slice(0, point) + text.slice(point + 1)
  if (!/^-?\d+$/.test(digits)) return null
  return { units: BigInt(digits), places: point === -1 ? 0 : text.length - point - 1 }
}

export function plus(a: Exact, b: Exact): Exact {
  if (a.places === b.places) return { units: a.units + b.units, places: a.places }
  const places = Math.max(a.places, b.places)
  return { units: unitsAt(a, places) + unitsAt(b, places), places }
}

export function minus(a: Exact, b: Exact): Exact {
  return plus(a, { units: -b.units, places: b.places })
}

export function times(a: Exact, b: Exact): Exact {
  return { units: a.units * b.units, places: a.places + b.places }
}

/** Negative, zero or positive as a is below, equal to or above b. */
export function compareExact(a: Exact, b: Exact): number {
  const { units } = minus(a, b)
  return units < 0n ? -1 : units > 0n ? 1 : 0
}

/** To so many decimals at most, half away from zero; null leaves it as it is. */
export function roundedTo(value: Exact, places: number | null): Exact {
  if (places === null || value.places <= places) return value
  const unit = powerOfTen(value.places - places)
  const away = value.units < 0n ? -unit : unit
  return { units: (2n * value.units + away) / (2n * unit), places }
}

/** Per cent as a factor: 1 + percent/100. */
export function withPercent({ units, places }: Exact): Exact {
  return plus(UNIT, { units, places: places + 2 })
}

/** Whether a number has more than so many digits before its point. */
export function exceeds({ units, places }: Exact, digits: number): boolean {
  const limit = powerOfTen(digits + places)
  return units >= limit || -units >= limit
}

/** Plain digits with a point, with so many decimals at least and no zeros at the end beyond them. */
export function exactText({ units, places }: Exact, placesMin = 0): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits
    .slice(digits.length - places)
    .replace(/0+$/, '')
    .padEnd(placesMin, '0')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function unitsAt({ units, places }: Exact, wanted: number): bigint {
  return places === wanted ? units : units * powerOfTen(wanted - places)
}

const POWERS: bigint[] = [1n]
function powerOfTen(exponent: number): bigint {
  for (let n = POWERS.length; n <= exponent; n++) POWERS.push((POWERS[n - 1] as bigint) * 10n)
  return POWERS[exponent] as bigint
}
