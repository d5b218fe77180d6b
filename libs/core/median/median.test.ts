import { add, compare, multiply, type Rational, rational, roundHalfEven } from '@catalog/core/money/rational.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type WeightedPrice, weightedMedian, weightedQuartiles } from './median.ts'

type Pair = readonly [price: number | bigint, weight: number]
const votesOf = (...pairs: readonly Pair[]): WeightedPrice[] =>
  pairs.map(([price, weight]) => ({ price: rational(BigInt(price)), weight }))
const centsOf = (...pairs: readonly Pair[]) => weightedMedian(votesOf(...pairs))?.cents ?? null

describe('hand cases', () => {
  test.each<{ shows: string; votes: Pair[]; cents: bigint | null }>([
    {
      shows: 'an odd whole weight is not halved',
      votes: [
        [100, 1],
        [200, 1],
        [300, 1],
      ],
      cents: 200n,
    },
    {
      shows: 'two equal votes give their mean',
      votes: [
        [100, 1],
        [200, 1],
      ],
      cents: 150n,
    },
    {
      shows: 'two equally trusted votes give their mean',
      votes: [
        [100, 50],
        [200, 50],
      ],
      cents: 150n,
    },
    {
      shows: 'one point of trust decides',
      votes: [
        [100, 50],
        [200, 51],
      ],
      cents: 200n,
    },
    {
      shows: 'a tie of cents goes up to the even one',
      votes: [
        [101, 1],
        [102, 1],
      ],
      cents: 102n,
    },
    {
      shows: 'a tie of cents goes down to the even one',
      votes: [
        [102, 1],
        [103, 1],
      ],
      cents: 102n,
    },
    {
      shows: 'half of the weight at one price, unsorted',
      votes: [
        [100, 60],
        [300, 20],
        [200, 40],
      ],
      cents: 150n,
    },
    {
      shows: 'equal prices add up to exactly half',
      votes: [
        [100, 30],
        [100, 30],
        [900, 60],
      ],
      cents: 500n,
    },
    { shows: 'a lone vote decides', votes: [[777, 1]], cents: 777n },
    {
      shows: 'votes without trust have no say',
      votes: [
        [100, 0],
        [200, 0],
      ],
      cents: null,
    },
    { shows: 'no votes, no median', votes: [], cents: null },
  ])('$shows', ({ votes, cents }) => {
    expect(centsOf(...votes)).toBe(cents)
  })

  test('compare fractional prices exactly and round once', () => {
    const third = { price: rational(100n, 3n), weight: 1 }
    const twoThirds = { price: rational(200n, 3n), weight: 1 }

    const median = weightedMedian([twoThirds, third])

    expect(median?.lower).toEqual(third.price)
    expect(median?.upper).toEqual(twoThirds.price)
    expect(median?.cents).toBe(50n)
    // Their mean is 32.9; rounding each first would make it 32.5, and then 32.
    const apart = [324n, 334n].map((tenths) => ({ price: rational(tenths, 10n), weight: 1 }))
    expect(weightedMedian(apart)?.cents).toBe(33n)
  })

  test('quartiles are prices of votes', () => {
    expect(weightedQuartiles(votesOf([400, 1], [100, 1], [300, 1], [200, 1]))).toEqual({ p25: 100n, p75: 300n })
    expect(weightedQuartiles(votesOf([100, 10], [200, 80], [300, 10]))).toEqual({ p25: 200n, p75: 200n })
    expect(weightedQuartiles(votesOf([100, 24], [200, 76]))).toEqual({ p25: 200n, p75: 200n })
    expect(weightedQuartiles(votesOf([100, 0]))).toBeNull()
  })
})

const price = fc.oneof(fc.bigInt({ min: 1n, max: 30n }), fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }))
const fraction = fc.record({ n: price, d: fc.bigInt({ min: 1n, max: 12n }) }).map(({ n, d }) => rational(n, d))
const weight = fc.integer({ min: 0, max: 100 })
const vote = fc.record({ price: fraction, weight })
const votes = fc.array(vote, { maxLength: 12 })
const smallVotes = fc.array(fc.record({ price: fraction, weight: fc.integer({ min: 0, max: 9 }) }), { maxLength: 12 })

/** The textbook median, the middle price or both middle ones, and the textbook's lower quartiles. */
function textbook(prices: readonly Rational[]) {
  const sorted = prices.toSorted(compare)
  const lower = sorted[(sorted.length - 1) >> 1]
  const upper = sorted[sorted.length >> 1]
  if (!lower || !upper) return { median: null, quartiles: null }
  const [p25, p75] = [1, 3].map((k) => roundHalfEven(sorted[Math.ceil((k * sorted.length) / 4) - 1] as Rational))
  return { median: { lower, upper }, quartiles: { p25, p75 } }
}

/** Σ w·|x − p|, exact. */
function distance(x: Rational, among: readonly WeightedPrice[]): Rational {
  return among.reduce((sum, { price: p, weight: w }) => {
    const [greater, smaller] = compare(x, p) > 0 ? [x, p] : [p, x]
    return add(sum, multiply(rational(BigInt(w)), add(greater, multiply(rational(-1n), smaller))))
  }, rational(0n))
}

describe('laws of the weighted median', () => {
  // Hence the order of votes, a common factor of all weights, a vote of weight 0 and a split vote change nothing.
  test('a vote of weight w counts as w votes of the textbook median and quartiles', () => {
    fc.assert(
      fc.property(smallVotes, (given) => {
        const replicated = given.flatMap(({ price: p, weight: w }) => Array.from({ length: w }, () => p))
        const expected = textbook(replicated)
        const median = weightedMedian(given)
        expect(median && { lower: median.lower, upper: median.upper }).toEqual(expected.median)
        expect(weightedQuartiles(given)).toEqual(expected.quartiles)
      }),
    )
  })

  test('no price is nearer to all votes than the lower and the upper median are', () => {
    fc.assert(
      fc.property(votes, (given) => {
        const median = weightedMedian(given)
        if (!median) return
        const least = distance(median.lower, given)
        expect(distance(median.upper, given)).toEqual(least)
        for (const { price: other } of given) expect(compare(distance(other, given), least)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('raising one price never lowers the median', () => {
    fc.assert(
      fc.property(votes, vote, fraction, (given, raised, by) => {
        const before = weightedMedian([...given, raised])
        const after = weightedMedian([...given, { price: add(raised.price, by), weight: raised.weight }])
        expect(after === null).toBe(before === null)
        if (!before || !after) return
        expect(compare(after.lower, before.lower)).toBeGreaterThanOrEqual(0)
        expect(compare(after.upper, before.upper)).toBeGreaterThanOrEqual(0)
        expect(after.cents).toBeGreaterThanOrEqual(before.cents)
      }),
    )
  })

  test('the median lies between the quartiles', () => {
    fc.assert(
      fc.property(votes, (given) => {
        const median = weightedMedian(given)
        const quartiles = weightedQuartiles(given)
        expect(quartiles === null).toBe(median === null)
        if (!median || !quartiles) return
        expect(median.cents).toBeGreaterThanOrEqual(quartiles.p25)
        expect(median.cents).toBeLessThanOrEqual(quartiles.p75)
      }),
    )
  })
})
