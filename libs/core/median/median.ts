import { add, compare, divide, type Rational, rational, roundHalfEven } from '@catalog/core/money/rational.ts'

/**
 * The arithmetic of method `twm/1`, the trust-weighted median: the price at which half of all trust is reached. Prices
 * of one call share one currency and one unit. Weights are trust scores, integers from 0 on; a weight of 0 does not
 * vote.
 */
export type WeightedPrice = Readonly<{ price: Rational; weight: number }>

/**
 * How votes become one price: the exchangeable part of the rules. Under one name it always gives the same prices; other
 * prices need another name.
 */
export type Method = Readonly<{
  /** Stands in every basis that the method produced. */
  name: string
  /**
   * A pure function of one vote or more, in any order, each with a weight of 1 or more and a price above 0. It returns
   * integer minor units from 0 to 2^53 - 1, or null where these votes give no price.
   */
  price: (votes: readonly WeightedPrice[]) => Readonly<{ cents: bigint }> | null
  /**
   * `guarded`: open taxes follow the operator's rule, a quantity tier votes only for want of a single price, and far
   * first prices wait in quarantine (reprice.ts). Absent: none of these.
   */
  votes?: 'guarded'
  /**
   * The price with which a vote enters the median, instead of its own. Only questions have it (`catalog what-if`): such a price was
   * never observed, so no decision can name a method that has it.
   */
  carry?: (vote: CarriedVote) => Rational
}>

/** A vote with the place and the time of its price. */
export type CarriedVote = WeightedPrice &
  Readonly<{
    sku: Readonly<{ region: string | null }>
    observation: Readonly<{ observationId: string; observedAt: string }>
  }>

export type WeightedMedian = Readonly<{
  /** Lower weighted median, min{ p : 2·C(p) ≥ T }: always the price of a vote. */
  lower: Rational
  /** Upper weighted median, min{ p : 2·C(p) > T }: above the lower one only where exactly half the weight ends there. */
  upper: Rational
  /** (lower + upper) / 2 in integer minor units, rounded half to even, once. */
  cents: bigint
}>

/**
 * The weighted median, with C(p) the weight of all prices ≤ p and T the whole weight; null when no vote has weight. The
 * mean of lower and upper extends the rule for even sets to weights (Edgeworth), so equal weights reproduce the
 * ordinary median. The code compares 2·C with T, because half of an odd T is no integer.
 */
export function weightedMedian(votes: readonly WeightedPrice[]): WeightedMedian | null {
  const { sorted, total } = withWeight(votes)
  if (total === 0) return null
  const lower = priceReaching(sorted, (cumulative) => 2 * cumulative >= total)
  const upper = priceReaching(sorted, (cumulative) => 2 * cumulative > total)
  return { lower, upper, cents: roundHalfEven(lower === upper ? lower : divide(add(lower, upper), TWO)) }
}

export const TWM_1: Method = { name: 'twm/1', price: weightedMedian }

/** Method `twm/3`: the arithmetic of twm/1 on guarded votes. */
export const TWM_3: Method = { name: 'twm/3', price: weightedMedian, votes: 'guarded' }

/**
 * The weighted quartiles in integer minor units, each rounded half to even; null when no vote has weight. Both are
 * lower weighted quantiles, min{ p : 4·C(p) ≥ k·T } with k = 1 and 3 (the inverse of the weighted distribution
 * function). Each is the price of a vote, and p25 ≤ lower ≤ upper ≤ p75 always holds.
 */
export function weightedQuartiles(
  votes: readonly WeightedPrice[],
): { readonly p25: bigint; readonly p75: bigint } | null {
  const { sorted, total } = withWeight(votes)
  if (total === 0) return null
  return {
    p25: roundHalfEven(priceReaching(sorted, (cumulative) => 4 * cumulative >= total)),
    p75: roundHalfEven(priceReaching(sorted, (cumulative) => 4 * cumulative >= 3 * total)),
  }
}

/** Votes of many items in compressed rows: item i has offsets[i] .. offsets[i + 1] - 1. */
export type VoteColumns = Readonly<{
  /** One more than there are items, ascending, from 0 to the number of votes. */
  offsets: Uint32Array
  /** Integer minor units from 0 to 2^53 - 1. */
  prices: Float64Array
  weights: Uint8Array | Uint16Array
}>

/**
 * {@link weightedMedian} of every item, for integer prices: cents per item, NaN where no vote has weight. The result is
 * exactly the same, without an allocation per item. Each item's votes go to scratch columns, where insertion sort
 * handles few votes and quickselect many. With `only`, it computes those items alone, in that order.
 */
