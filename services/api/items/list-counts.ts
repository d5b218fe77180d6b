import type { ListFacets, ListItemsQuery } from '@catalog/api/contract/contract.ts'
import { type ApiContext, fromReplica } from '@catalog/api/http/context.ts'
import {
  countItems as countReplicated,
  REPLICATED_FACETS,
  readFacets as readReplicatedFacets,
} from '@catalog/replica/read/counts.ts'
import {
  countedIds,
  countItems,
  type FacetRow,
  type ItemCount,
  readFacets,
  type ShownFilters,
} from '@catalog/store/catalog/item-ids.ts'
import type { Store } from '@catalog/store/db.ts'
import type { ItemsQuery } from '@catalog/store/lists/items-query.ts'

type FacetValues = Pick<ListFacets, 'categories' | 'kinds' | 'units' | 'currencies'>
type Counts = Readonly<{ total?: { count: number; exact: boolean }; facets?: ListFacets }>

/** Values of a facet. */
export const FACET_VALUES_MAX = 20

/** What the caller asked to be counted: all items that the filters select, and what they have in common. */
export async function countsOf(
  { store, replica }: Pick<ApiContext, 'store' | 'replica'>,
  { query, filters: question }: { query: Pick<ListItemsQuery, 'total' | 'facets'>; filters: ItemsQuery },
): Promise<Counts> {
  const { order: _o, after: _a, limit: _l, isNamed: _n, ...filters } = question
  const counted = filters.sourceId === undefined ? replica : undefined
  const total =
    query.total &&
    (await fromReplica(
      counted,
      (tables) => countReplicated(tables, filters),
      () => countItems(store, filters),
    ))
  const facets =
    query.facets &&
    (await fromReplica(
      counted,
      (tables) => readReplicatedFacets(tables, { filters, max: FACET_VALUES_MAX }),
      () => storedFacets(store, filters),
    ))
  return {
    ...(total && { total: { count: total.count, exact: total.isExact } }),
    ...(facets && { facets: facetsJson(facets) }),
  }
}

type CountedFacets = ItemCount & Readonly<{ facets: readonly FacetRow[] }>

async function storedFacets(store: Store, filters: ShownFilters): Promise<CountedFacets> {
  const { itemIds, isExact } = await countedIds(store, filters)
  const facets = await readFacets(store, {
    facets: REPLICATED_FACETS,
    itemIds,
    priceRegion: filters.priceRegion,
    max: FACET_VALUES_MAX,
  })
  return { count: itemIds.length, isExact, facets }
}

function facetsJson({ count, isExact, facets }: CountedFacets): ListFacets {
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
