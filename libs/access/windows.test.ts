import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { windowAt } from './windows.ts'

const ms = (instant: string) => Date.parse(instant)

describe('a window', () => {
  test.each([
    ['minute', '2026-11-20T12:34:56.789Z', '2026-11-20T12:34:00Z', '2026-11-20T12:35:00Z'],
    ['minute', '2026-11-20T12:34:59.999Z', '2026-11-20T12:34:00Z', '2026-11-20T12:35:00Z'],
    ['minute', '2026-11-20T12:35:00.000Z', '2026-11-20T12:35:00Z', '2026-11-20T12:36:00Z'],
    ['hour', '2026-11-20T23:59:59.999Z', '2026-11-20T23:00:00Z', '2026-11-21T00:00:00Z'],
    ['day', '2026-03-29T01:30:00Z', '2026-03-29T00:00:00Z', '2026-03-30T00:00:00Z'],
    ['month', '2026-11-30T23:59:59.999Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['month', '2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['month', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ] as const)('of a %s at %s runs from %s to %s', (period, now, start, end) => {
    expect(windowAt(period, ms(now))).toEqual({ startMs: ms(start), endMs: ms(end) })
  })

  test('starts where the one before ends, without gap or overlap', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('minute' as const, 'hour' as const, 'day' as const, 'month' as const),
        fc.integer({ min: 0, max: ms('2100-01-01T00:00:00Z') }),
        (period, nowMs) => {
          const { startMs, endMs } = windowAt(period, nowMs)
          expect(startMs <= nowMs && nowMs < endMs).toBe(true)
          expect(windowAt(period, startMs)).toEqual({ startMs, endMs })
          expect(windowAt(period, endMs).startMs).toBe(endMs)
          expect(windowAt(period, startMs - 1).endMs).toBe(startMs)
        },
      ),
    )
  })
})
