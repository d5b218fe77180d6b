import { type ApiContext, fromReplica } from '@catalog/api/http/context.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { readCategoriesBelow as readReplicatedCategoriesBelow } from '@catalog/replica/categories.ts'
import { isSource, readCategoriesBelow } from '@catalog/store/catalog/listing.ts'
import type { Store } from '@catalog/store/db.ts'

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
