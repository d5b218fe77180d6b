import { setTimeout as delay } from 'node:timers/promises'
import type { Topic } from '@catalog/core/events/topics.ts'
import type { KafkaClient } from '@catalog/log/kafka/client/client.ts'
import { BATCH_RECORDS_MAX, type EventLog } from '@catalog/log/log.ts'
import { span, traceparent } from '@catalog/runtime/tracing.ts'
import { partitionOf } from './partition.ts'

/** Bytes of one send at most. With its overhead it stays below the broker's 1 MiB (message.max.bytes). */
const SEND_BYTES_MAX = 900_000
/** Kafka adds at most this much to a record's key and value. A trace context, while traces are on, takes 70 more. */
const RECORD_OVERHEAD_BYTES = 64
/** An append waits so long for brokers that do not answer: a restart takes less. */
const OUTAGE_WAIT_MS = 60_000
const OUTAGE_PAUSE_MS = { min: 500, max: 5_000 } as const

/** Appends in the order of the calls, at least once. */
export type KafkaProducer = Readonly<{
  append: EventLog['append']
  /** Waits for pending appends. */
  close(): Promise<void>
}>

export function openProducer(client: KafkaClient, nameOf: (topic: Topic) => string): KafkaProducer {
  /** Repeats work that fails because no broker answers. A repeated send may store its records twice, as the log permits. */
  async function throughOutage<T>(work: () => Promise<T>): Promise<T> {
    const deadlineMs = performance.now() + OUTAGE_WAIT_MS
    for (let waitMs: number = OUTAGE_PAUSE_MS.min; ; waitMs = Math.min(waitMs * 2, OUTAGE_PAUSE_MS.max)) {
      try {
        return await work()
      } catch (error) {
        if (!client.isOutage(error) || performance.now() + waitMs > deadlineMs) throw error
        await delay(waitMs)
      }
    }
  }

  async function send(topic: Topic, events: readonly KeyedEvent[]): Promise<void> {
    const count = await throughOutage(() => client.partitionCount(nameOf(topic)))
    const byPartition = Map.groupBy(events, ({ key }) => partitionOf(key, count))
    const context = traceparent()
    const headers = context === undefined ? {} : { traceparent: context }
    // One send per partition: a client may lose or double the part of one partition in a send to several. Await all of them:
    // the caller retries after a rejection, and no send of this call may arrive after the retry.
    const sends = await Promise.allSettled(
      [...byPartition].map(async ([partition, records]) => {
        for (const part of splitByBytes(records)) {
          await throughOutage(() => client.send({ topic: nameOf(topic), partition, records: part, headers }))
        }
      }),
    )
    const failed = sends.find((result) => result.status === 'rejected')
    if (failed) {
      const again = 'it is safe to run the command again, because what was appended counts once'
      throw new Error(`${nameOf(topic)}: not appended; ${again}`, { cause: failed.reason })
    }
  }

  // Queue the sends of this process: with two at once, a retry of the first could arrive after the second.
  let lastSend: Promise<unknown> = Promise.resolve()
  return {
    append(topic, events) {
      const traced = { kind: 'producer', attributes: { topic, records: events.length } } as const
      const appended = lastSend.then(() =>
        span(`append ${topic}`, traced, async () => {
          for (let start = 0; start < events.length; start += BATCH_RECORDS_MAX) {
            await send(topic, events.slice(start, start + BATCH_RECORDS_MAX))
          }
        }),
      )
      lastSend = appended.catch(() => {})
      return appended
    },
    async close() {
      await lastSend
    },
  }
}

type KeyedEvent = { readonly key: string; readonly value: string }

/** Batches of at most SEND_BYTES_MAX, in order. A larger event goes alone, and the broker accepts or refuses it. */
function splitByBytes(events: readonly KeyedEvent[]): KeyedEvent[][] {
  const parts: KeyedEvent[][] = []
  let bytes = SEND_BYTES_MAX
  for (const event of events) {
    const size = Buffer.byteLength(event.key) + Buffer.byteLength(event.value) + RECORD_OVERHEAD_BYTES
    bytes += size
    if (bytes > SEND_BYTES_MAX) {
      parts.push([])
      bytes = size
    }
    parts.at(-1)?.push(event)
  }
  return parts
}
