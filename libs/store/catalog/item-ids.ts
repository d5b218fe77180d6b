import type { Queryable } from '@catalog/store/db.ts'
import { columns, conditions, ITEM, type ItemFilters, type ItemsQuery, parameters, selections } from './listing.ts'

/** Filters as lists have them, for callers that rank items themselves. */
export type ShownFilters = Pick<ItemFilters, 'unit' | 'currency' | 'priceMin' | 'priceMax' | 'sourceId'> &
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

/** In the order by change each filter is read from its own index. */
const questionOf = (filters: ShownFilters): ItemsQuery => ({ ...filters, order: 'seq', limit: 1 })
const idsOf = (rows: readonly { item_id: string }[]) => rows.map(({ item_id }) => item_id)

/** How often each value of a facet occurs among some items; `name` and prices where the facet has them. */
export type FacetRow = Readonly<{
  facet: 'category' | 'kind' | 'unit' | 'currency' | 'source'
  value: string
  name: string | null
  count: number
  priceMin: string | null
  priceMax: string | null
}>

/**
 * The facets of these items, with the prices of a region: each with its most frequent values first, at most `max` values.
 */
export async function readFacets(
  db: Queryable,
  { itemIds, priceRegion, max }: { itemIds: readonly string[]; priceRegion: string | undefined; max: number },
): Promise<readonly FacetRow[]> {
  return db.query<FacetRow>(
    `with found as materialized (
       select i.item_id, i.category_id, i.kind, i.item_json::jsonb->>'unit' as unit,
              case when $2::text is null then i.item_json::jsonb->'median_price' else m.median_json::jsonb end as median
         from items i left join item_markets m on m.item_id = i.item_id and m.region = $2
        where i.item_id = any ($1::text[]) and i.state = 'active'),
     valued as (
       select 'category' as facet, category_id as value, null::bigint as cents from found
       union all select 'kind', kind, null from found
       union all select 'unit', unit, null from found
       union all select 'currency', median->>'currency', (median->>'cents')::bigint from found
       union all
       select 'source', s.source_id, null from (
         select distinct m.source, k.item_id from found f join item_keys k on k.item_id = f.item_id collate "default"
           join memberships m using (item)) sold join sources s using (source)),
     counted as (
       select facet, value, count(*)::int as count, min(cents)::text as "priceMin", max(cents)::text as "priceMax",
              row_number() over (partition by facet order by count(*) desc, value) as place
         from valued where value is not null group by facet, value)
     select facet, value, count, "priceMin", "priceMax",
            case facet when 'category' then (select name from categories where category_id = value)
                       when 'source' then (select name from sources where source_id = value) end as name
       from counted where place <= $3 order by facet, place`,
    [itemIds, priceRegion ?? null, max],
  )
}
