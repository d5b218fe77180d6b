import { fold, TRUST_DEFAULT } from '@catalog/core/events.ts'
import type { Queryable } from './db.ts'

/**
 * What readers ask of the read models: one function per question, one statement each. Items come as the exact JSON text
 * that the projector stored, so that an answer is joined from bytes and never serialised again.
 */

/**
 * Where the catalog stands. `seq` is the newest change; `checkpoints` differs whenever anything that an item's detail
 * shows may differ; `gen` changes when the numbers begin anew.
 */
export type Head = Readonly<{ gen: string; seq: bigint; checkpoints: string }>

export async function readHead(db: Queryable): Promise<Head> {
  const [row] = await db.query<Head>(
    `select coalesce((select value from meta where key = 'gen'), '') as gen,
            coalesce((select rseq from scope_heads where scope = 'items'), 0) as seq,
            (select coalesce(string_agg(concat_ws('/', projection, topic, partition, next), ' '
                                        order by projection, topic, partition), '')
               from checkpoints where projection in ('items', 'vendor')) as checkpoints`,
  )
  return row as Head
}

/** The secret that signs cursors, hex; made by migrate(). */
export async function readCursorSecret(db: Queryable): Promise<string> {
  const [row] = await db.query<{ value: string }>(`select value from meta where key = 'cursor_secret'`)
  if (row === undefined) throw new Error(`meta has no 'cursor_secret': expected a schema made by migrate()`)
  return row.value
}

/** `median_json` is the median of the asked price region, null without one or without a vote there. */
export type ItemRow = Readonly<{ item_id: string; seq: bigint; item_json: string; median_json: string | null }>

export type ItemsQuestion = Readonly<{
  /** Ascending by id, which publications cannot move, or by the change that an item shows. */
  order: 'id' | 'seq'
  /** Only items after this one, exclusive; undefined for the beginning. */
  after: string | undefined
  limit: number
  region: string | undefined
  /** Every word of it must stand in the folded name. */
  q: string | undefined
  priceRegion: string | undefined
}>

/** Active items, at most `limit`. */
export async function readItems(db: Queryable, question: ItemsQuestion): Promise<ItemRow[]> {
  const parameters: unknown[] = []
  const parameter = (value: unknown) => `$${parameters.push(value)}`
  const conditions = [`i.state = 'active'`]
  let from = 'items i'
  let key = question.order === 'id' ? 'i.item_id' : 'i.seq'
  if (question.region !== undefined) {
    from = 'item_regions r join items i on i.item_id = r.item_id'
    conditions.push(`r.region = ${parameter(question.region)}`)
    // The primary key (region, item_id) is then read in order, from the cursor on.
    if (question.order === 'id') key = 'r.item_id'
  }
  if (question.after !== undefined) conditions.push(`${key} > ${parameter(question.after)}`)
  if (question.q !== undefined)
    conditions.push(`i.folded_name like all (${parameter(wordPatterns(question.q))}::text[])`)
  const median =
    question.priceRegion === undefined
      ? 'null'
      : `(select m.median_json from item_markets m where m.item_id = i.item_id and m.region = ${parameter(question.priceRegion)})`
  return await db.query<ItemRow>(
    `select i.item_id, i.seq, i.item_json, ${median} as median_json
       from ${from} where ${conditions.join(' and ')}
      order by ${key} limit ${parameter(question.limit)}`,
    parameters,
  )
}

/** One LIKE pattern per folded word. U+0000, which Postgres cannot take and no name holds, becomes another such letter. */
function wordPatterns(q: string): string[] {
  const words = fold(q.replaceAll('\0', '\uffff')).split(' ')
  return words.filter((word) => word !== '').map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}

