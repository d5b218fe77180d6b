import { openShape, shape } from '@catalog/api/contract/shared/described.ts'
import { Count, EXAMPLE, Id, NextCursor } from '@catalog/api/contract/shared/fields.ts'
import { Cursor, Flag, Market, pageLimit } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'

/** One node of the category tree. */
export const Category = shape('Category', {
  id: Id('cat_', 'Category id'),
  name: z.string(),
  names: z.record(z.string(), z.string()),
  parent_id: z.string().nullable(),
  item_count: Count,
}).meta({ id: 'Category' })

const categoryShape = Category.shape

/** A category with its path and children. */
export const CategoryDetail = shape('CategoryDetail', {
  ...categoryShape,
  path: z.array(z.strictObject({ id: categoryShape.id, name: z.string() })),
  children: z.array(Category),
  children_cursor: z.string().nullable(),
}).meta({ id: 'CategoryDetail' })

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

export const CategoryTreeResponse = shape('CategoryTreeResponse', {
  categories: z.array(CategoryNode),
  count: Count,
}).meta({ id: 'CategoryTreeResponse' })

const ID_CHARS_MAX = 100
const PARENT_EXPECTED = `expected 1 to ${ID_CHARS_MAX} characters`

export const ListCategoriesQuery = openShape('ListCategoriesQuery', {
  parent: z
    .string(PARENT_EXPECTED)
    // The published schema has no bounds, which would break clients; ids of other filters have the same.
    .refine((value) => value.length > 0 && [...value].length <= ID_CHARS_MAX, PARENT_EXPECTED)
    .optional()
    .meta({
      examples: [EXAMPLE.category],
    }),
  tree: Flag,
  cursor: Cursor,
  limit: pageLimit({ max: 100, ifAbsent: 50, counted: 'categories' }),
})

export const CATEGORY_CHANGE_DAYS = [7, 30, 90, 365] as const
export const CATEGORY_CHANGE_DAYS_IF_ABSENT = 90
const DAYS_EXPECTED = `expected one of ${CATEGORY_CHANGE_DAYS.join(', ')}`
/** Fewer items tell nothing of a category. */
export const COMPARED_ITEMS_MIN = 3

export const CategoryChangesQuery = z.object({
  days: z
    .preprocess(
      (value) => (typeof value === 'string' ? Number(/^\d{1,3}$/.exec(value)?.[0] ?? Number.NaN) : value),
      z.literal([...CATEGORY_CHANGE_DAYS], DAYS_EXPECTED).default(CATEGORY_CHANGE_DAYS_IF_ABSENT),
    )
    .meta({
      description: `How far back to compare, in days. Absent: ${CATEGORY_CHANGE_DAYS_IF_ABSENT}`,
      type: 'integer',
      enum: [...CATEGORY_CHANGE_DAYS],
      examples: [30],
    }),
  price_region: Market('Follow one market: compare the medians of this region. Absent: the headlines').optional(),
})

export const CategoryChangesResponse = shape('CategoryChangesResponse', {
  days: z.int(),
  price_region: z.string().nullable(),
  since: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  categories: z.array(
    shape('CategoryChangesResponse.categories', {
      id: categoryShape.id,
      compared_count: Count,
      rise_count: Count,
      fall_count: Count,
      change_percent: z
        .number()
        .nullable()
        .meta({
          description: `The geometric mean over these items of later / earlier, less 1, in percent (the Jevons index); null for fewer than ${COMPARED_ITEMS_MIN} items`,
          examples: [2.75],
        }),
    }),
  ),
}).meta({ id: 'CategoryChangesResponse' })
