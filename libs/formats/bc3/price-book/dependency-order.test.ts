import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cycleThrough, stronglyConnected } from './dependency-order.ts'

const graphs = fc
  .integer({ min: 1, max: 9 })
  .chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 4 }), { minLength: size, maxLength: size }))

/** Nodes that each node reaches over one edge or more. */
function reachedIn(graph: readonly (readonly number[])[]): Set<number>[] {
  return graph.map((children) => {
    const reached = new Set(children)
    for (const node of reached) for (const child of graph[node] as readonly number[]) reached.add(child)
    return reached
  })
}

test('components are the nodes that need each other, each after the components that it needs', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const reached = reachedIn(graph)
      const groups = stronglyConnected(graph.keys(), (node, place) => graph[node]?.[place])
      expect(groups.flat().sort()).toEqual([...graph.keys()])
      const placeOf = new Map(groups.flatMap((group, place) => group.map((node) => [node, place] as const)))
      for (const [a, ofA] of reached.entries()) {
        for (const [b, ofB] of reached.entries()) {
          if (a === b) continue
          expect(placeOf.get(a) === placeOf.get(b)).toBe(ofA.has(b) && ofB.has(a))
          if (ofA.has(b)) expect(placeOf.get(b)).toBeLessThanOrEqual(placeOf.get(a) as number)
        }
      }
    }),
  )
})

test('a cycle follows edges back to its node, and exists only when the node needs itself', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const reached = reachedIn(graph)
      const childAt = (node: number, place: number) => graph[node]?.[place]
      for (const group of stronglyConnected(graph.keys(), childAt)) {
        for (const node of group) {
          const path = cycleThrough(node, group, childAt)
          expect(path !== null).toBe(reached[node]?.has(node))
          if (path === null) continue
          expect(path[0]).toBe(node)
          for (const [i, step] of path.entries()) expect(graph[step]).toContain(path[i + 1] ?? node)
        }
      }
    }),
  )
})
