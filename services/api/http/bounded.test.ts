import type { Store } from '@catalog/store/db.ts'
import { expect, test, vi } from 'vitest'
import { boundedStore } from './bounded.ts'

/** Creates a store whose statements end only when the test releases them. */
function slowStore() {
  const ends: (() => void)[] = []
  const store = {
    kind: 'embedded',
    query: () => new Promise((resolve) => ends.push(() => resolve([{ a: 1 }]))),
    transaction: () => new Promise((resolve) => ends.push(() => resolve('done'))),
  } as unknown as Store
  return { store, ends }
}

test('a result or an error that arrives in time is passed on', async () => {
  const { store, ends } = slowStore()
  const bounded = boundedStore(store, { answerMs: 1_000, waitingMax: 10 })
  const [rows, work] = [bounded.query('select'), bounded.transaction(async () => 'done')]
  for (const end of ends) end()
  expect([await rows, await work]).toEqual([[{ a: 1 }], 'done'])
  const failing = boundedStore({ ...store, query: async () => Promise.reject(new Error('no such table')) })
  await expect(failing.query('select')).rejects.toThrow('no such table')
})

test('an operation beyond the time limit fails as store_unavailable with Retry-After', async () => {
  vi.useFakeTimers()
  try {
    const { store } = slowStore()
    const bounded = boundedStore(store)
    const late = expect(bounded.query('select')).rejects.toMatchObject({
      code: 'store_unavailable',
      retryAfterSeconds: 5,
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await late
  } finally {
    vi.useRealTimers()
  }
})

test('no work starts while too much is waiting, and abandoned work counts until it ends', async () => {
  const { store, ends } = slowStore()
  const bounded = boundedStore(store, { answerMs: 5, waitingMax: 2 })
  const refused = { code: 'store_unavailable', retryAfterSeconds: 5 }
  await Promise.all([1, 2].map(() => expect(bounded.query('select')).rejects.toMatchObject(refused)))
  await expect(bounded.query('select')).rejects.toMatchObject(refused)
  await expect(bounded.transaction(async () => 1)).rejects.toMatchObject(refused)
  expect(ends).toHaveLength(2)
  ends[0]?.()
  await expect
    .poll(async () => {
      const begun = ends.length
      await bounded.query('select').catch(() => {})
      return ends.length - begun
    })
    .toBe(1)
})
