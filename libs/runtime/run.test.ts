import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { retrying, sideBySide } from './run.ts'

const untilAborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort')
}

describe('stages side by side', () => {
  test('one fails: the others are stopped and have drained before its error is thrown', async () => {
    const drained: string[] = []
    const stage = async (name: string, signal: AbortSignal) => {
      await untilAborted(signal)
      drained.push(name)
    }
    const running = sideBySide(new AbortController().signal, (signal) => [
      stage('first', signal),
      Promise.reject(new Error('no port')),
      stage('last', signal),
    ])
    await expect(running).rejects.toThrow('no port')
    expect(drained.sort()).toEqual(['first', 'last'])
  })

  test('the signal aborts: all drain, and nothing is thrown', async () => {
    const stopping = new AbortController()
    const running = sideBySide(stopping.signal, (signal) => [untilAborted(signal), untilAborted(signal)])
    stopping.abort()
    await expect(running).resolves.toBeUndefined()
  })
})

describe('work that is tried again', () => {
  test('a failure that is fatal is thrown at once', async () => {
    const waits: number[] = []
    const fatal = new Error('the log ends before the checkpoint')
    const working = retrying(() => Promise.reject(fatal), {
      signal: new AbortController().signal,
      isFatal: (error) => error === fatal,
      onRetry: (_error, waitMs) => waits.push(waitMs),
    })
    await expect(working).rejects.toBe(fatal)
    expect(waits).toEqual([])
  })

  test('the signal aborts during a wait: it ends without a further attempt', async () => {
    const stopping = new AbortController()
    let attempts = 0
    await retrying(
      () => {
        attempts++
        return Promise.reject(new Error('the database restarts'))
      },
      { signal: stopping.signal, isFatal: () => false, onRetry: () => stopping.abort() },
    )
    expect(attempts).toBe(1)
  })
})
