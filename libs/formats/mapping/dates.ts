import { DAY_MS } from '@catalog/core/time.ts'
import type { DateOrder } from './mapping.ts'

/**
 * The order of dates such as 05/06/2026 in one file. Month first when some second number exceeds 12 and no first one
 * does; else day first, as everywhere outside the United States.
 */
export function detectDateOrder(dates: Iterable<string>): DateOrder {
  let monthFirst = 0
  let dayFirst = 0
  for (const date of dates) {
    const match = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}\b/.exec(date)
    if (!match) continue
    if (Number(match[1]) > 12) dayFirst++
    else if (Number(match[2]) > 12) monthFirst++
  }
  return monthFirst > 0 && dayFirst === 0 ? 'mdy' : 'dmy'
}

/** Excel serial numbers that count as dates: 1954 to 2119. Day 1 is 1900-01-01, and 1900 has a false leap day. */
const EXCEL_SERIAL_MIN = 20_000
const EXCEL_SERIAL_MAX = 80_000
const EXCEL_EPOCH_MS = Date.UTC(1899, 11, 30)
/** Workbooks of old Macs count from 1904. */
const DAYS_TO_1904 = 1_462

/**
 * Parses a date as vendors write it; null for any other text. Reads ISO 8601 (UTC without an offset), YYYYMMDD,
 * YYYY/MM/DD, and day and month in `order` with a year of four digits, each with an optional time. Also reads Excel
 * serials.
 *
 * Years of two digits need the operator's order (`hasTwoDigitYears`); 80 to 99 belong to the 1900s. With `hasPartialDates` a
 * month ("2022-01", "01/2022") and a year ("2022") are their first day. With `is1904` serials count from 1904.
 */
export function parseDate(
  text: string,
  {
    order,
    hasTwoDigitYears = false,
    hasPartialDates = false,
    is1904 = false,
  }: Readonly<{
    order: DateOrder
    hasTwoDigitYears?: boolean
    hasPartialDates?: boolean
    is1904?: boolean | undefined
  }>,
): Date | null {
  const value = text.trim()
  if (hasPartialDates && PARTIAL_DATE.test(value)) return parsePartialDate(value)?.first ?? null
  if (/^\d{5}(\.\d+)?$/.test(value)) {
    const serial = Number(value)
    if (serial < EXCEL_SERIAL_MIN || serial >= EXCEL_SERIAL_MAX) return null
    const days = is1904 ? serial + DAYS_TO_1904 : serial
    return new Date(EXCEL_EPOCH_MS + Math.round((days * DAY_MS) / 1000) * 1000)
  }
  const match = DATE.exec(value)?.groups
  if (!match) return null
  const { a = '', b = '', c = '', clock = '00:00:00', zone = 'Z' } = match
  let parts: { year: string; month: string; day: string }
  if (match.compact !== undefined) {
    const digits = match.compact
    parts = { year: digits.slice(0, 4), month: digits.slice(4, 6), day: digits.slice(6) }
  } else if (a.length === 4) parts = { year: a, month: b, day: c }
  else if (order === 'ymd' && c.length === 2) parts = { year: a, month: b, day: c }
  else parts = order === 'mdy' ? { year: c, month: a, day: b } : { year: c, month: b, day: a }
  if (parts.year.length === 2 && hasTwoDigitYears) parts.year = `${Number(parts.year) >= 80 ? 19 : 20}${parts.year}`
  if (parts.year.length !== 4) return null
  const day = `${parts.year}-${parts.month.padStart(2, '0')}-${parts.day.padStart(2, '0')}`
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null
  const time = clock
    .replace(',', '.')
    .replace(/^\d:/, '0$&')
    .replace(/^(\d\d:\d\d)$/, '$1:00')
  const date = new Date(
    `${day}T${time}${zone
      .toUpperCase()
      .replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
      .replace(/^([+-]\d\d)$/, '$1:00')}`,
  )
  return Number.isNaN(date.getTime()) ? null : date
}

/** The first day of a month ("2022-01", "01/2022") or a year ("2022"), and that of the next; null for any other text. */
export function parsePartialDate(text: string): Readonly<{ first: Date; next: Date }> | null {
  const { year = '', before, after } = PARTIAL_DATE.exec(text.trim())?.groups ?? {}
  const written = before ?? after
  const month = Number(written ?? '1')
  if (year === '' || month < 1 || month > 12) return null
  const day = (months: number) => new Date(Date.UTC(Number(year), months, 1))
  return { first: day(month - 1), next: day(written === undefined ? 12 : month) }
}
/** Years as vendors mean them: 1234 is no date. */
const PARTIAL_DATE = /^(?:(?<before>\d{1,2})[/.-](?=\d{4}$))?(?<year>(?:19|20)\d{2})(?:[/.-](?<after>\d{1,2}))?$/

const DATE =
  /^(?:(?<compact>\d{8})|(?<a>\d{1,4})[/.-](?<b>\d{1,2})[/.-](?<c>\d{1,4}))(?:[T ]\s*(?<clock>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*(?<zone>z|[+-]\d{2}:?(?:\d{2})?)?)?$/i

/** From one instant or day to another; a blank end is open. */
export type Period = Readonly<{ start: string; end: string }>

/** The period of "start/end", as merchant feeds write it: open when blank, null unless both ends stand there. */
export function periodOf(text: string): Period | null {
  if (/^[\s/]*$/.test(text)) return { start: '', end: '' }
  const [start = '', end = '', ...rest] = text.split('/').map((part) => part.trim())
  return start === '' || end === '' || rest.length > 0 ? null : { start, end }
}

/**
 * Whether an instant lies in a period; null for an unreadable one. Days without a time include both days, and dates
 * without a zone are UTC. An unknown instant lies in the open period alone.
 */
export function isWithin({ start, end }: Period, at: Date | null): boolean | null {
  const first = start === '' ? Number.NEGATIVE_INFINITY : parseDate(start, { order: 'ymd' })?.getTime()
  const ends = end === '' ? Number.POSITIVE_INFINITY : parseDate(end, { order: 'ymd' })?.getTime()
  if (first === undefined || ends === undefined) return null
  const last = /\d:\d/.test(end) ? ends : ends + DAY_MS - 1
  if (last < first) return null
  if (start === '' && end === '') return true
  return at !== null && at.getTime() >= first && at.getTime() <= last
}
