import {
  HEARTBEATS_PER_SESSION,
  MEMBER_FETCH,
  type MemberListener,
  type MemberOptions,
  type Membership,
  type Place,
} from '@catalog/log/kafka/client/client.ts'
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import { GROUP_RETRY } from './connection.ts'
import { recordOf } from './records.ts'

/** A kafkajs consumer. Its committed offsets are hints, and its seeks race its reads. */
export class KafkajsMembership implements Membership {
  readonly #consumer: Consumer
  readonly #options: MemberOptions
  readonly #listener: MemberListener
  #running: Promise<void> | undefined
  #leaving = false

  constructor(kafka: Kafka, options: MemberOptions, listener: MemberListener) {
    const { group, sessionTimeoutMs, rebalanceTimeoutMs } = options
    this.#options = options
    this.#listener = listener
    this.#consumer = kafka.consumer({
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: sessionTimeoutMs / HEARTBEATS_PER_SESSION,
      rebalanceTimeout: rebalanceTimeoutMs,
      maxWaitTimeInMs: MEMBER_FETCH.waitMs,
      maxBytesPerPartition: MEMBER_FETCH.partitionBytesMax,
      maxBytes: MEMBER_FETCH.bytesMax,
      allowAutoTopicCreation: false,
      readUncommitted: true,
      // The caller alone restarts: a consumer that kafkajs restarts while it leaves would stay a member that handles
      // nothing.
      retry: { ...GROUP_RETRY, restartOnFailure: async () => false },
    })
    this.#consumer.on('consumer.group_join', ({ payload }) =>
      listener.assigned(
        Object.entries(payload.memberAssignment as Record<string, number[]>).flatMap(([topic, partitions]) =>
          partitions.map((partition) => ({ topic, partition })),
        ),
      ),
    )
    this.#consumer.on('consumer.crash', ({ payload }) => listener.failed(payload.error))
  }

  join(): Promise<void> {
    this.#running = (async () => {
      await this.#consumer.connect()
      await this.#consumer.subscribe({ topics: [...this.#options.topics], fromBeginning: true })
      await this.#consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.#options.partitionsAtOnceMax,
        eachBatch: (payload) => this.#deliver(payload),
      })
    })()
    return this.#running
  }

  #deliver({ batch, resolveOffset, commitOffsetsIfNecessary, heartbeat, ...state }: EachBatchPayload): Promise<void> {
    const { topic, partition } = batch
    return this.#listener.batch({
      topic,
      partition,
      end: BigInt(batch.highWatermark),
      records: batch.messages.map(recordOf),
      isCurrent: () => state.isRunning() && !state.isStale(),
      handled: async (next) => {
        resolveOffset(String(next - 1n))
        const partitions = [{ partition, offset: String(next) }]
        await commitOffsetsIfNecessary({ topics: [{ topic, partitions }] }).catch(() => {})
        // kafkajs checks whether one is due only here.
        await heartbeat()
      },
    })
  }

  seek({ topic, partition, from }: Place): void {
    if (!this.#leaving) this.#consumer.seek({ topic, partition, offset: String(from) })
  }

  async leave(): Promise<void> {
    this.#leaving = true
    // Await the join: a kafkajs consumer stopped while it joins still becomes a member, and keeps its partitions.
    await this.#running?.catch(() => {})
    await this.#consumer.disconnect()
  }
}
