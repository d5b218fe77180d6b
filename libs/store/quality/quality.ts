import { taxFactorOf } from '@catalog/core/median/sku-prices.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { withAliases } from '@catalog/core/units/unit-aliases.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { unitAliasesAt } from '@catalog/store/vendor/as-of-queries.ts'
import type { SourceRow } from '@catalog/store/vendor/sources.ts'
import { type PriceGroup, priceGroups, readSourceCounts } from './source-prices.ts'
import { type ComparedVote, comparedVotes } from './vote-comparison.ts'

/** How much one source's data can be trusted, in figures. Shares are from 0 to 1, null where nothing was counted. */
export type Quality = Readonly<{
  /** SKUs behind the figures; fewer than `vendor_skus` where the source has more than the reading's limit. */
  skus: number
  vendor_skus: number
  /** Prices in a unit that the catalog does not know. */
  unknown_units: Readonly<{
    count: number
    share: number | null
    /** The most frequent ones, each with a reference of the vendor. */
    examples: readonly Readonly<{ unit: string; count: number; vendor_ref: string }>[]
  }>
  tax: Readonly<{
    net: number
    gross_with_rate: number
    gross_without_rate: number
    not_stated: number
    /** Share of `not_stated`. */
    not_stated_share: number | null
  }>
  parked: Readonly<{
    /** Open dead letters. */
    open: number
    /** Share of the last recorded crawl's records that it parked. */
    share: number | null
    reasons: readonly Readonly<{ reason: string; count: number }>[]
  }>
  /** Ratios of the source's votes to the medians, over items where others vote in the same market. */
  dispersion: Readonly<{
    compared: number
    p10: number | null
    p50: number | null
    p90: number | null
    /** Share of the votes below half or above twice the median. */
    beyond_2_share: number | null
  }>
  /** Items where the source stands more than {@link SUSPECT_RATIO} times from the others' median. */
  suspect_merges: Readonly<{
    count: number
    /** The farthest ones. */
    examples: readonly Readonly<{ item_id: string; name: string; ratio: number }>[]
  }>
  staleness: Readonly<{
    /** Whole days since the newest price. */
    age_days: number | null
    validity_days: number
    /** Share of the SKUs whose latest price has lost its vote by age. */
    expired_share: number | null
  }>
  /** Greatest fall of a field's share in the last compared crawl. */
  drift: number | null
  first_seen_at: string | null
  last_seen_at: string | null
}>

/** A vote so many times above or below the others is suspect. */
const SUSPECT_RATIO = 2
const EXAMPLES_MAX = 5

/** Limits of one reading. */
export type QualityLimits = Readonly<{ skusMax: number; itemsMax: number }>
/** For an answer within a tenth of a second. */
export const QUALITY_FAST: QualityLimits = { skusMax: 5_000, itemsMax: 1_000 }
/** For a command, which may take seconds. */
export const QUALITY_WHOLE: QualityLimits = { skusMax: 200_000, itemsMax: 100_000 }

/** The figures of a source at an instant. It reads in short statements, so that nobody waits for it. */
export async function readQuality(
  db: Queryable,
  source: Pick<SourceRow, 'source_id' | 'validity_days' | 'crawls'>,
  { at, limits }: { at: Date; limits: QualityLimits },
): Promise<Quality> {
  const { source_id: sourceId, validity_days: validityDays, crawls } = source
  const staleBefore = instant(new Date(at.getTime() - validityDays * DAY_MS))
  const aliases = await unitAliasesAt(db, { asOf: instant(at), positions: null })
  const groups: PriceGroup[] = []
  for await (const page of priceGroups(db, { sourceId, staleBefore, ...limits }))
    groups.push(...page.map((group) => withAliases(group, sourceId, aliases)))
  const votes: ComparedVote[] = []
  for await (const page of comparedVotes(db, { sourceId, ...limits })) votes.push(...page)
  const counts = await readSourceCounts(db, sourceId)
  const skus = sumOf(groups, ({ skus }) => skus)
  const last = maxOf(groups.map((group) => instant(new Date(group.last_observed_at))))
  const recorded = [crawls.last, crawls.whole].find((crawl) => crawl?.outcome === 'recorded' && crawl.read > 0)
  return {
    skus,
    vendor_skus: counts.skus,
    unknown_units: unknownUnitsOf(groups, skus),
    tax: taxOf(groups, skus),
    parked: {
      open: sumOf(counts.parked, ({ count }) => count),
      share: recorded ? rounded(recorded.parked / recorded.read) : null,
      reasons: counts.parked,
    },
    dispersion: dispersionOf(votes),
    suspect_merges: suspectsOf(votes),
    staleness: {
      age_days: last === null ? null : Math.max(0, Math.floor((at.getTime() - Date.parse(last)) / DAY_MS)),
      validity_days: validityDays,
      expired_share: shareOf(
        sumOf(groups, ({ stale }) => stale),
        skus,
      ),
    },
    drift: crawls.last?.health?.drift ?? crawls.whole?.health?.drift ?? null,
    first_seen_at: minOf(groups.map((group) => instant(new Date(group.first_observed_at)))),
    last_seen_at: last,
  }
}

