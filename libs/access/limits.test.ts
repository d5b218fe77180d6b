import type { Store } from '@catalog/store/db.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { counterOf, leaseSize, type Owner, openLimiter, remainingOf, takeHeld, turn, windowAt } from './limits.ts'

const ms = (instant: string) => Date.parse(instant)

describe('windows', () => {
  test.each([
    ['minute', '2026-11-20T12:34:56.789Z', '2026-11-20T12:34:00Z', '2026-11-20T12:35:00Z'],
    ['minute', '2026-11-20T12:34:59.999Z', '2026-11-20T12:34:00Z', '2026-11-20T12:35:00Z'],
    ['minute', '2026-11-20T12:35:00.000Z', '2026-11-20T12:35:00Z', '2026-11-20T12:36:00Z'],
    ['hour', '2026-11-20T23:59:59.999Z', '2026-11-20T23:00:00Z', '2026-11-21T00:00:00Z'],
    ['day', '2026-03-29T01:30:00Z', '2026-03-29T00:00:00Z', '2026-03-30T00:00:00Z'],
    ['month', '2026-11-30T23:59:59.999Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['month', '2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['month', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ] as const)('the %s of %s is from %s to %s', (period, now, start, end) => {
    expect(windowAt(period, ms(now))).toEqual({ startMs: ms(start), endMs: ms(end) })
  })

  test('follow each other without a gap or an overlap', () => {
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

describe('a lease', () => {
  test.each([
    [1, 1],
    [9, 1],
    [60, 6],
    [100, 10],
    [120, 10],
    [1_000, 10],
    [1_001, 10],
    [10_000, 100],
    [1_000_000, 10_000],
  ])('of a limit of %i is of %i requests', (limit, size) => {
    expect(leaseSize(limit)).toBe(size)
  })

  test('is never more than a tenth of the limit, nor, up to 1,000, more than 10', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (limit) => {
        const size = leaseSize(limit)
        expect(size).toBeGreaterThanOrEqual(1)
        expect(size).toBeLessThanOrEqual(Math.max(1, limit / 10))
        if (limit <= 1_000) expect(size).toBeLessThanOrEqual(10)
      }),
    )
  })

  test('of a month is as large as that of a minute, and never more than a tenth of the cap', () => {
    const owner: Owner = { kind: 'key', id: 'key_1' }
    const month = (limit: number, perMinute: number) =>
      counterOf({ owner, counts: 'month', period: 'month', limit, lease: leaseSize(perMinute) }).lease
    expect(month(50_000, 120)).toBe(10)
    expect(month(100_000, 1_000)).toBe(10)
    expect(month(50, 1_000)).toBe(5)
    expect(month(5, 1_000)).toBe(1)
  })
})

describe('closing', () => {
  test('does not wait for a database that does not answer', async () => {
    let isAway = false
    const store = {
      query: async () => (isAway ? new Promise(() => {}) : [{ place: 0, granted: 6, used: 6 }]),
    } as unknown as Store
    const limiter = openLimiter({ store, now: () => new Date(0) })
    const owner: Owner = { kind: 'key', id: 'key_1' }
    const counter = counterOf({ owner, counts: 'minute', period: 'minute', limit: 60 })
    expect(await limiter.take(counter, undefined, (full) => full)).toBeUndefined()
    isAway = true
    await limiter.close()
    expect(counter.held).toBe(0)
  })
})

describe('taking what is held', () => {
  const owner: Owner = { kind: 'key', id: 'key_1' }
  const NOW = ms('2026-11-30T23:59:30Z')
  const counters = ({ minute = 0, month = 0 }) => {
    const first = counterOf({ owner, counts: 'minute', period: 'minute', limit: 60 })
    const second = counterOf({ owner, counts: 'month', period: 'month', limit: 1_000 })
    for (const [counter, held] of [
      [first, minute],
      [second, month],
    ] as const) {
      turn(counter, NOW)
      counter.held = held
      counter.used = held
    }
    return { first, second }
  }

  test('takes of both or of none, and the rest is what remains', () => {
    const { first, second } = counters({ minute: 2, month: 1 })
    expect(takeHeld(NOW, first, second)).toBeUndefined()
    expect([first.held, second.held, remainingOf(first), remainingOf(second)]).toEqual([1, 0, 59, 999])
    expect(takeHeld(NOW, first, second)).toBe('ask')
    expect([first.held, second.held]).toEqual([1, 0])
    expect(takeHeld(NOW, first, undefined)).toBeUndefined()
  })

  test('names the longest window that is full, and takes nothing of the other', () => {
    const { first, second } = counters({ minute: 1 })
    second.fullUntilMs = NOW + 60_000
    expect(takeHeld(NOW, first, second)).toBe(second)
    expect(first.held).toBe(1)
    first.held = 0
    first.fullUntilMs = first.endMs
    expect(takeHeld(NOW, first, second)).toBe(second)
    second.fullUntilMs = NOW
    expect(takeHeld(NOW, first, second)).toBe(first)
  })

  test('what was held of a window, or known of it, is worth nothing in the next one', () => {
    const { first, second } = counters({ minute: 5, month: 5 })
    const last = first.endMs - 1
    expect(takeHeld(last, first, second)).toBeUndefined()
    first.held = 0
    first.fullUntilMs = first.endMs
    // A minute and a month end together here.
    expect(takeHeld(first.endMs, first, second)).toBe('ask')
    expect([first.held, second.held, remainingOf(first), remainingOf(second)]).toEqual([0, 0, 60, 1_000])
  })

  test('a clock that is set back finds the window of that time, not what is held of another', () => {
    const { first } = counters({ minute: 5 })
    expect(takeHeld(NOW - 60_000, first, undefined)).toBe('ask')
    expect(first.held).toBe(0)
  })

  test('a limit of nothing is full without a question', () => {
    const none = counterOf({ owner, counts: 'minute', period: 'minute', limit: 0 })
    expect(takeHeld(NOW, none, undefined)).toBe(none)
    expect(remainingOf(none)).toBe(0)
  })
})
