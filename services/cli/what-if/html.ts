import { html } from 'ghtml'
import type { PriceChange, WhatIfAnswer } from './answer.ts'
import { histogramPlot, priceChangesPlot } from './plot.ts'
import { DIFFERENT, differing, type Group, total } from './report.ts'
import { baselineText, eventsText, hypothesisText, notesOf, percentText, priceText, TITLES } from './text.ts'

/**
 * The answer as one self-contained page without scripts, its plots inline. `html` escapes every `${}`; `!${}` marks
 * text that is already markup. Vendors wrote the names.
 */
export function pageOf(answer: WhatIfAnswer): string {
  const { items, changes, regions, categories, largest } = answer
  const hypothesis = hypothesisText(answer)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>What if: ${hypothesis}</title>
<style>!${STYLE}</style>
</head>
<body>
<h1>What if: ${hypothesis}</h1>
<p>Compared with ${baselineText(answer)}.${answer.published === null ? ' Nothing was published.' : ''}</p>
!${notesOf(answer).map((note) => html`<p class="note">${note}</p>`)}
!${tableOf({
    caption: 'Items',
    columns: ['all', 'unchanged', 'changed', 'gained a price', 'lost their price', 'other currency', 'unpriced'],
    rows: [
      [total(items), items.unchanged, items.changed, items.gained, items.lost, items.other_currency, items.unpriced],
    ],
  })}
<p>${sentence(eventsText(answer))}</p>
!${
    changes.items === 0
      ? ''
      : html`<h2>How much</h2>
<p>${changes.rises} prices rise and ${changes.falls} fall.</p>
!${tableOf({
          caption: 'Quantiles of the changes',
          columns: changes.quantiles.map(({ part }) => `${100 * part} %`),
          rows: [changes.quantiles.map(({ relative }) => percentText(relative))],
        })}
!${histogramPlot(changes.histogram)}`
  }
!${groupsOf('Regions, by the median of each', 'region', regions)}
!${groupsOf('Categories, by the headline of each item', 'category', categories)}
!${DIFFERENT.filter((kind) => largest[kind].length > 0).map(
    (kind) =>
      html`<h2>${TITLES[kind]}</h2>!${kind === 'changed' ? priceChangesPlot(largest[kind]) : ''}!${largest[kind].map(priceChangeOf)}`,
  )}
</body>
</html>
`
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

/** Rows of one table, those with most differences first. */
const GROUPS_SHOWN = 100

function groupsOf(caption: string, what: string, groups: readonly Group[]): string {
  const rows = groups
    .slice(0, GROUPS_SHOWN)
    .map(({ name, counts, median }) => [
      name,
      total(counts),
      differing(counts),
      counts.changed,
      counts.gained,
      counts.lost,
      counts.other_currency,
      percentText(median),
    ])
  const columns = [what, 'items', 'differ', 'changed', 'gained', 'lost', 'other currency', 'median change']
  const more = groups.length - rows.length
  return html`!${tableOf({ caption, columns, rows })}!${more === 0 ? '' : html`<p>and ${more} more</p>`}`
}

/** A price that would change, with everything that both prices rest on. */
function priceChangeOf({ item_id, name, unit, category, before, after, relative, ...bases }: PriceChange): string {
  return html`<section>
<h3>${name} <small>${unit ?? 'no unit'}</small></h3>
<p><code>${item_id}</code> · ${category}</p>
<p class="move">${priceText(before)} → <strong>${priceText(after)}</strong> ${percentText(relative)}</p>
<div class="bases">!${basisOf('Before', bases.before_basis)}!${basisOf('Then', bases.after_basis)}</div>
</section>`
}

function basisOf(
  title: string,
  { method_version, currency, votes, excluded, voters, trust_total }: PriceChange['before_basis'],
): string {
  const voting = votes.filter((vote) => vote.currency === currency)
  const rows = voting.map((vote) => [
    vote.source_name ?? vote.source_id ?? '',
    vote.trust,
    priceText({ cents: vote.price_cents, currency: vote.currency }),
    vote.observed_at.slice(0, DAY_CHARS),
  ])
  const left = excluded.map(
    ({ source_name, id, reason }) => html`<li>${source_name ?? id}: <code>${reason}</code></li>`,
  )
  return html`<div>
!${tableOf({
    caption: `${title}: ${method_version}, ${voters} voting with a trust of ${trust_total}`,
    columns: ['source', 'trust', 'price', 'observed'],
    rows,
  })}
!${left.length === 0 ? '' : html`<p>Left out:</p><ul>!${left}</ul>`}
</div>`
}

/** The date part of an instant. */
const DAY_CHARS = 10

type Table = Readonly<{
  caption: string
  columns: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}>

/** Right-aligns numbers and their headings; a text in the first column is the heading of its row. */
function tableOf({ caption, columns, rows }: Table): string {
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
const STYLE = `
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
