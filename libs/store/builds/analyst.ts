import { literal, type Queryable, type Store, servedSchemaOf } from '@catalog/store/db.ts'
import { COVERS_POINT } from '@catalog/store/vendor/retraction.ts'

/**
 * SQL views for analysts: stable names and meanings over tables that may change. They show the same data as the API,
 * and no key, person or log record.
 */

export type View = Readonly<{
  name: string
  about: string
  /** In order, each with its meaning. */
  columns: readonly (readonly [name: string, about: string])[]
  /** A query over the tables of the store. */
  sql: string
}>

export const VIEWS: readonly View[] = [
  {
    name: 'sources',
    about: 'Who publishes prices',
    columns: [
      ['source_id', 'stable id'],
      ['name', 'as it was registered'],
      ['region', 'where it sells; null: not told'],
      ['url', 'where it publishes'],
      ['kind', 'shop, bid or bank'],
      ['trust', 'weight of its votes, 0 to 100, as decided last'],
      ['validity', 'until_superseded: newer editions and prices end a vote; null: days alone'],
      ['validity_days', 'for how long a price keeps its vote at most'],
    ],
    sql: `select s.source_id, s.name, s.region, s.url, s.kind,
        coalesce((select (d.payload::jsonb->>'trust_score')::int from decisions d
          where d.type = 'TrustChanged' and d.subject = s.source_id order by d.decided_at desc, d."offset" desc limit 1), s.trust_score) as trust,
        s.validity, s.validity_days
      from sources s where s.registered_offset is not null`,
  },
  {
    name: 'skus',
    about: 'What vendors sell, and the item that each is',
    columns: [
      ['vendor_sku_id', 'stable id'],
      ['source_id', 'who sells it'],
      ['vendor_ref', 'its number there'],
      ['item_id', 'the item that it is; null: not matched yet'],
    ],
    sql: `select k.vendor_sku_id, s.source_id, k.vendor_ref, i.item_id
      from vendor_skus k join sources s using (source) left join memberships m using (sku) left join item_keys i using (item)`,
  },
  {
    name: 'observations',
    about: 'Prices as they were seen: one row for each fact, however often it was delivered',
    columns: [
      ['observation_id', 'SHA-256 of the fact, hexadecimal'],
      ['vendor_sku_id', 'what was priced'],
      ['source_id', 'by whom'],
      ['observed_at', 'when the price stood'],
      ['recorded_at', 'when it was first recorded here'],
      ['crawl_id', 'by which crawl'],
      ['cents', 'minor units of the currency, for per_quantity units'],
      ['currency', 'ISO 4217'],
      ['per_quantity', 'how many units the amount is for'],
      ['unit', 'unit of measure as the vendor wrote it'],
      ['pack_quantity', 'what one unit holds; null: not told'],
      ['pack_unit', 'in which unit'],
      ['min_quantity', 'from which quantity the price holds; null: from one'],
      ['tax_included', 'null: not told'],
      ['tax_rate', 'percent; null: not told'],
      ['kind', 'list, net, bid or bank'],
      ['name', 'of the article as the vendor wrote it'],
      ['hidden', 'retracted: it counts for nothing'],
    ],
    sql: `select encode(o.observation_id, 'hex') as observation_id, k.vendor_sku_id, s.source_id, o.observed_at, o.recorded_at,
        c.crawl_id, o.cents, t.currency, t.per_quantity, t.unit, t.pack_quantity, t.pack_unit, t.min_quantity, t.tax_included,
        t.tax_rate, t.kind, o.payload::jsonb->>'name' as name, h.observation is not null as hidden
      from observations o join vendor_skus k using (sku) join sources s using (source) join price_terms t using (terms)
      join crawls c using (crawl) left join HIDDEN() h using (observation)`,
  },
  {
    name: 'index_points',
    about: 'Official price indices, which are no prices: one row for each value that a publisher stated for a period',
    columns: [
      ['index_id', 'stable id'],
      ['source_id', 'the publisher'],
      ['series', 'its code of the series'],
      ['title', 'of the series'],
      ['region', 'a country, a subdivision, EU or LATAM; null: none'],
      ['base', 'the base as its publisher writes it'],
      ['frequency', 'month, quarter or year'],
      ['period', 'such as 2026-09, 2026-Q3 or 2026'],
      ['value', 'exact decimal'],
      ['observed_at', 'when it was stated, or read; of a period the latest holds'],
      ['hidden', 'retracted: it counts for nothing'],
    ],
    sql: `select index_id, source_id, series, title, region, base, frequency, period, value::numeric as value, observed_at,
        exists (select from retractions t where ${COVERS_POINT}) as hidden from index_points p`,
  },
  {
    name: 'items',
    about: 'The catalog as it is served: one row for each canonical item',
    columns: [
      ['item_id', 'stable id'],
      ['name', 'as shown'],
      ['unit', 'what the price buys'],
      ['category_id', 'of the category tree'],
      ['kind', 'material, labour, machinery, hire or work; null: the texts do not say'],
      ['cpv', 'code of the Common Procurement Vocabulary, where a source gave one'],
      ['regions', 'where it is sold'],
      ['currency', 'of the headline median'],
      ['median_cents', 'trust-weighted median, minor units; null: no price is eligible'],
      ['vendor_count', 'vendors with a vote'],
      ['observation_count', 'observations behind it'],
      ['p25_cents', 'weighted quartile of the votes'],
      ['p75_cents', 'weighted quartile of the votes'],
      ['method_version', 'by which the median was taken'],
      ['run_id', 'that published it last'],
      ['as_of', 'the instant of that run'],
      ['updated_at', 'when what readers see changed last'],
      ['version', 'rises by one with every event of the item'],
      ['seq', 'number of the change that shows it'],
    ],
    sql: `select i.item_id, i.name, j->>'unit' as unit, i.category_id, i.kind, j->>'cpv' as cpv,
        (select coalesce(array_agg(r.region order by r.region), '{}') from item_regions r where r.item_id = i.item_id) as regions,
        j->'median_price'->>'currency' as currency, (j->'median_price'->>'cents')::bigint as median_cents,
        (j->>'vendor_count')::int as vendor_count, (j->>'observation_count')::bigint as observation_count,
        (b->>'p25')::bigint as p25_cents, (b->>'p75')::bigint as p75_cents, b->>'method_version' as method_version,
        i.run_id, i.as_of, (j->>'updated_at')::timestamptz as updated_at, i.version, i.seq
      from items i, lateral (select i.item_json::jsonb as j, i.basis::jsonb as b) parsed where i.state = 'active'`,
  },
  {
    name: 'item_names',
    about: 'The names by which vendors call an item; the first of a language is the one that most trust uses',
    columns: [
      ['item_id', 'the item'],
      ['place', 'its place among the names of the item, from 1'],
      ['lang', 'ISO 639-1; null: nothing tells it'],
      ['name', 'as a vendor writes it'],
      ['regions', 'the markets in which most trust uses it'],
      ['minor_regions', 'the markets in which most trust of its language uses it, and most of all another name'],
    ],
    sql: `select i.item_id, n.place, said->>'lang' as lang, said->>'name' as name,
        array(select jsonb_array_elements_text(said->'regions')) as regions,
        array(select jsonb_array_elements_text(coalesce(said->'minor_regions', '[]'))) as minor_regions
      from items i cross join lateral jsonb_array_elements(i.public_state::jsonb->'names') with ordinality n (said, place)
      where i.state = 'active'`,
  },
  {
    name: 'medians',
    about: 'The median of each item in each region, in the currency of the region',
    columns: [
      ['item_id', 'the item'],
      ['region', 'the market'],
      ['currency', 'ISO 4217; null: no price there'],
      ['median_cents', 'minor units; null: no price there'],
    ],
    sql: `select m.item_id, m.region, m.median_json::jsonb->>'currency' as currency,
        (m.median_json::jsonb->>'cents')::bigint as median_cents
      from item_markets m join items i using (item_id) where i.state = 'active'`,
  },
  {
    name: 'votes',
    about: 'What the present median of an item rests on: one row for each vote',
    columns: [
      ['item_id', 'the item'],
      ['vendor_sku_id', 'whose price'],
      ['source_id', 'by whom'],
      ['observation_id', 'the fact'],
      ['observed_at', 'when it stood'],
      ['price', 'minor units per unit of the item, net of tax, rounded to ten decimals'],
      ['price_fraction', 'the same exactly, as n/d'],
      ['currency', 'ISO 4217'],
      ['trust', 'weight of the vote'],
      ['markets', 'regions in which it votes'],
    ],
    sql: `select i.item_id, v->>'vendor_sku_id' as vendor_sku_id, v->>'source_id' as source_id,
        v->>'observation_id' as observation_id, (v->>'observed_at')::timestamptz as observed_at,
        round(split_part(v->>'price', '/', 1)::numeric / coalesce(nullif(split_part(v->>'price', '/', 2), ''), '1')::numeric, 10)
          as price,
        v->>'price' as price_fraction, v->>'currency' as currency, (v->>'trust')::int as trust,
        array(select jsonb_array_elements_text(v->'markets')) as markets
      from items i, lateral jsonb_array_elements(i.basis::jsonb->'votes') v where i.state = 'active'`,
  },
  {
    name: 'excluded',
    about: 'What was looked at for the present median and has no vote, and why',
    columns: [
      ['item_id', 'the item'],
      ['id', 'an observation or a vendor SKU'],
      ['reason', 'one word; catalog explain says it in a sentence'],
    ],
    sql: `select i.item_id, e->>'id' as id, e->>'reason' as reason
      from items i, lateral jsonb_array_elements(i.basis::jsonb->'excluded') e where i.state = 'active'`,
  },
  {
    name: 'history',
    about: 'Where a median changed',
    columns: [
      ['item_id', 'the item'],
      ['region', 'the market; null: the headline'],
      ['recorded_at', 'from then on'],
      ['currency', 'ISO 4217; null with median_cents'],
      ['median_cents', 'minor units; null: from then on there was no price'],
    ],
    sql: `select item_id, nullif(market, '') as region, recorded_at, currency, cents as median_cents from price_points`,
  },
  {
    name: 'changes',
    about: 'The feed of all items: gapless, never rewritten',
    columns: [
      ['seq', 'rises by one with every change'],
      ['item_id', 'the item'],
      ['op', 'upsert or delete'],
      ['version', 'of the item with it'],
      ['updated_at', 'strictly rising with seq'],
      ['merged_into', 'the survivor, where it ended by a merge'],
    ],
    sql: `select seq, item_id, op, version, timestamptz 'epoch' + updated_us * interval '1 microsecond' as updated_at, merged_into
      from changes`,
  },
  {
    name: 'runs',
    about: 'Aggregation runs that ended',
    columns: [
      ['run_id', 'stable id'],
      ['as_of', 'the instant whose facts it saw'],
      ['items_published', 'how many items it changed'],
      ['seq', 'number of its last change'],
    ],
    sql: `select run_id, as_of, items_published, seq from run_marks`,
  },
]

