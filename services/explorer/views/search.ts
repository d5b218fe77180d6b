import type { ExtendedSearchResponse, SearchFacets } from '@catalog/api/contract/contract.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import { sayCode } from '@catalog/explorer/languages/language.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { amountOf, onward } from '@catalog/explorer/pages/parts.ts'
import { itemRecord } from '@catalog/explorer/pages/records.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import type { z } from 'zod'

type Answer = z.infer<typeof ExtendedSearchResponse>
type Found = Answer['results'][number]
/** An item as lists and searches give it. */
export type Listed = Omit<Found, 'score' | 'page_url'>

/** What narrows a search: parameters of GET /v1/search, each as text of the address. */
export const FILTERS = [
  'region',
  'category_id',
  'kind',
  'unit',
  'source',
  'price_min',
  'price_max',
  'currency',
] as const
export type Filters = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>

export function searchPage(
  view: View,
  { answer, filters, near }: { answer: Answer; filters: Filters; near: readonly Listed[] },
): Page {
  const { say, origin } = view
  const { query, results, facets, cursor } = answer
  const count = facets?.found ?? results.length
  const title =
    count === 0 ? say('noResults', { query }) : say('foundFor', { results: say('results', { count }), query })
  const next =
    cursor === undefined ? undefined : linkTo(view, '/search', { q: query, ...filters, ...typedRange(view), cursor })
  const asked = new URLSearchParams({ q: query, ...filters, ...(view.market && { price_region: view.market }) })
  return {
    title,
    query,
    body: [
      html`<p class="dim">${modeText(view, answer)}</p>`,
      readAs(view, answer),
      filterForm(view, { query, filters, facets }),
      lacksCurrency(view, filters) ? html`<p class="note" role="status">${say('chooseCurrency')}</p>` : '',
      results.length === 0 ? emptyText(view, near) : resultList(view, results, (found) => differences(view, found)),
      onward(next, say('nextPage')),
    ].join('\n'),
    data: { json: `${origin}/v1/search?${asked}` },
    records: results.map((item) => ({ ...itemRecord(item), score: item.score })),
  }
}

const RANGE = ['price_from', 'price_to'] as const

/** The range as it was typed, so that the form of the next page shows it; it stands for that in minor units. */
function typedRange({ address: { searchParams } }: View): Readonly<Record<string, string | undefined>> {
  const typed = RANGE.map((name) => [name, searchParams.get(name) || undefined] as const)
  if (typed.every(([, value]) => value === undefined)) return {}
  return { price_min: undefined, price_max: undefined, ...Object.fromEntries(typed) }
}

/** An amount says nothing without its currency, and none is converted. */
const lacksCurrency = ({ address: { searchParams } }: View, { currency }: Filters) =>
  currency === undefined && RANGE.some((name) => searchParams.get(name))

function modeText({ say }: View, { mode, results }: Answer): string {
  if (mode === 'fallback_no_ai') return say('modeWords')
  return results.length === 0 ? say('modeNoMatch') : say('modeVector')
}

/** What the question was taken for, so that a wrong reading is seen at once. */
function readAs({ say }: View, { interpreted }: Answer): Markup {
  if (interpreted === undefined) return ''
  const { thing, market, unit, pack, sizes = [], short_names = {} } = interpreted
  const parts = [
    thing,
    ...sizes,
    ...(pack ? [pack] : []),
    ...(unit ? [say('perUnit', { unit })] : []),
    ...(market ? [sayCode(say, 'region', market)] : []),
    ...Object.entries(short_names).map(([short, plain]) => `${short} = ${plain}`),
  ]
  return html`<p class="dim">${say('readAs')}: ${parts.join(' · ')}</p>`
}

/** What makes a result near and not what is asked: "stocked: 25 kg, not 35 kg". */
function differences({ say }: View, { why }: Found): readonly Markup[] {
  return (why?.differs ?? []).map(
    ({ asked, stocked }) => html`<strong>${say('stockedNot', { stocked, asked })}</strong>`,
  )
}

/** Items with their prices; `moreOf` adds facts to an item. */
export function resultList<Item extends Listed>(
  view: View,
  items: readonly Item[],
  moreOf: (item: Item) => readonly Markup[] = () => [],
): Markup {
  return html`<ul class="results">!${items.map((item) => resultOf(view, item, moreOf(item))).join('')}</ul>`
}

