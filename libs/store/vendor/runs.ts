import type { DecisionEvent } from '@catalog/core/events/events.ts'
import type { MethodChanged, Positions } from '@catalog/core/events/runs.ts'
import type { SourceSwitched, TrustChanged } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import type { Queryable } from '@catalog/store/db.ts'

export type RunRecord = Readonly<{
  runId: string
  asOf: string
  method: string
  positions: Positions
  /** True once RunMarked was projected. */
  finished: boolean
  /** When a person took the run back. */
  takenBackAt?: string
}>

const STARTED_RUNS = `
  select payload, run_marks.run_id is not null as finished, case when taken_back is not null then run_marks.as_of end as dated
  from decisions left join run_marks on run_marks.run_id = subject where type = 'RunStarted'`

/** Runs by their start, latest first. */
export function latestRuns(store: Queryable, limit: number): Promise<RunRecord[]> {
  return queryRuns(store, `${STARTED_RUNS} order by decisions."offset" desc limit $1`, [limit])
}

export async function runById(store: Queryable, runId: string): Promise<RunRecord | undefined> {
  const [run] = await queryRuns(store, `${STARTED_RUNS} and subject = $1 order by decisions."offset" limit 1`, [runId])
  return run
}

/**
 * The finished run that was marked last; the next run works on the difference to it. One that was taken back is dated at that
 * decision.
 */
export async function lastFinishedRun(store: Queryable): Promise<RunRecord | undefined> {
  const [run] = await queryRuns(
    store,
    `${STARTED_RUNS} and run_marks.run_id is not null order by run_marks."offset" desc limit 1`,
  )
  return run && { ...run, asOf: run.takenBackAt ?? run.asOf }
}

/** Runs that began with or after this one, in the order of the log, without those that were taken back. */
export async function runsSince(store: Queryable, runId: string): Promise<RunRecord[]> {
  return queryRuns(
    store,
    `${STARTED_RUNS} and taken_back is null and decisions."offset" >= (
       select min("offset") from decisions where type = 'RunStarted' and subject = $1) order by decisions."offset"`,
    [runId],
  )
}

/** Whether every run that began was taken back. */
export async function isWithoutRuns(store: Queryable): Promise<boolean> {
  return (await queryRuns(store, `${STARTED_RUNS} and taken_back is null limit 1`)).length === 0
}

/** What readers have because of some runs, the last of all. */
export type SeenOfRuns = Readonly<{
  /** Changes in the feeds, and the items that they changed, of which some are named. */
  changes: number
  items: number
  named: readonly Readonly<{ id: string; name: string }>[]
  /** Monthly editions that no other run would have closed. */
  editions: readonly string[]
}>

export async function seenOfRuns(
  store: Queryable,
  { runIds, namedMax }: { runIds: readonly string[]; namedMax: number },
): Promise<SeenOfRuns> {
  const [row] = await store.query<SeenOfRuns>(
    `with others as (select max(seq) as seq, max(as_of) as as_of from run_marks where not run_id = any($1)),
     seen as (select item_id from changes where seq > coalesce((select seq from others), 0))
     select count(*)::int as changes, count(distinct item_id)::int as items,
       (select coalesce(json_agg(json_build_object('id', item_id, 'name', name) order by item_id), '[]')
          from (select item_id, name from items where item_id in (select item_id from seen) order by item_id limit $2) named) as named,
       array(select edition from editions
         where edition >= coalesce((select to_char(as_of at time zone 'UTC', 'YYYY-MM') from others), '') order by edition) as editions
     from seen`,
    [runIds, namedMax],
  )
  return row as SeenOfRuns
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
  const rows = await store.query<{ payload: string; finished: boolean; dated: string | null }>(sql, parameters)
  return rows.map(({ payload, finished, dated }) => {
    const { run_id, as_of, method, positions } = JSON.parse(payload)
    const run = { runId: run_id, asOf: as_of, method, positions, finished }
    return dated === null ? run : { ...run, takenBackAt: instant(new Date(dated)) }
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
