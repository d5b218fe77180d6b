import type { SourceKind } from '@catalog/core/events/sources.ts'
import { compare, divide, ONE, type Rational } from '@catalog/core/money/rational.ts'
import { weightedMedian } from './median.ts'

/**
 * Finds outliers among first prices, which wait in quarantine: a shifted decimal mark, another pack or unit, an invented
 * vendor. Rules of guarded votes (twm/3).
 */

/** A first price nearer than this to the others is no outlier, by kind of its source. */
const OUTLIER_FACTORS: Readonly<Record<SourceKind, bigint>> = {
  shop: 10n,
  bank: 10n,
  /** Honest bids for one item lie further apart: unbalanced bidding moves price between items. */
  bid: 30n,
}
/** Prices within this factor are alike enough to confirm each other: the factors of the fence, and the bank's for bids. */
const LIKE_FACTORS: Readonly<Record<SourceKind, bigint>> = { shop: 3n, bank: 5n, bid: 5n }
/** Two votes within this of a third are not far from each other by any factor above. */
const SPREAD_FACTOR = 3n
/** Fewer others tell no level. */
const OTHERS_MIN = 3
/**
 * The modified z-score of Iglewicz and Hoaglin (How to Detect and Handle Outliers, ASQC 1993) rejects beyond
 * 3.5 / 0.6745 = 5.19 median absolute deviations. On a scale of ratios that is a power; 5 keeps it exact.
 */
const DEVIATIONS_MAX = 5n

/** A source's vote before any fence, as a judge of others. */
export type OtherVote = Readonly<{
  price: Rational
  currency: string
  /** Trust, 1..100. */
  weight: number
  /** Its legal vendor, where one judges with one voice. */
  vendorId?: string
  regions: readonly string[]
  /** When the log first had it, in milliseconds since 1970. The operator's clock stamps it, unlike the price's own date. */
  recordedAtMs: number
  /** Two crawls delivered its level, or a person released it: its own evidence, independent of all other sources. */
  isEstablished: boolean
}>

/** A candidate to judge: its price's currency, the markets of its source, and its time as in {@link OtherVote}. */
type Candidate = Pick<OtherVote, 'currency' | 'regions' | 'recordedAtMs' | 'vendorId'>

/**
 * Those of the votes that may judge others. In the order in which the log had them, a vote is admitted when it is
 * established or not far from those admitted before it; votes of one moment judge each other. So a crowd of invented
 * vendors that comes after three honest ones is never admitted, in one crawl or in many, and confirms nobody.
 */
export function admittedVotes<V extends OtherVote & Readonly<{ kind: SourceKind }>>(votes: readonly V[]): readonly V[] {
  if (!votes.some((vote) => isApart(vote.price, (votes[0] as V).price, SPREAD_FACTOR))) return votes
  const admitted: V[] = []
  const moments = Map.groupBy(votes, ({ recordedAtMs }) => recordedAtMs)
  for (const moment of [...moments.keys()].sort((a, b) => a - b)) {
    const together = moments.get(moment) ?? []
    const before = [...admitted]
    for (const vote of together) {
      const peers = [...before, ...together.filter((other) => other !== vote)]
      if (vote.isEstablished || !isFirstPriceOutlier(vote.price, judgesOf(peers, vote), vote.kind)) admitted.push(vote)
    }
  }
  return admitted
}

/**
 * The admitted others that may judge or confirm a price, among those in its currency that share a market with it (all,
 * for a source without one): the established ones where they are three or more; else those that the log had before
 * it, likewise; else all.
 */
export function judgesOf<Other extends OtherVote>(others: readonly Other[], price: Candidate): readonly Other[] {
  const comparable = oneOfEachVendor(
    others.filter((other) => isComparable(other, price)),
    price,
  )
  const established = comparable.filter(({ isEstablished }) => isEstablished)
  if (established.length >= OTHERS_MIN) return established
  const earlier = comparable.filter(({ recordedAtMs }) => recordedAtMs < price.recordedAtMs)
  return earlier.length >= OTHERS_MIN ? earlier : comparable
}

