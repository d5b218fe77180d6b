import type { SourceKind } from '@catalog/core/events/sources.ts'
import { compare, parseDecimal, type Rational, toText } from '@catalog/core/money/rational.ts'
import { crawlsOf, crawlsOfLevel, isComparable, isFirstPriceOutlier, judgesOf, type OtherVote } from './outlier.ts'

/**
 * Finds the outliers among the observations of one vendor SKU: decimal and unit slips (× 10, 100, 1000), and large real changes of
 * price until another price confirms them.
 */
const FENCE_FACTORS: Readonly<Record<SourceKind, bigint | null>> = {
  /** ONS flags price relatives beyond × 3 from one month to the next. */
  shop: 3n,
  /** Price banks are revised once a year or less. */
  bank: 5n,
  /** No fence: real bids of one vendor for one item move by far more. */
  bid: null,
}

/** An observation with a comparable price: above 0, exact, per one unit that the whole call shares. */
export type PricedObservation = Readonly<{
  observationId: string
  observedAtMs: number
  currency: string
  price: Rational
  minQuantity: string | null
  /** Crawls that delivered it; without them it counts as a crawl of its own. */
  crawls?: readonly string[]
  /** When the log first had it, in milliseconds since 1970. */
  recordedAtMs?: number
  /** The last decision of a person on this observation. */
  override: 'quarantined' | 'released' | null
}>

export type Verdicts = Readonly<{
  /** Observations that must not vote, by id. */
  excluded: ReadonlyMap<string, Exclusion>
  /** The voting observation that a person should review, if any. */
  flagged: ReadonlyMap<string, 'FIRST_PRICE_FAR'>
}>
type Exclusion = 'QUARANTINED' | 'PRICE_FENCE' | 'FIRST_PRICE_QUARANTINED'

export type VerdictInput = Readonly<{
  /** All observations of one vendor SKU at or before as_of, each once, in any order. */
  observations: readonly PricedObservation[]
  kind: SourceKind
  /**
   * The votes of the item's other sources at the same as_of before any fence, in the same unit. No verdict depends on
   * another verdict, so neither the order of SKUs nor that of arrival matters.
   */
  otherPrices: readonly Readonly<{ currency: string; price: Rational }>[]
  /**
   * For guarded votes: the others that may judge ({@link admittedVotes}), prices that bound all of theirs, and the markets of the SKU's
   * own source.
   */
  guard?:
    | Readonly<{ others: readonly OtherVote[]; bounds?: readonly Rational[] | undefined; regions: readonly string[] }>
    | undefined
}>

/**
 * The verdicts on a vendor SKU: a pure function of the given set. Prices compare within one currency only, so a change
 * of currency starts a new comparison. Per currency, instants are judged in time order by their price ({@link
 * priceAt}). An instant is accepted when its price is
 * - the first one, or within the factor of the last accepted one, up or down (exactly the factor is within), or
 * - within the factor of the next instant's price: two in a row that agree are a new level, or
 * - within the factor of another source's price.
 *
 * All observations of any other instant are PRICE_FENCE. Only the next instant confirms: otherwise a repeated slip
 * would confirm itself and exclude the right prices in between. The newest price of a changed level thus waits for one
 * more observation, and the price before it keeps the vote meanwhile.
 *
 * Guarded votes are judged more strictly:
 * - each quantity tier is a series of its own ({@link tierOf});
 * - a first price that is an outlier ({@link isFirstPriceOutlier}) is FIRST_PRICE_QUARANTINED until two crawls
 *   delivered its level; the next instant is then a first price too;
 * - the next instant confirms only a price of another crawl, and of other sources only {@link judgesOf} confirm.
 *
 * People outrank the fence. A quarantined observation is QUARANTINED and takes part in no comparison. A released one is
 * accepted, and becomes the level for the next instant.
 *
 * When a SKU has one instant only, and it is within the factor of no other source's price, it is flagged
 * FIRST_PRICE_FAR and votes.
 */
export function verdicts({ observations, kind, otherPrices, guard }: VerdictInput): Verdicts {
  const excluded = quarantined(observations)
  const flagged = new Map<string, 'FIRST_PRICE_FAR'>()
  const kept = observations.filter(({ observationId }) => !excluded.has(observationId))
  if (FENCE_FACTORS[kind] === null && guard === undefined) return { excluded, flagged }
  const seriesOf = ({ currency, minQuantity }: PricedObservation) =>
    guard === undefined ? currency : `${currency} ${tierOf(minQuantity)}`
  for (const series of Map.groupBy(kept, seriesOf).values()) {
    judgeSeries(series, { kind, otherPrices, guard, excluded, flagged })
  }
  return { excluded, flagged }
}

/** The observations that a person put in quarantine. */
export function quarantined(observations: readonly PricedObservation[]): Map<string, Exclusion> {
  const found = observations.filter(({ override }) => override === 'quarantined')
  return new Map(found.map(({ observationId }) => [observationId, 'QUARANTINED']))
}

