import { type Basis, SAME_PUBLISHER, type VoteFlag } from '@catalog/core/events/items.ts'
import { compare, type Rational, toText } from '@catalog/core/money/rational.ts'
import { compareText } from '@catalog/core/text.ts'
import { isHeard } from './eligibility.ts'
import { type Method, TWM_1, weightedQuartiles } from './median.ts'
import { admittedVotes, crawlsOfLevel } from './outlier.ts'
import { type ItemPrices, millisecondsOf, type SkuAsOf, type SkuPrices, skuAsOf } from './sku-prices.ts'
import { isSubdivision } from './subdivisions.ts'
import { NO_TAX_RULES, type TaxRules, withTaxRules } from './tax-rules.ts'
import { quarantined, verdicts } from './verdict.ts'
import { countVoices, leadingVotes, nationalVotes, publisherOf, votesIn } from './voices.ts'
import { exclusionsOf, settlementCurrency, type Vote, voteOf } from './vote.ts'

export type Amount = Readonly<{ cents: number; currency: string }>

/** A reason for a person to review an observation that votes. */
export type Flag = Readonly<{ id: string; reason: VoteFlag }>

export type Repriced = Readonly<{
  headline: Amount | null
  /** One per region and subdivision, sorted. */
  markets: readonly Readonly<{ region: string; median: Amount | null; vendorCount: number }>[]
  /** Expanded regions of the heard sources that have an observation, sorted; without subdivisions. */
  regions: readonly string[]
  /** Legal vendors that are heard, and their distinct observations at or before as_of, eligible or not. */
  vendorCount: number
  observationCount: number
  basis: Basis
  /** By observation id, then reason. */
  flags: readonly Flag[]
}>

/**
 * The medians of one item at `asOf`, and their basis: a pure function of the given sets, whatever their order. The method
 * decides the price, and whether votes are guarded; nothing else depends on it. Observations after asOf are ignored.
 * Medians are null without an eligible vote. Throws RangeError when asOf is no instant, or when two SKUs are of one source.
 *
 * - A price is exact: cents / per_quantity × conversion to the item's unit, divided by 1 + tax rate where it includes tax.
 *   Only medians and quartiles are rounded. A price that includes tax at an unknown rate stands as it is, and the vote
 *   carries the flag TAX_UNKNOWN: a price that is a fifth too high still informs a median.
 * - A source's vote is the price ({@link priceAt}) at its SKU's latest instant that has an eligible observation:
 *   as_of − validity < observed_at ≤ as_of, of the edition in force where editions supersede, cents > 0, unit converts, no verdict against it; source enabled, trust ≥ 1.
 *   Of several currencies at that instant the one with more observations votes, then the first ISO code.
 * - Currencies are never converted: the one with most trust settles ({@link settlementCurrency}), and only votes in it
 *   make the headline. Each market settles likewise among the votes of its region. A vote in another currency than the
 *   headline's is listed under `excluded` as OTHER_CURRENCY and may still decide the market of its region.
 * - `basis.votes` lists every source's vote with its markets; `voters` and `trust_total` count the headline's.
 *   `basis.excluded` says why a source has no vote or no fresher one: SOURCE_DISABLED or NO_TRUST under the SKU's id, else
 *   NOT_POSITIVE, UNIT_UNKNOWN, UNIT_MISMATCH, PRICE_OUT_OF_RANGE, QUARANTINED, PRICE_FENCE, EXPIRED or SUPERSEDED (the first that applies) at the
 *   SKU's latest instant with an ineligible observation, unless that is older than its vote. The smallest observation id
 *   stands for all of one SKU and reason, so a basis is never longer than a few lines a source.
 *
 * A method may carry the prices of votes for a question; `basis.votes` shows them as they were observed.
 *
 * Sources of one legal vendor ({@link publisherOf}) share the settings of the canonical one and cast one vote, the latest
 * ({@link leadingVotes}). The vote that it supersedes is excluded as SAME_VENDOR, and confirms nothing of its vendor.
 *
 * A publisher's prices for subdivisions vote there, and one of them in the country and above; a legal vendor's prices for
 * countries (twm/4) vote there, and one of them above ({@link votesIn}). Those that the headline does not hear are excluded as
 * SAME_PUBLISHER, and may still decide the market of their place, as OTHER_CURRENCY may.
 *
 * Guarded votes (twm/3) differ in three points, and their basis shows tax and flags of each vote:
 * - open taxes are settled by the operator's rules ({@link withTaxRules});
 * - a price for a larger quantity votes, flagged TIER_ONLY, only where the source has none for one unit in the window;
 *   a fresher one that is passed over is excluded as QUANTITY_TIER;
 * - a far first price waits as FIRST_PRICE_QUARANTINED, and a crawl does not confirm itself ({@link verdicts}).
 */
