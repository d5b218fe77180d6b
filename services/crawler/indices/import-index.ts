import { eventId } from '@catalog/core/events/ids.ts'
import { type IndexRecorded, indexIdOf } from '@catalog/core/events/indices.ts'
import type { Licence } from '@catalog/core/events/sources.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { recordLicence } from '@catalog/crawler/crawls/licence.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import type { IndexSeries } from '@catalog/formats/indices/index-mapping.ts'
import { type ReadIndex, type ReadPoint, readIndex } from '@catalog/formats/indices/read-index.ts'
import { appendEvents } from '@catalog/log/append-events.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { IndexPreset } from './index-preset.ts'

/** What describes a series, whatever its points. */
export type IndexDescription = Pick<
  IndexRecorded,
  'source_id' | 'publisher' | 'url' | 'series' | 'title' | 'region' | 'base' | 'frequency'
>
/** An index as the catalog has it: the values in force by period. */
export type StandingIndex = Readonly<{ description: IndexDescription; values: ReadonlyMap<string, string> }>

export type ImportDeps = Readonly<{
  log: Pick<EventLog, 'append'>
  /** Null for an index without points. */
  standing: (indexId: string) => Promise<StandingIndex | null>
  licenceOf: (sourceId: string) => Promise<Licence | null>
  newCrawlId: () => string
  now: () => Date
}>

/** How one series fared. */
export type ImportedSeries = {
  index_id: string
  series: string
  title: string
  /** Points of the file. */
  points: number
  /** Appended: their value or their description is not in force. */
  appended: number
  /** Appended points of a period that had another value. */
  revised: number
}
export type ImportedIndex = Omit<ReadIndex, 'points'> &
  Readonly<{ crawl_id: string; observed_at: string; series: readonly ImportedSeries[] }>

/** Events of one append. */
const BATCH_EVENTS = 1_000

/**
 * Reads a file of indices and appends the points that are news: importing it again appends nothing. The file is read and checked to
 * its end before the first append. Throws BadIndexFile, and what the log and the store throw; importing again is then safe.
 */
export async function importIndex(
  source: ByteSource,
  { preset, observedAt, dryRun }: { preset: IndexPreset; observedAt: string | undefined; dryRun: boolean },
  deps: ImportDeps,
): Promise<ImportedIndex> {
  const { read, series } = preset.index
  const { points, ...counts } = await readIndex(source, { mapping: read, series })
  const recordedAt = instant(deps.now())
  const stamp = { crawl_id: deps.newCrawlId(), observed_at: observedAt ?? recordedAt, recorded_at: recordedAt }
  const bySeries = Map.groupBy(points, ({ series }) => series)
  const events: IndexRecorded[] = []
  const imported: ImportedSeries[] = []
  for (const [one, own] of bySeries) {
    const description = descriptionOf(preset, one)
    const index_id = indexIdOf(description.source_id, description.series)
    const standing = await deps.standing(index_id)
    const news = own.filter((point) => isNews(point, { description, standing }))
    const revised = news.filter(({ period, value }) => {
      const known = standing?.values.get(period)
      return known !== undefined && known !== value
    })
    events.push(...news.map((point) => eventOf(point, description, stamp)))
    const counts = { points: own.length, appended: news.length, revised: revised.length }
    imported.push({ index_id, series: one.code, title: one.title, ...counts })
  }
  if (!dryRun) {
    for (let at = 0; at < events.length; at += BATCH_EVENTS) {
      const batch = events.slice(at, at + BATCH_EVENTS)
      const keyed = batch.map((event) => ({ key: observationKey(event.source_id, event.series), event }))
      await appendEvents(deps.log, TOPICS.observations, keyed)
    }
    await recordLicence({ id: preset.index.publisher_id, licence: preset.licence }, deps)
  }
  return { ...counts, crawl_id: stamp.crawl_id, observed_at: stamp.observed_at, series: imported }
}

function descriptionOf(
  { index, publisher, website }: IndexPreset,
  { code, title, region, base, frequency }: IndexSeries,
): IndexDescription {
  return {
    source_id: index.publisher_id,
    publisher,
    url: website,
    series: code,
    title,
    region: region === undefined ? (index.region ?? null) : region,
    base: base ?? null,
    frequency,
  }
}

function isNews(
  { period, value }: ReadPoint,
  { description, standing }: { description: IndexDescription; standing: StandingIndex | null },
): boolean {
  if (standing === null || standing.values.get(period) !== value) return true
  const keys = Object.keys(description) as (keyof IndexDescription)[]
  return keys.some((key) => description[key] !== standing.description[key])
}

function eventOf(
  { period, value }: ReadPoint,
  description: IndexDescription,
  { recorded_at, ...stamp }: Pick<IndexRecorded, 'crawl_id' | 'observed_at' | 'recorded_at'>,
): IndexRecorded {
  const content = { type: 'IndexRecorded' as const, v: 1 as const, ...stamp, ...description, period, value }
  return { ...content, event_id: eventId(content), recorded_at }
}
