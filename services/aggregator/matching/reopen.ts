import { matchKeys } from '@catalog/core/matching/match.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { type SkuText, textsAt, type Visibility } from '@catalog/store/vendor/as-of-queries.ts'
import { type BesideSilent, besideSilent, itemsOfPersons } from '@catalog/store/vendor/matching.ts'
import { type DecidedAliases, matchSku } from './match-sku.ts'

/** A SKU whose link fell away: the SKU that was its evidence, and one that stays in its former item. */
export type Reopened = Readonly<{ with: string; beside: string | null }>

/**
 * The SKUs that a rule put into their item by a key of a SKU which says nothing any more: its vendor has trust 0, or its
 * observations are retracted. Those that share a key with each other stay together, and with a SKU that came otherwise, they
 * stay in the item. Of several such groups without another SKU the one with the smallest SKU stays. People's items stay whole.
 */
export async function reopenedSkus(
  store: Queryable,
  { visibility, aliases }: { visibility: Visibility; aliases: DecidedAliases },
): Promise<ReadonlyMap<string, Reopened>> {
  const beside = await besideSilent(store, { silentSources: [...aliases.silent], visibility })
  const reopened = new Map<string, Reopened>()
  if (!beside.some(({ with: evidence }) => evidence !== null)) return reopened
  const ofPersons = await itemsOfPersons(store)
  const items = [...Map.groupBy(beside, ({ itemId }) => itemId)].filter(([itemId]) => !ofPersons.has(itemId))
  for (const [, members] of items) {
    const heard = members.filter(({ isSilent }) => !isSilent)
    const fallen = fallenLinks(members)
    if (fallen.size === 0) continue
    const heardIds = heard.map(({ skuId }) => skuId)
    const texts = await textsAt(store, heardIds, visibility)
    const keysOf = (text: SkuText | undefined) => (text ? matchKeys(matchSku(text, aliases)) : [])
    const groups = groupsByKey(heardIds.map((skuId) => ({ skuId, keys: keysOf(texts.get(skuId)) })))
    const standing = groups.filter((group) => group.some((skuId) => !fallen.has(skuId)))
    const kept = standing.length > 0 ? standing : groups.slice(0, 1)
    const other = kept.flat().sort()[0] ?? null
    for (const skuId of groups.filter((group) => !kept.includes(group)).flat()) {
      reopened.set(skuId, { with: fallen.get(skuId) as string, beside: other })
    }
  }
  return new Map([...reopened].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The SKUs whose chain of evidence ends at a silent one, with their evidence. */
function fallenLinks(members: readonly BesideSilent[]): ReadonlyMap<string, string> {
  const gone = new Set(members.filter(({ isSilent }) => isSilent).map(({ skuId }) => skuId))
  const fallen = new Map<string, string>()
  for (let isOpen = true; isOpen; ) {
    isOpen = false
    for (const { skuId, with: evidence, isSilent } of members) {
      if (isSilent || evidence === null || fallen.has(skuId) || !(gone.has(evidence) || fallen.has(evidence))) continue
      fallen.set(skuId, evidence)
      isOpen = true
    }
  }
  return fallen
}

type Keyed = Readonly<{ skuId: string; keys: readonly string[] }>

/** Groups of SKUs that share keys, directly or by others; each, and all of them, in the order of their ids. */
function groupsByKey(skus: readonly Keyed[]): readonly (readonly string[])[] {
  let groups: { skuIds: string[]; keys: Set<string> }[] = []
  for (const { skuId, keys } of skus) {
    const own = new Set(keys)
    const touching = groups.filter((group) => !group.keys.isDisjointFrom(own))
    const united = {
      skuIds: [...touching.flatMap((group) => group.skuIds), skuId].sort(),
      keys: touching.reduce((all, group) => all.union(group.keys), own),
    }
    groups = [...groups.filter((group) => !touching.includes(group)), united]
  }
  return groups.map(({ skuIds }) => skuIds).sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1))
}
