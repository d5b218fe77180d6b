import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  add,
  compare,
  divide,
  InvalidNumber,
  multiply,
  ONE,
  parseDecimal,
  parseRational,
  type Rational,
  rational,
  readNumber,
  roundHalfEven,
  toText,
} from './rational.ts'

const big = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
const positive = fc.bigInt({ min: 1n, max: 10n ** 12n })
const anyRational = fc.tuple(big, positive).map(([n, d]) => rational(n, d))
const nonZero = anyRational.filter((value) => value.n !== 0n)

describe('a rational', () => {
  test('has one form: equal numbers have equal n and d, and d is positive', () => {
    expect(rational(6n, -4n)).toEqual({ n: -3n, d: 2n })
    expect(rational(0n, -7n)).toEqual({ n: 0n, d: 1n })
    fc.assert(
      fc.property(anyRational, nonZero, (value, factor) => {
        expect(rational(value.n * factor.n, value.d * factor.n)).toEqual(value)
      }),
    )
  })

  test('refuses a denominator of zero', () => {
    expect(() => rational(1n, 0n)).toThrow(RangeError)
    expect(() => divide(ONE, rational(0n))).toThrow(RangeError)
  })

  test('keeps the laws of a field', () => {
    fc.assert(
      fc.property(anyRational, anyRational, nonZero, (a, b, c) => {
        expect(add(a, b)).toEqual(add(b, a))
        expect(multiply(add(a, b), c)).toEqual(add(multiply(a, c), multiply(b, c)))
        expect(multiply(divide(a, c), c)).toEqual(a)
        expect(multiply(a, ONE)).toEqual(a)
      }),
    )
  })

  test('has the order of the sign of its difference', () => {
    fc.assert(
      fc.property(anyRational, anyRational, (a, b) => {
        const difference = add(a, multiply(b, rational(-1n)))
        expect(Math.sign(compare(a, b))).toBe(difference.n < 0n ? -1 : difference.n > 0n ? 1 : 0)
      }),
    )
    expect(compare(parseDecimal('0.1'), parseDecimal('0.10'))).toBe(0)
    expect(compare(rational(1n, 3n), rational(1n, 2n))).toBe(-1)
  })

  test('has one spelling, which reads back as the same number', () => {
    expect(toText(rational(10n, 4n))).toBe('5/2')
    expect(toText(rational(8n, 4n))).toBe('2')
    expect(parseRational('-10/4')).toEqual(rational(-5n, 2n))
    fc.assert(
      fc.property(anyRational, (value) => {
        expect(parseRational(toText(value))).toEqual(value)
      }),
    )
  })

  test.each(['', '1/0', '1/-2', '1.5', 'x', ' 1', '1/', `${'9'.repeat(1001)}`])('is not read from %j', (text) => {
    expect(() => parseRational(text)).toThrow(InvalidNumber)
  })
})

describe('rounding', () => {
  test('gives the nearest integer, and the even one of a tie', () => {
    const cases: [string, bigint][] = [
      ['0.5', 0n],
      ['1.5', 2n],
      ['2.5', 2n],
      ['-0.5', 0n],
      ['-1.5', -2n],
      ['-2.5', -2n],
      ['2.4999', 2n],
      ['2.5001', 3n],
      ['-2.5001', -3n],
      ['7', 7n],
    ]
    for (const [text, rounded] of cases) expect([text, roundHalfEven(parseDecimal(text))]).toEqual([text, rounded])
  })

  test('errs by a half at most, and ties are even', () => {
    const half = rational(1n, 2n)
    const halves = big.map((n) => rational(n, 2n))
    fc.assert(
      fc.property(fc.oneof(anyRational, halves), (value) => {
        const rounded = roundHalfEven(value)
        const error = add(value, rational(-rounded))
        const distance: Rational = error.n < 0n ? rational(-error.n, error.d) : error
        expect(compare(distance, half)).toBeLessThanOrEqual(0)
        if (compare(distance, half) === 0) expect(rounded % 2n).toBe(0n)
      }),
    )
  })
})

