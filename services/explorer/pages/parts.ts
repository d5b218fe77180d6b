import type { Markup } from '@catalog/explorer/pages/frame.ts'
import { html } from 'ghtml'
import type { View } from './view.ts'

/** Parts that several views share. */

export type Column = Readonly<{ name: string; isNumber?: boolean }>

/** A table whose first cell names the row; on a phone every row becomes a card. */
export function tableOf({
  caption,
  columns,
  rows,
}: {
  caption: string
  columns: readonly Column[]
  rows: readonly Readonly<{ cells: readonly Markup[]; isCurrent?: boolean }>[]
}): Markup {
  const heads = columns.map(
    ({ name, isNumber }) => html`<th role="columnheader" scope="col"!${isNumber ? ' class="number"' : ''}>${name}</th>`,
  )
  const lines = rows.map(({ cells, isCurrent = false }) => {
    const shown = cells.map((cell, i) => {
      const { name = '', isNumber = false } = columns[i] ?? {}
      const number = isNumber ? ' class="number"' : ''
      return i === 0
        ? html`<th role="rowheader" scope="row" data-label="${name}"!${number}><div>!${cell}</div></th>`
        : html`<td role="cell" data-label="${name}"!${number}><div>!${cell}</div></td>`
    })
    return html`<tr role="row"!${isCurrent ? ' aria-current="true"' : ''}>!${shown.join('')}</tr>`
  })
  // Browsers drop table semantics from the card layout; the roles restore them.
  return html`<table class="cards" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">!${heads.join('')}</tr></thead>
<tbody role="rowgroup">!${lines.join('')}</tbody></table>`
}

/** Text as markup. */
export const text = (value: string): Markup => html`${value}`

export const timeOf = (at: string, { formats }: Pick<View, 'formats'>): Markup =>
  html`<time datetime="${at}" title="${formats.instant(at)}">${formats.day(at)}</time>`

type Amount = Readonly<{ cents: number; currency: string }>

/** The amount as people of the market write it; a dash without one. */
export const amountOf = (amount: Amount | null | undefined, { formats }: Pick<View, 'formats'>): string =>
  amount ? formats.money(amount) : '—'

/** A button to the page after this one; nothing at the end. */
export const onward = (href: string | undefined, name: string): Markup =>
  href === undefined ? '' : html`<p><a class="button plain" rel="next" href="${href}">${name}</a></p>`

/** An outer link to a page that a vendor named: it gets no referrer and no rank. Other schemes become text. */
export function vendorLink(url: string | null, name: string): Markup {
  if (url === null || !/^https?:\/\//i.test(url)) return html`${name}`
  return html`<a href="${url}" rel="nofollow noopener noreferrer">${name}</a>`
}