/** Judges the observations of one currency, and of one tier where votes are guarded; adds to both maps. */
function judgeSeries(
  series: readonly PricedObservation[],
  {
    kind,
    otherPrices,
    guard,
    excluded,
    flagged,
  }: Pick<VerdictInput, 'kind' | 'otherPrices' | 'guard'> & {
    excluded: Map<string, Exclusion>
    flagged: Map<string, 'FIRST_PRICE_FAR'>
  },
): void {
  const factor = FENCE_FACTORS[kind]
  const within = (a: Rational, b: Rational) =>
    factor === null || (a.n * b.d <= factor * b.n * a.d && b.n * a.d <= factor * a.n * b.d)
  const byInstant = Map.groupBy(series, (observation) => observation.observedAtMs)
  const instants = [...byInstant.keys()].sort((a, b) => a - b).map((at) => byInstant.get(at) ?? [])
  const levels = instants.map(priceAt)
  const { currency } = series[0] as PricedObservation
  const crawlsAt = (index: number) => new Set((instants[index] ?? []).flatMap(crawlsOf))
  const judgesAt = ({ others, regions }: NonNullable<VerdictInput['guard']>, index: number) => {
    const recorded = (instants[index] ?? []).map(({ recordedAtMs = 0 }) => recordedAtMs)
    return judgesOf(others, { currency, regions, recordedAtMs: Math.min(...recorded) })
  }
  // Most prices of an item are near all others, and then it does not matter who of them judges.
  const isNearAll = (price: Rational) => factor !== null && guard?.bounds?.every((bound) => within(price, bound))
  const confirmedByOthers = (price: Rational, index: number) => {
    if (guard === undefined)
      return otherPrices.some((other) => other.currency === currency && within(price, other.price))
    if (isNearAll(price)) return guard.others.some((other) => isComparable(other, { currency, regions: guard.regions }))
    return judgesAt(guard, index).some((other) => within(price, other.price))
  }
  const confirmedByNext = (price: Rational, index: number) => {
    const next = levels[index + 1]
    if (next === undefined || !within(price, next.price)) return false
    return guard === undefined || crawlsAt(index).union(crawlsAt(index + 1)).size > 1
  }
  const isQuarantined = (price: Rational, index: number) =>
    guard !== undefined &&
    !isNearAll(price) &&
    isFirstPriceOutlier(price, judgesAt(guard, index), kind) &&
    crawlsOfLevel(price, series, kind).size < 2

  let accepted: Rational | null = null
  for (const [index, { price }] of levels.entries()) {
    const isAccepted =
      accepted === null
        ? !isQuarantined(price, index)
        : within(price, accepted) || confirmedByNext(price, index) || confirmedByOthers(price, index)
    if (isAccepted) {
      accepted = price
      continue
    }
    const released: PricedObservation[] = []
    for (const observation of instants[index] ?? []) {
      if (observation.override === 'released') released.push(observation)
      else excluded.set(observation.observationId, accepted === null ? 'FIRST_PRICE_QUARANTINED' : 'PRICE_FENCE')
    }
    if (released.length > 0) accepted = priceAt(released).price
  }

  const first = levels[0]
  const hasOthers = otherPrices.some((other) => other.currency === currency)
  if (levels.length === 1 && first && first.override === null && hasOthers && !confirmedByOthers(first.price, 0)) {
    flagged.set(first.observationId, 'FIRST_PRICE_FAR')
  }
}

/**
 * The observation whose price stands for one instant of a SKU, among all of its observations in one currency there (at
 * least one). Bids and quantity tiers give several. Of tiers only the smallest min_quantity counts; a price without one
 * holds from the first unit on. Of the rest the lower median counts, and of equal prices the smallest observation id.
 */
export function priceAt<O extends PricedObservation>(observations: readonly O[]): O {
  const [first] = observations
  if (first === undefined) throw new RangeError('no observation at an instant: expected one or more')
  if (observations.length === 1) return first
  const smallest = observations.map(minQuantity).reduce((a, b) => (compare(a, b) <= 0 ? a : b))
  const counting = observations
    .filter((observation) => compare(minQuantity(observation), smallest) === 0)
    .sort((a, b) => compare(a.price, b.price) || (a.observationId < b.observationId ? -1 : 1))
  return counting[(counting.length - 1) >> 1] as O
}

function minQuantity(observation: PricedObservation): Rational {
  return parseDecimal(observation.minQuantity ?? '0')
}

/**
 * The quantity tier of a price: '' for one that holds from the first unit on (no min_quantity, or one up to 1), else
 * its least quantity, in one spelling.
 */
export function tierOf(minQuantity: string | null): string {
  if (minQuantity === null) return ''
  const quantity = parseDecimal(minQuantity)
  return quantity.n <= quantity.d ? '' : toText(quantity)
}
