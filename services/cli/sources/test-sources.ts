import { sourcePreviewText } from '@catalog/cli/crawl/preview-text.ts'
import { openSourceCrawler, selectSources } from '@catalog/cli/crawl/source-crawls.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { previewSource, type SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import { type Moves, movesIfAny } from '@catalog/operations/what-if/records.ts'
import { previewJson, RECORDS_SHOWN } from './source-preview.ts'

/**
 * Fetches a little of each named source, by default of all enabled ones, and shows what a crawl would record. Returns
 * whether all have records.
 */
export async function testSources(context: Context, names: readonly string[]): Promise<boolean> {
  const { catalog, env, terminal } = context
  const file = await readSources(env)
  const specs = selectSources(file, names.length === 0 ? undefined : names)
  const deps = openSourceCrawler(context, file)
  const tested: { spec: SourceSpec; tried: SourcePreview; moves: Moves | null }[] = []
  for (const spec of specs) {
    const tried = await previewSource(spec, deps, { count: RECORDS_SHOWN })
    tested.push({ spec, tried, moves: await movesIfAny(catalog, tried.preview) })
  }
  const sources = tested.map(({ spec: { id, name }, tried, moves }) => ({
    source_id: id,
    name,
    ...previewJson(tried, moves),
  }))
  terminal.answer({ sources }, () =>
    tested
      .map(({ spec: { id, name }, tried, moves }) => `${name} (${id})\n\n${sourcePreviewText(tried, moves)}`)
      .join('\n\n'),
  )
  const recorded = sources.filter(({ observations }) => observations.length > 0)
  const [first] = recorded
  if (first === undefined) terminal.next(`correct ${env.CATALOG_SOURCES}, then catalog sources test`)
  else terminal.next(recorded.length === sources.length ? 'catalog crawl' : `catalog crawl --source ${first.source_id}`)
  return sources.every(({ observations }) => observations.length > 0)
}