export function medianOfColumns({ offsets, prices, weights }: VoteColumns, only?: Uint32Array): Float64Array {
  const items = only?.length ?? Math.max(0, offsets.length - 1)
  const medians = new Float64Array(items)
  let votesMax = 0
  for (let i = 0; i < items; i++) {
    const item = only === undefined ? i : (only[i] as number)
    votesMax = Math.max(votesMax, (offsets[item + 1] as number) - (offsets[item] as number))
  }
  const scratch: Scratch = { prices: new Float64Array(votesMax), weights: new Float64Array(votesMax) }
  for (let i = 0; i < items; i++) {
    const item = only === undefined ? i : (only[i] as number)
    const from = offsets[item] as number
    const to = offsets[item + 1] as number
    medians[i] =
      to - from <= INSERTION_VOTES_MAX
        ? medianByInsertion(scratch, prices, weights, from, to)
        : medianBySelection(scratch, prices, weights, from, to)
  }
  return medians
}

/** Where insertion, with its k²/4 steps, and quickselect take equally long (measured: 27 ms per million votes). */
const INSERTION_VOTES_MAX = 24
const TWO = rational(2n)

/** The votes with weight in ascending order of price, and their whole weight. */
function withWeight(votes: readonly WeightedPrice[]): { sorted: readonly WeightedPrice[]; total: number } {
  const sorted = votes.filter(({ weight }) => weight > 0).sort((a, b) => compare(a.price, b.price))
  let total = 0
  for (const { weight } of sorted) total += weight
  return { sorted, total }
}

/** The first price whose cumulative weight passes the test. The whole weight must pass. */
function priceReaching(sorted: readonly WeightedPrice[], reached: (cumulative: number) => boolean): Rational {
  let cumulative = 0
  for (const { price, weight } of sorted) {
    cumulative += weight
    if (reached(cumulative)) return price
  }
  throw new RangeError(`${sorted.length} votes of weight ${cumulative}: expected the whole weight to pass the test`)
}

type Scratch = Readonly<{ prices: Float64Array; weights: Float64Array }>

function medianByInsertion(
  scratch: Scratch,
  prices: Float64Array,
  weights: VoteColumns['weights'],
  from: number,
  to: number,
): number {
  const sorted = scratch.prices
  const sortedWeights = scratch.weights
  let count = 0
  let total = 0
  for (let vote = from; vote < to; vote++) {
    const weight = weights[vote] as number
    if (weight === 0) continue
    const price = prices[vote] as number
    let at = count++
    while (at > 0 && (sorted[at - 1] as number) > price) {
      sorted[at] = sorted[at - 1] as number
      sortedWeights[at] = sortedWeights[at - 1] as number
      at--
    }
    sorted[at] = price
    sortedWeights[at] = weight
    total += weight
  }
  if (total === 0) return Number.NaN
  let at = 0
  let twice = 2 * (sortedWeights[0] as number)
  while (twice < total) twice += 2 * (sortedWeights[++at] as number)
  const lower = sorted[at] as number
  return twice > total ? lower : meanHalfEven(lower, sorted[at + 1] as number)
}

/** Weighted quickselect with a three-way partition around the median of three. */
function medianBySelection(
  scratch: Scratch,
  prices: Float64Array,
  weights: VoteColumns['weights'],
  from: number,
  to: number,
): number {
  let count = 0
  let total = 0
  for (let vote = from; vote < to; vote++) {
    const weight = weights[vote] as number
    if (weight === 0) continue
    scratch.prices[count] = prices[vote] as number
    scratch.weights[count] = weight
    count++
    total += weight
  }
  if (total === 0) return Number.NaN
  // The lower median is in [low, high). `before` is the weight of everything below low, all of it cheaper.
  let low = 0
  let high = count
  let before = 0
  for (;;) {
    const pivot = medianOfThree(
      scratch.prices[low] as number,
      scratch.prices[(low + high) >>> 1] as number,
      scratch.prices[high - 1] as number,
    )
    let equalFrom = low
    let greaterFrom = high
    let cheaper = before
    let upTo = before
    for (let at = low; at < greaterFrom; ) {
      const price = scratch.prices[at] as number
      if (price > pivot) {
        swap(scratch, at, --greaterFrom)
        continue
      }
      const weight = scratch.weights[at] as number
      upTo += weight
      if (price < pivot) {
        cheaper += weight
        swap(scratch, at, equalFrom++)
      }
      at++
    }
    if (2 * cheaper >= total) {
      high = equalFrom
    } else if (2 * upTo >= total) {
      if (2 * upTo > total) return pivot
      let upper = Number.POSITIVE_INFINITY
      for (let at = greaterFrom; at < count; at++) upper = Math.min(upper, scratch.prices[at] as number)
      return meanHalfEven(pivot, upper)
    } else {
      before = upTo
      low = greaterFrom
    }
  }
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}

function swap({ prices, weights }: Scratch, a: number, b: number): void {
  const price = prices[a] as number
  const weight = weights[a] as number
  prices[a] = prices[b] as number
  weights[a] = weights[b] as number
  prices[b] = price
  weights[b] = weight
}

/**
 * (lower + upper) / 2 rounded half to even. It uses the difference, because the sum of two safe integers may not be
 * safe.
 */
function meanHalfEven(lower: number, upper: number): number {
  const difference = upper - lower
  const mean = lower + Math.floor(difference / 2)
  return difference % 2 === 1 && mean % 2 === 1 ? mean + 1 : mean
}
