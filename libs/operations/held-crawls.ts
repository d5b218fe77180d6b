import { foldText } from '@catalog/core/text.ts'
import { acceptHeld, dropHeld } from '@catalog/crawler/crawls/held-crawls.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import { withoutSecrets } from '@catalog/crawler/fetch/document-name.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import { sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import { type CrawlRow, heldSourceIds, readCrawls } from '@catalog/store/vendor/crawls.ts'
import { sourcesNow } from './append-decision.ts'
import type { OperationContext } from './catalog.ts'
import { findSource } from './naming.ts'
import type { Outcome } from './outcome.ts'
import { withSourceLease } from './source-lease.ts'

/** Opens the crawler of one source; the environment says how it fetches. */
export type CrawlContext = OperationContext & Readonly<{ openCrawler: () => SourceCrawlDeps }>

/** Records the held crawl of a source. */
export const acceptCrawl = (context: CrawlContext, given: string): Promise<CrawlReport> =>
  decideHeldCrawl(context, given, (held, deps) => acceptHeld(held, deps))

/** Discards the held crawl of a source for good. */
export async function dropCrawl(
  context: CrawlContext,
  { given, reason: typed }: { given: string; reason: string },
): Promise<Outcome> {
  // An event refuses an empty reason: check before the crawl's files are gone.
  const reason = withoutSecrets(typed).trim()
  if (reason === '') throw new Error(`--reason '${typed}': expected why, in a few words`)
  const { source_id, crawl_id } = await decideHeldCrawl(context, given, async (held, deps) => {
    await dropHeld(held, { reason }, deps)
    return held
  })
  return { value: { source_id, crawl_id, outcome: 'dropped', reason }, said: `dropped ${crawl_id}` }
}

/** Decides a held crawl while holding the lease of its source. */
async function decideHeldCrawl<T>(
  context: CrawlContext,
  given: string,
  decide: (held: CrawlRow, deps: SourceCrawlDeps) => Promise<T>,
): Promise<T> {
  const { catalog } = context
  await catalog.catchUp()
  const { crawl } = await findHeldCrawl(context, given)
  const decided = await withSourceLease(context, { id: crawl.source_id }, async (signal) => {
    await catalog.catchUp()
    const held = (await readCrawls(catalog.store, [crawl.source_id])).get(crawl.source_id)?.held
    if (held?.crawl_id !== crawl.crawl_id) throw new Error(`crawl ${crawl.crawl_id}: it is no longer held`)
    return decide(held, { ...context.openCrawler(), signal })
  })
  await catalog.catchUp()
  return decided
}

/** The held crawls by source, each with the name of its source. */
export async function heldCrawls({ catalog, env }: Pick<CrawlContext, 'catalog' | 'env'>) {
  const crawls = await readCrawls(catalog.store, await heldSourceIds(catalog.store))
  const known = await sourcesNow(catalog)
  // A source without a recorded crawl has its name in the file alone. A broken file gives no names; ids still work.
  const file = await sourcesReader(env)().catch(() => null)
  const names = new Map([
    ...[...known.values()].map(({ sourceId, name }) => [sourceId, name] as const),
    ...(file?.sources ?? []).map(({ id, name }) => [id, name] as const),
  ])
  const held = [...crawls].flatMap(([sourceId, { held, whole }]) =>
    held === null ? [] : [{ crawl: held, whole, sourceId, name: names.get(sourceId) ?? sourceId }],
  )
  return { held, names }
}

/** The held crawl with this id, or of this source. Throws an error that says that the source has none, or lists the held crawls. */
async function findHeldCrawl(context: CrawlContext, given: string) {
  const { held, names } = await heldCrawls(context)
  const isNamed = (id: string, name: string) => id === given || foldText(name) === foldText(given)
  const byId = held.find(({ crawl }) => crawl.crawl_id === given)
  if (byId !== undefined) return byId
  const decided = [...names].find(([id, name]) => isNamed(id, name))
  if (decided !== undefined && !held.some(({ sourceId, name }) => isNamed(sourceId, name)))
    throw new Error(`source '${decided[1]}' has no held crawl; ${held.length} sources have one: catalog sources`)
  return findSource(held, { option: 'held crawl of', given })
}
