import type { ObservationRetracted } from '@catalog/core/events/observations.ts'
import { type Queryable, queryRows } from '@catalog/store/db.ts'
import type { LoggedEvent } from '@catalog/store/logged-event.ts'
import { articleAt } from './row-keys.ts'

/** Retractions of single observations, and the effect of a retraction before it is made. */

/** Whether retraction t covers index point p: by its id, its crawl, or its source up to an instant. */
export const COVERS_POINT = `
  ((t.scope = 'observation' and t.observation_id = decode(p.event_id, 'hex'))
    or (t.source_id = p.source_id
      and ((t.scope = 'crawl' and t.crawl_id = p.crawl_id)
        or (t.scope = 'source' and t.recorded_at >= p.recorded_at))))`

/** Whether crawl `c`, which delivered observation o of source s by delivery d, is unretracted. */
const STANDS = `
  not exists (
    select from retractions t
     where t.source_id = s.source_id
       and ((t.scope = 'crawl' and t.crawl_id = c.crawl_id)
         or (t.scope = 'source' and t.recorded_at >= d.recorded_at)))`

/**
 * Whether observation o of source s is unretracted. The rule is hidden_observations() in read-models/tables.sql, which
 * finds all hidden ones at once. This form tests the few observations of one item, so that a large retraction does not
 * slow readers.
 */
export const UNRETRACTED = `
  not exists (select from retractions t where t.scope = 'observation' and t.observation_id = o.observation_id)
  and exists (
    select from deliveries d join crawls c on c.crawl = d.crawl where d.observation = o.observation and ${STANDS})`

/** Sources for which a crawl delivered observations, recipes or index points, finished or not. */
export async function sourcesOfCrawl(store: Queryable, crawlId: string): Promise<string[]> {
  const rows = await store.query<{ source_id: string }>(
    `select source_id from crawls join deliveries using (crawl) join observations using (observation)
       join vendor_skus using (sku) join sources using (source) where crawl_id = $1
     union
     select source_id from recipe_deliveries d join recipes r on r.recipe_id = d.recipe_id collate "default"
       join vendor_skus using (sku) join sources using (source) where crawl_id = $1
     union
     select source_id from index_points where crawl_id = $1
     order by source_id`,
    [crawlId],
  )
  return rows.map(({ source_id }) => source_id)
}

/** The source and the vendor's reference of an observation, or the series of an index point; undefined for an unknown id. */
export async function skuOfObservation(
  store: Queryable,
  observationId: string,
): Promise<{ readonly sourceId: string; readonly vendorRef: string } | undefined> {
  if (!/^[0-9a-f]{64}$/.test(observationId)) return undefined
  const [row] = await store.query<{ sourceId: string; vendorRef: string }>(
    `select source_id as "sourceId", vendor_ref as "vendorRef" from observations join vendor_skus using (sku)
     join sources using (source) where observation_id = decode($1, 'hex')
     union all
     select source_id, series from index_points where event_id = $1`,
    [observationId],
  )
  return row
}

type RetractionTarget =
  | Readonly<{ observationId: string }>
  | Readonly<{ crawlId: string }>
  /** Everything recorded for some sources up to an instant. */
  | Readonly<{ sourceIds: readonly string[]; until: string }>

export type RetractionEffect = Readonly<{
  /** Observations in its scope. */
  covered: number
  /** Covered observations that count now and would not count any more: no other unretracted delivery holds them. */
  hidden: number
  /** Items that hold a newly hidden observation. */
  items: number
  /** Recipes that would disappear likewise. */
  recipes: number
  /** Index points that would disappear. */
  index_points: number
}>

