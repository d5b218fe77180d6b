import { heldNext } from '@catalog/cli/crawl/crawl-problems.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { instant } from '@catalog/core/time.ts'
import { sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { readCrawls } from '@catalog/store/vendor/crawls.ts'

/** `catalog sources` without a sources file: the sources that the catalog knows from crawls of files and addresses. */
export async function listKnownSources({ catalog, env, terminal }: Context): Promise<void> {
  await catalog.catchUp()
  const known = [...(await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })).values()]
  known.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.sourceId < b.sourceId ? -1 : 1))
  const crawls = await readCrawls(
    catalog.store,
    known.map(({ sourceId }) => sourceId),
  )
  const sources = known.map(({ sourceId, name, region, kind, trust, validity, validityDays, enabled }) => {
    const last = crawls.get(sourceId)?.last ?? null
    return {
      source_id: sourceId,
      name,
      region,
      kind,
      trust,
      ...(validity !== null && { validity }),
      validity_days: validityDays,
      enabled,
      last_crawl: last && { id: last.crawl_id, finished_at: last.recorded_at, outcome: last.outcome },
    }
  })
  terminal.answer({ sources }, () =>
    [
      table(
        sources.map(({ name, region, last_crawl, source_id, ...source }) => ({
          source: name,
          region: region ?? '',
          ...source,
          last: last_crawl === null ? 'never' : `${last_crawl.outcome} ${last_crawl.finished_at}`,
          source_id,
        })),
      ),
      '',
      `${env.CATALOG_SOURCES} is missing: these sources came from files and addresses of the command line`,
    ].join('\n'),
  )
  const held = known.filter(({ sourceId }) => (crawls.get(sourceId)?.held ?? null) !== null)
  terminal.next(
    held.length === 0
      ? 'catalog sources add URL begins a sources file'
      : heldNext(held.map(({ sourceId }) => sourceId)),
  )
}
