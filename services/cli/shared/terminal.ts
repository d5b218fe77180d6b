import { styleText } from 'node:util'
import { MultiBar, Presets } from 'cli-progress'

/**
 * The output of a command: with --json one JSON value on stdout and everything else on stderr. For people it is text on
 * stdout, progress bars on a terminal, and the likely next command at the end.
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
      if (json || !stderr.isTTY) return { to() {}, done() {} }
      const bars = new MultiBar(
        { stream: stderr, clearOnComplete: true, hideCursor: true, format: `${label} {bar} {value}/{total} {rate}` },
        Presets.shades_classic,
      )
      const bar = bars.create(1, 0, { rate: '' })
      const begun = performance.now()
      return {
        to(done, total) {
          // Without a known total the bar stays full and only the number grows.
          bar.setTotal(Math.max(total ?? done, 1))
          const rate = done / ((performance.now() - begun) / 1000)
          const left = total == null || rate === 0 ? '' : `, ${timeLeft((total - done) / rate)}`
          bar.update(done, { rate: `${Math.round(rate)}/s${left}` })
        },
        done: () => bars.stop(),
      }
    },
  }
}

const timeLeft = (seconds: number) =>
  seconds < 90 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`

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
