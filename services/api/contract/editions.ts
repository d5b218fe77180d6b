import { openShape, shape } from '@catalog/api/contract/shared/described.ts'
import { Count, Id, Instant, NextCursor, Seq, Sha256 } from '@catalog/api/contract/shared/fields.ts'
import { Cursor, IdParams, pageLimit, priceRegion } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'
import { Run } from './basis.ts'
import { CanonicalItem } from './items.ts'

/** Monthly editions: the catalog at the end of the last run of a month, to be cited. */

const Edition = z.string().meta({ description: 'A month, UTC', examples: ['2026-10'] })
const EditionId = z.string().meta({
  description: 'What a citation names: `ccc:` and the month; with an item, `:` and its id',
  examples: ['ccc:2026-10', 'ccc:2026-10:ci_4pkz6qjxw2h7mtd3ruvy5cnaeo'],
})
const AsOf = Instant.meta({ description: 'Instant of the last run of the month' })
const Licence = z
  .strictObject({ name: z.string(), url: z.string().nullable() })
  .nullable()
  .meta({ description: 'Licence of the data when the edition was frozen; null: not stated' })

export const ListEditionsResponse = z
  .strictObject({
    editions: z.array(
      shape('ListEditionsResponse.editions', {
        edition: Edition,
        id: EditionId,
        as_of: AsOf,
        count: Count,
        sha256: Sha256,
        url: z.string(),
        cite_as: z.string(),
      }),
    ),
  })
  .meta({ id: 'ListEditionsResponse' })

export const EditionResponse = shape('EditionResponse', {
  edition: Edition,
  id: EditionId,
  run_id: Run,
  as_of: AsOf,
  method: z.string().nullable(),
  seq: Seq,
  count: Count,
  state_root: Sha256,
  buckets: z.array(Sha256),
  licence: Licence,
}).meta({ id: 'Edition' })

/** As feeds and snapshots carry it; later versions may add members. */
const EditionState = z
  .looseObject({ item: CanonicalItem, regions: z.array(z.string()), state: z.literal('active') })
  .meta({ description: 'The public state; its canonical JSON (RFC 8785) hashes to `state_sha256`' })

export const EditionItemResponse = shape('EditionItemResponse', {
  id: EditionId,
  edition: Edition,
  item_id: Id('ci_', 'Item id'),
  run_id: Run,
  as_of: AsOf,
  method: z.string().nullable(),
  state: EditionState,
  state_sha256: Sha256,
  edition_sha256: Sha256,
  licence: Licence,
  url: z.string(),
  cite_as: z.string(),
}).meta({ id: 'EditionItemResponse' })

export const EditionItemsResponse = z
  .strictObject({ edition: Edition, states: z.array(EditionState), cursor: NextCursor })
  .meta({ id: 'EditionItemsResponse' })

export const EditionParams = z.object({ edition: Edition })
export const EditionItemParams = z.object({ edition: Edition, id: IdParams.shape.id })
export const EditionItemQuery = openShape('EditionItemQuery', {
  price_region: priceRegion,
})
export const EditionItemsQuery = z.object({
  cursor: Cursor,
  limit: pageLimit({ max: 100, ifAbsent: 50, counted: 'items' }),
})
