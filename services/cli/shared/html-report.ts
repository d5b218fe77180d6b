import { html } from 'ghtml'

/** Parts of the self-contained pages that commands write: no scripts, no outside addresses. */

type Table = Readonly<{
  caption: string
  columns: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}>

/** Right-aligns numbers and their headings; a text in the first column is the heading of its row. */
export function tableOf({ caption, columns, rows }: Table): string {
  const isNumber = (cell: string | number | undefined) => typeof cell === 'number' || /^[+-]?[\d.]+ %$/.test(cell ?? '')
  const alignment = columns.map((_, i) => (rows.some((row) => isNumber(row[i])) ? 'number' : 'text'))
  const heads = columns.map((column, i) => html`<th scope="col" class="${alignment[i]}">${column}</th>`)
  const lines = rows.map((row) => {
    const cells = row.map((cell, i) =>
      i === 0 && typeof cell === 'string' && !isNumber(cell)
        ? html`<th scope="row">${cell}</th>`
        : html`<td class="${alignment[i]}">${cell}</td>`,
    )
    return html`<tr>!${cells}</tr>`
  })
  return html`<div class="wide"><table><caption>${caption}</caption><thead><tr>!${heads}</tr></thead><tbody>!${lines}</tbody></table></div>`
}

/** Paper gets the light scheme, and no section breaks across pages. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--edge:light-dark(#d8d4cc,#44413b);--text:light-dark(#1c1b19,#ece9e2);--dim:light-dark(#57534b,#b5afa4);--rise:light-dark(#a3161b,#ff9d97);--fall:light-dark(#0b5394,#8ec2f5);--bar:light-dark(#57534b,#b5afa4)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:62rem;padding:1.5rem 1.25rem 4rem;font:16px/1.5 system-ui,sans-serif;color:var(--text);background:light-dark(#fff,#161512);overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25}
h2{font-size:1.25rem;margin:2.5rem 0 .5rem}
h2::first-letter{text-transform:uppercase}
h3{margin:0;font-size:1.05rem}
small,caption,.note{color:var(--dim)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:1rem 0;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--edge);font-weight:normal}
thead th{color:var(--dim);font-size:.9rem}
thead th,td{white-space:nowrap}
th[scope=row]{min-width:8rem}
.number{text-align:right}
section{border-top:1px solid var(--edge);padding:1rem 0}
section p{margin:.25rem 0}
.bases{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:0 2rem}
svg{display:block;width:100%;min-width:32rem;height:auto;margin:1rem 0}
svg text{font:12px system-ui,sans-serif;fill:var(--text)}
svg .rise{fill:var(--rise)}
svg .fall{fill:var(--fall)}
svg .axis{stroke:var(--edge)}
@media print{:root{color-scheme:light}body{max-width:none;padding:0;font-size:11px}section,svg,tr{break-inside:avoid}.wide{overflow:visible}}
`
