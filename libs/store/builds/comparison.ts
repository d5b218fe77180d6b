import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable, Store } from '@catalog/store/db.ts'
import { type BuildPosition, readPositions } from './builds.ts'

/**
 * Compares two builds row by row, with text ids in place of the private integer keys. Each side sums the hashes of each
 * of 256 parts of a table, which needs no order and no memory. Only parts that differ are read.
 */
type Facts = Readonly<{
  name: string
  /**
   * A corrected upcaster may change the vendor side, if the operator accepts it. The item side is the log's own, and
   * must never differ.
   */
  side: 'vendor' | 'items'
  /** Selects `key` and all compared columns. */
  sql: string
}>

/** Retention deleted the numbers below the floors in the served build; a build made from the log has them again. */
const FLOOR = (scope: string) => `coalesce((select floor from feed_floors where scope = ${scope}), 0)`

const FACTS: readonly Facts[] = [
  {
    name: 'sources',
    side: 'vendor',
    sql: `select source_id as key, registered_offset, name, region, url, trust_score, validity_days, validity, kind, enabled from sources`,
  },
  {
    name: 'editions',
    side: 'vendor',
    sql: `select source_id || ' ' || edition as key from source_editions`,
  },
  {
    name: 'vendor SKUs',
    side: 'vendor',
    sql: `select k.vendor_sku_id as key, source_id, k.vendor_ref, f.vendor_sku_id as first_sku_id
      from vendor_skus k join sources using (source) left join vendor_skus f on f.sku = k.reference`,
  },
  {
    name: 'observations',
    side: 'vendor',
    sql: `select encode(observation_id, 'hex') as key, observation, vendor_sku_id, terms_key, crawl_id, recorded_at,
        observed_at, cents, payload
      from observations join vendor_skus using (sku) join price_terms using (terms) join crawls using (crawl)`,
  },
  {
    name: 'redeliveries',
    side: 'vendor',
    sql: `select encode(observation_id, 'hex') || ' by ' || c.crawl_id as key, r.partition, r."offset", r.recorded_at
      from redeliveries r join observations using (observation) join crawls c on c.crawl = r.crawl`,
  },
  { name: 'retractions', side: 'vendor', sql: `select event_id as key, r.* from retractions r` },
  {
    name: 'crawl reports',
    side: 'vendor',
    sql: `select crawl_id || ' of ' || source_id as key, r.* from crawl_reports r`,
  },
  {
    name: 'parked records',
    side: 'vendor',
    // PostgreSQL's message about a refused record depends on its batch, so it is not compared.
    sql: `select parked_id as key, origin, topic, partition, "offset", source_id, crawl_id, position, reason,
        case when reason <> 'NOT_APPLICABLE' then detail end as detail, raw, raw_sha256, read_as, vendor_sku_id, observed_at, recorded_at from parked`,
  },
  { name: 'resolutions', side: 'vendor', sql: `select parked_id as key, r.* from parked_resolutions r` },
  {
    name: 'recipes',
    side: 'vendor',
    sql: `select recipe_id as key, vendor_sku_id, observed_at, payload from recipes join vendor_skus using (sku)`,
  },
  {
    name: 'deliveries of recipes',
    side: 'vendor',
    sql: `select recipe_id || ' by ' || crawl_id as key, recorded_at, position from recipe_deliveries`,
  },
  { name: 'index points', side: 'vendor', sql: `select event_id as key, p.* from index_points p` },
  {
    name: 'decisions',
    side: 'vendor',
    sql: `select "offset"::text as key, type, subject, decided_at, payload from decisions`,
  },
  {
    name: 'founded items',
    side: 'vendor',
    sql: `select k.item_id as key, vendor_sku_id, k.founding_n, k.unit, k.pack_quantity, k.pack_unit, survivor.item_id
      from item_keys k join vendor_skus on sku = k.founder left join item_keys survivor on survivor.item = k.merged_into`,
  },
  {
    name: 'memberships',
    side: 'vendor',
    sql: `select vendor_sku_id as key, item_id, source_id from memberships join vendor_skus using (sku)
      join item_keys using (item) join sources on sources.source = memberships.source`,
  },
  {
    name: 'match keys',
    side: 'vendor',
    sql: `select vendor_sku_id || ' by ' || key as key from match_keys join vendor_skus using (sku)`,
  },
  {
    name: 'pairs kept apart',
    side: 'vendor',
    sql: `select sku_a || ' and ' || sku_b as key, since, reason from kept_apart`,
  },
  {
    name: 'proposals',
    side: 'vendor',
    sql: `select sku_a || ' and ' || sku_b as key, score, why, rule_version, decided_at from proposals`,
  },
  { name: 'items', side: 'items', sql: `select item_id as key, i.* from items i` },
  { name: 'regions of items', side: 'items', sql: `select item_id || ' in ' || region as key from item_regions` },
  { name: 'markets', side: 'items', sql: `select item_id || ' in ' || region as key, median_json from item_markets` },
  {
    name: 'price points',
    side: 'items',
    sql: `select item_id || ' in ' || market || ' at ' || recorded_at as key, cents, currency from price_points`,
  },
  { name: 'categories', side: 'items', sql: `select category_id as key, parent_id, name, depth from categories` },
  {
    name: 'changes',
    side: 'items',
    sql: `select c.seq::text as key, c.* from changes c where seq > ${FLOOR(`'items'`)}`,
  },
  {
    name: 'numbers',
    side: 'items',
    sql: `select scope || ' ' || rseq as key, seq, op, chain from change_scopes s where rseq >= ${FLOOR('s.scope')}`,
  },
  { name: 'scope heads', side: 'items', sql: `select scope as key, rseq, chain from scope_heads` },
  // Not finished_at: runs that an earlier release projected have none.
  {
    name: 'run marks',
    side: 'items',
    sql: `select run_id as key, as_of, seq, "offset", items_published, taken_back, froze from run_marks`,
  },
]

