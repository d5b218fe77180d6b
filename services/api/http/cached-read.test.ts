import { DAY_MS } from '@catalog/core/time.ts'
import { expect, test, vi } from 'vitest'
import { cachedRead } from './cached-read.ts'

const AGE_MAX_MS = 200

function opened(ageMaxMs = AGE_MAX_MS) {
  let nowMs = 1_000
  const reads: PromiseWithResolvers<number>[] = []
  const read = vi.fn(() => {
    const reading = Promise.withResolvers<number>()
    reads.push(reading)
    return reading.promise
  })
  const value = cachedRead(read, { ageMaxMs, now: () => new Date(nowMs) })
  const advance = (ms: number) => {
    nowMs += ms
  }
  /** Ends the read of this number. */
  const end = async (index: number, found: number | Error) => {
    if (found instanceof Error) reads[index]?.reject(found)
    else reads[index]?.resolve(found)
    await reads[index]?.promise.catch(() => {})
  }
  return { value, read, advance, end }
}

test('a value in use is read again before it expires, and nobody waits', async () => {
  const { value, read, advance, end } = opened()
  const first = value.get()
  await end(0, 1)
  expect(await first).toBe(1)
  advance(149)
  expect([value.peek(), read.mock.calls.length]).toEqual([1, 1])
  advance(1)
  expect([value.peek(), value.peek(), await value.get(), read.mock.calls.length]).toEqual([1, 1, 1, 2])
  await end(1, 2)
  expect([value.peek(), await value.get()]).toEqual([2, 2])
  // Its age counts from the begin of its read.
  advance(AGE_MAX_MS - 1)
  expect(value.peek()).toBe(2)
  advance(1)
  expect(value.peek()).toBeUndefined()
})

test('no value is served beyond its age, whatever becomes of the read beside the requests', async () => {
  for (const late of [3, new Error('away')]) {
    const { value, advance, end } = opened()
    const first = value.get()
    await end(0, 1)
    await first
    advance(160)
    expect(value.peek()).toBe(1)
    advance(40)
    expect(value.peek()).toBeUndefined()
    const again = value.get()
    await end(2, 2)
    expect(await again).toBe(2)
    // The read that began earlier ends later.
    await end(1, late)
    expect([value.peek(), await value.get()]).toEqual([2, 2])
  }
})

test('an unused value is not read', async () => {
  const { value, read, advance, end } = opened()
  const first = value.get()
  await end(0, 1)
  await first
  advance(10_000)
  expect([value.peek(), read.mock.calls.length]).toEqual([undefined, 1])
})

test('a value without a limit of age is read once, also after the clock was set back a day', async () => {
  const { value, read, advance, end } = opened(Number.POSITIVE_INFINITY)
  const first = value.get()
  await end(0, 1)
  await first
  advance(-DAY_MS)
  expect([await value.get(), value.peek(), read.mock.calls.length]).toEqual([1, 1, 1])
})
