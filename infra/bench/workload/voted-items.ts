import { TOPICS } from '@catalog/core/events/topics.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import pg from 'pg'

/** Items of five vendors as a matched catalog has them before its first run; all data follows from numbers. */

export const VENDORS_PER_ITEM = 5
const SOURCES = 40
const UNITS = ['kg', 'm2', 'u', 'm3', 'm', 'l', 't', 'h']
const PRODUCTS = [
  'Portland cement CEM II 42.5 R',
  'Laminated plasterboard BA 13',
  'Ceramic brick, perforated',
  'PVC pipe',
]
const OBSERVED_AT = '2026-09-01T06:00:00Z'

/** The instant of the run of a night; night 0 is the first. */
export const nightAt = (night: number): string => instant(new Date(Date.UTC(2026, 8, 2 + night, 2)))

/** Makes a database with so many items. Returns its connection string. */
export async function makeVotedItems(url: string, database: string, items: number): Promise<string> {
  await runSql(url, `create database ${database}`)
  const made = new URL(url)
  made.pathname = `/${database}`
  await using store = await openStore({ kind: 'postgres', connection: { url: made.href } })
  await migrate(store)
  await using _log = await openTableLog(store, { observationPartitions: 1 })
  await runSql(made.href, itemRows(items))
  await runSql(made.href, 'vacuum analyze')
  return made.href
}

/** Gives one SKU of every n-th item a new price, observed before the run of this night. */
export async function addPrices(url: string, { night, every }: { night: number; every: number }): Promise<void> {
  const observedAt = instant(new Date(Date.parse(nightAt(night)) - DAY_MS / 4))
  await runSql(
    url,
    `with priced as (
       select sku, item, vendor_ref, source, row_number() over (order by sku) - 1 as n from memberships join vendor_skus using (sku, source)
       where item % ${every} = 0 and sku % ${VENDORS_PER_ITEM} = ${night % VENDORS_PER_ITEM}
     ),
     head as (select next from log_heads where topic = '${TOPICS.observations}'),
     added as (
       ${observationsOf('priced', { first: 'head.next', observedAt, crawl: 1, cents: `100 + (item * 7919 + ${night + 1} * 31) % 900` })}
       returning 1
     )
     update log_heads set next = next + (select count(*) from added) where topic = '${TOPICS.observations}';
     update checkpoints set next = log_heads.next from log_heads
     where log_heads.topic = checkpoints.topic and checkpoints.topic = '${TOPICS.observations}'`,
  )
}

const id = (prefix: string, number: string) =>
  `'${prefix}' || translate(left(md5('${prefix}' || (${number})), 26), '0189', 'wxyz')`
const oneOf = (texts: readonly string[], n: string) => `(array['${texts.join(`', '`)}'])[1 + (${n}) % ${texts.length}]`

/** The insert of an observation of each of these SKUs. */
const observationsOf = (
  skus: string,
  { first, observedAt, crawl, cents }: { first: string; observedAt: string; crawl: number; cents: string },
) => `
  insert into observations (observation, observation_id, sku, terms, crawl, recorded_at, observed_at, cents, payload)
  select ${first} + n, sha256((sku || ' at ${observedAt}')::bytea), sku, 1 + item % ${UNITS.length}, ${crawl}, '${observedAt}',
    '${observedAt}', ${cents}, json_build_object('name', ${oneOf(PRODUCTS, 'item')} || ', no. ' || item, 'observed_at',
      '${observedAt}', 'price', json_build_object('cents', ${cents}, 'currency', 'EUR', 'kind', 'list', 'per_quantity', 1,
        'tax', json_build_object('included', false)), 'source', json_build_object('id', 'src_' || source, 'name', 'Vendor ' ||
        source, 'region', 'ES', 'url', null), 'unit', ${oneOf(UNITS, 'item')}, 'vendor_ref', vendor_ref)::text
  from ${skus}${first.includes('.') ? `, ${first.split('.')[0]}` : ''} order by n`

const itemRows = (items: number) => `
  set session_replication_role = replica;
  insert into sources (source_id, registered_offset, name, region, trust_score, validity_days, kind, enabled)
  select ${id('src_', 'n')}, 0, 'Vendor ' || n, 'ES', 1 + n * 37 % 100, 30, 'shop', true from generate_series(1, ${SOURCES}) n order by n;
  insert into crawls (crawl_id) values ('crawl-1');
  insert into price_terms (terms_key, currency, per_quantity, tax_included, kind, unit)
  select unit, 'EUR', 1, false, 'list', unit from (select ${oneOf(UNITS, 'n')} as unit from generate_series(0, ${UNITS.length - 1}) n order by n) u;
  insert into vendor_skus (vendor_sku_id, source, vendor_ref)
  select ${id('vsku_', 'n')}, 1 + (n / ${VENDORS_PER_ITEM} * 3 + n % ${VENDORS_PER_ITEM} * 8) % ${SOURCES}, 'R' || n
  from generate_series(0, ${items * VENDORS_PER_ITEM - 1}) n order by n;
  insert into item_keys (item_id, founder, founding_n, unit)
  select ${id('ci_', 'n')}, 1 + (n - 1) * ${VENDORS_PER_ITEM}, 0, ${oneOf(UNITS, 'n')} from generate_series(1, ${items}) n order by n;
  insert into memberships (sku, item, source) select sku, 1 + (sku - 1) / ${VENDORS_PER_ITEM}, source from vendor_skus order by sku;
  ${observationsOf(`(select *, sku - 1 as n from memberships join vendor_skus using (sku, source)) skus`, {
    first: '0',
    observedAt: OBSERVED_AT,
    crawl: 1,
    cents: '100 + (sku * 48271::bigint) % 900',
  })};
  update log_heads set next = ${items * VENDORS_PER_ITEM} where topic = '${TOPICS.observations}';
  insert into checkpoints (projection, topic, partition, next) values ('vendor', '${TOPICS.observations}', 0, ${items * VENDORS_PER_ITEM})`

