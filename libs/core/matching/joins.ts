import { compareText } from '@catalog/core/text.ts'
/**
 * Which new items are one with another item, decided jointly over all scored pairs of a run. Pure: who is compared with
 * whom, and what a score means, is the caller's.
 */

/** A vendor SKU as far as the decision looks at it. */
export type JoinMember = Readonly<{ vendorSkuId: string; sourceId: string }>

/** An item with what was in it before anything was joined in this run. */
export type JoinItem<Member extends JoinMember = JoinMember> = Readonly<{
  itemId: string
  founderId: string
  /** It was there before this run, or a person had it in hand: it is never joined to another such item. */
  isSettled: boolean
  /** The item that it was joined to by an earlier attempt at this run; null while it stands alone. */
  joinedTo: string | null
  members: readonly Member[]
}>

/** Two SKUs that may be one product, in any order. */
export type JoinEdge = Readonly<{ a: string; b: string; score: number }>

/** Why two SKUs may not come together; null when they may. Symmetric, and a function of the two alone. */
export type Conflict<Member extends JoinMember> = (a: Member, b: Member) => string | null

export type Join = Readonly<{
  fromItemId: string
  intoItemId: string
  /** The strongest pair that was decided on and that has a SKU of `fromItemId`. */
  edge: JoinEdge
}>

/**
 * Joins items along the edges by descending score, then ids: two groups of items become one unless together they held two
 * SKUs of one source, two settled items, or two SKUs in conflict. What stays is the settled item of a group, else the one
 * with the smallest founder. Edges that name a SKU of no item are passed over. Answers one join for each item that goes,
 * in the order of their ids.
 *
 * Law: what keeps two groups apart keeps any larger ones apart as well. So the order of items and edges does not matter,
 * and when any part of the answer has been applied (see `joinedTo`), the same call answers the rest.
 */
export function decideJoins<Member extends JoinMember>(
  items: readonly JoinItem<Member>[],
  edges: readonly JoinEdge[],
  conflict: Conflict<Member>,
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
      if (areBothSettled(one.items, other.items) || reasonsApart(one.members, other.members, conflict).size > 0)
        continue
      unite(one, other)
    }
    // Also where the two had come together already: an item that waits to be joined needs its evidence.
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

/** Whether both hold an item that was there before: only a person makes one of these. */
export function areBothSettled(one: readonly JoinItem[], other: readonly JoinItem[]): boolean {
  return one.some(({ isSettled }) => isSettled) && other.some(({ isSettled }) => isSettled)
}

/** Why the SKUs of two items may not be in one: {@link ONE_SOURCE}, and what `conflict` says of any two of them. */
export function reasonsApart<Member extends JoinMember>(
  one: readonly Member[],
  other: readonly Member[],
  conflict: Conflict<Member>,
): Set<string> {
  const reasons = new Set<string>()
  for (const a of one) {
    for (const b of other) {
      if (a.sourceId === b.sourceId) reasons.add(ONE_SOURCE)
      const reason = conflict(a, b)
      if (reason !== null) reasons.add(reason)
    }
  }
  return reasons
}
/** An item holds at most one SKU of a source. */
export const ONE_SOURCE = 'one source'

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
