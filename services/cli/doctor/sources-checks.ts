import { SOURCES_DEFAULT, sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { attempt, bad, type Finding, fine } from './finding.ts'

/** Reads the sources file: a mistake in it stops every scheduled crawl. Empty without a file, where none is named. */
export async function sourcesChecks(env: Environment): Promise<readonly Finding[]> {
  const { CATALOG_SOURCES: place } = env
  return attempt('sources', 'mend the lines that it names; catalog sources reads the file again', async () => {
    const file = await sourcesReader(env)()
    if (file !== null) return fine('sources', `${place}, ${file.sources.length} sources`)
    if (place === SOURCES_DEFAULT) return []
    const remedy = 'name the file in CATALOG_SOURCES, or begin it: catalog sources add URL'
    return bad('sources', 'error', { found: `${place}: no such file`, remedy })
  })
}
