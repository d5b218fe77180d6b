import { REPORT_STYLE, tableOf } from '@catalog/cli/shared/html-report.ts'
import { percentText, priceText } from '@catalog/cli/shared/price-change.ts'
import { html } from 'ghtml'
import type { PriceChange, WhatIfAnswer } from './answer.ts'
import type { Carried, ValueUsed } from './carry.ts'
import { histogramPlot, priceChangesPlot } from './plot.ts'
import { DIFFERENT, differing, type Group, total } from './report.ts'
import { baselineText, carriedText, eventsText, hypothesisText, notesOf, TITLES } from './text.ts'

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
<style>!${REPORT_STYLE}</style>
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
      html`<h2>${TITLES[kind]}</h2>!${kind === 'changed' ? priceChangesPlot(largest[kind]) : ''}!${largest[kind].map((change) => priceChangeOf(change, answer.carry_forward?.to))}`,
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
