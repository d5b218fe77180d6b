import type { CrawlFinished, CrawlProblem } from '@catalog/core/events/crawls.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { Appended, RecipeCounts } from './append.ts'
import { EventBatch, type Recording, sourceKey } from './crawl-events.ts'
import type { FetchedCrawl, Judgement } from './survey.ts'
import type { Tallies } from './tallies.ts'

/** The report on one input, as `catalog crawl --json` prints it. */
export type CrawlReport = Readonly<{
  crawlId: string
  input: string
  sources: readonly Readonly<{ sourceId: string; name: string }>[]
  /** Candidate observations: read = appended + duplicates + the sum of parked. */
  read: number
  appended: number
  duplicates: number
  /** Parked records by reason. */
  parked: Readonly<Record<string, number>>
  /** Recipes of BC3 files. They are no candidate observations, so the law of `read` leaves them out. */
  recipes: RecipeCounts
  /** The detected format of each file, of the first DETECTED_MAX. */
  detected: readonly Detected[]
  /** Links that robots.txt forbids, of a crawl from entry points. */
  forbidden: number
  /** The crawl read every file to its end. */
  complete: boolean
  outcome: NonNullable<CrawlFinished['outcome']>
  /** Why the crawl was held, or is not whole. */
  problems: readonly CrawlProblem[]
}>

type Crawled = Readonly<{
  input: string
  recording: Recording
  tallies: Tallies
  appended: Pick<Appended, 'detected' | 'parkedByReason'>
  recipes: RecipeCounts
  complete: boolean
  outcome: 'held' | 'recorded'
  problems: readonly CrawlProblem[]
  /** Null where the input was given by hand: it has no health. */
  fetched: Readonly<{ crawl: FetchedCrawl; judgement: Judgement }> | null
}>

/**
 * Appends CrawlFinished for each source and returns the report. A held crawl gets one CrawlFinished with the totals: it is one
 * thing to decide on, whatever sources it has.
 */
export async function reportCrawl(log: Pick<EventLog, 'append'>, crawled: Crawled): Promise<CrawlReport> {
  const { input, recording, tallies, appended, recipes, complete, outcome, problems, fetched } = crawled
  const batch = new EventBatch(log)
  const totals = {
    read: tallies.total('read'),
    appended: tallies.total('appended'),
    duplicates: tallies.total('duplicates'),
    parked: tallies.total('parked'),
  }
  const reported = outcome === 'held' && fetched ? [{ ...totals, ref: fetched.crawl.source }] : tallies.all
  for (const { ref, read, appended, duplicates, parked } of reported) {
    const health = fetched?.judgement.health.get(ref.id)
    const finished = {
      type: 'CrawlFinished' as const,
      v: 1 as const,
      source_id: ref.id,
      crawl_id: recording.crawlId,
      complete,
      read,
      appended,
      duplicates,
      parked,
      ...(fetched !== null && {
        ...fetched.crawl.details,
        outcome,
        ...(health && { health }),
        problems: [...problems],
      }),
    } satisfies Omit<CrawlFinished, 'event_id' | 'recorded_at'>
    await batch.add(sourceKey(ref.id), { ...finished, event_id: eventId(finished), recorded_at: recording.recordedAt })
  }
  await batch.flush()
  return {
    crawlId: recording.crawlId,
    input,
    sources: tallies.all.map(({ ref }) => ({ sourceId: ref.id, name: ref.name })),
    ...totals,
    parked: appended.parkedByReason,
    recipes,
    detected: appended.detected,
    forbidden: fetched?.crawl.details.forbidden ?? 0,
    complete,
    outcome,
    problems,
  }
}