/** Counts what a retraction would remove. */
export async function retractionEffect(store: Queryable, target: RetractionTarget): Promise<RetractionEffect> {
  const index_points = await newlyHiddenPoints(store, target)
  const { covers, others, parameters } = deliveriesOf(target)
  const [observations] = await store.query<Omit<RetractionEffect, 'recipes' | 'index_points'>>(
    `with covered as (
       select distinct o.observation, ${articleAt('o.observed_at')} as sku, s.source_id
       from crawls c join deliveries d using (crawl) join observations o using (observation)
       join vendor_skus first using (sku) join sources s using (source) where ${covers}
     ),
     gone as (
       select s.sku from covered s
       where not exists (select from hidden_observations('{}') hidden where hidden.observation = s.observation)
         and not exists (select from deliveries d join crawls c using (crawl)
           where d.observation = s.observation and ${others} and ${STANDS})
     )
     select (select count(*)::int from covered) as covered, (select count(*)::int from gone) as hidden,
       (select count(distinct item)::int from gone join memberships using (sku)) as items`,
    parameters,
  )
  const none = { covered: 0, hidden: 0, items: 0, recipes: 0, index_points }
  // Recipes cannot be retracted by id.
  if ('observationId' in target) return { ...none, ...observations }
  const [taken] = await store.query<{ recipes: number }>(
    `select count(*)::int as recipes
     from recipes r join vendor_skus using (sku) join sources s using (source) cross join lateral (
       select bool_or(${covers}) as "isCovered", bool_or(${others}) as "isKept"
       from recipe_deliveries d cross join lateral (select d.crawl_id collate "default" as crawl_id) c
       where d.recipe_id = r.recipe_id collate "C" and ${STANDS}
     ) standing
     where "isCovered" and not "isKept"`,
    parameters,
  )
  return { ...none, ...observations, ...taken }
}

/** Index points that stand now and that a retraction covers. Each has one crawl, so nothing else keeps it. */
async function newlyHiddenPoints(store: Queryable, target: RetractionTarget): Promise<number> {
  const [covered, parameters] =
    'observationId' in target
      ? ['p.event_id = $1', [target.observationId]]
      : 'crawlId' in target
        ? ['p.crawl_id = $1', [target.crawlId]]
        : ['p.source_id = any($1) and p.recorded_at <= $2', [target.sourceIds, target.until]]
  const [row] = await store.query<{ count: number }>(
    `select count(*)::int as count from index_points p where ${covered} and not exists (
       select from retractions t where ${COVERS_POINT})`,
    parameters,
  )
  return row?.count ?? 0
}

/**
 * SQL conditions: which deliveries d by crawl c of observation o of source s a retraction covers, and which others of o
 * remain.
 */
function deliveriesOf(target: RetractionTarget): { covers: string; others: string; parameters: readonly unknown[] } {
  if ('observationId' in target) {
    // Covers the deliveries of every crawl.
    return { covers: `o.observation_id = decode($1, 'hex')`, others: 'false', parameters: [target.observationId] }
  }
  if ('crawlId' in target)
    return { covers: 'c.crawl_id = $1', others: 'c.crawl_id <> $1', parameters: [target.crawlId] }
  const [covers, others] = ['s.source_id = any($1) and d.recorded_at <= $2', 'd.recorded_at > $2']
  return { covers, others, parameters: [target.sourceIds, target.until] }
}

export async function insertRetractions(
  tx: Queryable,
  records: readonly LoggedEvent<ObservationRetracted>[],
): Promise<void> {
  if (records.length === 0) return
  await queryRows(
    tx,
    `insert into retractions (event_id, scope, source_id, observation_id, crawl_id, reason, partition, "offset", recorded_at)
     select event_id, scope, source_id, decode(observation_id, 'hex'), crawl_id, reason, partition, "offset", recorded_at
     from jsonb_to_recordset($1::jsonb) as batch (event_id text, scope text, source_id text, observation_id text,
       crawl_id text, reason text, partition int, "offset" bigint, recorded_at timestamptz)
     order by event_id on conflict (event_id) do nothing`,
    records.map(({ event, partition, offset }) => ({
      event_id: event.event_id,
      source_id: event.source_id,
      reason: event.reason,
      recorded_at: event.recorded_at,
      ...event.target,
      partition,
      offset,
    })),
  )
}
