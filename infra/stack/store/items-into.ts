import type { ItemEvent } from '@catalog/core/events/events.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import { applyBatch } from '@catalog/projector/pump.ts'
import type { Store } from '@catalog/store/db.ts'

/** Applies events of items to a store, each list in one transaction, as the projector does; there is no log. */
export function itemsInto(store: Store): (events: readonly ItemEvent[]) => Promise<void> {
  let offset = 0n
  return async (events) => {
    const records = events.map((event) => {
      const key = event.type === 'ItemPublished' ? event.item_id : ''
      return { topic: TOPICS.items, partition: 0, offset: offset++, key, value: JSON.stringify(event) }
    })
    const applied = await applyBatch({ store, projection: itemsProjection }, records)
    if (applied !== records.length) throw new Error(`${applied} events were applied, expected ${records.length}`)
  }
}
