import type { Context } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { rowLimit } from '@catalog/cli/shared/whole-number.ts'
import { measureQuality, type QualityAnswer, type SourceQuality } from '@catalog/operations/sources/quality.ts'

export type QualityFlags = Readonly<{ source?: string; after?: string; limit: string }>

/**
 * `catalog quality`: how much the data of each source can be trusted. Returns false when a source exceeds a threshold of
 * the sources file, so that a batch notices.
 */
export async function reportQuality(context: Context, flags: QualityFlags): Promise<boolean> {
  const { terminal } = context
  const limit = rowLimit(flags.limit)
  const reading = terminal.progress('sources')
  const asked = { ...flags, limit, onProgress: reading.to }
  const { answer, undelivered } = await measureQuality(context, asked).finally(reading.done)
  for (const problem of undelivered) terminal.note(problem)
  terminal.answer(answer, () => textOf(answer))
  const breached = answer.sources.find(({ breaches }) => breaches.length > 0)
  terminal.next(breached === undefined ? 'catalog review' : `catalog quality --source ${breached.source_id} --json`)
  return breached === undefined
}

const percentText = (share: number | null) => (share === null ? '-' : `${Math.round(share * 1000) / 10} %`)

/** The answer for people: a line for each source, and the details of a single one. */
function textOf({ sources, cursor }: QualityAnswer): string {
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