/**
 * The medians of all items and markets by one statement with windows, which writes the rows that a first run leaves: items, feeds,
 * history and the log. Without hash chains, which no query can make.
 */
export async function nightBySql(url: string, asOf: string): Promise<void> {
  await runSql(
    url,
    `set search_path = catalog_live, catalog; set work_mem = '256MB'; set statement_timeout = 0`,
    windowQuery(asOf),
  )
}

const windowQuery = (asOf: string) => `
  with latest as (
    select item, sku, source, observation_id, cents, observed_at, terms, payload, row_number() over (partition by sku order by
      observed_at desc, observation_id desc) as nth
    from memberships join observations using (sku)
    where observed_at <= '${asOf}' and observed_at > timestamptz '${asOf}' - interval '30 days'
  ),
  votes as materialized (
    select item, vendor_sku_id, source_id, trust_score as trust, encode(observation_id, 'hex') as observation_id, cents, currency,
      observed_at, payload::json->>'name' as name from latest join vendor_skus using (sku, source) join sources using (source)
      join price_terms using (terms) where nth = 1
  ),
  ranked as (
    select item, market, cents, currency, sum(trust) over by_price as running, sum(trust) over of_market as total
    from votes, unnest(array['', 'ES', 'EU']) market
    window of_market as (partition by item, market), by_price as (partition by item, market order by cents, vendor_sku_id)
  ),
  medians as materialized (
    select item, market, min(cents) filter (where running * 2 >= total) as cents, min(cents) filter (where running * 4 >= total) as p25,
      min(cents) filter (where running * 4 >= total * 3) as p75, min(currency) as currency from ranked group by item, market
  ),
  of_items as materialized (
    select item, item_id, unit, min(name) as name, count(*) as vendors, max(observed_at) as last_at, sum(trust) as trust_total,
      array_agg(vendor_sku_id order by vendor_sku_id) as sku_ids, json_agg(json_build_object('vendor_sku_id', vendor_sku_id, 'source_id',
      source_id, 'observation_id', observation_id, 'price', cents || '/1', 'currency', currency, 'trust', trust, 'observed_at',
      observed_at, 'markets', array['ES', 'EU']) order by vendor_sku_id) as votes
    from votes join item_keys using (item) group by item, item_id, unit
  ),
  shown as materialized (
    select row_number() over (order by item_id) as seq, o.*, m.cents, m.currency, json_build_object('method_version', 'sql', 'currency',
      m.currency, 'votes', votes, 'excluded', '[]'::json, 'voters', vendors, 'trust_total', trust_total, 'p25', p25, 'p75', p75,
      'last_observed_at', last_at)::text as basis, json_build_object('id', item_id, 'name', name, 'unit', unit, 'cpv', null,
      'category_id', null, 'vendor_count', vendors, 'observation_count', vendors, 'median_price', json_build_object('cents', cents,
      'currency', m.currency, 'recorded_at', '${asOf}'), 'updated_at', '${asOf}')::text as item_json
    from of_items o join medians m using (item) where market = ''
  ),
  stated as materialized (
    select shown.*, json_build_object('item', item_json::json, 'regions', array['ES', 'EU'], 'markets', markets, 'state', 'active',
      'merged_into', null)::text as state
    from shown join (
      select m.item, json_agg(json_build_object('region', market, 'median_price', json_build_object('cents', m.cents, 'currency',
        m.currency, 'recorded_at', '${asOf}'), 'vendor_count', vendors)) as markets
      from medians m join of_items using (item) where market <> '' group by m.item
    ) of_markets using (item)
  ),
  logged as (
    insert into log_records (topic, partition, "offset", key, value)
    select '${TOPICS.items}', 0, seq - 1, item_id, json_build_object('type', 'ItemPublished', 'item_id', item_id, 'state', state::json,
      'vendor_sku_ids', sku_ids, 'basis', basis::json, 'version', 1, 'run_id', 'sql', 'as_of', '${asOf}')::text from stated
  ),
  published as (
    insert into items (item_id, version, seq, state, public_state, item_json, state_sha, material_sha, name, vendor_sku_ids, basis,
      run_id, as_of, "offset")
    select item_id, 1, seq, 'active', state, item_json, sha256(state::bytea), sha256(item_json::bytea), name, sku_ids, basis, 'sql',
      '${asOf}', seq - 1 from stated
  ),
  changed as (
    insert into changes (seq, item_id, op, version, updated_us, state_sha, state)
    select seq, item_id, 'upsert', 1, seq, sha256(state::bytea), state from stated
  ),
  scoped as (
    insert into change_scopes (scope, rseq, seq, op, chain)
    select scope, seq, seq, 'upsert', sha256(item_id::bytea) from stated, unnest(array['items', 'region/ES', 'region/EU']) scope
  ),
  in_regions as (
    insert into item_regions (region, item_id) select region, item_id from stated, unnest(array['ES', 'EU']) region
  ),
  in_markets as (
    insert into item_markets (item_id, region, median_json)
    select item_id, market, json_build_object('cents', m.cents, 'currency', m.currency)::text
    from stated join medians m using (item) where market <> ''
  )
  insert into price_points (item_id, market, recorded_at, cents, currency)
  select item_id, market, '${asOf}', m.cents, m.currency from stated join medians m using (item)`

async function runSql(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=catalog_live,catalog -c timezone=UTC -c jit=off',
  })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
