import { countOf } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import { retract as appendRetraction, type Retraction } from '@catalog/crawler/ingest/retract.ts'
import { publisherIdsOf } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Outcome } from '@catalog/operations/outcome.ts'
import { takeBackRun } from '@catalog/operations/take-back-run.ts'
import {
  type RetractionEffect,
  retractionEffect,
  skuOfObservation,
  sourcesOfCrawl,
} from '@catalog/store/vendor/retraction.ts'

export type RetractOptions = Readonly<{
  observation?: string
  crawl?: string
  source?: string
  /** A run dated after now, and all later ones: see {@link takeBackRun}. */
  run?: string
  /** Everything of all sources of that name. */
  all?: boolean
  reason?: string
  dryRun: boolean
}>

/** Retracts an observation, what a crawl alone delivered, a run of the future, or everything of a source or of all sources of a name; a dry run appends nothing. */
export async function retract(catalog: Catalog, options: RetractOptions): Promise<Outcome> {
  const { observation, crawl, source, run } = options
  const given = [observation, crawl, source, run].filter((value) => value !== undefined)
  if (given.length !== 1) throw new Error('retract: expected exactly one of --observation, --crawl, --source and --run')
  if (run !== undefined) return takeBackRun(catalog, { ...options, run })
  const { store } = catalog
  const now = catalog.now()
  // A killed crawl may have left records in the log that the tables lack.
  await catalog.catchUp()
  let retraction: Retraction
  let effect: RetractionEffect
  if (options.observation !== undefined) {
    const found = await skuOfObservation(store, options.observation)
    if (found === undefined) {
      throw new Error(`observation '${options.observation}': expected the id of a stored one, 64 hexadecimal digits`)
    }
    retraction = { scope: 'observation', observationId: options.observation, ...found }
    effect = await retractionEffect(store, { observationId: options.observation })
  } else if (options.crawl !== undefined) {
    const sourceIds = await sourcesOfCrawl(store, options.crawl)
    if (sourceIds.length === 0) {
      throw new Error(`crawl '${options.crawl}': expected one that delivered records, as catalog crawl shows it`)
    }
    retraction = { scope: 'crawl', crawlId: options.crawl, sourceIds }
    effect = await retractionEffect(store, { crawlId: options.crawl })
  } else {
    const sourceIds = await publisherIdsOf(catalog, { source: options.source as string, isAll: options.all })
    retraction = { scope: 'source', sourceIds }
    effect = await retractionEffect(store, { sourceIds, until: instant(now) })
  }
  const outcome = { value: { dry_run: options.dryRun, retraction, ...effect }, said: effectText(effect, options) }
  if (options.dryRun) return outcome
  if (!options.reason)
    throw new Error('retract: expected --reason "..."; a retraction is permanent: try --dry-run first')
  await appendRetraction(retraction, { log: catalog.log, reason: options.reason, now })
  await catalog.catchUp()
  return outcome
}

function effectText(
  { covered, hidden, items, recipes, index_points: points }: RetractionEffect,
  { dryRun }: { dryRun: boolean },
): string {
  const others = 'delivered by other crawls too, or are retracted already'
  if (points > 0 && covered === 0) return `${dryRun ? 'would retract' : 'retracted'} ${countOf(points, 'index point')}`
  if (hidden === 0 && recipes === 0 && points === 0) {
    return `${dryRun ? 'would retract' : 'retracted'} nothing more: all ${covered} observations were ${others}`
  }
  return [
    `${dryRun ? 'would retract' : 'retracted'} ${hidden} of ${countOf(covered, 'observation')} in ${countOf(items, 'item')}`,
    recipes === 0 ? '' : ` and ${countOf(recipes, 'recipe')}`,
    points === 0 ? '' : ` and ${countOf(points, 'index point')}`,
    hidden < covered ? `; the others were ${others}` : '',
  ].join('')
}
