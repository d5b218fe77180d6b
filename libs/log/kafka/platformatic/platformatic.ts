import {
  type KafkaClient,
  type KafkaClientOptions,
  type NewTopic,
  READ_BYTES_MAX,
  SEND_TIMEOUT_MS,
  type Sending,
} from '@catalog/log/kafka/client/client.ts'
import { throughFailover } from '@catalog/log/kafka/client/retry.ts'
import {
  Admin,
  type Base,
  type BaseOptions,
  ConfigResourceTypes,
  ProduceAcks,
  Producer,
  stringSerializers,
} from '@platformatic/kafka'
import { connectionTo, explained, isFinal, isOutage, says } from './connection.ts'
import { PlatformaticMembership } from './membership.ts'
import { Reader } from './reader.ts'

/** A client by @platformatic/kafka 2.12, for Kafka 3.5 or later by its makers. */
export async function openPlatformatic(options: KafkaClientOptions): Promise<KafkaClient> {
  const admin = new Admin(connectionTo(options))
  const producer = openProducer(connectionTo(options))
  const reader = new Reader(options)
  const metadata = (topics: string[], { fresh = true } = {}) =>
    repeated(admin, () => admin.metadata({ topics, forceUpdate: fresh }))
  const partitionsOf = async (topic: string, { fresh }: { fresh: boolean }) => {
    const partitions = (await metadata([topic], { fresh })).topics.get(topic)?.partitions ?? []
    if (partitions.length === 0) throw new Error(`${topic}: the brokers report no partitions`)
    return partitions
  }
  return {
    clusterId: async () => (await metadata([])).id,
    brokerCount: async () => (await metadata([])).brokers.size,
    topicNames: async () => new Set(await repeated(admin, () => admin.listTopics())),
    createTopic: (topic) => repeated(admin, () => createTopic(admin, topic)),
    async describeTopic(topic) {
      const partitions = await partitionsOf(topic, { fresh: true })
      return partitions.map(({ leader, replicas }, partition) => ({ partition, leader, copies: replicas.length }))
    },
    async settings(topics, names) {
      const resources = topics.map((resourceName) => ({
        resourceType: ConfigResourceTypes.TOPIC,
        resourceName,
        configurationKeys: [...names],
      }))
      const described = await repeated(admin, () => admin.describeConfigs({ resources }))
      return new Map(
        described.map(({ resourceName, configs }) => [
          resourceName,
          Object.fromEntries(configs.map(({ name, value }) => [name, value ?? ''])),
        ]),
      )
    },
    partitionCount: async (topic) => (await partitionsOf(topic, { fresh: false })).length,
    ranges: (topic) => reader.ranges(topic),
    fetch: (place) => reader.fetch(place, { waitMs: 0, bytesMax: READ_BYTES_MAX }),
    send: (sending) => repeated(producer, () => send(producer, sending)),
    isOutage,
    member: (member, listener) => new PlatformaticMembership(options, member, listener),
    async [Symbol.asyncDispose]() {
      await Promise.all([admin.close(), producer.close(true), reader.close()])
    },
  }
}

/**
 * Not idempotent, as with kafkajs: a send that failed has another identity when the caller repeats it, so the log may hold
 * records twice either way.
 */
function openProducer(connection: BaseOptions) {
  return new Producer({
    ...connection,
    timeout: SEND_TIMEOUT_MS,
    idempotent: false,
    // Its default is the leader alone.
    acks: ProduceAcks.ALL,
    serializers: stringSerializers,
  })
}

async function send(
  producer: ReturnType<typeof openProducer>,
  { topic, partition, records, headers }: Sending,
): Promise<void> {
  await producer.send({
    acks: ProduceAcks.ALL,
    messages: records.map(({ key, value }) => ({ topic, partition, key, value, headers: { ...headers } })),
  })
}

async function createTopic(admin: Admin, { name, partitions, replicas, settings }: NewTopic): Promise<boolean> {
  const configs = Object.entries(settings).map(([name, value]) => ({ name, value }))
  try {
    await admin.createTopics({ topics: [name], partitions, replicas, configs })
    return true
  } catch (error) {
    if (says(error, 'TOPIC_ALREADY_EXISTS')) return false
    throw error
  }
}

/** Repeats a request through a fail-over, each time with fresh metadata. */
async function repeated<T>(client: Base<BaseOptions>, work: () => Promise<T>): Promise<T> {
  try {
    return await throughFailover(
      (attempt) => {
        if (attempt > 0) client.clearMetadata()
        return work()
      },
      (error) => client.closed || isFinal(error),
    )
  } catch (error) {
    throw explained(error)
  }
}
