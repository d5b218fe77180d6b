import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { insertKey, listKeys, readUsage } from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'
import { describe, expect, test } from 'vitest'
import { newKey } from './keys.ts'
import { newUsage, openUsage } from './usage.ts'

const store = await storeOfFile()

describe('the usage of a key', () => {
  test('is written to the month of its requests, and waits out an outage of the store', async () => {
    const { mark } = newKey('pub')
    await insertKey(store, { kind: 'pub', ...mark, email: 'm@example.org', name: null, at: '2026-01-01T00:00:00Z' })
    const clock = testClock('2026-11-30T23:59:59Z')
    let isAway = true
    const query: Store['query'] = (sql, given) => (isAway ? Promise.reject(new Error('away')) : store.query(sql, given))
    const recorder = openUsage({ store: { ...store, query }, now: () => clock.at })
    const usage = newUsage(mark.keyId)
    const record = (month: string, requests: number) => {
      recorder.recordUse(usage)
      recorder.countRequests(usage, Date.parse(`${month}-01T00:00:00Z`), requests)
    }
    record('2026-11', 3)
    clock.advance(2_000)
    record('2026-12', 2)
    await recorder.close()
    isAway = false
    record('2026-12', 1)
    await recorder.close()
    expect(await readUsage(store, [mark.keyId], '2026-01')).toEqual([
      { subject: mark.keyId, month: '2026-11', requests: 3 },
      { subject: mark.keyId, month: '2026-12', requests: 3 },
    ])
    expect(await listKeys(store, { keyId: mark.keyId, limit: 1 })).toMatchObject([
      { last_used_at: '2026-12-01T00:00:01Z' },
    ])
  })
})
