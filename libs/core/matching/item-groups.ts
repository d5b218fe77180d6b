import { compareText } from '@catalog/core/text.ts'

/** A member that has to leave its item, and why. */
export type Leaving = Readonly<{
  skuId: string
  /** The member that it contradicts, or that the rule finds another product. */
  apartFrom: string
  reason: string
}>
/** SKUs that leave an item together; the first founds their own. */
export type LeavingGroup = readonly Leaving[]

/**
 * Divides the SKUs of one item into products: first the group of the founder, which keeps the item, then the groups that
 * leave, in the order of their smallest id. A SKU joins the first group of which it contradicts no member. Then the SKUs
 * that nothing links to the founder leave as well, where the rule found one of them and a SKU that stays to be two
 * products.
 *
 * Law: the result depends on the set of members, never on their order, and a second division of the group that stays
 * changes nothing.
 */
export function divideItem(
  skuIds: readonly string[],
  founderId: string,
  {
    contradiction,
    isLinked,
    isRejected,
  }: {
    /** Why two SKUs can never be one product; null when they can. Symmetric. */
    contradiction: (a: string, b: string) => string | null
    /** A rule finds them to be one product, or nearly sure. Symmetric. */
    isLinked: (a: string, b: string) => boolean
    /** A rule compared them and found two products. Symmetric. */
    isRejected: (a: string, b: string) => boolean
  },
): readonly LeavingGroup[] {
  const rest = skuIds.filter((skuId) => skuId !== founderId).sort(compareText)
  const first = skuIds.includes(founderId) ? founderId : (rest.shift() as string)
  const groups: { skuIds: string[]; leaving: Leaving[] }[] = [{ skuIds: [first], leaving: [] }]
  for (const skuId of rest) {
    let leaving: Leaving | null = null
    const group = groups.find(({ skuIds: held }) => {
      const apart = held.map((other) => ({ other, reason: contradiction(skuId, other) })).find(({ reason }) => reason)
      if (apart === undefined) return true
      leaving ??= { skuId, apartFrom: apart.other, reason: apart.reason as string }
      return false
    })
    if (group === undefined) groups.push({ skuIds: [skuId], leaving: leaving === null ? [] : [leaving] })
    else {
      group.skuIds.push(skuId)
      if (leaving !== null) group.leaving.push(leaving)
    }
  }
  const [stays, ...leave] = groups as [{ skuIds: string[] }, ...typeof groups]
  return [...leave.map(({ leaving }) => leaving), ...unlinked(stays.skuIds, { isLinked, isRejected })].sort(
    ([a], [b]) => compareText((a as Leaving).skuId, (b as Leaving).skuId),
  )
}

/** Groups that no chain of links leads to from the first SKU, where the rule found two products across the gap. */
function unlinked(
  [first, ...others]: readonly string[],
  rule: { isLinked: (a: string, b: string) => boolean; isRejected: (a: string, b: string) => boolean },
): LeavingGroup[] {
  let open = others
  const grow = (from: string): string[] => {
    const group = [from]
    for (const at of group) {
      const linked = open.filter((skuId) => rule.isLinked(at, skuId))
      open = open.filter((skuId) => !linked.includes(skuId))
      group.push(...linked)
    }
    return group
  }
  const stays = grow(first as string)
  const groups: LeavingGroup[] = []
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const group = grow(next).sort(compareText)
    const rejected = group
      .flatMap((skuId) => stays.map((other) => ({ skuId, other })))
      .find(({ skuId, other }) => rule.isRejected(skuId, other))
    if (rejected === undefined) continue
    groups.push(group.map((skuId) => ({ skuId, apartFrom: rejected.other, reason: REJECTED })))
  }
  return groups
}
/** The rule compared the two and found two products. */
export const REJECTED = 'score'
