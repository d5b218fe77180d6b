import type { DecisionEvent } from '@catalog/core/events/events.ts'
import type { MethodChanged, Positions } from '@catalog/core/events/runs.ts'
import type { SourceSwitched, TrustChanged } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Queryable } from '@catalog/store/db.ts'

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
