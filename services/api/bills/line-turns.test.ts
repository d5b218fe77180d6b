import { expect, test } from 'vitest'
import { LINES_AT_ONCE, openLineTurns } from './line-turns.ts'

const busy = (ms: number) => {
  for (const endMs = performance.now() + ms; performance.now() < endMs; );
}

test('owners take turns, however many lines one of them has', async () => {
  const turnOf = openLineTurns()
  const order: string[] = []
  const send = (owner: string, lines: number) =>
    Array.from({ length: lines }, () => turnOf(owner)(async () => void order.push(owner)))
  await Promise.all([...send('a', 6), ...send('b', 2), ...send('c', 2)])
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'c', 'a', 'a', 'a'])
})

test('lines leave half of the time, and one turn of the event loop each, to others', async () => {
  const turn = openLineTurns()('a')
  const beganMs = performance.now()
  let others = 0
  const timer = setInterval(() => others++, 1)
  await Promise.all(Array.from({ length: 10 }, () => turn(async () => busy(10))))
  clearInterval(timer)
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(190)
  expect(others).toBeGreaterThanOrEqual(10)
})

test('few lines wait for an answer at one time, and one that fails keeps no place', async () => {
  const turn = openLineTurns()('a')
  let underWay = 0
  let most = 0
  const full = Promise.withResolvers<void>()
  const lines = Array.from({ length: 12 }, (_, i) =>
    turn(async () => {
      most = Math.max(most, ++underWay)
      if (underWay === LINES_AT_ONCE) full.resolve()
      await full.promise
      underWay--
      if (i % 2 === 0) throw new Error('the embedder is away')
    }),
  )
  const ended = await Promise.allSettled(lines)
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(6)
  expect([most, underWay]).toEqual([LINES_AT_ONCE, 0])
})