export type Difference = Readonly<{
  /** The kind of rows, and the key of the first row that differs. */
  facts: string
  side: Facts['side']
  key: string
  /** The row as text; null where it is missing. */
  served: string | null
  build: string | null
}>

export type Compared = Readonly<{ rows: number; differences: readonly Difference[] }>

/** The first difference per kind of rows between the served build and another, both at the same positions. */
export async function compareBuilds(
  served: Queryable,
  build: Queryable,
  { onFacts = () => {} }: { onFacts?: (done: number, total: number) => void } = {},
): Promise<Compared> {
  const differences: Difference[] = []
  let rows = 0
  for (const [done, facts] of FACTS.entries()) {
    onFacts(done, FACTS.length)
    const [here, there] = [await parts(served, facts), await parts(build, facts)]
    for (const { count } of here.values()) rows += count
    const part = [...new Set([...here.keys(), ...there.keys()])].find(
      (part) => here.get(part)?.sum !== there.get(part)?.sum,
    )
    if (part !== undefined) differences.push(await firstDifference({ served, build, facts, part }))
  }
  onFacts(FACTS.length, FACTS.length)
  return { rows, differences }
}

type Part = Readonly<{ count: number; sum: string }>

const LINES = ({ sql }: Facts) => `(select key, facts::text as line from (${sql}) facts)`
/** Two hashes of 64 bits each; their sum does not depend on the order. */
const SUM = `sum(hashtextextended(line, 1)::numeric) || ' ' || sum(hashtextextended(line, 2)::numeric)`
const PART = `hashtext(key) & 255`

async function parts(db: Queryable, facts: Facts): Promise<ReadonlyMap<number, Part>> {
  const rows = await db.query<{ part: number } & Part>(
    `select ${PART} as part, count(*)::int as count, ${SUM} as sum from ${LINES(facts)} lines group by part`,
  )
  return new Map(rows.map(({ part, ...sums }) => [part, sums]))
}

async function firstDifference({
  served,
  build,
  facts,
  part,
}: {
  served: Queryable
  build: Queryable
  facts: Facts
  part: number
}): Promise<Difference> {
  const read = async (db: Queryable) => {
    const rows = await db.query<{ key: string; hash: bigint }>(
      `select key, hashtextextended(line, 1) as hash from ${LINES(facts)} lines where ${PART} = $1`,
      [part],
    )
    return new Map(rows.map(({ key, hash }) => [key, hash]))
  }
  const [here, there] = [await read(served), await read(build)]
  const key = [...new Set([...here.keys(), ...there.keys()])]
    .filter((key) => here.get(key) !== there.get(key))
    .sort()[0] as string
  const line = async (db: Queryable) => {
    const [row] = await db.query<{ line: string }>(`select line from ${LINES(facts)} lines where key = $1`, [key])
    return row?.line ?? null
  }
  return { facts: facts.name, side: facts.side, key, served: await line(served), build: await line(build) }
}

/** Runs long reads of a build that no client waits for; on PostgreSQL without the statement timeout. */
export async function withoutStatementTimeout<T>(store: Store, work: (db: Queryable) => Promise<T>): Promise<T> {
  if (store.kind === 'embedded') return work(store)
  return store.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = 0`)
    await tx.query(`set local idle_in_transaction_session_timeout = 0`)
    return await work(tx)
  })
}

const STILL_ATTEMPTS_MAX = 20
const STILL_AGAIN_MS = 500

/**
 * Runs reads of the served build that all see one instant, and passes them its positions. PostgreSQL uses a snapshot
 * while projection continues. On the embedded store a transaction would block every reader, so the reads repeat until
 * nothing was projected meanwhile.
 */
export async function inSnapshot<T>(
  store: Store,
  work: (served: Queryable, positions: readonly BuildPosition[]) => Promise<T>,
): Promise<T> {
  if (store.kind === 'postgres') {
    return store.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read')
      await tx.query(`set local statement_timeout = 0`)
      await tx.query(`set local idle_in_transaction_session_timeout = 0`)
      return await work(tx, await readPositions(tx))
    })
  }
  const shown = (positions: readonly BuildPosition[]) =>
    positions.map(({ projection, partition, topic, next }) => `${projection} ${topic} ${partition} ${next}`).join('\n')
  for (let attempt = 1; ; attempt++) {
    const before = await readPositions(store)
    const result = await work(store, before)
    if (shown(await readPositions(store)) === shown(before)) return result
    if (attempt === STILL_ATTEMPTS_MAX) {
      throw new Error('projection never paused: expected an interval without new records to compare the two builds')
    }
    await delay(STILL_AGAIN_MS)
  }
}
