import { type IndexRow, readIndices } from '@catalog/store/indices/index-points.ts'
import type { Catalog } from './catalog.ts'

/** Indices that one query reads. */
const PAGE_INDICES = 100

/** The one index with this id, code or title. `option` names the option in messages. Throws an error that lists indices otherwise. */
export async function findIndex(
  { store }: Pick<Catalog, 'store'>,
  { option, given }: { option: string; given: string },
): Promise<IndexRow> {
  const all: IndexRow[] = []
  for (let after: string | undefined; ; after = all.at(-1)?.index_id) {
    const page = await readIndices(store, { after, limit: PAGE_INDICES })
    all.push(...page)
    if (page.length < PAGE_INDICES) break
  }
  const found = all.filter(({ index_id, series, title }) => [index_id, series, title].includes(given))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const listed = (found.length > 1 ? found : all)
    .slice(0, LISTED_MAX)
    .map(({ index_id, title }) => `${title} (${index_id})`)
  const wanted = found.length > 1 ? 'an id, because several have that code or title' : 'an id, a code or a title'
  throw new Error(`${option} '${given}': expected ${wanted}: ${listed.join(', ') || 'there are none yet'}`)
}
const LISTED_MAX = 10
