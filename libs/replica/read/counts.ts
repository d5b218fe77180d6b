import type { Tables } from '@catalog/replica/tables.ts'
import { conditions, selections, shownPrice, streamOf } from './filters.ts'
import type { ItemFilters, ItemsQuery } from './items-query.ts'
import { all, joined, rowsOf, type Sql, sql } from './sql.ts'

/** Counts of lists. */

/** Filters as lists have them, for callers that rank or count items themselves. */
export type ShownFilters = ItemFilters &
  Readonly<{
    /** Prices are those of this region; absent: the headline. */
    priceRegion?: string | undefined
  }>

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

/** How often a value of a facet occurs among some items; `name` and prices where the facet has them. */
export type FacetRow = Readonly<{
  facet: Facet
  value: string
  name: string | null
  count: number
  priceMin: string | null
  priceMax: string | null
}>

/** How many items pass. */
export function countItems(tables: Tables, filters: ShownFilters, bounds = COUNT_BOUNDS): ItemCount {
  const narrow = narrowFrom(tables, filters, bounds.narrowMax)
  if (narrow !== undefined) return { count: countOf(tables, narrow), isExact: true }
  const { source, keys, where, tests } = walkOf(tables, filters)
  // SQLite counts a whole table by its smallest index.
  if (where.text === 'true' && tests.length === 0) return { count: countOf(tables, source), isExact: true }
  const max = tests.length === 0 ? bounds.countedMax : bounds.examinedMax
  const ids =
    tests.length === 0
      ? sql`select 1 from ${source} where ${where} order by ${keys[0] as Sql} limit ${max}`
      : sql`select 1 from ${walkedFrom(tables, filters, max)}`
  return { count: countOf(tables, sql`(${ids})`), isExact: isWhole(tables, filters, max) }
}

const FACETS = ['category', 'kind', 'unit', 'currency', 'region'] as const
type Facet = (typeof FACETS)[number]

/** The facets of the items that pass, or of those among the first by id; each with its most frequent values, at most `max`. */
export function readFacets(
  tables: Tables,
  { filters, max }: { filters: ShownFilters; max: number },
  bounds = COUNT_BOUNDS,
): ItemCount & { readonly facets: readonly FacetRow[] } {
  const narrow = narrowFrom(tables, filters, bounds.narrowMax)
  const price = joined([shownPrice('currency', filters.priceRegion), shownPrice('cents', filters.priceRegion)], ', ')
  const found = sql`select i.category_id, i.kind, i.unit, i.regions, ${price} from ${narrow ?? walkedFrom(tables, filters, bounds.examinedMax)}`
  const items = tables.arrays<CountedItem>(found.text, ...found.values)
  const values = new Map(FACETS.map((facet) => [facet, new Map<string, Tally>()]))
  // In SQL, sorting and grouping take three times as long.
  for (const [category, kind, unit, regions, currency, cents] of items) {
    count(values, 'category', category)
    count(values, 'kind', kind)
    count(values, 'unit', unit)
    count(values, 'currency', currency, cents)
    for (const region of JSON.parse(regions) as readonly string[]) count(values, 'region', region)
  }
  const facets = FACETS.flatMap((facet) =>
    mostFrequent(values.get(facet), max).map(([value, { count, min, max }]) => ({
      facet,
      value,
      name: facet === 'category' ? categoryName(tables, value) : null,
      count,
      priceMin: min === null ? null : String(min),
      priceMax: max === null ? null : String(max),
    })),
  )
  return { count: items.length, isExact: narrow !== undefined || isWhole(tables, filters, bounds.examinedMax), facets }
}

/** The sources of these items, the most frequent first, at most `max`. */
export function readSourceCounts(
  tables: Tables,
  { itemIds, max }: { itemIds: readonly string[]; max: number },
): Pick<FacetRow, 'value' | 'name' | 'count'>[] {
  return tables.all(
    `select k.source_id as value, json_extract(coalesce(s.source_json, max(k.source_json)), '$.name') as name,
       count(distinct m.item_id) as count
       from json_each(?) i join item_skus m on m.item_id = i.value join skus k using (vendor_sku_id)
       left join sources s using (source_id)
      group by k.source_id order by count desc, k.source_id limit ?`,
    JSON.stringify(itemIds),
    max,
  )
}

