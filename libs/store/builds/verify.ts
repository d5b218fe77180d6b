import { SCOPES } from '@catalog/core/changes/protocol.ts'
import type { Positions } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { readMeta, saveMeta } from '@catalog/store/checkpoints.ts'
import type { Queryable } from '@catalog/store/db.ts'
import TABLES from './fact-tables.json' with { type: 'json' }

/**
 * Reads of everything that `catalog verify` compares with the log. It reads pages in key order, each by one short
 * statement, so no client waits, and no statement sees half a transaction.
 */

/** Some hundred kilobytes, read in a hundredth of a second. */
const PAGE_ROWS = 1_000
/** Large, because the function behind it runs again for each page. */
const PAGE_RETRACTED = 50_000

/**
 * SQL by the kind of rows: expressions that are unique together, the columns in the order of the comparison, and the rows of
 * a page where PAGE_ROWS of them would be several megabytes. `parked` leaves out {@link refusedPlaces}.
 */
type Table = Readonly<{ keys: readonly string[]; columns: readonly string[]; from: string; pageRows?: number }>
export type FactTable = keyof typeof TABLES
export const FACT_TABLES = Object.keys(TABLES) as readonly FactTable[]

export type Fact = Readonly<{ key: readonly (string | bigint)[]; columns: Record<string, unknown> }>

/** All rows of a table, or those that `where` selects; its parameters count from $1. */
export async function* factPages(
  store: Queryable,
  table: FactTable,
  { where = 'true', parameters = [] }: { where?: string; parameters?: readonly unknown[] } = {},
): AsyncGenerator<readonly Fact[]> {
  const { keys, columns, from, pageRows = PAGE_ROWS }: Table = TABLES[table]
  const named = keys.map((key, i) => `${key} as key_${i}`)
  for (let after: readonly unknown[] | undefined; ; ) {
    const bound = parameters.length
    const isAfter = after && `and (${keys}) > (${keys.map((_, i) => `$${bound + i + 1}`)})`
    const rows = await store.query<Record<string, unknown>>(
      `select ${named}, ${columns} from ${from} where ${where} ${isAfter ?? ''} order by ${keys} limit ${pageRows}`,
      [...parameters, ...(after ?? [])],
    )
    const facts = rows.map((row) => {
      const key = keys.map((_, i) => row[`key_${i}`] as string | bigint)
      for (const i of keys.keys()) delete row[`key_${i}`]
      return { key, columns: row }
    })
    if (facts.length > 0) yield facts
    if (facts.length < pageRows) return
    after = facts.at(-1)?.key
  }
}

export type ObservationFact = Readonly<{
  observation: bigint
  id: string
  payload: string
  cents: bigint
  observedAt: string
  recordedAt: string
  /** Null where its row is missing, like the following fields. */
  skuId: string | null
  sourceId: string | null
  crawlId: string | null
  termsKey: string | null
}>

