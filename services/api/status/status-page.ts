import { PROBLEMS, type StatusResponse } from '@catalog/api/contract/contract.ts'
import { docsUrl } from '@catalog/api/http/context.ts'
import { CATALOG, frame, html, type Markup } from '@catalog/pages/markup.ts'
import { STYLE } from '@catalog/pages/style.ts'

const HEADLINES: Readonly<Record<StatusResponse['state'], string>> = {
  ok: 'Everything answers',
  degraded: 'Reads answer, and something does not',
  down: 'The service does not answer reads',
}

/** A status as a page for people. */
export function statusHtml(status: StatusResponse, baseUrl: string): Markup {
  const { state, problems, checked_at, catalog, incidents } = status
  const causes = problems.map((problem) => html`<li>${PROBLEMS[problem]}</li>`)
  const run =
    catalog.run && `${catalog.run.as_of}${catalog.run.finished_at ? `, finished ${catalog.run.finished_at}` : ''}`
  const rows: [name: string, value: string][] = [
    ['Database', status.database.answers ? 'answers' : `away for ${status.database.away_seconds} s`],
    ['Search', status.search.answers ? `answers; ${lagText(status.search.lag)}` : 'does not answer'],
    ['Recorded prices', lagText(status.projections)],
    ['Copy of this server', status.replica === null ? 'none' : lagText(status.replica.lag)],
    ['Newest change', catalog.seq === null ? 'unknown' : `number ${catalog.seq}`],
    ['Last run', run ?? 'none'],
    [
      'Last snapshot',
      catalog.snapshot === null ? 'none' : `${catalog.snapshot.created_at}, number ${catalog.snapshot.seq}`,
    ],
  ]
  for (const { name, stage, done, total, seconds_left: left, stale } of status.work) {
    const far = `${done} of ${total ?? 'an unknown number'}`
    rows.push([`At work: ${name}`, `${stage}, ${far}${stale ? ', stopped' : left === null ? '' : `, ${left} s left`}`])
  }
  const table = rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)
  return frame({
    title: `Status: ${state} · ${CATALOG}`,
    style: STYLE,
    body: html`<main><h1>${HEADLINES[state]}</h1>
<p>State ${state}, checked at ${checked_at}.</p>
!${causes.length === 0 ? '' : html`<ul>!${causes}</ul>`}
<table>!${table}</table>
<h2>Incidents</h2>
!${incidents.length === 0 ? html`<p>None.</p>` : incidents.map(incidentHtml)}
<p><a href="${docsUrl(baseUrl)}">Documentation</a></p></main>`,
  })
}

function lagText({ records, seconds }: StatusResponse['projections']): string {
  if (records === null || seconds === null) return 'unknown how far behind'
  return records === 0 ? 'up to date' : `${records} records behind for ${seconds} s`
}

function incidentHtml({ title, text, impact, began_at, ended_at }: StatusResponse['incidents'][number]): Markup {
  const when = ended_at === null ? `since ${began_at}` : `${began_at} to ${ended_at}`
  return html`<section><h3>${title}</h3><p>${when}; impact: ${impact}</p>!${text === null ? '' : html`<p>${text}</p>`}</section>`
}
