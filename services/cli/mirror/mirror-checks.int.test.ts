import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MirrorsResponse } from '@catalog/api/contract/contract.ts'
import type { Api } from '@catalog/api/server.ts'
import { openRequest } from '@catalog/runtime/fetch.ts'
import { markRun, publishAll, testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { makeDigest } from '@catalog/store/catalog/digests.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import { acquireLease, releaseLease } from '@catalog/store/lease.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkMirrors } from './mirror-checks.ts'

const LOOPBACK = ['127.0.0.0/8']
const clock = testClock()
let store: Store
let unreliable: Store
let isAway = false
let api: Api
let server: Server
let url: string
let asked: string[]
/** The answer of the mirror; it is the origin's state.json unless a test says otherwise. */
let answer: (request: IncomingMessage, response: ServerResponse) => void
type State = { gen: string; scopes: Record<string, { head: number }>; digest: { scopes: Record<string, object> } }
let state: State

beforeEach(async () => {
  ;[asked, isAway] = [[], false]
  store = await openTestStore()
  unreliable = {
    ...store,
    query: (sql, parameters) =>
      isAway
        ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
        : store.query(sql, parameters),
  }
  await publishAll(store, [published({ id: 'ci_a', regions: ['ES'] }), published({ id: 'ci_b', regions: ['UY'] })])
  await markRun(store)
  await makeDigest(store, { gen: (await readMeta(store, 'gen')) as string, mark: 2n })
  answer = (request, response) => {
    if (request.url === '/copy/state.json') response.end(JSON.stringify(state))
    else response.writeHead(404).end()
  }
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/copy`
  api = testApi(unreliable, clock, { mirrors: [url] })
  state = (await api.inject('/v1/feeds/state.json')).json()
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await api.close()
  await store[Symbol.asyncDispose]()
})

const check = (allowed: readonly string[] = LOOPBACK) =>
  checkMirrors({
    catalog: { store, now: () => clock.at },
    urls: [url],
    request: openRequest({ allowed }),
    signal: new AbortController().signal,
    log: { warn() {} },
  })
/** Checks after five minutes, and reads the list. */
async function checked(allowed?: readonly string[]) {
  clock.advance(300_000)
  expect(await check(allowed)).toBe(true)
  return await listed()
}
async function listed() {
  clock.advance(5_000)
  const response = await api.inject('/v1/mirrors')
  expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'public, max-age=60'])
  return MirrorsResponse.parse(response.json()).mirrors[0]
}

describe('the list of mirrors', () => {
  test('names a mirror before it was asked, and nothing of it', async () => {
    expect(await listed()).toEqual({
      url,
      gen: null,
      scopes: [],
      lag: { changes: null, seconds: null },
      digest: null,
      last_seen_at: null,
      last_error: null,
    })
  })

  test('says that a copy as plain files is whole, and that its root is ours', async () => {
    const mirror = await checked()
    expect(mirror).toMatchObject({ gen: state.gen, lag: { changes: 0, seconds: 0 }, last_error: null })
    expect(mirror?.scopes).toHaveLength(13)
    expect(mirror?.digest).toMatchObject({ scope: 'items', seq: 2, is_equal: true })
    expect(asked).toEqual(['/copy/feeds/state.json', '/copy/state.json'])
  })

  test('says the feeds that a tree with a whole state.json holds', async () => {
    Object.assign(state, { mirror: { scopes: ['region/UY', 'region/XX'] } })
    expect(await checked()).toMatchObject({ scopes: ['region/UY'], digest: { scope: 'region/UY', is_equal: true } })
  })

  test('says how many changes a mirror lacks and for how long, until it has them', async () => {
    await checked()
    await publishAll(store, [published({ id: 'ci_a', cents: 7, version: 2, regions: ['ES'] })])
    expect((await checked())?.lag).toEqual({ changes: 1, seconds: 5 })
    expect((await checked())?.lag).toEqual({ changes: 1, seconds: 310 })
    state = (await api.inject('/v1/feeds/state.json')).json()
    expect((await checked())?.lag).toEqual({ changes: 0, seconds: 0 })
  })

  test('says that a root is another, that its number is not kept, and that the generation is another', async () => {
    Object.assign(state.digest.scopes.items as object, { state_root: 'ab'.repeat(32) })
    expect((await checked())?.digest).toMatchObject({ seq: 2, state_root: 'ab'.repeat(32), is_equal: false })
    Object.assign(state.digest.scopes.items as object, { seq: 1 })
    expect((await checked())?.digest?.is_equal).toBeNull()
    state = { ...state, gen: 'another' }
    expect(await checked()).toMatchObject({ gen: 'another', lag: { changes: null, seconds: null } })
  })

  test('goes on while the database is away', async () => {
    await checked()
    isAway = true
    expect((await listed())?.lag.changes).toBe(0)
  })
})

describe('a mirror that cannot be read', () => {
  const failing = (reply: (response: ServerResponse) => void) => {
    answer = (_request, response) => reply(response)
  }

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['answers an error', (response) => response.writeHead(503).end(), 'status 503: expected 200'],
    ['sends elsewhere', (response) => response.writeHead(302, { location: '/' }).end(), 'status 302: expected 200'],
    ['breaks off', (response) => response.destroy(), 'it does not answer'],
    [
      'has no state',
      (response) => response.writeHead(404).end(),
      'no state.json: expected the address of an API, or of a copy as plain files',
    ],
    [
      'answers something else',
      (response) => response.end('{"protocol":"<script>"}'),
      'state.json: expected a state of ccm/1',
    ],
    [
      'never ends',
      (response) => response.end('x'.repeat(300_000)),
      'state.json is longer than 262144 bytes: expected fewer',
    ],
  ])('that %s stays as it was last seen, with the error', async (_what, reply, details) => {
    const before = await checked()
    failing(reply)
    const after = await checked()
    expect(after).toEqual({ ...before, last_error: { at: expect.any(String), details } })
  })

  test('within this network is refused, and its address is not shown', async () => {
    expect(await checked([])).toMatchObject({
      gen: null,
      last_error: { details: 'its address is not of the public internet' },
    })
    expect(asked).toEqual([])
  })
})

describe('a check', () => {
  test('is due every five minutes', async () => {
    await checked()
    clock.advance(290_000)
    expect(await check()).toBe(false)
    clock.advance(5_000)
    expect(await check()).toBe(true)
  })

  test('is left to the process that does it now', async () => {
    const other = { name: 'mirrors', holder: 'another', ttlMs: 60_000 }
    await acquireLease(store, other)
    expect([await check(), asked]).toEqual([false, []])
    await releaseLease(store, other)
    expect(await check()).toBe(true)
  })
})
