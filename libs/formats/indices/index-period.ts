/**
 * Spellings of a period by statistics offices, in the one spelling of the catalog: "2026-09", "2026-Q3" or "2026". Years are those of
 * 1800 to 2199.
 */

const MONTH = '(0?[1-9]|1[0-2])'
const YEAR = '((?:1[89]|2[01])\\d{2})'
const MONTHS: readonly RegExp[] = [
  // 2026-09, 2026/9, 202609, 2026M09 (BLS, Eurostat), 2026 MONAT09 (GENESIS); also with the day 1, by which months are dated.
  new RegExp(`^${YEAR}[-/]${MONTH}(?:[-/]0?1)?$`),
  new RegExp(`^${YEAR}(0[1-9]|1[0-2])$`),
  new RegExp(`^${YEAR}[ -]?(?:M|MONAT)${MONTH}$`, 'i'),
]
/** 2026-Q3, 2026 Q03 (BLS), 2026-T3 (INSEE), 2026 QUART3 (GENESIS). */
const QUARTER = new RegExp(`^${YEAR}[ -]?(?:Q|T|QUART|QUARTAL)0?([1-4])$`, 'i')
/** 2026, 2026 A01 (BLS). M13 and Q05 are averages of a year, beside the months and quarters of a series. */
const YEARLY = new RegExp(`^${YEAR}(?:[ -]?(?:A01|M13|Q05))?$`)
/** Halves of a year (BLS), of which no series here is. */
const HALF = new RegExp(`^${YEAR}[ -]?S0[1-3]$`)

/** Null for half a year, which no index has here; undefined for a text that is no period. */
export function periodIn(text: string): string | null | undefined {
  const written = text.trim().replace(/\s+/g, ' ')
  for (const pattern of MONTHS) {
    const [, year, month] = pattern.exec(written) ?? []
    if (year !== undefined) return `${year}-${month?.padStart(2, '0')}`
  }
  const [, year, quarter] = QUARTER.exec(written) ?? []
  if (year !== undefined) return `${year}-Q${quarter}`
  const [, whole] = YEARLY.exec(written) ?? []
  if (whole !== undefined) return whole
  return HALF.test(written) ? null : undefined
}
