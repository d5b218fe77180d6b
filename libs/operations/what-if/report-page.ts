import { percentText, priceText } from '@catalog/operations/price-change.ts'
import { frame, html, type Markup } from '@catalog/pages/markup.ts'
import { STYLE } from '@catalog/pages/style.ts'
import { table } from '@catalog/pages/table.ts'
import type { PriceChange, WhatIfAnswer } from './answer.ts'
import type { Carried, ValueUsed } from './carry.ts'
import { histogramPlot, priceChangesPlot } from './plot.ts'
import { DIFFERENT, differing, type Group, total } from './report.ts'
import { baselineText, carriedText, eventsText, hypothesisText, notesOf, TITLES } from './words.ts'

/**
 * The answer as one self-contained page without scripts, its plots inline. `html` escapes every `${}`; `!${}` marks
 * text that is already markup. Vendors wrote the names.
 */
export function pageOf(answer: WhatIfAnswer): string {
  const { items, changes, regions, categories, largest } = answer
  const hypothesis = hypothesisText(answer)
  return frame({
    title: `What if: ${hypothesis}`,
    head: `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    style: STYLE + REPORT_STYLE,
    body: html`<main><h1>What if: ${hypothesis}</h1>
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
        html`<h2>${TITLES[kind]}</h2>!${kind === 'changed' ? priceChangesPlot(largest[kind]) : ''}!${largest[kind].map((change) => priceChangeOf(change, answer.carry_forward?.to))}`,
    )}</main>`,
  })
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
function priceChangeOf(
  { item_id, name, unit, category, before, after, relative, carried, ...bases }: PriceChange,
  to: ValueUsed | undefined,
): string {
  return html`<section>
<h3>${name} <small>${unit ?? 'no unit'}</small></h3>
<p><code>${item_id}</code> · ${category}</p>
<p class="move">${priceText(before)} → <strong>${priceText(after)}</strong> ${percentText(relative)}</p>
<div class="bases">!${basisOf('Before', bases.before_basis)}!${basisOf('Then', bases.after_basis, to && { to, carried })}</div>
</section>`
}

function basisOf(
  title: string,
  { method_version, currency, votes, excluded, voters, trust_total }: PriceChange['before_basis'],
  carrying?: { to: ValueUsed; carried: readonly Carried[] | undefined },
): string {
  const nowOf = (id: string, currency: string) => {
    const carried = carrying?.carried?.find(({ observation_id }) => observation_id === id)
    return carrying && carried ? carriedText(carried, { to: carrying.to, currency }) : ''
  }
  const voting = votes.filter((vote) => vote.currency === currency)
  const rows = voting.map((vote) => [
    vote.source_name ?? vote.source_id ?? '',
    vote.trust,
    priceText({ cents: vote.price_cents, currency: vote.currency }),
    vote.observed_at.slice(0, DAY_CHARS),
    ...(carrying === undefined ? [] : [nowOf(vote.observation_id, vote.currency)]),
  ])
  const left = excluded.map(
    ({ source_name, id, reason }) => html`<li>${source_name ?? id}: <code>${reason}</code></li>`,
  )
  return html`<div>
!${tableOf({
    caption: `${title}: ${method_version}, ${voters} voting with a trust of ${trust_total}`,
    columns: ['source', 'trust', 'price', 'observed', ...(carrying === undefined ? [] : ['carried forward'])],
    rows,
  })}
!${left.length === 0 ? '' : html`<p>Left out:</p><ul>!${left}</ul>`}
</div>`
}

/** The date part of an instant. */
const DAY_CHARS = 10

/** Right-aligns numbers and shares. */
function tableOf({ caption, columns, rows }: Table): Markup {
  const isNumber = (cell: string | number | undefined) => typeof cell === 'number' || /^[+-]?[\d.]+ %$/.test(cell ?? '')
  return table({
    caption,
    columns: columns.map((name, i) => ({ name, isNumber: rows.some((row) => isNumber(row[i])) })),
    rows: rows.map((row) => row.map((cell) => html`${cell}`)),
  })
}

type Table = Readonly<{
  caption: string
  columns: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}>

/** Paper gets the light scheme, and no section breaks across pages. */
const REPORT_STYLE = `
:root{--rise:light-dark(#a3161b,#ff9d97);--fall:light-dark(#0b5394,#8ec2f5)}
h2::first-letter{text-transform:uppercase}
h3{margin:0;font-size:1.05rem}
small,.note{color:var(--dim)}
section{border-top:1px solid var(--edge);padding:1rem 0}
section p{margin:.25rem 0}
.bases{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:0 2rem}
.wide{overflow-x:auto}
svg{display:block;width:100%;min-width:32rem;height:auto;margin:1rem 0}
svg text{font:12px system-ui,sans-serif;fill:var(--text)}
svg .rise{fill:var(--rise)}
svg .fall{fill:var(--fall)}
svg .axis{stroke:var(--edge)}
@media print{:root{color-scheme:light}main{max-width:none;padding:0;font-size:11px}section,svg,tr{break-inside:avoid}.wide{overflow:visible}}
`
