import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Medians, mediansAt } from '@catalog/aggregator/medians.ts'
import { readVotes, type Votes } from '@catalog/aggregator/vote-columns.ts'
import { type Bench, type Comparison, interleaved } from '@catalog/bench/harness/report.ts'
import { startDuckDb } from '@catalog/bench/workload/duckdb.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { medianOfColumns } from '@catalog/core/median/median.ts'
import { createTable } from '@catalog/snapshot/parquet.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore, type Store, servedSchemaOf } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'
import pg from 'pg'

export const aggregateBench: Bench = {
  title: 'the medians of a whole catalog beside one SQL window query and DuckDB',
  async run(say, { isBrief = false, items: [items = isBrief ? BRIEF_ITEMS : ITEMS] = [] } = {}) {
    await using server = await startPostgres(SERVER_SETTINGS)
    await using store = await openStore({ kind: 'postgres', connection: { url: server.url } })
    await migrate(store)
    say(`${items} items with ${SKUS_PER_ITEM} vendors each are being made ...`)
    await fill(server.url, items)

    const votes = await readVotes(store, CUT)
    const { columns } = votes
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-bench-'))
    const file = await writeVotes(join(folder.path, 'votes.parquet'), votes)
    await using duck = await startDuckDb({ votes: file }, say)
    await using duckOnTables = await startDuckDb({ server, schema: servedSchemaOf(store.schema), asOf: CUT.asOf }, say)
    const dirty = Uint32Array.from({ length: items / DIRTY_ONE_IN }, (_, i) => i * DIRTY_ONE_IN)

    const ours = await mediansAt(store, CUT)
    if (ours.exactItems > 0)
      throw new Error(`${ours.exactItems} items need exact arithmetic; expected none in this data`)
    requireEqual('SQL', bySql(await windowQuery(store), ours), ours.cents)
    for (const [name, peer] of Object.entries({ DuckDB: duck, 'DuckDB on the tables': duckOnTables })) {
      if (peer !== null) requireEqual(name, byDuckDb(await peer.medians(), items), ours.cents)
    }
    const ofDirty = medianOfColumns(columns, dirty)
    requireEqual(
      'the dirty items',
      ofDirty,
      Float64Array.from(dirty, (row) => ours.cents[row] as number),
    )
    say(`${items} medians of ${columns.prices.length} votes are equal in all of them`)

    const ms = await interleaved(
      {
        async unpacked() {
          await store.query('delete from packed_observations')
          const begun = performance.now()
          await mediansAt(store, CUT)
          return performance.now() - begun
        },
        mediansAt: () => mediansAt(store, CUT),
        duckOnTables: () => duckOnTables?.run(),
        sql: () => windowQuery(store),
        computing: () => medianOfColumns(columns),
        duck: () => duck?.run(),
        // Too short for the clock and a busy machine: repeat it many times and divide.
        dirty: () => {
          for (let i = 0; i < DIRTY_REPEATS; i++) medianOfColumns(columns, dirty)
        },
      },
      { isBrief },
    )
    const left = [duck === null && DUCKDB, duckOnTables === null && DUCKDB_ON_TABLES]
    return rowsOf(ms).filter(({ beside }) => !left.includes(beside))
  },
}

const [DUCKDB, DUCKDB_ON_TABLES] = ['DuckDB, votes in memory', 'DuckDB, from the tables']
const ITEMS = 200_000
const BRIEF_ITEMS = 2_000
const SKUS_PER_ITEM = 5
const SOURCES = 48
const DIRTY_ONE_IN = 50
const DIRTY_REPEATS = 200
const CUT: Cut = { asOf: '2026-01-31T00:00:00Z', positions: null }
/** Data and sorts stay in memory: this compares computing, and SQL at its best. */
const SERVER_SETTINGS = { shared_buffers: '1GB', max_wal_size: '4GB', work_mem: '256MB', jit: 'off' }

/**
 * Read models as the crawls of 48 vendors leave them, one price list after the other. Every list has the products of
 * five out of 48 in ascending order; five vendors list every product. All data follows from row numbers, so each run
 * has the same. Two lists have expired, one vendor is disabled, one has no trust; every item has one currency.
 */
