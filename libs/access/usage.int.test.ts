import { publish, signUp, testApi, testClock, testId } from '@catalog/api/testing.ts'
import { insertKey, listKeys, readUses } from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'
import { openTestStore } from '@catalog/store/testing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newKey } from './keys.ts'
import { newUse, openUses } from './usage.ts'

let store: Store
beforeAll(async () => {
  store = await openTestStore()
  await publish(store, { id: testId('ci_', 'cement'), name: 'Cement' })
})
afterAll(() => store[Symbol.asyncDispose]())

describe('the uses of a key', () => {
  test('are the requests that count in its month, whichever way they were answered', async () => {
    const clock = testClock()
    const api = testApi(store, clock)
    const key = await signUp(api, 'uses@example.org')
    const get = (url: string, headers = {}) =>
      api.inject({ url, headers: { authorization: `Bearer ${key}`, ...headers } })
    const path = `/v1/items/${testId('ci_', 'cement')}`
    // The third is answered again without routing, and is a request like the others.
    for (let i = 0; i < 3; i++) expect((await get(path)).statusCode).toBe(200)
    const { etag } = (await get(path)).headers
    // None of these counts in the month.
    expect((await get(path, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get('/v1/usage')).json()).toMatchObject({ monthly_used: 4 })
    await api.close()
    const [row] = await listKeys(store, { email: 'uses@example.org', limit: 1 })
    expect(row?.last_used_at).toBe('2026-11-20T12:00:00Z')
    expect(await readUses(store, [row?.key_id as string], '2026-01')).toEqual([
      { subject: row?.key_id, month: '2026-11', requests: 4 },
    ])
  })

  test('are written to the month that they counted in, and wait for a store that is away', async () => {
    const { mark } = newKey('pub')
    await insertKey(store, { kind: 'pub', ...mark, email: 'm@example.org', name: null, at: '2026-01-01T00:00:00Z' })
    const clock = testClock('2026-11-30T23:59:59Z')
    let isAway = true
    const query: Store['query'] = (sql, given) => (isAway ? Promise.reject(new Error('away')) : store.query(sql, given))
    const uses = openUses({ store: { ...store, query }, now: () => clock.at })
    const use = newUse(mark.keyId)
    const count = (month: string, requests: number) => {
      uses.used(use)
      uses.counted(use, Date.parse(`${month}-01T00:00:00Z`), requests)
    }
    count('2026-11', 3)
    clock.advance(2_000)
    count('2026-12', 2)
    await uses.close()
    isAway = false
    count('2026-12', 1)
    await uses.close()
    expect(await readUses(store, [mark.keyId], '2026-01')).toEqual([
      { subject: mark.keyId, month: '2026-11', requests: 3 },
      { subject: mark.keyId, month: '2026-12', requests: 3 },
    ])
    expect(await listKeys(store, { keyId: mark.keyId, limit: 1 })).toMatchObject([
      { last_used_at: '2026-12-01T00:00:01Z' },
    ])
  })
})