/** Those of the items that are active, in no particular order. */
export async function readItemsById(
  db: Queryable,
  { itemIds, priceRegion }: { itemIds: readonly string[]; priceRegion: string | undefined },
): Promise<ItemRow[]> {
  return await db.query<ItemRow>(
    `select i.item_id, i.seq, i.item_json, m.median_json
       from items i left join item_markets m on m.item_id = i.item_id and m.region = $2
      where i.item_id = any ($1::text[]) and i.state = 'active'`,
    [itemIds, priceRegion ?? null],
  )
}

/** An item merged into another that was merged into another ...: longer chains are taken for a cycle. */
const MERGE_HOPS_MAX = 64

export type ItemDetailRow = ItemRow & Readonly<{ vendor_sku_ids: readonly string[] }>

/** The item, or the survivor of its merges; undefined when it never was, or is gone. */
export async function readItem(
  db: Queryable,
  { itemId, priceRegion }: { itemId: string; priceRegion: string | undefined },
): Promise<ItemDetailRow | undefined> {
  const [row] = await db.query<ItemDetailRow>(
    `with recursive chain as (
       select item_id, state, merged_into, 0 as hops from items where item_id = $1
       union all
       select i.item_id, i.state, i.merged_into, c.hops + 1
         from chain c join items i on i.item_id = c.merged_into collate "C"
        where c.state = 'merged' and c.hops < ${MERGE_HOPS_MAX}
     )
     select i.item_id, i.seq, i.item_json, i.vendor_sku_ids, m.median_json
       from chain c
       join items i on i.item_id = c.item_id
       left join item_markets m on m.item_id = i.item_id and m.region = $2
      where c.state = 'active'`,
    [itemId, priceRegion ?? null],
  )
  return row
}

export type SeenPrice = Readonly<{
  vendor_sku_id: string
  source_name: string
  source_region: string | null
  source_url: string | null
  trust_score: number
  observation_id: string
  cents: bigint
  currency: string
  per_quantity: bigint
  min_quantity: string | null
  tax_included: boolean | null
  tax_rate: string | null
  unit: string | null
  observed_at: string
}>

/**
 * Whether observation o of source s is unretracted. The law is hidden_observations() in 0001.sql, which finds all hidden
 * ones at once; asked here of the few observations of one item, so that a large retraction costs a reader nothing.
 */
const UNRETRACTED = `
  not exists (select from retractions t where t.scope = 'observation' and t.observation_id = o.observation_id)
  and exists (
    select from deliveries d join crawls c on c.crawl = d.crawl
     where d.observation = o.observation
       and not exists (
         select from retractions t
          where t.source_id = s.source_id
            and ((t.scope = 'crawl' and t.crawl_id = c.crawl_id)
              or (t.scope = 'source' and t.recorded_at >= d.recorded_at))))`

/**
 * All unretracted observations of each SKU at its latest instant that has any, whatever their verdicts, with the source
 * as it is known and trusted now; by SKU in the order asked, then by observation id.
 */
export async function readLatestPrices(db: Queryable, vendorSkuIds: readonly string[]): Promise<SeenPrice[]> {
  return await db.query<SeenPrice>(
    `select k.vendor_sku_id,
            case when s.registered_offset is null then o.payload::jsonb->'source'->>'name' else s.name end as source_name,
            case when s.registered_offset is null then o.payload::jsonb->'source'->>'region' else s.region end as source_region,
            case when s.registered_offset is null then o.payload::jsonb->'source'->>'url' else s.url end as source_url,
            coalesce((select (t.payload::jsonb->>'trust_score')::int from decisions t
                       where t.type = 'TrustChanged' and t.subject = s.source_id
                       order by t.decided_at desc, t."offset" desc limit 1),
                     s.trust_score, ${TRUST_DEFAULT}) as trust_score,
            encode(o.observation_id, 'hex') as observation_id, o.cents, p.currency, p.per_quantity,
            p.min_quantity::text as min_quantity, p.tax_included, p.tax_rate::text as tax_rate, p.unit, o.observed_at
       from unnest($1::text[]) with ordinality as asked (vendor_sku_id, place)
       join vendor_skus k on k.vendor_sku_id = asked.vendor_sku_id
       join sources s on s.source = k.source
      cross join lateral (
        select o.observed_at from observations o
         where o.sku = k.sku and ${UNRETRACTED}
         order by o.observed_at desc limit 1) latest
       join observations o on o.sku = k.sku and o.observed_at = latest.observed_at and ${UNRETRACTED}
       join price_terms p using (terms)
      order by asked.place, o.observation_id`,
    [vendorSkuIds],
  )
}

