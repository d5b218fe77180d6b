import { html } from 'ghtml'
import { percentText, type QualityAnswer, type SourceQuality } from './text.ts'

/**
 * The report as one self-contained page without scripts. `html` escapes every `${}`; `!${}` marks text that is already
 * markup. Vendors wrote the names, the units and the references.
 */
export function pageOf({ at, sources }: QualityAnswer): string {
  const breached = sources.filter(({ breaches }) => breaches.length > 0).length
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Data quality at ${at}</title>
<style>!${STYLE}</style>
</head>
<body>
<h1>Data quality</h1>
<p>${sources.length} sources at ${at}. ${breached} exceed a threshold of the sources file.</p>
!${sources.map(sectionOf)}
</body>
</html>
`
}

function sectionOf({ source_id, name, region, quality, breaches }: SourceQuality): string {
  const { unknown_units, tax, parked, dispersion, suspect_merges, staleness } = quality
  const part = quality.skus < quality.vendor_skus ? `, of which the newest ${quality.skus} count` : ''
  const figures: readonly (readonly [string, string])[] = [
    ['Vendor SKUs', `${quality.vendor_skus}${part}`],
    ['First and last seen', `${dayOf(quality.first_seen_at)} to ${dayOf(quality.last_seen_at)}`],
    [
      'Age of the newest price',
      `${staleness.age_days ?? '-'} days; ${percentText(staleness.expired_share)} expired after ${staleness.validity_days} days`,
    ],
    ['Unknown units', `${unknown_units.count} prices, ${percentText(unknown_units.share)}`],
    [
      'Tax',
      `net ${tax.net}, gross with rate ${tax.gross_with_rate}, gross without rate ${tax.gross_without_rate}, not stated ${tax.not_stated} (${percentText(tax.not_stated_share)})`,
    ],
    ['Parked in the last crawl', `${percentText(parked.share)}; ${parked.open} open`],
    [
      'Ratio to the medians',
      `p10 ${dispersion.p10 ?? '-'}, p50 ${dispersion.p50 ?? '-'}, p90 ${dispersion.p90 ?? '-'}; ${percentText(dispersion.beyond_2_share)} of ${dispersion.compared} beyond 2 times`,
    ],
    ['Suspect merges', String(suspect_merges.count)],
    ['Layout drift', percentText(quality.drift)],
  ]
  return html`<section>
<h2>${name} <small>${region ?? 'no region'} · <code>${source_id}</code></small></h2>
!${breaches.map(({ code, detail }) => html`<p class="breach"><strong>${code}</strong> ${detail}</p>`)}
<table><tbody>!${figures.map(([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`)}</tbody></table>
!${listOf(
    'Unknown units',
    unknown_units.examples.map(({ unit, count, vendor_ref }) => `${unit}: ${count} prices, such as ${vendor_ref}`),
  )}
!${listOf(
    'Dead letters',
    parked.reasons.map(({ reason, count }) => `${reason}: ${count}`),
  )}
!${listOf(
    'Farthest from the others',
    suspect_merges.examples.map(({ item_id, name, ratio }) => `${name}: ${ratio} times (${item_id})`),
  )}
</section>`
}

const dayOf = (at: string | null) => at?.slice(0, 10) ?? 'never'

function listOf(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : html`<h3>${title}</h3><ul>!${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

/** Paper gets the light scheme, and no source breaks across pages. */
const STYLE = `
:root{color-scheme:light dark;--edge:light-dark(#d8d4cc,#44413b);--text:light-dark(#1c1b19,#ece9e2);--dim:light-dark(#57534b,#b5afa4);--breach:light-dark(#a3161b,#ff9d97)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:48rem;padding:1.5rem 1.25rem 4rem;font:16px/1.5 system-ui,sans-serif;color:var(--text);background:light-dark(#fff,#161512);overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25}
h2{margin:0;font-size:1.2rem}
h3{margin:1rem 0 .25rem;font-size:1rem}
small{color:var(--dim);font-weight:normal}
section{border-top:1px solid var(--edge);padding:1.25rem 0}
table{border-collapse:collapse;width:100%;margin:.5rem 0;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--edge);font-weight:normal}
th{width:40%;color:var(--dim)}
ul{margin:0;padding-left:1.25rem}
.breach{margin:.25rem 0;color:var(--breach)}
@media print{:root{color-scheme:light}body{max-width:none;padding:0;font-size:11px}section{break-inside:avoid}}
`
