import { add, compare, multiply, ONE, type Rational, rational, roundHalfEven } from '@catalog/core/money/rational.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WeightedPrice } from './median.ts'
import { geometricMidmean } from './midmean.ts'

type Pair = readonly [price: number, weight: number]
const votesOf = (...pairs: readonly Pair[]): WeightedPrice[] =>
  pairs.map(([price, weight]) => ({ price: rational(BigInt(price)), weight }))

describe('hand cases', () => {
  test.each<{ shows: string; votes: Pair[]; cents: bigint | null }>([
    { shows: 'a lone vote decides', votes: [[777, 3]], cents: 777n },
    {
      // Half of either vote remains: √(100 · 400).
      shows: 'two equal votes give their geometric mean',
      votes: [
        [100, 1],
        [400, 1],
      ],
      cents: 200n,
    },
    {
      // T = 4: the quarters are just the first and the last vote; √(200 · 800).
      shows: 'of four equal votes the outer ones are cut off',
      votes: [
        [1, 1],
        [200, 1],
        [800, 1],
        [999_999, 1],
      ],
      cents: 400n,
    },
    {
      // T = 3: shares 1, 4, 1 of 6; (100 · 800^4 · 6400)^(1/6) = 800.
      shows: 'a quarter that ends within a vote cuts through it',
      votes: [
        [100, 1],
        [800, 1],
        [6400, 1],
      ],
      cents: 800n,
    },
    {
      // T = 4: 100 keeps 8 − 4 of 8, 1600 the rest: √(100 · 1600).
      shows: 'equal prices add up',
      votes: [
        [1600, 2],
        [100, 1],
        [100, 1],
      ],
      cents: 400n,
    },
    {
      // T = 100: 300 has 75 of the trust, from 100 to 400 of four times it, which covers all from T to 3T.
      shows: 'whoever has three quarters of the trust decides alone',
      votes: [
        [1, 25],
        [300, 75],
      ],
      cents: 300n,
    },
    {
      // One point less: shares 4 · 26 − 100 = 4 and 196 of 200; 300 · (1/300)^(1/50) = 267.65.
      shows: 'and with a point less does not',
      votes: [
        [1, 26],
        [300, 74],
      ],
      cents: 268n,
    },
    {
      shows: 'votes without trust have no say',
      votes: [
        [100, 0],
        [900, 0],
      ],
      cents: null,
    },
    { shows: 'no votes, no price', votes: [], cents: null },
  ])('$shows', ({ votes, cents }) => {
    expect(geometricMidmean(votesOf(...votes))?.cents ?? null).toBe(cents)
  })

  test('a tie of cents goes to the even one, up and down', () => {
    const halves = (n: bigint) => [{ price: rational(n, 2n), weight: 1 }]
    expect(geometricMidmean(halves(5n))?.cents).toBe(2n)
    expect(geometricMidmean(halves(7n))?.cents).toBe(4n)
    // √(1/2 · 25/2) = 5/2 and √(7/4 · 7) = 7/2: ties that only the exact mean reveals.
    const pair = (a: Rational, b: Rational) => [a, b].map((price) => ({ price, weight: 40 }))
    expect(geometricMidmean(pair(rational(1n, 2n), rational(25n, 2n)))?.cents).toBe(2n)
    expect(geometricMidmean(pair(rational(7n, 4n), rational(7n)))?.cents).toBe(4n)
    // Just below and above a tie, closer than a float can tell: √(2.5² ∓ tiny).
    const tiny = rational(1n, 10n ** 30n)
    const near = (by: Rational) => geometricMidmean(pair(rational(7n, 4n), add(rational(7n), by)))?.cents
    expect([near(multiply(rational(-1n), tiny)), near(tiny)]).toEqual([3n, 4n])
  })

  test('a price below 0 is refused', () => {
    expect(() => geometricMidmean(votesOf([-1, 1], [5, 1]))).toThrow('price -1/1: expected 0 or more')
    expect(geometricMidmean(votesOf([0, 1], [5, 1]))?.cents).toBe(0n)
  })
})

