import { type Fetched, type Place, READ_BYTES_MAX } from '@catalog/log/kafka/client/client.ts'
import { throughFailover } from '@catalog/log/kafka/client/retry.ts'
import type { PartitionRange } from '@catalog/log/log.ts'
import { type Cluster, type Kafka, PartitionAssigners } from 'kafkajs'
import { RETRY } from './connection.ts'
import { type KafkajsRecord, recordOf } from './records.ts'

export type OpenCluster = {
  /** Runs the work, and retries it with fresh metadata of the topic's leaders. Throws the error of the last attempt. */
  request<T>(work: (cluster: Cluster) => T | Promise<T>, topic?: string): Promise<T>
  close(): Promise<void>
}

/**
 * The brokers, for reads at any offset. kafkajs reads only as a group member: joining takes seconds, single records cannot
 * be requested, and an offset out of range is reset silently. It does pass its typed Cluster to partition assigners, so
 * this consumer never joins, and lends its cluster.
 */
export async function openCluster(kafka: Kafka): Promise<OpenCluster> {
  const lent = Promise.withResolvers<Cluster>()
  const lender = kafka.consumer({
    groupId: 'never joined',
    partitionAssigners: [
      (given) => {
        lent.resolve(given.cluster)
        return PartitionAssigners.roundRobin(given)
      },
    ],
    allowAutoTopicCreation: false,
    readUncommitted: true,
    retry: RETRY,
  })
  const cluster = await lent.promise
  let closed = false
  const open: OpenCluster = {
    request(work, topic) {
      return throughFailover(
        async (attempt) => {
          if (closed) throw new Error('the log is closed')
          if (!cluster.isConnected()) await lender.connect()
          if (attempt > 0) await cluster.refreshMetadata()
          if (topic !== undefined) {
            await cluster.addMultipleTargetTopics([topic])
            await cluster.refreshMetadataIfNecessary()
          }
          return await work(cluster)
        },
        (error) => {
          const { name, host, port } = error as { name: string; host: string; port: number }
          if (name === 'KafkaJSConnectionClosedError') cluster.removeBroker({ host, port })
          return closed
        },
      )
    },
    close() {
      closed = true
      return lender.disconnect()
    },
  }
  return open
}

export async function rangesOf(cluster: Cluster, topic: string): Promise<PartitionRange[]> {
  const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ partition: partitionId }))
  if (partitions.length === 0) throw new Error(`${topic}: the brokers report no partitions`)
  const offsets = async (fromBeginning: boolean) => {
    const [answer] = await cluster.fetchTopicsOffset([{ topic, partitions, fromBeginning }])
    return new Map(answer?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]))
  }
  const [earliest, next] = await Promise.all([offsets(true), offsets(false)])
  return partitions
    .map(({ partition }) => ({
      partition,
      earliest: earliest.get(partition) as bigint,
      next: next.get(partition) as bigint,
    }))
    .sort((a, b) => a.partition - b.partition)
}

/** Reads without waiting and without checking the order of offsets. */
async function fetchFrom(cluster: Cluster, { topic, partition, from }: Place): Promise<Fetched | 'out of range'> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))
  if (nodeId === undefined) throw new Error(`${topic} partition ${partition} has no leader`)
  const broker = await cluster.findBroker({ nodeId })
  try {
    const { responses } = (await broker.fetch({
      // Read uncommitted: our topics have no transactions, and a hanging one must not block reads.
      isolationLevel: 0,
      maxWaitTime: 0,
      minBytes: 0,
      maxBytes: READ_BYTES_MAX,
      topics: [{ topic, partitions: [{ partition, fetchOffset: String(from), maxBytes: READ_BYTES_MAX }] }],
    })) as FetchResponse
    const answer = responses[0]?.partitions[0]
    if (answer === undefined) throw new Error(`${topic} partition ${partition}: the response of the broker is empty`)
    const records = answer.messages
      .filter(({ isControlRecord, offset }) => !isControlRecord && BigInt(offset) >= from)
      .map(recordOf)
    return { end: BigInt(answer.highWatermark), records }
  } catch (error) {
    if ((error as Error).name === 'KafkaJSOffsetOutOfRange') return 'out of range'
    throw error
  }
}

const lastFetches = new WeakMap<Cluster, Promise<unknown>>()
/**
 * Reads from the leader of the partition, one fetch per client at a time. kafkajs opens one connection for fetches; several
 * first fetches at once would each open one, and those it forgets keep the process alive.
 */
export function fetchInOrder(cluster: Cluster, place: Place): Promise<Fetched | 'out of range'> {
  const fetched = (lastFetches.get(cluster) ?? Promise.resolve()).then(() => fetchFrom(cluster, place))
  lastFetches.set(
    cluster,
    fetched.catch(() => {}),
  )
  return fetched
}

/** The part of kafkajs' fetch response that is used here; kafkajs types it as any. */
type FetchResponse = Readonly<{
  responses: readonly {
    partitions: readonly {
      highWatermark: string
      messages: readonly (KafkajsRecord & { isControlRecord: boolean })[]
    }[]
  }[]
}>
