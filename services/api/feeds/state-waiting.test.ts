import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStateWaiting, STATE_WAITERS_MAX } from './state-waiting.ts'

/** Waits for another version of the feeds, on a clock that the test moves. */
let seq: number
let reads: number
let failure: Error | undefined
let isDraining: boolean
let waiting: ReturnType<typeof openStateWaiting>
beforeEach(() => {
  vi.useFakeTimers()
  seq = 1
  reads = 0
  failure = undefined
  isDraining = false
  const get = async () => {
    reads += 1
    if (failure !== undefined) throw failure
    return { gen: 'g', seq: BigInt(seq), bulk: '', floors: '' } as unknown as CatalogVersion
  }
  waiting = openStateWaiting({
    catalogVersion: { get, peek: () => undefined },
    now: () => new Date(),
    isDraining: () => isDraining,
  })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Begins to wait; `answer()` is undefined until it is over. */
async function begin({ seconds = 20, gone = new AbortController().signal } = {}) {
  let answer: boolean | undefined
  const version = await waiting.version()
  const waited = waiting.changed({ version, deadlineMs: Date.now() + seconds * 1000, gone })
  void waited.then((isChanged) => {
    answer = isChanged
  })
  await vi.advanceTimersByTimeAsync(0)
  return () => answer
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

test('a change ends all waits soon', async () => {
  const answers = [await begin(), await begin()]
  await pass(5)
  expect(answers.map((answer) => answer())).toEqual([undefined, undefined])
  seq = 2
  await pass(0.5)
  expect(answers.map((answer) => answer())).toEqual([true, true])
})

test('each wait ends at its own deadline, and the store is read once for all of them', async () => {
  const [short, long] = [await begin({ seconds: 2 }), await begin({ seconds: 20 })]
  const before = reads
  await pass(2)
  expect([short(), long()]).toEqual([false, undefined])
  expect(reads - before).toBeLessThanOrEqual(10)
  await pass(18)
  expect(long()).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('a wait outlives a store that is away for a moment', async () => {
  const answer = await begin()
  failure = new Error('away')
  await pass(5)
  failure = undefined
  seq = 2
  await pass(0.5)
  expect(answer()).toBe(true)
})

test('a reader that leaves frees its place at once', async () => {
  const leaving = new AbortController()
  const answer = await begin({ gone: leaving.signal })
  leaving.abort()
  await pass(0)
  expect(answer()).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('a server that drains ends the waits and begins none', async () => {
  const answer = await begin()
  isDraining = true
  await pass(0.2)
  expect(answer()).toBe(false)
  expect((await begin())()).toBe(false)
})

test('beyond the limit nobody waits', async () => {
  const answers = []
  for (let i = 0; i < STATE_WAITERS_MAX; i++) answers.push(await begin())
  expect((await begin())()).toBe(false)
  expect(answers.every((answer) => answer() === undefined)).toBe(true)
})
