/** The node that a node needs at a place, from 0; undefined after the last one. */
export type ChildAt<Node> = (node: Node, place: number) => Node | undefined

/**
 * The strongly connected components of a graph, each after the components that it needs (Tarjan's algorithm, one visit
 * an edge). It keeps its own stack, because recipes nest deeper than a call stack.
 */
export function stronglyConnected<Node>(nodes: Iterable<Node>, childAt: ChildAt<Node>): Node[][] {
  const components: Node[][] = []
  const indices = new Map<Node, number>()
  /** By index: the smallest index that a node reaches; CLOSED once its component is complete. */
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
        const known = indices.get(child)
        if (known === undefined) enter(child)
        else if (lows[known] !== CLOSED) lows[index] = Math.min(lows[index] as number, known)
        continue
      }
      path.pop()
      const low = lows[index] as number
      const above = path.at(-1)
      if (above !== undefined) lows[above.index] = Math.min(lows[above.index] as number, low)
      if (low !== index) continue
      const component = open.splice(open.lastIndexOf(node))
      for (const member of component) lows[indices.get(member) as number] = CLOSED
      components.push(component)
    }
  }
  return components
}

/** Above every index, so that Math.min never picks it. */
const CLOSED = Number.POSITIVE_INFINITY

/** A shortest cycle through a node of a strongly connected component, starting with the node; null without a cycle. */
export function cycleThrough<Node>(start: Node, component: readonly Node[], childAt: ChildAt<Node>): Node[] | null {
  const members = component.length === 1 ? null : new Set(component)
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
