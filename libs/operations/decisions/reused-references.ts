import type { Catalog } from '@catalog/operations/catalog.ts'
import { BadCursor } from '@catalog/operations/naming.ts'
import { type Paging, pageOf } from '@catalog/operations/outcome.ts'
import { reusedReferences } from '@catalog/store/references/reference-uses.ts'

/** References of vendors that came to stand for another article, the last decision first. */
export async function reusedPage({ store }: Pick<Catalog, 'store'>, { after, limit }: Paging) {
  if (after !== undefined && !/^\d{1,18}$/.test(after))
    throw new BadCursor(`--after '${after}': expected a cursor of catalog review reused`)
  const found = await reusedReferences(store, { before: after === undefined ? null : BigInt(after), limit: limit + 1 })
  const { rows, cursor } = pageOf(found, { limit, placeOf: ({ offset }) => String(offset) })
  return { references: rows.map(({ offset: _, ...row }) => row), cursor }
}
