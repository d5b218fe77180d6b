import { exponentOf } from '@catalog/core/money/money.ts'
import { compare, multiply, type Rational, rational } from '@catalog/core/money/rational.ts'

/** Amounts of money in the lines of a recipe, rounded as the programs of price books round. */

export const ZERO = rational(0n)

/** Finer than any price of a file, and coarse enough that numbers do not grow from level to level. */
export const UNROUNDED_PLACES = 30

/** Largest amount of a line, in major units. Greater ones are mistakes, and would grow with each percentage. */
const AMOUNT_LIMIT = rational(10n ** 30n)

/** Decimals of amounts: two, also for pesetas as in the programs of the trade, or more if the currency has more. */
export function amountPlaces(currency: string): number {
  return Math.max(AMOUNT_PLACES_MIN, exponentOf(currency) ?? 0)
}
const AMOUNT_PLACES_MIN = 2

/** price × quantity, rounded; null at or above the limit of amounts. */
export function amountOf(price: Rational, quantity: Rational, { places, rounding }: Precision): Rational | null {
  const amount = rounded(multiply(price, quantity), places, rounding)
  return compare(amount.n < 0n ? rational(-amount.n, amount.d) : amount, AMOUNT_LIMIT) < 0 ? amount : null
}

/** half: away from zero, as the programs of the trade round; down: towards zero, which cuts further decimals off. */
type Rounding = 'half' | 'down'

/** How amounts are rounded, and to how many decimals. */
export type Precision = Readonly<{ places: number; rounding: Rounding }>

export function rounded(value: Rational, places: number, rounding: Rounding = 'half'): Rational {
  const scale = 10n ** BigInt(places)
  if (rounding === 'down') return rational((value.n * scale) / value.d, scale)
  const n = value.n * scale * 2n
  const away = n < 0n ? n - value.d : n + value.d
  return rational(away / (2n * value.d), scale)
}

/** A plain decimal, rounded to `places` decimals. It keeps at least `least` decimals and drops trailing zeros beyond. */
export function decimalText(value: Rational, { places, least = places }: { places: number; least?: number }): string {
  const { n, d } = rounded(value, places)
  const digits = ((n < 0n ? -n : n) * (10n ** BigInt(places) / d)).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  let fraction = places === 0 ? '' : digits.slice(-places)
  while (fraction.length > least && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  return `${n < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
