import { publishAll, testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeEach, expect, test } from 'vitest'

/** state.json?wait, through the whole API. */
const clock = testClock()
const store = await storeOfFile()
const api = closedAfterAll(testApi(store, clock))
let version = 0
let etag: string
beforeEach(async () => {
  await publishOne()
  etag = String((await get('state.json')).headers.etag)
})

const get = (url: string, headers: Record<string, string> = {}) => api.inject({ url: `/v1/feeds/${url}`, headers })
async function publishOne(): Promise<void> {
  version += 1
  await publishAll(store, [published({ id: 'ci_a', cents: version, version })])
  clock.advance(1_000)
}
/** Begins a wait and lets it reach the server. */
async function wait(seconds: number) {
  let isOver = false
  const answer = get(`state.json?wait=${seconds}`, { 'if-none-match': etag }).finally(() => {
    isOver = true
  })
  // An answer that need not wait overtakes this one only when it waits.
  await get('state.json', { 'if-none-match': etag })
  await get('state.json', { 'if-none-match': etag })
  return { answer, isOver: () => isOver }
}

test('the state comes as soon as it changes', async () => {
  const { answer, isOver } = await wait(30)
  expect(isOver()).toBe(false)
  await publishOne()
  const { statusCode, headers, body } = await answer
  expect(statusCode).toBe(200)
  expect(headers.etag).not.toBe(etag)
  expect(JSON.parse(body).scopes.items.head).toBe(version)
})

test('304 comes after so many seconds, also when another reader was answered so before', async () => {
  for (let round = 0; round < 2; round++) {
    const { answer, isOver } = await wait(20)
    clock.advance(19_000)
    expect(isOver()).toBe(false)
    clock.advance(1_000)
    const { statusCode, headers } = await answer
    expect([statusCode, headers.etag]).toEqual([304, etag])
  }
})

test('a caller without the present state has it at once', async () => {
  expect((await get('state.json?wait=30')).statusCode).toBe(200)
  expect((await get('state.json?wait=30', { 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test.each(['0', '31', 'x', ''])('wait=%s is refused', async (seconds) => {
  const { statusCode, body } = await get(`state.json?wait=${seconds}`)
  expect([statusCode, JSON.parse(body).error]).toEqual([400, 'invalid_parameter'])
})

test('a wait counts as one revalidation', async () => {
  const before = Number((await get('state.json', { 'if-none-match': etag })).headers['x-ratelimit-remaining'])
  const answer = get('state.json?wait=2', { 'if-none-match': etag })
  await get('state.json', { 'if-none-match': etag })
  clock.advance(2_000)
  await answer
  const after = Number((await get('state.json', { 'if-none-match': etag })).headers['x-ratelimit-remaining'])
  expect(before - after).toBe(3)
})

test('a server that drains answers those who wait', async () => {
  const draining = testApi(store, clock)
  const waited = draining.inject({ url: '/v1/feeds/state.json?wait=30', headers: { 'if-none-match': etag } })
  await draining.inject('/v1/feeds/state.json')
  draining.drain()
  expect((await waited).statusCode).toBe(304)
  await draining.close()
})
