import { identifyingKey, type ListItemsQuery } from '@catalog/api/contract/contract.ts'
import { type ApiContext, fromReplica } from '@catalog/api/http/context.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { readCategoriesBelow as readReplicatedCategoriesBelow } from '@catalog/replica/read/categories.ts'
import { isSource, readCategoriesBelow } from '@catalog/store/catalog/listing.ts'
import type { Store } from '@catalog/store/db.ts'
import { itemIdsByKey } from '@catalog/store/search/search-docs.ts'

/** The ids of a category and all below it; throws category_not_found. */
export async function categoriesBelow(
  { store, replica }: Pick<ApiContext, 'store'> & { replica: ApiContext['replica'] | undefined },
  categoryId: string,
): Promise<readonly string[]> {
  const ids = await fromReplica(
    replica,
    (tables) => readReplicatedCategoriesBelow(tables, categoryId),
    () => readCategoriesBelow(store, categoryId),
  )
  if (ids.length === 0) throw new ApiError('category_not_found', `category '${categoryId}' does not exist`)
  return ids
}

/** The id, of a source that exists; throws source_not_found. */
export async function knownSource(store: Store, sourceId: string): Promise<string> {
  if (!(await isSource(store, sourceId))) throw new ApiError('source_not_found', `source '${sourceId}' does not exist`)
  return sourceId
}

/** Items that one code may identify; a reference of many makers has the first by id. */
const IDENTIFIED_MAX = 1_000

/** The ids of the items with the codes of the query; undefined for a query without one. */
export async function identifiedItems(
  store: Store,
  { gtin, manufacturer_ref: manufacturerRef }: Pick<ListItemsQuery, 'gtin' | 'manufacturer_ref'>,
): Promise<readonly string[] | undefined> {
  const keys = [
    ...(gtin === undefined ? [] : [identifyingKey({ gtin })]),
    ...(manufacturerRef === undefined ? [] : [identifyingKey({ manufacturerRef })]),
  ]
  if (keys.length === 0) return undefined
  const found = await Promise.all(
    keys.map((key) => itemIdsByKey(store, { keys: key === undefined ? [] : [key], limit: IDENTIFIED_MAX })),
  )
  return found.reduce((some, others) => some.filter((id) => others.includes(id)))
}
