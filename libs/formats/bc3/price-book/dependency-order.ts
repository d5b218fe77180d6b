/** The nodes that a node needs, each asked for by its place from 0; undefined behind the last one. */
export type ChildAt<Node> = (node: Node, place: number) => Node | undefined

/**
 * The nodes of a graph and all that they reach, in groups: those of one group need each other, and each group comes after
 * the groups that it needs. Tarjan's strongly connected components on a stack of our own: recipes nest deeper than a call
 * stack. Every edge is looked at once.
 */
export function groupsOf<Node>(nodes: Iterable<Node>, childAt: ChildAt<Node>): Node[][] {
  const groups: Node[][] = []
  const indices = new Map<Node, number>()
  /** By index: the smallest index that a node reaches, and CLOSED once its group is known. */
  const lows: number[] = []
  const open: Node[] = []
  const path: { node: Node; index: number; next: number }[] = []
  const enter = (node: Node) => {
    const index = indices.size
    indices.set(node, index)
    lows.push(index)
    open.push(node)
    path.push({ node, index, next: 0 })
  }
  for (const first of nodes) {
    if (indices.has(first)) continue
    enter(first)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node, index } = top
      const child = childAt(node, top.next++)
      if (child !== undefined) {
        const met = indices.get(child)
        if (met === undefined) enter(child)
        else if (lows[met] !== CLOSED) lows[index] = Math.min(lows[index] as number, met)
        continue
      }
      path.pop()
      const low = lows[index] as number
      const above = path.at(-1)
      if (above !== undefined) lows[above.index] = Math.min(lows[above.index] as number, low)
      if (low !== index) continue
      const group = open.splice(open.lastIndexOf(node))
      for (const member of group) lows[indices.get(member) as number] = CLOSED
      groups.push(group)
    }
  }
  return groups
}

/** Above every index, so that it is never the smaller one. */
const CLOSED = Number.POSITIVE_INFINITY

/** A shortest way from a node of a group back to itself, beginning with the node; null when it does not need itself. */
export function cycleThrough<Node>(start: Node, group: readonly Node[], childAt: ChildAt<Node>): Node[] | null {
  const members = group.length === 1 ? null : new Set(group)
  const before = new Map<Node, Node>()
  const queue = [start]
  for (const node of queue) {
    for (let place = 0, child = childAt(node, 0); child !== undefined; child = childAt(node, ++place)) {
      if (child === start) {
        const path = [node]
        while (path[0] !== start) path.unshift(before.get(path[0] as Node) as Node)
        return path
      }
      if (members === null || !members.has(child) || before.has(child)) continue
      before.set(child, node)
      queue.push(child)
    }
  }
  return null
}
