import { join } from 'node:path'
import { NoSpool, readCompleteSpool } from '@catalog/crawler/crawls/record-spool.ts'
import { spooledInput } from '@catalog/crawler/crawls/spooled-input.ts'
import { previewInput } from '@catalog/crawler/ingest/preview.ts'
import type { CrawlContext } from '@catalog/operations/held-crawls.ts'
import type { CrawlRow } from '@catalog/store/vendor/crawls.ts'
import { type Moves, movesOf } from './records.ts'

/** What the records of a held crawl would move if a person accepted it; `absent`: its documents are not on this disk. */
export async function movesOfHeld(
  { catalog, openCrawler }: CrawlContext,
  { source_id, crawl_id }: Pick<CrawlRow, 'source_id' | 'crawl_id'>,
): Promise<Moves | Readonly<{ absent: string }>> {
  const { crawlsDir, now, readFile } = openCrawler()
  try {
    const { spool, fetched } = await readCompleteSpool(join(crawlsDir, source_id, crawl_id))
    return await movesOf(catalog, await previewInput(spooledInput(spool, fetched.spec), { now, readFile }, 0))
  } catch (error) {
    if (error instanceof NoSpool) return { absent: error.message }
    throw error
  }
}
