import { expect, test } from 'vitest'
import { watchEventLoop } from './event-loop.ts'

function block(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs; ) {
    // Synchronous work.
  }
}

type Said = { blockedMs: number }
const logTo = (said: Said[]) => ({ warn: (found: unknown) => void said.push(found as Said) })

test('a block of more than a second is logged with its length, once in the quiet time, and shorter ones are not', async () => {
  const [rare, each]: [Said[], Said[]] = [[], []]
  using _rare = watchEventLoop(logTo(rare), { quietMs: 60_000 })
  using _each = watchEventLoop(logTo(each), { quietMs: 0 })
  let short = 0
  const blockShortly = () => {
    block(200)
    return ++short
  }
  await expect.poll(blockShortly).toBe(3)
  expect([...rare, ...each]).toEqual([])
  for (const times of [1, 2]) {
    block(1_300)
    await expect.poll(() => each.length).toBe(times)
  }
  expect(rare).toEqual([{ blockedMs: expect.any(Number) }])
  for (const { blockedMs } of [...rare, ...each]) expect(blockedMs).toBeGreaterThanOrEqual(1_150)
})
