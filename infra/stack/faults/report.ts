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

/** Several runs as one: a figure is the sum of theirs. */
function summed(reports: readonly RunReport[]) {
  const figures: Record<string, number> = {}
  for (const { verdict } of reports) {
    for (const [name, figure] of Object.entries(verdict.counts)) figures[name] = (figures[name] ?? 0) + figure
  }
  return {
    name: `seed${reports.length === 1 ? '' : 's'} ${reports.map(seedOf).join(', ')}`,
    seconds: reports.reduce((sum, { seconds }) => sum + seconds, 0),
    faults: reports.flatMap(({ faults }) => faults),
    figures,
    misses: reports.flatMap((report) =>
      report.misses.map((miss) => (reports.length === 1 ? miss : `seed ${seedOf(report)}: ${miss}`)),
    ),
  }
}

const seedOf = ({ plans }: RunReport) => plans.map(({ seed }) => seed).join('+')

/** The report of runs as lines for a terminal. */
export function reportText(reports: readonly RunReport[]): string {
  const { name, seconds, faults, figures, misses } = summed(reports)
  const cells = [COLUMNS, ...linesOf(faults).map(cellsOf)].map((row) => row.map(String))
  const widths = COLUMNS.map((_, i) => Math.max(...cells.map((row) => (row[i] as string).length)))
  const rows = cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd(),
  )
  const counted = Object.entries(figures).map(([figure, count]) => `${figure} ${count}`)
  const verdict = misses.length === 0 ? ['nothing is lost, doubled or wrong'] : misses
  return ['', ...rows, '', `${name}, ${faults.length} faults, ${seconds} s: ${counted.join(', ')}`, ...verdict].join(
    '\n',
  )
}
