import type { Queryable } from '@catalog/store/db.ts'
import { columns, conditions, ITEM, type Parameter, parameters, selections } from '@catalog/store/lists/filters.ts'
import type { ItemFilters, ItemsQuery } from '@catalog/store/lists/items-query.ts'
import { streamOf } from './listing.ts'

/** Filters as lists have them, for callers that rank items themselves. */
export type ShownFilters = ItemFilters &
  Readonly<{
    /** Prices are those of this region; absent: the headline. */
    priceRegion?: string | undefined
  }>

/** The ids of all active items that pass, in no order; 'wide' where each filter alone selects more than `max` items. */
export async function readItemIds(
  db: Queryable,
  filters: ShownFilters,
  max: number,
): Promise<readonly string[] | 'wide'> {
  for (const selection of selections(questionOf(filters))) {
    const { values, $ } = parameters()
    const rows = await db.query<{ item_id: string }>(
      `select item_id from (${selection($, max + 1)}) s limit ${max + 1}`,
      values,
    )
    if (rows.length <= max) return passingItemIds(db, filters, idsOf(rows))
  }
  return 'wide'
}

/** Those of these items that are active and pass, in no order. */
export async function passingItemIds(
  db: Queryable,
  filters: ShownFilters,
  itemIds: readonly string[],
): Promise<readonly string[]> {
  const question = questionOf(filters)
  const { values, $ } = parameters()
  const rows = await db.query<{ item_id: string }>(
    `select item_id
       from (select ${columns(question, $)} from unnest(${$(itemIds)}::text[]) s (item_id)
              cross join lateral (${ITEM('s.item_id')}) i offset 0) i
      where ${[`state = 'active'`, ...conditions(question, $)].join(' and ')}`,
    values,
  )
  return idsOf(rows)
}

/** In the order by name each filter is read from its own index. */
const questionOf = (filters: ShownFilters): ItemsQuery => ({ ...filters, order: 'name', limit: 1 })
const idsOf = (rows: readonly { item_id: string }[]) => rows.map(({ item_id }) => item_id)

/** Items that pass; at least so many where the count is not exact. */
export type ItemCount = Readonly<{ count: number; isExact: boolean }>

/** Cost limits of a count. */
export const COUNT_BOUNDS = {
  /** As for pages: what a filter selects is counted exactly up to so many items. */
  narrowMax: 2_000,
  /** Without a narrow filter, only so many items are tested, in the order of their ids, which is no order of their kind. */
  examinedMax: 10_000,
  /** Items that one index holds, and nothing tests. */
  countedMax: 100_000,
}

/** How many active items pass. */
export async function countItems(db: Queryable, filters: ShownFilters, bounds = COUNT_BOUNDS): Promise<ItemCount> {
  const narrow = await readItemIds(db, filters, bounds.narrowMax)
  if (narrow !== 'wide') return { count: narrow.length, isExact: true }
  const { values, $ } = parameters()
  if (isUnfiltered(filters)) {
    const [row] = await db.query<{ count: number }>(`select count(*)::int as count from items where state = 'active'`)
    return { count: row?.count ?? 0, isExact: true }
  }
  const max = isTested(filters) ? bounds.examinedMax : bounds.countedMax
  const [row] = await db.query<{ count: number; isExact: boolean }>(
    `select (select count(*)::int from (${walkedIds(filters, $, max)}) f) as count,
            not exists (${beyondWalk(filters, $, max)}) as "isExact"`,
    values,
  )
  return row as ItemCount
}

/** The ids of items that pass, for facets: of all, or of those among the first by id. */
export async function countedIds(
  db: Queryable,
  filters: ShownFilters,
  bounds = COUNT_BOUNDS,
): Promise<{ itemIds: readonly string[]; isExact: boolean }> {
  const narrow = await readItemIds(db, filters, bounds.narrowMax)
  if (narrow !== 'wide') return { itemIds: narrow, isExact: true }
  const { values, $ } = parameters()
  const rows = await db.query<{ item_id: string | null }>(
    `(${walkedIds(filters, $, bounds.examinedMax)}) union all (select null where exists (${beyondWalk(filters, $, bounds.examinedMax)}))`,
    values,
  )
  const itemIds = rows.flatMap(({ item_id }) => item_id ?? [])
  return { itemIds, isExact: itemIds.length === rows.length }
}

