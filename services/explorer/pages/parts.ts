import { isRegion, REGIONS } from '@catalog/core/events/sources.ts'
import { sayCode } from '@catalog/explorer/languages/language.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import type { View } from './view.ts'

/** Parts that several views share. */

export const timeOf = (at: string, { formats }: Pick<View, 'formats'>): Markup =>
  html`<time datetime="${at}" title="${formats.instant(at)}">${formats.day(at)}</time>`

type Amount = Readonly<{ cents: number; currency: string }>

/** The amount as people of the market write it; a dash without one. */
export const amountOf = (amount: Amount | null | undefined, { formats }: Pick<View, 'formats'>): string =>
  amount ? formats.money(amount) : '—'

/** A choice of markets, that of the reader chosen. */
export function marketOptions({ say, market }: View): Markup {
  const isListed = market === undefined || isRegion(market)
  const options = [...REGIONS, ...(isListed ? [] : [market])].map((region) => {
    const selected = region === market ? ' selected' : ''
    return html`<option value="${region}"!${selected}>${sayCode(say, 'region', region)}</option>`
  })
  return html`<option value="">${say('allMarkets')}</option>!${options}`
}

/** A button to the page after this one; nothing at the end. */
export const onward = (href: string | undefined, name: string): Markup =>
  href === undefined ? '' : html`<p><a class="button plain" rel="next" href="${href}">${name}</a></p>`

/** An outer link to a page that a vendor named: it gets no referrer and no rank. Other schemes become text. */
export function vendorLink(url: string | null, name: string): Markup {
  if (url === null || !/^https?:\/\//i.test(url)) return html`${name}`
  return html`<a href="${url}" rel="nofollow noopener noreferrer">${name}</a>`
}
