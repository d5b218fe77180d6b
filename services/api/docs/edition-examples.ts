import type * as contract from '@catalog/api/contract/contract.ts'
import { citeItem } from '@catalog/api/editions/citation.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import type { z } from 'zod'
import { ITEM_ID, item } from './example-data.ts'

/** Example of an edition for the OpenAPI document. */

const RUN_ID = 'run_20261120020000_5f0c1a2b3d'
const AS_OF = '2026-10-31T02:00:00Z'
export const EDITION_URL = 'https://catalog.example.org/v1/editions/2026-10'
export const EDITION_SHA = '6c1f0a5b2de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e6'
const EMPTY_BUCKET = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export const EDITION: z.infer<typeof contract.EditionResponse> = {
  edition: '2026-10',
  id: 'ccc:2026-10',
  run_id: RUN_ID,
  as_of: AS_OF,
  method: 'twm/3',
  seq: 1,
  count: 1,
  state_root: '0e5f8c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614',
  buckets: Array.from({ length: 256 }, () => EMPTY_BUCKET),
  licence: null,
}
export const editionState = { item, regions: ['ES'], markets: [], merged_into: null, state: 'active' as const }
const url = `${EDITION_URL}/items/${ITEM_ID}`
export const editionItem: z.infer<typeof contract.EditionItemResponse> = {
  id: `ccc:2026-10:${ITEM_ID}`,
  edition: '2026-10',
  item_id: ITEM_ID,
  run_id: RUN_ID,
  as_of: AS_OF,
  method: 'twm/3',
  state: editionState,
  state_sha256: '9a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e6140e5f8c1de38a4d8c9e',
  edition_sha256: EDITION_SHA,
  licence: null,
  url,
  cite_as: citeItem(
    { item: item as PublicItem, markets: [] },
    { edition: '2026-10', asOf: AS_OF, url, region: undefined },
  ),
}
