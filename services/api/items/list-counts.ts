import type { ListFacets, ListItemsQuery } from '@catalog/api/contract/contract.ts'
import { countItems, type FacetRow, readFacets } from '@catalog/replica/read/counts.ts'
import type { ItemsQuery } from '@catalog/replica/read/items-query.ts'
import type { Tables } from '@catalog/replica/tables.ts'

type FacetValues = Pick<ListFacets, 'categories' | 'kinds' | 'units' | 'currencies'>
type Counts = Readonly<{ total?: { count: number; exact: boolean }; facets?: ListFacets }>

/** Values of a facet. */
export const FACET_VALUES_MAX = 20

/** What the caller asked to be counted: all items that the filters select, and what they have in common. */
export function countsOf(
  tables: Tables,
  { query, filters: question }: { query: Pick<ListItemsQuery, 'include'>; filters: ItemsQuery },
): Counts {
  const { order: _o, after: _a, limit: _l, isNamed: _n, ...filters } = question
  const total = query.include?.includes('total') && countItems(tables, filters)
  const facets = query.include?.includes('facets') && readFacets(tables, { filters, max: FACET_VALUES_MAX })
  return {
    ...(total && { total: { count: total.count, exact: total.isExact } }),
    ...(facets && { facets: facetsJson(facets) }),
  }
}

function facetsJson({ count, isExact, facets }: ReturnType<typeof readFacets>): ListFacets {
  const regions = facets.filter(({ facet }) => facet === 'region')
  return {
    count,
    exact: isExact,
    ...facetValues(facets),
    regions: regions.map(({ value, count }) => ({ region: value, count })),
  }
}

/** The facets that lists and searches share. */
export function facetValues(rows: readonly FacetRow[]): FacetValues {
  const of = (facet: FacetRow['facet']) => rows.filter((row) => row.facet === facet)
  return {
    categories: of('category').map(({ value, name, count }) => ({ id: value, name: name ?? value, count })),
    kinds: of('kind').map(({ value, count }) => ({ kind: value, count })),
    units: of('unit').map(({ value, count }) => ({ unit: value, count })),
    currencies: of('currency').map(({ value, count, priceMin, priceMax }) => ({
      currency: value,
      count,
      price_min: Number(priceMin),
      price_max: Number(priceMax),
    })),
  }
}
