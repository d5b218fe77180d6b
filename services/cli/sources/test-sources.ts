import { sourcePreviewText } from '@catalog/cli/crawl/preview-text.ts'
import { openSourceCrawler, selectSources } from '@catalog/cli/crawl/source-crawls.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { previewSource, type SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import { previewJson, RECORDS_SHOWN } from './source-preview.ts'

/**
 * Fetches a little of each named source, by default of all enabled ones, and shows what a crawl would record. Returns
 * whether all have records.
 */
export async function testSources(context: Context, names: readonly string[]): Promise<boolean> {
  const { env, terminal } = context
  const file = await readSources(env)
  const specs = selectSources(file, names.length === 0 ? undefined : names)
  const deps = openSourceCrawler(context, file)
  const tested: { spec: SourceSpec; tried: SourcePreview }[] = []
  for (const spec of specs) tested.push({ spec, tried: await previewSource(spec, deps, { count: RECORDS_SHOWN }) })
  const sources = tested.map(({ spec: { id, name }, tried }) => ({ source_id: id, name, ...previewJson(tried) }))
  terminal.answer({ sources }, () =>
    tested.map(({ spec: { id, name }, tried }) => `${name} (${id})\n\n${sourcePreviewText(tried)}`).join('\n\n'),
  )
  const recorded = sources.filter(({ observations }) => observations.length > 0)
  const [first] = recorded
  if (first === undefined) terminal.next(`correct ${env.CATALOG_SOURCES}, then catalog sources test`)
  else terminal.next(recorded.length === sources.length ? 'catalog crawl' : `catalog crawl --source ${first.source_id}`)
  return sources.every(({ observations }) => observations.length > 0)
}
