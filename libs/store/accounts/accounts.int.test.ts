import { instant } from '@catalog/core/time.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import type { Store } from '@catalog/store/db.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addUsage,
  createWorkspace,
  insertKey,
  type KeyRecord,
  leaseWindows,
  listKeys,
  listWorkspaces,
  purgeWindows,
  readAddressSecret,
  readUsage,
  readWindow,
  returnWindowLeases,
  revokeKey,
  rotateKey,
} from './accounts.ts'

const NOON = '2026-11-20T12:00:00Z'
const at = (seconds: number) => instant(new Date(Date.parse(NOON) + seconds * 1000))
const mark = (name: string): KeyRecord => ({
  keyId: `key_${name}`,
  keySha: Buffer.from(name.padEnd(32, '.')),
  displayPrefix: name.slice(0, 12),
})
const window = (bucket: string, startsAt = NOON) => ({ bucket, startsAt })

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`accounts on ${name}`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store[Symbol.asyncDispose]())
    beforeEach(async () => {
      await store.query(`truncate limit_windows, api_keys, workspaces, usage_counts cascade`)
    })

    const lease = (bucket: string, want: number, limit: number, startsAt = NOON) =>
      leaseWindows(store, [{ ...window(bucket, startsAt), want, limit, keepUntil: at(3600) }])

    test('a window never grants more than its limit, in any order of leases and returns', async () => {
      const step = fc.record({
        bucket: fc.constantFrom('a', 'b'),
        want: fc.integer({ min: 1, max: 7 }),
        back: fc.integer({ min: 0, max: 7 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 12 }), async (limit, steps) => {
          await store.query(`truncate limit_windows`)
          const taken = { a: 0, b: 0 }
          for (const { bucket, want, back } of steps) {
            const [{ granted, used } = { granted: -1, used: -1 }] = await lease(bucket, want, limit)
            expect(granted).toBe(Math.min(want, limit - taken[bucket]))
            taken[bucket] += granted
            expect(used).toBe(taken[bucket])
            const unused = Math.min(back, granted)
            await returnWindowLeases(store, [{ ...window(bucket), unused }])
            taken[bucket] -= unused
            expect(await readWindow(store, window(bucket))).toBe(taken[bucket])
          }
        }),
        { numRuns: 25 },
      )
    })

    test('leases several windows in one statement, and answers in the order of the requests', async () => {
      await lease('full', 3, 3)
      const leases = await leaseWindows(
        store,
        ['z', 'full', 'a'].map((bucket) => ({ ...window(bucket), want: 2, limit: 3, keepUntil: at(60) })),
      )
      expect(leases).toEqual([
        { granted: 2, used: 2 },
        { granted: 0, used: 3 },
        { granted: 2, used: 2 },
      ])
      await returnWindowLeases(store, [
        { ...window('z'), unused: 1 },
        { ...window('full'), unused: 2 },
      ])
      expect(await readWindow(store, window('full'))).toBe(1)
      expect((await lease('z', 5, 3))[0]).toEqual({ granted: 2, used: 3 })
    })

    test('concurrent leases and returns of many windows in opposite orders do not deadlock', async () => {
      const buckets = Array.from({ length: 50 }, (_, i) => `b${i}`)
      const all = (order: readonly string[]) => [
        leaseWindows(
          store,
          order.map((bucket) => ({ ...window(bucket), want: 1, limit: 1_000, keepUntil: at(60) })),
        ),
        returnWindowLeases(
          store,
          order.map((bucket) => ({ ...window(bucket), unused: 0 })),
        ),
      ]
      const backwards = buckets.toReversed()
      await Promise.all(Array.from({ length: 10 }, () => [...all(buckets), ...all(backwards)]).flat())
      expect(await readWindow(store, window('b0'))).toBe(20)
    })

    test('a window of another time is separate, and a lowered limit grants nothing more', async () => {
      expect((await lease('a', 5, 5))[0]).toEqual({ granted: 5, used: 5 })
      expect((await lease('a', 5, 5, at(60)))[0]).toEqual({ granted: 5, used: 5 })
      expect((await lease('a', 1, 3))[0]).toEqual({ granted: 0, used: 3 })
      expect(await readWindow(store, window('a'))).toBe(5)
    })

    test('deletes old windows, a bounded number at a time, and keeps the others', async () => {
      for (const i of [0, 1, 2]) await lease(`old${i}`, 1, 1)
      await leaseWindows(store, [{ ...window('young'), want: 1, limit: 9, keepUntil: at(7200) }])
      expect(await purgeWindows(store, { at: at(3600), max: 9 })).toBe(0)
      expect(await purgeWindows(store, { at: at(3601), max: 2 })).toBe(2)
      expect(await purgeWindows(store, { at: at(3601), max: 2 })).toBe(1)
      expect(await readWindow(store, window('young'))).toBe(1)
    })

    test("adds up a month's requests per key over all processes, and writes no row without requests", async () => {
      for (const name of ['one', 'two']) {
        await insertKey(store, { kind: 'pub', ...mark(name), email: 'a@b.co', name: null, at: NOON })
      }
      const use = (subject: string, month: string, requests: number) => ({ subject, lastUsedAt: NOON, month, requests })
      const both = [use('key_one', '2026-10-01', 2), use('key_one', '2026-11-01', 3), use('key_two', '2026-11-01', 5)]
      // Concurrent and in opposite orders, without a deadlock.
      await Promise.all(Array.from({ length: 10 }, (_, i) => addUsage(store, i % 2 === 0 ? both : both.toReversed())))
      await addUsage(store, [use('key_none', '2026-11-01', 0)])
      expect(await readUsage(store, ['key_one', 'key_two', 'key_none'], '2026-11')).toEqual([
        { subject: 'key_one', month: '2026-11', requests: 30 },
        { subject: 'key_two', month: '2026-11', requests: 50 },
      ])
      expect(await readUsage(store, ['key_one'], '2026-01')).toContainEqual({
        subject: 'key_one',
        month: '2026-10',
        requests: 20,
      })
    })

    test('a process with a clock behind does not move the last use of a key back', async () => {
      await insertKey(store, { kind: 'pub', ...mark('one'), email: 'a@b.co', name: null, at: NOON })
      for (const lastUsedAt of [at(60), at(30)]) {
        await addUsage(store, [{ subject: 'key_one', lastUsedAt, month: '2026-11-01', requests: 0 }])
      }
      expect(await listKeys(store, { email: 'a@b.co', limit: 9 })).toMatchObject([{ last_used_at: at(60) }])
    })

    test('a workspace has a unique name, and counts its valid keys', async () => {
      expect(await createWorkspace(store, { workspaceId: 'ws_1', name: 'Obras', plan: 'paid', at: NOON })).toBe(true)
      expect(await createWorkspace(store, { workspaceId: 'ws_2', name: 'Obras', plan: 'paid', at: NOON })).toBe(false)
      for (const name of ['a', 'b', 'c']) {
        await insertKey(store, { kind: 'org', ...mark(name), workspaceId: 'ws_1', name, at: NOON })
      }
      await revokeKey(store, { keyId: 'key_a', at: NOON })
      await rotateKey(store, { keyId: 'key_b', until: at(60), successor: mark('b2'), at: NOON })
      expect(await listWorkspaces(store, { named: 'Obras', at: at(59) })).toMatchObject([{ valid_keys: 3 }])
      expect(await listWorkspaces(store, { named: 'ws_1', at: at(60) })).toMatchObject([{ valid_keys: 2 }])
      expect(await listWorkspaces(store, { named: 'other', at: NOON })).toEqual([])
    })

    test('all processes share one secret for hashing addresses', async () => {
      const secrets = await Promise.all([readAddressSecret(store), readAddressSecret(store)])
      expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
      expect(secrets[1]).toBe(secrets[0])
    })
  })
}
