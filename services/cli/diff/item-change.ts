import type { Evaluated } from '@catalog/aggregator/evaluate.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import { parseRational, roundHalfEven } from '@catalog/core/money/rational.ts'
import { compareText } from '@catalog/core/text.ts'
import { type Price, relativeOf } from '@catalog/operations/price-change.ts'

/** What happened to an item between two runs; 'price' also covers prices gained and lost by an item of both runs. */
export type Change = 'new' | 'gone' | 'merged' | 'price'

/** The headline (region null) or the median of one market, at both runs. */
export type PriceMove = Readonly<{
  region: string | null
  before: Price | null
  after: Price | null
  /** (after − before) / before; null where that is undefined. */
  relative: number | null
}>

/** One vote at one run: the price of one item unit, net of tax, rounded to minor units. */
type VoteSide = Readonly<{
  observation_id: string
  price_cents: number
  currency: string
  trust: number
  observed_at: string
}>

/** A vote that only one of the runs has, or that differs between them. */
export type VoteMove = Readonly<{
  vendor_sku_id: string
  source_id: string
  change: 'in' | 'out' | 'changed'
  before: VoteSide | null
  after: VoteSide | null
  /**
   * Why: the reason of the exclusion at the run without the vote (EXPIRED, PRICE_FENCE ...), NOT_A_MEMBER where the SKU was
   * not part of the item there, NOT_OBSERVED where it had no price yet; of a changed vote PRICE, TRUST or OBSERVATION.
   */
  reasons: readonly string[]
}>

/** One item that differs between two runs, with the votes that explain it. */
export type ItemChange = Readonly<{
  item_id: string
  name: string
  unit: string | null
  change: Change
  /** The surviving item of a merge. */
  merged_into: string | null
  /** The headline first, then the markets that moved, by region. */
  prices: readonly PriceMove[]
  votes: readonly VoteMove[]
}>

/** The difference of one item between two evaluations; null where no price and no state differs. */
export function itemChangeOf(before: Evaluated | undefined, after: Evaluated | undefined): ItemChange | null {
  const shown = after ?? before
  if (shown === undefined) return null
  const change = changeOf(before, after)
  const prices = priceMoves(before, after)
  const isMoved = prices.some(({ before, after }) => !isEqual(before, after))
  if (change === 'price' && !isMoved) return null
  if (change === null) return null
  return {
    item_id: shown.itemId,
    name: isActive(after) ? after.name : (before ?? shown).name,
    unit: shown.unit,
    change,
    merged_into: after?.members.mergedInto ?? null,
    prices,
    votes: voteMoves(before, after),
  }
}

const isActive = (item: Evaluated | undefined): item is Evaluated =>
  item !== undefined && item.members.mergedInto === null && item.repriced.vendorCount > 0

/** Null for an item that neither run shows. */
function changeOf(before: Evaluated | undefined, after: Evaluated | undefined): Change | null {
  if (isActive(before) && after?.members.mergedInto != null) return 'merged'
  if (isActive(before)) return isActive(after) ? 'price' : 'gone'
  return isActive(after) ? 'new' : null
}

function priceMoves(before: Evaluated | undefined, after: Evaluated | undefined): PriceMove[] {
  const past = pricesOf(before)
  const next = pricesOf(after)
  const regions = [...new Set([...past.keys(), ...next.keys()])].sort((a, b) => compareText(a ?? '', b ?? ''))
  return regions.flatMap((region): PriceMove[] => {
    const was = past.get(region) ?? null
    const is = next.get(region) ?? null
    if (region !== null && isEqual(was, is)) return []
    return [{ region, before: was, after: is, relative: relativeOf(was, is) }]
  })
}

function pricesOf(item: Evaluated | undefined): Map<string | null, Price | null> {
  const prices = new Map<string | null, Price | null>([[null, null]])
  if (!isActive(item)) return prices
  prices.set(null, item.repriced.headline)
  for (const { region, median } of item.repriced.markets) prices.set(region, median)
  return prices
}

const isEqual = (a: Price | null, b: Price | null) => a?.cents === b?.cents && a?.currency === b?.currency

/** Size of a move as a share of the price before; gained, lost and converted prices are beyond any share. */
export function sizeOf({ before, after, relative }: PriceMove): number {
  if (relative !== null) return Math.abs(relative)
  return isEqual(before, after) ? 0 : Number.POSITIVE_INFINITY
}

function voteMoves(before: Evaluated | undefined, after: Evaluated | undefined): VoteMove[] {
  const past = votesOf(before)
  const next = votesOf(after)
  const skus = [...new Set([...past.keys(), ...next.keys()])].sort(compareText)
  return skus.flatMap((sku) => voteMove(sku, { before, after, was: past.get(sku), is: next.get(sku) }) ?? [])
}

type BasisVote = Basis['votes'][number]
const votesOf = (item: Evaluated | undefined) =>
  new Map(item?.repriced.basis.votes.map((vote) => [vote.vendor_sku_id, vote]))

function voteMove(
  sku: string,
  {
    before,
    after,
    was,
    is,
  }: {
    before: Evaluated | undefined
    after: Evaluated | undefined
    was: BasisVote | undefined
    is: BasisVote | undefined
  },
): VoteMove | null {
  const vote = is ?? was
  if (vote === undefined) return null
  const sides = {
    vendor_sku_id: sku,
    source_id: vote.source_id,
    before: was === undefined ? null : sideOf(was),
    after: is === undefined ? null : sideOf(is),
  }
  if (was === undefined) return { ...sides, change: 'in', reasons: reasonsWithout(before, sku) }
  if (is === undefined) return { ...sides, change: 'out', reasons: reasonsWithout(after, sku) }
  const reasons = [
    ...(was.price === is.price && was.currency === is.currency ? [] : ['PRICE']),
    ...(was.trust === is.trust ? [] : ['TRUST']),
    ...(was.observation_id === is.observation_id ? [] : ['OBSERVATION']),
  ]
  return reasons.length === 0 ? null : { ...sides, change: 'changed', reasons }
}

const sideOf = ({ observation_id, price, currency, trust, observed_at }: BasisVote): VoteSide => ({
  observation_id,
  price_cents: Number(roundHalfEven(parseRational(price))),
  currency,
  trust,
  observed_at,
})

/** Why a SKU has no vote at a run. A basis names an exclusion by the SKU or by one of its observations. */
function reasonsWithout(item: Evaluated | undefined, sku: string): string[] {
  if (!item?.members.skuIds.includes(sku)) return ['NOT_A_MEMBER']
  const observations = item.prices.find(({ vendorSkuId }) => vendorSkuId === sku)?.observations ?? []
  const ids = new Set([sku, ...observations.map(({ observationId }) => observationId)])
  const reasons = item.repriced.basis.excluded.filter(({ id }) => ids.has(id)).map(({ reason }) => reason)
  return reasons.length === 0 ? ['NOT_OBSERVED'] : [...new Set(reasons)]
}