async function fill(url: string, items: number): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    // Replica skips five million foreign key checks: the rows are consistent by construction.
    options: '-c search_path=catalog_live,catalog -c timezone=UTC -c session_replication_role=replica',
  })
  await client.connect()
  await client.query(`
    insert into sources (source_id, registered_offset, name, region, trust_score, validity_days, kind, enabled)
    select 'src_' || lpad(n::text, 20, '0'), n, 'Vendor ' || n, (array['ES', 'PT', 'MX', 'US', null])[1 + n % 5],
      n * 37 % 101, 30, 'shop', n <> 7
    from generate_series(1, ${SOURCES}) n;
    update sources set trust_score = 0 where source = 11;
    insert into item_keys (item_id, founder, founding_n, unit)
    select 'ci_' || lpad(i::text, 20, '0'), 1, 0, (array['kg', 'm', 'm²', 'm³', 'u', 'l', 't', 'h'])[1 + i % 8]
    from generate_series(1, ${items}) i order by i;
    insert into vendor_skus (vendor_sku_id, source, vendor_ref)
    select 'vsku_' || lpad((i * ${SKUS_PER_ITEM} + k)::text, 20, '0'), source, i::text
    from generate_series(1, ${items}) i, generate_series(0, ${SKUS_PER_ITEM - 1}) k,
      lateral (values (1 + (i * 7 + k * 11) % ${SOURCES})) list (source)
    order by source, i;
    insert into memberships (sku, item, source) select sku, vendor_ref::int, source from vendor_skus order by sku;
    insert into crawls (crawl_id) values ('crawl-1');
    insert into price_terms (terms_key, currency, per_quantity, tax_included, kind, unit)
    select json_build_array(currency, tax_included, unit)::text, currency, 1, tax_included, 'list', unit
    from unnest(array['EUR', 'MXN']) currency, unnest(array[false, null]) tax_included, (select distinct unit from item_keys) u;
    insert into observations (observation, observation_id, sku, terms, crawl, recorded_at, observed_at, cents, payload)
    select sku - 1, sha256(sku::text::bytea), sku, terms, 1, timestamptz '${CUT.asOf}' - interval '1 day',
      timestamptz '${CUT.asOf}' - (source % 24 + case when source in (20, 40) then 30 else 1 end) * interval '1 day',
      (200 + item::bigint * 2654435761 % 100003) * (80 + sku::bigint * 48271 % 41) / 100,
      json_build_object('source', json_build_object('id', source_id, 'name', sources.name, 'region', region, 'url', null),
        'vendor_ref', vendor_ref, 'name', 'Product ' || item, 'unit', item_keys.unit, 'price', json_build_object('cents', 100,
        'currency', 'EUR', 'per_quantity', 1, 'tax', json_build_object('included', null), 'kind', 'list'))::text
    from vendor_skus join memberships using (sku, source) join item_keys using (item) join sources using (source)
    join price_terms on price_terms.unit = item_keys.unit
      and currency = case when item % 10 = 0 then 'MXN' else 'EUR' end
      and tax_included is not distinct from case when source % 2 = 0 then false end
    order by sku;
    insert into checkpoints (projection, topic, partition, next)
    select 'vendor', '${TOPICS.observations}', 0, count(*) from observations`)
  await client.query('vacuum analyze')
  await client.end()
}

/**
 * The oracle: the same medians by one query. Per SKU it takes the latest valid price, with C(p) and T as window sums:
 * lower = min{ p : 2·C(p) ≥ T }, upper = min{ p : 2·C(p) > T }, and their mean rounded half to even.
 *
 * Units, tax, currencies and verdicts are the same in every row here, so the query leaves them out. It packs its result
 * as our reads do.
 */
