import { table } from '@catalog/cli/shared/terminal.ts'
import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import type { Quality } from '@catalog/store/quality/quality.ts'

/** One source of the report. */
export type SourceQuality = Readonly<{
  source_id: string
  name: string
  region: string | null
  quality: Quality
  /** Thresholds of the sources file that the figures exceed. */
  breaches: readonly CrawlProblem[]
}>

/** The whole answer. */
export type QualityAnswer = Readonly<{ at: string; sources: readonly SourceQuality[]; cursor: string | null }>

const percentText = (share: number | null) => (share === null ? '-' : `${Math.round(share * 1000) / 10} %`)

/** The answer for people: a line for each source, and the details of a single one. */
export function textOf({ sources, cursor }: QualityAnswer): string {
  const rows = sources.map(({ name, quality, breaches }) => ({
    source: name,
    skus: quality.vendor_skus,
    unknown_units: percentText(quality.unknown_units.share),
    tax_open: percentText(quality.tax.not_stated_share),
    parked: percentText(quality.parked.share),
    ratio_p50: quality.dispersion.p50 ?? '-',
    beyond_x2: percentText(quality.dispersion.beyond_2_share),
    suspects: quality.suspect_merges.count,
    age_days: quality.staleness.age_days ?? '-',
    drift: percentText(quality.drift),
    last_seen: quality.last_seen_at?.slice(0, 10) ?? 'never',
    breaches: breaches.length,
  }))
  const [only] = sources
  return [
    table(rows),
    ...(sources.length === 1 && only !== undefined ? ['', ...detailsOf(only)] : []),
    ...sources.flatMap(({ name, breaches }) => breaches.map(({ code, detail }) => `${name}: ${code}: ${detail}`)),
    ...(cursor === null ? [] : ['', `more: catalog quality --after ${cursor}`]),
  ].join('\n')
}

/** The examples and counts of a single source. */
function detailsOf({ quality }: SourceQuality): string[] {
  const { unknown_units, tax, parked, dispersion, suspect_merges, staleness, first_seen_at, last_seen_at } = quality
  const lines = [
    `seen       ${first_seen_at ?? 'never'} to ${last_seen_at ?? 'never'}; ${percentText(staleness.expired_share)} of the prices expired (after ${staleness.validity_days} days)`,
    `tax        net ${tax.net}, gross with rate ${tax.gross_with_rate}, gross without rate ${tax.gross_without_rate}, not stated ${tax.not_stated}`,
    `dispersion p10 ${dispersion.p10 ?? '-'}, p50 ${dispersion.p50 ?? '-'}, p90 ${dispersion.p90 ?? '-'} over ${dispersion.compared} compared votes`,
    ...unknown_units.examples.map((one) => `unit       '${one.unit}' ${one.count} prices, such as ${one.vendor_ref}`),
    ...parked.reasons.map(({ reason, count }) => `parked     ${reason} ${count}`),
    ...suspect_merges.examples.map((one) => `suspect    ${one.item_id} ${one.ratio} times the others: ${one.name}`),
  ]
  return [...lines, '']
}
