import { getEventListeners } from 'node:events'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@catalog/core/time.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BadSchedule, nextDue } from './schedule.ts'
import { followSchedule, POLL_MS, SLOW_MS } from './scheduler.ts'

type Source = Readonly<{ id: string; name: string; schedule: string | null; enabled: boolean }>
const source = (id: string, schedule: string | null, enabled = true): Source => ({
  id,
  name: `Shop ${id}`,
  schedule,
  enabled,
})

/** A clock that stands still until goTo moves it and wakes the sleepers in order. */
function virtualClock(startMs: number): Clock & { goTo: (ms: number) => Promise<void>; jumpTo: (ms: number) => void } {
  let nowMs = startMs
  const sleepers = new Set<{ atMs: number; wake: () => void }>()
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', abort)
        }
        const abort = () => {
          leave()
          reject(signal?.reason)
        }
        const wake = () => {
          leave()
          resolve()
        }
        const sleeper = { atMs: nowMs + ms, wake }
        if (signal?.aborted) return reject(signal.reason)
        sleepers.add(sleeper)
        signal?.addEventListener('abort', abort)
      }),
    async goTo(untilMs) {
      for (;;) {
        await settled()
        let next: { atMs: number; wake: () => void } | undefined
        for (const sleeper of sleepers) {
          if (sleeper.atMs <= untilMs && (next === undefined || sleeper.atMs < next.atMs)) next = sleeper
        }
        if (next === undefined) break
        nowMs = Math.max(nowMs, next.atMs)
        next.wake()
      }
      nowMs = Math.max(nowMs, untilMs)
    },
    jumpTo(ms) {
      nowMs = ms
    },
  }
}

const START_MS = Date.parse('2026-11-02T00:00:00Z')
const at = (time: string) => Date.parse(`2026-11-${time}:00Z`)

/** A crawler whose crawls take a while. Its store records them when they end, as the log does. */
function openCrawler(listed: readonly Source[], { tookMs = 5_000, atOnce = 4, attempts = {} }: Setup = {}) {
  const clock = virtualClock(START_MS)
  const store = new Map(Object.entries(attempts).map(([id, day]) => [id, at(day)]))
  const crawls: { id: string; due: string; beganMs: number; endedMs: number | null }[] = []
  const told: { details: object; message: string }[] = []
  const crawler = {
    clock,
    crawls,
    told,
    most: 0,
    asked: [] as string[],
    sources: listed,
    read: async () => ({ sources: crawler.sources }),
    lastAttempt: async (id: string) => {
      crawler.asked.push(id)
      return store.has(id) ? new Date(store.get(id) as number) : null
    },
    tookMs: (_: Source) => tookMs,
    work: async (_: Source) => {},
    start() {
      const stopping = new AbortController()
      const running = new Set<string>()
      let isOver = false
      const ended = followSchedule<Source>({
        clock,
        atOnce,
        signal: stopping.signal,
        read: () => crawler.read(),
        lastAttempt: (id) => crawler.lastAttempt(id),
        log: { error: (details, message) => told.push({ details, message }) },
        async crawl(source, { due, signal }) {
          const crawl = { id: source.id, due: due.toISOString(), beganMs: clock.now(), endedMs: null as number | null }
          crawls.push(crawl)
          expect(running).not.toContain(source.id)
          running.add(source.id)
          crawler.most = Math.max(crawler.most, running.size)
          try {
            await crawler.work(source)
            await clock.sleep(crawler.tookMs(source), signal)
            crawl.endedMs = clock.now()
            store.set(source.id, crawl.beganMs)
          } finally {
            running.delete(source.id)
          }
        },
      }).finally(() => {
        isOver = true
      })
      return {
        ended,
        stop: () => stopping.abort(new Error('stopped')),
        isOver: () => isOver,
        listeners: () => getEventListeners(stopping.signal, 'abort').length,
      }
    },
    /** When crawls of a source began, such as '02T04:30'. */
    began: (id: string) =>
      crawls.filter((crawl) => crawl.id === id).map(({ beganMs }) => new Date(beganMs).toISOString().slice(8, 16)),
  }
  return crawler
}
type Setup = { tookMs?: number; atOnce?: number; attempts?: Record<string, string> }

