/** Lengths of time in milliseconds. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The one spelling of an instant: UTC in ISO 8601 with `Z`, milliseconds only when they are not zero. */
export function instant(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z')
}
