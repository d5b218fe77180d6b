/**
 * Exact numbers. Every price, pack and unit factor between an observation and its median is one of these, so that only
 * the published cent is rounded. Always in lowest terms with d > 0, so equal numbers have equal n and d.
 */
export type Rational = Readonly<{ n: bigint; d: bigint }>

/** n/d in lowest terms. Throws RangeError when d is zero. */
export function rational(n: bigint, d: bigint = 1n): Rational {
  if (d === 0n) throw new RangeError(`rational ${n}/0: the denominator must not be zero`)
  const divisor = greatestCommonDivisor(n < 0n ? -n : n, d < 0n ? -d : d) * (d < 0n ? -1n : 1n)
  return { n: n / divisor, d: d / divisor }
}

export const ONE: Rational = rational(1n)

/** The number of a plain decimal: digits, optional point and sign. Throws InvalidNumber on anything else. */
export function parseDecimal(text: string): Rational {
  const match = text.length <= TEXT_LENGTH_MAX ? /^(-?\d+)(?:\.(\d+))?$/.exec(text) : null
  if (!match) throw new InvalidNumber(`${quoted(text)}: expected a plain decimal such as 12.50`)
  const fraction = match[2] ?? ''
  return rational(BigInt(`${match[1]}${fraction}`), 10n ** BigInt(fraction.length))
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.n * b.d + b.n * a.d, a.d * b.d)
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.n * b.n, a.d * b.d)
}

/** a/b. Throws RangeError when b is zero. */
export function divide(a: Rational, b: Rational): Rational {
  return rational(a.n * b.d, a.d * b.n)
}

/** An amount of minor units in major ones, exactly; `decimals` is the exponent of the currency. */
export function majorOf(minor: Rational, decimals: number): Rational {
  return rational(minor.n, minor.d * 10n ** BigInt(decimals))
}

/** Negative, zero or positive as a is below, equal to or above b; a comparator for sorting. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The nearest integer; a tie goes to the even one, so that rounding many prices favours neither side. */
export function roundHalfEven(value: Rational): bigint {
  const towardZero = value.n / value.d
  const remainder = value.n % value.d
  const twice = remainder < 0n ? -2n * remainder : 2n * remainder
  if (twice < value.d || (twice === value.d && towardZero % 2n === 0n)) return towardZero
  return value.n < 0n ? towardZero - 1n : towardZero + 1n
}

/** "n/d", or "n" for an integer: the one spelling of the number, read back by {@link parseRational}. */
export function toText(value: Rational): string {
  return value.d === 1n ? String(value.n) : `${value.n}/${value.d}`
}

/** Reads "n" or "n/d", in lowest terms or not. Throws InvalidNumber on anything else, a zero denominator included. */
export function parseRational(text: string): Rational {
  const match = text.length <= TEXT_LENGTH_MAX ? /^(-?\d+)(?:\/(\d+))?$/.exec(text) : null
  const d = BigInt(match?.[2] ?? '1')
  if (!match || d === 0n) throw new InvalidNumber(`${quoted(text)}: expected a fraction such as 5/4`)
  return rational(BigInt(match[1] as string), d)
}

/**
 * The plain decimal behind "1.234,56", "1,234.56", "1 234,5", "1'234.50", "1,23,456.00", "12,5" or ".5"; no sign, no
 * currency. Of two kinds of marks the last is the decimal one; a repeated mark groups thousands. One mark before exactly
 * three digits ("1.234") is ambiguous and gives null, unless `decimal` names the decimal mark or a leading zero decides ("0.125").
 * Anything that no convention writes gives null too.
 */
export function readNumber(
  text: string,
  { decimal }: { readonly decimal?: '.' | ',' | undefined } = {},
): string | null {
  if (text.length > NUMBER_LENGTH_MAX) return null
  if (INDIAN.test(text) && decimal !== ',' && (decimal === '.' || text.includes('.')))
    return readNumber(text.replaceAll(',', ''), { decimal: '.' })
  const written = text.replace(/[\s\u00a0\u202f\u2009]/g, ' ').replace(/[’´`]/g, "'")
  const match =
    /^(?<whole>\d{1,3}(?<group>[ '.,])\d{3}(?:\k<group>\d{3})*|\d*)(?:(?<mark>[.,])(?<fraction>\d+))?$/.exec(written)
  const { whole = '', group, mark, fraction } = match?.groups ?? {}
  if (!match || (whole === '' && mark === undefined)) return null
  if (mark !== undefined) {
    const agrees = mark !== group && (decimal === undefined || mark === decimal)
    return agrees ? plain(whole, fraction) : null
  }
  if (group !== '.' && group !== ',') return plain(whole)
  // The pattern took a mark before three digits as a group; this decides whether it is one.
  const [before = '', ...groups] = whole.split(group)
  const isDecimal = groups.length === 1 && (group === decimal || (decimal === undefined && before === '0'))
  if (isDecimal) return plain(before, groups[0])
  const isGrouped = !before.startsWith('0') && group !== decimal && (decimal !== undefined || groups.length > 1)
  return isGrouped ? plain(whole) : null
}

/** Lakhs and crores group by two digits above the thousands: "1,23,456.00". Without decimals it may be a list of numbers. */
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/

function plain(whole: string, fraction = ''): string {
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0'
  return fraction === '' ? digits : `${digits}.${fraction}`
}

/** Longer texts are no numbers of this domain, and their conversion would take quadratic time. */
const TEXT_LENGTH_MAX = 1000
const NUMBER_LENGTH_MAX = 40

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

export class InvalidNumber extends Error {
  override name = 'InvalidNumber'
}
