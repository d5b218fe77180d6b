import { compare, type Rational, roundHalfEven } from '@catalog/core/money/rational.ts'
import type { Method, WeightedPrice, weightedQuartiles } from './median.ts'

/**
 * Method `twm/2`, the trust-weighted geometric midmean: the geometric mean of the middle half of all trust. Votes lie
 * side by side in ascending order of price, each as wide as its weight. A quarter of the whole width goes at either
 * end, through a vote if need be. A price counts by its remaining width:
 *
 *   u = max(0, min(4·C, 3·T) − max(4·(C − w), T)), price = Π p^(u / 2T)
 *
 * with w the weight of the vote, C the cumulative weight including it, T the whole; the u add up to 2T. Exact, and
 * rounded half to even once, so it lies between {@link weightedQuartiles}. Null when no vote has weight. Throws
 * RangeError when a price in the middle is below 0. docs/what-if.md gives reasons and origin.
 */
export function geometricMidmean(votes: readonly WeightedPrice[]): { readonly cents: bigint } | null {
  const middle = middleHalf(votes)
  const [cheapest] = middle
  const dearest = middle.at(-1)
  if (cheapest === undefined || dearest === undefined) return null
  if (cheapest.price.n < 0n) throw new RangeError(`price ${cheapest.price.n}/${cheapest.price.d}: expected 0 or more`)
  // The mean lies between them, and rounding is monotonic.
  const bounds = { low: roundHalfEven(cheapest.price), high: roundHalfEven(dearest.price) }
  return { cents: bounds.low === bounds.high ? bounds.low : roundedMean(middle, bounds) }
}

export const TWM_2: Method = { name: 'twm/2', price: geometricMidmean }

type Share = Readonly<{ price: Rational; share: number }>

/** Votes of the middle half in ascending order of price, each with four times its weight there. */
function middleHalf(votes: readonly WeightedPrice[]): readonly Share[] {
  const sorted = votes.filter(({ weight }) => weight > 0).sort((a, b) => compare(a.price, b.price))
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  const middle: Share[] = []
  let before = 0
  for (const { price, weight } of sorted) {
    const share = Math.min(4 * (before + weight), 3 * total) - Math.max(4 * before, total)
    if (share > 0) middle.push({ price, share })
    before += weight
  }
  return middle
}

/**
 * The weighted geometric mean x of the prices, rounded half to even: bisection finds the smallest r with x ≤ r + 1/2.
 * With k the sum of the shares and n/d the product of the powers of the prices, that is n·2^k ≤ d·(2r + 1)^k. All
 * numbers are integers, so no root needs an approximation.
 */
function roundedMean(middle: readonly Share[], { low, high }: { low: bigint; high: bigint }): bigint {
  const common = middle.reduce((divisor, { share }) => greatestCommonDivisor(divisor, share), 0)
  let [n, d, k] = [1n, 1n, 0n]
  for (const { price, share } of middle) {
    const power = BigInt(share / common)
    n *= price.n ** power
    d *= price.d ** power
    k += power
  }
  const doubled = n << k
  while (low < high) {
    const middle = (low + high) / 2n
    if (doubled <= d * (2n * middle + 1n) ** k) high = middle
    else low = middle + 1n
  }
  const isTie = doubled === d * (2n * low + 1n) ** k
  return isTie && low % 2n === 1n ? low + 1n : low
}

function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b]
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller]
  return larger
}
