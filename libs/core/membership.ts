import type { ItemsMerged, SkuMatched, SkuSplit } from './events.ts'

/**
 * Which item a vendor SKU is in: the fold of SkuMatched, SkuSplit and ItemsMerged in offset order.
 * Laws: an item holds at most one SKU of a source; a SKU is in one item; a merged item stays merged for ever.
 */
export type Founding = Readonly<{
  itemId: string
  founderId: string
  n: number
  unit: string | null
  pack: { readonly quantity: string; readonly unit: string } | null
}>
export type Membership = {
  /** vendor SKU id → item id. */
  readonly itemOf: Map<string, string>
  /** item id → source id → vendor SKU id. */
  readonly skusOf: Map<string, Map<string, string>>
  /** item id → the item it was merged into. */
  readonly mergedInto: Map<string, string>
  readonly foundings: Map<string, Founding>
}
export type MembershipEvent = SkuMatched | SkuSplit | ItemsMerged

export const emptyMembership = (): Membership => ({
  itemOf: new Map(),
  skusOf: new Map(),
  mergedInto: new Map(),
  foundings: new Map(),
})

/** The item that holds the SKUs of this one now: itself, or the end of its chain of merges. */
function survivor(mergedInto: ReadonlyMap<string, string>, itemId: string): string {
  let at = itemId
  for (let into = mergedInto.get(at); into !== undefined; into = mergedInto.get(at)) at = into
  return at
}

/** Applies one event in place. A conflict leaves the state as it was and says why, so that the fold can park the event. */
export function applyMembership(state: Membership, event: MembershipEvent): { conflict: string } | undefined {
  if (event.type === 'ItemsMerged') return merge(state, event)
  const itemId = survivor(state.mergedInto, event.item_id)
  if (event.founding === undefined && !state.foundings.has(event.item_id)) {
    return { conflict: `item ${event.item_id} was never founded` }
  }
  const held = state.skusOf.get(itemId)?.get(event.source_id)
  if (held !== undefined && held !== event.vendor_sku_id) {
    return { conflict: `item ${itemId} already holds ${held} of source ${event.source_id}` }
  }
  if (event.founding !== undefined && !state.foundings.has(event.item_id)) {
    const { n, unit, pack } = event.founding
    state.foundings.set(event.item_id, {
      itemId: event.item_id,
      founderId: event.vendor_sku_id,
      n,
      unit,
      pack: pack ?? null,
    })
  }
  const before = state.itemOf.get(event.vendor_sku_id)
  if (before !== undefined) state.skusOf.get(before)?.delete(event.source_id)
  put(state, { itemId, sourceId: event.source_id, skuId: event.vendor_sku_id })
  return undefined
}

function merge(state: Membership, event: ItemsMerged): { conflict: string } | undefined {
  const from = survivor(state.mergedInto, event.from_item_id)
  const into = survivor(state.mergedInto, event.into_item_id)
  for (const itemId of [event.from_item_id, event.into_item_id]) {
    if (!state.foundings.has(itemId)) return { conflict: `item ${itemId} was never founded` }
  }
  // Merged before, or a merge that would close a circle: nothing is left to do.
  if (from === into) return undefined
  const moving = state.skusOf.get(from) ?? new Map<string, string>()
  for (const sourceId of moving.keys()) {
    const held = state.skusOf.get(into)?.get(sourceId)
    if (held !== undefined) {
      return { conflict: `${into} holds ${held} and ${from} holds ${moving.get(sourceId)}, both of source ${sourceId}` }
    }
  }
  for (const [sourceId, skuId] of moving) put(state, { itemId: into, sourceId, skuId })
  state.skusOf.delete(from)
  state.mergedInto.set(from, into)
  return undefined
}

function put(
  state: Membership,
  { itemId, sourceId, skuId }: { itemId: string; sourceId: string; skuId: string },
): void {
  state.itemOf.set(skuId, itemId)
  const skus = state.skusOf.get(itemId)
  if (skus === undefined) state.skusOf.set(itemId, new Map([[sourceId, skuId]]))
  else skus.set(sourceId, skuId)
}