/** The ids of all items that pass, in no order; 'wide' where each filter alone selects more than `max` items. */
export function readItemIds(tables: Tables, filters: ShownFilters, max: number): readonly string[] | 'wide' {
  const narrow = narrowFrom(tables, filters, max)
  return narrow === undefined ? 'wide' : idsFrom(tables, narrow)
}

/** Those of these items that pass, in no order. */
export function passingItemIds(tables: Tables, filters: ShownFilters, itemIds: readonly string[]): readonly string[] {
  const tests = conditions(tables, inNameOrder(filters))
  const given = sql`i.item_id in (select value from json_each(${JSON.stringify(itemIds)}))`
  return idsFrom(tables, sql`items i where ${all([given, ...tests])}`)
}

const idsFrom = (tables: Tables, from: Sql) =>
  rowsOf<{ item_id: string }>(tables, sql`select i.item_id from ${from}`).map(({ item_id }) => item_id)

type CountedItem = readonly [
  category: string | null,
  kind: string | null,
  unit: string | null,
  regions: string,
  currency: string | null,
  cents: number | null,
]

/** Items with a value, and the range of their prices. */
type Tally = { count: number; min: number | null; max: number | null }

function count(
  values: ReadonlyMap<Facet, Map<string, Tally>>,
  facet: Facet,
  value: string | null,
  cents: number | null = null,
): void {
  if (value === null) return
  const tally = values.get(facet)?.get(value)
  if (tally === undefined) {
    values.get(facet)?.set(value, { count: 1, min: cents, max: cents })
    return
  }
  tally.count++
  if (cents === null) return
  tally.min = Math.min(cents, tally.min ?? cents)
  tally.max = Math.max(cents, tally.max ?? cents)
}

/** The most frequent values first, equally frequent ones in the order of their bytes. */
function mostFrequent(tallies: ReadonlyMap<string, Tally> = new Map(), max: number): [string, Tally][] {
  return [...tallies]
    .sort(([a, { count: ofA }], [b, { count: ofB }]) => ofB - ofA || Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .slice(0, max)
}

function categoryName(tables: Tables, categoryId: string): string | null {
  return tables.get<{ name: string }>('select name from categories where category_id = ?', categoryId)?.name ?? null
}

/** The items i that pass, from a filter that selects few; undefined where none does. */
function narrowFrom(tables: Tables, filters: ShownFilters, max: number): Sql | undefined {
  const question = inNameOrder(filters)
  const narrow = selections(tables, question).find(
    (selection) => countOf(tables, sql`(${selection} limit ${max + 1})`) <= max,
  )
  if (narrow === undefined) return undefined
  const passes = all([sql`i.item_id in (${narrow})`, ...conditions(tables, question)])
  return sql`items i where ${passes}`
}

/** In the order by name each filter is read from its own index. */
const inNameOrder = (filters: ShownFilters): ItemsQuery => ({ ...filters, order: 'name', limit: 1 })

function walkOf(tables: Tables, filters: ShownFilters) {
  const stream = streamOf(tables, { ...filters, order: 'id', limit: 1 })
  return { ...stream, tests: conditions(tables, stream.rest) }
}

/** The items i that pass among the first of the walk by id. */
function walkedFrom(tables: Tables, filters: ShownFilters, max: number): Sql {
  const { from, keys, where, tests } = walkOf(tables, filters)
  return sql`(select i.* from ${from} where ${where} order by ${keys[0] as Sql} limit ${max}) i where ${all(tests)}`
}

function isWhole(tables: Tables, filters: ShownFilters, max: number): boolean {
  const { source, keys, where } = walkOf(tables, filters)
  const beyond = sql`select 1 from ${source} where ${where} order by ${keys[0] as Sql} limit 1 offset ${max}`
  return rowsOf(tables, beyond).length === 0
}

const countOf = (tables: Tables, from: Sql): number =>
  rowsOf<{ count: number }>(tables, sql`select count(*) as count from ${from}`)[0]?.count ?? 0
