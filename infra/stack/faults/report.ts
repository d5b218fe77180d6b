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

const figuresOf = ({ verdict: { counts, lost, doubled } }: RunReport) => ({ ...counts, lost, doubled })

/** The report as lines for a terminal. */
export function reportText(report: RunReport): string {
  const cells = [COLUMNS, ...linesOf(report.faults).map(cellsOf)].map((row) => row.map(String))
  const widths = COLUMNS.map((_, i) => Math.max(...cells.map((row) => (row[i] as string).length)))
  const rows = cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd(),
  )
  const figures = Object.entries(figuresOf(report)).map(([name, figure]) => `${name} ${figure}`)
  const misses = report.misses.length === 0 ? ['nothing is lost, doubled or wrong'] : report.misses
  return ['', ...rows, '', `seed ${report.seed}, ${report.seconds} s: ${figures.join(', ')}`, ...misses].join('\n')
}

/** The report as a page of its own. */
export function reportHtml(report: RunReport): string {
  const title = `Faults of seed ${report.seed}`
  const faults = tableOf({ caption: 'Faults by kind', columns: COLUMNS, rows: linesOf(report.faults).map(cellsOf) })
  const each = tableOf({
    caption: 'Each fault in its order, in seconds of the run',
    columns: ['fault', 'began', 'healed', 'applying after', 'whole after', 'note'],
    rows: report.faults.map((fault) => [
      fault.name,
      ...[fault.at_ms, fault.healed_ms, fault.applying_after_ms, fault.whole_after_ms].map(
        (ms) => Math.round(ms / 100) / 10,
      ),
      fault.note,
    ]),
  })
  const figures = tableOf({
    caption: `What clients did and saw in ${report.seconds} s`,
    columns: ['figure', 'count'],
    rows: Object.entries(figuresOf(report)),
  })
  const misses = report.misses.map((miss) => html`<li>${miss}</li>`)
  const verdict = misses.length === 0 ? html`<p>Nothing is lost, doubled or wrong.</p>` : html`<ul>!${misses}</ul>`
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>!${REPORT_STYLE}</style>
<h1>${title}</h1>!${verdict}!${figures}!${faults}!${each}</html>
`
}
