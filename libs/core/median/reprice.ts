import type { Basis } from '@catalog/core/events/items.ts'
import type { SourceKind } from '@catalog/core/events/sources.ts'
import { add, ONE, parseDecimal, type Rational, toText } from '@catalog/core/money/rational.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { conversionFactor, pricePerUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { type Method, TWM_1, weightedQuartiles } from './median.ts'
import { type PricedObservation, priceAt, type Verdicts, verdicts } from './verdict.ts'

/** Contents of one sold unit, as in an event. */
export type PackOf = Readonly<{ quantity: string; unit: string }>

/** An unretracted observation. A retracted one is simply not given. */
export type Observed = Readonly<{
  observationId: string
  observedAt: string
  cents: number
  currency: string
  /** `cents` is the price of so many units. */
  perQuantity: number
  minQuantity: string | null
  taxIncluded: boolean | null
  /** Fraction of the net price: "0.21" for 21 %. */
  taxRate: string | null
  unit: string | null
  pack: PackOf | null
  lang?: string
  /** What a person decided last about this observation, at or before as_of. */
  override: 'quarantined' | 'released' | null
}>

/** A vendor SKU of the item, with what its source is at as_of. An item holds at most one SKU per source. */
export type SkuPrices = Readonly<{
  vendorSkuId: string
  sourceId: string
  kind: SourceKind
  region: string | null
  /** Trust score, 0..100. */
  trust: number
  validityDays: number
  enabled: boolean
  format?: 'bc3'
  observations: readonly Observed[]
}>

/**
 * An item and its SKUs. Unit and pack are those that it was founded with, spelled so that they mean the same in every
 * language (the label of a sold unit does): "m", never "ml".
 */
export type ItemPrices = Readonly<{ unit: string | null; pack: PackOf | null; skus: readonly SkuPrices[] }>

export type Amount = Readonly<{ cents: number; currency: string }>

/** Something a person should look at, about an observation that votes nevertheless. */
export type Flag = Readonly<{ id: string; reason: 'FIRST_PRICE_FAR' | 'TAX_UNKNOWN' }>

export type Repriced = Readonly<{
  headline: Amount | null
  /** One per region, in the order of `regions`. */
  markets: readonly Readonly<{ region: string; median: Amount | null; vendorCount: number }>[]
  /** Expanded regions of the sources that have an observation, sorted. */
  regions: readonly string[]
  /** Sources, and distinct observations, at or before as_of, whether they may vote or not. */
  vendorCount: number
  observationCount: number
  basis: Basis
  /** By observation id, then reason. */
  flags: readonly Flag[]
}>

/**
 * The medians of one item at `asOf`, and what they rest on: a pure function of the sets given, whatever their order.
 * Another method makes another price of the same votes; who votes, and the quartiles, do not depend on it.
 * Observations after asOf are ignored. Null medians where nothing may vote. Throws RangeError when asOf is no instant, or
 * when two SKUs are of one source.
 *
 * - A price is exact: cents / per_quantity × conversion to the item's unit, divided by 1 + tax rate where it includes tax.
 *   Only medians and quartiles are rounded. Tax included at an unknown rate: the price stands as it is, and the vote is
 *   flagged TAX_UNKNOWN, because a price that is a fifth too high still informs a median.
 * - A source's vote is the price ({@link priceAt}) at its SKU's latest instant that has an eligible observation:
 *   as_of − validity < observed_at ≤ as_of, cents > 0, unit converts, no verdict against it; source enabled, trust ≥ 1.
 *   Of several currencies at that instant the one with more observations votes, then the first ISO code.
 * - Currencies are never converted: the one with most trust settles ({@link settlementCurrency}), and only votes in
 *   it make the headline. A market is the same among the votes of one region: a vote in another currency than the
 *   headline's is listed under `excluded` as OTHER_CURRENCY and may still decide the market of its region.
 * - `basis.votes` lists every source's vote with the markets that it takes part in; `voters` and `trust_total` count
 *   the headline's. `basis.excluded` says why a source has no vote or no fresher one: SOURCE_DISABLED or NO_TRUST under
 *   the SKU's id, else NOT_POSITIVE, UNIT_MISMATCH, PRICE_OUT_OF_RANGE, QUARANTINED, PRICE_FENCE or EXPIRED (the first
 *   that applies) at the SKU's latest instant with an ineligible observation, unless that is older than its vote; the
 *   smallest observation id stands for all of one SKU and reason, so a basis is never longer than a few lines a source.
 */