async function windowQuery(store: Store): Promise<{ items: Buffer; cents: Buffer }> {
  const [row] = await store.query<{ items: Buffer; cents: Buffer }>(
    `with latest as (
       select distinct on (sku) item, cents, trust_score as trust
       from memberships join observations using (sku) join sources using (source)
       where observed_at <= $1 and observed_at > $1::timestamptz - validity_days * interval '1 day'
         and enabled and trust_score > 0
       order by sku, observed_at desc
     ),
     cumulated as (
       select item, cents, sum(trust) over (partition by item order by cents) as c, sum(trust) over (partition by item) as t
       from latest
     ),
     medians as (
       select item, min(cents) filter (where 2 * c >= t) as lower, min(cents) filter (where 2 * c > t) as upper
       from cumulated group by item
     )
     select string_agg(int4send(item), '') as items, string_agg(int8send((lower + upper) / 2 +
       case when (lower + upper) % 2 = 1 and (lower + upper) / 2 % 2 = 1 then 1 else 0 end), '') as cents
     from medians`,
    [CUT.asOf],
  )
  if (row === undefined) throw new Error('the window query answered nothing')
  return row
}

/** The query's medians in the order of ours; item key n has the n-th row. */
function bySql({ items, cents }: { items: Buffer; cents: Buffer }, ours: Medians): Float64Array {
  const medians = new Float64Array(ours.cents.length).fill(Number.NaN)
  for (let i = 0; i < items.length / 4; i++) medians[items.readInt32BE(4 * i) - 1] = Number(cents.readBigInt64BE(8 * i))
  return medians
}

function byDuckDb(
  rows: readonly (readonly [item: number, lower: number, upper: number])[],
  items: number,
): Float64Array {
  const medians = new Float64Array(items).fill(Number.NaN)
  for (const [item, lower, upper] of rows) {
    const mean = Math.floor((lower + upper) / 2)
    medians[item - 1] = (lower + upper) % 2 === 1 && mean % 2 === 1 ? mean + 1 : mean
  }
  return medians
}

/** The votes as DuckDB reads them; item key n has the n-th row. */
async function writeVotes(path: string, { columns: { offsets, prices, weights } }: Votes): Promise<string> {
  const table = createTable(path, { item: 'INTEGER', cents: 'BIGINT', trust: 'INTEGER' })
  for (let item = 0; item < offsets.length - 1; item++) {
    for (let vote = offsets[item] as number; vote < (offsets[item + 1] as number); vote++) {
      table.add([{ item: item + 1, cents: prices[vote] as number, trust: weights[vote] as number }])
    }
  }
  await table.finish()
  return path
}

function rowsOf(
  ms: Readonly<Record<'mediansAt' | 'unpacked' | 'sql' | 'duckOnTables' | 'computing' | 'duck' | 'dirty', number>>,
): Comparison[] {
  return [
    {
      stage: 'all medians, from the tables',
      beside: 'one SQL window query',
      oursMs: ms.mediansAt,
      besideMs: ms.sql,
      ratioMax: 1 / 4,
    },
    {
      stage: 'all medians, from the tables',
      beside: DUCKDB_ON_TABLES,
      oursMs: ms.mediansAt,
      besideMs: ms.duckOnTables,
      ratioMax: 1,
    },
    {
      stage: 'all medians, the first time',
      beside: 'one SQL window query',
      oursMs: ms.unpacked,
      besideMs: ms.sql,
      ratioMax: null,
    },
    {
      stage: 'all medians, votes in memory',
      beside: DUCKDB,
      oursMs: ms.computing,
      besideMs: ms.duck,
      ratioMax: 1 / 5,
    },
    {
      stage: 'medians of 2 % dirty items',
      beside: 'all medians, votes in memory',
      oursMs: ms.dirty / DIRTY_REPEATS,
      besideMs: ms.computing,
      ratioMax: 1 / 25,
    },
  ]
}

function requireEqual(name: string, found: Float64Array, expected: Float64Array): void {
  if (found.length !== expected.length) throw new Error(`${name}: ${found.length} medians, expected ${expected.length}`)
  const at = found.findIndex((cents, i) => !Object.is(cents, expected[i]))
  if (at >= 0) throw new Error(`${name}: item ${at} has the median ${found[at]}, expected ${expected[at]}`)
}
