import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { spoolsOf } from '@catalog/crawler/discover/spool.ts'
import { withoutSecrets } from '@catalog/crawler/fetch/document-name.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import { forgetBaseline } from './baseline.ts'
import { recordedAfter, reportDropped } from './finished-event.ts'
import type { PastCrawl } from './past-crawls.ts'
import { readCompleteSpool, recordSpool } from './record-spool.ts'
import type { SourceCrawlDeps } from './source-crawl-deps.ts'

/** Records a held crawl under its own id, whatever its health. Throws NoSpool where its documents are not on this disk. */
export async function acceptHeld(held: PastCrawl, deps: SourceCrawlDeps): Promise<CrawlReport> {
  const folder = join(deps.crawlsDir, held.source_id)
  const { spool, fetched } = await readCompleteSpool(join(folder, held.crawl_id))
  const past = await deps.pastCrawls(held.source_id)
  // Later crawls compared with an earlier state: their "unchanged" says nothing about the state recorded now.
  await forgetBaseline(folder)
  const report = await recordSpool(fetched, { spool, past, deps: recordedAfter(held, deps), isAccepted: true })
  await rm(spool.folder, { recursive: true })
  return report
}

/** Drops a held crawl and its documents; none of them is ever recorded. */
export async function dropHeld(held: PastCrawl, { reason }: { reason: string }, deps: SourceCrawlDeps): Promise<void> {
  await reportDropped(held, { code: 'DROPPED', detail: withoutSecrets(reason) }, deps)
  const spools = await spoolsOf(join(deps.crawlsDir, held.source_id))
  for (const { crawlId, folder } of spools) if (crawlId === held.crawl_id) await rm(folder, { recursive: true })
}
