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
   * integer minor units from 0 to 2^53 - 1, or null where these votes give no price. `exact` is the price before it was
   * rounded, where that is a fraction.
   */
  price: (votes: readonly WeightedPrice[]) => Readonly<{ cents: bigint; exact?: Rational }> | null
  /**
   * `guarded`: open taxes follow the operator's rule, a quantity tier votes only for want of a single price, and far
   * first prices wait in quarantine (reprice.ts). Absent: none of these.
   */
  votes?: 'guarded'
  /**
   * `vendors`: one legal vendor casts one vote in a market, and in each market above it, however many countries it lists
   * (voices.ts). Absent: each of its countries casts one.
   */
  voices?: 'vendors'
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
  /** (lower + upper) / 2. */
  exact: Rational
  /** `exact` in integer minor units, rounded half to even, once. */
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
  const exact = lower === upper ? lower : divide(add(lower, upper), TWO)
  return { lower, upper, exact, cents: roundHalfEven(exact) }
}

export const TWM_1: Method = { name: 'twm/1', price: weightedMedian }

/** Method `twm/3`: the arithmetic of twm/1 on guarded votes. */
export const TWM_3: Method = { name: 'twm/3', price: weightedMedian, votes: 'guarded' }

/** Method `twm/4`: twm/3 with one voice per legal vendor above its countries. */
export const TWM_4: Method = { ...TWM_3, name: 'twm/4', voices: 'vendors' }

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
