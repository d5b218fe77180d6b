import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counter, counterOf, remainingOf } from './counter.ts'
import { type Limiter, openLimiter } from './rate-limiter.ts'

/** The store of one process: it records its statements, and a test can take it away. */
type SpyStore = Store & { statements: string[]; isAway: boolean }

function spyOn(store: Store): SpyStore {
  const spy: SpyStore = {
    ...store,
    statements: [],
    isAway: false,
    query: async (sql, parameters) => {
      spy.statements.push(sql.trim().split('\n')[0] as string)
      if (spy.isAway) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      return store.query(sql, parameters)
    },
  }
  return spy
}

/** Statements that lease; the others purge or return. */
const leases = ({ statements }: SpyStore) => statements.filter((sql) => sql.startsWith('with requested')).length

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`limits on ${name}`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store[Symbol.asyncDispose]())

    const clock = testClock('2026-11-30T23:58:30Z')
    const process = () => {
      const spy = spyOn(store)
      return { limiter: openLimiter({ store: spy, now: () => clock.at }), spy }
    }
    let callers = 0
    /** A caller of this test only. */
    const newCaller = () => `key_${callers++}`
    const minuteOf = (id: string, limit: number): Counter =>
      counterOf({ owner: { kind: 'key', id }, counts: 'minute', period: 'minute', limit })
    const monthOf = (id: string, limit: number): Counter =>
      counterOf({ owner: { kind: 'key', id }, counts: 'month', period: 'month', limit })
    const take = (limiter: Limiter, first: Counter, second?: Counter) => limiter.take([first, second], (full) => full)
    /** Sends so many requests at once and counts the admitted ones. */
    const admitted = async (limiter: Limiter, requests: number, first: Counter, second?: Counter) => {
      const taken = await Promise.all(Array.from({ length: requests }, () => take(limiter, first, second)))
      return taken.filter((full) => full === undefined).length
    }
    test('admits a quarter of a limit without the database, once a window, and returns none of it', async () => {
      const spy = spyOn(store)
      const limiter = openLimiter({ store: spy, now: () => clock.at, isAway: () => spy.isAway })
      const id = newCaller()
      const counter = minuteOf(id, 60)
      spy.isAway = true
      expect(await admitted(limiter, 40, counter)).toBe(15)
      expect(remainingOf(counter)).toBe(0)
      // Back again: the database counts from then on, and what was left of the share is not returned to it.
      spy.isAway = false
      clock.advance(1_000)
      expect(await admitted(limiter, 100, counter)).toBe(60)
      await limiter.close()
      expect(await usedBy(id)).toBe(60)
    })

    test('takes its share also where the database fails before anybody knows', async () => {
      const spy = spyOn(store)
      const limiter = openLimiter({ store: spy, now: () => clock.at, isAway: () => false })
      spy.isAway = true
      expect(await admitted(limiter, 40, minuteOf(newCaller(), 60))).toBe(15)
    })

    test.each(['53100', '25006'])(
      'admits a quarter of a limit while a database that answers takes no writes (%s)',
      async (code) => {
        const refused = { ...store, query: async () => Promise.reject(Object.assign(new Error('refused'), { code })) }
        // Without a copy of the catalog, as where nothing tells that the database is away.
        const limiter = openLimiter({ store: refused, now: () => clock.at, isAway: () => undefined })
        expect(await admitted(limiter, 40, minuteOf(newCaller(), 60))).toBe(15)
      },
    )

    const usedBy = (id: string) => process().limiter.used(minuteOf(id, 1_000_000))

    test('admits exactly 60 of 200 concurrent requests, with ten leases', async () => {
      const { limiter, spy } = process()
      const counter = minuteOf(newCaller(), 60)
      expect(await admitted(limiter, 200, counter)).toBe(60)
      expect(remainingOf(counter)).toBe(0)
      expect(leases(spy)).toBe(10)
      // The tenth lease found the window full: later requests need no statement.
      expect(await admitted(limiter, 200, counter)).toBe(0)
      expect(leases(spy)).toBe(10)
    })

    test('admits the whole limit and no more across three processes', async () => {
      const caller = newCaller()
      const processes = [process(), process(), process()]
      const passed = await Promise.all(
        processes.map(({ limiter }) => admitted(limiter, 300, minuteOf(caller, 500), monthOf(caller, 10_000))),
      )
      expect(passed.reduce((a, b) => a + b)).toBe(500)
      expect(await usedBy(caller)).toBe(500)
    })

    test('loses at most one lease when a process is killed', async () => {
      const caller = newCaller()
      const killed = await admitted(process().limiter, 13, minuteOf(caller, 100))
      const others = await admitted(process().limiter, 300, minuteOf(caller, 100))
      expect(killed).toBe(13)
      expect(killed + others).toBe(90 + 3)
    })

    test('returns a lease after an idle second, and the rest on close', async () => {
      const caller = newCaller()
      const { limiter } = process()
      const counter = minuteOf(caller, 100)
      await take(limiter, counter)
      expect(await usedBy(caller)).toBe(10)
      await expect.poll(() => usedBy(caller), { timeout: 10_000 }).toBe(1)
      expect([counter.leased, remainingOf(counter)]).toEqual([0, 99])
      await take(limiter, counter)
      expect(await limiter.used(counter)).toBe(2)
      expect(await usedBy(caller)).toBe(11)
      await limiter.close()
      expect(await usedBy(caller)).toBe(2)
    })

    test('keeps the lease of a busy counter', async () => {
      const { limiter, spy } = process()
      const [idle, busy] = [minuteOf(newCaller(), 100), minuteOf(newCaller(), 100_000)]
      await take(limiter, idle)
      const takeBusy = async () => {
        await take(limiter, busy)
        return idle.leased
      }
      await expect.poll(takeBusy, { interval: 20, timeout: 10_000 }).toBe(0)
      await takeBusy()
      expect(leases(spy)).toBe(2)
    })

    test('starts a minute and a month afresh in the next window', async () => {
      const caller = newCaller()
      const { limiter } = process()
      const [minute, month] = [minuteOf(caller, 20), monthOf(caller, 30)]
      expect(await admitted(limiter, 50, minute, month)).toBe(20)
      expect(await take(limiter, minute, month)).toBe(minute)
      clock.advance(60_000)
      expect(await admitted(limiter, 50, minute, month)).toBe(10)
      expect(await take(limiter, minute, month)).toBe(month)
      // A refusal by the month takes nothing from the minute.
      expect(await limiter.used(minute)).toBe(10)
      clock.advance(60_000)
      expect(await admitted(limiter, 50, minute, month)).toBe(20)
    })

    test('reads a full month again after a minute, for returns of other processes', async () => {
      const caller = newCaller()
      const [holder, waiter] = [process(), process()]
      const month = monthOf(caller, 10)
      await take(holder.limiter, minuteOf(caller, 100), month)
      expect(await admitted(waiter.limiter, 20, minuteOf(caller, 100), monthOf(caller, 9))).toBe(8)
      const [minute, full] = [minuteOf(caller, 100), monthOf(caller, 1)]
      expect(await take(waiter.limiter, minute, full)).toBe(full)
      clock.advance(60_000)
      const before = leases(waiter.spy)
      expect(await take(waiter.limiter, minute, full)).toBe(full)
      expect(leases(waiter.spy)).toBe(before + 1)
    })

    test('rejects during an outage of the store, and continues after it', async () => {
      const caller = newCaller()
      const { limiter, spy } = process()
      const counter = minuteOf(caller, 60)
      await take(limiter, counter)
      spy.isAway = true
      // The lease still serves.
      expect(await admitted(limiter, 5, counter)).toBe(5)
      await expect(take(limiter, counter)).rejects.toThrow('refused')
      spy.isAway = false
      expect(await admitted(limiter, 200, counter)).toBe(54)
    })

    test('lets a put-back request be taken again in its window only', async () => {
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

    test('returns the lease of a released counter, and a new counter continues its count', async () => {
      const caller = newCaller()
      const { limiter } = process()
      const former = minuteOf(caller, 100)
      await take(limiter, former)
      limiter.release(former)
      expect(await admitted(limiter, 200, minuteOf(caller, 100))).toBe(99)
    })

    test('takes a rare request without a lease, from all windows or from none', async () => {
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
      // The three refusals took nothing.
      expect(await limiter.takeOnce(wanted(2, 3))).toBeUndefined()
      expect(await limiter.takeOnce(wanted(2, 3))).toBe(hourEndMs)
    })

    test('stores no address or e-mail in plain text', async () => {
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
