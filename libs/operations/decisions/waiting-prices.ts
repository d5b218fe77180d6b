import type { Catalog } from '@catalog/operations/catalog.ts'
import { BadCursor } from '@catalog/operations/naming.ts'
import { type Paging, pageOf } from '@catalog/operations/outcome.ts'
import { waitingPrices } from '@catalog/store/catalog/quarantine.ts'

/** First prices in quarantine, for a person to release. */
export async function waitingPage({ store }: Pick<Catalog, 'store'>, { after, limit }: Paging) {
  const found = await waitingPrices(store, { after: after === undefined ? null : parsePlace(after), limit: limit + 1 })
  const placeOf = ({ item_id, observation_id }: (typeof found)[number]) => `${item_id}/${observation_id}`
  const { rows: prices, cursor } = pageOf(found, { limit, placeOf })
  return { prices, cursor }
}

function parsePlace(place: string): { itemId: string; observationId: string } {
  const [, itemId, observationId] = /^(ci_[a-z0-9]+)\/([0-9a-f]{64})$/.exec(place) ?? []
  if (itemId === undefined || observationId === undefined)
    throw new BadCursor(`--after '${place}': expected a cursor of catalog review waiting`)
  return { itemId, observationId }
}
