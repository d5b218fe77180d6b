import { DAY_MS, HOUR_MS, MINUTE_MS } from '@catalog/core/time.ts'

/** Windows follow the clock (UTC): a minute begins at second 0, a month on its first day. */
export type Period = 'minute' | 'hour' | 'day' | 'month'

const PERIOD_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const

/** The window of an instant: from its start, inclusive, to its end, exclusive. */
export function windowAt(period: Period, nowMs: number): { startMs: number; endMs: number } {
  if (period === 'month') {
    const now = new Date(nowMs)
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
    return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) }
  }
  const startMs = Math.floor(nowMs / PERIOD_MS[period]) * PERIOD_MS[period]
  return { startMs, endMs: startMs + PERIOD_MS[period] }
}

/** Whole seconds until a window ends, at least 1: a client that waits so long meets the next window. */
export const secondsUntil = (endMs: number, nowMs: number): number => Math.max(1, Math.ceil((endMs - nowMs) / 1000))
