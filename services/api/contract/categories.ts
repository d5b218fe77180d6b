import { Count, EXAMPLE, Id, NextCursor } from '@catalog/api/contract/shared/fields.ts'
import { Cursor, Flag, pageLimit } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'

/** One node of the category tree. */
export const Category = z
  .strictObject({
    id: Id('cat_', 'Category id'),
    name: z.string(),
    names: z.record(z.string(), z.string()).meta({
      description: 'Its names by language (ISO 639-1); empty for a category of an earlier tree',
      examples: [{ en: 'Aggregates', es: 'Áridos' }],
    }),
    parent_id: z.string().nullable().meta({ description: 'null for a root' }),
    item_count: Count.meta({ description: 'Items in the category and in all categories below it' }),
  })
  .meta({ id: 'Category' })

const categoryShape = Category.shape

/** A category with its path and children. */
export const CategoryDetail = z
  .strictObject({
    ...categoryShape,
    path: z.array(z.strictObject({ id: categoryShape.id, name: z.string() })).meta({
      description: 'From the root to the parent; empty for a root',
    }),
    children: z.array(Category).meta({ description: 'The first 100, by id' }),
    children_cursor: z.string().nullable().meta({
      description: 'Cursor of the next page of `/categories?parent=` with this id; null when there are no more',
    }),
  })
  .meta({ id: 'CategoryDetail' })

export const ListCategoriesResponse = z
  .strictObject({ categories: z.array(Category), cursor: NextCursor })
  .meta({ id: 'ListCategoriesResponse' })

/** A category within the tree, with its children. */
export const CategoryNode = z
  .strictObject({
    id: categoryShape.id,
    name: categoryShape.name,
    names: categoryShape.names,
    item_count: categoryShape.item_count,
    get children(): z.ZodArray<z.ZodType<CategoryNode>> {
      return z.array(CategoryNode).meta({ description: 'Categories directly below it, by id; empty for a leaf' })
    },
  })
  .meta({ id: 'CategoryNode' })
export type CategoryNode = Readonly<{
  id: string
  name: string
  names: Record<string, string>
  item_count: number
  children: CategoryNode[]
}>

export const CategoryTreeResponse = z
  .strictObject({
    categories: z.array(CategoryNode).meta({ description: 'The roots, by id' }),
    count: Count.meta({ description: 'Categories in the tree' }),
  })
  .meta({ id: 'CategoryTreeResponse' })

const ID_CHARS_MAX = 100
const PARENT_EXPECTED = `expected 1 to ${ID_CHARS_MAX} characters`

export const ListCategoriesQuery = z.object({
  parent: z
    .string(PARENT_EXPECTED)
    // The published schema has no bounds, which would break clients; ids of other filters have the same.
    .refine((value) => value.length > 0 && [...value].length <= ID_CHARS_MAX, PARENT_EXPECTED)
    .optional()
    .meta({
      description: 'Go one level down: the categories below the one of this id. Absent: the roots',
      examples: [EXAMPLE.category],
    }),
  tree: Flag('Load the whole tree at once: `true` lists all levels below, by id, and each category names its parent'),
  cursor: Cursor,
  limit: pageLimit({ max: 100, ifAbsent: 50, counted: 'categories' }),
})
