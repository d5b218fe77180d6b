import type { SourceKind } from '@catalog/core/events/sources.ts'
import { compare, rational } from '@catalog/core/money/rational.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PricedObservation, priceAt, type VerdictInput, verdicts } from './verdict.ts'

type Say = Partial<PricedObservation>

/** One observation a day, with ids d1, d2 ... by default. */
const on = (day: number, cents: number, say: Say = {}): PricedObservation => ({
  observationId: `d${day}`,
  observedAtMs: day * DAY_MS,
  currency: 'EUR',
  price: rational(BigInt(cents)),
  minQuantity: null,
  override: null,
  ...say,
})
const eur = (cents: number) => ({ currency: 'EUR', price: rational(BigInt(cents)) })

const judged = (observations: readonly PricedObservation[], say: Partial<VerdictInput> = {}) => {
  const { excluded, flagged } = verdicts({ observations, kind: 'shop', otherPrices: [], ...say })
  return { excluded: Object.fromEntries(excluded), flagged: Object.fromEntries(flagged) }
}
const excludedOf = (observations: readonly PricedObservation[], say: Partial<VerdictInput> = {}) =>
  judged(observations, say).excluded

describe('the fence', () => {
  test.each<{ kind: SourceKind; before: number; after: number; suspect: boolean }>([
    { kind: 'shop', before: 100, after: 300, suspect: false },
    { kind: 'shop', before: 100, after: 301, suspect: true },
    { kind: 'shop', before: 300, after: 100, suspect: false },
    { kind: 'shop', before: 301, after: 100, suspect: true },
    { kind: 'bank', before: 100, after: 500, suspect: false },
    { kind: 'bank', before: 100, after: 501, suspect: true },
    { kind: 'bank', before: 501, after: 100, suspect: true },
    { kind: 'bid', before: 100, after: 1_000_000, suspect: false },
  ])('of a $kind: $before then $after is suspect: $suspect', ({ kind, before, after, suspect }) => {
    expect(excludedOf([on(1, before), on(2, after)], { kind })).toEqual(suspect ? { d2: 'PRICE_FENCE' } : {})
  })

  test('excludes a slip of the decimal mark, and keeps the prices before and after it', () => {
    expect(excludedOf([on(1, 100), on(2, 1000), on(3, 102)])).toEqual({ d2: 'PRICE_FENCE' })
  })

  test('a price is compared with the last accepted one, not with a suspect one', () => {
    expect(excludedOf([on(1, 100), on(2, 1000), on(3, 20), on(4, 110)])).toEqual({
      d2: 'PRICE_FENCE',
      d3: 'PRICE_FENCE',
    })
  })

  test('two in a row that agree are a new level', () => {
    expect(excludedOf([on(1, 100), on(2, 1000), on(3, 1010)])).toEqual({})
    expect(excludedOf([on(1, 100), on(2, 1000), on(3, 1010), on(4, 101)])).toEqual({ d4: 'PRICE_FENCE' })
  })

  test('the same slip made twice, with right prices between, does not confirm itself', () => {
    expect(excludedOf([on(1, 100), on(2, 1000), on(3, 100), on(4, 1000)])).toEqual({
      d2: 'PRICE_FENCE',
      d4: 'PRICE_FENCE',
    })
  })

  test("another source's price within the factor lifts the suspicion", () => {
    const observations = [on(1, 100), on(2, 1000)]
    expect(excludedOf(observations, { otherPrices: [eur(334)] })).toEqual({})
    expect(excludedOf(observations, { otherPrices: [eur(3000), eur(9)] })).toEqual({})
    expect(excludedOf(observations, { otherPrices: [eur(333)] })).toEqual({ d2: 'PRICE_FENCE' })
    expect(excludedOf(observations, { otherPrices: [{ currency: 'USD', price: rational(1000n) }] })).toEqual({
      d2: 'PRICE_FENCE',
    })
  })

  test('prices are compared exactly, fractions included', () => {
    const third = on(1, 0, { price: rational(100n, 3n) })
    expect(excludedOf([third, on(2, 100)])).toEqual({})
    expect(excludedOf([third, on(2, 0, { price: rational(1001n, 10n) })])).toEqual({ d2: 'PRICE_FENCE' })
  })

  test('a change of currency starts a new comparison, and each currency keeps its own', () => {
    expect(excludedOf([on(1, 100), on(2, 90_000, { currency: 'CLP' })])).toEqual({})
    expect(excludedOf([on(1, 100), on(2, 90_000, { currency: 'CLP' }), on(3, 1000)])).toEqual({ d3: 'PRICE_FENCE' })
  })

  test('an instant is judged by the lower median of its prices, and as a whole', () => {
    const bids = [on(2, 50), on(2, 120, { observationId: 'd2b' }), on(2, 9000, { observationId: 'd2c' })]
    expect(excludedOf([on(1, 100), ...bids])).toEqual({})
    const far = [on(2, 50), on(2, 9000, { observationId: 'd2b' }), on(2, 9001, { observationId: 'd2c' })]
    expect(excludedOf([on(1, 100), ...far])).toEqual({ d2: 'PRICE_FENCE', d2b: 'PRICE_FENCE', d2c: 'PRICE_FENCE' })
  })
})

