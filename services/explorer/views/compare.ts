import type { ItemBasis, ItemDetail } from '@catalog/api/contract/contract.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { priceChart, type Step } from '@catalog/explorer/charts/price-chart.ts'
import { columnsIn, sayCode } from '@catalog/explorer/languages/language.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { amountOf } from '@catalog/explorer/pages/parts.ts'
import { itemRecord } from '@catalog/explorer/pages/records.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup, text } from '@catalog/pages/markup.ts'
import { table } from '@catalog/pages/table.ts'
import { votersIn } from './item-basis.ts'

/** One line of a comparison: an item in a market. */
export type Compared = Readonly<{
  item: ItemDetail['item']
  market: string | undefined
  basis: ItemBasis
  history: readonly Step[]
}>

/** Items and markets of a comparison, at most this many lines. */
export const COMPARED_MAX = 5
const DAYS = 365

/** Items beside each other, or one item in several markets. Currencies are never converted: each has its own chart. */
export function comparePage(view: View, compared: readonly Compared[], missing: readonly string[]): Page {
  const { say, origin } = view
  const ids = [...new Set(compared.map(({ item }) => item.id))]
  return {
    title: say('compare'),
    current: '/compare',
    body: [
      ...missing.map((id) => html`<p class="note">${say('itemMissing', { id })}</p>`),
      compared.length === 0
        ? html`<p>${say('compareHint', { count: COMPARED_MAX })}</p>`
        : tableOfCompared(view, compared),
      ...chartsOf(view, compared),
      compareForm(view, ids),
    ].join('\n'),
    ...(ids.length > 0 && { data: { json: `${origin}/v1/items?ids=${ids.join(',')}` } }),
    records: compared.map(({ item, market }) => ({ market: market ?? null, ...itemRecord(item) })),
  }
}

function nameOf({ say }: View, { item, market }: Compared): string {
  return `${item.name}, ${market === undefined ? say('headline') : sayCode(say, 'region', market)}`
}

function tableOfCompared(view: View, compared: readonly Compared[]): Markup {
  const { say } = view
  const rows = compared.map(({ item, market, basis }) => [
    html`<a href="${linkTo(view, `/items/${item.id}`, { price_region: market ?? '' })}">${item.name}</a>`,
    text(market === undefined ? say('headline') : sayCode(say, 'region', market)),
    text(amountOf(item.median_price, view)),
    text(item.unit ?? '—'),
    text(say('votes', { count: votersIn(basis, market) })),
  ])
  const columns = columnsIn(say, 'item', 'market', '#medianPrice', 'unit', 'voteColumn')
  return table({ caption: say('compare'), columns, rows })
}

function chartsOf(view: View, compared: readonly Compared[]): Markup[] {
  const { say, formats, now } = view
  const priced = compared.filter(({ item }) => item.median_price)
  const groups = Map.groupBy(priced, ({ item }) => item.median_price?.currency as string)
  return [...groups].map(([currency, lines]) => {
    const title = `${say('history')}: ${lines.map((line) => nameOf(view, line)).join('; ')}`
    const from = new Date(now.getTime() - DAYS * DAY_MS).toISOString()
    const shown = lines.map((line) => ({ name: nameOf(view, line), steps: line.history }))
    const chart = priceChart({ lines: shown, currency, from, to: now.toISOString(), title }, { say, formats })
    return html`<h2>${say('history')}, ${currency}</h2>!${chart}`
  })
}

function compareForm(view: View, ids: readonly string[]): Markup {
  const { say } = view
  const markets = view.address.searchParams.get('markets') ?? ''
  return html`<form class="filters" action="/compare" aria-label="${say('compare')}">
<div><label for="items">${say('compareItems')}</label><input id="items" name="items" value="${ids.join(',')}" size="32"></div>
<div><label for="markets">${say('compareMarkets')}</label><input id="markets" name="markets" value="${markets}" placeholder="ES,MX" size="12"></div>
!${view.isLanguageChosen ? html`<input type="hidden" name="lang" value="${view.language}">` : ''}
<div><button class="plain">${say('show')}</button></div></form>`
}
