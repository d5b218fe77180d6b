import type { Tables } from '@catalog/replica/tables.ts'

/** The tree of categories. */

export type CategoryRow = Readonly<{ category_id: string; parent_id: string | null; name: string; item_count: bigint }>

/** Ids of the category and of all categories below it; empty for an unknown id. */
export function readCategoriesBelow(tables: Tables, categoryId: string): string[] {
  return tables.all<{ category_id: string }>(`${BELOW} select category_id from below`, categoryId).map(idOf)
}

/** The children of a category (null: the roots), or with `tree` all categories below it, ascending by id. */
export function readCategories(
  tables: Tables,
  {
    parentId,
    tree = false,
    after = '',
    limit,
  }: { parentId: string | null; tree?: boolean; after: string | undefined; limit: number },
): CategoryRow[] {
  const ids =
    parentId === null && tree
      ? tables.all<{ category_id: string }>('select category_id from categories').map(idOf)
      : tree
        ? readCategoriesBelow(tables, parentId as string).filter((id) => id !== parentId)
        : tables
            .all<{ category_id: string }>('select category_id from categories where parent_id is ?', parentId)
            .map(idOf)
  const page = ids
    .filter((id) => id > after)
    .sort()
    .slice(0, limit)
  return page.map((id) => readCategory(tables, id) as CategoryRow)
}

/** A category with the number of active items in it and below it. */
export function readCategory(tables: Tables, categoryId: string): CategoryRow | undefined {
  const row = tables.get<Omit<CategoryRow, 'item_count'> & { item_count: number }>(
    `${BELOW} select category_id, parent_id, name,
       (select count(*) from below b join items i on i.category_id = b.category_id) as item_count
     from categories where category_id = ?1`,
    categoryId,
  )
  return row && { ...row, item_count: BigInt(row.item_count) }
}

/** Undefined for an unknown id. */
export const readCategoryName = (tables: Tables, categoryId: string): string | undefined =>
  tables.get<{ name: string }>('select name from categories where category_id = ?', categoryId)?.name
/** All categories by id, at most `limit`. `item_count` counts the active items of the category alone, not those below it. */
export function readCategoryTree(tables: Tables, { limit }: { limit: number }): CategoryRow[] {
  return tables
    .all<Omit<CategoryRow, 'item_count'> & { item_count: number }>(
      `select c.category_id, c.parent_id, c.name,
         (select count(*) from items i where i.category_id = c.category_id) as item_count
       from categories c order by c.category_id limit ?`,
      limit,
    )
    .map((row) => ({ ...row, item_count: BigInt(row.item_count) }))
}

/** The categories above this one, the root first. */
export function readCategoryPath(tables: Tables, categoryId: string): Pick<CategoryRow, 'category_id' | 'name'>[] {
  return tables.all(
    `with recursive above as (
       select category_id, parent_id, name, 0 as steps from categories where category_id = ?
       union all
       select c.category_id, c.parent_id, c.name, a.steps + 1 from above a join categories c on c.category_id = a.parent_id
     )
     select category_id, name from above where steps > 0 order by steps desc`,
    categoryId,
  )
}

const BELOW = `with recursive below as (
  select category_id from categories where category_id = ?1
  union
  select c.category_id from below b join categories c on c.parent_id = b.category_id
)`
const idOf = ({ category_id }: { category_id: string }) => category_id
