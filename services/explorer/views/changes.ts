import type { CategoryNode } from '@catalog/api/contract/contract.ts'
import { sayCode } from '@catalog/explorer/languages/language.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { onward } from '@catalog/explorer/pages/parts.ts'
import { itemRecord } from '@catalog/explorer/pages/records.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { categoryName } from './categories.ts'
import { type Listed, resultList } from './search.ts'

/** An item that changed. */
export type Change = Listed &
  Readonly<{
    /** Whether its median changed; otherwise its vendors or facts did. */
    isPrice: boolean
    /** The median before in the same currency; undefined where it had none in 90 days. */
    before: number | undefined
  }>

export const MOVES = ['rise', 'fall'] as const
export type Move = (typeof MOVES)[number]

export type ChangesAnswers = Readonly<{
  /** The newest change first. */
  items: readonly Change[]
  region: string | undefined
  categoryId: string | undefined
  move: Move | undefined
  /** To choose from. */
  categories: readonly CategoryNode[]
  /** The address of older ones; undefined at the end. */
  older: string | undefined
}>

/** New median over the former one, less 1; undefined without both. */
export const shareOf = ({ isPrice, before, median_price: median }: Change): number | undefined =>
  !isPrice || before === undefined || before === 0 || !median ? undefined : median.cents / before - 1

/** What changed, as people read the feed: day by day, each median with the one before. */
export function changesPage(view: View, answers: ChangesAnswers): Page {
  const { say, origin, formats } = view
  const { items, region, categoryId, older } = answers
  const place = region === undefined ? say('allMarkets') : sayCode(say, 'region', region)
  const feed =
    region === undefined ? `${origin}/v1/feeds/items.atom?limit=20` : `${origin}/v1/feeds/region/${region}?limit=20`
  const asked = new URLSearchParams({
    sort: '-updated',
    ...(region !== undefined && { region, price_region: region }),
    ...(categoryId !== undefined && { category_id: categoryId }),
  })
  const days = Map.groupBy(items, ({ updated_at: at }) => at.slice(0, 10))
  return {
    title: `${say('changes')}: ${place}`,
    current: '/changes',
    body: [
      filterForm(view, answers),
      items.length === 0 ? html`<p>${say('noChanges')}</p>` : '',
      ...[...days].map(
        ([day, changed]) =>
          html`<section><h2><time datetime="${day}">${formats.day(day)}</time></h2>!${resultList(view, changed, (item) => [moveOf(view, item)])}</section>`,
      ),
      onward(older, say('older')),
    ].join('\n'),
    data: { json: `${origin}/v1/items?${asked}`, feed },
    records: items.map((item) => ({ ...itemRecord(item), before_cents: item.before ?? null })),
  }
}

/** "▲ rose by 3.1 %, before: 4.72 €"; a new price and one that went say so. */
function moveOf(view: View, change: Change): Markup {
  const { say, formats } = view
  const { median_price: median, before } = change
  if (!change.isPrice) return html`<span class="dim">${say('changeOther')}</span>`
  if (!median) return html`<span class="dim">${say('noPrice')}</span>`
  const share = shareOf(change)
  if (share === undefined || before === undefined) return html`<span class="dim">${say('changeNew')}</span>`
  const was = say('before', { price: formats.money({ cents: before, currency: median.currency }) })
  const [move, sign] = share > 0 ? (['rise', '▲'] as const) : (['fall', '▼'] as const)
  return html`<span class="${share > 0 ? 'up' : 'down'}">${sign} ${say(move)} ${formats.percent(Math.abs(share))}</span> <span class="dim">${was}</span>`
}

function filterForm(view: View, { region, categoryId, move, categories }: ChangesAnswers): Markup {
  const { say } = view
  const option = (value: string, text: string, chosen: string | undefined) =>
    html`<option value="${value}"!${value === chosen ? ' selected' : ''}>${text}</option>`
  const groups = categories.map((root) => option(root.id, categoryName(view, root), categoryId))
  const known = categoryId === undefined || categories.some(({ id }) => id === categoryId)
  const moves = MOVES.map((each) => option(each, say(each === 'rise' ? 'onlyRises' : 'onlyFalls'), move))
  return html`<form class="filters" action="/changes" aria-label="${say('filters')}">
<input type="hidden" name="price_region" value="${region ?? ''}">
!${view.isLanguageChosen ? html`<input type="hidden" name="lang" value="${view.language}">` : ''}
<div><label for="category">${say('category')}</label><select id="category" name="category_id"><option value="">${say('noFilter')}</option>!${known ? '' : option(categoryId, categoryId, categoryId)}!${groups}</select></div>
<div><label for="move">${say('changes')}</label><select id="move" name="move"><option value="">${say('noFilter')}</option>!${moves}</select></div>
<div><button class="plain">${say('apply')}</button></div>
<div><a class="button plain" href="${linkTo(view, '/changes', { price_region: '' })}">${say('allMarkets')}</a></div></form>`
}
