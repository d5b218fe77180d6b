import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import { instant } from '@catalog/core/time.ts'
import { breachesOf } from '@catalog/crawler/quality/quality-limits.ts'
import { sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import type { OperationContext } from '@catalog/operations/catalog.ts'
import { findSource } from '@catalog/operations/naming.ts'
import { type Paging, pageOf } from '@catalog/operations/outcome.ts'
import { QUALITY_WHOLE, type Quality, readQuality } from '@catalog/store/quality/quality.ts'
import { readSources, type SourceRow } from '@catalog/store/vendor/sources.ts'
import { alertBreaches, deliveryProblem, webhookOf } from './alerts.ts'

/** How much the data of a source can be trusted. */
export type SourceQuality = Readonly<{
  source_id: string
  name: string
  region: string | null
  quality: Quality
  /** Thresholds of the sources file that the figures exceed. */
  breaches: readonly CrawlProblem[]
}>

/** One page of sources. */
export type QualityAnswer = Readonly<{ at: string; sources: readonly SourceQuality[]; cursor: string | null }>

type Asked = Paging & Readonly<{ source?: string | undefined }>

/**
 * Measures the data of one source, by id or name, or of a page of them, and tells the operator's webhook of exceeded thresholds.
 * `undelivered` says which of these messages did not arrive.
 */
export async function measureQuality(
  context: OperationContext,
  { onProgress, ...asked }: Asked & { onProgress?: (done: number, total: number) => void },
): Promise<Readonly<{ answer: QualityAnswer; undelivered: readonly string[] }>> {
  const { catalog, env } = context
  await catalog.catchUp()
  const at = catalog.now()
  const specs = (await sourcesReader(env)())?.sources ?? []
  const { rows, cursor } = await chosenSources(context, asked)
  const sources: SourceQuality[] = []
  for (const row of rows) {
    const quality = await readQuality(catalog.store, row, { at, limits: QUALITY_WHOLE })
    const { source_id, name, region } = row
    const breaches = breachesOf(figuresOf(quality), specs.find(({ id }) => id === source_id)?.quality ?? {})
    sources.push({ source_id, name, region, quality, breaches })
    onProgress?.(sources.length, rows.length)
  }
  const answer = { at: instant(at), sources, cursor }
  const deliveries = await alertBreaches(webhookOf(context), answer)
  return { answer, undelivered: deliveries.map(deliveryProblem).filter((problem) => problem !== null) }
}

async function chosenSources(
  { catalog: { store } }: OperationContext,
  { source, after, limit }: Asked,
): Promise<{ rows: readonly SourceRow[]; cursor: string | null }> {
  if (source === undefined)
    return pageOf(await readSources(store, { after, limit: limit + 1 }), {
      limit,
      placeOf: ({ source_id }) => source_id,
    })
  const byId = await readSources(store, { sourceId: source })
  if (byId.length > 0) return { rows: byId, cursor: null }
  const all = await readSources(store, { after: undefined, limit: SOURCES_MAX })
  const named = all.map((row) => ({ ...row, sourceId: row.source_id }))
  return { rows: [findSource(named, { option: '--source', given: source })], cursor: null }
}
/** Sources among which a name is looked up. */
const SOURCES_MAX = 100_000

/** The figures that thresholds bound. */
function figuresOf({ unknown_units, tax, parked, dispersion, staleness }: Quality) {
  return {
    unknownUnits: unknown_units.share,
    parked: parked.share,
    taxNotStated: tax.not_stated_share,
    dispersion: dispersion.beyond_2_share,
    ageDays: staleness.age_days,
  }
}
