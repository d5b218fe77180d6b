import type { DecisionEvent } from '@catalog/core/events/events.ts'
import type { MethodChanged, Positions } from '@catalog/core/events/runs.ts'
import { type SourceSwitched, type TrustChanged, VALIDITY_DAYS } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { spellingKey } from '@catalog/core/text.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { type Cut, editionsAt, visibilityAt } from './as-of-queries.ts'
import { sourceVoicesAt } from './source-aliases.ts'

export type RunRecord = Readonly<{
  runId: string
  asOf: string
  method: string
  positions: Positions
  /** True once RunMarked was projected. */
  finished: boolean
}>

const STARTED_RUNS = `
  select payload, run_marks.run_id is not null as finished
  from decisions left join run_marks on run_marks.run_id = subject where type = 'RunStarted'`

/** Runs by their start, latest first. */
export function latestRuns(store: Queryable, limit: number): Promise<RunRecord[]> {
  return queryRuns(store, `${STARTED_RUNS} order by decisions."offset" desc limit $1`, [limit])
}

export async function runById(store: Queryable, runId: string): Promise<RunRecord | undefined> {
  const [run] = await queryRuns(store, `${STARTED_RUNS} and subject = $1 order by decisions."offset" limit 1`, [runId])
  return run
}

/** The finished run that was marked last; the next run works on the difference to it. */
export async function lastFinishedRun(store: Queryable): Promise<RunRecord | undefined> {
  const [run] = await queryRuns(
    store,
    `select payload, true as finished from run_marks join decisions on type = 'RunStarted' and subject = run_id
     order by run_marks."offset" desc limit 1`,
  )
  return run
}

/**
 * Whether a run ended that had read as many decisions as this unfinished one. Its beginning then came to the log late, from
 * a leader that was frozen between asking for its lease and the append: finishing it would bring back older prices.
 */
export async function isSuperseded(store: Queryable, run: RunRecord): Promise<boolean> {
  const last = await lastFinishedRun(store)
  const read = ({ positions }: RunRecord) => BigInt(positions[TOPICS.decisions]?.['0'] ?? 0)
  return last !== undefined && read(run) <= read(last)
}

async function queryRuns(store: Queryable, sql: string, parameters: readonly unknown[] = []): Promise<RunRecord[]> {
  const rows = await store.query<{ payload: string; finished: boolean }>(sql, parameters)
  return rows.map(({ payload, finished }) => {
    const { run_id, as_of, method, positions } = JSON.parse(payload)
    return { runId: run_id, asOf: as_of, method, positions, finished }
  })
}

/**
 * Decisions after the start of a run (and below the offset if given) that another run at its asOf would apply, in
 * offset order. Leaves out registrations, which count at every cut, and decisions that move no SKU.
 */
export async function decisionsSince(
  store: Queryable,
  run: RunRecord,
  { before, limit }: { before: string | null; limit: number },
): Promise<DecisionEvent[]> {
  const rows = await store.query<{ payload: string }>(
    `select payload from decisions
     where "offset" >= $1 and ($2::bigint is null or "offset" < $2)
       and type not in ('RunStarted', 'SourceRegistered', 'SourceLicensed', 'SkusKeptApart', 'ItemConfirmed', 'PairsProposed')
       and (decided_at <= $3 or (type <> 'SkuSplit' and payload::jsonb->>'by' = 'rule'))
     order by "offset" limit $4`,
    [run.positions[TOPICS.decisions]?.['0'] ?? '0', before, run.asOf, limit],
  )
  return rows.map(({ payload }) => JSON.parse(payload))
}

/** Decisions dated after `asOf` that change how prices are made, in the order in which they take effect. */
export async function pricingDecisionsAfter(store: Queryable, asOf: string): Promise<PricingDecision[]> {
  const rows = await store.query<{ payload: string }>(
    `select payload from decisions where type in ('TrustChanged', 'SourceSwitched', 'MethodChanged') and decided_at > $1
     order by decided_at, "offset"`,
    [asOf],
  )
  return rows.map(({ payload }) => JSON.parse(payload))
}
/** A decision about how prices are made. */
export type PricingDecision = TrustChanged | SourceSwitched | MethodChanged

