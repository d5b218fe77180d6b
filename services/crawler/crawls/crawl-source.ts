import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gather } from '@catalog/crawler/discover/gather.ts'
import { digestOf, isContinued, openSpool, type Spool, spoolsOf } from '@catalog/crawler/discover/spool.ts'
import { ownHeadersOf } from '@catalog/crawler/fetch/own-headers.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { span } from '@catalog/runtime/tracing.ts'
import { baselineOf, forgetOtherBaseline, saveBaseline } from './baseline.ts'
import { reportDropped, reportWithoutDocuments } from './finished-event.ts'
import { recordLicence } from './licence.ts'
import type { PastCrawls } from './past-crawls.ts'
import { completeSpool, recordSpool } from './record-spool.ts'
import type { SourceCrawlDeps } from './source-crawl-deps.ts'

export type SourceCrawlOptions = Readonly<{
  /** Fetches without conditions. */
  isFull?: boolean
  /** The entry points cover a part of the source only. */
  isPart?: boolean
}>

/**
 * Crawls one source from its entry points to the log: fetches it into a spool on disk, judges its health there, and then
 * records or holds it as a whole. CrawlFinished under the source's id reports every outcome. A crawl resumes an unfinished
 * spool of less than a day under that spool's crawl id. A later crawl of the whole source supersedes a held one.
 *
 * The crawl fetches in full, without conditions, in three cases: `isFull`; the entry points or the mapping changed; or the
 * last whole crawl would become seven days or half its validity old. Otherwise prices would expire while a server answers 304.
 *
 * Throws the signal's reason, and what the log, the disk and the store throw. Crawling again is then safe.
 */
export const crawlSource = (
  spec: SourceSpec,
  deps: SourceCrawlDeps,
  options: SourceCrawlOptions = {},
): Promise<CrawlReport> =>
  span('crawl source', { attributes: { source: spec.id } }, () => fetchAndRecord(spec, deps, options))

async function fetchAndRecord(
  spec: SourceSpec,
  deps: SourceCrawlDeps,
  { isFull = false, isPart = false }: SourceCrawlOptions,
): Promise<CrawlReport> {
  const past = await deps.pastCrawls(spec.id)
  const folder = join(deps.crawlsDir, spec.id)
  await using spool = await spoolFor(spec, { folder, past, deps })
  const { crawlId } = spool.crawl
  const { fetcher, clock, onFetched: onProgress, signal, readHeader } = deps
  const gathered = await gather(
    spec,
    { fetcher, spool, clock, onProgress, signal, own: ownHeadersOf(spec, readHeader) },
    await baselineOf(spec, { folder, past, now: deps.now(), isFull }),
  )
  const isSuperseded = past.held !== null && gathered.status === 'fetched' && !isPart
  if (isSuperseded) {
    await reportDropped(past.held, { code: 'SUPERSEDED', detail: `crawl ${crawlId} saw the source later` }, deps)
  }
  await recordLicence(spec, deps)
  let report: CrawlReport
  if (gathered.status === 'fetched') {
    const fetched = { spec, gathered, isPart }
    await completeSpool(spool.folder, fetched)
    if (!isPart) await forgetOtherBaseline(folder, spec)
    report = await recordSpool(fetched, { spool, past, deps, isAccepted: false })
  } else report = await reportWithoutDocuments(spec, { spool, gathered, deps, isPart })
  const isHeld = report.outcome === 'held'
  if (isHeld) await deps.onHeld?.(spec, report)
  if (isPart) {
    if (!isHeld) await rm(spool.folder, { recursive: true })
    return report
  }
  if (report.outcome === 'recorded' && report.complete) await saveBaseline(folder, spec)
  const kept = [isHeld ? crawlId : null, isSuperseded ? null : past.held?.crawl_id]
  for (const other of await spoolsOf(folder)) {
    if (!kept.includes(other.crawlId)) await rm(other.folder, { recursive: true })
  }
  return report
}

/** Resumes the newest unfinished spool of the source where that is possible, or opens a new one. */
async function spoolFor(
  spec: SourceSpec,
  { folder, past, deps }: { folder: string; past: PastCrawls; deps: SourceCrawlDeps },
): Promise<Spool> {
  const { spoolTotal: total } = deps
  const now = deps.now()
  const digest = digestOf(spec)
  // Older spools were given up. A reported one is left from a process that ended before it could tidy up.
  const [newest] = await spoolsOf(folder)
  const isReported = Object.values(past).some((crawl) => crawl?.crawl_id === newest?.crawlId)
  if (newest !== undefined && !isReported && isContinued(newest, { digest, now })) {
    return openSpool(newest.folder, { ...newest, now, total })
  }
  const crawlId = deps.newCrawlId()
  return openSpool(join(folder, crawlId), { crawlId, sourceId: spec.id, startedAt: now, digest, now, total })
}
