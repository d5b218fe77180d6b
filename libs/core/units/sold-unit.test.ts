import {
  compare,
  divide,
  multiply,
  ONE,
  parseDecimal,
  type Rational,
  rational,
  roundHalfEven,
  toText,
} from '@catalog/core/money/rational.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversionFactor, isOfUnknownContents, pricePerUnit, type SoldUnit, soldUnit } from './sold-unit.ts'
import type { UnitContext } from './unit.ts'

const sold = (unit: string | null, pack?: { quantity: string; unit: string }, context: UnitContext = {}) =>
  soldUnit({ unit, pack, ...context })
const factor = (from: string | null, to: string | null, context: UnitContext = {}) => {
  const found = conversionFactor(sold(from, undefined, context), sold(to, undefined, context))
  return found && toText(found)
}

describe('the sold unit', () => {
  const bag25 = { quantity: '25', unit: 'kg' }

  test.each([
    ['m²', undefined, 'm²', 'area:1'],
    ['Ud.', undefined, 'u', 'count:1'],
    ['saco', undefined, 'bag', 'count:bag:1'],
    ['saco', bag25, '25 kg', 'mass:25'],
    ['saco 20 kg', bag25, '25 kg', 'mass:25'],
    ['saco 25 kg', undefined, '25 kg', 'mass:25'],
    ['ud', bag25, '25 kg', 'mass:25'],
    [null, bag25, '25 kg', 'mass:25'],
    ['Gebinde', bag25, '25 kg', 'mass:25'],
    ['m²', { quantity: '1.44', unit: 'm²' }, 'm²', 'area:1'],
    ['box', { quantity: '1.440', unit: 'm²' }, '1.44 m²', 'area:36/25'],
    ['tube', { quantity: '300', unit: 'ml' }, '300 ml', 'volume:3/10000'],
    ['Palette', { quantity: '10', unit: 'saco' }, '10 bag', 'count:bag:10'],
    ['100 m', undefined, '100 m', 'length:100'],
    ['caja', { quantity: '100', unit: 'u' }, '100 u', 'count:100'],
  ] as const)('of %j with %j shows %j', (unit, pack, label, key) => {
    expect(sold(unit, pack, { lang: 'es' })).toMatchObject({ label, key })
  })

  test('of an unknown unit shows the text of the vendor and has no quantity', () => {
    expect(sold('  Foo  Bar ')).toEqual({
      label: 'Foo  Bar',
      dimension: null,
      quantity: null,
      key: sold('foo bar').key,
    })
    expect(sold(null)).toEqual({ label: null, dimension: null, quantity: null, key: sold('').key })
    expect(sold('bag', { quantity: '25', unit: 'foo' })).toMatchObject({ quantity: null, label: 'bag 25 foo' })
    expect(sold('bag', { quantity: '0', unit: 'kg' }).quantity).toBeNull()
    expect(sold('count:1').key).not.toBe(sold('u').key)
  })

  test('is the same when its label is parsed again, whatever its language', () => {
    const units = fc.constantFrom(
      null,
      'saco',
      'Sack 25 kg',
      'ml',
      'mL',
      'ton',
      '100 Stück',
      'rollo 50 ml',
      'm²',
      'lt',
      'par',
      'foo',
      'PA',
      'gl',
      '3 x 0,411 l',
    )
    const packs = fc.option(
      fc.record({
        quantity: fc.constantFrom('25', '1.440', '0', '12'),
        unit: fc.constantFrom('kg', 'ml', 'ton', 'foo', 'saco', 'par'),
      }),
    )
    const langs = fc.constantFrom('es', 'en', 'pt', 'fr', 'de', 'it', undefined)
    fc.assert(
      fc.property(units, packs, langs, (unit, pack, lang) => {
        const first = soldUnit({ unit, pack, lang })
        expect(soldUnit({ unit: first.label }).key).toBe(first.key)
      }),
      { numRuns: 1000 },
    )
  })

  test('of a hundred pieces with a pack is open: the pack may belong to one or to all', () => {
    expect(sold('100 u', bag25).quantity).toBeNull()
    expect(sold('100 u', { quantity: '100', unit: 'u' }).key).toBe('count:100')
  })
})

describe('the factor between two prices', () => {
  test.each([
    ['t', 'kg', '1/1000'],
    ['kg', 't', '1000'],
    ['saco 25 kg', 'kg', '1/25'],
    ['100 m', 'm', '1/100'],
    ['LF', 'm', '1250/381'],
    ['caja 25 u', 'u', '1/25'],
    ['pair', 'u', '1/2'],
    ['10 cajas', 'caja', '1/10'],
    [null, null, '1'],
    ['foo', ' FOO ', '1'],
    ['bag', 'Sack', '1'],
    ['bag', 'roll', null],
    ['bag', 'u', null],
    ['kg', 'l', null],
    ['foo', 'bar 6 m', null],
    ['foo', 'u', null],
    [null, 'u', null],
    ['h', 'day', null],
  ])('per %j to per %j is %s', (from, to, expected) => {
    expect(factor(from, to)).toBe(expected)
  })

  test('is exact: its inverse cancels it, and a detour changes nothing', () => {
    const units = fc.constantFrom('m', 'ft', 'yd', 'km', '100 m', 'in', 'rollo 50 m')
    fc.assert(
      fc.property(units, units, units, (a, b, c) => {
        const step = (from: string, to: string) => conversionFactor(sold(from), sold(to)) ?? rational(0n)
        expect(multiply(step(a, b), step(b, a))).toEqual(ONE)
        expect(multiply(step(a, b), step(b, c))).toEqual(step(a, c))
      }),
    )
  })
})