export function reprice(item: ItemPrices, asOf: string, method: Method = TWM_1): Repriced {
  const asOfMs = millisecondsOf(asOf)
  refuseTwoOfOneSource(item.skus)
  const sightings: Sighting[] = []
  for (const sku of item.skus) {
    const sighting = sightingOf(sku, item, asOfMs)
    if (sighting) sightings.push(sighting)
  }

  // Verdicts look at what the others would vote without any fence, so no verdict waits on another one.
  const unfenced = sightings.map((sighting) => voteOf(sighting, isNotQuarantined))
  const votes: Vote[] = []
  const excluded: Basis['excluded'] = []
  const flags: Flag[] = []
  for (const [index, sighting] of sightings.entries()) {
    const { sku, priced } = sighting
    const otherPrices = unfenced.filter((vote, other) => vote !== null && other !== index) as Vote[]
    const verdict = verdicts({ observations: priced, kind: sku.kind, otherPrices })
    const isAccepted = ({ observationId }: Priced) => !verdict.excluded.has(observationId)
    const vote = verdict.excluded.size === 0 ? (unfenced[index] ?? null) : voteOf(sighting, isAccepted)
    excluded.push(...exclusionsOf(sighting, verdict, vote))
    if (!vote) continue
    votes.push(vote)
    const id = vote.observation.observationId
    const farFromOthers = verdict.flagged.get(id)
    if (farFromOthers) flags.push({ id, reason: farFromOthers })
    if (vote.observation.taxUnknown) flags.push({ id, reason: 'TAX_UNKNOWN' })
  }
  votes.sort((a, b) => byText(a.sku.vendorSkuId, b.sku.vendorSkuId))

  const currency = settlementCurrency(votes)
  const voters = votes.filter((vote) => vote.currency === currency)
  const headline = priceOf(voters, method)
  for (const { currency: own, observation } of votes) {
    if (own !== currency) excluded.push({ id: observation.observationId, reason: 'OTHER_CURRENCY' })
  }

  const regions = [...new Set(sightings.flatMap((sighting) => sighting.regions))].sort()
  const markets = regions.map((region) => {
    const inRegion = votes.filter((vote) => vote.regions.includes(region))
    const settled = settlementCurrency(inRegion)
    const marketVoters = inRegion.filter((vote) => vote.currency === settled)
    for (const vote of marketVoters) vote.markets.push(region)
    // Voters of one currency are a subset of that currency's votes, so equal numbers mean equal sets.
    const isHeadline = settled === currency && marketVoters.length === voters.length
    const vendorCount = sightings.filter((sighting) => sighting.regions.includes(region)).length
    return { region, median: isHeadline ? headline : priceOf(marketVoters, method), vendorCount }
  })

  const quartiles = weightedQuartiles(voters)
  const last = sightings.reduce<Sighting | null>((a, b) => (a && a.lastMs >= b.lastMs ? a : b), null)
  return {
    headline,
    markets,
    regions,
    vendorCount: sightings.length,
    observationCount: sightings.reduce((sum, sighting) => sum + sighting.observationCount, 0),
    basis: {
      method_version: method.name,
      currency,
      votes: votes.map(({ sku, observation, weight, markets: voted }) => ({
        vendor_sku_id: sku.vendorSkuId,
        source_id: sku.sourceId,
        observation_id: observation.observationId,
        price: toText(observation.price),
        currency: observation.currency,
        trust: weight,
        observed_at: observation.observedAt,
        markets: voted,
      })),
      excluded: excluded.sort((a, b) => byText(a.id, b.id) || byText(a.reason, b.reason)),
      voters: voters.length,
      trust_total: voters.reduce((sum, vote) => sum + vote.weight, 0),
      p25: quartiles && Number(quartiles.p25),
      p75: quartiles && Number(quartiles.p75),
      last_observed_at: last?.lastObservedAt ?? null,
    },
    flags: flags.sort((a, b) => byText(a.id, b.id) || byText(a.reason, b.reason)),
  }
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
    if (settled === null || (sum.trust - best.trust || sum.votes - best.votes || byText(settled, currency)) > 0) {
      settled = currency
      best = sum
    }
  }
  return settled
}