describe('people outrank the fence', () => {
  test('a quarantined observation is excluded, and takes no part in comparisons', () => {
    expect(excludedOf([on(1, 1000, { override: 'quarantined' }), on(2, 100)])).toEqual({ d1: 'QUARANTINED' })
    expect(excludedOf([on(1, 100), on(2, 1000), on(3, 1000, { override: 'quarantined' })])).toEqual({
      d2: 'PRICE_FENCE',
      d3: 'QUARANTINED',
    })
    expect(excludedOf([on(1, 100, { override: 'quarantined' })], { kind: 'bid' })).toEqual({ d1: 'QUARANTINED' })
  })

  test('a released observation is accepted, and is the level for the next ones', () => {
    expect(excludedOf([on(1, 100), on(2, 1000, { override: 'released' }), on(3, 250)])).toEqual({ d3: 'PRICE_FENCE' })
    expect(excludedOf([on(1, 100), on(2, 1000, { override: 'released' }), on(3, 400)])).toEqual({})
  })

  test('a release accepts one observation of a suspect instant, not the others', () => {
    const instant = [on(2, 1000), on(2, 1100, { observationId: 'd2b', override: 'released' })]
    expect(excludedOf([on(1, 100), ...instant])).toEqual({ d2: 'PRICE_FENCE' })
  })
})

describe('a first price', () => {
  test('far from all other sources is flagged, and votes', () => {
    expect(judged([on(1, 1000)], { otherPrices: [eur(100), eur(90)] })).toEqual({
      excluded: {},
      flagged: { d1: 'FIRST_PRICE_FAR' },
    })
  })

  test('near one other source is not', () => {
    expect(judged([on(1, 1000)], { otherPrices: [eur(100), eur(400)] }).flagged).toEqual({})
  })

  test('is not flagged without other prices in its currency, for bids, or after a release by a person', () => {
    expect(judged([on(1, 1000)]).flagged).toEqual({})
    expect(judged([on(1, 1000)], { otherPrices: [{ currency: 'USD', price: rational(1n) }] }).flagged).toEqual({})
    expect(judged([on(1, 1000)], { otherPrices: [eur(1)], kind: 'bid' }).flagged).toEqual({})
    expect(judged([on(1, 1000, { override: 'released' })], { otherPrices: [eur(1)] }).flagged).toEqual({})
  })

  test('is no longer flagged when a second one follows', () => {
    expect(judged([on(1, 1000), on(2, 1000)], { otherPrices: [eur(1)] }).flagged).toEqual({})
  })
})

test("bounds of the judges' prices change no verdict", () => {
  const KINDS = ['shop', 'bank', 'bid'] as const
  const judge = fc.record({
    price: fc.constantFrom(20, 90, 100, 110, 290, 310, 990, 1010, 3100).map((cents) => rational(BigInt(cents))),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
    weight: fc.integer({ min: 1, max: 100 }),
    regions: fc.constantFrom(['ES', 'EU'], ['EU'], ['MX'], []),
    recordedAtMs: fc.integer({ min: 0, max: 2 }),
    isEstablished: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(judge, { maxLength: 6 }),
      fc.constantFrom(...KINDS),
      fc.constantFrom(['ES', 'EU'], ['US']),
      fc.array(fc.constantFrom(100, 105, 400), { minLength: 1, maxLength: 3 }),
      (others, kind, regions, cents) => {
        const prices = others.map(({ price }) => price).sort(compare)
        const bounds = [...prices.slice(0, 1), ...prices.slice(-1)]
        const observations = cents.map((one, day) => on(day + 1, one, { recordedAtMs: 1 }))
        const say = { kind, otherPrices: others }
        expect(judged(observations, { ...say, guard: { others, regions, bounds } })).toEqual(
          judged(observations, { ...say, guard: { others, regions } }),
        )
      },
    ),
  )
})

describe('the price at an instant', () => {
  const idOf = (...observations: PricedObservation[]) => priceAt(observations).observationId

  test('is the lower median', () => {
    const [a, b, c, d] = [10, 20, 30, 40].map((cents) => on(1, cents, { observationId: `p${cents}` }))
    if (!a || !b || !c || !d) throw new Error('expected four observations')
    expect(idOf(c)).toBe('p30')
    expect(idOf(d, a)).toBe('p10')
    expect(idOf(c, a, b)).toBe('p20')
    expect(idOf(d, c, b, a)).toBe('p20')
  })

  test('is that of the smallest quantity, however written; no minimum is smaller than any', () => {
    const pallet = on(1, 70, { observationId: 'pallet', minQuantity: '48' })
    const bag = on(1, 100, { observationId: 'bag', minQuantity: '6' })
    const bagToo = on(1, 90, { observationId: 'bagToo', minQuantity: '6.00' })
    const any = on(1, 120, { observationId: 'any' })
    expect(idOf(pallet, bag)).toBe('bag')
    expect(idOf(pallet, bag, bagToo)).toBe('bagToo')
    expect(idOf(pallet, any, bag)).toBe('any')
  })

  test('of equal prices, the smallest observation id stands for them', () => {
    expect(idOf(on(1, 10, { observationId: 'b' }), on(1, 10, { observationId: 'a' }))).toBe('a')
  })

  test('refuses an empty list of observations', () => {
    expect(() => priceAt([])).toThrow('expected one or more')
  })
})
