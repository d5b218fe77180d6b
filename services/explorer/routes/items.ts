import type { CategoryNode, ItemBasis, ItemDetail } from '@catalog/api/contract/contract.ts'
import { regionOf } from '@catalog/core/events/sources.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import type { Step } from '@catalog/explorer/charts/price-chart.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { formOf } from '@catalog/explorer/pages/records.ts'
import type { View } from '@catalog/explorer/pages/view.ts'
import { COMPARED_MAX, type Compared, comparePage } from '@catalog/explorer/views/compare.ts'
import { itemPage, PERIODS } from '@catalog/explorer/views/item.ts'
import { recipePage } from '@catalog/explorer/views/recipe.ts'
import type { FastifyRequest } from 'fastify'
import type { CatalogReader } from './catalog-reader.ts'
import { PageFailure } from './catalog-reader.ts'
import EMPTY from './empty-basis.json' with { type: 'json' }

/** Pages of items: one, several beside each other, and the recipe of one. */

/** The id of the path, without the form that an address of data ends with. */
export const idOf = (request: FastifyRequest) => formOf((request.params as { id: string }).id).bare
/** What selects prices and names for a view. */
export const shownIn = ({ market, language }: View) => ({ price_region: market, lang: language })

/** Points of a page of history, and pages of a chart: a change a day for 27 years. */
const POINTS_MAX = 1_000
const PAGES_MAX = 10

export async function readItem(view: View, read: CatalogReader, request: FastifyRequest): Promise<Page> {
  const id = idOf(request)
  const asked = view.address.searchParams.get('days')
  const days = asked === 'all' ? null : (PERIODS.find((period) => String(period) === asked) ?? 365)
  const { detail, location } = await read.item(id, shownIn(view))
  const [basis, history, path] = await Promise.all([
    basisOf(read, detail),
    historyOf(view, read, { id, days }),
    pathOf(read, detail.item.category_id),
  ])
  const hasRecipe = basis.kind === 'work'
  return itemPage(view, { detail, basis, history, days, hasRecipe, path, isMerged: location !== undefined })
}

/** The basis; one of no run while the store is away: the price and its history are shown all the same. */
async function basisOf(read: CatalogReader, { item }: ItemDetail): Promise<ItemBasis> {
  try {
    return await read.basis(item.id)
  } catch (error) {
    if (!(error instanceof PageFailure) || error.status !== 503) throw error
    return emptyBasis(item)
  }
}

/** The basis of an item of which nothing but its detail is known. */
function emptyBasis({ id, name, unit = null, median_price: median = null, updated_at }: ItemDetail['item']): ItemBasis {
  const basis = { ...EMPTY.basis, currency: median?.currency ?? null }
  return { ...EMPTY, item_id: id, name, unit, as_of: updated_at, median, basis }
}

async function historyOf(
  { market, now }: View,
  read: CatalogReader,
  { id, days }: { id: string; days: number | null },
): Promise<Step[]> {
  const from = days === null ? undefined : new Date(now.getTime() - days * DAY_MS).toISOString()
  const steps: Step[] = []
  let cursor: string | undefined
  do {
    const page = await read.history(id, { price_region: market, from, limit: POINTS_MAX, cursor })
    steps.push(...page.points.map(({ recorded_at, price_cents }) => ({ at: recorded_at, cents: price_cents })))
    cursor = page.cursor ?? undefined
  } while (cursor !== undefined && steps.length < POINTS_MAX * PAGES_MAX)
  return steps
}

/** The categories from the root to the item's, with their names in each language. */
async function pathOf(read: CatalogReader, categoryId: string | null | undefined): Promise<readonly CategoryNode[]> {
  if (categoryId == null) return []
  const { categories } = await read.categoryTree()
  return pathTo(categories, categoryId) ?? []
}

function pathTo(nodes: readonly CategoryNode[], id: string): CategoryNode[] | undefined {
  for (const node of nodes) {
    if (node.id === id) return [node]
    const below = pathTo(node.children, id)
    if (below !== undefined) return [node, ...below]
  }
  return undefined
}

export async function readRecipe(view: View, read: CatalogReader, request: FastifyRequest): Promise<Page> {
  return recipePage(view, await read.recipe(idOf(request), { region: view.market }))
}

/** `items` and `markets` by commas; every item in every market, at most {@link COMPARED_MAX} lines. */
export async function readComparison(view: View, read: CatalogReader): Promise<Page> {
  const list = (name: string) =>
    (view.address.searchParams.get(name) ?? '')
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '')
  const named = [...new Set(list('markets').flatMap((code) => regionOf(code) ?? []))].slice(0, COMPARED_MAX)
  const markets = named.length === 0 ? [view.market] : named
  const ids = [...new Set(list('items'))].slice(0, COMPARED_MAX)
  const pairs = ids.flatMap((id) => markets.map((market) => ({ id, market }))).slice(0, COMPARED_MAX)
  const found = await Promise.all(pairs.map((pair) => compared(view, read, pair)))
  const missing = pairs.filter((_, i) => found[i] === undefined)
  return comparePage(
    view,
    found.flatMap((line) => line ?? []),
    [...new Set(missing.map(({ id }) => id))],
  )
}

async function compared(
  view: View,
  read: CatalogReader,
  { id, market }: { id: string; market: string | undefined },
): Promise<Compared | undefined> {
  try {
    const shown = { ...view, market }
    const { detail } = await read.item(id, shownIn(shown))
    const [basis, history] = await Promise.all([basisOf(read, detail), historyOf(shown, read, { id, days: 365 })])
    return { item: detail.item, market, basis, history }
  } catch (error) {
    if (error instanceof PageFailure && error.status === 404) return undefined
    throw error
  }
}
