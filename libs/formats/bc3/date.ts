/**
 * Parses a FIEBDC date to YYYY-MM-DD; '' for a blank, undefined for any other text. By number of digits: 8 are
 * DDMMYYYY, up to 6 DDMMYY, up to 4 MMYY, up to 2 YY; an odd number lacks its leading zero. Four digits that are no
 * month and year are a year.
 *
 * Two-digit years from 80 on belong to the 1900s. A missing day or month, or 00, means the first.
 */
export function parseBc3Date(text: string): string | undefined {
  if (text === '') return ''
  const known = DATES.get(text)
  if (known !== undefined) return known
  const date = readDate(text)
  if (date !== undefined && text.length <= DATE_CHARS_MAX && DATES.size < DATES_MAX) DATES.set(text, date)
  return date
}

/**
 * A cache: a price bank repeats a handful of dates for thousands of concepts, and each calendar check takes a
 * microsecond.
 */
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
