import { identifyingKey, type ListItemsQuery } from '@catalog/api/contract/contract.ts'
import type { ReadCatalog } from '@catalog/api/http/catalog-version.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { readCategoriesBelow } from '@catalog/replica/read/categories.ts'
import type { Store } from '@catalog/store/db.ts'
import { itemIdsByKey } from '@catalog/store/search/search-docs.ts'
import { isSource } from '@catalog/store/vendor/sources.ts'

/** The ids of a category and all below it; throws category_not_found. */
export function categoriesBelow(read: ReadCatalog, categoryId: string): readonly string[] {
  const ids = read((tables) => readCategoriesBelow(tables, categoryId))
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
