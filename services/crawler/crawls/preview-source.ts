import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import { gather } from '@catalog/crawler/discover/gather.ts'
import { digestOf, openSpool, type SpooledDocument } from '@catalog/crawler/discover/spool.ts'
import { ownHeadersOf } from '@catalog/crawler/fetch/own-headers.ts'
import { type CrawlPreview, previewInput } from '@catalog/crawler/ingest/preview.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { FULL_FETCH } from './baseline.ts'
import type { SourceCrawlDeps } from './source-crawl-deps.ts'
import { spooledInput } from './spooled-input.ts'

/** The expected result of a crawl, judged by the first documents of the source. */
export type SourcePreview = Readonly<{
  documents: readonly Pick<SpooledDocument, 'name' | 'contentType' | 'bytes'>[]
  problems: readonly CrawlProblem[]
  /** The first records of the documents; null where no document came. */
  preview: CrawlPreview | null
}>

export type PreviewDeps = Pick<
  SourceCrawlDeps,
  'fetcher' | 'clock' | 'crawlsDir' | 'now' | 'onFetched' | 'signal' | 'readFile' | 'readHeader'
>

/** Names of preview folders begin with this. The id of a source begins with a letter or a digit. */
export const PREVIEW_PREFIX = '.preview-'
const PREVIEW_DOCUMENTS = 3
/** Of a source with selectors, which find one thing on one page and another on the next. */
const PREVIEW_PAGES = 5

/**
 * Fetches the first documents of a source and returns their first `count` records as a crawl would record them. Records
 * nothing. Throws as crawlSource does.
 */
export async function previewSource(
  spec: SourceSpec,
  deps: PreviewDeps,
  { count }: { count: number },
): Promise<SourcePreview> {
  await mkdir(deps.crawlsDir, { recursive: true })
  const folder = await mkdtemp(join(deps.crawlsDir, PREVIEW_PREFIX))
  try {
    const now = deps.now()
    const documentsMax = spec.selectors === undefined ? PREVIEW_DOCUMENTS : PREVIEW_PAGES
    const limited = { ...spec, pagesMax: Math.min(spec.pagesMax, documentsMax) }
    const head = { crawlId: 'preview', sourceId: spec.id, startedAt: now, digest: digestOf(limited) }
    await using spool = await openSpool(join(folder, 'crawl'), { ...head, now })
    const { fetcher, clock, onFetched: onProgress, signal, readHeader } = deps
    const own = ownHeadersOf(spec, readHeader)
    const gathered = await gather(
      limited,
      { fetcher, spool, clock, onProgress, signal, isPatient: false, own },
      FULL_FETCH,
    )
    const documents: SourcePreview['documents'][number][] = []
    for await (const { name, contentType, bytes } of spool.read()) documents.push({ name, contentType, bytes })
    // A preview stops early by design, so the limit of pages is no problem here.
    const found = gathered.status === 'unchanged' ? [] : gathered.problems
    const problems = found.filter(({ code }) => code !== 'PAGES_MAX')
    if (documents.length === 0) return { documents, problems, preview: null }
    const preview = await previewInput(spooledInput(spool, spec), deps, count)
    const isWhole = preview.figures.isWhole && problems.length === found.length
    return { documents, problems, preview: { ...preview, figures: { ...preview.figures, isWhole } } }
  } finally {
    await rm(folder, { recursive: true })
  }
}
