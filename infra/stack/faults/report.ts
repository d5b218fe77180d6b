import { table } from '@catalog/cli/shared/terminal.ts'
import type { RunReport, Struck } from './run.ts'

/** Faults of one name together. */
function linesOf(faults: readonly Struck[]) {
  return [...Map.groupBy(faults, ({ name }) => name)]
    .map(([fault, struck]) => ({
      kind: struck[0]?.kind as string,
      fault,
      times: struck.length,
      'slowest recovery, s': Number((Math.max(...struck.map(slowestOf)) / 1000).toFixed(1)),
      'bound, s': Math.max(...struck.map(({ bound_ms }) => bound_ms)) / 1000,
      late: struck.filter((each) => slowestOf(each) > each.bound_ms).length,
    }))
    .toSorted((a, b) => (`${a.kind} ${a.fault}` < `${b.kind} ${b.fault}` ? -1 : 1))
}

const slowestOf = (fault: Struck) => Math.max(fault.applying_after_ms, fault.lag_ms ?? 0)

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
  const counted = Object.entries(figures).map(([figure, count]) => `${figure} ${count}`)
  const verdict = misses.length === 0 ? ['nothing is lost, doubled or wrong'] : misses
  return [
    '',
    table(linesOf(faults)),
    '',
    `${name}, ${faults.length} faults, ${seconds} s: ${counted.join(', ')}`,
    ...verdict,
  ].join('\n')
}
