import {
  CATEGORY_CHANGE_DAYS,
  type CategoryChangesResponse,
  type CategoryDetail,
  type CategoryNode,
} from '@catalog/api/contract/contract.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { onward } from '@catalog/explorer/pages/parts.ts'
import { itemRecord, type PageRecord } from '@catalog/explorer/pages/records.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import type { z } from 'zod'
import { type Listed, resultList } from './search.ts'

type Named = Readonly<{ name: string; names: Readonly<Record<string, string>> }>

/** The name of a category in the reader's language, where the tree has one. */
export const categoryName = ({ language }: View, { name, names }: Named): string => names[language] ?? name

export type Moves = z.infer<typeof CategoryChangesResponse>

export type TreeAnswers = Readonly<{
  roots: readonly CategoryNode[]
  days: number
  /** Undefined while the database, which alone compares, is away. */
  moves: Moves | undefined
}>

/** The whole tree, with how prices moved beside each category; levels open and close without a script. */
export function categoriesPage(view: View, answers: TreeAnswers): Page {
  const { say, origin, market } = view
  const { roots, days, moves } = answers
  const moveOf = moveReader(view, moves)
  const asked = new URLSearchParams({ days: String(days), ...(market !== undefined && { price_region: market }) })
  return {
    title: say('categories'),
    current: '/categories',
    body: [
      movesSection(view, answers),
      html`<section><h2>${say('browse')}</h2>!${roots.map((root) => branchOf(view, root, moveOf)).join('')}</section>`,
    ].join('\n'),
    data: { json: moves === undefined ? `${origin}/v1/categories/tree` : `${origin}/v1/categories/changes?${asked}` },
    records: recordsOf(view, roots, moves),
  }
}

type CategoryMove = Moves['categories'][number]
type MoveOf = (id: string) => Markup

const movesById = (moves: Moves | undefined): ReadonlyMap<string, CategoryMove> =>
  new Map(moves?.categories.map((move) => [move.id, move]))

/** The move of a category in words: "+2.8%", and how many items rose and fell. */
function moveReader({ say, formats }: View, moves: Moves | undefined): MoveOf {
  const byId = movesById(moves)
  return (id) => {
    if (moves === undefined) return ''
    const move = byId.get(id)
    if (move === undefined || move.change_percent === null) return html`<span class="dim">· ${say('tooFew')}</span>`
    const share = move.change_percent / 100
    const kind = share > 0 ? 'up' : share < 0 ? 'down' : 'dim'
    const { compared_count: compared, rise_count: rises, fall_count: falls } = move
    const counts = say('comparedItems', { compared, rises, falls })
    return html`<span class="dim">·</span> <span class="${kind}">${formats.change(share)}</span> <span class="dim">· ${counts}</span>`
  }
}

function movesSection(view: View, { days, moves }: TreeAnswers): Markup {
  const { say, formats } = view
  if (moves === undefined) return html`<p class="note">${say('movesAway')}</p>`
  const periods = CATEGORY_CHANGE_DAYS.map((period) => {
    const isCurrent = period === days ? ' aria-current="true"' : ''
    return html`<li><a href="${linkTo(view, '/categories', { days: String(period) })}"!${isCurrent}>${say('daysCount', { count: period })}</a></li>`
  })
  const period = say('daysCount', { count: days })
  const hasAny = moves.until !== null && moves.categories.length > 0
  const about = hasAny
    ? html`<p class="dim">${say('priceMovesIntro', { period, when: formats.day(moves.until as string) })}</p>`
    : html`<p class="note">${say('movesNone')}</p>`
  return html`<section aria-labelledby="moves"><h2 id="moves">${say('priceMoves')}</h2>!${about}
<ul class="chips" aria-label="${say('period')}">!${periods}</ul></section>`
}

/** The tree as lines, each with the category above it. */
function recordsOf(view: View, roots: readonly CategoryNode[], moves: Moves | undefined): PageRecord[] {
  const byId = movesById(moves)
  const below = (nodes: readonly CategoryNode[], parent: string | null): PageRecord[] =>
    nodes.flatMap((node) => {
      const move = byId.get(node.id)
      const record = {
        id: node.id,
        parent,
        name: categoryName(view, node),
        items: node.item_count,
        compared: move?.compared_count ?? 0,
        change_percent: move?.change_percent ?? null,
      }
      return [record, ...below(node.children, node.id)]
    })
  return below(roots, null)
}

function branchOf(view: View, node: CategoryNode, moveOf: MoveOf): Markup {
  const { say } = view
  const markup = moveOf(node.id)
  if (node.children.length === 0) return html`<p class="leaf">!${linkOf(view, node)} !${markup}</p>`
  const inner = node.children.map((child) => branchOf(view, child, moveOf)).join('')
  const count = say('items', { count: node.item_count })
  return html`<details class="branch"><summary>${categoryName(view, node)} <span class="dim">${count}</span> !${markup}</summary>
<div class="inner"><p class="leaf">!${linkOf(view, node, say('allOfCategory'))}</p>!${inner}</div></details>`
}

const linkOf = (
  view: View,
  node: Named & { id: string; item_count: number },
  name = categoryName(view, node),
): Markup =>
  html`<a href="${linkTo(view, `/categories/${node.id}`)}">${name}</a> <span class="dim">${view.say('items', { count: node.item_count })}</span>`

export type CategoryAnswers = Readonly<{
  category: z.infer<typeof CategoryDetail>
  items: readonly Listed[]
  /** The address of the next page of items. */
  next: string | undefined
}>

/** One category: its path, the categories below it, and its items. */
export function categoryPage(view: View, { category, items, next }: CategoryAnswers): Page {
  const { say, origin } = view
  const path = [
    html`<li><a href="${linkTo(view, '/categories')}">${say('categories')}</a></li>`,
    ...category.path.map(({ id, name }) => html`<li><a href="${linkTo(view, `/categories/${id}`)}">${name}</a></li>`),
  ]
  const children = category.children.map((child) => html`<li>!${linkOf(view, child)}</li>`)
  const query = new URLSearchParams({ category_id: category.id, ...(view.market && { price_region: view.market }) })
  return {
    title: categoryName(view, category),
    current: '/categories',
    hasOwnHeading: true,
    body: [
      html`<nav aria-label="${say('category')}"><ol class="path">!${path.join('')}</ol></nav>`,
      html`<h1>${categoryName(view, category)}</h1><p class="dim">${say('items', { count: category.item_count })}</p>`,
      children.length === 0 ? '' : html`<ul class="chips">!${children.join('')}</ul>`,
      items.length === 0 ? html`<p>${say('noItems')}</p>` : resultList(view, items),
      onward(next, say('nextPage')),
    ].join('\n'),
    data: { json: `${origin}/v1/items?${query}`, feed: `${origin}/v1/feeds/category/${category.id}` },
    records: items.map(itemRecord),
  }
}
