import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import { followSchedule } from '@catalog/crawler/sources/scheduler.ts'
import type { SourceSpec, SourcesFile } from '@catalog/crawler/sources/sources-file.ts'
import { crawlSource } from './crawl-source.ts'
import { lastAttemptOf } from './past-crawls.ts'
import type { SourceCrawlDeps } from './source-crawl-deps.ts'
import { sweepCrawls } from './sweep.ts'

type Log = Readonly<Record<'info' | 'warn' | 'error', (details: object, message: string) => void>>

export type ScheduledCrawlDeps = Readonly<{
  /** Path of the sources file, for messages. */
  place: string
  /** Reads the sources file; null where there is none. */
  read: () => Promise<SourcesFile | null>
  /** Opens the crawler once for each distinct pair of contact and politeness. */
  openCrawler: (as: Pick<SourcesFile, 'contact' | 'politeness'>) => SourceCrawlDeps
  /** Runs `work` while no other process crawls this source. */
  withLease: (spec: SourceSpec, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) => Promise<void>
  /** Resolves when the read models hold all that the log holds. */
  catchUp: () => Promise<unknown>
  clock: Clock
  signal: AbortSignal
  log: Log
}>

/** Crawls the sources of the sources file when they are due, until the signal aborts. */
export async function followSources(deps: ScheduledCrawlDeps): Promise<void> {
  const { place, read, withLease, catchUp, clock, signal, log } = deps
  const crawlerFor = crawlerCache(deps)
  const lastAttempt = async (sourceId: string) => lastAttemptOf(await (await crawlerFor()).pastCrawls(sourceId))
  await sweepCrawls(await crawlerFor())
  let hadFile = false
  await followSchedule<SourceSpec>({
    async read() {
      const file = await read()
      // Some editors remove a file for a moment while they save it.
      if (file === null && hadFile)
        throw new Error(`${place}: the file is gone; expected a file, which may be without sources`)
      hadFile = file !== null
      return file ?? { sources: [] }
    },
    lastAttempt,
    clock,
    signal,
    log,
    async crawl(spec, { due, signal }) {
      const crawler = await crawlerFor()
      const work = async (signal: AbortSignal) => {
        await catchUp()
        const last = await lastAttempt(spec.id)
        // Another process has covered this instant. An attempt in the future comes from a wrong clock and does not count.
        if (last !== null && last >= due && last.getTime() <= clock.now()) return
        const { crawlId, outcome, read, appended, problems } = await crawlSource(spec, { ...crawler, signal })
        const details = { source: spec.name, crawlId, outcome, read, appended, problems }
        if (problems.length === 0) log.info(details, 'source crawled')
        else log.warn(details, 'source crawled, with problems')
        await catchUp()
      }
      await withLease(spec, work, signal)
    },
  })
}

/** Returns a function that reopens the crawler when the file's contact or politeness change. */
function crawlerCache({ read, openCrawler }: ScheduledCrawlDeps): () => Promise<SourceCrawlDeps> {
  let opened: { key: string; crawler: SourceCrawlDeps } | null = null
  return async () => {
    const { contact, politeness } = (await read().catch(() => null)) ?? { contact: null, politeness: {} }
    const key = JSON.stringify([contact, politeness])
    if (opened?.key !== key) opened = { key, crawler: openCrawler({ contact, politeness }) }
    return opened.crawler
  }
}
