import { PROBLEMS, type StatusResponse } from '@catalog/api/contract/contract.ts'
import { docsUrl } from '@catalog/api/http/context.ts'
import { escapeHtml, pageHtml } from '@catalog/api/pages/page.ts'

const HEADLINES: Readonly<Record<StatusResponse['state'], string>> = {
  ok: 'Everything answers',
  degraded: 'Reads answer, and something does not',
  down: 'The service does not answer reads',
}

/** A status as a page for people. */
export function statusHtml(status: StatusResponse, baseUrl: string): string {
  const { state, problems, checked_at, catalog, incidents } = status
  const causes = problems.map((problem) => `<li>${escapeHtml(PROBLEMS[problem])}</li>`).join('')
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
  const table = rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  )
  return pageHtml(
    `Status: ${state}`,
    `
  <h1>${escapeHtml(HEADLINES[state])}</h1>
  <p>State ${escapeHtml(state)}, checked at ${escapeHtml(checked_at)}.</p>
  ${causes === '' ? '' : `<ul>${causes}</ul>`}
  <table>${table.join('')}</table>
  <h2>Incidents</h2>
  ${incidents.length === 0 ? '<p>None.</p>' : incidents.map(incidentHtml).join('')}
  <p><a href="${escapeHtml(docsUrl(baseUrl))}">Documentation</a></p>`,
  )
}

function lagText({ records, seconds }: StatusResponse['projections']): string {
  if (records === null || seconds === null) return 'unknown how far behind'
  return records === 0 ? 'up to date' : `${records} records behind for ${seconds} s`
}

function incidentHtml({ title, text, impact, began_at, ended_at }: StatusResponse['incidents'][number]): string {
  const when = ended_at === null ? `since ${began_at}` : `${began_at} to ${ended_at}`
  return `<section><h3>${escapeHtml(title)}</h3><p>${escapeHtml(`${when}; impact: ${impact}`)}</p>${
    text === null ? '' : `<p>${escapeHtml(text)}</p>`
  }</section>`
}