describe('the scheduler', () => {
  test('crawls enabled sources with a schedule at each of their instants', async () => {
    const crawler = openCrawler(
      [source('a', '30 */6 * * *'), source('b', '0 4 * * *', false), source('c', null)],
      { attempts: { a: '01T18:30', b: '01T04:00' } }, // biome-ignore format: a line each
    )
    const { stop, ended } = crawler.start()
    await crawler.clock.goTo(at('03T00:00'))
    stop()
    await ended
    expect(crawler.began('a')).toEqual(['02T00:30', '02T06:30', '02T12:30', '02T18:30'])
    expect(crawler.crawls.map(({ due }) => due.slice(8, 16))).toEqual(crawler.began('a'))
    expect(crawler.crawls).toHaveLength(4)
    // The scheduler reads the store for a new source, not at every poll.
    expect(crawler.asked).toEqual(['a'])
  })

  test('begins a crawl at its instant, whenever the last poll was', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *')], { attempts: { a: '01T04:00' } })
    await crawler.clock.goTo(START_MS + 3_333)
    const { listeners } = crawler.start()
    await crawler.clock.goTo(at('02T05:00'))
    expect(crawler.crawls.map(({ beganMs }) => beganMs)).toEqual([at('02T04:00')])
    // Hundreds of polls leave one listener on the signal.
    expect(listeners()).toBe(1)
  })

  test('crawls a source without an attempt at once, also when it is new in the file', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *')])
    crawler.start()
    await crawler.clock.goTo(at('02T01:00'))
    crawler.sources = [...crawler.sources, source('b', '0 4 * * *')]
    await crawler.clock.goTo(at('02T05:00'))
    expect(crawler.began('a')).toEqual(['02T00:00', '02T04:00'])
    expect(crawler.began('b')).toEqual(['02T01:00', '02T04:00'])
    expect((crawler.crawls[1]?.beganMs ?? 0) - at('02T01:00')).toBeLessThanOrEqual(POLL_MS)
  })

  test('crawls once when the clock jumps over many instants, and waits when it jumps back', async () => {
    const crawler = openCrawler([source('a', '0 * * * *')], { attempts: { a: '01T23:30' } })
    crawler.start()
    await crawler.clock.goTo(at('02T00:10'))
    crawler.clock.jumpTo(at('04T07:20'))
    await crawler.clock.goTo(at('04T08:10'))
    expect(crawler.began('a')).toEqual(['02T00:00', '04T07:20', '04T08:00'])
    crawler.clock.jumpTo(at('04T07:50'))
    await crawler.clock.goTo(at('04T08:30'))
    crawler.sources = [source('b', '0 9 * * *')]
    await crawler.clock.goTo(at('04T08:31'))
    expect(crawler.began('a')).toHaveLength(3)
    expect(crawler.began('b')).toHaveLength(1)
  })

  test('ignores an attempt in the future, which a wrong clock made', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *')], { attempts: { a: '29T04:00' } })
    crawler.start()
    await crawler.clock.goTo(at('02T05:00'))
    expect(crawler.began('a')).toEqual(['02T00:00', '02T04:00'])
  })

  test('follows a crawl that outlasts its interval with one that makes up for the missed instants', async () => {
    const setup = { tookMs: 2.5 * HOUR_MS, attempts: { a: '01T23:30' } }
    const crawler = openCrawler([source('a', '0 * * * *')], setup)
    crawler.start()
    await crawler.clock.goTo(at('02T06:00'))
    expect(crawler.began('a')).toEqual(['02T00:00', '02T02:30', '02T05:00'])
  })

  test('logs a failed crawl, retries it three times, and then waits for its next instants', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *'), source('b', '0 4 * * *')], { attempts: { b: '01T04:00' } })
    crawler.work = async ({ id }) => {
      if (id === 'a') throw new Error('the shop is closed')
    }
    crawler.start()
    await crawler.clock.goTo(at('03T05:00'))
    const tries = ['02T00:00', '02T00:15', '02T00:30', '02T00:45']
    expect(crawler.began('a')).toEqual([...tries, '02T04:00', '03T04:00'])
    expect(crawler.began('b')).toEqual(['02T04:00', '03T04:00'])
    expect(crawler.told[0]).toEqual({
      details: { source: 'Shop a', problem: 'the shop is closed' },
      message: 'crawl failed and will be retried',
    })
    expect(crawler.told).toHaveLength(6)
  })

  test('retries a crawl once each time that it fails once', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *')])
    let tries = 0
    crawler.work = async () => {
      if (++tries % 2 === 1) throw new Error('the store is away')
    }
    crawler.start()
    await crawler.clock.goTo(at('06T05:00'))
    const nights = ['02', '03', '04', '05', '06'].flatMap((day) => [`${day}T04:00`, `${day}T04:15`])
    expect(crawler.began('a')).toEqual(['02T00:00', '02T00:15', ...nights])
  })

  test('treats a crawl that throws at once like any failed one', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *')])
    const stopping = new AbortController()
    let begun = 0
    const ended = followSchedule<Source>({
      clock: crawler.clock,
      signal: stopping.signal,
      read: crawler.read,
      lastAttempt: crawler.lastAttempt,
      log: { error: () => {} },
      crawl: () => {
        begun++
        throw new Error('no')
      },
    })
    await crawler.clock.goTo(at('02T05:00'))
    stopping.abort()
    await ended
    expect(begun).toBe(5)
  })
})