/** The schema of the views for a store's schema; `analyst` for the product's own. */
export const viewSchemaOf = (schema: string): string => (schema === 'catalog' ? 'analyst' : `${schema}_analyst`)

/** Creates or updates the views of this code version in one transaction: readers see the former views meanwhile. */
export async function createViews(store: Store): Promise<void> {
  const { schema } = store
  const views = viewSchemaOf(schema)
  await store.transaction(async (tx) => {
    // Without the lock, two processes would both find no views.
    await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [views])
    await tx.query(`create schema if not exists ${views}`)
    // Views read retractions through this function, because their readers have no rights on the tables.
    await tx.query(`create or replace function ${views}.hidden_observations() returns table (observation bigint)
      language sql stable security definer set search_path = ${servedSchemaOf(schema)}, ${schema} as 'select observation from hidden_observations(''{}'')'`)
    for (const view of VIEWS) {
      await tx.query('savepoint one')
      await tx.query(viewSql(schema, view)).catch(async (error: { code?: string }) => {
        // "create or replace" refuses a view whose columns changed.
        if (error.code !== OTHER_COLUMNS) throw error
        await tx.query('rollback to savepoint one')
        await tx.query(`drop view ${views}.${view.name}`)
        await tx.query(viewSql(schema, view))
      })
      await tx.query(`comment on view ${views}.${view.name} is ${literal(view.about)}`)
      for (const [column, meaning] of view.columns) {
        await tx.query(`comment on column ${views}.${view.name}.${column} is ${literal(meaning)}`)
      }
    }
  })
}
const OTHER_COLUMNS = '42P16'

