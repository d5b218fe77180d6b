import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import type { Api } from '@catalog/api/server.ts'
import { openReplica } from '@catalog/replica/follow/replica.ts'
import { markRun, observe, publish, signUp, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { openTestStore, testFolder } from '@catalog/stack/testing/store.ts'
import { makeDigest } from '@catalog/store/catalog/digests.ts'
import { readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { noteRefusals } from '@catalog/store/failure.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** The API while its database does not answer. */
let store: Store
let isAway: boolean
let isHanging: boolean
let refusal: string | undefined
const clock = testClock()
let api: Api
const cement = testId('ci_', 'cement')
beforeEach(async () => {
  store = await openTestStore()
  ;[isAway, isHanging, refusal] = [false, false, undefined]
  const refused = async (): Promise<never> => {
    if (isHanging) return new Promise(() => {})
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  }
  const unwritten = async (): Promise<never> => {
    throw Object.assign(new Error('could not extend file "base/5/16506": /secret'), { code: refusal })
  }
  const isWrite = (sql: string) => /\b(insert into|update|delete from)\b/.test(sql)
  const unreliable: Store = {
    ...store,
    query: (sql, parameters) =>
      isAway ? refused() : refusal !== undefined && isWrite(sql) ? unwritten() : store.query(sql, parameters),
    transaction: (work) => (isAway ? refused() : store.transaction(work)),
    copyOut: (sql) => (isAway ? refused() : store.copyOut(sql)),
  }
  const noting = noteRefusals(unreliable, () => clock.at.getTime())
  api = testApi(noting, clock, { limits: { ...LIMITS, anonPerMinute: 400 } })
  await store.query(`insert into categories values ('cat_a', null, 'A', 0)`)
  await observe(store, { vendor_sku_id: 'vsku_a', observed_at: '2026-11-19T08:00:00Z', cents: 499 })
  await publish(store, { id: cement, category_id: 'cat_a', vendor_sku_ids: ['vsku_a'], markets: { ES: null } })
  await publish(store, { id: testId('ci_', 'sand'), name: 'Sand' })
  await publish(store, { id: testId('ci_', 'merged'), state: 'merged', merged_into: cement })
  await markRun(store)
  await makeDigest(store, { gen: (await readCatalogVersion(store)).gen, mark: 3n })
})
afterEach(async () => {
  await api.close()
  await store[Symbol.asyncDispose]()
})

async function get(url: string, headers: Record<string, string> = {}) {
  clock.advance(250)
  return api.inject({ url, headers })
}

async function publicPaths(): Promise<string[]> {
  const { gen, digest } = (await get('/v1/feeds/state.json')).json()
  return [
    '/v1/items',
    '/v1/items?limit=1',
    '/v1/items?region=ES&q=cement&sort=updated',
    '/v1/items?category_id=cat_a&price_region=ES',
    `/v1/items/${cement}`,
    `/v1/items/${testId('ci_', 'merged')}?price_region=ES`,
    `/v1/items/${cement}/history`,
    '/v1/categories',
    '/v1/categories/cat_a',
    '/v1/feeds/state.json',
    '/v1/feeds/items.atom',
    '/v1/feeds/items.rss?since=1',
    '/v1/feeds/region/es',
    '/v1/feeds/region/es?limit=2',
    `/v1/feeds/item/${testId('ci_', 'merged')}`,
    '/v1/feeds/category/cat_a',
    `/v1/feeds/digest/${gen}/items/${digest.scopes.items.seq}.json`,
    '/v1/pricing',
  ]
}

test.each(['refuses', 'hangs'])(
  'public reads go on, byte for byte and with their age, when the database %s',
  async (how) => {
    const paths = await publicPaths()
    const before = new Map<string, unknown[]>()
    for (const path of paths) {
      const { statusCode, headers, body } = await get(path)
      expect([path, statusCode, headers.age]).toEqual([path, 200, undefined])
      before.set(path, [headers.etag, body])
    }
    isHanging = how === 'hangs'
    isAway = true
    clock.advance(5_000)
    for (const path of paths) {
      const { statusCode, headers, body } = await get(path)
      expect([path, statusCode, headers.etag, body]).toEqual([path, 200, ...(before.get(path) ?? [])])
      expect(Number(headers.age)).toBeGreaterThanOrEqual(5)
      const { etag } = headers
      if (etag !== undefined) expect((await get(path, { 'if-none-match': etag })).statusCode).toBe(304)
    }
    const ready = await get('/readyz')
    expect([ready.statusCode, ready.json()]).toMatchObject([200, { status: 'degraded' }])
  },
  60_000,
)

test('a feed and its digest are read from an older replica when the database fails after it said a newer version', async () => {
  const paths = (await publicPaths()).filter((path) => /items\.atom$|digest/.test(path))
  const whole = new Map<string, string>()
  for (const path of paths) whole.set(path, (await get(path)).body)
  // given: a replica that stays behind what the database says
  const folder = testFolder()
  await using filled = openReplica({ store, folder })
  await filled.reach(await readCatalogVersion(store))
  const behind = { ...filled, reach: async () => false }
  const reset = async (): Promise<never> => {
    throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  }
  const failing: Store = {
    ...store,
    query: (sql, parameters) =>
      /scope_heads|change_scopes|digests/.test(sql) && isAway ? reset() : store.query(sql, parameters),
  }
  const late = testApi(failing, clock, { replica: behind })
  try {
    // when: the version is read, and nothing else
    isAway = true
    // then
    for (const path of paths) {
      const { statusCode, body } = await late.inject(path)
      expect([path, statusCode, body]).toEqual([path, 200, whole.get(path)])
    }
    expect(paths).toHaveLength(2)
  } finally {
    await late.close()
  }
})

test('what only the database knows says that it is away, and the API catches up by itself', async () => {
  const [path] = await publicPaths()
  await get(path as string)
  const basis = `/v1/items/${cement}/basis`
  // The second answer stays in memory.
  for (let i = 0; i < 2; i++) expect((await get(basis)).statusCode).toBe(200)
  isAway = true
  await get(path as string)
  const remembered = await get(basis)
  expect([remembered.statusCode, Number(remembered.headers.age)]).toEqual([200, expect.any(Number)])
  expect((await get('/v1/sources')).json().error).toBe('store_unavailable')
  expect((await get('/v1/search?q=sand')).statusCode).toBe(503)
  await publish(store, { id: testId('ci_', 'brick'), name: 'Brick' })
  expect((await get('/v1/items')).json().items).toHaveLength(2)
  isAway = false
  await expect.poll(async () => (await get('/v1/items')).json().items.length).toBe(3)
  const after = await get('/v1/items')
  expect(after.headers.age).toBeUndefined()
  expect((await get('/readyz')).json()).toEqual({ status: 'ok' })
})

test('while the disk of the database is full reads go on, writes answer 503, and the status says so', async () => {
  refusal = '53100'
  for (const path of ['/v1/items', `/v1/items/${cement}`, '/v1/sources', `/v1/items/${cement}/basis`])
    expect([path, (await get(path)).statusCode]).toEqual([path, 200])
  const payload = { email: 'builder@example.org' }
  const signup = await api.inject({ method: 'POST', url: '/v1/keys/signup', payload })
  expect([signup.statusCode, signup.json(), signup.headers['retry-after']]).toEqual([
    503,
    { error: 'store_unavailable', details: 'the database takes no writes at present', retry_after_seconds: 5 },
    '5',
  ])
  clock.advance(2_500)
  const status = (await get('/v1/status')).json()
  expect(status).toMatchObject({ state: 'degraded', problems: ['database_read_only'], database: { answers: true } })
  expect((await get('/readyz')).json()).toMatchObject({ status: 'degraded', reason: 'the database takes no writes' })
  refusal = undefined
  clock.advance(60_000)
  expect((await get('/readyz')).json()).toMatchObject({ status: 'ok' })
  expect((await get('/v1/status')).json().problems).not.toContain('database_read_only')
})

test('requests beyond the known feeds get their usual refusal in the instant the database goes', async () => {
  const { gen } = (await get('/v1/feeds/state.json')).json()
  isAway = true
  for (const [path, expected] of [
    ['items.atom?since=0&gen=x', [409, 'generation_changed']],
    ['items.atom?since=12', [409, 'future_cursor']],
    ['items.atom?gen=x', [409, 'generation_changed']],
    ['archive/x/items/0.atom', [410, 'changes_expired']],
    [`archive/${gen}/items/9.atom`, [404, 'feed_not_found']],
  ] as const) {
    // The clock stands still, so that the API does not know yet that the database is away.
    const { statusCode, body } = await api.inject(`/v1/feeds/${path}`)
    expect([path, statusCode, JSON.parse(body).error]).toEqual([path, ...expected])
  }
})

test('a process admits a quarter of each limit by itself, and then refuses', async () => {
  await get('/v1/items')
  isAway = true
  await get('/v1/items')
  clock.advance(60_000)
  const statuses = await Promise.all(Array.from({ length: 150 }, () => api.inject('/v1/items')))
  const admitted = statuses.filter(({ statusCode }) => statusCode === 200).length
  expect([admitted, statuses.every(({ statusCode }) => [200, 429].includes(statusCode))]).toEqual([100, true])
})

test('a known key stays known, and a new one cannot be checked', async () => {
  const key = await signUp(api)
  const authorization = `Bearer ${key}`
  expect((await get('/v1/items', { authorization })).json().meta.tier).toBe('public_dev')
  isAway = true
  await get('/v1/items')
  clock.advance(120_000)
  expect((await get('/v1/items', { authorization })).json().meta.tier).toBe('public_dev')
  const other = await signUp(api).catch(() => undefined)
  expect(other).toBeUndefined()
})