describe('the scheduler, when the file or the store changes', () => {
  test('applies a changed schedule at the next poll', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *')], { attempts: { a: '01T04:00' } })
    crawler.start()
    await crawler.clock.goTo(at('02T02:00'))
    crawler.sources = [source('a', '5 2 * * *')]
    await crawler.clock.goTo(at('02T12:00'))
    // As after a restart: today's instant of the new schedule is later than the last attempt.
    crawler.sources = [source('a', '0 8 * * *')]
    await crawler.clock.goTo(at('03T09:00'))
    expect(crawler.began('a')).toEqual(['02T02:05', '02T12:00', '03T08:00'])
    expect((crawler.crawls[1]?.beganMs ?? 0) - at('02T12:00')).toBeLessThanOrEqual(POLL_MS)
  })

  test.each([
    ['removed', []],
    ['disabled', [source('a', '*/15 * * * *', false)]],
    ['left without a schedule', [source('a', null)]],
  ])('finishes the crawl of a source that is %s meanwhile, and does not crawl it again', async (_, after) => {
    const setup = { tookMs: 40 * MINUTE_MS, attempts: { a: '01T23:50' } }
    const crawler = openCrawler([source('a', '*/15 * * * *')], setup)
    crawler.start()
    await crawler.clock.goTo(at('02T00:10'))
    crawler.sources = after
    await crawler.clock.goTo(at('02T06:00'))
    expect(crawler.crawls).toHaveLength(1)
    expect(crawler.crawls[0]?.endedMs).toBe(at('02T00:40'))
  })

  test('does not crawl a source twice at a time when it comes back during its crawl', async () => {
    const setup = { tookMs: 40 * MINUTE_MS, attempts: { a: '01T23:50' } }
    const crawler = openCrawler([source('a', '*/15 * * * *')], setup)
    crawler.start()
    await crawler.clock.goTo(at('02T00:10'))
    const before = crawler.sources
    crawler.sources = []
    await crawler.clock.goTo(at('02T00:20'))
    crawler.sources = before
    await crawler.clock.goTo(at('02T01:00'))
    expect(crawler.began('a')).toEqual(['02T00:00', '02T00:40'])
    expect(crawler.asked).toEqual(['a'])
  })

  test('reads the last attempt again for a source that comes back later', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *')], { attempts: { a: '01T04:00' } })
    crawler.start()
    await crawler.clock.goTo(at('02T05:00'))
    const before = crawler.sources
    crawler.sources = []
    await crawler.clock.goTo(at('02T06:00'))
    crawler.sources = before
    await crawler.clock.goTo(at('02T20:00'))
    expect(crawler.began('a')).toEqual(['02T04:00'])
    expect(crawler.asked).toEqual(['a', 'a'])
  })

  test('keeps the known sources while the file is broken, and logs each problem once', async () => {
    const crawler = openCrawler([source('a', '0 * * * *')], { attempts: { a: '01T23:30' } })
    crawler.start()
    await crawler.clock.goTo(at('02T00:30'))
    const { read } = crawler
    const breakFile = (problem: string) => {
      crawler.read = () => Promise.reject(new Error(problem))
    }
    breakFile('line 3')
    await crawler.clock.goTo(at('02T02:30'))
    breakFile('line 4')
    await crawler.clock.goTo(at('02T03:30'))
    crawler.read = read
    await crawler.clock.goTo(at('02T03:40'))
    breakFile('line 4')
    await crawler.clock.goTo(at('02T04:30'))
    expect(crawler.began('a')).toEqual(['02T00:00', '02T01:00', '02T02:00', '02T03:00', '02T04:00'])
    expect(crawler.told.map(({ details }) => details)).toEqual([
      { problem: 'line 3' },
      { problem: 'line 4' },
      { problem: 'line 4' },
    ])
  })

  test('reads an unavailable store again at the next poll, logs it once, and goes on with known sources', async () => {
    const crawler = openCrawler([source('a', '*/5 * * * *')], {
      attempts: { a: '01T23:58', b: '01T23:58', c: '01T23:58' },
    })
    crawler.start()
    await crawler.clock.goTo(at('02T00:04'))
    const { lastAttempt } = crawler
    const awayFor = async (minutes: number) => {
      let asked = 0
      crawler.lastAttempt = async () => {
        asked++
        throw new Error('connection refused')
      }
      await crawler.clock.goTo(crawler.clock.now() + minutes * MINUTE_MS)
      crawler.lastAttempt = lastAttempt
      await crawler.clock.goTo(crawler.clock.now() + MINUTE_MS)
      return asked
    }
    crawler.sources = [...crawler.sources, source('b', '*/5 * * * *'), source('c', '*/5 * * * *')]
    // Reads of the store: every 10 s, when the crawl begins and when it ends, and not for each of the two sources.
    expect(await awayFor(2)).toBe(13)
    crawler.sources = [source('d', '0 4 * * *')]
    await awayFor(1)
    expect(crawler.began('a')).toEqual(['02T00:00', '02T00:05'])
    expect(crawler.began('b')).toEqual(['02T00:06'])
    expect(crawler.began('d')).toHaveLength(1)
    const told = { details: { problem: 'connection refused' }, message: 'last crawls cannot be read; new sources wait' }
    expect(crawler.told).toEqual([told, told])
  })
})

