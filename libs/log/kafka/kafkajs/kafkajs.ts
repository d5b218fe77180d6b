import {
  CREATE_TIMEOUT_MS,
  type KafkaClient,
  type KafkaClientOptions,
  SEND_TIMEOUT_MS,
} from '@catalog/log/kafka/client/client.ts'
import kafkajs, { type Admin, type Kafka, Partitioners } from 'kafkajs'
import { fetchInOrder, openCluster, rangesOf } from './cluster.ts'
import { CONNECT_RETRY, connectionTo, GROUP_RETRY, RETRY } from './connection.ts'
import { KafkajsMembership } from './membership.ts'

/** A client by kafkajs 2.2.4, for Kafka 2.1 or later. */
export async function openKafkajs(options: KafkaClientOptions): Promise<KafkaClient> {
  const kafka = connectionTo(options, CONNECT_RETRY)
  const cluster = await openCluster(kafka)
  // Not idempotent: kafkajs reuses the sequence numbers of a failed send for the next, different one. The broker takes
  // that for a duplicate, and acknowledges it without storing it.
  const producer = kafka.producer({
    idempotent: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    retry: RETRY,
  })
  await producer.connect()
  const { withAdmin, disconnectAdmin } = lazyAdmin(kafka)
  return {
    clusterId: async () =>
      ((await cluster.request((given) => given.metadata())) as unknown as { clusterId: string }).clusterId,
    brokerCount: async () => (await cluster.request((given) => given.metadata())).brokers.length,
    async topicNames() {
      const { topicMetadata } = await cluster.request((given) => given.metadata())
      return new Set(topicMetadata.map(({ topic }) => topic))
    },
    createTopic: ({ name, partitions, replicas, settings }) =>
      withAdmin((admin) =>
        admin.createTopics({
          topics: [
            {
              topic: name,
              numPartitions: partitions,
              replicationFactor: replicas,
              configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
            },
          ],
          // It waits as well, but fails when a broker does not know the topic yet.
          waitForLeaders: false,
          timeout: CREATE_TIMEOUT_MS,
        }),
      ),
    describeTopic: (topic) =>
      withAdmin(async (admin) => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
        const partitions = topics[0]?.partitions ?? []
        return partitions
          .map(({ partitionId, leader, replicas }) => ({ partition: partitionId, leader, copies: replicas.length }))
          .sort((a, b) => a.partition - b.partition)
      }),
    settings: (topics, names) =>
      withAdmin(async (admin) => {
        const { resources } = await admin.describeConfigs({
          includeSynonyms: false,
          resources: topics.map((name) => ({
            type: kafkajs.ConfigResourceTypes.TOPIC,
            name,
            configNames: [...names],
          })),
        })
        return new Map(
          resources.map(({ resourceName, configEntries }) => [
            resourceName,
            Object.fromEntries(configEntries.map(({ configName, configValue }) => [configName, configValue])),
          ]),
        )
      }),
    partitionCount: (topic) =>
      cluster.request((given) => {
        const count = given.findTopicPartitionMetadata(topic).length
        if (count === 0) throw new Error(`${topic}: the brokers report no partitions`)
        return count
      }, topic),
    ranges: (topic) => cluster.request((given) => rangesOf(given, topic), topic),
    fetch: (place) => cluster.request((given) => fetchInOrder(given, place), place.topic),
    // In a send to several leaders, kafkajs can drop and acknowledge the part of a leader that died.
    async send({ topic, partition, records, headers }) {
      const messages = records.map(({ key, value }) => ({ key, value, partition, headers }))
      await producer.send({ topic, acks: -1, timeout: SEND_TIMEOUT_MS, messages })
    },
    isOutage,
    member: (member, listener) => new KafkajsMembership(connectionTo(options, GROUP_RETRY), member, listener),
    async [Symbol.asyncDispose]() {
      await disconnectAdmin()
      await producer.disconnect()
      await cluster.close()
    },
  }
}

/** Connects at first use. */
function lazyAdmin(kafka: Kafka) {
  let connected: Promise<Admin> | undefined
  const connect = async () => {
    const admin = kafka.admin({ retry: RETRY })
    await admin.connect()
    return admin
  }
  return {
    async withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
      connected ??= connect()
      return work(await connected)
    },
    async disconnectAdmin(): Promise<void> {
      await (await connected?.catch(() => undefined))?.disconnect()
    },
  }
}

/** kafkajs wraps the error that says so. */
function isOutage(error: unknown): boolean {
  const { name = '', retriable, cause } = error as { name?: string; retriable?: boolean; cause?: unknown }
  return (
    retriable === true ||
    /^KafkaJS(Connection|RequestTimeout|BrokerNotFound|Metadata)/.test(name) ||
    (cause != null && isOutage(cause))
  )
}
