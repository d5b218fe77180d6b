import { type Line, lines } from '@catalog/formats/bytes/lines.ts'
import {
  BATCH_CHARS,
  BATCH_RECORDS,
  RECORD_CHARS_MAX,
  RECORD_LINES_MAX,
  type ReadRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import { parse } from 'csv-parse/sync'
import { Table, type TableLayout } from './table.ts'

const DELIMITERS = [';', ',', '\t', '|'] as const

export type CsvOptions = Readonly<{
  /** Name of the file in positions. */
  name: string
  /** One character; detected from the first lines when absent. */
  delimiter?: string | undefined
  /** Whether a row can be the heading; see {@link Table}. */
  isHeading?: ((columns: readonly string[]) => boolean) | undefined
  layout?: TableLayout | undefined
  /** Called once, before the first record. */
  onHeading?: (heading: Readonly<{ delimiter: string; columns: readonly string[] }>) => void
}>

/** Characters and lines of the head that show the delimiter. */
const HEAD_CHARS = 65_536
const HEAD_LINES = 50

/**
 * Reads the records of a delimited text: the first line that is not blank names the columns. Quotes count only at the
 * start of a field, so `Tube 1/2"` is plain text. Lines of only blanks, quotes and delimiters are skipped.
 *
 * A row whose number of fields differs from the heading's is broken (WRONG_COLUMN_COUNT), unless the extra fields are
 * blank. A quote that is never closed breaks only its own line (UNCLOSED_QUOTE); reading resumes with the next line.
 */
export async function* readCsv(pieces: AsyncIterable<string>, options: CsvOptions): RecordBatches {
  let delimiter = options.delimiter ?? null
  let splitter: RecordSplitter | null = null
  const table = new Table({
    position: (line) => `${options.name} line ${line}`,
    canRowsBeShort: false,
    isHeading: options.isHeading,
    layout: options.layout,
    onHeading: (columns) => options.onHeading?.({ delimiter: delimiter as string, columns }),
  })
  const begin = (head: readonly Line[]): RecordSplitter => {
    delimiter ??= delimiterOf(belowTitles(head, options.layout), options.isHeading)
    splitter = new RecordSplitter(delimiter)
    return splitter
  }
  function* records(rows: readonly Logical[]): Generator<readonly ReadRecord[]> {
    for (let from = 0, to = 0; from < rows.length; from = to) {
      to = batchEnd(rows, from)
      const batch = rows.slice(from, to)
      const cells = cellsOf(batch, delimiter as string)
      const found = batch.flatMap(({ text, line, broken }, i) =>
        table.take({ cells: cells[i] ?? null, raw: text, line, ...(broken && { broken }) }),
      )
      if (found.length > 0) yield found
      if (table.refused) return
    }
  }
  let head: Line[] = []
  let headChars = 0
  for await (const batch of lines(pieces)) {
    let next = batch
    if (splitter === null) {
      for (const line of batch) {
        head.push(line)
        headChars += line.text.length + 1
      }
      if (head.length < HEAD_LINES && headChars < HEAD_CHARS) continue
      begin(head)
      next = withoutHint(head)
      head = []
    }
    yield* records((splitter as unknown as RecordSplitter).push(next))
    if (table.refused) return
  }
  if (splitter === null) yield* records(begin(head).push(withoutHint(head)))
  yield* records((splitter as unknown as RecordSplitter).end())
  const rest = table.end()
  if (rest.length > 0) yield rest
}

/** The end of the batch of rows from `from`: bounded, because a million commas are a million fields. */
function batchEnd(rows: readonly Logical[], from: number): number {
  let to = from + 1
  let chars = rows[from]?.text.length ?? 0
  while (to < rows.length && to - from < BATCH_RECORDS) {
    chars += (rows[to] as Logical).text.length
    if (chars > BATCH_CHARS) break
    to++
  }
  return to
}

/** Lines that may hold the heading. */
const HEADING_LINES_MAX = 20
/** Longer lines are no headings. */
const HEADING_CHARS_MAX = 10_000

/** Excel's first line with the delimiter, which is no row. */
const DELIMITER_HINT = /^\s*sep=(.)\s*$/i

/** The lines from the heading on, where the layout says where it stands. */
function belowTitles(head: readonly Line[], { skippedLines = 0, headingLines }: TableLayout = {}): readonly Line[] {
  const from = Math.max(skippedLines + 1, Math.min(...(headingLines ?? [1])))
  return head.filter(({ number }) => number >= from)
}

function withoutHint(head: readonly Line[]): Line[] {
  const first = head.findIndex((line) => line.text.trim() !== '')
  return head.filter((line, i) => i !== first || !DELIMITER_HINT.test(line.text))
}

/** A logical row, which may span lines, or the reason why it is broken. */
type Logical = Readonly<{ text: string; line: number; broken?: Readonly<{ reason: string; detail: string }> }>

/** Joins lines to logical rows by their quotes. Holds at most {@link RECORD_LINES_MAX} lines of an open quote. */
class RecordSplitter {
  readonly #delimiter: string
  /** Lines of the row with an open quote. */
  #open: Line[] = []
  #openChars = 0

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  push(batch: readonly Line[]): Logical[] {
    const rows: Logical[] = []
    // A stack, because an unclosed quote returns its lines to be read again.
    const pending = [...batch].reverse()
    for (let line = pending.pop(); line !== undefined; line = pending.pop()) this.#take(line, rows, pending)
    return rows
  }

  end(): Logical[] {
    const rows: Logical[] = []
    while (this.#open.length > 0) {
      const pending: Line[] = []
      this.#giveUp(rows, pending, 'the quote is still open at the end of the file')
      for (let line = pending.pop(); line !== undefined; line = pending.pop()) this.#take(line, rows, pending)
    }
    return rows
  }

  #take(line: Line, rows: Logical[], pending: Line[]): void {
    if (line.isCut) {
      if (this.#open.length > 0) {
        pending.push(line)
        this.#giveUp(rows, pending, `line ${line.number} is too long to close the quote`)
        return
      }
      const detail = `the line is longer than ${RECORD_CHARS_MAX} characters`
      rows.push({ text: line.text, line: line.number, broken: { reason: 'RECORD_TOO_LONG', detail } })
      return
    }
    if (this.#open.length === 0 && !line.text.includes('"')) {
      rows.push({ text: line.text, line: line.number })
      return
    }
    const continued = this.#open.length > 0
    const state = this.#scan(line.text, continued)
    if (state === 'malformed') {
      pending.push(line)
      this.#giveUp(rows, pending, `the quote meets another one on line ${line.number} that ends no field`)
      return
    }
    this.#open.push(line)
    this.#openChars += line.text.length + 1
    if (state === 'closed') {
      rows.push({ text: this.#open.map(({ text }) => text).join('\n'), line: (this.#open[0] as Line).number })
      this.#open = []
      this.#openChars = 0
    } else if (this.#open.length > RECORD_LINES_MAX || this.#openChars > RECORD_CHARS_MAX) {
      this.#giveUp(rows, pending, `the quote is still open ${this.#open.length} lines on`)
    }
  }

  /** Breaks the first of the open lines, and returns the others to be read as rows. */
  #giveUp(rows: Logical[], pending: Line[], detail: string): void {
    const [first, ...others] = this.#open as [Line, ...Line[]]
    rows.push({ text: first.text, line: first.number, broken: { reason: 'UNCLOSED_QUOTE', detail } })
    this.#open = []
    this.#openChars = 0
    pending.push(...others.reverse())
  }

  /**
   * Whether a quote is open at the end of a line. A closing quote must precede a delimiter or the end of the line.
   * Anything else on the opening line makes the field plain text (like csv-parse's relax_quotes). On a later line it
   * opens another field, so the first quote was never closed.
   */
  #scan(text: string, continued: boolean): 'open' | 'closed' | 'malformed' {
    let at = 0
    let open = continued
    let openedHere = !continued
    for (;;) {
      if (!open) {
        if (text[at] === '"') {
          open = true
          openedHere = true
          at++
        } else {
          const next = text.indexOf(this.#delimiter, at)
          if (next === -1) return 'closed'
          at = next + 1
        }
        continue
      }
      const quote = text.indexOf('"', at)
      if (quote === -1) return 'open'
      const after = text[quote + 1]
      if (after === '"') {
        at = quote + 2
        continue
      }
      if (after === undefined) return 'closed'
      if (after !== this.#delimiter && !openedHere) return 'malformed'
      open = false
      at = quote + 1
      // Skip plain text up to the next delimiter.
      const next = text.indexOf(this.#delimiter, at)
      if (next === -1) return 'closed'
      at = next + 1
    }
  }
}

/**
 * The fields of each row; null for a broken or empty one. Parses all in one call, and one by one if the count of rows
 * differs.
 */
function cellsOf(rows: readonly Logical[], delimiter: string): (readonly string[] | null)[] {
  const whole = rows.filter(({ broken, text }) => broken === undefined && text !== '')
  let parsed = parseRows(whole.map(({ text }) => text).join('\n'), delimiter)
  if (parsed.length !== whole.length) {
    parsed = whole.map(({ text }) => {
      const alone = parseRows(text, delimiter)
      return alone.length === 1 ? (alone[0] as string[]) : []
    })
  }
  let next = 0
  return rows.map(({ broken, text }) => (broken !== undefined || text === '' ? null : (parsed[next++] ?? null)))
}

function parseRows(text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: '\n',
      quote: '"',
      escape: '"',
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: false,
      columns: false,
      cast: false,
      trim: false,
    })
  } catch {
    return []
  }
}