function resultOf(view: View, item: Listed, more: readonly Markup[]): Markup {
  const { say, formats } = view
  const { median_price: median } = item
  const facts = [
    ...(item.unit ? [say('perUnit', { unit: item.unit })] : []),
    view.market === undefined ? say('headline') : sayCode(say, 'region', view.market),
    say('vendors', { count: item.vendor_count }),
    say('observations', { count: item.observation_count }),
    ...(median?.recorded_at ? [formats.ago(median.recorded_at)] : []),
  ]
  return html`<li><a class="name" href="${linkTo(view, `/items/${item.id}`)}">${item.name}</a>
<span class="amount">${amountOf(median, view)}</span>
<ul class="facts">!${[...more, ...facts.map((fact) => html`${fact}`)].map((fact) => html`<li>!${fact}</li>`).join('')}<li><a href="${linkTo(view, `/items/${item.id}`)}#why" aria-label="${say('whyThisPrice')}: ${item.name}">${say('whyThisPrice')}</a></li></ul></li>`
}

/** What to do, and what is near: items without the filters, or with a part of the words. */
function emptyText(view: View, near: readonly Listed[]): Markup {
  const { say } = view
  const list = near.length === 0 ? '' : html`<h2>${say('near')}</h2>!${resultList(view, near)}`
  return html`<p>${say('noResultsHint')}</p>!${list}<p><a href="${linkTo(view, '/categories')}">${say('browse')}</a></p>`
}

/** The filters as a form, with what the results have in common as choices and their counts. */
function filterForm(
  view: View,
  { query, filters, facets }: { query: string; filters: Filters; facets: SearchFacets | undefined },
): Markup {
  const { say, formats } = view
  const choice = (name: keyof Filters, label: string, options: readonly (readonly [string, string])[]) => {
    const chosen = filters[name]
    const known = chosen === undefined || options.some(([value]) => value === chosen)
    const all = known ? options : [[chosen, chosen] as const, ...options]
    if (all.length === 0) return ''
    const shown = all.map(
      ([value, text]) => html`<option value="${value}"!${value === chosen ? ' selected' : ''}>${text}</option>`,
    )
    return html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">${say('noFilter')}</option>!${shown.join('')}</select></div>`
  }
  const counted = (text: string, count: number) => `${text} (${formats.number(count)})`
  const choices = [
    choice(
      'region',
      say('soldIn'),
      REGIONS.map((region) => [region, sayCode(say, 'region', region)] as const),
    ),
    choice(
      'category_id',
      say('category'),
      (facets?.categories ?? []).map(({ id, name, count }) => [id, counted(name, count)]),
    ),
    choice(
      'kind',
      say('kind'),
      (facets?.kinds ?? []).map(({ kind, count }) => [kind, counted(sayCode(say, 'kind', kind), count)]),
    ),
    choice(
      'unit',
      say('unit'),
      (facets?.units ?? []).map(({ unit, count }) => [unit, counted(unit, count)]),
    ),
    choice(
      'source',
      say('source'),
      (facets?.sources ?? []).map(({ id, name, count }) => [id, counted(name ?? id, count)]),
    ),
  ]
  const amount = (name: 'price_from' | 'price_to') =>
    html`<div><label for="${name}">${say(name === 'price_from' ? 'priceFrom' : 'priceTo')}</label><input id="${name}" name="${name}" type="number" min="0" step="any" inputmode="decimal" size="8" value="${view.address.searchParams.get(name) ?? ''}"></div>`
  const currencies = facets?.currencies ?? []
  const isPriced = currencies.length > 0 || filters.currency !== undefined
  if (isPriced) {
    choices.push(
      choice(
        'currency',
        say('currency'),
        currencies.map(({ currency, count }) => [currency, counted(currency, count)]),
      ),
      amount('price_from'),
      amount('price_to'),
    )
  }
  const kept = [
    ['q', query],
    ['price_region', view.address.searchParams.get('price_region')],
    ['lang', view.isLanguageChosen ? view.language : null],
  ].flatMap(([name, value]) => (value == null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]))
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const clear = isFiltered ? html`<a href="${linkTo(view, '/search', { q: query })}">${say('clearFilters')}</a>` : ''
  return html`<form class="filters" action="/search" aria-label="${say('filters')}">!${kept.join('')}!${choices.join('')}
<div><button class="plain">${say('apply')}</button></div>!${clear}</form>`
}

/** The search page before a question. */
export function askPage(view: View, query: string): Page {
  const { say } = view
  return {
    title: say('search'),
    query,
    body: html`<p>${say('askTooShort')}</p><p><a href="${linkTo(view, '/categories')}">${say('browse')}</a></p>`,
  }
}

/** The first results as links, for the search field. */
export function suggestions(view: View, results: readonly Listed[]): Markup {
  const links = results.map(
    (item) =>
      html`<li><a href="${linkTo(view, `/items/${item.id}`)}"><span>${item.name}</span><span class="number">${amountOf(item.median_price, view)}</span></a></li>`,
  )
  const said = html`<p class="unseen" role="status">${view.say('results', { count: results.length })}</p>`
  return results.length === 0 ? said : html`<ul class="suggestions">!${links.join('')}</ul>!${said}`
}