/** Observations whose first place lies in the partition below `next`, in log order. */
export async function* observationPages(
  store: Queryable,
  { partition, next }: { partition: number; next: bigint },
): AsyncGenerator<readonly ObservationFact[]> {
  const base = BigInt(partition) << 48n
  for (let from = base; ; ) {
    const rows = await store.query<ObservationFact>(
      `select o.observation, encode(o.observation_id, 'hex') as id, o.payload, o.cents, o.observed_at as "observedAt",
         o.recorded_at as "recordedAt", k.vendor_sku_id as "skuId", s.source_id as "sourceId", c.crawl_id as "crawlId",
         t.terms_key as "termsKey"
       from observations o left join vendor_skus k using (sku) left join sources s on s.source = k.source
       left join crawls c on c.crawl = o.crawl left join price_terms t on t.terms = o.terms
       where o.observation >= $1 and o.observation < $2 order by o.observation limit $3`,
      [from, base + next, PAGE_ROWS],
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
    from = last.observation + 1n
  }
}

export type RedeliveryFact = Readonly<{ id: string | null; crawlId: string | null; offset: bigint; recordedAt: string }>

/** Deliveries by other crawls in the partition below `next`, in log order. */
export async function* redeliveryPages(
  store: Queryable,
  { partition, next }: { partition: number; next: bigint },
): AsyncGenerator<readonly RedeliveryFact[]> {
  for (let from = 0n; ; ) {
    const rows = await store.query<RedeliveryFact>(
      `select encode(o.observation_id, 'hex') as id, c.crawl_id as "crawlId", r."offset", r.recorded_at as "recordedAt"
       from redeliveries r left join observations o using (observation) left join crawls c on c.crawl = r.crawl
       where r.partition = $1 and r."offset" >= $2 and r."offset" < $3 order by r."offset" limit $4`,
      [partition, from, next, PAGE_ROWS],
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
    from = last.offset + 1n
  }
}

/** Observations that do not count as of the positions; leaves out observations after the positions. */
export async function* retractedPages(
  store: Queryable,
  positions: Positions[string],
): AsyncGenerator<readonly { id: string; observation: bigint }[]> {
  for (let after = -1n; ; ) {
    const rows = await store.query<{ id: string; observation: bigint }>(
      `select encode(observation_id, 'hex') as id, observation
       from hidden_observations($1) join observations using (observation)
       where observation > $2 order by observation limit $3`,
      [positions, after, PAGE_RETRACTED],
    )
    const within = rows.filter(({ observation }) => {
      const next = positions[String(observation >> 48n)] ?? '0'
      return (observation & ((1n << 48n) - 1n)) < BigInt(next)
    })
    if (within.length > 0) yield within
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_RETRACTED) return
    after = last.observation
  }
}

/**
 * Rows beyond the positions of their projection, where none may be: one of each table. Reads positions and rows at one
 * instant, so that a running projector causes no false finding.
 */
export async function readRowsBeyondPositions(
  store: Queryable,
): Promise<readonly { kind: string; key: string; place: string }[]> {
  return store.query(
    `select 'observations' as kind, o.key, o.place from checkpoints c, lateral (
       select encode(observation_id, 'hex') as key, partition || '/' || (observation & ((1::bigint << 48) - 1)) as place
       from observations where observation >= (c.partition::bigint << 48) + c.next
         and observation < (c.partition + 1)::bigint << 48 order by observation limit 1) o
     where c.projection = 'vendor' and c.topic = $1
     union all
     select 'decisions', lpad(d."offset"::text, 19, '0'), d."offset"::text from checkpoints c, lateral (
       select "offset" from decisions where "offset" >= c.next order by "offset" limit 1) d
     where c.projection = 'vendor' and c.topic = $2
     union all
     select 'changes', lpad(s.seq::text, 19, '0'), s.seq::text from (
       select max(seq) as seq from changes) s
     where s.seq > coalesce((select rseq from scope_heads where scope = 'items'), 0)
     union all
     select 'numbers', s.scope || ' ' || lpad(n.rseq::text, 19, '0'), n.rseq::text
     from unnest($3::text[]) s (scope) left join scope_heads h using (scope), lateral (
       select rseq from change_scopes c where c.scope = s.scope and c.rseq > coalesce(h.rseq, 0) order by rseq limit 1) n`,
    [TOPICS.observations, TOPICS.decisions, SCOPES],
  )
}

/**
 * Places of well-formed records that Postgres refused. No fold can predict that, so the comparison accepts their dead
 * letters. A person examines each fault, so there are few.
 */
export async function refusedPlaces(store: Queryable): Promise<ReadonlySet<string>> {
  const rows = await store.query<{ id: string }>(`select parked_id as id from parked where reason = 'NOT_APPLICABLE'`)
  return new Set(rows.map(({ id }) => id))
}

/** The floor of each scope: retention deleted the numbers below it. */
export async function readFloors(store: Queryable): Promise<ReadonlyMap<string, bigint>> {
  const rows = await store.query<{ scope: string; floor: bigint }>(`select scope, floor from feed_floors`)
  return new Map(rows.map(({ scope, floor }) => [scope, floor]))
}

/** Key of meta: the result of the last whole comparison, as JSON. */
const VERIFIED = 'verified'

export type Verified = Readonly<{
  /** Start of the comparison; its result holds as of then. */
  at: string
  duration_s: number
  ok: boolean
  /** Topic → partition → the offset up to which the log was folded. */
  positions: Positions
  /** The name of the first failed check, and its difference. */
  first_difference: string | null
}>

export const saveVerified = (store: Queryable, verified: Verified): Promise<void> =>
  saveMeta(store, VERIFIED, JSON.stringify(verified))

/** Null before the first comparison. */
export async function readVerified(store: Queryable): Promise<Verified | null> {
  const value = await readMeta(store, VERIFIED)
  return value === undefined ? null : (JSON.parse(value) as Verified)
}
