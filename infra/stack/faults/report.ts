import { REPORT_STYLE, tableOf } from '@catalog/cli/shared/html-report.ts'
import { html } from 'ghtml'
import type { RunReport, Struck } from './run.ts'

/** Faults of one name together. */
type Line = Readonly<{ kind: string; name: string; times: number; slowestMs: number; boundMs: number; late: number }>

function linesOf(faults: readonly Struck[]): Line[] {
  return [...Map.groupBy(faults, ({ name }) => name)]
    .map(([name, struck]) => ({
      kind: struck[0]?.kind as string,
      name,
      times: struck.length,
      slowestMs: Math.max(...struck.map(slowestOf)),
      boundMs: Math.max(...struck.map((fault) => fault.bound_ms)),
      late: struck.filter((fault) => slowestOf(fault) > fault.bound_ms).length,
    }))
    .toSorted((a, b) => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1))
}

const slowestOf = (fault: Struck) => Math.max(fault.applying_after_ms, fault.lag_ms ?? 0)

const COLUMNS = ['kind', 'fault', 'times', 'slowest recovery, s', 'bound, s', 'late']
const cellsOf = ({ kind, name, times, slowestMs, boundMs, late }: Line) =>
  [kind, name, times, Number((slowestMs / 1000).toFixed(1)), boundMs / 1000, late] as const

/** Figures of all seeds together. */
function figuresOf(reports: readonly RunReport[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { verdict } of reports)
    for (const [name, figure] of Object.entries({ ...verdict.counts, lost: verdict.lost, doubled: verdict.doubled }))
      sums[name] = (sums[name] ?? 0) + figure
  return sums
}

const seedsOf = (reports: readonly RunReport[]) =>
  reports.length === 1
    ? `seed ${reports[0]?.seed}`
    : `${reports.length} seeds, ${reports[0]?.seed} to ${reports.at(-1)?.seed}`

const secondsOf = (reports: readonly RunReport[]) => reports.reduce((sum, { seconds }) => sum + seconds, 0)

/** What was lost, doubled, wrong or late, with its seed where there are several. */
const missesOf = (reports: readonly RunReport[]) =>
  reports.flatMap(({ seed, misses }) => misses.map((miss) => (reports.length === 1 ? miss : `seed ${seed}: ${miss}`)))

/** The report of one seed or several as lines for a terminal. */
export function reportText(reports: readonly RunReport[]): string {
  const faults = reports.flatMap((report) => report.faults)
  const cells = [COLUMNS, ...linesOf(faults).map(cellsOf)].map((row) => row.map(String))
  const widths = COLUMNS.map((_, i) => Math.max(...cells.map((row) => (row[i] as string).length)))
  const rows = cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd(),
  )
  const figures = Object.entries(figuresOf(reports)).map(([name, figure]) => `${name} ${figure}`)
  const misses = missesOf(reports)
  const head = `${seedsOf(reports)}, ${secondsOf(reports)} s, ${faults.length} faults: ${figures.join(', ')}`
  return ['', ...rows, '', head, ...(misses.length === 0 ? ['nothing is lost, doubled or wrong'] : misses)].join('\n')
}

/** The report of one seed or several as a page of its own. */
export function reportHtml(reports: readonly RunReport[]): string {
  const title = `Faults of ${seedsOf(reports)}`
  const faults = reports.flatMap((report) => report.faults.map((fault) => ({ seed: report.seed, ...fault })))
  const byKind = tableOf({ caption: 'Faults by kind', columns: COLUMNS, rows: linesOf(faults).map(cellsOf) })
  const each = tableOf({
    caption: 'Each fault in its order, in seconds of its run',
    columns: ['seed', 'fault', 'began', 'healed', 'applying after', 'whole after', 'note'],
    rows: faults.map((fault) => [
      fault.seed,
      fault.name,
      ...[fault.at_ms, fault.healed_ms, fault.applying_after_ms, fault.whole_after_ms].map(
        (ms) => Math.round(ms / 100) / 10,
      ),
      fault.note,
    ]),
  })
  const figures = tableOf({
    caption: `What clients did and saw in ${secondsOf(reports)} s`,
    columns: ['figure', 'count'],
    rows: Object.entries(figuresOf(reports)),
  })
  const misses = missesOf(reports).map((miss) => html`<li>${miss}</li>`)
  const verdict = misses.length === 0 ? html`<p>Nothing is lost, doubled or wrong.</p>` : html`<ul>!${misses}</ul>`
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>!${REPORT_STYLE}</style>
<h1>${title}</h1>!${verdict}!${figures}!${byKind}!${each}</html>
`
}