const inIdOrder = (filters: ShownFilters): ItemsQuery => ({ ...filters, order: 'id', limit: 1 })

function isUnfiltered(filters: ShownFilters): boolean {
  return !isTested(filters) && streamOf(inIdOrder(filters), parameters().$).where === 'true'
}

/** Whether the stream leaves filters to test. */
function isTested(filters: ShownFilters): boolean {
  const { $ } = parameters()
  return conditions(streamOf(inIdOrder(filters), $).rest, $).length > 0
}

function walkedIds(filters: ShownFilters, $: Parameter, max: number): string {
  const { table, item, where, orderBy, rest } = streamOf(inIdOrder(filters), $)
  const passes = [`state = 'active'`, ...conditions(rest, $)].join(' and ')
  return `select item_id from (
    select ${columns(rest, $)} from ${table} ${item} where ${where} order by ${orderBy} limit ${max}) i where ${passes}`
}

function beyondWalk(filters: ShownFilters, $: Parameter, max: number): string {
  const { table, where, orderBy } = streamOf(inIdOrder(filters), $)
  return `select from ${table} where ${where} order by ${orderBy} limit 1 offset ${max}`
}

/** How often each value of a facet occurs among some items; `name` and prices where the facet has them. */
export type FacetRow = Readonly<{
  facet: Facet
  value: string
  name: string | null
  count: number
  priceMin: string | null
  priceMax: string | null
}>

export type Facet = 'category' | 'kind' | 'unit' | 'currency' | 'region' | 'source'

/** The values of each facet among the items `found`. */
const FACETS: Readonly<Record<Facet, string>> = {
  category: `select 'category' as facet, category_id as value, null::bigint as cents from found`,
  kind: `select 'kind' as facet, kind as value, null::bigint as cents from found`,
  unit: `select 'unit' as facet, unit as value, null::bigint as cents from found`,
  currency: `select 'currency' as facet, median->>'currency' as value, (median->>'cents')::bigint as cents from found`,
  region: `select 'region' as facet, region as value, null::bigint as cents from found join item_regions using (item_id)`,
  source: `select 'source' as facet, s.source_id as value, null::bigint as cents from (
    select distinct m.source, k.item_id from found f join item_keys k on k.item_id = f.item_id collate "default"
      join memberships m using (item)) sold join sources s using (source)`,
}

/**
 * Some facets of these items, with the prices of a region: each with its most frequent values first, at most `max` values.
 */
export async function readFacets(
  db: Queryable,
  {
    facets,
    itemIds,
    priceRegion,
    max,
  }: { facets: readonly Facet[]; itemIds: readonly string[]; priceRegion: string | undefined; max: number },
): Promise<readonly FacetRow[]> {
  return db.query<FacetRow>(
    `with found as materialized (
       select i.item_id, i.category_id, i.kind, i.item_json::jsonb->>'unit' as unit,
              case when $2::text is null then i.item_json::jsonb->'median_price' else m.median_json::jsonb end as median
         from items i left join item_markets m on m.item_id = i.item_id and m.region = $2
        where i.item_id = any ($1::text[]) and i.state = 'active'),
     valued as (${facets.map((facet) => FACETS[facet]).join(' union all ')}),
     counted as (
       select facet, value, count(*)::int as count, min(cents)::text as "priceMin", max(cents)::text as "priceMax",
              row_number() over (partition by facet order by count(*) desc, value collate "C") as place
         from valued where value is not null group by facet, value)
     select facet, value, count, "priceMin", "priceMax",
            case facet when 'category' then (select name from categories where category_id = value)
                       when 'source' then (select name from sources where source_id = value) end as name
       from counted where place <= $3 order by place`,
    [itemIds, priceRegion ?? null, max],
  )
}

/** An active item with the instant of its last change. */
export type ChangedItem = Readonly<{ item_id: string; updated_at: string }>

/** The active items whose id begins with a text, at most `max` of them, in id order. */
export async function readItemsByPrefix(
  db: Queryable,
  { prefix, max }: { prefix: string; max: number },
): Promise<readonly ChangedItem[]> {
  return db.query<ChangedItem>(
    `select item_id, item_json::jsonb->>'updated_at' as updated_at from items
      where state = 'active' and item_id >= $1 and item_id < $1 || '~'
      order by item_id limit $2`,
    [prefix, max],
  )
}
