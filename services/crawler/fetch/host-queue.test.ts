import { expect, test } from 'vitest'
import { type Clock, HostQueue, QueueFull } from './host-queue.ts'

/** A clock that jumps to the next wake-up once all pending work has run. */
function manualClock(): Clock & { run: () => Promise<void> } {
  let nowMs = 0
  const sleepers: { atMs: number; wake: () => void }[] = []
  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { atMs: nowMs + ms, wake: resolve }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', () => {
          if (sleepers.includes(sleeper)) sleepers.splice(sleepers.indexOf(sleeper), 1)
          reject(signal.reason)
        })
      }),
    async run() {
      for (;;) {
        await new Promise(setImmediate)
        const next = sleepers.toSorted((a, b) => a.atMs - b.atMs)[0]
        if (next === undefined) return
        sleepers.splice(sleepers.indexOf(next), 1)
        nowMs = Math.max(nowMs, next.atMs)
        next.wake()
      }
    },
  }
}
const POLITENESS = { atOnce: 2, perSecond: 1, waitingMax: 100 }

test('grants slots evenly spaced, in the order of the requests', async () => {
  const clock = manualClock()
  const queue = new HostQueue({ ...POLITENESS, perSecond: 4 }, clock)
  const begun: [number, number][] = []
  for (let n = 0; n < 5; n++) {
    void queue.acquire('shop').then((slot) => {
      begun.push([n, clock.now()])
      slot[Symbol.dispose]()
    })
  }
  await clock.run()
  expect(begun).toEqual([[0, 0], [1, 250], [2, 500], [3, 750], [4, 1000]]) // biome-ignore format: a table
})

test('shares the rate of a host with other processes, and keeps its own where nobody can tell', async () => {
  // given: the turns of a host, which two queues take, and a third that cannot reach them
  const clock = manualClock()
  let nextMs = 0
  const takeTurn = async ({ intervalMs }: { intervalMs: number }) => {
    const turnMs = Math.max(nextMs, clock.now())
    nextMs = turnMs + intervalMs
    return turnMs - clock.now()
  }
  const away = async () => Promise.reject(new Error('the store is away'))
  const begun: [string, number][] = []
  for (const [name, take] of [
    ['one', takeTurn],
    ['two', takeTurn],
    ['alone', away],
  ] as const) {
    // biome-ignore format: a table
    const queue = new HostQueue({ ...POLITENESS, perSecond: 4 }, clock, take)
    for (let n = 0; n < 3; n++) {
      void queue.acquire('shop').then((slot) => {
        begun.push([name, clock.now()])
        slot[Symbol.dispose]()
      })
    }
  }
  // when
  await clock.run()
  // then
  const shared = begun.filter(([name]) => name !== 'alone').map(([, atMs]) => atMs)
  expect(shared).toEqual([0, 250, 500, 750, 1000, 1250])
  expect(begun.filter(([name]) => name === 'alone').map(([, atMs]) => atMs)).toEqual([0, 250, 500])
})

test('lets a turn pass when the host asks for a pause meanwhile', async () => {
  const clock = manualClock()
  const queue: HostQueue = new HostQueue(POLITENESS, clock, async () => {
    if (clock.now() < 1_000) queue.pauseUntil('shop', 5_000)
    return 0
  })
  const begunMs: number[] = []
  void queue.acquire('shop').then(() => begunMs.push(clock.now()))
  await clock.run()
  expect(begunMs).toEqual([5_000])
})

test('grants a limited number of slots at once, and a freed one to the next request', async () => {
  const clock = manualClock()
  const queue = new HostQueue(POLITENESS, clock)
  const held: Disposable[] = []
  for (let n = 0; n < 4; n++) void queue.acquire('shop').then((slot) => held.push(slot))
  await clock.run()
  expect(held).toHaveLength(2)
  held[0]?.[Symbol.dispose]()
  // A second dispose must not free a second slot.
  held[0]?.[Symbol.dispose]()
  await clock.run()
  expect(held).toHaveLength(3)
})

test('makes no host wait for another', async () => {
  const clock = manualClock()
  const queue = new HostQueue({ ...POLITENESS, atOnce: 1 }, clock)
  await queue.acquire('shop')
  await queue.acquire('other')
  expect(clock.now()).toBe(0)
})

test('pauses a host, also for waiting requests', async () => {
  const clock = manualClock()
  const queue = new HostQueue(POLITENESS, clock)
  const first = await queue.acquire('shop')
  const begun: number[] = []
  void queue.acquire('shop').then(() => begun.push(clock.now()))
  await new Promise(setImmediate)
  queue.pauseUntil('shop', 30_000)
  first[Symbol.dispose]()
  await clock.run()
  expect(begun).toEqual([30_000])
})

test('replaces the rate by a longer crawl-delay', async () => {
  const clock = manualClock()
  const queue = new HostQueue(POLITENESS, clock)
  queue.setIntervalMs('shop', 5_000)
  queue.setIntervalMs('other', 10)
  const begun: number[] = []
  for (const host of ['shop', 'shop', 'other', 'other']) void queue.acquire(host).then(() => begun.push(clock.now()))
  await clock.run()
  expect(begun).toEqual([0, 0, 1_000, 5_000])
})

test('lets an aborted request leave the queue, and the others keep their order', async () => {
  const clock = manualClock()
  const queue = new HostQueue(POLITENESS, clock)
  await queue.acquire('shop')
  const giving = new AbortController()
  const given = queue.acquire('shop', giving.signal)
  giving.abort(new Error('enough'))
  await expect(given).rejects.toThrow('enough')
  const next = queue.acquire('shop')
  await clock.run()
  await next
  expect(clock.now()).toBe(1_000)
})

test('refuses a request when the queue is full', async () => {
  const queue = new HostQueue({ ...POLITENESS, waitingMax: 1 }, manualClock())
  await queue.acquire('shop')
  void queue.acquire('shop')
  await expect(queue.acquire('shop')).rejects.toThrow(new QueueFull('1 requests wait for shop, expected fewer than 1'))
})
