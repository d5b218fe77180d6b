import { html, type Markup } from './markup.ts'

/** A heading; numbers and their headings stand on the right. */
export type Column = string | Readonly<{ name: string; isNumber: boolean }>

export const numberColumn = (name: string): Column => ({ name, isNumber: true })

export type Table = Readonly<{
  caption: string
  columns: readonly Column[]
  /** One cell for each column; the first cell names the row. */
  rows: readonly (readonly Markup[])[]
  /** The row that the page shows now. */
  current?: number
}>

/** On a phone every row becomes a card. */
export function table({ caption, columns, rows, current }: Table): Markup {
  const named = columns.map((column) => (typeof column === 'string' ? { name: column, isNumber: false } : column))
  const numberOf = (i: number) => (named[i]?.isNumber ? ' class="number"' : '')
  const heads = named.map(({ name }, i) => html`<th role="columnheader" scope="col"!${numberOf(i)}>${name}</th>`)
  const lines = rows.map((row, n) => {
    const cells = row.map((cell, i) => {
      const [tag, role] = i === 0 ? ['th', 'role="rowheader" scope="row"'] : ['td', 'role="cell"']
      return html`<${tag} !${role} data-label="${named[i]?.name}"!${numberOf(i)}><div>!${cell}</div></${tag}>`
    })
    return html`<tr role="row"!${n === current ? ' aria-current="true"' : ''}>!${cells}</tr>`
  })
  // Browsers drop table semantics from the card layout; the roles restore them.
  return html`<table class="cards" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">!${heads}</tr></thead>
<tbody role="rowgroup">!${lines}</tbody></table>`
}
