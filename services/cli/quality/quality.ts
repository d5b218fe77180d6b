import type { Context } from '@catalog/cli/shared/context.ts'
import { rowLimit } from '@catalog/cli/shared/whole-number.ts'
import { instant } from '@catalog/core/time.ts'
import { breachesOf, type QualityThresholds } from '@catalog/crawler/quality/quality-limits.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import { findSource } from '@catalog/operations/naming.ts'
import { QUALITY_WHOLE, type Quality, readQuality } from '@catalog/store/quality/quality.ts'
import { readSources, type SourceRow } from '@catalog/store/vendor/sources.ts'
import { alertBreaches, deliveryProblem, webhookOf } from './alerts.ts'
import { type QualityAnswer, type SourceQuality, textOf } from './text.ts'

export type QualityFlags = Readonly<{ source?: string; after?: string; limit: string }>

/**
 * `catalog quality`: how much the data of each source can be trusted. Returns false when a source exceeds a threshold of
 * the sources file, so that a batch notices.
 */
export async function reportQuality(context: Context, flags: QualityFlags): Promise<boolean> {
  const { catalog, env, terminal } = context
  await catalog.catchUp()
  const at = catalog.now()
  const specs = (await sourcesReader(env)())?.sources ?? []
  const { rows, cursor } = await chosenSources(context, flags)
  const sources: SourceQuality[] = []
  const reading = terminal.progress('sources')
  for (const row of rows) {
    const quality = await readQuality(catalog.store, row, { at, limits: QUALITY_WHOLE })
    const { source_id, name, region } = row
    const breaches = breachesOf(figuresOf(quality), thresholdsOf(specs, source_id))
    sources.push({ source_id, name, region, quality, breaches })
    reading.to(sources.length, rows.length)
  }
  reading.done()
  const answer: QualityAnswer = { at: instant(at), sources, cursor }
  for (const delivery of await alertBreaches(webhookOf(context), answer)) {
    const problem = deliveryProblem(delivery)
    if (problem !== null) terminal.note(problem)
  }
  terminal.answer(answer, () => textOf(answer))
  const breached = sources.find(({ breaches }) => breaches.length > 0)
  terminal.next(breached === undefined ? 'catalog review' : `catalog quality --source ${breached.source_id} --json`)
  return breached === undefined
}

async function chosenSources(
  { catalog: { store } }: Context,
  { source, after, limit }: QualityFlags,
): Promise<{ rows: readonly SourceRow[]; cursor: string | null }> {
  const count = rowLimit(limit)
  if (source === undefined) {
    const rows = await readSources(store, { after, limit: count + 1 })
    const shown = rows.slice(0, count)
    return { rows: shown, cursor: rows.length > count ? (shown.at(-1)?.source_id ?? null) : null }
  }
  const byId = await readSources(store, { sourceId: source })
  if (byId.length > 0) return { rows: byId, cursor: null }
  const all = await readSources(store, { after: undefined, limit: SOURCES_MAX })
  const named = all.map((row) => ({ ...row, sourceId: row.source_id }))
  return { rows: [findSource(named, { option: '--source', given: source })], cursor: null }
}
/** Sources among which a name is looked up. */
const SOURCES_MAX = 100_000

function thresholdsOf(specs: readonly SourceSpec[], sourceId: string): QualityThresholds {
  return specs.find(({ id }) => id === sourceId)?.quality ?? {}
}

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