describe('the scheduler, when many sources are due or it has to stop', () => {
  test('crawls a limited number at once, and the earliest due source first', async () => {
    const sources = [
      // Due again whenever its crawl ends, and first in the file.
      source('greedy', '* * * * *'),
      source('b', '21 0 * * *'),
      source('c', '15 0 * * *'),
      source('d', '15 0 * * *'),
    ]
    const attempts = { greedy: '01T23:59', b: '01T12:00', c: '01T12:00', d: '01T12:00' }
    const crawler = openCrawler(sources, { tookMs: 9 * MINUTE_MS, atOnce: 1, attempts })
    crawler.start()
    await crawler.clock.goTo(at('02T01:10'))
    expect(crawler.most).toBe(1)
    expect(crawler.crawls.slice(0, 7).map(({ id }) => id)).toEqual([
      'greedy',
      'greedy',
      'greedy',
      'c',
      'd',
      'greedy',
      'b',
    ])
  })

  test('lets others begin beside crawls that take long, up to a bound of all', async () => {
    // given: slow hosts that are due first, as many as crawls begin at once, and two quick ones behind them
    const slow = ['s1', 's2', 's3', 's4'].map((id) => source(id, '0 4 * * *'))
    const crawler = openCrawler([...slow, source('a', '0 4 * * *'), source('b', '0 4 * * *')])
    crawler.tookMs = ({ id }) => (id.startsWith('s') ? DAY_MS : 5_000)
    crawler.start()
    // when
    await crawler.clock.goTo(START_MS + SLOW_MS + POLL_MS)
    // then
    expect(crawler.crawls.map(({ id, beganMs }) => [id, beganMs - START_MS])).toEqual([
      ...slow.map(({ id }) => [id, 0]),
      ['a', SLOW_MS],
      ['b', SLOW_MS],
    ])

    const many = openCrawler(
      Array.from({ length: 60 }, (_, n) => source(`s${n}`, '0 4 * * *')),
      { tookMs: DAY_MS },
    )
    many.start()
    await many.clock.goTo(START_MS + 20 * SLOW_MS)
    expect(many.most).toBe(32)
  })

  test('uses a free place at once, not at the next poll', async () => {
    const sources = ['a', 'b', 'c', 'd', 'e'].map((id) => source(id, '0 4 * * *'))
    const crawler = openCrawler(sources, { tookMs: 100, atOnce: 2 })
    crawler.start()
    await crawler.clock.goTo(START_MS + 1_000)
    expect(crawler.crawls.map(({ id, beganMs }) => [id, beganMs - START_MS])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 100],
      ['d', 100],
      ['e', 200], // biome-ignore format: a table
    ])
    expect(crawler.most).toBe(2)
  })

  test('begins nothing and ends at once when it is stopped while it waits, polls or reads', async () => {
    for (const where of ['wait', 'read', 'ask'] as const) {
      const crawler = openCrawler([source('a', '0 4 * * *')], { attempts: { a: '01T04:00' } })
      const { read, lastAttempt } = crawler
      const following = crawler.start()
      await crawler.clock.goTo(at('02T03:00'))
      if (where === 'read') {
        crawler.read = () => {
          following.stop()
          crawler.clock.jumpTo(at('02T04:30'))
          return read()
        }
      } else if (where === 'ask') {
        crawler.sources = [source('a', '0 4 * * *'), source('b', '0 4 * * *'), source('c', '0 4 * * *')]
        crawler.lastAttempt = (id) => {
          following.stop()
          return lastAttempt(id)
        }
      } else following.stop()
      await crawler.clock.goTo(crawler.clock.now() + POLL_MS)
      expect(following.isOver()).toBe(true)
      expect(crawler.crawls).toEqual([])
      expect(crawler.told).toEqual([])
      expect(crawler.asked).toEqual(where === 'ask' ? ['a', 'b'] : ['a'])
    }
  })

  test('throws on an invalid schedule after the running crawls have ended', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *'), source('b', '61 4 * * *')], { attempts: { b: '01T04:00' } })
    await expect(crawler.start().ended).rejects.toThrow(BadSchedule)
    crawler.sources = [source('a', '0 4 * * *')]
    const following = crawler.start()
    await crawler.clock.goTo(START_MS + 1_000)
    crawler.sources = [source('a', '61 4 * * *')]
    const thrown = expect(following.ended).rejects.toThrow("'61 4 * * *', '61': expected minutes from 0 to 59")
    await crawler.clock.goTo(at('02T00:01'))
    await thrown
    expect(crawler.crawls[0]?.endedMs).toBe(START_MS + 5_000)
  })

  test('ends after the running crawls, and logs no failure of theirs', async () => {
    const crawler = openCrawler([source('a', '0 4 * * *'), source('b', '0 4 * * *')], { tookMs: HOUR_MS })
    const { promise, resolve } = Promise.withResolvers<void>()
    // Finishes some work without a look at the signal.
    crawler.work = async ({ id }) => {
      if (id === 'b') await promise
    }
    const following = crawler.start()
    await crawler.clock.goTo(at('02T00:01'))
    following.stop()
    await crawler.clock.goTo(at('02T02:00'))
    expect(following.isOver()).toBe(false)
    resolve()
    await following.ended
    expect(crawler.crawls.map(({ endedMs }) => endedMs)).toEqual([null, null])
    expect(crawler.told).toEqual([])
    // The store recorded neither crawl, so both begin again.
    crawler.start()
    await crawler.clock.goTo(at('02T02:01'))
    expect(crawler.crawls).toHaveLength(4)
  })
})

