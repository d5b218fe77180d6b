import type { ItemBasis, ItemDetail } from '@catalog/api/contract/contract.ts'
import { votesIn } from '@catalog/core/events/items.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { type Dot, priceChart, type Step } from '@catalog/explorer/charts/price-chart.ts'
import { sayCode } from '@catalog/explorer/languages/language.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { amountOf } from '@catalog/explorer/pages/parts.ts'
import { amountRecord } from '@catalog/explorer/pages/records.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { categoryName } from './categories.ts'
import { marketsTable, namesList, votersIn, whySection } from './item-basis.ts'

/** The answers of the API that an item's page shows, of one state of the catalog. */
export type ItemAnswers = Readonly<{
  detail: ItemDetail
  basis: ItemBasis
  /** The median over the shown period, oldest first. */
  history: readonly Step[]
  /** Days of the period; null: all time. */
  days: number | null
  hasRecipe: boolean
  path: readonly Readonly<{ id: string; name: string; names: Readonly<Record<string, string>> }>[]
  /** Whether the address names an item that was merged into this one. */
  isMerged: boolean
}>

/** Days of history that a reader can choose; null: all time. */
export const PERIODS = [90, 365, null] as const

export function itemPage(view: View, answers: ItemAnswers): Page {
  const { say, origin, market } = view
  const { detail, basis } = answers
  const { item } = detail
  const query = market === undefined ? '' : `?price_region=${market}`
  const address = `${origin}/v1/items/${item.id}`
  return {
    title: item.name,
    description: priceSentence(view, answers),
    body: [
      pathOf(view, answers.path),
      html`<h1>${item.name}</h1>`,
      answers.isMerged ? html`<p class="note">${say('merged')}</p>` : '',
      priceOf(view, answers),
      evidenceOf(view, answers),
      namesList(view, basis),
      actionsOf(view, answers),
    ].join('\n'),
    data: { json: address + query, feed: `${origin}/v1/feeds/item/${item.id}` },
    records: answers.history.map(({ at, cents }) => {
      const currency = item.median_price?.currency
      return { recorded_at: at, ...amountRecord(cents === null || currency === undefined ? null : { cents, currency }) }
    }),
    structured: structuredOf(view, detail),
    hasOwnHeading: true,
  }
}

/** The history, and beside it markets and votes, which only the store has. */
function evidenceOf(view: View, answers: ItemAnswers): Markup {
  const { say } = view
  const { basis } = answers
  const history = html`<section aria-labelledby="history"><h2 id="history">${say('history')}</h2>!${historyOf(view, answers)}</section>`
  if (isAway(basis)) return history
  return html`!${history}
!${whySection(view, basis)}
<section aria-labelledby="markets"><h2 id="markets">${say('markets')}</h2>!${marketsTable(view, basis)}</section>`
}

/** No run published a basis that stands in for the store's. */
const isAway = ({ run_id }: ItemBasis) => run_id === null

function pathOf(view: View, path: ItemAnswers['path']): Markup {
  if (path.length === 0) return ''
  const links = path.map(
    (category) =>
      html`<li><a href="${linkTo(view, `/categories/${category.id}`)}">${categoryName(view, category)}</a></li>`,
  )
  return html`<nav aria-label="${view.say('category')}"><ol class="path">!${links.join('')}</ol></nav>`
}

function priceSentence(view: View, { detail: { item } }: ItemAnswers): string {
  const { say, market, formats } = view
  const place = market === undefined ? say('headline') : sayCode(say, 'region', market)
  const price = item.median_price ? formats.money(item.median_price) : say('noPrice')
  return `${item.name}: ${price} ${item.unit ? say('perUnit', { unit: item.unit }) : ''} (${place}). ${say('tagline')}`
}

/** The price, and beside it how old it is, what it rests on, and why it is so. */
function priceOf(view: View, { detail: { item }, basis }: ItemAnswers): Markup {
  const { say, formats, market } = view
  const { median_price: median } = item
  const place = market === undefined ? say('headline') : sayCode(say, 'region', market)
  const voters = votersIn(basis, market)
  const unit = item.unit ? html` <span>${say('perUnit', { unit: item.unit })}</span>` : ''
  const shown = median
    ? html`<strong>${formats.money(median)}</strong>!${unit}`
    : html`<strong>${say('noPrice')}</strong>`
  const newest = newestVote(basis, market)
  const isTaxOpen = votesIn(basis.basis, market).some(({ flags }) => flags.includes('TAX_UNKNOWN'))
  const facts = [
    ...(median ? [say(isTaxOpen ? 'taxUnknown' : 'taxNet')] : []),
    place,
    ...(isAway(basis) ? [] : [say('votes', { count: voters })]),
    say('vendors', { count: item.vendor_count }),
    say('observations', { count: item.observation_count }),
    ...(newest === undefined ? [] : [say('priceAge', { when: formats.ago(newest) })]),
    ...(basis.kind === null ? [] : [sayCode(say, 'kind', basis.kind)]),
  ]
  return html`<p class="price">!${shown}</p>
<ul class="facts">!${facts.map((fact) => html`<li>${fact}</li>`).join('')}!${isAway(basis) ? '' : html`<li><a href="#why">${say('whyThisPrice')}</a></li>`}</ul>
!${isAway(basis) ? html`<p class="note">${say('evidenceAway')}</p>` : caveatOf(view, basis, voters)}`
}

