import type { Assignment, ExistingItems, MatchItem, MatchSku } from '@catalog/core/matching/match.ts'
import { MatchMembers, matchKeys } from '@catalog/core/matching/match.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'
import type { Store } from '@catalog/store/db.ts'
import { textsAt, type Visibility } from '@catalog/store/vendor/as-of-queries.ts'
import { foundedCounts, itemsByKeys, matchedItems } from '@catalog/store/vendor/matching.ts'
import { type DecidedAliases, matchSku } from './match-sku.ts'

/**
 * The items that `assign` chooses from. They are read when a SKU first asks for one of their keys, and kept together with what the run
 * decides, so that a run reads no item twice.
 */
export type KnownItems = Readonly<{
  /** Reads what these SKUs ask for and is not known. */
  around: (unmatched: readonly MatchSku[]) => Promise<ExistingItems>
  /** Carries on with decisions on SKUs that no known item holds. */
  carry: (assignments: readonly Assignment[], skus: ReadonlyMap<string, MatchSku>) => void
  /** SKUs that are kept. */
  size: () => number
  forget: () => void
}>

export function openKnownItems(
  store: Store,
  { visibility, aliases }: { visibility: Visibility; aliases: DecidedAliases },
): KnownItems {
  const items = new Map<string, MatchItem>()
  const idsOfKey = new Map<string, Set<string>>()
  let size = 0
  const put = (item: Omit<MatchItem, 'members'>, skus: readonly MatchSku[]) => {
    items.set(item.itemId, { ...item, members: new MatchMembers(skus) })
    size += skus.length
  }
  async function read(keys: readonly string[]): Promise<void> {
    const found = await itemsByKeys(store, keys)
    for (const key of keys) idsOfKey.set(key, new Set())
    for (const { key, itemId } of found) idsOfKey.get(key)?.add(itemId)
    const missing = new Set(found.map(({ itemId }) => itemId)).difference(items)
    if (missing.size === 0) return
    const held = await matchedItems(store, [...missing])
    const heldIds = held.flatMap(({ members }) => members.map(({ skuId }) => skuId))
    const texts = await textsAt(store, heldIds, visibility)
    for (const { itemId, founderId: founderVendorSkuId, members } of held) {
      const skus = members.map(({ skuId, sourceId }) => {
        const text = texts.get(skuId)
        return text ? matchSku(text, aliases) : unseen(skuId, sourceId, aliases)
      })
      put({ itemId, founderVendorSkuId }, skus)
    }
  }
  return {
    async around(unmatched) {
      const asked = new Set(unmatched.flatMap(matchKeys))
      const unknown = [...asked].filter((key) => !idsOfKey.has(key))
      if (unknown.length > 0) await read(unknown)
      const ids = unmatched.map(({ vendorSkuId }) => vendorSkuId)
      const counts = await foundedCounts(store, ids)
      return {
        byKey: (key) => [...(idsOfKey.get(key) ?? [])].flatMap((itemId) => items.get(itemId) ?? []),
        foundedBefore: (vendorSkuId) => counts.get(vendorSkuId) ?? 0,
        haveOneMeaning: (a, b) => !conceptsOf(a.name).isDisjointFrom(conceptsOf(b.name)),
      }
    },
    carry(assignments, skus) {
      for (const { vendorSkuId, itemId, keys } of assignments) {
        const sku = skus.get(vendorSkuId) as MatchSku
        const item = items.get(itemId)
        if (item === undefined) put({ itemId, founderVendorSkuId: vendorSkuId }, [sku])
        else {
          item.members.add(sku)
          size += 1
        }
        for (const key of keys) idsOfKey.get(key)?.add(itemId)
      }
    },
    size: () => size,
    forget() {
      items.clear()
      idsOfKey.clear()
      size = 0
    },
  }
}

/** A SKU whose observations are retracted: it holds its place, and says nothing. */
function unseen(vendorSkuId: string, sourceId: string, { voices }: DecidedAliases): MatchSku {
  const voiceId = voices.get(sourceId)
  return { vendorSkuId, sourceId, ...(voiceId !== undefined && { voiceId }), name: '', unit: null, isSilent: true }
}
