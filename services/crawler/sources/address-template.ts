/** Addresses of lists that come in editions: {YYYY}, {MM} and {Q} stand for the year, month and quarter of one. */

export const PERIODS = ['month', 'quarter', 'year'] as const
export type Period = (typeof PERIODS)[number]

/** Editions before the present one that a crawl asks for, at most. */
export const LOOKBACK_MAX = 24
/** A list of this month often comes in the next. */
export const LOOKBACK_DEFAULT = 3

/** An address keeps the braces of its query, and encodes those of its path. */
const PART = /(?:\{|%7B)(YYYY|MM|Q)(?:\}|%7D)/gi
const BRACE = /[{}]|%7[BD]/i
/** The parts that name an edition of each period, and those that would name less. */
const PARTS: Readonly<Record<Period, readonly string[]>> = {
  month: ['YYYY', 'MM'],
  quarter: ['YYYY', 'Q'],
  year: ['YYYY'],
}

/** Whether an address has a year to fill in. */
export function isTemplate(address: string): boolean {
  return /(?:\{|%7B)YYYY(?:\}|%7D)/i.test(address)
}

/** What is wrong with an address for a period, or for none; null for a good one. */
export function templateProblem(address: string, period: Period | undefined): string | null {
  const parts = new Set([...address.matchAll(PART)].map(([, part = '']) => part.toUpperCase()))
  if (BRACE.test(address.replaceAll(PART, ''))) return 'expected braces only around YYYY, MM and Q'
  if (period === undefined)
    return parts.size === 0 ? null : `expected period: ${PERIODS.join(', ')} beside an address with {YYYY}`
  const expected = PARTS[period]
  const isComplete = expected.length === parts.size && expected.every((part) => parts.has(part))
  return isComplete ? null : `expected ${expected.map((part) => `{${part}}`).join(' and ')} for period: ${period}`
}

/** The addresses of the edition of an instant and of so many before it, newest first. */
export function editionAddresses(
  template: string,
  { period, lookback, now }: Readonly<{ period: Period; lookback: number; now: Date }>,
): readonly string[] {
  const months = { month: 1, quarter: 3, year: 12 }[period]
  return Array.from({ length: lookback + 1 }, (_, back) => {
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back * months, 1))
    const month = day.getUTCMonth() + 1
    const values: Readonly<Record<string, string>> = {
      YYYY: String(day.getUTCFullYear()),
      MM: String(month).padStart(2, '0'),
      Q: String(Math.ceil(month / 3)),
    }
    return template.replaceAll(PART, (_part, name: string) => values[name.toUpperCase()] as string)
  })
}
