import { writeCategories } from '@catalog/replica/follow/write.ts'
import { createTables, MEMORY } from '@catalog/replica/tables.ts'
import { expect, test } from 'vitest'
import { readCategories, readCategoryPath } from './categories.ts'

test('finds a category in its tree: its path, its level, and everything below it, in pages', () => {
  using tables = createTables(MEMORY)
  const tree = [
    ['cat_z', null, 'Root'],
    ['cat_m', 'cat_z', 'Middle'],
    ['cat_a', 'cat_m', 'Leaf'],
    ['cat_b', 'cat_m', 'Other leaf'],
    ['cat_y', null, 'Other root'],
  ] as const
  writeCategories(
    tables,
    tree.map(([category_id, parent_id, name]) => ({ category_id, parent_id, name })),
  )
  expect(readCategoryPath(tables, 'cat_a')).toEqual([
    { category_id: 'cat_z', name: 'Root' },
    { category_id: 'cat_m', name: 'Middle' },
  ])
  expect(readCategoryPath(tables, 'cat_z')).toEqual([])
  const ids = (parentId: string | null, tree: boolean, after?: string) =>
    readCategories(tables, { parentId, tree, after, limit: 2 }).map(({ category_id }) => category_id)
  expect(ids(null, false)).toEqual(['cat_y', 'cat_z'])
  expect(ids(null, true)).toEqual(['cat_a', 'cat_b'])
  expect(ids(null, true, 'cat_b')).toEqual(['cat_m', 'cat_y'])
  expect(ids('cat_z', true)).toEqual(['cat_a', 'cat_b'])
  expect(ids('cat_z', true, 'cat_b')).toEqual(['cat_m'])
  expect(ids('cat_z', false)).toEqual(['cat_m'])
  expect(ids('cat_a', true)).toEqual([])
})
