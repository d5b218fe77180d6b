import { compareText } from '@catalog/core/text.ts'
import { areTwoOfOneVendor } from './source-voices.ts'

/**
 * Decides jointly, over all scored pairs of a run, which new items join another item. Pure: the caller chooses the
 * pairs and the scores.
 */

/** A vendor SKU as the decision sees it. */
export type JoinMember = Readonly<{
  vendorSkuId: string
  sourceId: string
  voiceId?: string | undefined
  vendorRef?: string | undefined
}>

/** An item with its members before any join of this run. */
export type JoinItem<Member extends JoinMember = JoinMember> = Readonly<{
  itemId: string
  founderId: string
  /** It existed before this run, or a person decided on it: it never joins another settled item. */
  isSettled: boolean
  /** The item that an earlier attempt at this run joined it to; null while it stands alone. */
  joinedTo: string | null
  members: readonly Member[]
}>

/** Two SKUs that may be one product, in any order. */
export type JoinEdge = Readonly<{ a: string; b: string; score: number }>

/** Whether the members of two groups may not share an item. Symmetric, and a function of the members alone. */
export type AreApart<Member extends JoinMember> = (one: readonly Member[], other: readonly Member[]) => boolean

export type Join = Readonly<{
  fromItemId: string
  intoItemId: string
  /** The strongest pair of the decision that has a SKU of `fromItemId`. */
  edge: JoinEdge
}>

/**
 * Joins items along the edges by descending score, then ids. Two groups of items become one unless together they hold
 * two settled items, or members that are apart. The settled item of a group survives, otherwise the one with the
 * smallest founder. Edges with a SKU of no item are skipped. Returns one join per absorbed item, in the order of their
 * ids.
 *
 * Law: what keeps two groups apart also keeps any larger groups apart. So the order of items and edges does not matter.
 * After any part of the result has been applied (see `joinedTo`), the same call returns the rest.
 */
export function decideJoins<Member extends JoinMember>(
  items: readonly JoinItem<Member>[],
  edges: readonly JoinEdge[],
  areApart: AreApart<Member>,
): Join[] {
  const groups = new Map(items.map((item) => [item.itemId, { items: [item], members: [...item.members] }]))
  type Group = { items: JoinItem<Member>[]; members: Member[] }
  const itemOf = new Map(items.flatMap((item) => item.members.map(({ vendorSkuId }) => [vendorSkuId, item.itemId])))
  const unite = (one: Group, other: Group) => {
    const group = { items: [...one.items, ...other.items], members: [...one.members, ...other.members] }
    for (const { itemId } of group.items) groups.set(itemId, group)
  }
  for (const { itemId, joinedTo } of items) {
    const [group, into] = [groups.get(itemId), joinedTo === null ? undefined : groups.get(joinedTo)]
    if (group && into && group !== into) unite(group, into)
  }

  const strongest = new Map<string, JoinEdge>()
  for (const edge of edges.map(oneWay).sort(byScore)) {
    const [itemA, itemB] = [itemOf.get(edge.a), itemOf.get(edge.b)]
    const [one, other] = [groups.get(itemA ?? ''), groups.get(itemB ?? '')]
    if (itemA === undefined || itemB === undefined || one === undefined || other === undefined) continue
    if (one !== other) {
      if (areBothSettled(one.items, other.items) || areApart(one.members, other.members)) continue
      unite(one, other)
    }
    // Record it also for items that came together before: an item that waits for its join needs its evidence.
    for (const itemId of [itemA, itemB]) if (!strongest.has(itemId) && itemA !== itemB) strongest.set(itemId, edge)
  }

  return [...new Set(groups.values())]
    .flatMap((group) => {
      const standing = group.items.filter(({ joinedTo }) => joinedTo === null).sort(byPrecedence)
      const [stays, ...go] = standing
      return go.flatMap(({ itemId }) => {
        const edge = strongest.get(itemId)
        return stays && edge ? { fromItemId: itemId, intoItemId: stays.itemId, edge } : []
      })
    })
    .sort((a, b) => compareText(a.fromItemId, b.fromItemId))
}

/** Whether both groups hold an item that existed before: only a person joins those. */
export function areBothSettled(one: readonly JoinItem[], other: readonly JoinItem[]): boolean {
  return one.some(({ isSettled }) => isSettled) && other.some(({ isSettled }) => isSettled)
}

/** Apart where any two members are two products of one vendor, or in a conflict, which is symmetric. */
export function apartByPairs<Member extends JoinMember>(
  isConflict: (a: Member, b: Member) => boolean,
): AreApart<Member> {
  return (one, other) => one.some((a) => other.some((b) => areTwoOfOneVendor(a, b) || isConflict(a, b)))
}

function oneWay(edge: JoinEdge): JoinEdge {
  return edge.a < edge.b ? edge : { a: edge.b, b: edge.a, score: edge.score }
}

/** Descending score, then ascending ids. */
export function byScore(one: JoinEdge, other: JoinEdge): number {
  return other.score - one.score || compareText(one.a, other.a) || compareText(one.b, other.b)
}

function byPrecedence(a: JoinItem, b: JoinItem): number {
  return (
    Number(b.isSettled) - Number(a.isSettled) ||
    compareText(a.founderId, b.founderId) ||
    compareText(a.itemId, b.itemId)
  )
}
