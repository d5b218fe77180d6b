import { SCOPES } from '@catalog/core/changes/protocol.ts'
import type { Positions } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { readMeta, saveMeta } from '@catalog/store/checkpoints.ts'
import type { Queryable } from '@catalog/store/db.ts'

/**
 * Reads of everything that `catalog verify` compares with the log. It reads pages in key order, each by one short
 * statement, so no client waits, and no statement sees half a transaction.
 */
type Table = Readonly<{
  /** SQL expressions, unique together. */
  keys: readonly string[]
  /** SQL, in the order of the comparison. */
  columns: string
  from: string
  pageRows?: number
}>

/** Some hundred kilobytes, read in a hundredth of a second. */
const PAGE_ROWS = 1_000
/** An item has several kilobytes. */
const PAGE_ITEMS = 200
/** Large, because the function behind it runs again for each page. */
const PAGE_RETRACTED = 50_000

const TABLES = {
  'price terms': {
    keys: ['terms_key'],
    columns: `currency, per_quantity, trim_scale(min_quantity)::text as min_quantity, tax_included,
      trim_scale(tax_rate)::text as tax_rate, kind, unit, trim_scale(pack_quantity)::text as pack_quantity, pack_unit, lang,
      discontinued, edition`,
    from: 'price_terms',
  },
  sources: {
    keys: ['source_id'],
    columns: 'registered_offset, name, region, url, trust_score, validity_days, validity, kind, enabled',
    from: 'sources',
  },
  editions: { keys: ['source_id', 'edition'], columns: `'stated' as is`, from: 'source_editions' },
  'vendor skus': {
    keys: ['vendor_sku_id'],
    columns: `source_id, vendor_ref,
      (select f.vendor_sku_id from vendor_skus f where f.sku = vendor_skus.reference) as first_sku_id`,
    from: 'vendor_skus left join sources using (source)',
  },
  retractions: {
    keys: ['event_id'],
    columns: `scope, source_id, encode(observation_id, 'hex') as observation_id, crawl_id, reason, partition, "offset",
      recorded_at`,
    from: 'retractions',
  },
  'crawl reports': {
    keys: ['crawl_id', 'source_id'],
    columns: `event_id, outcome, complete, partial, etag, last_modified, read, appended, duplicates, parked, missed,
      problems, health, started_at, recorded_at`,
    from: 'crawl_reports',
  },
  parked: {
    keys: ['parked_id'],
    columns:
      'origin, topic, partition, "offset", source_id, crawl_id, position, reason, raw, raw_sha256, read_as, vendor_sku_id, observed_at, recorded_at',
    // See refusedPlaces().
    from: `(select * from parked where reason <> 'NOT_APPLICABLE') parked`,
    pageRows: PAGE_ITEMS,
  },
  'parked resolutions': {
    keys: ['parked_id'],
    columns: 'event_id, resolution, reason, recorded_at',
    from: 'parked_resolutions',
  },
  recipes: {
    keys: ['recipe_id'],
    columns: 'vendor_sku_id, observed_at, payload',
    from: 'recipes left join vendor_skus using (sku)',
    pageRows: PAGE_ITEMS,
  },
  'recipe deliveries': {
    keys: ['recipe_id', 'crawl_id'],
    columns: 'recorded_at, position',
    from: 'recipe_deliveries',
  },
  'index points': {
    keys: ['event_id'],
    columns: `index_id, source_id, publisher, url, series, title, region, base, frequency, period, value, crawl_id, observed_at,
      recorded_at, partition, "offset"`,
    from: 'index_points',
  },
  decisions: { keys: ['"offset"'], columns: 'type, subject, decided_at, payload', from: 'decisions' },
  'item keys': {
    keys: ['i.item_id'],
    columns: `f.vendor_sku_id as founder, i.founding_n, i.unit, trim_scale(i.pack_quantity)::text as pack_quantity,
      i.pack_unit, into_item.item_id as merged_into`,
    from: `item_keys i left join vendor_skus f on f.sku = i.founder
      left join item_keys into_item on into_item.item = i.merged_into`,
  },
  memberships: {
    keys: ['vendor_sku_id'],
    columns: 'item_id, source_id',
    from: `memberships m join vendor_skus using (sku) left join item_keys using (item)
      left join sources on sources.source = m.source`,
  },
  'kept apart': { keys: ['sku_a', 'sku_b'], columns: 'since, reason', from: 'kept_apart' },
  proposals: { keys: ['sku_a', 'sku_b'], columns: 'score, why, rule_version, decided_at', from: 'proposals' },
  items: {
    keys: ['item_id'],
    columns: `state, public_state, version, seq, state_sha, material_sha, merged_into, name, category_id,
      kind, item_json, array(select region from item_regions r where r.item_id = items.item_id) as regions,
      array(select region || ' ' || coalesce(median_json, 'none') from item_markets m where m.item_id = items.item_id)
        as markets, vendor_sku_ids, basis, run_id, as_of`,
    from: 'items',
    pageRows: PAGE_ITEMS,
  },
  'price points': { keys: ['item_id', 'market', 'recorded_at'], columns: 'cents, currency', from: 'price_points' },
  categories: { keys: ['category_id'], columns: 'parent_id, name, depth', from: 'categories' },
  'run marks': {
    keys: ['run_id'],
    columns: 'as_of, seq, "offset", items_published, taken_back, froze',
    from: 'run_marks',
  },
  'scope heads': { keys: ['scope'], columns: 'rseq, chain', from: 'scope_heads' },
  changes: {
    keys: ['seq'],
    columns: 'seq, op, item_id, version, updated_us, state_sha, state, merged_into, former_median',
    from: 'changes',
    pageRows: PAGE_ITEMS,
  },
  numbers: { keys: ['scope', 'rseq'], columns: 'rseq, seq, op, chain', from: 'change_scopes' },
} as const satisfies Record<string, Table>

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