export function reprice(
  item: ItemPrices,
  asOf: string,
  method: Method = TWM_1,
  taxRules: TaxRules = NO_TAX_RULES,
): Repriced {
  const asOfMs = millisecondsOf(asOf)
  refuseTwoOfOneSource(item.skus)
  const isGuarded = method.votes === 'guarded'
  const stated = item.skus.map((sku) => skuAsOf(sku, item, asOfMs)).filter((sku) => sku !== null)
  // Votes by the stated taxes decide the majority: what a verdict excludes has no say in it.
  const skus =
    isGuarded && taxRules.size > 0 ? withTaxRules(stated, votesOf(stated, { isGuarded }).votes, taxRules) : stated
  const { votes: cast, excluded, flags } = votesOf(skus, { isGuarded })
  const { carry } = method
  const votes = carry === undefined ? cast : cast.map((vote) => ({ ...vote, price: carry(vote) }))

  const heardAbove = new Set(votesIn(null, votes))
  const currency = settlementCurrency([...heardAbove])
  const voters = votes.filter((vote) => heardAbove.has(vote) && vote.currency === currency)
  const headline = priceOf(voters, method)
  const headlineVoters = new Set(voters)
  for (const vote of votes) {
    const id = vote.observation.observationId
    if (!heardAbove.has(vote)) excluded.push({ id, reason: SAME_PUBLISHER })
    else if (vote.currency !== currency) excluded.push({ id, reason: 'OTHER_CURRENCY' })
  }

  const heard = skus.filter(({ sku }) => isHeard(sku))
  const regions = [...new Set(heard.flatMap((sku) => sku.regions))].sort()
  const markets = regions.map((region) => {
    const inRegion = votesIn(region, votes)
    const settled = settlementCurrency(inRegion)
    const marketVoters = inRegion.filter((vote) => vote.currency === settled)
    for (const vote of marketVoters) vote.markets.push(region)
    const isHeadline = marketVoters.length === voters.length && marketVoters.every((vote) => headlineVoters.has(vote))
    const vendorCount = countVoices(heard.filter((sku) => sku.regions.includes(region)))
    return { region, median: isHeadline ? headline : priceOf(marketVoters, method), vendorCount }
  })

  return {
    headline,
    markets,
    regions: regions.filter((region) => !isSubdivision(region)),
    vendorCount: countVoices(heard),
    observationCount: heard.reduce((sum, sku) => sum + sku.observationCount, 0),
    basis: basisOf({ method, currency, votes, voters, excluded, skus: heard }),
    flags: flags.sort(byIdAndReason),
  }
}

/** The votes by SKU id, and the observations that a verdict excludes or flags. */
function votesOf(
  skus: readonly SkuAsOf[],
  guard: { isGuarded: boolean },
): { votes: Vote[]; excluded: Basis['excluded']; flags: Flag[] } {
  // Verdicts compare with the votes of the other sources before any fence, so no verdict depends on another one.
  const unfenced = skus.map((sku) => voteOf(sku, quarantined(sku.priced), guard))
  const guards = guard.isGuarded ? judgingVotes(skus, unfenced) : undefined
  const bounds = guards && boundsOf(guards.map(({ price }) => price))
  const publishers = skus.map(({ sku }) => publisherOf(sku))
  const othersOf = (publisher: string) => ({
    otherPrices: unfenced.filter((vote, index): vote is Vote => vote !== null && publishers[index] !== publisher),
    others: guards?.filter(({ sku }) => publisherOf(sku) !== publisher) ?? [],
  })
  // One publisher of prices for states may have most SKUs of an item.
  const others = new Map([...new Set(publishers)].map((publisher) => [publisher, othersOf(publisher)]))
  const cast: Vote[] = []
  const excluded: Basis['excluded'] = []
  for (const [index, sku] of skus.entries()) {
    const other = others.get(publishers[index] as string) as ReturnType<typeof othersOf>
    const verdict = verdicts({
      observations: sku.priced,
      kind: sku.sku.kind,
      otherPrices: other.otherPrices,
      guard: guards && { others: other.others, bounds, regions: sku.regions },
    })
    const vote = verdict.excluded.size === 0 ? (unfenced[index] ?? null) : voteOf(sku, verdict.excluded, guard)
    excluded.push(...exclusionsOf(sku, { verdict, vote, ...guard }))
    if (!vote) continue
    cast.push(vote)
    const farFromOthers = verdict.flagged.get(vote.observation.observationId)
    if (farFromOthers) vote.flags.push(farFromOthers)
    if (vote.observation.taxUnknown) vote.flags.push('TAX_UNKNOWN')
    vote.flags.sort(compareText)
  }
  const leading = leadingVotes(cast)
  const votes = [...leading]
  for (const vote of cast) {
    if (!leading.has(vote)) excluded.push({ id: vote.observation.observationId, reason: 'SAME_VENDOR' })
  }
  const flags = votes.flatMap(({ observation, flags: own }) => {
    return own.map((reason): Flag => ({ id: observation.observationId, reason }))
  })
  votes.sort((a, b) => compareText(a.sku.vendorSkuId, b.sku.vendorSkuId))
  return { votes, excluded, flags }
}

