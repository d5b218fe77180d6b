import { answerReports } from '@catalog/cli/crawl/crawl-inputs.ts'
import { openSourceCrawler, withSourceLease } from '@catalog/cli/crawl/source-crawls.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { foldText } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import { acceptHeld, dropHeld } from '@catalog/crawler/crawls/held-crawls.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import { withoutSecrets } from '@catalog/crawler/fetch/document-name.ts'
import { sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import { findSource } from '@catalog/operations/naming.ts'
import { sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { type CrawlRow, heldSourceIds, readCrawls } from '@catalog/store/vendor/crawls.ts'

/** Records the held crawl of a source. */
export async function acceptCrawl(context: Context, given: string): Promise<void> {
  const report = await decideHeldCrawl(context, given, (held, deps) => acceptHeld(held, deps))
  answerReports(context.terminal, [report])
}

/** Discards the held crawl of a source for good. */
export async function dropCrawl(
  context: Context,
  { given, reason: typed }: { given: string; reason: string },
): Promise<void> {
  // An event refuses an empty reason: check before the crawl's files are gone.
  const reason = withoutSecrets(typed).trim()
  if (reason === '') throw new Error(`--reason '${typed}': expected why, in a few words`)
  const { source_id, crawl_id } = await decideHeldCrawl(context, given, async (held, deps) => {
    await dropHeld(held, { reason }, deps)
    return held
  })
  context.terminal.answer({ source_id, crawl_id, outcome: 'dropped', reason }, () => `dropped ${crawl_id}`)
  context.terminal.next('catalog sources')
}

/** Decides a held crawl while holding the lease of its source. */
async function decideHeldCrawl<T>(
  context: Context,
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
    return decide(held, { ...openSourceCrawler(context), signal })
  })
  await catalog.catchUp()
  return decided
}

/** The held crawl with this id, or of this source. Throws an error that says that the source has none, or lists the held crawls. */
async function findHeldCrawl({ catalog, env }: Context, given: string) {
  const crawls = await readCrawls(catalog.store, await heldSourceIds(catalog.store))
  const known = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  // A broken file gives no names; ids still work.
  const file = await sourcesReader(env)().catch(() => null)
  const nameOf = (id: string) => file?.sources.find((spec) => spec.id === id)?.name ?? known.get(id)?.name ?? id
  const held = [...crawls.values()].flatMap(({ held }) =>
    held === null ? [] : [{ crawl: held, sourceId: held.source_id, name: nameOf(held.source_id) }],
  )
  const found = held.find(({ crawl, sourceId, name }) => [crawl.crawl_id, sourceId].includes(given) || isName(name))
  const others = [
    ...(file?.sources ?? []),
    ...[...known.values()].map(({ sourceId, name }) => ({ id: sourceId, name })),
  ]
  const decided = others.find(({ id, name }) => id === given || isName(name))
  if (found === undefined && decided !== undefined) {
    throw new Error(`source '${decided.name}' has no held crawl; ${held.length} sources have one: catalog sources`)
  }
  return found?.crawl.crawl_id === given ? found : findSource(held, { option: 'held crawl of', given })

  function isName(name: string): boolean {
    return foldText(name) === foldText(given)
  }
}