export type PricePoint = Readonly<{ recorded_at: string; cents: bigint; currency: string }>

/**
 * The prices of one market ('' is the headline) over the days up to the `as_of` of the last finished run: the value in
 * force at their edge, dated at the edge, then each change. Gaps are left out; empty while no run has finished.
 */
export async function readPriceHistory(
  db: Queryable,
  { itemId, market, days }: { itemId: string; market: string; days: number },
): Promise<PricePoint[]> {
  return await db.query<PricePoint>(
    `with span as (
       select as_of as until, as_of - make_interval(hours => 24 * $3::int) as edge
         from run_marks order by "offset" desc limit 1
     ), in_force as (
       select span.edge as recorded_at, p.cents, p.currency
         from span join price_points p on p.item_id = $1 and p.market = $2 and p.recorded_at <= span.edge
        order by p.recorded_at desc limit 1
     ), within as (
       select p.recorded_at, p.cents, p.currency
         from span join price_points p
           on p.item_id = $1 and p.market = $2 and p.recorded_at > span.edge and p.recorded_at <= span.until
     )
     select * from (select * from in_force union all select * from within) point
      where cents is not null order by recorded_at`,
    [itemId, market, days],
  )
}

export type CategoryRow = Readonly<{ category_id: string; parent_id: string | null; name: string; item_count: bigint }>

/** Categories with the number of active items in them and below them. */
const countedCategories = (chosen: string) => `
  with recursive chosen as (${chosen}),
  below as (
    select category_id as top, category_id from chosen
    union all
    select b.top, c.category_id from below b join categories c on c.parent_id = b.category_id collate "default"
  )
  select c.category_id, c.parent_id, c.name,
         (select count(*) from below b join items i on i.category_id = b.category_id collate "default"
           where b.top = c.category_id and i.state = 'active') as item_count
    from chosen c order by c.category_id`

/** The children of a category (null: the roots), ascending by id. */
export async function readCategories(
  db: Queryable,
  { parentId, after, limit }: { parentId: string | null; after: string | undefined; limit: number },
): Promise<CategoryRow[]> {
  return await db.query<CategoryRow>(
    countedCategories(
      `select * from categories
        where ${parentId === null ? 'parent_id is null and $1::text is null' : 'parent_id = $1'} and category_id > $2
        order by category_id limit $3`,
    ),
    [parentId, after ?? '', limit],
  )
}

export async function readCategory(db: Queryable, categoryId: string): Promise<CategoryRow | undefined> {
  const [row] = await db.query<CategoryRow>(countedCategories(`select * from categories where category_id = $1`), [
    categoryId,
  ])
  return row
}

export type ChangeRow = Readonly<{
  item_id: string
  op: 'upsert' | 'delete' | 'leave'
  updated_us: bigint
  /** Canonical JSON of the public state; null for a delete. */
  state: string | null
}>

/** The newest changes of a scope ('items' or 'region/XX'), newest first. */
export async function readNewestChanges(
  db: Queryable,
  { scope, limit }: { scope: string; limit: number },
): Promise<ChangeRow[]> {
  return await db.query<ChangeRow>(
    `select c.item_id, s.op, c.updated_us, c.state
       from change_scopes s join changes c on c.seq = s.seq
      where s.scope = $1 order by s.rseq desc limit $2`,
    [scope, limit],
  )
}
