import { DAY_MS } from '@catalog/core/time.ts'
import { z } from 'zod'

/** A day as YYYY-MM-DD, in UTC. */
const Day = z.iso.date()

/**
 * The days to crawl, ascending and unique: every fifteenth day from 90 days before the first start, and today. Leaves
 * out days after today, so that a clock that was set back does no harm. Throws RangeError on an invalid day.
 */
export function crawlDays({ firstStartDay, today }: Readonly<{ firstStartDay: string; today: string }>): string[] {
  const first = dayNumberOf(firstStartDay)
  const last = dayNumberOf(today)
  const days = new Set<number>()
  for (let day = first - HISTORY_DAYS; day <= last; day += CRAWLED_EVERY_DAYS) days.add(day)
  days.add(last)
  return [...days]
    .filter((day) => day <= last)
    .sort((a, b) => a - b)
    .map(dayText)
}
/** Days from the first crawled day to the first start. */
export const HISTORY_DAYS = 90
const CRAWLED_EVERY_DAYS = 15

/** Days since 1970-01-01. */
export function dayNumberOf(day: string): number {
  if (!Day.safeParse(day).success) throw new RangeError(`day '${day}': expected YYYY-MM-DD`)
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

export function dayText(dayNumber: number): string {
  return new Date(dayNumber * DAY_MS).toISOString().slice(0, 10)
}