/** The least and the greatest of some prices. */
function boundsOf(prices: readonly Rational[]): readonly Rational[] {
  const [first, ...others] = prices
  if (first === undefined) return []
  return others.reduce<readonly [Rational, Rational]>(
    ([least, most], price) => [compare(price, least) < 0 ? price : least, compare(price, most) > 0 ? price : most],
    [first, first],
  )
}

/** The unfenced votes that may judge others. */
function judgingVotes(skus: readonly SkuAsOf[], unfenced: readonly (Vote | null)[]) {
  const leading = nationalVotes([...leadingVotes(unfenced.filter((vote) => vote !== null))])
  const votes = unfenced.flatMap((vote, index) => {
    if (vote === null || !leading.has(vote)) return []
    const { price, currency, weight, regions, observation, sku } = vote
    const inCurrency = skus[index]?.priced.filter((priced) => priced.currency === currency) ?? []
    const isEstablished = observation.override === 'released' || crawlsOfLevel(price, inCurrency, sku.kind).size > 1
    const { recordedAtMs = 0 } = observation
    const { kind, vendorId } = sku
    const own = { price, currency, weight, regions, recordedAtMs, isEstablished }
    return [{ sku, kind, ...own, ...(vendorId !== undefined && { vendorId }) }]
  })
  return admittedVotes(votes)
}

function basisOf({
  method,
  currency,
  votes,
  voters,
  excluded,
  skus,
}: Readonly<{
  method: Method
  currency: string | null
  votes: readonly Vote[]
  voters: readonly Vote[]
  excluded: Basis['excluded']
  skus: readonly SkuAsOf[]
}>): Basis {
  const quartiles = weightedQuartiles(voters)
  const last = skus.reduce<SkuAsOf | null>((a, b) => (a && a.lastMs >= b.lastMs ? a : b), null)
  return {
    currency,
    excluded: excluded.sort(byIdAndReason),
    last_observed_at: last?.lastObservedAt ?? null,
    method_version: method.name,
    p25: quartiles && Number(quartiles.p25),
    p75: quartiles && Number(quartiles.p75),
    ...(method.votes === 'guarded' && { tax: taxCountsOf(voters) }),
    trust_total: voters.reduce((sum, vote) => sum + vote.weight, 0),
    voters: voters.length,
    votes: votes.map(({ sku, observation, weight, markets, flags }) => ({
      currency: observation.currency,
      ...(observation.edition !== undefined && { edition: observation.edition }),
      ...(method.votes === 'guarded' && { flags }),
      markets,
      observation_id: observation.observationId,
      observed_at: observation.observedAt,
      price: toText(observation.price),
      source_id: sku.sourceId,
      ...(method.votes === 'guarded' && { tax: observation.tax }),
      trust: weight,
      vendor_sku_id: sku.vendorSkuId,
      ...(sku.voiceId !== undefined && { voice_id: sku.voiceId }),
    })),
  }
}

function taxCountsOf(voters: readonly Vote[]): NonNullable<Basis['tax']> {
  const counts = { gross_with_rate: 0, gross_without_rate: 0, net: 0, not_stated: 0 }
  for (const { observation } of voters) counts[observation.tax.state]++
  return counts
}

function priceOf(votes: readonly Vote[], method: Method): Amount | null {
  const [first] = votes
  const price = first && method.price(votes)
  return price ? { cents: Number(price.cents), currency: first.currency } : null
}

function refuseTwoOfOneSource(skus: readonly SkuPrices[]): void {
  const seen = new Set<string>()
  for (const { sourceId, vendorSkuId } of skus) {
    if (seen.has(sourceId)) {
      throw new RangeError(`SKU ${vendorSkuId} of source ${sourceId}: expected at most one SKU per source in an item`)
    }
    seen.add(sourceId)
  }
}

type Reason = Readonly<{ id: string; reason: string }>
function byIdAndReason(a: Reason, b: Reason): number {
  return compareText(a.id, b.id) || compareText(a.reason, b.reason)
}
