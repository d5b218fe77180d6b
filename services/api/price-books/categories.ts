import {
  type Category,
  CategoryDetail,
  CategoryParams,
  CategoryTreeResponse,
  ListCategoriesQuery,
  ListCategoriesResponse,
  operation,
  PriceBook,
} from '@catalog/api/contract/contract.ts'
import { projectionVersion, publicationVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { nextLink, pageOf } from '@catalog/api/http/cursor.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { preferredType } from '@catalog/api/http/negotiate.ts'
import { categoryById } from '@catalog/embed/categories/tree.ts'
import {
  type CategoryRow,
  readCategories,
  readCategory,
  readCategoryPath,
  readCategoryTree,
} from '@catalog/replica/read/categories.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import type { z } from 'zod'
import { nestCategories } from './category-tree.ts'
import { BC3_TYPE, bookFile } from './price-book.ts'

/** GET /categories, one level of the tree at a time, GET /categories/tree, and GET /categories/{id}. */
export function categoryRoutes(v1: V1, context: CategoriesContext): void {
  const { cache, cursors } = context
  const readList = categoriesReader(context)
  v1.get(
    '/categories',
    operation('listCategories', { querystring: ListCategoriesQuery, answer: ListCategoriesResponse }),
    async (request, reply) => sendDocument(request, reply, await readList(request.query)),
  )

  treeRoute(v1, context)
  v1.get(
    '/categories/:id',
    operation('getCategory', {
      params: CategoryParams,
      answer: { 'application/json': CategoryDetail, [BC3_TYPE]: PriceBook },
    }),
    async (request, reply) => {
      // No id contains a dot.
      const [, id = '', suffix] = /^(.*?)(\.bc3)?$/s.exec(request.params.id) ?? []
      const type = suffix === undefined ? preferredType(request.headers.accept, TYPES) : BC3_TYPE
      const isBook = type === BC3_TYPE
      const document = await cache.get(
        // Recipes change with vendor data, without a publication.
        { key: JSON.stringify(['category', id, isBook]), versionOf: isBook ? projectionVersion : publicationVersion },
        async () =>
          isBook
            ? documentOf(await categoryBook(context, id), { 'content-type': BC3_TYPE })
            : documentOf(JSON.stringify(await detail(id)), { 'content-type': JSON_TYPE }),
      )
      reply.header('vary', 'Authorization, Accept, Accept-Encoding')
      return sendDocument(request, reply, document)
    },
  )

  async function detail(id: string): Promise<z.infer<typeof CategoryDetail>> {
    const { encode } = await cursors.get()
    const { row, path, below } = context.read((tables) => ({
      row: existing(tables, id),
      path: readCategoryPath(tables, id),
      below: readCategories(tables, { parentId: id, after: undefined, limit: CHILDREN_MAX + 1 }),
    }))
    const { shown: children, last } = pageOf(below, CHILDREN_MAX)
    return {
      ...category(row),
      path: path.map(({ category_id, name }) => ({ id: category_id, name })),
      children: children.map(category),
      children_cursor: last === undefined ? null : encode(last.category_id, scopeOf(id, false), { parent: id }),
    }
  }
}

/** GET /categories/tree. */
function treeRoute(v1: V1, context: CategoriesContext): void {
  v1.get('/categories/tree', operation('getCategoryTree', { answer: CategoryTreeResponse }), async (request, reply) => {
    const document = await context.cache.get({ key: TREE_KEY, versionOf: publicationVersion }, async () =>
      documentOf(JSON.stringify(context.read(categoryTree)), { 'content-type': JSON_TYPE }),
    )
    return sendDocument(request, reply, document)
  })
}

/** Throws not_acceptable for a tree with too many categories. */
function categoryTree(tables: Tables): z.infer<typeof CategoryTreeResponse> {
  const rows = readCategoryTree(tables, { limit: TREE_CATEGORIES_MAX + 1 })
  if (rows.length > TREE_CATEGORIES_MAX) {
    const details = `the tree has more than ${TREE_CATEGORIES_MAX} categories: expected /categories?tree=true, which lists them in pages`
    throw new ApiError('not_acceptable', details)
  }
  return { categories: nestCategories(rows), count: rows.length }
}
const TREE_KEY = JSON.stringify(['category tree'])
/** Most categories in one tree: some 2 MB of JSON. */
const TREE_CATEGORIES_MAX = 10_000

/** Throws not_acceptable for a category with too many items. */
async function categoryBook({ store, read, baseUrl }: CategoriesContext, id: string): Promise<Buffer> {
  const { item_count: count } = read((tables) => existing(tables, id))
  const file =
    count > BOOK_ITEMS_MAX
      ? null
      : await bookFile(store, { scope: { kind: 'category', categoryId: id }, baseUrl }, BOOK_ITEMS_MAX)
  if (file !== null) return file
  const details = `category '${id}' has ${count} items: expected at most ${BOOK_ITEMS_MAX} for ${BC3_TYPE}, as a category below it may have`
  throw new ApiError('not_acceptable', details)
}

type CategoriesContext = Pick<ApiContext, 'store' | 'read' | 'cache' | 'cursors' | 'baseUrl'>

/** Reads the answer of GET /categories. */
export function categoriesReader({
  read,
  cache,
  cursors,
  baseUrl,
}: Omit<CategoriesContext, 'store'>): (query: z.output<typeof ListCategoriesQuery>) => Promise<RenderedDocument> {
  return (query) => {
    const { parent, tree, cursor, limit } = query
    return cache.get({ key: JSON.stringify(['categories', query]), versionOf: publicationVersion }, async () => {
      const { encode, decode } = await cursors.get()
      const scope = scopeOf(parent, tree)
      const asked = {
        parentId: parent ?? null,
        tree,
        after: cursor === undefined ? undefined : decode(cursor, scope),
        limit: limit + 1,
      }
      const rows = read((tables) => {
        if (parent !== undefined) existing(tables, parent)
        return readCategories(tables, asked)
      })
      const { shown, last } = pageOf(rows, limit)
      const next = last === undefined ? null : encode(last.category_id, scope, query)
      return documentOf(JSON.stringify({ categories: shown.map(category), cursor: next }), {
        'content-type': JSON_TYPE,
        ...(next === null ? {} : { link: nextLink(`${baseUrl}/categories`, next) }),
      })
    })
  }
}

function existing(tables: Tables, id: string): CategoryRow {
  const row = readCategory(tables, id)
  if (row === undefined) throw new ApiError('category_not_found', `category '${id}' does not exist`)
  return row
}

/** Media types of a category; JSON is the default. */
const TYPES = ['application/json', BC3_TYPE] as const
/** Largest price book answered from memory; the command `catalog bc3 write` writes larger ones. */
const BOOK_ITEMS_MAX = 2_000

/** Children in the answer itself; the list pages through the rest. */
const CHILDREN_MAX = 100

const scopeOf = (parent: string | undefined, tree: boolean) => ['categories', parent, ...(tree ? ['tree'] : [])]

function category(row: CategoryRow): z.infer<typeof Category> {
  const names = categoryById(row.category_id)?.names ?? {}
  return {
    id: row.category_id,
    name: row.name,
    names: { ...names },
    parent_id: row.parent_id,
    item_count: Number(row.item_count),
  }
}
