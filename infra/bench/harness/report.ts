import { loadavg } from 'node:os'
import { table } from '@catalog/cli/shared/terminal.ts'

/** Our time beside that of a peer with the same result, and the target ratio. */
export type Comparison = Readonly<{
  stage: string
  beside: string
  /** Medians of the rounds. */
  oursMs: number
  besideMs: number
  /** Largest allowed fraction of the peer's time; null without a target. */
  ratioMax: number | null
}>

/** A figure without a peer, and its largest allowed value; null without a target. */
export type Figure = Readonly<{ stage: string; figure: number; unit: string; max: number | null }>

export type Row = Comparison | Figure

export type Bench = Readonly<{
  /** One line on the comparison. */
  title: string
  run: (say: (line: string) => void, size?: BenchSize) => Promise<readonly Row[]>
}>

/** The work of a bench where it is not the usual. */
export type BenchSize = Readonly<{
  items?: readonly number[]
  megabytes?: number
  seed?: number
  /** Checkout of an older head, run beside ours. */
  former?: string
  /** Seconds of work, which show that the bench runs; the ratios say nothing. */
  isBrief?: boolean
}>

/** The ratio of times that corresponds to so many times the peer's throughput. */
export const speedup = (times: number): number => 1 / times

/** Rounds of every measurement. The median counts, because the machine is shared. */
const ROUNDS = 3
/** One shows that a task can be repeated. */
const BRIEF_ROUNDS = 1
/** How often {@link interleaved} runs each task: the rounds and the warm-up. */
export const runsPerTask = ({ isBrief }: Brevity): number => 1 + (isBrief ? BRIEF_ROUNDS : ROUNDS)

/** Whether to show only that a measurement runs. */
export type Brevity = Readonly<{ isBrief: boolean }>

/**
 * Times every task once per round, in turn, so that a slow minute affects all of them. Returns the median of each in
 * milliseconds: of the whole task, or of what a task with set-up and clean-up returns. Round 0 warms up and does not
 * count.
 */
export async function interleaved<Name extends string>(
  tasks: Readonly<Record<Name, () => unknown>>,
  brevity: Brevity,
): Promise<Record<Name, number>> {
  const names = Object.keys(tasks) as Name[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < runsPerTask(brevity); round++) {
    for (const name of names) {
      const begun = performance.now()
      const own = await tasks[name]()
      if (round > 0) times.get(name)?.push(typeof own === 'number' ? own : performance.now() - begun)
    }
  }
  return Object.fromEntries(names.map((name) => [name, quantile(times.get(name) ?? [], 0.5)])) as Record<Name, number>
}

/** The value that this share of the values lies below; .5 is the median. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

const TITLES = ['ours', 'beside', 'ours ms', 'beside ms', 'ratio', 'aim', '']
export const asTable = (rows: readonly Row[]): string =>
  table(
    rows.map((row) => Object.fromEntries(cells(row).map((cell, i) => [TITLES[i], cell]))),
    TITLES,
  )

/** Stage, beside, our figure, the peer's, ratio, aim and verdict; what a row lacks is blank. */
export function cells(row: Row): string[] {
  if ('figure' in row) {
    const { stage, figure, unit, max } = row
    const aim = max === null ? '' : `<= ${max}`
    return [stage, '', `${figure} ${unit}`, '', '', aim, verdict(isMet(row))]
  }
  const { stage, beside, oursMs, besideMs, ratioMax } = row
  const aim = ratioMax === null ? '' : `<= ${ratioMax.toFixed(3)}`
  return [stage, beside, oursMs.toFixed(1), besideMs.toFixed(1), ratioOf(row).toFixed(3), aim, verdict(isMet(row))]
}

const ratioOf = ({ oursMs, besideMs }: Comparison) => oursMs / besideMs
const verdict = (met: boolean | null) => (met === null ? '' : met ? 'met' : 'missed')

/** Null without a target. */
function isMet(row: Row): boolean | null {
  if ('figure' in row) return row.max === null ? null : row.figure <= row.max
  return row.ratioMax === null ? null : ratioOf(row) <= row.ratioMax
}

/** The rows for machines. */
export function asJson(name: string, rows: readonly Row[]): string {
  const comparisons = rows.map((row) => ({
    ...row,
    ...('figure' in row ? {} : { ratio: ratioOf(row) }),
    met: isMet(row),
  }))
  return JSON.stringify({ bench: name, comparisons })
}

export const tenths = (value: number): number => Math.round(value * 10) / 10
/** Processes that want to run, on the average of the last minute. */
export const loadOf = (): number => tenths(loadavg()[0] as number)
