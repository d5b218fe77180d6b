import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { LogHole, type LogRecord } from '@catalog/log/log.ts'
import type { EachBatchPayload, Kafka } from 'kafkajs'
import { expect, test, vi } from 'vitest'
import { followTopics } from './subscription.ts'

const TOPIC = TOPICS.items

/**
 * A subscription on a fake of the kafkajs API, so that a test chooses the moment of each failure. The log ends at
 * `end`.
 */
async function openSubscription({
  position,
  end = 100n,
  stallTimeoutMs = 60_000,
  handler = async () => {},
}: {
  position: bigint
  end?: bigint
  stallTimeoutMs?: number
  handler?: (records: readonly LogRecord[]) => Promise<void>
}) {
  const listeners = new Map<string, (event: unknown) => void>()
  const stop = new AbortController()
  const handled: bigint[][] = []
  const seeks: string[] = []
  const resolved: string[] = []
  const run = Promise.withResolvers<(payload: EachBatchPayload) => Promise<void>>()
  const disconnect = vi.fn(async () => {})
  const partitions = vi.fn(async () => [{ partition: 0, earliest: 0n, next: end }])
  const consumer = {
    on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    connect: async () => {},
    subscribe: async () => {},
    run: async ({ eachBatch }: { eachBatch: (payload: EachBatchPayload) => Promise<void> }) => run.resolve(eachBatch),
    seek: ({ offset }: { offset: string }) => seeks.push(offset),
    disconnect,
  }
  const ended = followTopics(
    {
      kafka: { consumer: () => consumer } as unknown as Pick<Kafka, 'consumer'>,
      nameOf: (topic: Topic) => topic,
      prefix: '',
      log: { partitions },
      logger: undefined,
      sessionTimeoutMs: 6000,
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
  const eachBatch = await run.promise
  const join = () => listeners.get('consumer.group_join')?.({ payload: { memberAssignment: { [TOPIC]: [0] } } })
  join()
  return {
    ended,
    handled,
    seeks,
    resolved,
    disconnect,
    partitions,
    join,
    stop: () => stop.abort(),
    crash: (error: Error) => listeners.get('consumer.crash')?.({ payload: { error, restart: false } }),
    deliver: (...offsets: number[]) =>
      eachBatch({
        batch: {
          topic: TOPIC,
          partition: 0,
          highWatermark: String(end),
          messages: offsets.map((offset) => ({
            offset: String(offset),
            key: Buffer.from('k'),
            value: Buffer.from('v'),
          })),
        },
        resolveOffset: (offset: string) => resolved.push(offset),
        commitOffsetsIfNecessary: async () => {},
        heartbeat: async () => {},
        isRunning: () => true,
        isStale: () => false,
      } as unknown as EachBatchPayload),
  }
}

test('drops records below the position, whatever kafkajs reads first', async () => {
  const subject = await openSubscription({ position: 5n })
  await subject.deliver(0, 1, 2)
  await subject.deliver(3, 4, 5, 6)
  subject.stop()
  await subject.ended
  expect(subject.handled).toEqual([[5n, 6n]])
  expect(subject.seeks).toEqual(['5'])
})

test('reads a hole again from the position, and ends the subscription when it persists', async () => {
  const subject = await openSubscription({ position: 5n })
  await subject.deliver(7, 8)
  expect(subject.seeks).toEqual(['5', '5'])
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
  subject.join()
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

test('a crash of kafkajs ends the subscription and stops the consumer', async () => {
  const subject = await openSubscription({ position: 0n })
  subject.crash(new Error('crashed'))
  await expect(subject.ended).rejects.toThrow('crashed')
  expect(subject.disconnect).toHaveBeenCalledOnce()
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
