import type { CrawlFinished, CrawlProblem } from '@catalog/core/events/crawls.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import type { Gathered } from '@catalog/crawler/discover/gather.ts'
import type { Spool } from '@catalog/crawler/discover/spool.ts'
import { storableProblems } from '@catalog/crawler/ingest/crawl-events.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { appendEvents } from '@catalog/log/append-events.ts'
import type { PastCrawl } from './past-crawls.ts'
import type { SourceCrawlDeps } from './source-crawl-deps.ts'

/** CrawlFinished of crawls that record no observations: unchanged and failed sources, and dropped crawls. */

type Deps = Pick<SourceCrawlDeps, 'log' | 'now'>

async function appendFinished(
  content: Omit<CrawlFinished, 'type' | 'v' | 'event_id' | 'recorded_at'>,
  { log, now }: Deps,
): Promise<void> {
  const payload = { type: 'CrawlFinished' as const, v: 1 as const, ...content }
  const event: CrawlFinished = { ...payload, event_id: eventId(payload), recorded_at: instant(now()) }
  await appendEvents(log, TOPICS.observations, [{ key: observationKey(content.source_id, ''), event }])
}

/** Reports a crawl without documents: its source is unchanged, or did not answer. */
export async function reportWithoutDocuments(
  spec: SourceSpec,
  {
    spool,
    gathered,
    deps,
    isPart,
  }: { spool: Spool; gathered: Exclude<Gathered, { status: 'fetched' }>; deps: Deps; isPart: boolean },
): Promise<CrawlReport> {
  const isUnchanged = gathered.status === 'unchanged'
  const problems = isUnchanged ? [] : gathered.problems
  const counts = { read: 0, appended: 0, duplicates: 0 }
  await appendFinished(
    {
      source_id: spec.id,
      crawl_id: spool.crawl.crawlId,
      complete: isUnchanged,
      ...(isUnchanged && gathered.etag !== null && { etag: gathered.etag }),
      ...(isUnchanged && gathered.lastModified !== null && { last_modified: gathered.lastModified }),
      ...counts,
      parked: 0,
      outcome: gathered.status,
      problems: storableProblems(problems),
      ...(!isPart && { started_at: instant(spool.crawl.startedAt) }),
    },
    deps,
  )
  return {
    crawlId: spool.crawl.crawlId,
    input: spec.name,
    sources: [{ sourceId: spec.id, name: spec.name }],
    ...counts,
    parked: {},
    recipes: { read: 0, appended: 0, refused: {} },
    detected: [],
    forbidden: 0,
    complete: isUnchanged,
    outcome: gathered.status,
    problems,
  }
}

/** Reports that a held crawl is dropped for this problem. */
export async function reportDropped(held: PastCrawl, problem: CrawlProblem, deps: Deps): Promise<void> {
  const { source_id, crawl_id, read, appended, duplicates, parked, started_at } = held
  await appendFinished(
    {
      source_id,
      crawl_id,
      complete: false,
      read,
      appended,
      duplicates,
      parked,
      outcome: 'dropped',
      ...(started_at !== null && { started_at }),
      problems: storableProblems([problem]),
    },
    recordedAfter(held, deps),
  )
}

/** A clock that is later than the crawl's first report, so that the second report wins even over a fast clock elsewhere. */
export function recordedAfter<D extends Pick<Deps, 'now'>>({ recorded_at }: PastCrawl, deps: D): D {
  return { ...deps, now: () => new Date(Math.max(deps.now().getTime(), Date.parse(recorded_at) + 1)) }
}
