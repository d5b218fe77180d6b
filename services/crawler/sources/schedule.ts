import { DAY_MS, MINUTE_MS } from '@catalog/core/time.ts'
import { createTask, validateDetailed } from 'node-cron'

/** Bounds an expression; a list of all minutes has 169 characters. */
const CRON_CHARS_MAX = 300
/** Characters of a refused expression that a message quotes. */
const SHOWN_CHARS_MAX = 60
/**
 * A year's days match by its kind alone: leap or common, and the weekday it begins with. Every kind returns within 40 years
 * (the longest gap is a leap year around 2100), so a schedule that does not match until then never does.
 */
const MONTHS_MAX = 40 * 12

/** A sentence about the mistake in a schedule; null for a valid one, whose instants {@link nextDue} finds. */
export function scheduleProblem(cron: string): string | null {
  try {
    nextDue(cron, new Date(0))
    return null
  } catch (error) {
    if (error instanceof BadSchedule) return error.message
    throw error
  }
}

/**
 * The first instant of a schedule after `after`: a whole minute in UTC. node-cron defines the five fields: a day must match
 * both the day of the month and the weekday. Throws BadSchedule where there is none.
 */
export function nextDue(cron: string, after: Date): Date {
  const { months, timesMs } = fieldsOf(cron)
  const afterMs = after.getTime()
  const [year, month] = [after.getUTCFullYear(), after.getUTCMonth()]
  // The task only matches instants. Without a start it has no timer.
  const task = createTask(cron, () => {}, { timezone: 'UTC' })
  try {
    for (let n = 0; n <= MONTHS_MAX; n++) {
      const firstMs = Date.UTC(year, month + n, n === 0 ? after.getUTCDate() : 1)
      if (!months.includes(new Date(firstMs).getUTCMonth() + 1)) continue
      const endMs = Date.UTC(year, month + n + 1, 1)
      for (let dayMs = firstMs; dayMs < endMs; dayMs += DAY_MS) {
        const timeMs = timesMs.find((timeMs) => dayMs + timeMs > afterMs)
        if (timeMs !== undefined && task.match(new Date(dayMs + timeMs))) return new Date(dayMs + timeMs)
      }
    }
  } finally {
    void task.destroy()
  }
  throw new BadSchedule(`'${cron}' never occurs, expected days that exist`)
}

/** The last instant of a schedule up to `now`; undefined where it had none within two days, or is none of five fields. */
export function lastDue(cron: string, now: Date): Date | undefined {
  let found: Date | undefined
  try {
    for (let next = nextDue(cron, new Date(now.getTime() - 2 * DAY_MS)); next <= now; next = nextDue(cron, next))
      found = next
  } catch (error) {
    if (!(error instanceof BadSchedule)) throw error
  }
  return found
}

export class BadSchedule extends Error {
  override name = 'BadSchedule'
}

/** The months, from 1, and the times of day in order. Throws BadSchedule. */
function fieldsOf(cron: string): { months: readonly number[]; timesMs: readonly number[] } {
  const fail = (sentence: string) => {
    const shown = cron.length > SHOWN_CHARS_MAX ? `${cron.slice(0, SHOWN_CHARS_MAX)}...` : cron
    return new BadSchedule(`'${shown}'${sentence}`)
  }
  if (cron.length > CRON_CHARS_MAX) {
    throw fail(`: ${cron.length} characters, expected at most ${CRON_CHARS_MAX}`)
  }
  const found = cron.trim() === '' ? 0 : cron.trim().split(/\s+/).length
  if (found !== 5) {
    throw fail(`: ${found} fields, expected 5: minute, hour, day of the month, month, weekday`)
  }
  // node-cron expands a range before it checks its bounds: a wide one would exhaust the memory.
  const long = /\d{3,}/.exec(cron)
  if (long !== null) throw fail(`: '${long[0]}', expected numbers of two digits at most`)
  const { fields, errors } = validateDetailed(cron)
  if (fields === undefined) {
    const { field, value, message } = errors[0] ?? { field: '', message: 'unreadable' }
    const expected = EXPECTED[field]
    throw fail(
      expected === undefined ? `: ${message}, expected a schedule as '30 4 * * 1-5'` : `, '${value}': ${expected}`,
    )
  }
  const timesMs = fields.hour.flatMap((hour) => fields.minute.map((minute) => (hour * 60 + minute) * MINUTE_MS))
  return { months: fields.month, timesMs: timesMs.sort((a, b) => a - b) }
}

/** Expectations by the name of the field in node-cron. */
const EXPECTED: Readonly<Record<string, string>> = {
  minute: 'expected minutes from 0 to 59, as 30 or 0,30 or 10-20 or */15',
  hour: 'expected hours from 0 to 23, as 4 or 4,16 or 8-18 or */6',
  dayOfMonth: 'expected days that these months have, from 1 to 31, as 1 or 1,15 or 1-7, or L for the last',
  month: 'expected months from 1 to 12, as 6 or jun or 1-6 or */3',
  dayOfWeek: 'expected weekdays from 0 to 7 (0 and 7 are Sunday), as 1-5 or mon-fri, or mon#2 for the second Monday',
}
