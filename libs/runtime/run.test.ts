import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { atMostOnceAMinute, retryForever, runConcurrently } from './run.ts'

const untilAborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort')
}

describe('concurrent stages', () => {
  test('a failure stops the others, which drain before it is thrown', async () => {
    const drained: string[] = []
    const stage = async (name: string, signal: AbortSignal) => {
      await untilAborted(signal)
      drained.push(name)
    }
    const running = runConcurrently(new AbortController().signal, (signal) => [
      stage('first', signal),
      Promise.reject(new Error('no port')),
      stage('last', signal),
    ])
    await expect(running).rejects.toThrow('no port')
    expect(drained.sort()).toEqual(['first', 'last'])
  })

  test('an abort drains all without an error', async () => {
    const stopping = new AbortController()
    const running = runConcurrently(stopping.signal, (signal) => [untilAborted(signal), untilAborted(signal)])
    stopping.abort()
    await expect(running).resolves.toBeUndefined()
  })
})

describe('retried work', () => {
  test('throws a fatal failure at once', async () => {
    const waits: number[] = []
    const fatal = new Error('the log ends before the checkpoint')
    const working = retryForever(() => Promise.reject(fatal), {
      signal: new AbortController().signal,
      isFatal: (error) => error === fatal,
      onRetry: (_error, waitMs) => waits.push(waitMs),
    })
    await expect(working).rejects.toBe(fatal)
    expect(waits).toEqual([])
  })

  test('ends without another attempt when the signal aborts during a delay', async () => {
    const stopping = new AbortController()
    let attempts = 0
    await retryForever(
      () => {
        attempts++
        return Promise.reject(new Error('the database restarts'))
      },
      { signal: stopping.signal, isFatal: () => false, onRetry: () => stopping.abort() },
    )
    expect(attempts).toBe(1)
  })

  test('never waits longer than its bound, however long the outage lasts', async () => {
    const stopping = new AbortController()
    const waits: number[] = []
    await retryForever(() => Promise.reject(new Error('the database is away')), {
      signal: stopping.signal,
      isFatal: () => false,
      onRetry(_error, waitMs) {
        waits.push(waitMs)
        if (waits.length === 4) stopping.abort()
      },
      waitMsMax: 3,
    })
    expect(waits).toEqual([3, 3, 3, 3])
  })
})

test('an outage is said at once, and then once a minute at most', () => {
  let nowMs = 5
  const said: number[] = []
  const say = atMostOnceAMinute(
    (at: number) => said.push(at),
    () => nowMs,
  )
  for (; nowMs < 130_000; nowMs += 5_000) say(nowMs)
  expect(said).toEqual([5, 60_005, 120_005])
})