/**
 * The delimiter of a text. A line `sep=;` states it. Else the only delimiter under which one of the first lines is a
 * heading; titles above the heading may contain others. Else the one under which most of the first lines have as many
 * fields as the first, more fields breaking a tie. A comma by default.
 */
function delimiterOf(head: readonly Line[], isHeading: CsvOptions['isHeading']): string {
  const texts = head.map(({ text }) => text).filter((text) => text.trim() !== '')
  const hint = DELIMITER_HINT.exec(texts[0] ?? '')?.[1]
  if (hint !== undefined) return hint
  const heading = texts.slice(0, HEADING_LINES_MAX).filter((text) => text.length <= HEADING_CHARS_MAX)
  const telling = DELIMITERS.filter((delimiter) => {
    return heading.some((text) => {
      const [cells = []] = fieldCount(text, delimiter) < 2 ? [] : parseRows(text, delimiter)
      return isHeading?.(cells.map((cell) => cell.trim())) ?? false
    })
  })
  const [only] = telling
  if (telling.length === 1 && only !== undefined) return only
  let best: { delimiter: string; agreeing: number; fields: number } = { delimiter: ',', agreeing: 0, fields: 1 }
  for (const delimiter of DELIMITERS) {
    const counts = texts.slice(0, HEAD_LINES).map((text) => fieldCount(text, delimiter))
    const fields = counts[0] ?? 1
    if (fields < 2) continue
    const agreeing = counts.filter((count) => count === fields).length / counts.length
    if (agreeing > best.agreeing || (agreeing === best.agreeing && fields > best.fields)) {
      best = { delimiter, agreeing, fields }
    }
  }
  return best.delimiter
}

function fieldCount(text: string, delimiter: string): number {
  let count = 1
  let quoted = false
  for (const letter of text) {
    if (letter === '"') quoted = !quoted
    else if (letter === delimiter && !quoted) count++
  }
  return count
}
