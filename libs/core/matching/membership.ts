import type { ItemsMerged, SkuMatched, SkuSplit, SkusKeptApart } from '@catalog/core/events/matching.ts'

/**
 * Item membership of vendor SKUs: the fold of SkuMatched, SkuSplit, ItemsMerged and SkusKeptApart in offset order.
 * Laws: an item holds at most one SKU of a source; a SKU is in one item; a merged item stays merged; two SKUs that a
 * person keeps apart never share an item again.
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
  /** vendor SKU id → vendor SKU id → when and why a person kept the two apart; in both directions. */
  readonly apart: Map<string, Map<string, Apart>>
}
export type Apart = Readonly<{ since: string; reason: string }>
export type MembershipEvent = SkuMatched | SkuSplit | ItemsMerged | SkusKeptApart

/** The types of {@link MembershipEvent}, for readers that select the fold's input from the log. */
export const MEMBERSHIP_EVENTS: readonly MembershipEvent['type'][] = [
  'SkuMatched',
  'SkuSplit',
  'ItemsMerged',
  'SkusKeptApart',
]

export const emptyMembership = (): Membership => ({
  itemOf: new Map(),
  skusOf: new Map(),
  mergedInto: new Map(),
  foundings: new Map(),
  apart: new Map(),
})

/** The item that now holds this one's SKUs: itself, or the end of its chain of merges. */
export function survivorOf(mergedInto: ReadonlyMap<string, string>, itemId: string): string {
  let at = itemId
  for (let into = mergedInto.get(at); into !== undefined; into = mergedInto.get(at)) at = into
  return at
}

/** The reason why an event cannot apply: a code for programs, and a text for people. */
export type MembershipConflict = Readonly<{ code: 'NOT_FOUNDED' | 'ONE_SOURCE' | 'KEPT_APART'; conflict: string }>

/**
 * Applies one event in place. A conflict leaves the state unchanged and returns its reason, so that the fold can park
 * the event.
 */
export function applyMembership(state: Membership, event: MembershipEvent): MembershipConflict | undefined {
  if (event.type === 'ItemsMerged') return merge(state, event)
  if (event.type === 'SkusKeptApart') {
    const [a, b] = event.vendor_sku_ids
    keepApart(state, { a, b, since: event.decided_at, reason: event.reason })
    return undefined
  }
  const itemId = survivorOf(state.mergedInto, event.item_id)
  if (event.founding === undefined && !state.foundings.has(event.item_id)) {
    return { code: 'NOT_FOUNDED', conflict: `item ${event.item_id} was never founded` }
  }
  const held = state.skusOf.get(itemId)?.get(event.source_id)
  if (held !== undefined && held !== event.vendor_sku_id) {
    return { code: 'ONE_SOURCE', conflict: `item ${itemId} already holds ${held} of source ${event.source_id}` }
  }
  const before = state.itemOf.get(event.vendor_sku_id)
  if (before !== itemId) {
    const refused = keptApart(state, { moving: [event.vendor_sku_id], into: itemId })
    if (refused !== undefined) return refused
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
  if (before !== undefined) state.skusOf.get(before)?.delete(event.source_id)
  put(state, { itemId, sourceId: event.source_id, skuId: event.vendor_sku_id })
  return undefined
}

function merge(state: Membership, event: ItemsMerged): MembershipConflict | undefined {
  const from = survivorOf(state.mergedInto, event.from_item_id)
  const into = survivorOf(state.mergedInto, event.into_item_id)
  for (const itemId of [event.from_item_id, event.into_item_id]) {
    if (!state.foundings.has(itemId)) return { code: 'NOT_FOUNDED', conflict: `item ${itemId} was never founded` }
  }
  // Merged before, or a merge that would close a circle: nothing to do.
  if (from === into) return undefined
  const moving = state.skusOf.get(from) ?? new Map<string, string>()
  for (const sourceId of moving.keys()) {
    const held = state.skusOf.get(into)?.get(sourceId)
    if (held !== undefined) {
      return {
        code: 'ONE_SOURCE',
        conflict: `${into} holds ${held} and ${from} holds ${moving.get(sourceId)}, both of source ${sourceId}`,
      }
    }
  }
  const refused = keptApart(state, { moving: moving.values(), into })
  if (refused !== undefined) return refused
  for (const [sourceId, skuId] of moving) put(state, { itemId: into, sourceId, skuId })
  state.skusOf.delete(from)
  state.mergedInto.set(from, into)
  return undefined
}

/** Adds a pair that a person keeps apart; the first entry holds. */
export function keepApart(
  state: Membership,
  { a, b, since, reason }: { a: string; b: string; since: string; reason: string },
): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const others = state.apart.get(one) ?? new Map<string, Apart>()
    if (!others.has(other)) state.apart.set(one, others.set(other, { since, reason }))
  }
}

function keptApart(
  state: Membership,
  { moving, into }: { moving: Iterable<string>; into: string },
): MembershipConflict | undefined {
  const held = [...(state.skusOf.get(into)?.values() ?? [])]
  for (const skuId of moving) {
    const apart = state.apart.get(skuId)
    const other = apart && held.find((each) => each !== skuId && apart.has(each))
    if (apart === undefined || other === undefined) continue
    const { since, reason } = apart.get(other) as Apart
    return { code: 'KEPT_APART', conflict: `${skuId} is kept apart from ${other} of ${into} since ${since}: ${reason}` }
  }
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
