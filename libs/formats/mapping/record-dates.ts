import { DAY_MS, instant } from '@catalog/core/time.ts'
import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { editionIn, type FoundEdition } from '@catalog/formats/steps/edition.ts'
import { type Defaults, RecordRefused } from './candidate.ts'
import type { ResolvedMapping } from './columns.ts'
import { parseDate, parsePartialDate } from './dates.ts'
import type { DateOrder } from './mapping.ts'
import type { TextReaders } from './record-text.ts'

export type DateOptions = Readonly<{
  dateOrder: DateOrder
  /** The operator gave the order, so years of two digits are read. */
  hasTwoDigitYears: boolean
  /** Serials of the workbook count from 1904. */
  is1904?: boolean | undefined
  /** The edition of the file, or the column of each record's, with its format. */
  edition?: FoundEdition | Readonly<{ column: string; format?: string | undefined }> | undefined
  defaults: Defaults
}>

/** Reads the dates of the records of one file. */
export class DateReader {
  readonly #text: TextReaders
  readonly #options: DateOptions
  /** One column for both ends of the validity. */
  readonly #isRange: boolean
  /** The last date read: few dates fill a file. */
  #lastDate: Readonly<{ written: string; instant: string }> | null = null

  constructor(text: TextReaders, options: DateOptions & Readonly<{ mapping: ResolvedMapping }>) {
    this.#text = text
    this.#options = options
    const { valid_from, valid_to } = options.mapping.columns
    this.#isRange = typeof valid_from === 'string' && valid_from === valid_to
  }

  /** The edition of a record. Throws RecordRefused for a text that is none; a blank column names none. */
  editionOf({ fields }: RawRecord): FoundEdition | null {
    const { edition = null } = this.#options
    if (edition === null || 'day' in edition) return edition
    const written = (fields[edition.column] ?? '').trim()
    if (written === '') return null
    const found = editionIn(written, edition.format)
    if (found !== null) return found
    const expected = edition.format ?? 'YYYY, YYYY-MM or YYYY-MM-DD'
    throw new RecordRefused('BAD_EDITION', `'${written.slice(0, 40)}': expected an edition as ${expected}`)
  }

  /** The instant of a price. Throws RecordRefused for none, and for one at which the price does not hold. */
  validAt(record: RawRecord): string {
    const observedAt = this.observedAt(record)
    this.#requireValid(record, observedAt)
    return observedAt
  }

  /** The instant of a price. Throws RecordRefused for none. */
  observedAt(record: RawRecord): string {
    const { defaults, dateOrder: order, hasTwoDigitYears, is1904 } = this.#options
    const written = this.#text.observed_at(record).trim() || this.editionOf(record)?.day || defaults.observedAt || ''
    if (written === this.#lastDate?.written) return this.#lastDate.instant
    if (written === '') {
      throw new RecordRefused(
        'NO_DATE',
        'neither a column, a constant, an edition nor the command line gives a date: expected --observed-at, or observed_at or edition in the mapping',
      )
    }
    const date = parseDate(written, { order, hasTwoDigitYears, hasPartialDates: true, is1904 })
    // Dates before 1970 are typing errors, or zeros of some program.
    if (date === null || date.getTime() < 0) throw this.#badDate(written, 'a date since 1970')
    if (date > defaults.notAfter) throw new RecordRefused('FUTURE_OBSERVATION', `${instant(date)} is in the future`)
    this.#lastDate = { written, instant: instant(date) }
    return this.#lastDate.instant
  }

  #requireValid(record: RawRecord, observedAt: string): void {
    const written = this.#text.valid_to(record).trim()
    const [from, to] = this.#isRange ? endsOf(written) : [this.#text.valid_from(record).trim(), written]
    // A dash, words without a date and the zeros of a database leave an end open.
    const [start, end] = [from, to].map((text) => (/[1-9]/.test(text) ? this.#daysOf(text) : null))
    const at = Date.parse(observedAt)
    if (start && end && end.before <= start.from)
      throw this.#badDate(`${from} to ${to}`, 'the first day before the last')
    if (start && at < start.from) {
      throw new RecordRefused('NOT_YET_VALID', `the price is valid from ${from.slice(0, 40)}, read at ${observedAt}`)
    }
    if (end && at >= end.before) {
      throw new RecordRefused('EXPIRED', `the price was valid until ${to.slice(0, 40)}, read at ${observedAt}`)
    }
  }

  /** What a text names: an instant, or a whole day, month or year. */
  #daysOf(written: string): Readonly<{ from: number; before: number }> {
    const { dateOrder: order, hasTwoDigitYears, is1904 } = this.#options
    const partial = parsePartialDate(written)
    if (partial !== null) return { from: partial.first.getTime(), before: partial.next.getTime() }
    const from = parseDate(written, { order, hasTwoDigitYears, is1904 })?.getTime()
    if (from === undefined) throw this.#badDate(written, 'a date on which the validity begins or ends')
    // Programs write the midnight of a day for the day.
    return { from, before: from + (from % DAY_MS === 0 ? DAY_MS : 1) }
  }

  #badDate(written: string, expected: string): RecordRefused {
    const isShort = /^\d{1,2}[-./]\d{1,2}[-./]\d{2}\b/.test(written) && !this.#options.hasTwoDigitYears
    const hint = isShort ? '; `date_format` of a mapping reads years of two digits' : ''
    const detail = `'${written.slice(0, 40)}': expected ${expected}, read as ${this.#options.dateOrder}${hint}`
    return new RecordRefused('BAD_DATE', detail)
  }
}

/** The ends of a range, or the last day alone. */
function endsOf(range: string): readonly [from: string, to: string] {
  const [first, last] = range.match(DAYS) ?? []
  return first === undefined || last === undefined ? ['', range] : [first, last]
}
const DAYS = /\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/g
