import { type CategoryRow, readCategories, readCategory, readCategoryPath } from '@catalog/store/catalog.ts'
import type { z } from 'zod'
import { type ApiContext, nextLink, type V1 } from './context.ts'
import {
  answers,
  type Category,
  CategoryDetail,
  IdParams,
  ListCategoriesQuery,
  ListCategoriesResponse,
} from './contract.ts'
import { pageOf } from './cursor.ts'
import { documentOf, JSON_TYPE, sendDocument } from './documents.ts'
import { ApiError } from './errors.ts'
import { asOfPublication } from './head.ts'

/** GET /categories, a tree read one level at a time, and GET /categories/{id}. Additive to the specification. */
export function categoryRoutes(
  v1: V1,
  { store, cache, cursors, baseUrl }: Pick<ApiContext, 'store' | 'cache' | 'cursors' | 'baseUrl'>,
): void {
  v1.get(
    '/categories',
    {
      schema: {
        operationId: 'listCategories',
        summary: 'Categories below a category, with item counts',
        description: 'One level of the tree, or with `tree` all levels, in pages; without `parent` from the roots.',
        tags: ['Catalog'],
        querystring: ListCategoriesQuery,
        response: answers('A page of categories', { 'application/json': ListCategoriesResponse }, [400, 404]),
      },
    },
    async (request, reply) => {
      const { parent, tree, cursor, limit } = request.query
      const key = JSON.stringify(['categories', request.query])
      const document = await cache.get({ key, asOf: asOfPublication }, async () => {
        const { encode, decode } = await cursors()
        const scope = scopeOf(parent, tree)
        if (parent !== undefined) await existing(parent)
        const rows = await readCategories(store, {
          parentId: parent ?? null,
          tree,
          after: cursor === undefined ? undefined : decode(cursor, scope),
          limit: limit + 1,
        })
        const { shown, last } = pageOf(rows, limit)
        const next = last === undefined ? null : encode(last.category_id, scope)
        return documentOf(JSON.stringify({ categories: shown.map(category), cursor: next }), {
          'content-type': JSON_TYPE,
          ...(next === null ? {} : { link: nextLink(`${baseUrl}/categories`, { ...request.query, cursor: next }) }),
        })
      })
      return sendDocument(request, reply, document)
    },
  )

  v1.get(
    '/categories/:id',
    {
      schema: {
        operationId: 'getCategory',
        summary: 'One category',
        description:
          'Its name, how many items it and all below it hold, the way to it from the root, and its children.',
        tags: ['Catalog'],
        params: IdParams,
        response: answers('The category', { 'application/json': CategoryDetail }, [404]),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const document = await cache.get({ key: JSON.stringify(['category', id]), asOf: asOfPublication }, async () =>
        documentOf(JSON.stringify(await detail(id)), { 'content-type': JSON_TYPE }),
      )
      return sendDocument(request, reply, document)
    },
  )

  async function detail(id: string): Promise<z.infer<typeof CategoryDetail>> {
    const row = await existing(id)
    const path = await readCategoryPath(store, id)
    const rows = await readCategories(store, { parentId: id, after: undefined, limit: CHILDREN_MAX + 1 })
    const { shown: children, last } = pageOf(rows, CHILDREN_MAX)
    const { encode } = await cursors()
    return {
      ...category(row),
      path: path.map(({ category_id, name }) => ({ id: category_id, name })),
      children: children.map(category),
      children_cursor: last === undefined ? null : encode(last.category_id, scopeOf(id, false)),
    }
  }

  async function existing(id: string): Promise<CategoryRow> {
    // U+0000 is in no id, and Postgres takes no text that holds it.
    const row = id.includes('\0') ? undefined : await readCategory(store, id)
    if (row === undefined) throw new ApiError('category_not_found', `category '${id}' does not exist`)
    return row
  }
}

/** Children that a category names itself; the rest is a page of the list. */
const CHILDREN_MAX = 100

const scopeOf = (parent: string | undefined, tree: boolean) => ['categories', parent, ...(tree ? ['tree'] : [])]

function category(row: CategoryRow): z.infer<typeof Category> {
  return { id: row.category_id, name: row.name, parent_id: row.parent_id, item_count: Number(row.item_count) }
}