test('over a day with restarts at any time, covers every instant of every source with exactly one crawl', async () => {
  const DELAY_MS_MAX = 11 * MINUTE_MS
  const minute = fc.integer({ min: 0, max: 59 })
  const hour = fc.integer({ min: 0, max: 23 })
  const schedules = fc.oneof(
    fc.constantFrom('*/15 * * * *', '*/20 6-18 * * *', '7,37 * * * *', '0 */4 * * *', '0 0 * * *'),
    minute.map((at) => `${at} * * * *`),
    fc.tuple(minute, hour).map(([at, hour]) => `${at} ${hour} * * *`),
    fc.tuple(minute, fc.uniqueArray(hour, { minLength: 2, maxLength: 5 })).map(([at, hours]) => `${at} ${hours} * * *`),
  )
  const plan = fc.record({
    schedule: schedules,
    tookMs: fc.integer({ min: 1, max: MINUTE_MS / 2 }),
    // Either crawled before the day, so that nothing is due at the start, or never.
    isNew: fc.boolean(),
  })
  // At any time of the day, also amid crawls, which are then not recorded. Eight restarts in a row while all twenty
  // sources are due delay a crawl by 11 minutes, less than the gap between two instants of a source.
  const restart = fc.record({
    atMs: fc.integer({ min: 0, max: DAY_MS }),
    awayMs: fc.integer({ min: 0, max: MINUTE_MS / 2 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 20, maxLength: 20 }),
      fc.array(restart, { maxLength: 8 }),
      async (plans, restarts) => {
        const sources = plans.map(({ schedule }, n) => source(`s${n}`, schedule))
        const old = sources
          .filter((_, n) => plans[n]?.isNew === false)
          .map(({ id }): [string, string] => [id, '02T00:00'])
        const crawler = openCrawler(sources, { attempts: Object.fromEntries(old) })
        crawler.tookMs = ({ id }) => plans[Number(id.slice(1))]?.tookMs ?? 0
        let following = crawler.start()
        for (const { atMs, awayMs } of restarts.toSorted((a, b) => a.atMs - b.atMs)) {
          await crawler.clock.goTo(START_MS + atMs)
          following.stop()
          await following.ended
          await crawler.clock.goTo(crawler.clock.now() + awayMs)
          following = crawler.start()
        }
        // Leaves time for the last due crawls to end.
        const endMs = START_MS + DAY_MS
        await crawler.clock.goTo(endMs + DELAY_MS_MAX)
        following.stop()
        await following.ended

        expect(crawler.most).toBeLessThanOrEqual(4)
        for (const [n, { id, schedule }] of sources.entries()) {
          const began = crawler.crawls
            .filter((crawl) => crawl.id === id && crawl.endedMs !== null)
            .map((of) => of.beganMs)
          let fromMs = START_MS
          if (plans[n]?.isNew === true) {
            fromMs = began.shift() ?? Number.NaN
            expect(fromMs - START_MS).toBeLessThan(DELAY_MS_MAX)
          }
          const counts: number[] = []
          let due = nextDue(schedule ?? '', new Date(fromMs))
          while (due.getTime() <= endMs) {
            const next = nextDue(schedule ?? '', due)
            counts.push(began.filter((ms) => ms >= due.getTime() && ms < next.getTime()).length)
            due = next
          }
          expect(counts).toEqual(counts.map(() => 1))
          // No other crawl began. Those due after the day may have begun.
          expect(began.filter((ms) => ms < due.getTime())).toHaveLength(counts.length)
        }
      },
    ),
    { numRuns: 12 },
  )
}, 60_000)