describe('the price of a unit', () => {
  const priceOf = (cents: number, perQuantity: number, from: SoldUnit, to: SoldUnit, taxFactor: Rational = ONE) =>
    pricePerUnit({ cents, perQuantity, taxFactor }, conversionFactor(from, to) as Rational)

  test.each([
    [1250, 1, 'saco 25 kg', 'kg', '50'],
    [1250, 1, 'saco 25 kg', 't', '50000'],
    [999, 1, '1000 u', 'u', '999/1000'],
    [999, 1000, 'u', '1000 u', '999'],
    [17500, 1, 'short ton', 'kg', '17500000/907185'],
    [100, 1, 'LF', 'm', '125000/381'],
    [5000, 1, 'rollo 100 m', '100 ft', '1524'],
    [12345, 100, 'kg', 'kg', '2469/20'],
    [Number.MAX_SAFE_INTEGER, 1, 'kg', 'lb', '408559685702019984383867/100000000'],
  ] as const)('%d cents for %d of %j is per %j exactly %s', (cents, perQuantity, from, to, expected) => {
    const price = priceOf(cents, perQuantity, sold(from), sold(to))
    // The short ton is the one factor whose fraction is too long to write by hand.
    if (from === 'short ton') expect(price).toEqual(divide(rational(17500n), parseDecimal('907.18474')))
    else expect(toText(price)).toBe(expected)
  })

  const units = fc
    .constantFrom('m', 'ft', '100 m', 'CLF', 'rollo 50 m', 'yd', 'barra 6 m', 'km', 'in')
    .map((u) => sold(u))
  const cents = fc.integer({ min: 1, max: 1_000_000_000 })
  const perQuantities = fc.integer({ min: 1, max: 100_000 })

  test('law: the same goods cost the same money in every unit', () => {
    fc.assert(
      fc.property(cents, perQuantities, units, units, (money, perQuantity, from, to) => {
        const metres = from.quantity as Rational
        const inTo = divide(metres, to.quantity as Rational)
        const total = multiply(priceOf(money, perQuantity, from, to), multiply(inTo, rational(BigInt(perQuantity))))
        expect(total).toEqual(rational(BigInt(money)))
      }),
    )
  })

  test('law: a detour by a third unit changes nothing, and neither does twice as much for twice the money', () => {
    fc.assert(
      fc.property(cents, perQuantities, units, units, units, (money, perQuantity, a, b, c) => {
        const direct = priceOf(money, perQuantity, a, c)
        const detour = multiply(priceOf(money, perQuantity, a, b), conversionFactor(b, c) as Rational)
        expect(detour).toEqual(direct)
        expect(priceOf(2 * money, 2 * perQuantity, a, c)).toEqual(direct)
      }),
    )
  })

  test('law: net prices are exact, and conversion keeps their order', () => {
    const rates = fc.constantFrom('0.21', '0.19', '0.2', '0.055', '0')
    fc.assert(
      fc.property(cents, cents, rates, units, units, (less, more, rate, from, to) => {
        const taxFactor = multiply(rational(1000n + BigInt(Math.round(Number(rate) * 1000))), rational(1n, 1000n))
        const net = priceOf(less, 1, from, to, taxFactor)
        expect(multiply(net, taxFactor)).toEqual(priceOf(less, 1, from, to))
        expect(Math.sign(compare(net, priceOf(more, 1, from, to, taxFactor)))).toBe(Math.sign(less - more))
      }),
    )
  })

  test('law: rounding it once is never more than half a cent off, however many conversions came before', () => {
    fc.assert(
      fc.property(cents, perQuantities, fc.array(units, { minLength: 2, maxLength: 6 }), (money, perQuantity, path) => {
        const [from, ...others] = path as [SoldUnit, ...SoldUnit[]]
        const to = others.at(-1) as SoldUnit
        const converted = path.slice(1).reduce(
          ({ price, unit }, next) => ({
            price: multiply(price, conversionFactor(unit, next) as Rational),
            unit: next,
          }),
          { price: rational(BigInt(money), BigInt(perQuantity)), unit: from },
        ).price
        const once = roundHalfEven(priceOf(money, perQuantity, from, to))
        expect(roundHalfEven(converted)).toBe(once)
        const twiceOff = 2 * Math.abs(Number(once) - Number(converted.n) / Number(converted.d))
        expect(twiceOff).toBeLessThanOrEqual(1 + Number(once) * 1e-12)
      }),
    )
  })
})

test('sheets, bars and rolls count as pieces; a bag does not', () => {
  const factor = (from: string, to: string) => conversionFactor(soldUnit({ unit: from }), soldUnit({ unit: to }))
  expect(factor('placa', 'ud')).toEqual(ONE)
  expect(factor('10 sets', 'ud')).toEqual(rational(1n, 10n))
  expect(factor('saco', 'ud')).toBeNull()
  // The unit still leaves the contents open.
  const isOpen = (unit: string) => isOfUnknownContents(soldUnit({ unit }))
  expect(['roll', '10 sets', 'bag', 'ud', 'dozen', 'm', '25 kg', 'zzz'].map(isOpen)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
