import type { CrawlHealth, CrawlOutcome } from '@catalog/core/events/crawls.ts'

/** A crawl of a source as the read models hold it: the content of its latest CrawlFinished. */
export type PastCrawl = Readonly<{
  source_id: string
  crawl_id: string
  outcome: CrawlOutcome
  complete: boolean
  /** Instant; null for a crawl that did not report one. */
  started_at: string | null
  recorded_at: string
  etag: string | null
  last_modified: string | null
  read: number
  appended: number
  duplicates: number
  parked: number
  health: CrawlHealth | null
}>

/** The newest crawls of a source: of all, of those recorded whole, of those that saw all of it, and one that is held. */
export type PastCrawls = Readonly<Record<'last' | 'whole' | 'fetched' | 'held', PastCrawl | null>>

/** When the newest crawl of the whole source began, with any outcome; null where there was none. */
export function lastAttemptOf(past: PastCrawls): Date | null {
  const startedMs = Object.values(past).flatMap((crawl) =>
    crawl?.started_at == null ? [] : [Date.parse(crawl.started_at)],
  )
  return startedMs.length === 0 ? null : new Date(Math.max(...startedMs))
}
