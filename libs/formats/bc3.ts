import { decodeStream, type Encoding, type EncodingReport, SAMPLE_BYTES } from './encoding.ts'
import {
  BATCH_RECORDS,
  type BrokenRecord,
  type ByteSource,
  RECORD_CHARS_MAX,
  type ReadRecord,
  type RecordBatches,
} from './record.ts'

/**
 * FIEBDC-3 (BC3), the Spanish exchange format of price banks. Here: its tokeniser, its header records ~V and ~K, and the
 * prices of its concepts ~C.
 */

export type Bc3Options = Readonly<{
  name: string
  encoding?: Encoding | undefined
  /** Currency where ~K names none; else pesetas for a file that knows no date after 2001, and euro for all others. */
  currency?: string | undefined
  /** Date where neither the concept nor the file has one. */
  observedAt?: string | undefined
  onHeading?: (heading: Readonly<{ header: Bc3Header; encoding: EncodingReport }>) => void
}>

/** Columns of the records that {@link readBc3} yields. */
export const BC3_COLUMNS = ['vendor_ref', 'name', 'unit', 'price', 'currency', 'observed_at'] as const

/**
 * The prices of a BC3 file: one record for each price of each concept (~C), so that a concept without any is one broken
 * record and nothing of the format's other records is counted.
 *
 * The reference is the code; with more than one price it is `code@label` by ~V's labels (region, epoch), `code@2` where
 * there is none: the prices of one bank for two regions are prices of two things. No price at all: chapters, the root and
 * percentages (NOT_A_PRICE), parametric families (PARAMETRIC), and concepts whose price is blank or 0, which FIEBDC
 * computes from their recipe (NO_PRICE); a concept with more than {@link PRICES_MAX} prices is none (TOO_MANY_PRICES).
 */
