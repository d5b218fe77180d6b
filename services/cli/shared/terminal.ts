import { styleText } from 'node:util'
import { Interrupted, Stopped } from '@catalog/runtime/run.ts'
import { paceOf, type Progress as Work } from '@catalog/store/work.ts'
import { MultiBar, Presets } from 'cli-progress'

/**
 * The output of a command: with --json one JSON value on stdout, and all else on stderr, with a line of JSON for each second of
 * progress. For people it is text on stdout, progress bars on a terminal, and the likely next command at the end.
 */
export type Terminal = Readonly<{
  json: boolean
  /** The command's answer: the value for machines, the text for people. */
  answer: (value: unknown, text: () => string) => void
  note: (line: string) => void
  /** The likely next command, for people only. */
  next: (command: string) => void
  progress: (label: string) => Progress
}>
export type Progress = Readonly<{ to: (done: number, total?: number | null) => void; done: () => void }>

export function openTerminal({ json }: { json: boolean }): Terminal {
  const { stdout, stderr } = process
  // A reader such as head may close the pipe early.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  return {
    json,
    answer(value, text) {
      stdout.write(json ? `${JSON.stringify(value, bigintText)}\n` : ended(text()))
    },
    note: (line) => {
      stderr.write(ended(line))
    },
    next: (command) => {
      if (!json) stdout.write(`\n${styleText('dim', `next: ${command}`)}\n`)
    },
    progress(label) {
      const begun = performance.now()
      if (json) return { to: jsonLines(label, begun), done() {} }
      if (!stderr.isTTY) return { to() {}, done() {} }
      const bars = new MultiBar(
        { stream: stderr, clearOnComplete: true, hideCursor: true, format: `${label} {bar} {value}/{total} {rate}` },
        Presets.shades_classic,
      )
      const bar = bars.create(1, 0, { rate: '' })
      return {
        to(done, total = null) {
          // Without a known total the bar stays full and only the number grows.
          bar.setTotal(Math.max(total ?? done, 1))
          bar.update(done, { rate: paceText(paceOf({ done, total }, secondsSince(begun))) })
        },
        done: () => bars.stop(),
      }
    },
  }
}

const secondsSince = (begun: number) => (performance.now() - begun) / 1000

/** For people, such as "120/s, 3 min left"; nothing while nobody can tell. */
export function paceText({ per_second: rate, seconds_left: left }: ReturnType<typeof paceOf>): string {
  const time = left === null ? '' : left < 90 ? `, ${left} s left` : `, ${Math.ceil(left / 60)} min left`
  return rate === null ? '' : `${rate}/s${time}`
}

/** Writes a line for machines at the begin and then once a second. */
function jsonLines(stage: string, begun: number): Progress['to'] {
  let nextMs = 0
  return (done, total = null) => {
    if (performance.now() < nextMs) return
    nextMs = performance.now() + JSON_LINE_MS
    const pace = paceOf({ done, total }, secondsSince(begun))
    process.stderr.write(`${JSON.stringify({ stage, done, total, ...pace })}\n`)
  }
}
const JSON_LINE_MS = 1_000

/**
 * Does work of minutes and shows its stages. Where the signal stopped it, throws an error that says how far it was, and `next`: how
 * it goes on.
 */
export async function longWork<T>(
  { terminal, signal, next }: { terminal: Terminal; signal?: AbortSignal | undefined; next: string },
  work: (tell: (at: Work) => void) => Promise<T>,
): Promise<T> {
  const bar = openStageBar(terminal)
  let at: Work = { stage: 'start', done: 0, total: null }
  try {
    return await work((reached) => {
      at = reached
      bar.to(at)
    })
  } catch (cause) {
    if (!(signal?.reason instanceof Stopped)) throw cause
    const of = at.total === null ? '' : ` of ${at.total}`
    const message = `stopped in stage '${at.stage}' at ${at.done}${of}; what is recorded stays, and ${next}`
    throw new Interrupted(message, { cause, stopped: signal.reason })
  } finally {
    bar.done()
  }
}

/** One bar at a time, for the present stage. */
export function openStageBar({ progress }: Pick<Terminal, 'progress'>) {
  let shown: { stage: string; bar: Progress } | undefined
  return {
    to({ stage, done, total }: Work) {
      if (shown?.stage !== stage) {
        shown?.bar.done()
        shown = { stage, bar: progress(stage) }
      }
      shown.bar.to(done, total)
    },
    done() {
      shown?.bar.done()
      shown = undefined
    },
  }
}

/** Replace control characters in vendors' texts: a terminal would obey them. */
const CONTROLS = /[^\P{Cc}\n\t]/gu
function ended(text: string): string {
  const shown = text.replaceAll(CONTROLS, '\ufffd')
  return shown.endsWith('\n') || shown === '' ? shown : `${shown}\n`
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

/** Formats rows as aligned columns with headings in capitals; numbers are right-aligned. */
export function table(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns = Object.keys(rows[0] ?? {}),
): string {
  if (rows.length === 0) return 'none'
  const cells = rows.map((row) => columns.map((column) => String(row[column] ?? '')))
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((line) => line[i]?.length ?? 0)))
  const numeric = columns.map((column) => rows.every((row) => ['number', 'bigint'].includes(typeof row[column])))
  const line = (values: readonly string[]) =>
    values
      .map((value, i) => (numeric[i] ? value.padStart(widths[i] as number) : value.padEnd(widths[i] as number)))
      .join('  ')
      .trimEnd()
  return [line(columns.map((column) => column.toUpperCase())), ...cells.map(line)].join('\n')
}