function unknownUnitsOf(groups: readonly PriceGroup[], skus: number): Quality['unknown_units'] {
  const byUnit = new Map<string, { count: number; vendor_ref: string }>()
  for (const { unit, lang, pack, skus: count, vendor_ref } of groups) {
    const sold = soldUnit({ unit, pack, lang: lang ?? undefined })
    if (sold.dimension !== null || sold.label === null) continue
    const known = byUnit.get(sold.label)
    byUnit.set(sold.label, { count: (known?.count ?? 0) + count, vendor_ref: known?.vendor_ref ?? vendor_ref })
  }
  const found = [...byUnit].map(([unit, of]) => ({ unit, ...of }))
  const count = sumOf(found, (one) => one.count)
  const examples = found.sort((a, b) => b.count - a.count || (a.unit < b.unit ? -1 : 1)).slice(0, EXAMPLES_MAX)
  return { count, share: shareOf(count, skus), examples }
}

function taxOf(groups: readonly PriceGroup[], skus: number): Quality['tax'] {
  const counts = { net: 0, gross_with_rate: 0, gross_without_rate: 0, not_stated: 0 }
  for (const group of groups) counts[taxStateOf(group)] += group.skus
  return { ...counts, not_stated_share: shareOf(counts.not_stated, skus) }
}

function taxStateOf({ tax_included, tax_rate }: Pick<PriceGroup, 'tax_included' | 'tax_rate'>) {
  if (tax_included === null) return 'not_stated'
  if (!tax_included) return 'net'
  return taxFactorOf(tax_rate) === null ? 'gross_without_rate' : 'gross_with_rate'
}

function dispersionOf(votes: readonly ComparedVote[]): Quality['dispersion'] {
  const ratios = votes
    .flatMap(({ price, median }) => (median === null || median === 0 ? [] : [price / median]))
    .sort((a, b) => a - b)
  const at = (part: number) => {
    const ratio = ratios[Math.max(0, Math.ceil(part * ratios.length) - 1)]
    return ratio === undefined ? null : rounded(ratio)
  }
  const beyond = ratios.filter((ratio) => ratio > SUSPECT_RATIO || ratio < 1 / SUSPECT_RATIO).length
  return {
    compared: ratios.length,
    p10: at(0.1),
    p50: at(0.5),
    p90: at(0.9),
    beyond_2_share: shareOf(beyond, ratios.length),
  }
}

function suspectsOf(votes: readonly ComparedVote[]): Quality['suspect_merges'] {
  const far = (ratio: number) => Math.max(ratio, 1 / ratio)
  const suspects = votes
    .map(({ item_id, name, price, others }) => ({ item_id, name, ratio: price / others }))
    .filter(({ ratio }) => far(ratio) > SUSPECT_RATIO)
    .sort((a, b) => far(b.ratio) - far(a.ratio) || (a.item_id < b.item_id ? -1 : 1))
  const examples = suspects.slice(0, EXAMPLES_MAX).map((one) => ({ ...one, ratio: rounded(one.ratio) }))
  return { count: suspects.length, examples }
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
const shareOf = (count: number, all: number) => (all === 0 ? null : rounded(count / all))
const sumOf = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((sum, one) => sum + of(one), 0)
const maxOf = (instants: readonly string[]) =>
  instants.reduce<string | null>((a, b) => (a === null || later(b, a) ? b : a), null)
const minOf = (instants: readonly string[]) =>
  instants.reduce<string | null>((a, b) => (a === null || later(a, b) ? b : a), null)
const later = (a: string, b: string) => Date.parse(a) > Date.parse(b)