/**
 * The public regions in which a source marked `region` votes, sorted. EU members other than ES have no region of their
 * own in the public list and count for EU alone; GB is no member; an unknown or missing region has no market.
 */
export function expandedRegions(region: string | null): readonly string[] {
  return (region !== null && EXPANDED.get(region)) || NO_REGIONS
}

const EU_MEMBERS = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const LATAM_COUNTRIES = ['AR', 'BR', 'CL', 'CO', 'MX', 'PE', 'UY']
const NO_REGIONS: readonly string[] = []
const EXPANDED: ReadonlyMap<string, readonly string[]> = new Map([
  ...EU_MEMBERS.map((member): [string, string[]] => [member, ['EU']]),
  ...LATAM_COUNTRIES.map((country): [string, string[]] => [country, [country, 'LATAM'].sort()]),
  ['ES', ['ES', 'EU']],
  ['EU', ['EU']],
  ['LATAM', ['LATAM']],
  ['US', ['US']],
  ['GB', ['GB']],
])

/** An observation whose price is known per item unit. */
type Priced = PricedObservation & Readonly<{ observedAt: string; taxUnknown: boolean }>

/** A SKU as it is seen at one as_of. */
type Sighting = Readonly<{
  sku: SkuPrices
  regions: readonly string[]
  /** No vote at or before this instant: as_of - validity. */
  expiredMs: number
  observationCount: number
  lastObservedAt: string
  lastMs: number
  priced: readonly Priced[]
  /** What has no price per item unit. */
  refused: readonly Readonly<{ observationId: string; observedAtMs: number; reason: string }>[]
}>

type Vote = Readonly<{
  price: Rational
  currency: string
  weight: number
  sku: SkuPrices
  regions: readonly string[]
  observation: Priced
  /** Regions whose median this vote is part of, sorted; filled in as markets are settled. */
  markets: string[]
}>

/** The SKU with its observations at or before as_of, each once; null when it has none. */
function sightingOf(sku: SkuPrices, item: ItemPrices, asOfMs: number): Sighting | null {
  const priced: Priced[] = []
  const refused: Sighting['refused'][number][] = []
  const known = new Set<string>()
  let lastObservedAt = ''
  let lastMs = Number.NEGATIVE_INFINITY
  for (const observed of sku.observations) {
    const { observationId, observedAt, currency, minQuantity, override } = observed
    const observedAtMs = millisecondsOf(observedAt)
    if (observedAtMs > asOfMs || known.has(observationId)) continue
    known.add(observationId)
    if (observedAtMs > lastMs) {
      lastMs = observedAtMs
      lastObservedAt = observedAt
    }
    if (observed.cents <= 0) {
      refused.push({ observationId, observedAtMs, reason: 'NOT_POSITIVE' })
      continue
    }
    const unitFactor = unitFactorOf(observed, sku.format, item)
    if (unitFactor === null) {
      refused.push({ observationId, observedAtMs, reason: 'UNIT_MISMATCH' })
      continue
    }
    const taxFactor = observed.taxIncluded === true ? taxFactorOf(observed.taxRate) : ONE
    const { cents, perQuantity } = observed
    const price = pricePerUnit({ cents, perQuantity, taxFactor: taxFactor ?? ONE }, unitFactor)
    if (price.n > CENTS_MAX * price.d) {
      refused.push({ observationId, observedAtMs, reason: 'PRICE_OUT_OF_RANGE' })
      continue
    }
    priced.push({
      observationId,
      observedAt,
      observedAtMs,
      currency,
      price,
      minQuantity,
      override,
      taxUnknown: taxFactor === null,
    })
  }
  if (known.size === 0) return null
  return {
    sku,
    regions: expandedRegions(sku.region),
    expiredMs: asOfMs - sku.validityDays * DAY_MS,
    observationCount: known.size,
    lastObservedAt,
    lastMs,
    priced,
    refused,
  }
}

/** A published amount is a safe integer; a price above that (per item unit) can only be a slip of unit or pack. */
const CENTS_MAX = BigInt(Number.MAX_SAFE_INTEGER)

/** 1 + rate; null when the rate is not known, which a "rate" of 1 or more (a percentage) or below 0 is not either. */
function taxFactorOf(rate: string | null): Rational | null {
  if (rate === null) return null
  return remember(taxFactors, rate, () => {
    const fraction = parseDecimal(rate)
    return fraction.n >= 0n && fraction.n < fraction.d ? add(ONE, fraction) : null
  })
}

