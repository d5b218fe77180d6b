import { publish, signUp, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { listKeys, readUsage } from '@catalog/store/accounts/accounts.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const store = await storeOfFile()
beforeAll(async () => {
  await publish(store, { id: testId('ci_', 'cement'), name: 'Cement' })
})

describe('the usage of a key', () => {
  test('counts the requests of its month, including those from the response cache', async () => {
    const clock = testClock()
    const api = testApi(store, clock)
    const key = await signUp(api, 'usage@example.org')
    const get = (url: string, headers = {}) =>
      api.inject({ url, headers: { authorization: `Bearer ${key}`, ...headers } })
    const path = `/v1/items/${testId('ci_', 'cement')}`
    // The response cache answers the third request, which counts as the others do.
    for (let i = 0; i < 3; i++) expect((await get(path)).statusCode).toBe(200)
    const { etag } = (await get(path)).headers
    // A 304 and a read of the usage do not count in the month.
    expect((await get(path, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get('/v1/usage')).json()).toMatchObject({ monthly_used: 4 })
    await api.close()
    const [row] = await listKeys(store, { email: 'usage@example.org', limit: 1 })
    expect(row?.last_used_at).toBe('2026-11-20T12:00:00Z')
    expect(await readUsage(store, [row?.key_id as string], '2026-01')).toEqual([
      { subject: row?.key_id, month: '2026-11', requests: 4 },
    ])
  })
})
