import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { counterOf, enterWindow, leaseSize, type Owner, remainingOf, takeLeased } from './counter.ts'

const ms = (instant: string) => Date.parse(instant)

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
  ])('of a limit of %i has %i requests', (limit, size) => {
    expect(leaseSize(limit)).toBe(size)
  })

  test('is at most a tenth of the limit, and at most 10 up to a limit of 1,000', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (limit) => {
        const size = leaseSize(limit)
        expect(size).toBeGreaterThanOrEqual(1)
        expect(size).toBeLessThanOrEqual(Math.max(1, limit / 10))
        if (limit <= 1_000) expect(size).toBeLessThanOrEqual(10)
      }),
    )
  })

  test('of a month has the size of the minute lease, and at most a tenth of the cap', () => {
    const owner: Owner = { kind: 'key', id: 'key_1' }
    const month = (limit: number, perMinute: number) =>
      counterOf({ owner, counts: 'month', period: 'month', limit, lease: leaseSize(perMinute) }).lease
    expect(month(50_000, 120)).toBe(10)
    expect(month(100_000, 1_000)).toBe(10)
    expect(month(50, 1_000)).toBe(5)
    expect(month(5, 1_000)).toBe(1)
  })
})

describe('taking a leased request', () => {
  const owner: Owner = { kind: 'key', id: 'key_1' }
  const NOW = ms('2026-11-30T23:59:30Z')
  const counters = ({ minute = 0, month = 0 }) => {
    const first = counterOf({ owner, counts: 'minute', period: 'minute', limit: 60 })
    const second = counterOf({ owner, counts: 'month', period: 'month', limit: 1_000 })
    for (const [counter, leased] of [
      [first, minute],
      [second, month],
    ] as const) {
      enterWindow(counter, NOW)
      counter.leased = leased
      counter.used = leased
    }
    return { first, second }
  }

  test('takes from both counters or from none, and updates the remaining requests', () => {
    const { first, second } = counters({ minute: 2, month: 1 })
    expect(takeLeased(NOW, first, second)).toBeUndefined()
    expect([first.leased, second.leased, remainingOf(first), remainingOf(second)]).toEqual([1, 0, 59, 999])
    expect(takeLeased(NOW, first, second)).toBe('needs_lease')
    expect([first.leased, second.leased]).toEqual([1, 0])
    expect(takeLeased(NOW, first, undefined)).toBeUndefined()
  })

  test('names the longest full window, and takes nothing from the other', () => {
    const { first, second } = counters({ minute: 1 })
    second.fullUntilMs = NOW + 60_000
    expect(takeLeased(NOW, first, second)).toBe(second)
    expect(first.leased).toBe(1)
    first.leased = 0
    first.fullUntilMs = first.endMs
    expect(takeLeased(NOW, first, second)).toBe(second)
    second.fullUntilMs = NOW
    expect(takeLeased(NOW, first, second)).toBe(first)
  })

  test('forgets the lease and the fullness of a window when the next one starts', () => {
    const { first, second } = counters({ minute: 5, month: 5 })
    const last = first.endMs - 1
    expect(takeLeased(last, first, second)).toBeUndefined()
    first.leased = 0
    first.fullUntilMs = first.endMs
    // A minute and a month end together here.
    expect(takeLeased(first.endMs, first, second)).toBe('needs_lease')
    expect([first.leased, second.leased, remainingOf(first), remainingOf(second)]).toEqual([0, 0, 60, 1_000])
  })

  test('enters the earlier window, without a lease, when the clock is set back', () => {
    const { first } = counters({ minute: 5 })
    expect(takeLeased(NOW - 60_000, first, undefined)).toBe('needs_lease')
    expect(first.leased).toBe(0)
  })

  test('reports a limit of zero as full without a lease', () => {
    const none = counterOf({ owner, counts: 'minute', period: 'minute', limit: 0 })
    expect(takeLeased(NOW, none, undefined)).toBe(none)
    expect(remainingOf(none)).toBe(0)
  })
})
