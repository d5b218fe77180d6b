import type { Topic } from '@catalog/core/events/topics.ts'
import { type Kafka, Partitioners, type PartitionMetadata } from 'kafkajs'
import { RETRY } from './kafka-client.ts'
import { BATCH_RECORDS_MAX, type EventLog } from './log.ts'

/** Bytes of one send at most. With its overhead it stays below the broker's 1 MiB (message.max.bytes). */
const SEND_BYTES_MAX = 900_000
/** Kafka adds at most this much to a record's key and value. */
const RECORD_OVERHEAD_BYTES = 64
const SEND_TIMEOUT_MS = 30_000

/** Appends in the order of the calls, at least once. */
export type KafkaProducer = Readonly<{
  append: EventLog['append']
  /** Waits for pending appends, then disconnects. */
  close(): Promise<void>
}>

type Topics = Readonly<{
  nameOf: (topic: Topic) => string
  partitionsOf: (topic: Topic) => Promise<PartitionMetadata[]>
}>

export async function openProducer(kafka: Kafka, { nameOf, partitionsOf }: Topics): Promise<KafkaProducer> {
  // Not idempotent: kafkajs reuses the sequence numbers of a failed send for the next, different one. The broker takes
  // that for a duplicate, and acknowledges it without storing it.
  const producer = kafka.producer({
    idempotent: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    retry: RETRY,
  })
  await producer.connect()
  const choosePartition = Partitioners.DefaultPartitioner()

  async function send(topic: Topic, events: readonly KeyedEvent[]): Promise<void> {
    const partitionMetadata = await partitionsOf(topic)
    const byPartition = Map.groupBy(events, (message) =>
      choosePartition({ topic: nameOf(topic), partitionMetadata, message: { ...message } }),
    )
    // One send per partition: in a send to several leaders, kafkajs can drop and acknowledge the part of a leader that
    // died. Await all of them: the caller retries after a rejection, and no send of this call may arrive after the retry.
    const sends = await Promise.allSettled(
      [...byPartition].map(async ([partition, messages]) => {
        for (const part of splitByBytes(messages)) {
          const sent = part.map(({ key, value }) => ({ key, value, partition }))
          await producer.send({ topic: nameOf(topic), acks: -1, timeout: SEND_TIMEOUT_MS, messages: sent })
        }
      }),
    )
    const failed = sends.find((result) => result.status === 'rejected')
    if (failed) throw new Error(`${nameOf(topic)}: not appended`, { cause: failed.reason })
  }

  // Queue the sends of this process: with two at once, a retry of the first could arrive after the second.
  let lastSend: Promise<unknown> = Promise.resolve()
  return {
    append(topic, events) {
      const appended = lastSend.then(async () => {
        for (let start = 0; start < events.length; start += BATCH_RECORDS_MAX) {
          await send(topic, events.slice(start, start + BATCH_RECORDS_MAX))
        }
      })
      lastSend = appended.catch(() => {})
      return appended
    },
    async close() {
      await lastSend
      await producer.disconnect()
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