/** Every item that was ever founded, in id order. */
export async function allItemIds(store: Queryable): Promise<string[]> {
  const rows = await store.query<{ id: string }>(`select item_id as id from item_keys order by item_id collate "C"`)
  return rows.map(({ id }) => id)
}

/**
 * The items that can differ between two cuts, in id order. A superset is harmless; a missing item is not. Sources of
 * difference:
 * - deliveries, retractions and decisions after the last positions,
 * - observations and people's decisions that became visible between the two instants,
 * - votes that crossed `as_of − validity`,
 * - sources whose greatest edition changed,
 * - sources whose canonical source changed; settings are those of the canonical one,
 * - items that were never published.
 */
export async function dirtyItemIds(store: Queryable, { last, cut }: { last: RunRecord; cut: Cut }): Promise<string[]> {
  const aliased = await unitsAliasedBetween(store, { last, cut })
  const [voicesBefore, voices] = await Promise.all([sourceVoicesAt(store, last), sourceVoicesAt(store, cut)])
  const revoiced = [...new Set([...voicesBefore.keys(), ...voices.keys()])].filter(
    (sourceId) => voicesBefore.get(sourceId) !== voices.get(sourceId),
  )
  const superseded = await supersededBetween(store, { last, cut })
  const rows = await store.query<{ id: string }>(
    `with recursive since as (select key::int as partition, value::bigint as next from jsonb_each_text($1::jsonb)),
     delivered as (
       select sku from since, deliveries_from(partition, next) join observations using (observation)
     ),
     appeared as (select sku from observations where observed_at > $3 and observed_at <= $4),
     -- The settings of each source: those of its canonical one.
     settings as (
       select s.source, c.source_id, c.region, c.registered_offset, c.validity_days
       from sources s left join unnest($7::text[], $8::text[]) voice (id, canonical) on voice.id = s.source_id
       join sources c on c.source_id = coalesce(voice.canonical, s.source_id)
     ),
     expired as (
       select o.sku from settings s join vendor_skus using (source) join observations o using (sku)
       where o.observed_at > $3::timestamptz - coalesce(s.validity_days, $5::int) * interval '1 day'
         and o.observed_at <= $4::timestamptz - coalesce(s.validity_days, $5::int) * interval '1 day'
     ),
     retracted as (
       select o.sku from retractions r join since using (partition) join observations o using (observation_id)
       where r."offset" >= since.next and r.scope = 'observation'
       union
       select o.sku from retractions r join since using (partition) join crawls using (crawl_id)
         join deliveries using (crawl) join observations o using (observation)
       where r."offset" >= since.next and r.scope = 'crawl'
       union
       select sku from retractions r join since using (partition) join sources using (source_id)
         join vendor_skus using (source)
       where r."offset" >= since.next and r.scope = 'source'
     ),
     decided as (
       select type, subject, payload from decisions
       where type <> 'RunStarted' and ("offset" >= $2 or (decided_at > $3 and decided_at <= $4))
     ),
     touched as (
       select sku from delivered union select sku from appeared union select sku from expired
       union select sku from retracted
       union select sku from decided join settings on source_id = subject join vendor_skus using (source)
         where type in ('TrustChanged', 'SourceSwitched', 'SourceRegistered')
       union select sku from sources join vendor_skus using (source) where source_id = any($9)
       union select sku from decided join observations on observation_id = decode(subject, 'hex')
         where type in ('ObservationQuarantined', 'ObservationReleased')
       union
       -- A source that no registration names takes its region from its observations.
       select sku from decided join settings on registered_offset is null or region = subject or region like subject || '-%'
         join vendor_skus using (source) where type = 'TaxRuleChanged'
       union
       select sku from price_terms join observations using (terms)
         where cardinality($6::text[]) > 0 and (unit = any($6) or pack_unit = any($6))
       union select sku from decided join vendor_skus on vendor_sku_id = subject
         where type in ('SkuMatched', 'SkuSplit')
     ),
     named as (
       select item_id from touched join memberships using (sku) join item_keys using (item)
       union
       -- Splits and merges also touch the former item, which no membership names any more.
       select item_id from decided, lateral (values (payload::jsonb->>'item_id'), (payload::jsonb->>'from_item_id'),
         (payload::jsonb->>'into_item_id')) named (item_id)
       where type in ('SkuMatched', 'SkuSplit', 'ItemsMerged') and item_id is not null
       union
       select items.item_id from decided join items on items.vendor_sku_ids @> array[subject]
       where type in ('SkuMatched', 'SkuSplit')
         and (type = 'SkuSplit' or payload::jsonb->>'by' = 'person')
       union
       select item_id from item_keys where not exists (select from items where items.item_id = item_keys.item_id)
         and item_keys.merged_into is null
     ),
     -- A person may merge into an id that was merged itself: then the survivor changes.
     survivors (item_id, merged_into) as (
       select item_id, merged_into from named join item_keys using (item_id) where merged_into is not null
       union
       select k.item_id, k.merged_into from survivors join item_keys k on k.item = survivors.merged_into
     )
     select item_id collate "C" as id from named union select item_id from survivors order by id`,
    [
      JSON.stringify(last.positions[TOPICS.observations] ?? {}),
      last.positions[TOPICS.decisions]?.['0'] ?? '0',
      last.asOf,
      cut.asOf,
      VALIDITY_DAYS.shop,
      aliased,
      [...voices.keys()],
      [...voices.values()],
      [...revoiced, ...superseded],
    ],
  )
  return rows.map(({ id }) => id)
}

