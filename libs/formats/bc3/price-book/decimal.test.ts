import { add, multiply, parseDecimal, type Rational, rational } from '@catalog/core/money/rational.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareDecimals,
  type Decimal,
  exceeds,
  formatDecimal,
  minus,
  plus,
  roundTo,
  times,
  toDecimal,
  withPercent,
} from './decimal.ts'

const number = (text: string) => toDecimal(text) as Decimal
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, places]): Decimal => ({ units, places }))
const asRational = ({ units, places }: Decimal): Rational => rational(units, 10n ** BigInt(places))

describe('an exact decimal', () => {
  test.each([
    ['-0.25', '-0.25'],
    ['007.50', '7.5'],
    ['0', '0'],
    ['-0.00', '0'],
    ['12', '12'],
    ['0.0000001', '0.0000001'],
  ])('reads %s', (text, written) => {
    expect(formatDecimal(number(text)).replace(/^0+(?=\d)/, '')).toBe(written)
  })

  test.each([null, '', '-', '.', '1,5', '1e5', '12 ', `1${'0'.repeat(60)}`])('refuses %j', (text) => {
    expect(toDecimal(text)).toBe(null)
  })

  test('is formatted with at least the given decimals', () => {
    expect([formatDecimal(number('1.50'), 2), formatDecimal(number('2'), 2), formatDecimal(number('-0.5'))]).toEqual([
      '1.50',
      '2.00',
      '-0.5',
    ])
  })

  test('adds, multiplies and compares as fractions do', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(asRational(plus(a, b))).toEqual(add(asRational(a), asRational(b)))
        expect(asRational(times(a, b))).toEqual(multiply(asRational(a), asRational(b)))
        expect(Math.sign(compareDecimals(a, b))).toBe(Number(minus(a, b).units > 0n) - Number(minus(a, b).units < 0n))
        expect(parseDecimal(formatDecimal(a))).toEqual(asRational(a))
      }),
    )
  })

  test.each([
    ['0.125', 2, '0.13'],
    ['0.1249', 2, '0.12'],
    ['-0.125', 2, '-0.13'],
    ['-0.1249', 2, '-0.12'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['1.2', 2, '1.2'],
    ['1.239', null, '1.239'],
  ])('%s to %s decimals is %s: half away from zero', (text, places, rounded) => {
    expect(formatDecimal(roundTo(number(text), places))).toBe(rounded)
  })

  test('turns a percentage into a factor, and compares its size', () => {
    expect(formatDecimal(times(number('200'), withPercent(number('2.5'))))).toBe('205')
    expect([exceeds(number('-999.9'), 3), exceeds(number('-1000'), 3)]).toEqual([false, true])
  })
})
