import { DAY_MS, instant } from '@catalog/core/time.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  DEVICE_MAX_MS,
  endLockout,
  findDevice,
  forgetDevices,
  insertDevice,
  lockedOutUntil,
  touchDevice,
} from './devices.ts'
import { insertUser, purgePeople } from './people.ts'

const NOON = '2026-11-20T12:00:00Z'
const at = (ms: number) => instant(new Date(Date.parse(NOON) + ms))
const sha = (name: string) => Buffer.from(name.padEnd(32, '.'))

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`on ${name}`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store[Symbol.asyncDispose]())
    beforeEach(async () => {
      await store.query(`truncate users, sign_in_waits cascade`)
      for (const userId of ['ana', 'bob'])
        await insertUser(store, { userId, email: `${userId}@example.org`, passwordHash: 'hash', at: NOON })
    })

    const device = (of: string, userId: string, ms = 0) =>
      insertDevice(store, { deviceSha: sha(of), userId, at: at(ms) })
    const found = async (email: string, names: readonly string[], ms = 0) =>
      (await findDevice(store, { shas: names.map(sha), email, at: at(ms) }))?.toString().replaceAll('.', '')

    test('a device is found by its person alone, until its time is over or it is forgotten', async () => {
      await device('hers', 'ana')
      await device('his', 'bob')
      expect(await found('ANA@example.org', ['none', 'his', 'hers'])).toBe('hers')
      expect([await found('ana@example.org', ['his']), await found('nobody@example.org', ['hers'])]).toEqual([
        undefined,
        undefined,
      ])
      expect(await touchDevice(store, { deviceSha: sha('hers'), userId: 'bob', at: NOON })).toBe(false)
      expect(await touchDevice(store, { deviceSha: sha('hers'), userId: 'ana', at: at(DAY_MS) })).toBe(true)
      expect(await found('ana@example.org', ['hers'], DEVICE_MAX_MS + DAY_MS - 1)).toBe('hers')
      expect(await found('ana@example.org', ['hers'], DEVICE_MAX_MS + DAY_MS)).toBeUndefined()

      await device('other', 'ana')
      await forgetDevices(store, 'ana', { except: sha('other') })
      expect([await found('ana@example.org', ['hers']), await found('ana@example.org', ['other'])]).toEqual([
        undefined,
        'other',
      ])
      await forgetDevices(store, 'ana')
      expect([await found('ana@example.org', ['other']), await found('bob@example.org', ['his'])]).toEqual([
        undefined,
        'his',
      ])
    })

    test('of concurrent attempts three are due, then one after each wait, until the right password', async () => {
      const attempts = (ms: number, bucket = 'a') =>
        Promise.all(Array.from({ length: 9 }, () => lockedOutUntil(store, { bucket, at: at(ms) })))
      const due = (answers: readonly unknown[]) => answers.filter((answer) => answer === undefined).length
      const first = await attempts(0)
      expect([due(first), new Set(first)]).toEqual([3, new Set([undefined, at(1_000)])])
      expect(due(await attempts(999))).toBe(0)
      const second = await attempts(1_000)
      expect([due(second), new Set(second)]).toEqual([1, new Set([undefined, at(3_000)])])
      expect(due(await attempts(1_000, 'b'))).toBe(3)
      await endLockout(store, 'a')
      expect(due(await attempts(1_000))).toBe(3)
    })

    test('old devices and waits are deleted in bounded batches', async () => {
      await store.query(`update users set verified_at = created_at`)
      for (const of of ['a', 'b', 'c']) await device(of, 'ana')
      for (const bucket of ['a', 'b']) await lockedOutUntil(store, { bucket, at: NOON })
      const purged = async (ms: number) => await purgePeople(store, { at: at(ms), max: 2 })
      expect([await purged(DAY_MS - 1), await purged(DAY_MS), await purged(DAY_MS)]).toEqual([0, 2, 0])
      expect([await purged(DEVICE_MAX_MS), await purged(DEVICE_MAX_MS), await purged(DEVICE_MAX_MS)]).toEqual([2, 1, 0])
    })
  })
}
