import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type IndexRow, readIndices } from '@catalog/store/indices/index-points.ts'

/** Indices that one query reads. */
const PAGE_INDICES = 100

/** `catalog indices list`: the official price indices of the catalog, with their last point. */
export async function listIndices(
  { store }: Pick<Catalog, 'store'>,
  terminal: Terminal,
  { region, after, limit }: { region: string | undefined; after: string | undefined; limit: number },
): Promise<void> {
  const found = await readIndices(store, { after, limit: limit + 1, region: region?.toUpperCase() })
  const indices = found.slice(0, limit)
  const last = found.length > limit ? indices.at(-1)?.index_id : undefined
  terminal.answer({ indices, after: last ?? null }, () =>
    table(
      indices.map(({ index_id, region, title, publisher, base, frequency, points, last_period, last_value }) => ({
        index: index_id,
        region: region ?? '',
        title,
        publisher,
        base: base ?? '',
        by: frequency,
        points,
        last: `${last_period} ${last_value}`,
      })),
    ),
  )
  if (last !== undefined) terminal.next(`catalog indices list --after ${last}`)
  else if (indices.length === 0) terminal.next('catalog indices import FILE --preset ID, of catalog presets')
}

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
