/** One comparison: what ours takes beside a peer that has the same result, and what is aimed at. */
export type Comparison = Readonly<{
  stage: string
  beside: string
  /** Medians of the rounds. */
  oursMs: number
  besideMs: number
  /** Ours may take this fraction of the peer's time at most; null where there is no aim. */
  ratioMax: number | null
}>

export type Bench = Readonly<{
  /** What is compared, in one line. */
  title: string
  run: (say: (line: string) => void) => Promise<readonly Comparison[]>
}>

/** Rounds of every measurement; its median is what counts, because others use the machine as well. */
const ROUNDS = 3
/** How often {@link interleaved} runs each task. */
export const RUNS_PER_TASK = ROUNDS + 1

/**
 * Times every task once per round, in turn, so that a slow minute of the machine meets all of them. Answers the median of
 * each in milliseconds: of the whole task, or what the task itself answers where it also sets up and tidies. Round 0 warms
 * caches and compilers and does not count.
 */
export async function interleaved<Name extends string>(
  tasks: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(tasks) as Name[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < RUNS_PER_TASK; round++) {
    for (const name of names) {
      const begun = performance.now()
      const own = await tasks[name]()
      if (round > 0) times.get(name)?.push(typeof own === 'number' ? own : performance.now() - begun)
    }
  }
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>
}

export function asTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ stage, beside, oursMs, besideMs, ratioMax }) => {
    const ratio = oursMs / besideMs
    const aim = ratioMax === null ? '' : `<= ${ratioMax.toFixed(3)}`
    const verdict = ratioMax === null ? '' : ratio <= ratioMax ? 'met' : 'missed'
    return [stage, beside, oursMs.toFixed(1), besideMs.toFixed(1), ratio.toFixed(3), aim, verdict]
  })
  const all = [['ours', 'beside', 'ours ms', 'beside ms', 'ratio', 'aim', ''], ...rows]
  const widths = (all[0] as string[]).map((_, column) => Math.max(...all.map((row) => (row[column] as string).length)))
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The same for machines. */
export function asJson(name: string, comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((row) => {
    const ratio = row.oursMs / row.besideMs
    return { ...row, ratio, met: row.ratioMax === null ? null : ratio <= row.ratioMax }
  })
  return JSON.stringify({ bench: name, comparisons: rows })
}
