import { OBSERVATION_PARTITIONS, TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import type { KafkaClient, KafkaClientName, KafkaClientOptions } from '@catalog/log/kafka/client/client.ts'
import type { EventLog, LogRecord } from '@catalog/log/log.ts'
import { openProducer } from './producer.ts'
import { followTopics } from './subscription.ts'
import { prepareTopics, topicRisks } from './topics.ts'

export type KafkaLogOptions = KafkaClientOptions &
  Readonly<{
    /** By default platformatic (decision 0048). */
    client?: KafkaClientName
    /** Applies when the topic is created; an existing topic keeps its own count. */
    observationPartitions?: number
    /** Whether missing topics are made (default): false where records of them are known. */
    createsTopics?: boolean
    /** A group member that is silent for this long loses its partitions to the others. */
    sessionTimeoutMs?: number
    /** A subscription rejects when its partition has records and it has handled none for this long. */
    stallTimeoutMs?: number
  }>

const SESSION_TIMEOUT_MS = 30_000
const STALL_TIMEOUT_MS = 60_000

/**
 * The log in Kafka. Creates missing topics unless told otherwise, and refuses one that is compacted, expires records, or has
 * the wrong partitions. Appends at least once: a send whose acknowledgement is lost is repeated in order, so the log may hold
 * a record twice.
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<EventLog> {
  const client = await openClient(options)
  try {
    return await openLog(client, options)
  } catch (error) {
    await client[Symbol.asyncDispose]()
    throw error
  }
}

/** Loads the library that is used alone. */
async function openClient(options: KafkaLogOptions): Promise<KafkaClient> {
  if (options.client === 'kafkajs') {
    const { openKafkajs } = await import('@catalog/log/kafka/kafkajs/kafkajs.ts')
    return openKafkajs(options)
  }
  const { openPlatformatic } = await import('@catalog/log/kafka/platformatic/platformatic.ts')
  return openPlatformatic(options)
}

async function openLog(client: KafkaClient, options: KafkaLogOptions): Promise<EventLog> {
  const { prefix = '', logger, observationPartitions = OBSERVATION_PARTITIONS } = options
  const { sessionTimeoutMs = SESSION_TIMEOUT_MS, stallTimeoutMs = STALL_TIMEOUT_MS } = options
  const nameOf = (topic: Topic) => `${prefix}${topic}`
  await prepareTopics(
    client,
    [
      { name: nameOf(TOPICS.observations), partitions: observationPartitions, fixed: false },
      { name: nameOf(TOPICS.decisions), partitions: 1, fixed: true },
      { name: nameOf(TOPICS.items), partitions: 1, fixed: true },
    ],
    { creates: options.createsTopics ?? true },
  )
  const producer = openProducer(client, nameOf)

  const log: EventLog = {
    identity: async () => `${await client.clusterId()}/${prefix}`,
    risks: () => topicRisks(client, Object.values(TOPICS).map(nameOf)),
    partitions: (topic) => client.ranges(nameOf(topic)),
    append: producer.append,
    async read(topic, partition, from, max) {
      const fetched = await client.fetch({ topic: nameOf(topic), partition, from })
      const where = `${nameOf(topic)} partition ${partition}`
      if (fetched === 'out of range') {
        const range = (await log.partitions(topic)).find((range) => range.partition === partition)
        if (range === undefined) throw new Error(`${where}: no such partition`)
        if (from < range.earliest) throw new Error(`${where} begins at ${range.earliest}, offset ${from} is needed`)
        return []
      }
      const records = fetched.records.slice(0, max).map((record): LogRecord => ({ topic, partition, ...record }))
      const wrong = records.findIndex(({ offset }, i) => offset !== from + BigInt(i))
      const found = records[wrong]?.offset ?? 'nothing'
      if (wrong !== -1 || (records.length === 0 && max > 0 && from < fetched.end)) {
        throw new Error(`${where}: expected offset ${from + BigInt(Math.max(wrong, 0))}, found ${found}`)
      }
      return records
    },
    subscribe: (subscription) =>
      followTopics({ client, nameOf, prefix, log, logger, sessionTimeoutMs, stallTimeoutMs }, subscription),
    async [Symbol.asyncDispose]() {
      // Pending appends still need the client.
      await producer.close()
      await client[Symbol.asyncDispose]()
    },
  }
  return log
}
