import { OBSERVATION_PARTITIONS, TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { fetchInOrder, openCluster, rangesOf } from '@catalog/log/kafka/kafkajs/cluster.ts'
import {
  CONNECT_RETRY,
  GROUP_RETRY,
  type KafkaClientOptions,
  kafkaClient,
} from '@catalog/log/kafka/kafkajs/connection.ts'
import type { EventLog, LogRecord } from '@catalog/log/log.ts'
import { openProducer } from './producer.ts'
import { followTopics } from './subscription.ts'
import { prepareTopics, topicRisks } from './topics.ts'

export type KafkaLogOptions = KafkaClientOptions &
  Readonly<{
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
 * The log in Kafka 2.1 or later, by kafkajs 2.2.4. Creates missing topics unless told otherwise, and refuses one that is
 * compacted, expires records, or has the wrong partitions. Appends at least once: a send whose acknowledgement is lost is
 * repeated in order, so the log may hold a record twice.
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<EventLog> {
  const { prefix = '', logger, observationPartitions = OBSERVATION_PARTITIONS } = options
  const { sessionTimeoutMs = SESSION_TIMEOUT_MS, stallTimeoutMs = STALL_TIMEOUT_MS } = options
  const kafka = kafkaClient(options, CONNECT_RETRY)
  const nameOf = (topic: Topic) => `${prefix}${topic}`
  await prepareTopics(
    kafka,
    [
      { name: nameOf(TOPICS.observations), partitions: observationPartitions, fixed: false },
      { name: nameOf(TOPICS.decisions), partitions: 1, fixed: true },
      { name: nameOf(TOPICS.items), partitions: 1, fixed: true },
    ],
    { creates: options.createsTopics ?? true },
  )
  const cluster = await openCluster(kafka, Object.values(TOPICS).map(nameOf))
  const partitionsOf = (topic: Topic) =>
    cluster.request((given) => {
      const partitionMetadata = given.findTopicPartitionMetadata(nameOf(topic))
      if (partitionMetadata.length === 0) throw new Error(`${nameOf(topic)}: the brokers report no partitions`)
      return partitionMetadata
    })

  const producer = await openProducer(kafka, { nameOf, partitionsOf })

  const log: EventLog = {
    async identity() {
      const { clusterId } = (await cluster.request((given) => given.metadata())) as unknown as { clusterId: string }
      return `${clusterId}/${prefix}`
    },
    risks: () => topicRisks(kafka, Object.values(TOPICS).map(nameOf)),
    async partitions(topic) {
      return cluster.request((given) => rangesOf(given, nameOf(topic)))
    },
    append: producer.append,
    async read(topic, partition, from, max) {
      const fetched = await cluster.request((given) => fetchInOrder(given, { name: nameOf(topic), partition, from }))
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
      followTopics(
        { kafka: kafkaClient(options, GROUP_RETRY), nameOf, prefix, log, logger, sessionTimeoutMs, stallTimeoutMs },
        subscription,
      ),
    async [Symbol.asyncDispose]() {
      // Pending appends still need the cluster.
      await producer.close()
      await cluster.close()
    },
  }
  return log
}
