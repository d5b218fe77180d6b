import { instant } from '@catalog/core/time.ts'

/** Parses 2026-11-21 or 2026-11-21T06:00Z, with or without seconds; a bare date is midnight UTC. */
export function parseInstant(text: string, name: string): string {
  const date = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN)
  if (Number.isNaN(date.getTime())) {
    throw new Error(`${name} '${text}': expected a date or instant such as 2026-11-21 or 2026-11-21T06:00:00Z`)
  }
  return instant(date)
}

/** Runs in one command: ten years of days. */
const INSTANTS_MAX = 3_660

/**
 * The instants from `from` to `to` inclusive, a step of "1d", "2w" or "1mo" apart. Months keep the day where possible.
 */
export function instantsBetween({ from, to, every }: { from: string; to: string; every: string }): string[] {
  const [, count, unit] = /^(\d{1,4})(d|w|mo)$/.exec(every) ?? []
  if (count === undefined || Number(count) === 0) {
    throw new Error(`--every '${every}': expected a number of days, weeks or months, such as 1d, 2w or 1mo`)
  }
  const found: string[] = []
  for (let step = 0; found.length <= INSTANTS_MAX; step++) {
    const at = shifted(new Date(from), Number(count) * step, unit as 'd' | 'w' | 'mo')
    if (at.getTime() > Date.parse(to)) return found
    found.push(instant(at))
  }
  throw new Error(`--from ${from} --to ${to} --every ${every}: expected at most ${INSTANTS_MAX} runs`)
}

function shifted(from: Date, count: number, unit: 'd' | 'w' | 'mo'): Date {
  const at = new Date(from)
  if (unit !== 'mo') {
    at.setUTCDate(at.getUTCDate() + count * (unit === 'w' ? 7 : 1))
    return at
  }
  at.setUTCMonth(at.getUTCMonth() + count)
  // 31 January plus a month is the last day of February, not 3 March.
  if (at.getUTCDate() !== from.getUTCDate()) at.setUTCDate(0)
  return at
}
