import { cells, type Row } from './report.ts'

/** docs/benchmarks.md: a row for each aim of each bench, so that one bench may be measured again. */

const HEAD = `# Benchmarks

Our stages beside peers and limits: medians of interleaved runs within one process tree. A figure without a unit is a ratio of times, ours
by the peer's behind the slash. Machines are shared, so compare ratios. \`npm run bench -- NAME --write\` measures the rows of a bench again,
\`all --write\` all of them; without \`--write\` it prints the absolute times too.

| bench | ours / beside | found | aim | |
|---|---|---|---|---|`

/** The page with the rows of this bench replaced, or added at its place among the benches. */
export function withRows(
  page: string,
  { name, lines, order }: { name: string; lines: readonly string[]; order: readonly string[] },
): string {
  const known = Map.groupBy(page.match(/^\| `.*$/gm) ?? [], (line) => /^\| `([^`]+)`/.exec(line)?.[1])
  known.set(name, [...lines])
  return `${[HEAD, ...order.flatMap((bench) => known.get(bench) ?? [])].join('\n')}\n`
}

/** The rows of one bench that have an aim. */
export function linesOf(name: string, rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const [stage, beside, figure, , ratio, aim, verdict] = cells(row) as [string, string, string, ...string[]]
    if (aim === '') return []
    const what = beside === '' ? stage : `${stage} / ${beside}`
    return `| \`${name}\` | ${what} | ${ratio || figure} | ${aim} | ${verdict} |`
  })
}