const price = fc.oneof(fc.bigInt({ min: 1n, max: 30n }), fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }))
const fraction = fc.record({ n: price, d: fc.bigInt({ min: 1n, max: 12n }) }).map(({ n, d }) => rational(n, d))
const vote = fc.record({ price: fraction, weight: fc.integer({ min: 0, max: 100 }) })
const someVotes = fc
  .array(vote, { minLength: 1, maxLength: 8 })
  .filter((given) => given.some(({ weight }) => weight > 0))
const centsOf = (given: readonly WeightedPrice[]) => geometricMidmean(given)?.cents as bigint
const power = (base: Rational, exponent: number) => ({ n: base.n ** BigInt(exponent), d: base.d ** BigInt(exponent) })

/** The literal definition: each vote as four votes per point of trust, without the first and the last quarter. */
function countedOut(given: readonly WeightedPrice[]): Rational[] {
  const all = given
    .flatMap(({ price: p, weight }) => Array.from({ length: 4 * weight }, () => p))
    .sort((a, b) => compare(a, b))
  return all.slice(all.length / 4, (3 * all.length) / 4)
}

describe('laws of the geometric midmean', () => {
  // Hence the order of votes, a common factor of all weights and a split vote change nothing.
  test('it is the cent nearest to the geometric mean by definition', () => {
    const small = fc.array(fc.record({ price: fraction, weight: fc.integer({ min: 0, max: 9 }) }), { maxLength: 6 })
    fc.assert(
      fc.property(small, (given) => {
        const middle = countedOut(given)
        const result = geometricMidmean(given)
        expect(result === null).toBe(middle.length === 0)
        if (result === null) return
        // (r − 1/2)^k ≤ Π p ≤ (r + 1/2)^k; on either edge only an even r is right.
        const product = middle.reduce((a, b) => ({ n: a.n * b.n, d: a.d * b.d }), ONE)
        const edge = (twice: bigint) => compare(power({ n: twice, d: 2n }, middle.length), product)
        const [below, above] = [edge(2n * result.cents - 1n), edge(2n * result.cents + 1n)]
        if (result.cents > 0n) expect(below).toBeLessThanOrEqual(0)
        expect(above).toBeGreaterThanOrEqual(0)
        if ((below === 0 && result.cents > 0n) || above === 0) expect(result.cents % 2n).toBe(0n)
      }),
    )
  })

  test('it agrees with logarithms within their precision', () => {
    fc.assert(
      fc.property(someVotes, (given) => {
        const middle = countedOut(given)
        const logs = middle.map(({ n, d }) => Math.log(Number(n)) - Math.log(Number(d)))
        const mean = Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length)
        expect(Math.abs(Number(centsOf(given)) - mean)).toBeLessThanOrEqual(0.5 + mean * 1e-9)
      }),
      { numRuns: 300 },
    )
  })

  test('less than a quarter of the trust cannot move it beyond the other votes', () => {
    fc.assert(
      fc.property(someVotes, fraction, (given, wild) => {
        const total = given.reduce((sum, { weight }) => sum + weight, 0)
        // A third of the others' trust is a quarter of all.
        const weight = Math.floor(total / 3)
        const prices = given.flatMap((one) => (one.weight > 0 ? [one.price] : [])).toSorted(compare)
        const cents = centsOf([...given, { price: wild, weight }])
        expect(cents).toBeGreaterThanOrEqual(roundHalfEven(prices[0] as Rational))
        expect(cents).toBeLessThanOrEqual(roundHalfEven(prices.at(-1) as Rational))
      }),
    )
  })

  test('a thousand votes of large prices finish quickly', () => {
    const many = Array.from({ length: 1000 }, (_, i) => ({
      price: rational(BigInt(2 ** 40 + 7919 * i)),
      weight: 1 + (i % 100),
    }))
    const begun = performance.now()
    expect(centsOf(many)).toBeGreaterThan(2n ** 40n)
    expect(performance.now() - begun).toBeLessThan(30_000)
  })
})
