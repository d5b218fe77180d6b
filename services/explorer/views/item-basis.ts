import type { ItemBasis } from '@catalog/api/contract/contract.ts'
import { votesIn } from '@catalog/core/events/items.ts'
import { columnsIn, sayCode } from '@catalog/explorer/languages/language.ts'
import { amountOf, timeOf } from '@catalog/explorer/pages/parts.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup, text } from '@catalog/pages/markup.ts'
import { numberColumn, table } from '@catalog/pages/table.ts'

/** Why a price is what it is: its markets, its votes, and what was left out. */

/** The number of votes in a median, as it was published. */
export const votersIn = ({ basis, markets }: ItemBasis, market: string | undefined): number =>
  (market === undefined ? basis.voters : markets.find(({ region }) => region === market)?.voters) ?? 0

/** The median of each market, each a link that shows it. */
export function marketsTable(view: View, { markets, median, basis }: ItemBasis): Markup {
  const { say } = view
  const shown = [{ region: undefined, median, voters: basis.voters }, ...markets]
  const rows = shown.map(({ region, median, voters }) => {
    const href = linkTo(view, view.address.pathname, { price_region: region ?? '' })
    const name = region === undefined ? say('headline') : sayCode(say, 'region', region)
    return [html`<a href="${href}">${name}</a>`, text(amountOf(median, view)), text(say('votes', { count: voters }))]
  })
  return table({
    caption: say('marketsCaption'),
    columns: columnsIn(say, 'market', '#medianPrice', 'voteColumn'),
    rows,
    current: shown.findIndex(({ region }) => region === view.market),
  })
}

/** The votes of the shown market with their weights, and the observations without a vote, each with its reason. */
export function whySection(view: View, { basis, as_of: asOf, ...answer }: ItemBasis): Markup {
  const { say, formats, market } = view
  const votes = votesIn(basis, market).toSorted((a, b) => a.price_cents - b.price_cents)
  const intro = say('whyIntro', { method: basis.method_version, when: formats.instant(asOf) })
  const middle =
    market === undefined && basis.p25 !== null && basis.p75 !== null && basis.currency !== null
      ? say('middleHalf', {
          low: formats.money({ cents: basis.p25, currency: basis.currency }),
          high: formats.money({ cents: basis.p75, currency: basis.currency }),
        })
      : ''
  const rows = votes.map((vote) => [
    html`!${sourceOf(view, vote.source_id, vote.source_name)}<br><span class="dim">${[vote.vendor_sku_name ?? '', ...(vote.edition === undefined ? [] : [say('edition', { edition: vote.edition })])].join(' · ')}</span>`,
    text(formats.money({ cents: vote.price_cents, currency: vote.currency })),
    timeOf(vote.observed_at, view),
    text(formats.number(vote.trust)),
    text(taxOf(view, vote.tax)),
  ])
  const columns = [
    say('vendor'),
    numberColumn(`${say('price')} ${answer.unit === null ? '' : say('perUnit', { unit: answer.unit })}`.trim()),
    say('observed'),
    numberColumn(say('trust')),
    say('tax'),
  ]
  const voted =
    rows.length === 0
      ? html`<p>${say('noVotes')}</p>`
      : table({ caption: say('votes', { count: rows.length }), columns, rows })
  return html`<section aria-labelledby="why"><h2 id="why">${say('whyThisPrice')}</h2>
<p>${intro} ${middle}</p>!${voted}!${leftOut(view, basis.excluded)}</section>`
}

/** In a market, prices in the money of others are no news. */
function leftOut(view: View, all: ItemBasis['basis']['excluded']): Markup {
  const { say, market } = view
  const excluded = market === undefined ? all : all.filter(({ reason }) => reason !== 'OTHER_CURRENCY')
  if (excluded.length === 0) return html`<p class="dim">${say('nothingLeftOut')}</p>`
  const rows = excluded.map(({ source_id, source_name, vendor_sku_name, reason }) => [
    html`!${sourceOf(view, source_id, source_name)}<br><span class="dim">${vendor_sku_name ?? ''}</span>`,
    text(sayCode(say, 'why', reason)),
  ])
  return table({ caption: say('leftOut'), columns: columnsIn(say, 'vendor', 'reason'), rows })
}

const sourceOf = (view: View, id: string | null, name: string | null): Markup =>
  id === null ? html`${name ?? ''}` : html`<a href="${linkTo(view, `/sources/${id}`)}">${name ?? id}</a>`

function taxOf({ say, formats }: View, tax: ItemBasis['basis']['votes'][number]['tax']): string {
  if (tax === null || tax.state === 'not_stated') return say('taxNotStated')
  if (tax.state === 'gross_without_rate') return say('taxUnknown')
  if (tax.state === 'net') return say('taxNet')
  return say('taxRemoved', { rate: tax.rate ? formats.percent(Number(tax.rate)) : '' })
}

/** Names in other languages and markets. */
export function namesList({ say }: View, { names, name }: ItemBasis): Markup {
  const others = names.filter((other) => other.name !== name)
  if (others.length === 0) return ''
  const shown = others.map((other) => {
    const where = other.regions.map((region) => sayCode(say, 'region', region)).join(', ')
    return html`<li><span!${other.lang === null ? '' : html` lang="${other.lang}"`}>${other.name}</span> <span class="dim">${where}</span></li>`
  })
  return html`<section aria-labelledby="names"><h2 id="names">${say('alsoCalled')}</h2><ul>!${shown.join('')}</ul></section>`
}
