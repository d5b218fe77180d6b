import type { CategoryNode } from '@catalog/api/contract/contract.ts'
import { categoryById } from '@catalog/embed/categories/tree.ts'
import type { CategoryRow } from '@catalog/replica/read/categories.ts'

/**
 * Nests categories, each with its own items counted alone: a node counts its items and those of all nodes below it. A
 * category whose parent is missing becomes a root. Siblings keep the order of the rows.
 */
export function nestCategories(rows: readonly CategoryRow[]): CategoryNode[] {
  const ids = new Set(rows.map(({ category_id }) => category_id))
  const byParent = Map.groupBy(rows, ({ parent_id }) => (parent_id !== null && ids.has(parent_id) ? parent_id : null))
  const nodesBelow = (parentId: string | null): CategoryNode[] =>
    (byParent.get(parentId) ?? []).map(({ category_id: id, name, item_count }) => {
      const children = nodesBelow(id)
      return {
        id,
        name,
        names: { ...(categoryById(id)?.names ?? {}) },
        item_count: children.reduce((sum, child) => sum + child.item_count, Number(item_count)),
        children,
      }
    })
  return nodesBelow(null)
}
