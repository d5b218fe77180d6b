import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST_FILE, SPOOL_AGE_MAX_MS, spoolsOf } from '@catalog/crawler/discover/spool.ts'
import { PREVIEW_PREFIX } from './preview-source.ts'
import type { SourceCrawlDeps } from './source-crawl-deps.ts'

/**
 * Removes the previews and spools that no crawl wrote to for a day, and keeps held spools. Killed previews leave such folders,
 * and so do sources that are never crawled again.
 */
export async function sweepCrawls({
  crawlsDir,
  pastCrawls,
  now,
}: Pick<SourceCrawlDeps, 'crawlsDir' | 'pastCrawls' | 'now'>): Promise<void> {
  const idleMs = now().getTime() - SPOOL_AGE_MAX_MS
  const sweep = async (folder: string) => {
    const found = await Promise.all([folder, join(folder, MANIFEST_FILE)].map((path) => stat(path).catch(() => null)))
    if (found.every((stats) => stats === null || stats.mtimeMs < idleMs))
      await rm(folder, { recursive: true, force: true })
  }
  for (const name of await readdir(crawlsDir).catch(() => [])) {
    const folder = join(crawlsDir, name)
    if (name.startsWith(PREVIEW_PREFIX)) await sweep(folder)
    else {
      const { held } = await pastCrawls(name)
      for (const spool of await spoolsOf(folder)) if (spool.crawlId !== held?.crawl_id) await sweep(spool.folder)
    }
  }
}
