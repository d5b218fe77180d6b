import { testClock } from '@catalog/api/testing.ts'
import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import { openPostgresStore, unavailable } from '@catalog/stack/servers/servers.ts'
import type { Store } from '@catalog/store/db.ts'
import { openTestStore } from '@catalog/store/testing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counter, counterOf, type Limiter, openLimiter, remainingOf } from './limits.ts'

/** The store as one process has it: its statements are counted, and it may be away. */
type Watched = Store & { statements: string[]; isAway: boolean }

function watched(store: Store): Watched {
  const seen: Watched = {
    ...store,
    statements: [],
    isAway: false,
    query: async (sql, parameters) => {
      seen.statements.push(sql.trim().split('\n')[0] as string)
      if (seen.isAway) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      return store.query(sql, parameters)
    },
  }
  return seen
}

/** Statements that leased; others clear up now and then. */
const leases = ({ statements }: Watched) => statements.filter((sql) => sql.startsWith('with asked')).length

for (const [name, open, missing] of [
  ['PGlite', openTestStore, null],
  ['PostgreSQL', openPostgresStore, unavailable('postgres')],
] as const) {
  describe.skipIf(missing !== null)(`limits on ${name}`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store[Symbol.asyncDispose]())

    const clock = testClock('2026-11-30T23:58:30Z')
    const process = () => {
      const seen = watched(store)
      return { limiter: openLimiter({ store: seen, now: () => clock.at }), seen }
    }
    let callers = 0
    /** A caller that no other test has. */
    const newCaller = () => `key_${callers++}`
    const minuteOf = (id: string, limit: number): Counter =>
      counterOf({ owner: { kind: 'key', id }, counts: 'minute', period: 'minute', limit })
    const monthOf = (id: string, limit: number): Counter =>
      counterOf({ owner: { kind: 'key', id }, counts: 'month', period: 'month', limit })
    const take = (limiter: Limiter, first: Counter, second?: Counter) => limiter.take(first, second, (full) => full)
    /** How many of so many requests at once are admitted. */
    const admitted = async (limiter: Limiter, requests: number, first: Counter, second?: Counter) => {
      const taken = await Promise.all(Array.from({ length: requests }, () => take(limiter, first, second)))
      return taken.filter((full) => full === undefined).length
    }
    const usedBy = (id: string) => process().limiter.used(minuteOf(id, 1_000_000))

    test('of 200 requests at once exactly 60 are admitted, by ten leases and no more statements', async () => {
      const { limiter, seen } = process()
      const counter = minuteOf(newCaller(), 60)
      expect(await admitted(limiter, 200, counter)).toBe(60)
      expect(remainingOf(counter)).toBe(0)
      expect(leases(seen)).toBe(10)
      // The tenth found the window full: from then on nobody asks.
      expect(await admitted(limiter, 200, counter)).toBe(0)
      expect(leases(seen)).toBe(10)
    })

    test('three processes share a limit: never more in all, and everything is served', async () => {
      const caller = newCaller()
      const processes = [process(), process(), process()]
      const passed = await Promise.all(
        processes.map(({ limiter }) => admitted(limiter, 300, minuteOf(caller, 500), monthOf(caller, 10_000))),
      )
      expect(passed.reduce((a, b) => a + b)).toBe(500)
      expect(await usedBy(caller)).toBe(500)
    })

    test('of a process that is killed at most its lease is lost', async () => {
      const caller = newCaller()
      const killed = await admitted(process().limiter, 13, minuteOf(caller, 100))
      const others = await admitted(process().limiter, 300, minuteOf(caller, 100))
      expect(killed).toBe(13)
      expect(killed + others).toBe(90 + 3)
    })

    test('what is idle for a second, and what is left at the end, goes back', async () => {
      const caller = newCaller()
      const { limiter } = process()
      const counter = minuteOf(caller, 100)
      await take(limiter, counter)
      expect(await usedBy(caller)).toBe(10)
      await expect.poll(() => usedBy(caller), { timeout: 10_000 }).toBe(1)
      expect([counter.held, remainingOf(counter)]).toEqual([0, 99])
      await take(limiter, counter)
      expect(await limiter.used(counter)).toBe(2)
      expect(await usedBy(caller)).toBe(11)
      await limiter.close()
      expect(await usedBy(caller)).toBe(2)
    })

    test('a busy counter keeps its lease', async () => {
      const { limiter, seen } = process()
      const [idle, busy] = [minuteOf(newCaller(), 100), minuteOf(newCaller(), 100_000)]
      await take(limiter, idle)
      const takeBusy = async () => {
        await take(limiter, busy)
        return idle.held
      }
      await expect.poll(takeBusy, { interval: 20, timeout: 10_000 }).toBe(0)
      await takeBusy()
      expect(leases(seen)).toBe(2)
    })

    test('the next minute begins anew, and the month with the next month', async () => {
      const caller = newCaller()
      const { limiter } = process()
      const [minute, month] = [minuteOf(caller, 20), monthOf(caller, 30)]
      expect(await admitted(limiter, 50, minute, month)).toBe(20)
      expect(await take(limiter, minute, month)).toBe(minute)
      clock.advance(60_000)
      expect(await admitted(limiter, 50, minute, month)).toBe(10)
      expect(await take(limiter, minute, month)).toBe(month)
      // Of the minute nothing was taken that the month refused.
      expect(await limiter.used(minute)).toBe(10)
      clock.advance(60_000)
      expect(await admitted(limiter, 50, minute, month)).toBe(20)
    })

    test('a month that another process gave something back of is looked at again after a minute', async () => {
      const caller = newCaller()
      const [holder, waiter] = [process(), process()]
      const month = monthOf(caller, 10)
      await take(holder.limiter, minuteOf(caller, 100), month)
      expect(await admitted(waiter.limiter, 20, minuteOf(caller, 100), monthOf(caller, 9))).toBe(8)
      const [minute, full] = [minuteOf(caller, 100), monthOf(caller, 1)]
      expect(await take(waiter.limiter, minute, full)).toBe(full)
      clock.advance(60_000)
      const asked = leases(waiter.seen)
      expect(await take(waiter.limiter, minute, full)).toBe(full)
      expect(leases(waiter.seen)).toBe(asked + 1)
    })

    test('a store that is away is told, and when it is back everything goes on', async () => {
      const caller = newCaller()
      const { limiter, seen } = process()
      const counter = minuteOf(caller, 60)
      await take(limiter, counter)
      seen.isAway = true
      // What is in hand is served.
      expect(await admitted(limiter, 5, counter)).toBe(5)
      await expect(take(limiter, counter)).rejects.toThrow('refused')
      seen.isAway = false
      expect(await admitted(limiter, 200, counter)).toBe(54)
    })

    test('a request that is put back can be taken again, but not out of another window', async () => {
      const { limiter } = process()
      const counter = minuteOf(newCaller(), 10)
      expect(await admitted(limiter, 20, counter)).toBe(10)
      limiter.putBack(counter, counter.startMs)
      expect(await admitted(limiter, 20, counter)).toBe(1)
      const { startMs } = counter
      clock.advance(60_000)
      await take(limiter, counter)
      limiter.putBack(counter, startMs)
      expect(await admitted(limiter, 20, counter)).toBe(9)
    })

    test('a caller that was forgotten gives its lease back, and made anew it goes on where it was', async () => {
      const caller = newCaller()
      const { limiter } = process()
      const former = minuteOf(caller, 100)
      await take(limiter, former)
      limiter.forget(former)
      expect(await admitted(limiter, 200, minuteOf(caller, 100))).toBe(99)
    })

    test('what is rare is taken without a lease: of all windows or of none', async () => {
      const { limiter } = process()
      const id = newCaller()
      const wanted = (hourly: number, daily: number) => [
        { owner: { kind: 'ip' as const, id }, counts: 'hour', period: 'hour' as const, limit: hourly },
        { owner: { kind: 'email' as const, id }, counts: 'day', period: 'day' as const, limit: daily },
      ]
      const [hourEndMs, dayEndMs] = [
        Math.ceil((clock.at.getTime() + 1) / HOUR_MS) * HOUR_MS,
        Math.ceil((clock.at.getTime() + 1) / DAY_MS) * DAY_MS,
      ]
      expect(await limiter.takeOnce(wanted(2, 3))).toBeUndefined()
      expect(await limiter.takeOnce(wanted(1, 3))).toBe(hourEndMs)
      expect(await limiter.takeOnce(wanted(2, 1))).toBe(dayEndMs)
      expect(await limiter.takeOnce(wanted(1, 1))).toBe(dayEndMs)
      // The three that were refused took nothing.
      expect(await limiter.takeOnce(wanted(2, 3))).toBeUndefined()
      expect(await limiter.takeOnce(wanted(2, 3))).toBe(hourEndMs)
    })

    test('addresses and e-mails stand in no table', async () => {
      const { limiter } = process()
      const owner = { kind: 'ip' as const, id: '203.0.113.77' }
      await take(limiter, counterOf({ owner, counts: 'minute', period: 'minute', limit: 60 }))
      await limiter.takeOnce([
        { owner: { kind: 'email', id: 'someone@example.org' }, counts: 'day', period: 'day', limit: 5 },
      ])
      const rows = await store.query<{ bucket: string }>(`select bucket from limit_windows`)
      const buckets = rows.map(({ bucket }) => bucket)
      expect(buckets.filter((bucket) => /^minute ip [\w-]{22}$/.test(bucket))).toHaveLength(1)
      expect(buckets.join('\n')).not.toMatch(/203\.0|someone/)
    })
  })
}
