import type { PreviewDeps } from '@catalog/crawler/crawls/preview-source.ts'
import { CLOCK } from '@catalog/crawler/fetch/fetcher.ts'

/** What a preview of a file needs; `crawlsDir` is an empty folder. It refuses to fetch. */
export function fileDeps(crawlsDir: string): PreviewDeps {
  const refuses = () => Promise.reject(new Error('a file needs no network'))
  return { fetcher: { get: refuses, sitemaps: refuses }, clock: CLOCK, crawlsDir, now: () => new Date() }
}
