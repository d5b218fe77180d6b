import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { previewSource, type SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import { MORE_PAGES } from '@catalog/crawler/discover/gather.ts'
import { isIncluded } from '@catalog/crawler/discover/gather-pages.ts'
import type { Fetched, Fetcher } from '@catalog/crawler/fetch/fetcher.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import type { DetectedSource } from './detect-source.ts'
import { RECORDS_SHOWN } from './source-preview.ts'

/** Pages in one sample of a sitemap or a site. */
const PAGES_SAMPLED = 3

/**
 * The first records of a source: of the first page of an API, of a document, or of some pages. Where the first pages of a
 * sitemap or a site give none, pages from all over it follow: help and press pages often stand first.
 */
export async function sampleSource(
  spec: SourceSpec,
  detected: DetectedSource,
  deps: SourceCrawlDeps,
): Promise<SourcePreview> {
  const [first, ...others] = samplesOf(spec, detected)
  let tried = await previewSource(first, deps, { count: RECORDS_SHOWN })
  for (const sample of others) {
    if ((tried.preview?.observations.length ?? 0) > 0) break
    tried = await previewSource(sample, deps, { count: RECORDS_SHOWN })
  }
  if (spec.entryPoints[0]?.kind !== 'api') return tried
  return { ...tried, problems: tried.problems.filter(({ code }) => code !== MORE_PAGES) }
}

/** The first page of each API, since a crawl reads all pages of one before the next. */
function firstPagesOf(spec: SourceSpec): SourceSpec {
  const entryPoints = spec.entryPoints.map(({ url }) => ({ kind: 'document', url, format: 'json' }) as const)
  return { ...spec, entryPoints }
}

function samplesOf(spec: SourceSpec, { pages }: DetectedSource): [SourceSpec, ...SourceSpec[]] {
  const [point] = spec.entryPoints
  if (point?.kind === 'api') return [firstPagesOf(spec)]
  if (point?.kind !== 'sitemap' && point?.kind !== 'site') return [spec]
  const matching = pages.filter((page) => isIncluded(point, new URL(page)))
  const first = matching.slice(0, PAGES_SAMPLED)
  if (first.length === 0) return [spec]
  const rest = matching.slice(PAGES_SAMPLED)
  const spread = Array.from(
    { length: PAGES_SAMPLED },
    (_, i) => rest[Math.floor((rest.length * (i + 1)) / (PAGES_SAMPLED + 1))],
  )
  const others = new Set(spread.filter((page) => page !== undefined))
  const at = (pages: Iterable<string>): SourceSpec => ({
    ...spec,
    entryPoints: [...pages].map((url) => ({ kind: 'document', url, format: 'html' })),
  })
  return others.size === 0 ? [at(first)] : [at(first), at(others)]
}

/** Caches fetched documents: a feed of a gigabyte is inspected several times. */
export function cachingFetcher(fetcher: Fetcher, folder: string): SourceCrawlDeps['fetcher'] {
  const known = new Map<string, { file: string; found: Fetched }>()
  let files = 0
  return {
    ...fetcher,
    async get(url, options) {
      const one = known.get(url)
      if (one !== undefined) {
        await copyFile(one.file, options.into, constants.COPYFILE_FICLONE)
        return one.found
      }
      const found = await fetcher.get(url, options)
      if (found.status !== 'fetched') return found
      const file = join(folder, `fetched-${++files}`)
      await copyFile(options.into, file, constants.COPYFILE_FICLONE)
      known.set(url, { file, found })
      return found
    },
  }
}
