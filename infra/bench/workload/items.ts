import { idSuffix } from '@catalog/core/digest.ts'
import type { ItemPublished } from '@catalog/core/events/items.ts'
import { instant } from '@catalog/core/time.ts'
import { BATCH_RECORDS_MAX } from '@catalog/log/log.ts'
import { digestNewestMark } from '@catalog/projector/digests.ts'
import { itemsInto } from '@catalog/stack/store/items-into.ts'
import { event, published } from '@catalog/stack/testing/events.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import pg from 'pg'

/** Vendors that price each item. */
const VENDORS_PER_ITEM = 3
/** Prices of each vendor, a week apart. */
const PRICES_PER_VENDOR = 2
/** Weekly changes of each item's median; the oldest lie before the 90 days of a detail. */
const MEDIANS_PER_ITEM = 16
const SOURCES = 48
/** Of which so many are roots. */
const CATEGORIES = 340
const ROOTS = 20
/** The as_of of the last run. */
const AS_OF = '2026-11-20T02:00:00Z'

/**
 * Fills a new database with so many items as runs leave them; `prices` adds everything that a detail shows. All data
 * follows from item numbers. Ids are spread like hashes, so the rows of a page lie far apart. Returns the connection
 * string.
 */
export async function makeItems({
  url,
  database,
  items,
  prices,
}: {
  /** Address of the server. */
  url: string
  database: string
  items: number
  prices: boolean
}): Promise<string> {
  await run(url, '', `create database ${database}`)
  const made = new URL(url)
  made.pathname = `/${database}`
  await using store = await openStore({ kind: 'postgres', connection: { url: made.href } })
  await migrate(store)
  // Replica skips foreign key checks: the rows are consistent by construction.
  const options = '-c search_path=catalog_live,catalog -c timezone=UTC -c session_replication_role=replica'
  await run(made.href, options, itemRows(items))
  if (prices) await run(made.href, options, priceRows(items))
  await run(made.href, options, 'vacuum analyze')
  return made.href
}

/** Gives each item with prices the basis of its median: the newest price of each vendor as a vote. */
export async function addVotes(url: string): Promise<void> {
  await run(
    url,
    '-c search_path=catalog_live,catalog -c session_replication_role=replica',
    `update items set basis = voted.basis from (
      select item_id, json_build_object('method_version', 'twm/3', 'currency', 'EUR', 'voters', count(*),
        'trust_total', sum(trust_score), 'p25', min(cents), 'p75', max(cents), 'last_observed_at', '${AS_OF}',
        'excluded', json_build_array(), 'votes', json_agg(json_build_object('vendor_sku_id', k.vendor_sku_id,
          'observation_id', encode(observation_id, 'hex'), 'source_id', source_id, 'price', cents || '/1', 'currency', 'EUR',
          'trust', trust_score, 'observed_at', to_char(observed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'markets',
          json_build_array('ES'))))::text as basis
      from items i join vendor_skus k on k.vendor_sku_id = any(i.vendor_sku_ids) join sources s using (source)
        join observations o on o.sku = k.sku and o.crawl = ${PRICES_PER_VENDOR}
      group by item_id) voted where voted.item_id = items.item_id`,
  )
  await run(url, '-c search_path=catalog_live,catalog', 'vacuum analyze items')
}