describe('a plain decimal', () => {
  test('reads exactly', () => {
    expect(parseDecimal('0.1')).toEqual(rational(1n, 10n))
    expect(parseDecimal('-12.50')).toEqual(rational(-25n, 2n))
    fc.assert(
      fc.property(big, fc.integer({ min: 1, max: 18 }), (digits, places) => {
        const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
        const decimal = `${digits < 0n ? '-' : ''}${text.slice(0, -places)}.${text.slice(-places)}`
        expect(parseDecimal(decimal)).toEqual(rational(digits, 10n ** BigInt(places)))
      }),
    )
  })

  test.each(['', '.5', '5.', '1,5', '1e3', '+1', '0x10', '--1', '1 000'])('is not %j', (text) => {
    expect(() => parseDecimal(text)).toThrow(InvalidNumber)
  })
})

describe('a number as people write it', () => {
  test.each([
    ['1.234,56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1 234,5', '1234.5'],
    ['1\u202f234,5', '1234.5'],
    ["1'234.50", '1234.50'],
    ['1.234.567', '1234567'],
    ['12,5', '12.5'],
    ['12.50', '12.50'],
    ['1234.567', '1234.567'],
    ['1 234.567', '1234.567'],
    ['0.125', '0.125'],
    ['.5', '0.5'],
    ['007', '7'],
    ['1 234', '1234'],
    ['1,23,456.00', '123456.00'],
    ['12,34,567.5', '1234567.5'],
  ])('%j is %s', (text, decimal) => {
    expect(readNumber(text)).toBe(decimal)
  })

  test('with Indian groups has no decimal comma, and no other order of groups', () => {
    expect(readNumber('1,23,456.00', { decimal: '.' })).toBe('123456.00')
    expect(readNumber('1,23,456', { decimal: '.' })).toBe('123456')
    expect(readNumber('1,23,456.00', { decimal: ',' })).toBeNull()
    expect(readNumber('1,234,56.00')).toBeNull()
    expect(readNumber('1,23,45')).toBeNull()
  })

  test('with one mark before exactly three digits has two readings, and only the known decimal mark settles it', () => {
    expect(readNumber('1.234')).toBeNull()
    expect(readNumber('1,234')).toBeNull()
    expect(readNumber('1.234', { decimal: '.' })).toBe('1.234')
    expect(readNumber('1.234', { decimal: ',' })).toBe('1234')
    expect(readNumber('1,234', { decimal: '.' })).toBe('1234')
    expect(readNumber('1,234', { decimal: ',' })).toBe('1.234')
  })

  test.each([
    ['12,50', '.'],
    ['1.234,56', '.'],
    ['1,234.56', ','],
    ['1,234,567', ','],
    ['0.125', ','],
  ] as const)('%j contradicts the decimal mark %j', (text, decimal) => {
    expect(readNumber(text, { decimal })).toBeNull()
  })

  test.each([
    '',
    '.',
    '12 34',
    '1.23.456',
    '12.345.6',
    '1,23,456',
    '1e3',
    '12a',
    '5.',
    '-5',
    '0.123.456',
    '9'.repeat(41),
  ])('%j gives null', (text) => {
    expect(readNumber(text)).toBeNull()
  })

  test('reads back from each of four grouping conventions', () => {
    const conventions = [
      { group: '.', decimal: ',' },
      { group: ',', decimal: '.' },
      { group: ' ', decimal: ',' },
      { group: "'", decimal: '.' },
    ] as const
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.stringMatching(/^\d{0,6}$/),
        fc.constantFrom(...conventions),
        (whole, fraction, { group, decimal }) => {
          const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, group)
          const text = fraction === '' ? grouped : `${grouped}${decimal}${fraction}`
          expect(readNumber(text, { decimal })).toBe(fraction === '' ? String(whole) : `${whole}.${fraction}`)
        },
      ),
    )
  })
})