/** Points existing views at the tables that are served now: a view stays bound to the tables of its creation. */
export async function repointViews(tx: Queryable, schema: string): Promise<void> {
  const existing = await tx.query<{ name: string }>(`select viewname as name from pg_views where schemaname = $1`, [
    viewSchemaOf(schema),
  ])
  const names = new Set(existing.map(({ name }) => name))
  for (const view of VIEWS.filter(({ name }) => names.has(name))) await tx.query(viewSql(schema, view))
}

function viewSql(schema: string, { name, columns, sql }: View): string {
  const views = viewSchemaOf(schema)
  const body = sql.replace('HIDDEN()', `${views}.hidden_observations()`)
  return `create or replace view ${views}.${name} as select ${columns.map(([name]) => name).join(', ')} from (${body}) shown`
}

/**
 * Creates a role that may only read the views, unless it exists. The role cannot sign in; grant it to somebody. Throws
 * on a name that would need quotes.
 */
export async function grantViews(store: Store, role: string): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(role)) throw new Error(`role '${role}': expected [a-z_][a-z0-9_]*`)
  const views = viewSchemaOf(store.schema)
  const [known] = await store.query(`select from pg_roles where rolname = $1`, [role])
  if (known === undefined) await store.query(`create role ${role} nologin`)
  for (const statement of [
    `alter role ${role} set search_path = ${views}`,
    `alter role ${role} set default_transaction_read_only = on`,
    ...grantsOf(views, role),
  ]) {
    await store.query(statement)
  }
}

/** Statements that let a role read the views, and nothing else. */
export const grantsOf = (views: string, role: string): readonly string[] => [
  `grant usage on schema ${views} to ${role}`,
  `revoke all on function ${views}.hidden_observations() from public`,
  `grant execute on function ${views}.hidden_observations() to ${role}`,
  `grant select on all tables in schema ${views} to ${role}`,
  // Also covers views that are created anew because their columns changed.
  `alter default privileges in schema ${views} grant select on tables to ${role}`,
]
