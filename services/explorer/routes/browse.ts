import { regionOf } from '@catalog/core/events/sources.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { categoriesPage, categoryName, categoryPage } from '@catalog/explorer/views/categories.ts'
import { changesPage } from '@catalog/explorer/views/changes.ts'
import { homePage } from '@catalog/explorer/views/home.ts'
import type { FastifyRequest } from 'fastify'
import type { CatalogReader } from './catalog-reader.ts'
import { shownIn } from './items.ts'

/** Ways into the catalog without a question: the start, categories, and what changed. */

const PAGE_ITEMS = 30
const HOME_CHANGES = 8

export async function readHome(view: View, read: CatalogReader): Promise<Page> {
  const [{ categories }, { items }] = await Promise.all([
    read.categoryTree(),
    read.items({ ...shownIn(view), sort: '-updated', limit: HOME_CHANGES, region: view.market }),
  ])
  return homePage(view, { categories: categories.map((root) => ({ ...root, name: categoryName(view, root) })), items })
}

export async function readCategories(view: View, read: CatalogReader): Promise<Page> {
  const { categories } = await read.categoryTree()
  return categoriesPage(view, categories)
}

export async function readCategory(view: View, read: CatalogReader, request: FastifyRequest): Promise<Page> {
  const { id } = request.params as { id: string }
  const cursor = view.address.searchParams.get('cursor') ?? undefined
  const [category, page] = await Promise.all([
    read.category(id),
    read.items({ ...shownIn(view), category_id: id, sort: 'name', limit: PAGE_ITEMS, cursor }),
  ])
  const next = page.cursor === null ? undefined : linkTo(view, `/categories/${id}`, { cursor: page.cursor })
  return categoryPage(view, { category, items: page.items, next })
}

export async function readChanges(view: View, read: CatalogReader): Promise<Page> {
  const { searchParams } = view.address
  const region = regionOf(searchParams.get('region') ?? '') ?? view.market
  const cursor = searchParams.get('cursor') ?? undefined
  const categoryId = searchParams.get('category_id') || undefined
  const { items, cursor: next } = await read.items({
    lang: view.language,
    price_region: region,
    region,
    category_id: categoryId,
    sort: '-updated',
    limit: PAGE_ITEMS,
    cursor,
  })
  const older = next === null ? undefined : linkTo(view, '/changes', { region, category_id: categoryId, cursor: next })
  return changesPage(view, { items, region, older })
}
