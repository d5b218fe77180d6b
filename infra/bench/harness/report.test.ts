import { expect, test } from 'vitest'
import { interleaved } from './report.ts'

test.each([
  ['a whole measurement', false, 4],
  ['a brief one', true, 2],
])('given %s, then every task runs in turn, and its warm-up does not count', async (_, isBrief, runs) => {
  const order: string[] = []
  const task = (name: string) => () => {
    order.push(name)
    return order.length <= 2 ? 1_000 : 1
  }
  const ms = await interleaved({ ours: task('ours'), peer: task('peer') }, { isBrief })
  expect(order).toEqual(Array.from({ length: runs }, () => ['ours', 'peer']).flat())
  expect(ms).toEqual({ ours: 1, peer: 1 })
})
