import type { VoteFlag } from '@catalog/core/events/items.ts'
import { compare, parseDecimal, type Rational, toText } from '@catalog/core/money/rational.ts'
import { compareText } from '@catalog/core/text.ts'
import { refusalOf, sourceRefusal } from './eligibility.ts'
import type { Priced, SkuAsOf, SkuPrices } from './sku-prices.ts'
import { priceAt, tierOf, type Verdicts } from './verdict.ts'

/** The price with which a source votes on an item. */
export type Vote = Readonly<{
  price: Rational
  currency: string
  weight: number
  sku: SkuPrices
  regions: readonly string[]
  observation: Priced
  /** Regions whose median this vote is part of, sorted. `reprice` fills them as it settles the markets. */
  markets: string[]
  /** Reasons for a person to review it. */
  flags: VoteFlag[]
}>

/**
 * The vote among the observations that {@link refusalOf} leaves; null without one. Where votes are guarded, a tier votes
 * only when no price in the window holds from the first unit on, and then the smallest one.
 */
export function voteOf(sku: SkuAsOf, excluded: Verdicts['excluded'], { isGuarded = false } = {}): Vote | null {
  if (sourceRefusal(sku.sku) !== null) return null
  const eligible = sku.priced.filter((observation) => refusalOf(sku, observation, excluded) === null)
  if (!isGuarded) return latestVote(sku, eligible, [])
  const singles = eligible.filter(({ minQuantity }) => tierOf(minQuantity) === '')
  if (singles.length > 0) return latestVote(sku, singles, [])
  const smallest = eligible
    .map(({ minQuantity }) => parseDecimal(minQuantity ?? '0'))
    .reduce<Rational | null>((a, b) => (a === null || compare(b, a) < 0 ? b : a), null)
  if (smallest === null) return null
  const tier = toText(smallest)
  const ofTier = eligible.filter(({ minQuantity }) => tierOf(minQuantity) === tier)
  return latestVote(sku, ofTier, ['TIER_ONLY'])
}

/** The vote of the latest instant. */
function latestVote({ sku, regions }: SkuAsOf, eligible: readonly Priced[], flags: readonly VoteFlag[]): Vote | null {
  const latestMs = eligible.reduce((ms, { observedAtMs }) => Math.max(ms, observedAtMs), Number.NEGATIVE_INFINITY)
  const latest = eligible.filter(({ observedAtMs }) => observedAtMs === latestMs)
  const currency = settlementCurrency(latest.map((observation) => ({ currency: observation.currency, weight: 1 })))
  if (currency === null) return null
  const observation = priceAt(latest.filter((candidate) => candidate.currency === currency))
  return {
    price: observation.price,
    currency,
    weight: sku.trust,
    sku,
    regions,
    observation,
    markets: [],
    flags: [...flags],
  }
}

/** The reasons why a source has no vote or no fresher one, by the rules of `reprice`. */
export function exclusionsOf(
  skuAsOf: SkuAsOf,
  { verdict, vote, isGuarded }: { verdict: Verdicts; vote: Vote | null; isGuarded: boolean },
) {
  const { sku, priced, refused } = skuAsOf
  const ofSource = sourceRefusal(sku)
  if (ofSource !== null) return [{ id: sku.vendorSkuId, reason: ofSource }]
  let latestMs = vote ? vote.observation.observedAtMs : Number.NEGATIVE_INFINITY
  const smallestIds = new Map<string, string>()
  const note = (observationId: string, observedAtMs: number, reason: string) => {
    if (observedAtMs < latestMs) return
    if (observedAtMs > latestMs) smallestIds.clear()
    latestMs = observedAtMs
    const smallest = smallestIds.get(reason)
    if (smallest === undefined || observationId < smallest) smallestIds.set(reason, observationId)
  }
  for (const { observationId, observedAtMs, reason } of refused) note(observationId, observedAtMs, reason)
  // A fresher price of a larger quantity leaves the vote to the single price.
  const isPassedOver = ({ observedAtMs, minQuantity }: Priced) =>
    isGuarded && vote !== null && observedAtMs > vote.observation.observedAtMs && tierOf(minQuantity) !== ''
  for (const observation of priced) {
    const { observationId, observedAtMs } = observation
    const reason =
      refusalOf(skuAsOf, observation, verdict.excluded) ?? (isPassedOver(observation) ? 'QUANTITY_TIER' : null)
    if (reason !== null) note(observationId, observedAtMs, reason)
  }
  return [...smallestIds].map(([reason, id]) => ({ id, reason }))
}

/**
 * The currency with the largest total trust; of equals the one with more votes, then the first ISO code. Null without
 * votes.
 */
export function settlementCurrency(votes: readonly Readonly<{ currency: string; weight: number }>[]): string | null {
  const [first] = votes
  if (votes.every(({ currency }) => currency === first?.currency)) return first?.currency ?? null
  const sums = new Map<string, { trust: number; votes: number }>()
  for (const { currency, weight } of votes) {
    const sum = sums.get(currency)
    if (sum) {
      sum.trust += weight
      sum.votes++
    } else sums.set(currency, { trust: weight, votes: 1 })
  }
  let settled: string | null = null
  let best = { trust: 0, votes: 0 }
  for (const [currency, sum] of sums) {
    if (settled === null || (sum.trust - best.trust || sum.votes - best.votes || compareText(settled, currency)) > 0) {
      settled = currency
      best = sum
    }
  }
  return settled
}