function caveatOf({ say, market, formats }: View, { basis, markets }: ItemBasis, voters: number): Markup {
  const notes = [
    ...(voters === 0 ? [say('noPriceWhy')] : []),
    ...(voters === 1 ? [say('restsOnOne')] : []),
    ...(basis.dispersion.apart && basis.dispersion.region !== null
      ? [
          say('mayMixTwo', {
            region: sayCode(say, 'region', basis.dispersion.region),
            ratio: formats.decimal((basis.dispersion.ratio ?? 0).toFixed(1)),
          }),
        ]
      : []),
    ...(market === undefined && markets.length > 1 ? [say('headlineNote')] : []),
  ]
  return notes.map((note) => html`<p class="note">${note}</p>`).join('')
}

const newestVote = (basis: ItemBasis, market: string | undefined): string | undefined =>
  votesIn(basis.basis, market)
    .map(({ observed_at }) => observed_at)
    .sort()
    .at(-1)

function historyOf(view: View, { detail, basis, history, days }: ItemAnswers): Markup {
  const { item } = detail
  const { say, formats, market, now } = view
  const periods = PERIODS.map((period) => {
    const name = period === null ? say('allTime') : period === 90 ? say('days90') : say('year1')
    const href = linkTo(view, view.address.pathname, { days: period === null ? 'all' : String(period) })
    return html`<li><a href="${href}#history"!${period === days ? ' aria-current="true"' : ''}>${name}</a></li>`
  })
  const choice = html`<nav aria-label="${say('period')}"><ul class="chips">!${periods.join('')}</ul></nav>`
  const priced = history.filter(({ cents }) => cents !== null)
  const currency = item.median_price?.currency ?? basis.basis.currency
  if (priced.length === 0 || currency === null) return html`!${choice}<p>${say('historyNone')}</p>`
  const to = now.toISOString()
  const from = days === null ? (history[0] as Step).at : new Date(now.getTime() - days * DAY_MS).toISOString()
  const cents = priced.map((step) => step.cents as number)
  const title = say('chartSummary', {
    low: formats.money({ cents: Math.min(...cents), currency }),
    high: formats.money({ cents: Math.max(...cents), currency }),
    from: formats.day(from),
    to: formats.day(to),
    last: amountOf(item.median_price, view),
  })
  const dots = dotsOf(view, { detail, basis, currency })
  const { p25, p75 } = basis.basis
  const band = market === undefined && p25 !== null && p75 !== null ? { band: { p25, p75, from: item.updated_at } } : {}
  const chart = priceChart(
    { lines: [{ name: say('chartMedian'), steps: history }], currency, from, to, dots, title, ...band },
    { say, formats },
  )
  return choice + chart
}

/** The votes, and the prices that were left out: these where their currency and unit are those of the chart. */
function dotsOf(
  { say, formats, market }: View,
  { detail: { item, vendors }, basis, currency }: Pick<ItemAnswers, 'detail' | 'basis'> & { currency: string },
): Dot[] {
  const described = (name: string, cents: number, at: string) =>
    `${name}: ${formats.money({ cents, currency })}, ${formats.day(at)}`
  const votes = votesIn(basis.basis, market).filter((vote) => vote.currency === currency)
  const excluded = new Map<string | null, string>(
    basis.basis.excluded.map(({ vendor_sku_id, reason }) => [vendor_sku_id, reason]),
  )
  const leftOut = vendors.flatMap(({ vendor_sku_id, source, price, unit, observed_at: at }): Dot[] => {
    const reason = excluded.get(vendor_sku_id)
    if (reason === undefined || price.currency !== currency || unit !== item.unit) return []
    const title = `${described(source.name, price.cents, at)}: ${sayCode(say, 'why', reason)}`
    return [{ at, cents: price.cents, isLeftOut: true, title }]
  })
  return [
    ...votes.map((vote) => ({
      at: vote.observed_at,
      cents: vote.price_cents,
      isLeftOut: false,
      title: described(vote.source_name ?? vote.source_id ?? '', vote.price_cents, vote.observed_at),
    })),
    ...leftOut,
  ]
}

function actionsOf(view: View, { detail: { item }, hasRecipe }: ItemAnswers): Markup {
  const { say, origin } = view
  const links = [
    ...(hasRecipe ? [[linkTo(view, `/items/${item.id}/recipe`), say('showRecipe')]] : []),
    [linkTo(view, '/compare', { items: item.id }), say('compareWith')],
    [`${origin}/v1/feeds/item/${item.id}`, say('follow')],
  ] as [string, string][]
  return html`<ul class="chips">!${links.map(([href, name]) => html`<li><a href="${href}">${name}</a></li>`).join('')}</ul>`
}

/** The item as a product with an offer of many vendors (schema.org); null where it has no price. */
function structuredOf(view: View, { item, vendors }: ItemDetail): object {
  const { median_price: median } = item
  const inCurrency = vendors.filter(({ price }) => price.currency === median?.currency)
  const amounts = inCurrency.map(({ price }) => price.cents)
  const plain = (cents: number) => view.formats.plain({ cents, currency: median?.currency as string })
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: item.name,
    sku: item.id,
    url: `${view.origin}/items/${item.id}`,
    ...(median && amounts.length > 0
      ? {
          offers: {
            '@type': 'AggregateOffer',
            priceCurrency: median.currency,
            lowPrice: plain(Math.min(...amounts)),
            highPrice: plain(Math.max(...amounts)),
            offerCount: amounts.length,
          },
        }
      : {}),
  }
}
