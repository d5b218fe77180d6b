import { decodeStream, type Encoding, type EncodingReport, SAMPLE_BYTES } from '@catalog/formats/bytes/encoding.ts'
import { type ByteSource, RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'

/** FIEBDC-3 (BC3) as text: its records, the header records ~V and ~K, its charset and its dates. */

/** One record: its letter, its fields (each a list of subfields), its raw text, and the line of its `~`. */
export type Bc3Record = Readonly<{
  letter: string
  /** Split when they are asked for. */
  fields: readonly (readonly string[])[]
  raw: string
  line: number
  /** It was longer than {@link RECORD_CHARS_MAX} and is cut there. */
  cut: boolean
  /** What stands after its last bar, which the standard ignores; '' where the record is cut. */
  tail: string
  /** It held NUL bytes, which are dropped. */
  nul: boolean
}>

/** What a piece may hold of a record start whose field bar comes with the next piece. */
const RECORD_START_CHARS_MAX = 40
/** Of a text that is no record, for a person. */
const LEADING_CHARS_MAX = 60

/**
 * Splits decoded text into records, a batch per piece. A record begins at `~` with its letter and field bar and goes on
 * to the next; fields end with the field bar, subfields with a backslash. White space before a separator, text before the
 * first record (told to `onLeading`, once) and text after a record's last bar say nothing. NUL and 0x1A (the old end of
 * file) are dropped. A `~` that begins no record is plain text. Never throws, and holds one record at most. Each piece
 * costs a look at the record that it goes on with: pieces of some kilobytes are fit.
 */
export async function* bc3Records(
  pieces: AsyncIterable<string>,
  { onLeading = () => {} }: { readonly onLeading?: (text: string) => void } = {},
): AsyncGenerator<Bc3Record[], void, undefined> {
  let held = ''
  /** Line of the first character held. */
  let line = 1
  /** The record that `held` continues; null before the first one. `kept` is its beginning once it was cut. */
  let current: { line: number; kept: string } | null = null
  let leading = ''
  const lead = (text: string) => {
    if (leading !== '') return
    leading = cleaned(text.slice(0, RECORD_CHARS_MAX)).trim().slice(0, LEADING_CHARS_MAX)
    if (leading !== '') onLeading(leading)
  }
  const finish = (text: string, { line, kept }: { line: number; kept: string }) => {
    const cut = kept !== '' || text.length > RECORD_CHARS_MAX
    return new TextRecord(cut ? (kept || text).slice(0, RECORD_CHARS_MAX) : text, { line, cut })
  }

  for await (const piece of pieces) {
    const scanned = Math.max(0, held.length - RECORD_START_CHARS_MAX)
    held += piece
    const records: Bc3Record[] = []
    let from = 0
    // The start of the record that is held already must not be found again.
    let after = current !== null && current.kept === '' ? Math.max(1, scanned) : scanned
    for (let start = recordStart(held, after); start !== -1; start = recordStart(held, after)) {
      const text = held.slice(from, start)
      if (current === null) lead(text)
      else records.push(finish(text, current))
      line += lineEnds(text)
      current = { line, kept: '' }
      from = start
      after = start + 1
    }
    held = held.slice(from)
    if (held.length > RECORD_CHARS_MAX) {
      if (current === null) lead(held)
      else if (current.kept === '') current.kept = held.slice(0, RECORD_CHARS_MAX)
      const dropped = held.slice(0, -RECORD_START_CHARS_MAX)
      line += lineEnds(dropped)
      held = held.slice(-RECORD_START_CHARS_MAX)
    }
    if (records.length > 0) yield records
  }
  if (current === null) lead(held)
  else yield [finish(held, current)]
}

/** Where the next `~` stands that has a letter and a field bar behind it; -1 where none does. */
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

/** White space and the control characters, of which only tabs and line ends are allowed. */
function isBlank(code: number): boolean {
  return code <= 0x20
}

class TextRecord implements Bc3Record {
  readonly letter: string
  readonly raw: string
  readonly line: number
  readonly cut: boolean
  readonly nul: boolean
  #fields: readonly (readonly string[])[] | null = null

  constructor(text: string, { line, cut }: { readonly line: number; readonly cut: boolean }) {
    this.nul = text.includes('\0')
    this.raw = (this.nul || text.includes('\u001a') || text.includes('\ufeff') ? cleaned(text) : text).trimEnd()
    this.letter = (this.raw[1] ?? '').toUpperCase()
    this.line = line
    this.cut = cut
  }

  get fields(): readonly (readonly string[])[] {
    this.#fields ??= fieldsOf(this.raw)
    return this.#fields
  }

  get tail(): string {
    return this.cut || this.raw.charCodeAt(this.raw.length - 1) === BAR
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

/** The fields of a record, one after the other, in one list that is filled anew: most are looked at once. */
export class FieldSplitter {
  /** Subfields of the field at hand. */
  readonly parts: string[] = []
  readonly #raw: string
  #at: number
  /** The first backslash from #at on, or the end: found once, although many fields have none. */
  #backslash = -1

  constructor(raw: string) {
    this.#raw = raw
    this.#at = raw.indexOf('|') + 1
  }

  /** Goes to the next field, and is false where no bar ends another one. */
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

/** What ~V and ~K say of the whole file; null and empty where they say nothing. */
export type Bc3Header = {
  owner: string | null
  /** "FIEBDC-3/2016" */
  version: string | null
  program: string | null
  /** YYYY-MM-DD */
  date: string | null
  /** Names of the prices of each concept (region, epoch), in order. */
  labels: readonly string[]
  /** As ~K spells it. */
  currency: string | null
  /** The latest date of the file and its concepts: what it was written in or after. YYYY-MM-DD */
  newest: string | null
}

type Hints = Readonly<{ declared?: string | undefined; given?: Encoding | undefined }>

/** Reads the whole file once for its header: ~K may stand anywhere, and the last one holds. */
export async function readBc3Header(
  source: ByteSource,
  options: Readonly<{ encoding?: Encoding | undefined }>,
): Promise<{ header: Bc3Header; encoding: EncodingReport; hints: Hints }> {
  const hints: Hints = { declared: await declaredCharset(source), given: options.encoding }
  const header: Bc3Header = {
    owner: null,
    version: null,
    program: null,
    date: null,
    labels: [],
    currency: null,
    newest: null,
  }
  const later = (date: string | null | undefined) => {
    if (date && (header.newest === null || date > header.newest)) header.newest = date
  }
  const { report, text } = decodeStream(source.open(), hints)
  for await (const batch of bc3Records(text)) {
    for (const { letter, fields } of batch) {
      if (letter === 'V') {
        header.owner = firstOf(fields[0])
        header.version = firstOf(fields[1])
        header.program = firstOf(fields[2])
        header.date = dateOf(fields[1]?.[1] ?? '') || null
        header.labels = (fields[3] ?? []).slice(1).map((label) => label.trim())
        later(header.date)
      }
      if (letter === 'C') for (const date of fields[4] ?? []) later(dateOf(date))
      if (letter === 'K') {
        // The ninth subfield; the extended list that may follow has its own. Whatever is no number is the currency.
        const named = [...(fields[0] ?? []), ...(fields[2] ?? [])].find((part) => /[A-Za-z€$£]/.test(part))
        if (named !== undefined) header.currency = named.trim()
      }
    }
  }
  return { header, encoding: report, hints }
}

/** The charset that the first ~V declares; undefined where it declares none. */
export async function declaredCharset(source: ByteSource): Promise<string | undefined> {
  let head = ''
  for await (const chunk of source.open()) {
    head += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
    if (head.length >= SAMPLE_BYTES) break
  }
  async function* once() {
    yield head
  }
  for await (const batch of bc3Records(once())) {
    const found = batch.find(({ letter }) => letter === 'V')
    if (found) return firstOf(found.fields[4]) ?? undefined
  }
  return undefined
}

export function firstOf(field: readonly string[] | undefined): string | null {
  return field?.map((part) => part.trim()).find((part) => part !== '') ?? null
}

/**
 * A FIEBDC date as YYYY-MM-DD; '' for a blank one, undefined for none. DDMMYYYY with 8 digits; DDMMYY up to 6; month and
 * year below 5; a year below 3; an odd number of digits lacks its leading zero. Two-digit years from 80 on are of the
 * 1900s. Where day or month are not given, or 00, it is the first. Four digits that are no month and year are a year.
 */
export function dateOf(text: string): string | undefined {
  if (text === '') return ''
  const known = DATES.get(text)
  if (known !== undefined) return known
  const date = readDate(text)
  if (date !== undefined && text.length <= DATE_CHARS_MAX && DATES.size < DATES_MAX) DATES.set(text, date)
  return date
}

/** A bank has a handful of dates for thousands of concepts, and to check one against the calendar takes a microsecond. */
const DATES = new Map<string, string>()
const DATES_MAX = 10_000
const DATE_CHARS_MAX = 20

function readDate(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  if (digits === '') return text.trim() === '' ? '' : undefined
  if (digits.length > 8) return undefined
  const even = digits.length % 2 === 1 ? `0${digits}` : digits
  if (even.length === 8) return calendarDay(even.slice(4), even.slice(2, 4), even.slice(0, 2))
  if (even.length === 6) return calendarDay(century(even.slice(4)), even.slice(2, 4), even.slice(0, 2))
  if (even.length === 2) return calendarDay(century(even), '01', '01')
  return calendarDay(century(even.slice(2)), even.slice(0, 2), '01') ?? calendarDay(digits, '01', '01')
}

function century(year: string): string {
  return `${Number(year) >= 80 ? 19 : 20}${year}`
}

function calendarDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month === '00' ? '01' : month}-${day === '00' ? '01' : day}`
  const date = new Date(`${text}T00:00:00Z`)
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  return exists && year >= '1900' && year <= '2100' ? text : undefined
}
