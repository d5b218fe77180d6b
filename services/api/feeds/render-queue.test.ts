import { expect, test } from 'vitest'
import { finished, inSlices, renderQueue, SLICE_CHANGES, type Steps } from './render-queue.ts'

const LONG = SLICE_CHANGES + 1

function* counted(steps: number, seen: string[], name: string): Steps<number> {
  for (let i = 0; i < steps; i++) {
    seen.push(name)
    yield
  }
  return steps
}

/** Resolves after so many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('steps give the same result with pauses and without', async () => {
  for (const steps of [0, 1, SLICE_CHANGES, 3 * SLICE_CHANGES + 1]) {
    expect(finished(counted(steps, [], 'a'))).toBe(steps)
    expect(await inSlices(counted(steps, [], 'a'))).toBe(steps)
  }
})

test('long work takes turns in order, others get the event loop between slices, and short work does not queue', async () => {
  const queue = renderQueue()
  const seen: string[] = []
  const long = ['a', 'b'].map((name) => queue.run(LONG, () => inSlices(counted(3 * SLICE_CHANGES, seen, name))))
  const short = queue.run(SLICE_CHANGES, async () => seen.push('short'))
  await turns(2)
  seen.push('other')
  await Promise.all([...long, short])
  const order = seen.filter((name, i) => name !== seen[i - 1])
  expect(order).toEqual(['short', 'a', 'other', 'a', 'b'])
})

test('works of one slice each leave the event loop a turn between them', async () => {
  const queue = renderQueue()
  let turn = 0
  let isTicking = true
  const tick = () => {
    turn++
    if (isTicking) setImmediate(tick)
  }
  setImmediate(tick)
  const ranAt = await Promise.all([1, 2, 3].map(() => queue.run(LONG, async () => turn)))
  isTicking = false
  expect(new Set(ranAt).size).toBe(3)
})

test('a failure ends its own turn alone', async () => {
  const queue = renderQueue()
  const failing = queue.run(LONG, async () => {
    throw new Error('broken')
  })
  const next = queue.run(LONG, async () => 'rendered')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('rendered')
})

test('a full queue refuses long work, and takes it again once some of it was done', async () => {
  const queue = renderQueue(2)
  const waiting = [1, 2].map((n) => queue.run(LONG, async () => n))
  await expect(queue.run(LONG, async () => 3)).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 5 })
  expect(await queue.run(1, async () => 4)).toBe(4)
  expect(await Promise.all(waiting)).toEqual([1, 2])
  expect(await queue.run(LONG, async () => 5)).toBe(5)
})
