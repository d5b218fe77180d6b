import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minuteCounter, networkOf } from './caller.ts'

test('of the requests of one minute exactly the first `limit` are admitted, and a new minute begins anew', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.record({ key: fc.constantFrom('a', 'b'), gapMs: fc.integer({ min: 0, max: 30_000 }) })),
      (limit, requests) => {
        const counter = minuteCounter({ callersMax: 10 })
        const counted = new Map<string, number>()
        let nowMs = 1_000_000
        for (const { key, gapMs } of requests) {
          nowMs += gapMs
          const minute = `${Math.floor(nowMs / 60_000)} ${key}`
          const count = counted.get(minute) ?? 0
          counted.set(minute, count + 1)
          const taken = counter.take({ key, limit, nowMs })
          expect(taken.admitted).toBe(count < limit)
          expect(taken.remaining).toBe(Math.max(0, limit - count - 1))
          // Whoever waits as long as told meets the next minute.
          expect(Math.floor((nowMs + taken.retryAfterSeconds * 1000) / 60_000)).toBe(Math.floor(nowMs / 60_000) + 1)
          expect(taken.resetSeconds * 1000).toBe((Math.floor(nowMs / 60_000) + 1) * 60_000)
        }
      },
    ),
  )
})

test('no more callers are remembered than allowed: the oldest is forgotten first', () => {
  const counter = minuteCounter({ callersMax: 2 })
  const take = (key: string) => counter.take({ key, limit: 2, nowMs: 0 }).remaining
  expect([take('a'), take('b'), take('b')]).toEqual([1, 1, 0])
  expect(take('c')).toBe(1)
  expect(take('b')).toBe(0)
  expect(take('a')).toBe(1)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::9', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['1::2:3:4:5:6:7', '1:0:2:3'],
])('%s is counted as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