async function run(url: string, options: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A realistic id from a subject's number, spread like a hash. */
const id = (prefix: string, number: string) =>
  `'${prefix}' || translate(left(md5('${prefix}' || (${number})), 26), '0189', 'wxyz')`
const SKU_IDS = Array.from({ length: VENDORS_PER_ITEM }, (_, k) => id('vsku_', `n * ${VENDORS_PER_ITEM} + ${k}`))

const PRODUCTS = [
  'Portland cement CEM II/B-L 42.5 R',
  'Laminated plasterboard BA 13',
  'Corrugated steel B 500 S',
  'Ceramic brick, perforated, 24 x 11.5 x 7',
  'Extruded polystyrene XPS 300 kPa',
  'PVC pipe, evacuation, DN 110',
  'Copper cable H07V-K 1 x 2.5 mm²',
]
const VARIANTS = ['bag', 'pallet', 'grey', 'type A', 'fire resistant', 'with delivery']
const UNITS = ['25 kg', 'm²', 'kg', 'u', 'm']
/** The element for item n. */
const oneOf = (texts: readonly string[]) => `(array['${texts.join(`', '`)}'])[1 + n % ${texts.length}]`
const MEDIAN = `"median_price":{"cents":%s,"currency":"EUR","recorded_at":"${AS_OF}"}`

// Truncated in the same transaction, the table needs no write-ahead log at wal_level minimal.
const itemRows = (items: number) => `
  truncate items;
  insert into items (item_id, version, seq, state, public_state, item_json, state_sha, material_sha, name,
    category_id, vendor_sku_ids, basis, run_id, as_of)
  select item_id, 1, n, 'active', public_state, item_json, sha256(public_state::bytea), sha256(item_json::bytea), name,
    category_id, array[${SKU_IDS}], '{"currency":"EUR","excluded":[],"votes":[]}', 'run-1', '${AS_OF}'
  from generate_series(1, ${items}) n,
    lateral (select ${id('ci_', 'n')} as item_id, ${id('cat_', `n % ${CATEGORIES}`)} as category_id,
      100 + n * 2654435761 % 90001 as cents, ${oneOf(PRODUCTS)} || ', ' || ${oneOf(VARIANTS)} || ', no. ' || n as name) item,
    lateral (select format('{"category_id":"%s","cpv":null,"id":"%s",${MEDIAN},"name":"%s","observation_count":%s,'
      '"unit":"%s","updated_at":"${AS_OF}","vendor_count":%s}', category_id, item_id, cents, name,
      ${VENDORS_PER_ITEM * PRICES_PER_VENDOR}, ${oneOf(UNITS)}, ${VENDORS_PER_ITEM}) as item_json) shown,
    lateral (select format('{"item":%s,"markets":[{${MEDIAN},"region":"ES","vendor_count":%s}],"merged_into":null,'
      '"regions":["ES","EU"],"state":"active"}', item_json, cents, ${VENDORS_PER_ITEM}) as public_state) state
  order by n;
  truncate categories;
  insert into categories (category_id, parent_id, name, depth)
  select ${id('cat_', 'n')}, case when n >= ${ROOTS} then ${id('cat_', `n % ${ROOTS}`)} end, 'Category ' || n, (n >= ${ROOTS})::int
  from generate_series(0, ${CATEGORIES - 1}) n;
  insert into scope_heads (scope, rseq, chain) values ('items', ${items}, '\\x00');
  insert into run_marks (run_id, as_of, seq, "offset", items_published) values ('run-1', '${AS_OF}', ${items}, 0, ${items});
  insert into checkpoints (projection, topic, partition, next) values ('items', 'catalog.items', 0, ${items + 1})`

/** Vendor by vendor and week by week, as crawls deliver them. */
const priceRows = (items: number) => `
  truncate observations, price_points;
  insert into sources (source_id, registered_offset, name, region, url, trust_score, validity_days, kind, enabled)
  select ${id('src_', 'n')}, n, 'Vendor ' || n, 'ES', 'https://vendor-' || n || '.example', n * 37 % 101, 30, 'shop', true
  from generate_series(1, ${SOURCES}) n order by n;
  insert into crawls (crawl_id) select 'crawl-' || week from generate_series(1, ${PRICES_PER_VENDOR}) week order by week;
  insert into price_terms (terms_key, currency, per_quantity, tax_included, kind, unit)
  select json_build_array('EUR', unit)::text, 'EUR', 1, false, 'list', unit
  from (select ${oneOf(UNITS)} as unit from generate_series(0, ${UNITS.length - 1}) n order by n) units;
  insert into vendor_skus (vendor_sku_id, source, vendor_ref)
  select vendor_sku_ids[k], 1 + (seq * 7 + k * 11) % ${SOURCES} as source, seq::text
  from items, generate_series(1, ${VENDORS_PER_ITEM}) k order by source, seq;
  insert into observations (observation, observation_id, sku, terms, crawl, recorded_at, observed_at, cents, payload)
  select row_number() over (order by week, sku), sha256((sku || ' in ' || week)::bytea), sku,
    1 + vendor_ref::int % ${UNITS.length}, week, at - interval '1 hour', at - interval '1 day',
    100 + sku * 48271::bigint % 90001 + week, format('{"name":"Product %s","source":{"id":"%s","name":"%s","region":"ES",'
      '"url":"%s"},"unit":"kg","vendor_ref":"%s"}', vendor_ref, source_id, name, url, vendor_ref)
  from vendor_skus join sources using (source), generate_series(1, ${PRICES_PER_VENDOR}) week,
    lateral (select timestamptz '${AS_OF}' - (${PRICES_PER_VENDOR} - week) * interval '7 days' as at) crawled
  order by week, sku;
  insert into price_points (item_id, market, recorded_at, cents, currency)
  select item_id, '', timestamptz '${AS_OF}' - week * interval '7 days', 100 + seq * 7919 % 90001 + week, 'EUR'
  from items, generate_series(0, ${MEDIANS_PER_ITEM - 1}) week order by week desc, seq;
  insert into checkpoints (projection, topic, partition, next)
  values ('vendor', 'vendor.observations', 0, ${items * VENDORS_PER_ITEM * PRICES_PER_VENDOR})`

/** A prime that does not divide the number of items. */
const STRIDE = 7_919

/** The item side of the projector, without a log. */
export interface Sequencer {
  /** Publishes this many items from all over the catalog, then the mark of their run and its digest. */
  night(night: number, items: number): Promise<void>
  /** Publishes one change in its own transaction; returns the number of changes so far. */
  single(n: number): Promise<number>
}

export function sequencerInto(store: Store, catalogItems: number): Sequencer {
  const apply = itemsInto(store)
  let head = 0
  const versions = new Map<number, number>()
  const changeOf = (n: number, asOf: string) => {
    const version = (versions.get(n) ?? 0) + 1
    versions.set(n, version)
    head += 1
    return itemOf(n, { version, asOf })
  }
  return {
    async night(night, items) {
      const asOf = instant(new Date(Date.UTC(2026, 8, 1 + night, 2)))
      for (let from = 0; from < items; from += BATCH_RECORDS_MAX) {
        const count = Math.min(BATCH_RECORDS_MAX, items - from)
        await apply(Array.from({ length: count }, (_, i) => changeOf(((from + i) * STRIDE) % catalogItems, asOf)))
      }
      await apply([event({ type: 'RunMarked', run_id: `run_${night}`, as_of: asOf, items_published: items })])
      await digestNewestMark(store)
    },
    async single(n) {
      await apply([changeOf((n * STRIDE) % catalogItems, '2026-10-01T02:00:00Z')])
      return head
    },
  }
}

/** Item n; its price follows from its version. */
function itemOf(n: number, { version, asOf }: { version: number; asOf: string }): ItemPublished {
  const id = `ci_${idSuffix(`item ${n}`)}`
  const name = `${PRODUCTS[n % PRODUCTS.length]}, no. ${n}`
  return published({ id, name, version, asOf, cents: 100 + ((n * 2_654_435 + version * 37) % 90_001) })
}