/** f in: price per item unit = price per unit of the observation × f; null when the two do not convert. */
function unitFactorOf(observed: Observed, format: SkuPrices['format'], item: ItemPrices): Rational | null {
  const sold = `${unitKey(observed.unit, observed.pack)}\0\0${observed.lang}\0${format}`
  const key = `${sold}\0\0${unitKey(item.unit, item.pack)}`
  return remember(unitFactors, key, () => {
    const { unit, pack, lang } = observed
    return conversionFactor(soldUnit({ unit, pack, lang, format }), soldUnit({ unit: item.unit, pack: item.pack }))
  })
}

/** U+0000 stands between the parts because no event can carry it. */
function unitKey(unit: string | null, pack: PackOf | null): string {
  const sold = unit === null ? '' : `=${unit}`
  return pack === null ? sold : `${sold}\0${pack.quantity}\0${pack.unit}`
}

const unitFactors = new Map<string, Rational | null>()
const taxFactors = new Map<string, Rational | null>()
/** Distinct pairs of unit spellings, and tax rates, are few; a feed that makes up new ones must not fill the memory. */
const REMEMBERED_MAX = 20_000

function remember<T>(memory: Map<string, T>, key: string, compute: () => T): T {
  const known = memory.get(key)
  if (known !== undefined) return known
  const value = compute()
  if (memory.size >= REMEMBERED_MAX) memory.clear()
  memory.set(key, value)
  return value
}

function isNotQuarantined({ override }: Priced): boolean {
  return override !== 'quarantined'
}

/** The vote among the accepted observations in the window; null when the source has no say or nothing is eligible. */
function voteOf(sighting: Sighting, accepted: (observation: Priced) => boolean): Vote | null {
  const { sku, priced, regions, expiredMs } = sighting
  if (!sku.enabled || sku.trust < 1) return null
  let latestMs = expiredMs
  let latest: Priced[] = []
  for (const observation of priced) {
    if (observation.observedAtMs <= expiredMs || observation.observedAtMs < latestMs || !accepted(observation)) continue
    if (observation.observedAtMs > latestMs) latest = []
    latestMs = observation.observedAtMs
    latest.push(observation)
  }
  if (latest.length === 0) return null
  const currency = settlementCurrency(latest.map((observation) => ({ currency: observation.currency, weight: 1 })))
  const observation = priceAt(latest.filter((candidate) => candidate.currency === currency))
  return {
    price: observation.price,
    currency: observation.currency,
    weight: sku.trust,
    sku,
    regions,
    observation,
    markets: [],
  }
}

/** See {@link reprice} for what is listed. */
function exclusionsOf({ sku, priced, refused, expiredMs }: Sighting, verdict: Verdicts, vote: Vote | null) {
  if (!sku.enabled) return [{ id: sku.vendorSkuId, reason: 'SOURCE_DISABLED' }]
  if (sku.trust < 1) return [{ id: sku.vendorSkuId, reason: 'NO_TRUST' }]
  let latestMs = vote ? vote.observation.observedAtMs : Number.NEGATIVE_INFINITY
  const smallestIds = new Map<string, string>()
  const note = (observationId: string, observedAtMs: number, reason: string) => {
    if (observedAtMs < latestMs) return
    if (observedAtMs > latestMs) smallestIds.clear()
    latestMs = observedAtMs
    const held = smallestIds.get(reason)
    if (held === undefined || observationId < held) smallestIds.set(reason, observationId)
  }
  for (const { observationId, observedAtMs, reason } of refused) note(observationId, observedAtMs, reason)
  for (const { observationId, observedAtMs } of priced) {
    const reason = verdict.excluded.get(observationId) ?? (observedAtMs <= expiredMs ? 'EXPIRED' : null)
    if (reason !== null) note(observationId, observedAtMs, reason)
  }
  return [...smallestIds].map(([reason, id]) => ({ id, reason }))
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

/** The instant as milliseconds since 1970: text would not sort, "…:00.500Z" standing before "…:00Z". */
function millisecondsOf(instant: string): number {
  const milliseconds = Date.parse(instant)
  if (Number.isNaN(milliseconds))
    throw new RangeError(`'${instant}': expected a UTC instant such as 2026-01-31T02:00:00Z`)
  return milliseconds
}

/** By UTF-16 code units, the same on every machine. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
