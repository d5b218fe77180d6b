import { CATEGORY_CHANGE_DAYS, CATEGORY_CHANGE_DAYS_IF_ABSENT } from '@catalog/api/contract/contract.ts'
import { regionOf } from '@catalog/core/events/sources.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { categoriesPage, categoryName, categoryPage } from '@catalog/explorer/views/categories.ts'
import { type Change, changesPage, MOVES, type Move, shareOf } from '@catalog/explorer/views/changes.ts'
import { homePage } from '@catalog/explorer/views/home.ts'
import type { FastifyRequest } from 'fastify'
import { type CatalogReader, PageFailure } from './catalog-reader.ts'
import { idOf, shownIn } from './items.ts'

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
  const asked = Number(view.address.searchParams.get('days'))
  const days = CATEGORY_CHANGE_DAYS.find((known) => known === asked) ?? CATEGORY_CHANGE_DAYS_IF_ABSENT
  const [{ categories: roots }, moves] = await Promise.all([
    read.categoryTree(),
    read.categoryChanges({ days, price_region: view.market }).catch((error: unknown) => {
      // Comparing needs the database; the tree does not.
      if (error instanceof PageFailure && error.status === 503) return undefined
      throw error
    }),
  ])
  return categoriesPage(view, { roots, days, moves })
}

export async function readCategory(view: View, read: CatalogReader, request: FastifyRequest): Promise<Page> {
  const id = idOf(request)
  const cursor = view.address.searchParams.get('cursor') ?? undefined
  const [category, page] = await Promise.all([
    read.category(id),
    read.items({ ...shownIn(view), category_id: id, sort: 'name', limit: PAGE_ITEMS, cursor }),
  ])
  const next = page.cursor === null ? undefined : linkTo(view, `/categories/${id}`, { cursor: page.cursor })
  return categoryPage(view, { category, items: page.items, next })
}

/** Pages of items that are read to find rises or falls alone. */
const PAGES_READ_MAX = 4

export async function readChanges(view: View, read: CatalogReader): Promise<Page> {
  const { searchParams } = view.address
  // The menu's market is the last choice; feeds and links name a region.
  const named = searchParams.has('price_region') ? undefined : regionOf(searchParams.get('region') ?? '')
  const region = named ?? view.market
  const categoryId = searchParams.get('category_id') || undefined
  const move = MOVES.find((known) => known === searchParams.get('move'))
  const shown = { lang: view.language, price_region: region }
  const found: Change[] = []
  let cursor = searchParams.get('cursor') ?? undefined
  for (let pages = 1; ; pages++) {
    const asked = { ...shown, region, category_id: categoryId, sort: '-updated', limit: PAGE_ITEMS, cursor }
    const { items, cursor: next } = await read.items(asked)
    const changes = await Promise.all(items.map(async (item) => changeOf(item, await read.item(item.id, shown))))
    found.push(...changes.filter((change) => move === undefined || moveOf(change) === move))
    cursor = next ?? undefined
    if (cursor === undefined || found.length >= PAGE_ITEMS / 2 || pages === PAGES_READ_MAX) break
  }
  const older =
    cursor === undefined
      ? undefined
      : linkTo(view, '/changes', { price_region: region ?? '', category_id: categoryId, move, cursor })
  const { categories } = await read.categoryTree()
  return changesPage(view, { items: found, region, categoryId, move, categories, older })
}

/** The item with the median that its present one replaced. */
function changeOf<Item extends Omit<Change, 'before' | 'isPrice'>>(
  item: Item,
  { detail: { price_history: history } }: Awaited<ReturnType<CatalogReader['item']>>,
): Item & Change {
  const currency = item.median_price?.currency
  const isPrice = currency === undefined || history.at(-1)?.recorded_at === item.updated_at
  // The last point is the present median.
  const before = history.filter((point) => point.currency === currency).at(-2)
  return { ...item, isPrice, before: before?.price_cents }
}

function moveOf(change: Change): Move | undefined {
  const share = shareOf(change)
  return share === undefined || share === 0 ? undefined : share > 0 ? 'rise' : 'fall'
}
