import type { Stage } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { rowLimit } from '@catalog/cli/shared/whole-number.ts'
import { readIndices } from '@catalog/store/indices/index-points.ts'

/** `catalog indices list`: the official price indices of the catalog, with their last point. */
export async function listIndices(
  { catalog: { store }, terminal }: Stage,
  { region, after, limit: given }: { region?: string; after?: string; limit: string },
): Promise<void> {
  const limit = rowLimit(given)
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