export async function* readBc3(source: ByteSource, options: Bc3Options): RecordBatches {
  const header = await readBc3Header(source, options)
  options.onHeading?.({ header: header.header, encoding: header.encoding })
  const { text } = decodeStream(source.open(), header.hints)
  let found: ReadRecord[] = []
  for await (const batch of bc3Records(text)) {
    for (const record of batch) {
      if (record.letter === 'C') for (const price of prices(record, header.header, options)) found.push(price)
      if (found.length < BATCH_RECORDS) continue
      yield found
      found = []
    }
  }
  if (found.length > 0) yield found
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

async function declaredCharset(source: ByteSource): Promise<string | undefined> {
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

function firstOf(field: readonly string[] | undefined): string | null {
  return field?.map((part) => part.trim()).find((part) => part !== '') ?? null
}

function* prices(record: Bc3Record, header: Bc3Header, options: Bc3Options): Generator<ReadRecord> {
  const { fields, raw } = record
  const code = firstOf(fields[0]) ?? ''
  const unit = firstOf(fields[1]) ?? ''
  const name = (fields[2] ?? []).join(' ').trim()
  const place = `${options.name} line ${record.line} ~C ${code.slice(0, 60)}`
  const broken = (reason: string, detail: string, position = place): BrokenRecord => ({ position, raw, reason, detail })

  if (record.cut) return yield broken('RECORD_TOO_LONG', `the record is longer than ${RECORD_CHARS_MAX} characters`)
  if (code.endsWith('#')) return yield broken('NOT_A_PRICE', 'a chapter: its price is the sum of what it holds')
  if (/[%&]/.test(code) || unit === '%') return yield broken('NOT_A_PRICE', 'a percentage of other lines')
  if (code.endsWith('$')) return yield broken('PARAMETRIC', 'a parametric family: its prices are computed by a program')

  const given = (fields[3] ?? []).map((price) => price.trim())
  const dates = (fields[4] ?? []).map((date) => date.trim()).filter((date) => date !== '')
  const priced = given.filter((price) => price !== '').length
  if (priced === 0) return yield broken('NO_PRICE', 'the concept has no price')
  if (priced > PRICES_MAX) {
    return yield broken('TOO_MANY_PRICES', `the concept has ${priced} prices, at most ${PRICES_MAX} are read`)
  }
  for (const [i, price] of given.entries()) {
    if (price === '') continue
    const several = priced > 1
    const position = several ? `${place} price ${i + 1}` : place
    if (/^[+-]?[0.,]*$/.test(price)) {
      yield broken('NO_PRICE', 'a price of 0 is one that the recipe has to give', position)
      continue
    }
    const own = dates[Math.min(i, dates.length - 1)]
    const date = own === undefined ? (header.date ?? '') : dateOf(own)
    if (date === undefined) {
      yield broken('BAD_DATE', `${own}: expected DDMMYYYY, DDMMYY, MMYY, YYYY or YY`, position)
      continue
    }
    const observedAt = date || options.observedAt || ''
    const values: Record<(typeof BC3_COLUMNS)[number], string> = {
      vendor_ref: code === '' || !several ? code : `${code}@${header.labels[i] || i + 1}`,
      name,
      unit,
      // Decimal point and no thousands by the standard; some programs write a comma.
      price: /^[^.,]*,[^.,]*$/.test(price) ? price.replace(',', '.') : price,
      // One file has one currency, and bases of today keep concepts dated 1998: the file's newest date decides.
      currency: header.currency ?? options.currency ?? currencyAt(header.newest ?? observedAt),
      observed_at: observedAt,
    }
    yield { position, raw, fields: Object.assign(Object.create(null), values), numbers: NUMBERS }
  }
}

/** Prices of one concept; banks have one for each of some 20 regions. */
const PRICES_MAX = 1_000
const NUMBERS: ReadonlySet<string> = new Set(['price'])

/** Spain's cash: pesetas until the end of 2001. */
const EURO_SINCE = '2002-01-01'

function currencyAt(date: string): string {
  if (date === '') return ''
  return date >= EURO_SINCE ? 'EUR' : 'ESP'
}

/**
 * A FIEBDC date as YYYY-MM-DD; '' for a blank one, undefined for none. DDMMYYYY with 8 digits; DDMMYY up to 6; month and
 * year below 5; a year below 3; an odd number of digits lacks its leading zero. Two-digit years from 80 on are of the
 * 1900s. Where day or month are not given, or 00, it is the first. Four digits that are no month and year are a year.
 */
export function dateOf(text: string): string | undefined {
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

/** One record: its letter, its fields (each a list of subfields), its raw text, and the line of its `~`. */
export type Bc3Record = Readonly<{
  letter: string
  fields: readonly (readonly string[])[]
  raw: string
  line: number
  /** It was longer than {@link RECORD_CHARS_MAX} and is cut there. */
  cut: boolean
}>

const RECORD_START = /~([A-Za-z])[ \t\r\n]{0,32}\|/g
/** What a piece may hold of a record start whose field bar comes with the next piece. */
const RECORD_START_CHARS_MAX = 40

/**
 * Splits decoded text into records, a batch per piece. A record begins at `~` with its letter and field bar and goes on
 * to the next; fields end with the field bar, subfields with a backslash. White space before a separator, text before the
 * first record and text after a record's last bar say nothing. NUL and 0x1A (the old end of file) are dropped. A `~` that
 * begins no record is plain text. Never throws, and holds one record at most.
 */
export async function* bc3Records(pieces: AsyncIterable<string>): AsyncGenerator<Bc3Record[], void, undefined> {
  let held = ''
  /** Line of the first character held. */
  let line = 1
  /** The record that `held` continues; null before the first one. `kept` is its beginning once it was cut. */
  let current: { line: number; kept: string } | null = null
  const finish = (text: string, { line, kept }: { line: number; kept: string }) =>
    kept === '' ? recordOf(text, line, text.length > RECORD_CHARS_MAX) : recordOf(kept, line, true)

  for await (const piece of pieces) {
    const scanned = Math.max(0, held.length - RECORD_START_CHARS_MAX)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these characters are dropped
    held += piece.replace(/[\u0000\u001a\ufeff]/g, '')
    const records: Bc3Record[] = []
    let from = 0
    // The start of the record that is held already must not be found again.
    RECORD_START.lastIndex = current !== null && current.kept === '' ? Math.max(1, scanned) : scanned
    for (let start = RECORD_START.exec(held); start !== null; start = RECORD_START.exec(held)) {
      const text = held.slice(from, start.index)
      if (current !== null) records.push(finish(text, current))
      line += lineEnds(text)
      current = { line, kept: '' }
      from = start.index
    }
    held = held.slice(from)
    if (held.length > RECORD_CHARS_MAX) {
      if (current !== null && current.kept === '') current.kept = held.slice(0, RECORD_CHARS_MAX)
      const dropped = held.slice(0, -RECORD_START_CHARS_MAX)
      line += lineEnds(dropped)
      held = held.slice(-RECORD_START_CHARS_MAX)
    }
    if (records.length > 0) yield records
  }
  if (current !== null) yield [finish(held, current)]
}

function recordOf(text: string, line: number, cut: boolean): Bc3Record {
  const raw = text.trimEnd()
  const bar = raw.indexOf('|')
  const fields = raw
    .slice(bar + 1)
    .split('|')
    .slice(0, -1)
    .map((field) => field.split('\\').map((part) => part.trimEnd()))
  return { letter: (raw[1] ?? '').toUpperCase(), fields, raw, line, cut }
}

function lineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
