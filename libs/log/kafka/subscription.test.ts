import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import type { MemberListener } from '@catalog/log/kafka/client/client.ts'
import { LogHole, type LogRecord } from '@catalog/log/log.ts'
import { expect, test, vi } from 'vitest'
import { followTopics } from './subscription.ts'

const TOPIC = TOPICS.items

/**
 * A subscription on a fake client, so that a test chooses the moment of each failure. The log ends at `end`.
 */
async function openSubscription({
  position,
  end = 100n,
  stallTimeoutMs = 60_000,
  sessionTimeoutMs = 6_000,
  handler = async () => {},
}: {
  position: bigint
  end?: bigint
  stallTimeoutMs?: number
  sessionTimeoutMs?: number
  handler?: (records: readonly LogRecord[]) => Promise<void>
}) {
  const stop = new AbortController()
  const handled: bigint[][] = []
  const seeks: bigint[] = []
  const resolved: bigint[] = []
  const joined = Promise.withResolvers<MemberListener>()
  const leave = vi.fn(async () => {})
  const partitions = vi.fn(async () => [{ partition: 0, earliest: 0n, next: end }])
  const ended = followTopics(
    {
      client: {
        member: (_options, listener) => ({
          join: async () => joined.resolve(listener),
          seek: ({ from }) => void seeks.push(from),
          leave,
        }),
      },
      nameOf: (topic: Topic) => topic,
      prefix: '',
      log: { partitions },
      logger: undefined,
      sessionTimeoutMs,
      stallTimeoutMs,
    },
    {
      group: 'g',
      topics: [TOPIC],
      position: async () => position,
      handler: async (_topic, _partition, records) => {
        handled.push(records.map(({ offset }) => offset))
        await handler(records)
      },
      signal: stop.signal,
    },
  )
  // Some tests expect a rejection; catch it until they await it.
  ended.catch(() => {})
  const listener = await joined.promise
  const assign = () => listener.assigned([{ topic: TOPIC, partition: 0 }])
  assign()
  return {
    ended,
    handled,
    seeks,
    resolved,
    leave,
    partitions,
    assign,
    stop: () => stop.abort(),
    fail: (error: Error) => listener.failed(error),
    deliver: (...offsets: number[]) =>
      listener.batch({
        topic: TOPIC,
        partition: 0,
        end,
        records: offsets.map((offset) => ({ offset: BigInt(offset), key: 'k', value: 'v' })),
        isCurrent: () => true,
        handled: async (next) => void resolved.push(next),
      }),
  }
}

test('drops records below the position, whatever the client reads first', async () => {
  const subject = await openSubscription({ position: 5n })
  await subject.deliver(0, 1, 2)
  await subject.deliver(3, 4, 5, 6)
  subject.stop()
  await subject.ended
  expect(subject.handled).toEqual([[5n, 6n]])
  expect(subject.seeks).toEqual([5n])
})

test('reads a hole again from the position, and ends the subscription when it persists', async () => {
  const subject = await openSubscription({ position: 5n })
  await subject.deliver(7, 8)
  expect(subject.seeks).toEqual([5n, 5n])
  await expect(subject.deliver(7, 8)).rejects.toThrow()
  await expect(subject.ended).rejects.toThrow('catalog.items/0: expected offset 5, found 7')
  await expect(subject.ended).rejects.toBeInstanceOf(LogHole)
  expect(subject.handled).toEqual([])
  expect(subject.resolved).toEqual([])
})

test('never skips a hole inside a batch', async () => {
  const subject = await openSubscription({ position: 5n })
  await subject.deliver(5, 6, 8)
  await expect(subject.deliver(5, 6, 8)).rejects.toThrow()
  await expect(subject.ended).rejects.toThrow('expected offset 7, found 8')
  expect(subject.handled).toEqual([])
})

test('forgets a hole that is gone on the second read', async () => {
  const subject = await openSubscription({ position: 5n })
  await subject.deliver(7)
  await subject.deliver(5, 6)
  await subject.deliver(9)
  await subject.deliver(7, 8)
  subject.stop()
  await subject.ended
  expect(subject.handled).toEqual([
    [5n, 6n],
    [7n, 8n],
  ])
})

test('resolves no offset of a batch whose partition was reassigned meanwhile', async () => {
  const handling = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const subject = await openSubscription({
    position: 0n,
    handler: async () => {
      begun.resolve()
      await handling.promise
    },
  })
  const many = Array.from({ length: 1500 }, (_, offset) => offset)
  const delivered = subject.deliver(...many)
  await begun.promise
  subject.assign()
  handling.resolve()
  await delivered
  subject.stop()
  await subject.ended
  expect(subject.handled).toHaveLength(1)
  expect(subject.resolved).toEqual([])
})

test('retries a throwing handler with the same records, then rejects with its error', async () => {
  const refusal = new Error('refused')
  const subject = await openSubscription({
    position: 0n,
    handler: async () => {
      throw refusal
    },
  })
  await subject.deliver(0, 1)
  await expect(subject.ended).rejects.toBe(refusal)
  expect(subject.handled).toEqual(Array.from({ length: 3 }, () => [0n, 1n]))
  expect(subject.resolved).toEqual([])
})

test('a failure of the client ends the subscription, and the member leaves', async () => {
  const subject = await openSubscription({ position: 0n })
  subject.fail(new Error('crashed'))
  await expect(subject.ended).rejects.toThrow('crashed')
  expect(subject.leave).toHaveBeenCalledOnce()
})

test('a stopping process waits one session for a member that cannot leave', async () => {
  const subject = await openSubscription({ position: 0n, sessionTimeoutMs: 60 })
  subject.leave.mockReturnValue(new Promise(() => {}))
  subject.stop()
  await subject.ended
  expect(subject.leave).toHaveBeenCalledOnce()
})

test('a partition that makes no progress on its records ends the subscription', async () => {
  const subject = await openSubscription({ position: 5n, end: 6n, stallTimeoutMs: 60 })
  await expect(subject.ended).rejects.toThrow('catalog.items/0: nothing handled at offset 5')
})

test('a partition without new records may stay idle', async () => {
  const subject = await openSubscription({ position: 5n, end: 5n, stallTimeoutMs: 60 })
  const checks = () => subject.partitions.mock.calls.length
  await vi.waitFor(() => expect(checks()).toBeGreaterThan(12), { timeout: 10_000 })
  subject.stop()
  await subject.ended
})

test('a log that ends before the position ends the subscription', async () => {
  const subject = await openSubscription({ position: 9n, end: 5n })
  await expect(subject.deliver(3, 4)).rejects.toThrow()
  await expect(subject.ended).rejects.toThrow('catalog.items/0 ends at 5, offset 8 was handled before')
})
