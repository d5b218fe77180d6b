import { RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'

/** Splits the text of a FIEBDC-3 (BC3) file into records and fields. */

/** One record: its letter, its fields (each a list of subfields), its raw text, and the line of its `~`. */
export type Bc3Record = Readonly<{
  letter: string
  /** Split on first access. */
  fields: readonly (readonly string[])[]
  raw: string
  line: number
  /** It exceeded {@link RECORD_CHARS_MAX} and is cut there. */
  isCut: boolean
  /** Text after its last bar, which the standard ignores; '' for a cut record. */
  tail: string
  /** It contained NUL bytes, which are dropped. */
  hasNul: boolean
}>

/** Characters of a record start that may be split between two pieces. */
const RECORD_START_CHARS_MAX = 40
/** Characters of the leading text that a diagnostic shows. */
const LEADING_CHARS_MAX = 60

/**
 * Splits decoded text into records, a batch for each piece. A record starts at `~` with its letter and a bar, and ends
 * before the next one. Bars end fields and backslashes separate subfields. A `~` that starts no record is plain text.
 *
 * Ignores white space before a separator, text before the first record (passed to `onLeading`, once) and text after a
 * record's last bar. Drops NUL and 0x1A (the old end of file). Never throws, and holds one record at most. Each piece
 * scans the start of the buffered record, so use pieces of some kilobytes.
 */
export async function* bc3Records(
  pieces: AsyncIterable<string>,
  { onLeading = () => {} }: { readonly onLeading?: (text: string) => void } = {},
): AsyncGenerator<Bc3Record[], void, undefined> {
  let buffered = ''
  /** Line of the first buffered character. */
  let line = 1
  /** The record that `buffered` continues; null before the first one. `cutText` is its beginning once it was cut. */
  let current: { line: number; cutText: string } | null = null
  let leading = ''
  const lead = (text: string) => {
    if (leading !== '') return
    leading = cleaned(text.slice(0, RECORD_CHARS_MAX)).trim().slice(0, LEADING_CHARS_MAX)
    if (leading !== '') onLeading(leading)
  }
  const finish = (text: string, { line, cutText }: { line: number; cutText: string }) => {
    const isCut = cutText !== '' || text.length > RECORD_CHARS_MAX
    return new TextRecord(isCut ? (cutText || text).slice(0, RECORD_CHARS_MAX) : text, { line, isCut })
  }

  for await (const piece of pieces) {
    const scanned = Math.max(0, buffered.length - RECORD_START_CHARS_MAX)
    buffered += piece
    const records: Bc3Record[] = []
    let from = 0
    // Skip the start of the record that is buffered already.
    let after = current !== null && current.cutText === '' ? Math.max(1, scanned) : scanned
    for (let start = recordStart(buffered, after); start !== -1; start = recordStart(buffered, after)) {
      const text = buffered.slice(from, start)
      if (current === null) lead(text)
      else records.push(finish(text, current))
      line += lineEnds(text)
      current = { line, cutText: '' }
      from = start
      after = start + 1
    }
    buffered = buffered.slice(from)
    if (buffered.length > RECORD_CHARS_MAX) {
      if (current === null) lead(buffered)
      else if (current.cutText === '') current.cutText = buffered.slice(0, RECORD_CHARS_MAX)
      const dropped = buffered.slice(0, -RECORD_START_CHARS_MAX)
      line += lineEnds(dropped)
      buffered = buffered.slice(-RECORD_START_CHARS_MAX)
    }
    if (records.length > 0) yield records
  }
  if (current === null) lead(buffered)
  else yield [finish(buffered, current)]
}

/** Index of the next `~` that a letter and a bar follow; -1 without one. */
function recordStart(text: string, from: number): number {
  for (let at = text.indexOf('~', from); at !== -1; at = text.indexOf('~', at + 1)) {
    let next = at + 1
    const limit = at + RECORD_START_CHARS_MAX
    while (text.charCodeAt(next) === 0 && next < limit) next++
    if (!isLetter(text.charCodeAt(next))) continue
    next++
    while (isBlank(text.charCodeAt(next)) && next < limit) next++
    if (text.charCodeAt(next) === BAR && next < limit) return at
  }
  return -1
}

const BAR = 0x7c

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

/** White space and control characters; of the latter, only tabs and line ends are allowed. */
function isBlank(code: number): boolean {
  return code <= 0x20
}

class TextRecord implements Bc3Record {
  readonly letter: string
  readonly raw: string
  readonly line: number
  readonly isCut: boolean
  readonly hasNul: boolean
  #fields: readonly (readonly string[])[] | null = null

  constructor(text: string, { line, isCut }: { readonly line: number; readonly isCut: boolean }) {
    this.hasNul = text.includes('\0')
    this.raw = (this.hasNul || text.includes('\u001a') || text.includes('\ufeff') ? cleaned(text) : text).trimEnd()
    this.letter = (this.raw[1] ?? '').toUpperCase()
    this.line = line
    this.isCut = isCut
  }

  get fields(): readonly (readonly string[])[] {
    this.#fields ??= fieldsOf(this.raw)
    return this.#fields
  }

  get tail(): string {
    return this.isCut || this.raw.charCodeAt(this.raw.length - 1) === BAR
      ? ''
      : this.raw.slice(this.raw.lastIndexOf('|') + 1).trim()
  }
}

function fieldsOf(raw: string): string[][] {
  const fields: string[][] = []
  const splitter = new FieldSplitter(raw)
  while (splitter.next()) fields.push(splitter.parts.slice())
  return fields
}

/** Iterates over the fields of a record in one reused list, because most fields are read once. */
export class FieldSplitter {
  /** Subfields of the current field. */
  readonly parts: string[] = []
  readonly #raw: string
  #at: number
  /** The first backslash from #at on, or the end. Cached, because many fields have none. */
  #backslash = -1

  constructor(raw: string) {
    this.#raw = raw
    this.#at = raw.indexOf('|') + 1
  }

  /** Moves to the next field; false when no bar ends another one. */
  next(): boolean {
    const { parts } = this
    const raw = this.#raw
    parts.length = 0
    let from = this.#at
    const bar = raw.indexOf('|', from)
    if (bar === -1) return false
    let backslash = this.#backslash < from ? indexOrEnd(raw, from) : this.#backslash
    while (backslash < bar) {
      parts.push(withoutBlanksBehind(raw, from, backslash))
      from = backslash + 1
      backslash = indexOrEnd(raw, from)
    }
    parts.push(withoutBlanksBehind(raw, from, bar))
    this.#at = bar + 1
    this.#backslash = backslash
    return true
  }
}

function indexOrEnd(raw: string, from: number): number {
  const at = raw.indexOf('\\', from)
  return at === -1 ? raw.length : at
}

function withoutBlanksBehind(raw: string, from: number, to: number): string {
  let end = to
  while (end > from && isBlank(raw.charCodeAt(end - 1))) end--
  return raw.slice(from, end)
}

function cleaned(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these characters are dropped
  return text.replace(/[\0\u001a\ufeff]/g, '')
}

function lineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
