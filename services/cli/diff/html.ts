import { REPORT_STYLE, tableOf } from '@catalog/cli/shared/html-report.ts'
import { percentText, priceText } from '@catalog/cli/shared/price-change.ts'
import { html } from 'ghtml'
import type { DiffAnswer } from './answer.ts'
import type { ItemChange } from './item-change.ts'
import { CHANGE_TEXT, marketText, methodNote, titleOf, voteText } from './text.ts'

/**
 * The answer as one self-contained page without scripts. `html` escapes every `${}`; `!${}` marks text that is already
 * markup. Vendors wrote the names.
 */
export function pageOf(answer: DiffAnswer): string {
  const { counts, rises, falls, changes, left_out } = answer
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Difference of two runs</title>
<style>!${REPORT_STYLE}</style>
</head>
<body>
<h1>Difference of two runs</h1>
<p>${titleOf(answer)}</p>
!${methodNote(answer).map((note) => html`<p class="note">${note}</p>`)}
!${tableOf({
    caption: 'Items',
    columns: [...Object.keys(counts), 'rises', 'falls'],
    rows: [[...Object.values(counts), rises, falls]],
  })}
!${changes.map((change) => sectionOf(change, answer))}
!${left_out === 0 ? '' : html`<p>and ${left_out} more</p>`}
</body>
</html>
`
}

function sectionOf({ item_id, name, unit, change, merged_into, prices, votes }: ItemChange, answer: DiffAnswer) {
  const state = change === 'price' ? '' : html` · ${CHANGE_TEXT[change]} ${merged_into ?? ''}`
  const rows = prices.map(({ region, before, after, relative }) => [
    marketText(region),
    priceText(before),
    priceText(after),
    percentText(relative),
  ])
  return html`<section>
<h3>${name} <small>${unit ?? 'no unit'}</small></h3>
<p><code>${item_id}</code>!${state}</p>
!${tableOf({ caption: 'Prices', columns: ['market', 'before', 'after', 'change'], rows })}
<ul>!${votes.map((vote) => html`<li>${voteText(vote, answer)}</li>`)}</ul>
</section>`
}