/**
 * Of a legal vendor's countries the one that shares most markets with the price; of several the established one, then the
 * earliest in the log, then the cheapest, then the one of most trust.
 */
function oneOfEachVendor<Other extends OtherVote>(others: readonly Other[], price: Candidate): readonly Other[] {
  if (!others.some(({ vendorId }) => vendorId !== undefined)) return others
  const shared = ({ regions }: Other) => regions.filter((region) => price.regions.includes(region)).length
  const byFitness = (a: Other, b: Other) =>
    shared(b) - shared(a) ||
    Number(b.isEstablished) - Number(a.isEstablished) ||
    a.recordedAtMs - b.recordedAtMs ||
    compare(a.price, b.price) ||
    b.weight - a.weight
  const vendors = Map.groupBy(others, (other) => other.vendorId ?? other)
  return [...vendors.values()].flatMap((own) => own.toSorted(byFitness)[0] ?? [])
}

/** Whether a vote of another vendor is in the currency of a price and shares a market with it. */
export const isComparable = (other: OtherVote, price: Omit<Candidate, 'recordedAtMs'>): boolean =>
  other.currency === price.currency &&
  (other.vendorId === undefined || other.vendorId !== price.vendorId) &&
  (price.regions.length === 0 || price.regions.some((region) => other.regions.includes(region)))

/**
 * Whether a first price p is an outlier among the judges' prices x, each with its trust as weight:
 *
 *   m = lower weighted median of x, D = upper weighted median of max(x/m, m/x), r = max(p/m, m/p)
 *   far: r ≥ factor of the kind, r > D^5, and at least three x are that factor away from p
 *
 * ln D is the median absolute deviation of ln x, so D^5 is a fence of five deviations on a scale of ratios. All numbers
 * are exact; multiplying every price by one number changes nothing.
 */
export function isFirstPriceOutlier(price: Rational, judges: readonly OtherVote[], kind: SourceKind): boolean {
  const factor = OUTLIER_FACTORS[kind]
  if (judges.filter((judge) => isApart(price, judge.price, factor)).length < OTHERS_MIN) return false
  const middle = weightedMedian(judges)?.lower
  if (middle === undefined || !isApart(price, middle, factor)) return false
  const deviations = judges.map((judge) => ({ price: ratioOf(judge.price, middle), weight: judge.weight }))
  const deviation = weightedMedian(deviations)?.upper ?? ONE
  const distance = ratioOf(price, middle)
  return distance.n * deviation.d ** DEVIATIONS_MAX > distance.d * deviation.n ** DEVIATIONS_MAX
}

/** The observations' crawls whose price is like this one, its own included. */
export function crawlsOfLevel(
  price: Rational,
  observations: readonly Readonly<{ price: Rational; crawls?: readonly string[]; observationId: string }>[],
  kind: SourceKind,
): ReadonlySet<string> {
  const alike = observations.filter((observation) => !isBeyond(price, observation.price, LIKE_FACTORS[kind]))
  return new Set(alike.flatMap(crawlsOf))
}

/** The crawls that delivered an observation; one of its own where they are unknown. */
export function crawlsOf(
  observation: Readonly<{ crawls?: readonly string[]; observationId: string }>,
): readonly string[] {
  return observation.crawls ?? [observation.observationId]
}

/** max(a/b, b/a) of two prices above 0. */
const ratioOf = (a: Rational, b: Rational) => (compare(a, b) >= 0 ? divide(a, b) : divide(b, a))

const isApart = (a: Rational, b: Rational, factor: bigint) =>
  a.n * b.d >= factor * b.n * a.d || b.n * a.d >= factor * a.n * b.d

const isBeyond = (a: Rational, b: Rational, factor: bigint) =>
  a.n * b.d > factor * b.n * a.d || b.n * a.d > factor * a.n * b.d