/** The sources whose greatest edition differs between two cuts. */
async function supersededBetween(
  store: Queryable,
  { last, cut }: { last: RunRecord; cut: Cut },
): Promise<readonly string[]> {
  const [any] = await store.query(`select from source_editions limit 1`)
  if (any === undefined) return []
  const before = await editionsAt(store, await visibilityAt(store, last))
  const now = await editionsAt(store, await visibilityAt(store, cut))
  return [...new Set([...before.keys(), ...now.keys()])].filter((id) => before.get(id) !== now.get(id))
}

/** The spellings in the store that a decision between two cuts named or gave back. */
async function unitsAliasedBetween(
  store: Queryable,
  { last, cut }: { last: RunRecord; cut: Cut },
): Promise<readonly string[]> {
  const decided = await store.query<{ unit: string }>(
    `select distinct payload::jsonb->>'unit' as unit from decisions
     where type = 'UnitAliased' and ("offset" >= $1 or (decided_at > $2 and decided_at <= $3))`,
    [last.positions[TOPICS.decisions]?.['0'] ?? '0', last.asOf, cut.asOf],
  )
  if (decided.length === 0) return []
  const keys = new Set(decided.map(({ unit }) => spellingKey(unit)))
  const written = await store.query<{ unit: string }>(
    `select unit from price_terms where unit is not null union select pack_unit from price_terms where pack_unit is not null`,
  )
  return written.map(({ unit }) => unit).filter((unit) => keys.has(spellingKey(unit)))
}

export type PriorItem = Readonly<{
  itemId: string
  version: number
  publicState: string
  vendorSkuIds: readonly string[]
  basis: string
}>

/** The published state of items. */
export async function priorItems(store: Queryable, itemIds: readonly string[]): Promise<Map<string, PriorItem>> {
  const rows = await store.query<PriorItem>(
    `select item_id as "itemId", version, public_state as "publicState", vendor_sku_ids as "vendorSkuIds", basis
     from items where item_id = any($1)`,
    [itemIds],
  )
  return new Map(rows.map((row) => [row.itemId, row]))
}
