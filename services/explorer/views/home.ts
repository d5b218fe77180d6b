import type { Page } from '@catalog/explorer/pages/frame.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { type Listed, resultList } from './search.ts'

export type HomeAnswers = Readonly<{
  categories: readonly Readonly<{ id: string; name: string; item_count: number }>[]
  /** Those that changed last, the newest first. */
  items: readonly Listed[]
}>

export function homePage(view: View, { categories, items }: HomeAnswers): Page {
  const { say, origin } = view
  return {
    title: say('catalog'),
    hasOwnHeading: true,
    body: [
      html`<h1>${say('tagline')}</h1>`,
      html`<div class="columns"><section aria-labelledby="categories"><h2 id="categories">${say('categories')}</h2>!${categoryLinks(view, categories)}</section>
<section aria-labelledby="changes"><h2 id="changes">${say('newest')}</h2>!${resultList(view, items)}<p><a href="${linkTo(view, '/changes')}">${say('changes')}</a></p></section></div>`,
    ].join('\n'),
    data: { json: `${origin}/v1/items`, feed: `${origin}/v1/feeds/items.atom` },
  }
}

function categoryLinks(view: View, categories: HomeAnswers['categories']): Markup {
  const { say } = view
  const links = categories.map(
    ({ id, name, item_count: count }) =>
      html`<li><a class="name" href="${linkTo(view, `/categories/${id}`)}">${name}</a> <span class="dim">${say('items', { count })}</span></li>`,
  )
  return html`<ul class="results">!${links.join('')}</ul>`
}
