/** Formats of values in feeds; each function checks one. */

/** RFC 3986 allows no blanks, quotes or non-ASCII letters, which Node's parser would repair. */
export function isAbsolute(href: string): boolean {
  return /^https?:\/\/[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+$/.test(href) && URL.canParse(href)
}

/** RFC 3339 with upper-case letters, as RFC 4287 requires, on an existing day. */
export function isRfc3339(date: string): boolean {
  const [, seconds] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(date) ?? []
  return seconds !== undefined && isInstant(seconds)
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const RFC_2822 = /^(\w{3}), (\d{1,2}) (\w{3}) (\d{4}) (\d\d:\d\d:\d\d) (?:GMT|UT|[+-]\d{4})$/

/** RFC 822 with a four-digit year (RFC 2822), on an existing day with its weekday. */
export function isRfc2822(date: string): boolean {
  const [, weekday, day = '', month = '', year, time] = RFC_2822.exec(date) ?? []
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0')
  const instant = `${year}-${number}-${day.padStart(2, '0')}T${time}`
  return isInstant(instant) && DAYS[new Date(`${instant}Z`).getUTCDay()] === weekday
}

/** Whether YYYY-MM-DDTHH:MM:SS exists: no 30 February, no 24:00. */
function isInstant(text: string): boolean {
  const date = new Date(`${text}Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const DNS_PART = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const TAG = new RegExp(
  `^tag:(?:[A-Za-z0-9._-]+@)?${DNS_PART}(?:\\.${DNS_PART})*,(\\d{4})(?:-(\\d\\d)(?:-(\\d\\d))?)?:` +
    `(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$`,
)

/** A tag URI of RFC 4151 with an existing date. */
export function isTag(id: string): boolean {
  const [, year, month = '01', day = '01'] = TAG.exec(id) ?? []
  return year !== undefined && isInstant(`${year}-${month}-${day}T00:00:00`)
}
