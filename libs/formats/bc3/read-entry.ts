import { RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'
import { parseBc3Date } from './date.ts'
import type { Bc3Diagnostic, Bc3Entry, DecompositionLine, RawEntry, Unread } from './entries.ts'
import {
  type Column,
  type FieldLayout,
  KEPT_LETTERS,
  type Kind,
  LAYOUTS,
  layoutOf,
  type RecordLayout,
  type Values,
} from './layout.ts'
import { parseNumber } from './number.ts'
import { type Bc3Record, FieldSplitter } from './records.ts'

export type ReadEntry = Readonly<{ entry: Bc3Entry; diagnostics: readonly Bc3Diagnostic[] }>

/** Reads the entry of a record; see {@link Bc3Entry}. Never throws. */
export function readEntry(record: Bc3Record): ReadEntry {
  const reading = new EntryReader(record)
  const entry = reading.entry()
  return { entry, diagnostics: reading.diagnostics ?? NONE }
}

const LETTERS = [...Object.keys(LAYOUTS), ...KEPT_LETTERS].join(' ')

/** Position of a value. */
type Place = Readonly<{ field: number; subfield: number }>

const NONE: readonly never[] = []

/** Reads one record. Lists are created on demand, because most records are regular. */
class EntryReader {
  diagnostics: Bc3Diagnostic[] | null = null
  readonly #record: Bc3Record
  #unread: Unread[] | null = null
  #plainLines: readonly DecompositionLine[] = NONE
  readonly #hasReturns: boolean

  constructor(record: Bc3Record) {
    this.#record = record
    this.#hasReturns = record.raw.includes('\r')
  }

  entry(): Bc3Entry {
    const { letter, line, isCut, raw } = this.#record
    this.#checkText()
    if (isCut) {
      this.#report('RECORD_TOO_LONG', `the record is longer than ${RECORD_CHARS_MAX} characters`)
      return this.#raw()
    }
    const layout = layoutOf(letter)
    if (layout === null) {
      if (!KEPT_LETTERS.includes(letter))
        this.#report('UNKNOWN_LETTER', `${quoted(raw.slice(0, 3))}: expected one of ${LETTERS}`)
      return this.#raw()
    }
    const splitter = new FieldSplitter(raw)
    const { parts } = splitter
    splitter.next()
    // A measurement may lack its first code, and other records have synonyms, so any code suffices.
    if (layout.needsCode && parts.every((part) => this.#word(part) === '')) {
      this.#report('NO_CODE', `~${letter}: expected a code, ${quoted(raw)} has none`)
      return this.#raw()
    }
    const values = layout.blank() as Values
    values.letter = letter
    values.line = line
    let count = 0
    for (let goesOn = parts.length > 0; goesOn; goesOn = splitter.next()) {
      const field = layout.fields[count]
      if (field !== undefined) this.#field(field, parts, count, values)
      count++
    }
    if (count < layout.fieldsMin) {
      this.#report('MISSING_FIELD', `~${letter} ends after field ${count}, expected ${layout.fieldsMin}`)
    }
    if (count > layout.fields.length) this.#further(layout, values)
    if (letter === 'D' || letter === 'Y') this.#mergeLists(values)
    if (this.#unread !== null) values.unread = this.#unread
    return values as Bc3Entry
  }

  #further({ fields: known }: RecordLayout, values: Values): void {
    const { letter, fields } = this.#record
    const further = fields.slice(known.length).map((field) => this.#words(field))
    while (further.at(-1)?.length === 0) further.pop()
    if (further.length === 0) return
    this.#report('SURPLUS_FIELDS', `~${letter} has ${fields.length} fields, expected ${known.length}`)
    values.rest = further
  }

  #report(code: string, message: string): void {
    this.diagnostics ??= []
    this.diagnostics.push({ line: this.#record.line, code, message })
  }

  #keepUnread(place: Place, text: string): void {
    this.#unread ??= []
    this.#unread.push({ field: place.field, subfield: place.subfield, text })
  }

  #raw(): RawEntry {
    const { letter, line, raw, fields, isCut } = this.#record
    return {
      letter: 'raw',
      line,
      of: letter,
      isCut,
      raw: this.#lines(raw),
      fields: fields.map((field) => this.#words(field)),
    }
  }

  #checkText(): void {
    const { raw, hasNul, tail } = this.#record
    if (hasNul) this.#report('NUL_BYTES', 'NUL bytes in the record are left out')
    const tilde = raw.indexOf('~', 1)
    if (tilde !== -1) this.#report('TILDE_IN_TEXT', `a ~ that begins no record: ${quoted(raw.slice(tilde))}`)
    if (CONTROL.test(raw)) this.#report('CONTROL_CHARACTERS', 'control characters other than tabs and line ends')
    if (raw.includes('\ufffd')) this.#report('UNDECODABLE', 'bytes that are no character of the charset')
    if (tail === '') return
    if (/^(\\r)?\\n/.test(tail)) this.#report('LITERAL_LINE_END', `a line end spelled out: ${quoted(tail)}`)
    else this.#report('TEXT_AFTER_LAST_BAR', `${quoted(tail)} after the last | is ignored, by the standard`)
  }

  #field(layout: FieldLayout, parts: readonly string[], at: number, values: Values): void {
    const { head, each } = layout
    const length = lengthWithoutBlanks(parts)
    if (length === 0) return
    if (each === null && head.length === 1) {
      const [only] = head as readonly [Column]
      if (isText(only.kind)) {
        values[only.name] = this.#text(parts, length, only.kind)
        return
      }
    }
    const lacking = layout.firstMayLack === true && length < head.length ? head.length - length : 0
    for (let i = lacking; i < head.length; i++) {
      this.#value(head[i] as Column, parts[i - lacking] ?? '', at, i, values)
    }
    if (each === null) {
      for (let i = head.length; i < length; i++) this.#surplus(parts[i] as string, { field: at, subfield: i })
      return
    }
    const size = each.columns.length
    // The separator at the end of the field is optional.
    const count = parts.length - head.length - (parts.at(-1) === '' ? 1 : 0)
    const found = this.#repeated(each, parts, { from: head.length, to: length, field: at })
    // The first list of a ~D, which the second one may replace.
    if (each.into === 'plainLines') this.#plainLines = found as DecompositionLine[]
    else values[each.into] = found
    const over = count % size
    const isWhole = over === 0 || over >= each.atLeast || parts.length - head.length === size
    if (!isWhole && length > head.length) {
      this.#report('INCOMPLETE_GROUP', `~${this.#record.letter}: ${count} values are no groups of ${size}`)
    }
  }

  /** A text takes its whole field: a backslash inside it belongs to the text. */
  #text(parts: readonly string[], length: number, kind: Kind): string {
    if (length === 1) return kind === 'text' ? this.#lines(parts[0] as string) : this.#word(parts[0] as string)
    const text = this.#lines(parts.slice(0, length).join('\\'))
    const isLineEnd = parts.slice(1, length).every((part) => /^(n|r$)/.test(part))
    this.#report(isLineEnd ? 'LITERAL_LINE_END' : 'SEPARATOR_IN_TEXT', `a \\ inside the text ${quoted(text)}`)
    return kind === 'text' ? text : text.trim()
  }

  #surplus(part: string, place: Place): void {
    const text = this.#word(part)
    if (text === '') return
    this.#report('SURPLUS_SUBFIELDS', `${quoted(text)} is value ${place.subfield + 1} of a field that has fewer`)
    this.#keepUnread(place, text)
  }

  #repeated(
    { columns, blank }: NonNullable<FieldLayout['each']>,
    parts: readonly string[],
    { from, to, field }: { from: number; to: number; field: number },
  ): unknown[] {
    const [only] = columns as readonly [Column]
    const found: unknown[] = []
    for (let at = from; at < to; at += columns.length) {
      const group = blank() as Values
      for (let i = 0; i < columns.length; i++) {
        const part = parts[at + i] ?? ''
        if (part !== '') this.#value(columns[i] as Column, part, field, at + i, group)
        else if (only.name === '') group[''] = ''
      }
      found.push(only.name === '' ? group[''] : group)
    }
    // Drop blank groups at the end, unless one of them stands for an unread text.
    const last = this.#unread?.at(-1)
    const unreadAt = only.name !== '' && last?.field === field ? last.subfield : -1
    while (
      found.length > 0 &&
      isBlank(found.at(-1), columns) &&
      unreadAt < from + (found.length - 1) * columns.length
    ) {
      found.pop()
    }
    return found
  }

  #value({ name, kind, suffix }: Column, part: string, field: number, subfield: number, into: Values): void {
    const text = this.#word(part)
    switch (kind) {
      case 'code': {
        const end = lengthWithoutSuffix(text)
        into[name] = end === text.length ? text : text.slice(0, end).trimEnd()
        into[suffix as string] = text.slice(end)
        return
      }
      case 'words':
        into[name] = this.#words(text.split(';'))
        return
      case 'text':
        into[name] = this.#lines(part)
        return
      case 'word':
        into[name] = text
        return
      case 'number':
        into[name] = this.#number(text, field, subfield)
        return
      case 'price':
        into[name] = this.#number(text, field, subfield) ?? ''
        return
      case 'date':
        into[name] = this.#date(text, field, subfield)
        return
      default:
        kind satisfies never
    }
  }

  #number(text: string, field: number, subfield: number): string | null {
    if (text === '') return null
    const read = parseNumber(text)
    if (read === null) {
      this.#report('BAD_NUMBER', `${quoted(text)}: expected a number such as 12.50`)
      this.#keepUnread({ field, subfield }, text)
      return null
    }
    if (read.oddity !== null) this.#report(read.oddity, `${quoted(text)} is read as ${read.decimal}`)
    return read.decimal
  }

  #date(text: string, field: number, subfield: number): string {
    const date = parseBc3Date(text)
    if (date !== undefined) return date
    this.#report('BAD_DATE', `${quoted(text)}: expected DDMMYYYY, DDMMYY, MMYY, YYYY or YY`)
    this.#keepUnread({ field, subfield }, text)
    return ''
  }

  /** Trimmed words, in order, up to the last one that is not blank. */
  #words(parts: readonly string[]): string[] {
    const found = parts.map((part) => this.#word(part))
    found.length = lengthWithoutBlanks(found)
    return found
  }

  #word(part: string): string {
    const isTrimmed = part === '' || (isPlain(part.charCodeAt(0)) && isPlain(part.charCodeAt(part.length - 1)))
    return this.#lines(isTrimmed ? part : part.trim())
  }

  #lines(text: string): string {
    return this.#hasReturns ? text.replace(/\r\n?/g, '\n') : text
  }

  /** Keeps the list with percentages, and the list without them only when it says more. */
  #mergeLists(values: Values): void {
    const [plain, full] = [this.#plainLines, values.lines as DecompositionLine[]]
    if (full.length === 0) values.lines = plain
    else if (plain.length > 0 && !isSameDecomposition(plain, full)) {
      this.#report('TWO_LISTS', `~${this.#record.letter}: two lists that are not one; the second is taken`)
      values.plainLines = plain
    }
    const lines = values.lines as DecompositionLine[]
    for (let i = 0; i < lines.length; i++) {
      const { code, suffix } = lines[i] as DecompositionLine
      if (code === '' && suffix === '') this.#report('NO_CODE', `line ${i + 1} of ${lines.length} names no concept`)
    }
  }
}

