import type { CategoryNode } from '@catalog/api/contract/contract.ts'
import type { CategoryRow } from '@catalog/replica/read/categories.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nestCategories } from './category-tree.ts'

/** Rows of a tree: the parent of each is an earlier one, or none. */
const trees: fc.Arbitrary<CategoryRow[]> = fc
  .array(fc.record({ parent: fc.option(fc.nat(), { nil: null }), items: fc.nat(50) }), { maxLength: 30 })
  .map((given) =>
    given.map(({ parent, items }, i) => ({
      category_id: `cat_${String(i).padStart(2, '0')}`,
      parent_id: parent === null || i === 0 ? null : `cat_${String(parent % i).padStart(2, '0')}`,
      name: `Category ${i}`,
      item_count: BigInt(items),
    })),
  )
const flat = (nodes: readonly CategoryNode[], parent: string | null = null): [string, string | null][] =>
  nodes.flatMap(({ id, children }) => [[id, parent] as [string, string | null], ...flat(children, id)])

test('each category stands once, below its parent', () => {
  fc.assert(
    fc.property(trees, (rows) => {
      const expected = rows.map(({ category_id, parent_id }) => [category_id, parent_id])
      expect(flat(nestCategories(rows)).sort()).toEqual(expected)
    }),
  )
})

test('a node counts its items and those of all nodes below it', () => {
  fc.assert(
    fc.property(trees, (rows) => {
      const own = new Map(rows.map(({ category_id, item_count }) => [category_id, Number(item_count)]))
      const check = (node: CategoryNode): number => {
        const sum = node.children.reduce((sum, child) => sum + check(child), own.get(node.id) as number)
        expect([node.id, node.item_count]).toEqual([node.id, sum])
        return sum
      }
      const total = nestCategories(rows).reduce((sum, root) => sum + check(root), 0)
      expect(total).toBe([...own.values()].reduce((sum, items) => sum + items, 0))
    }),
  )
})

test('a category whose parent is missing is a root', () => {
  const rows = [{ category_id: 'cat_b', parent_id: 'cat_a', name: 'B', item_count: 3n }]
  expect(nestCategories(rows)).toEqual([{ id: 'cat_b', name: 'B', names: {}, item_count: 3, children: [] }])
})
