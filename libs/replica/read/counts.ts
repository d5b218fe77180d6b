import type { Tables } from '@catalog/replica/tables.ts'
import { COUNT_BOUNDS, type FacetRow, type ItemCount, type ShownFilters } from '@catalog/store/catalog/item-ids.ts'
import type { ItemsQuery } from '@catalog/store/lists/items-query.ts'
import { conditions, selections, shownPrice, streamOf } from './listing.ts'
import { all, joined, rowsOf, type Sql, sql } from './sql.ts'

/** Counts of lists, as libs/store/catalog/item-ids.ts makes them in PostgreSQL. */

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

/** The facets that a replica knows. */
export const REPLICATED_FACETS = ['category', 'kind', 'unit', 'currency', 'region'] as const
type ReplicatedFacet = (typeof REPLICATED_FACETS)[number]

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
  const values = new Map(REPLICATED_FACETS.map((facet) => [facet, new Map<string, Tally>()]))
  // In SQL, sorting and grouping take three times as long.
  for (const [category, kind, unit, regions, currency, cents] of items) {
    count(values, 'category', category)
    count(values, 'kind', kind)
    count(values, 'unit', unit)
    count(values, 'currency', currency, cents)
    for (const region of JSON.parse(regions) as readonly string[]) count(values, 'region', region)
  }
  const facets = REPLICATED_FACETS.flatMap((facet) =>
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
  values: ReadonlyMap<ReplicatedFacet, Map<string, Tally>>,
  facet: ReplicatedFacet,
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

/** The most frequent values first, equally frequent ones in the order of their bytes, as in PostgreSQL. */
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
  // In the order by name each filter is read from its own index.
  const question: ItemsQuery = { ...filters, order: 'name', limit: 1 }
  const narrow = selections(tables, question).find(
    (selection) => countOf(tables, sql`(${selection} limit ${max + 1})`) <= max,
  )
  if (narrow === undefined) return undefined
  const passes = all([sql`i.item_id in (${narrow})`, ...conditions(tables, question)])
  return sql`items i where ${passes}`
}

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