const BLANK_LINE = { code: '', suffix: '', factor: null, yield: null }

/**
 * Whether both lists agree apart from percentages; lines that consist of percentages alone may be missing in the plain
 * list.
 */
function isSameDecomposition(plain: readonly DecompositionLine[], full: readonly DecompositionLine[]): boolean {
  const keys = ['code', 'suffix', 'factor', 'yield'] as const
  return (
    plain.length <= full.length &&
    full.every((line, i) => keys.every((key) => line[key] === (plain[i] ?? BLANK_LINE)[key]))
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those that a text may not hold
const CONTROL = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

const HASH = 0x23

function lengthWithoutSuffix(code: string): number {
  let length = code.length
  while (length > code.length - 2 && code.charCodeAt(length - 1) === HASH) length--
  return length
}

/** Whether nothing next to this character needs trimming. */
function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f
}

function isBlank(item: unknown, columns: readonly Column[]): boolean {
  if (typeof item === 'string') return item === ''
  for (const { name, suffix } of columns) {
    const value = (item as Values)[name]
    const says = Array.isArray(value) ? value.length > 0 : value !== null && value !== ''
    if (says || (suffix !== undefined && (item as Values)[suffix] !== '')) return false
  }
  return true
}

function lengthWithoutBlanks(parts: readonly string[]): number {
  let length = parts.length
  while (length > 0 && parts[length - 1] === '') length--
  return length
}

function isText(kind: Kind): boolean {
  return kind === 'word' || kind === 'text'
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_CHARS_MAX ? `${text.slice(0, QUOTED_CHARS_MAX)}…` : text)
}
const QUOTED_CHARS_MAX = 60
