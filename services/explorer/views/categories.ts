import type { CategoryDetail, CategoryNode } from '@catalog/api/contract/contract.ts'
import type { Markup, Page } from '@catalog/explorer/pages/frame.ts'
import { onward } from '@catalog/explorer/pages/parts.ts'
import { itemRecord, type PageRecord } from '@catalog/explorer/pages/records.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html } from 'ghtml'
import type { z } from 'zod'
import { type Found, resultList } from './search.ts'

type Named = Readonly<{ name: string; names: Readonly<Record<string, string>> }>

/** The name of a category in the reader's language, where the tree has one. */
export const categoryName = ({ language }: View, { name, names }: Named): string => names[language] ?? name

/** The whole tree; levels open and close without a script. */
export function categoriesPage(view: View, roots: readonly CategoryNode[]): Page {
  const { say, origin } = view
  return {
    title: say('categories'),
    current: '/categories',
    body: roots.map((root) => branchOf(view, root)).join(''),
    data: { json: `${origin}/v1/categories/tree` },
    records: recordsOf(view, roots, null),
  }
}

/** The tree as lines, each with the category above it. */
function recordsOf(view: View, nodes: readonly CategoryNode[], parent: string | null): PageRecord[] {
  return nodes.flatMap((node) => [
    { id: node.id, parent, name: categoryName(view, node), items: node.item_count },
    ...recordsOf(view, node.children, node.id),
  ])
}

function branchOf(view: View, node: CategoryNode): Markup {
  const { say } = view
  if (node.children.length === 0) return html`<p class="leaf">!${linkOf(view, node)}</p>`
  const inner = node.children.map((child) => branchOf(view, child)).join('')
  const count = say('items', { count: node.item_count })
  return html`<details class="branch"><summary>${categoryName(view, node)} <span class="dim">${count}</span></summary>
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
  items: readonly Omit<Found, 'score'>[]
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
