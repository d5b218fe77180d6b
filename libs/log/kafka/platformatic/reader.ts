import type { Fetched, FetchedRecord, KafkaClientOptions, Place } from '@catalog/log/kafka/client/client.ts'
import { throughFailover } from '@catalog/log/kafka/client/retry.ts'
import type { PartitionRange } from '@catalog/log/log.ts'
import { Consumer, ListOffsetTimestamps, type RecordsBatch } from '@platformatic/kafka'
import { connectionTo, explained, isFinal, says } from './connection.ts'

export type FetchBounds = Readonly<{ waitMs: number; bytesMax: number }>

/** Bit of a batch's attributes: it holds marks of transactions, not records. */
const IS_CONTROL = 0b10_0000

/**
 * Reads partitions at any offset, by a consumer that never joins a group. One fetch at a time: a broker answers the requests
 * of a connection in order, and numbers the fetches of its session.
 */
export class Reader {
  readonly #consumer: Consumer
  #lastFetch: Promise<unknown> = Promise.resolve()

  constructor(options: KafkaClientOptions) {
    this.#consumer = new Consumer({ ...connectionTo(options), groupId: 'never-joined' })
  }

  ranges(topic: string): Promise<readonly PartitionRange[]> {
    return this.#request(async () => {
      const offsets = async (timestamp: bigint) =>
        (await this.#consumer.listOffsets({ topics: [topic], timestamp, isolationLevel: 0 })).get(topic) ?? []
      const earliest = await offsets(ListOffsetTimestamps.EARLIEST)
      const next = await offsets(ListOffsetTimestamps.LATEST)
      return earliest.map((first, partition) => ({ partition, earliest: first, next: next[partition] as bigint }))
    })
  }

  fetch(place: Place, bounds: FetchBounds): Promise<Fetched | 'out of range'> {
    const fetched = this.#lastFetch.then(() => this.#request(() => this.#fetch(place, bounds)))
    this.#lastFetch = fetched.catch(() => {})
    return fetched
  }

  async #fetch(
    { topic, partition, from }: Place,
    { waitMs, bytesMax }: FetchBounds,
  ): Promise<Fetched | 'out of range'> {
    const consumer = this.#consumer
    // A fetch refreshes the leaders of the topics that its consumer tracks.
    if (!consumer.topics.has(topic)) consumer.topics.track(topic)
    const found = (await consumer.metadata({ topics: [topic] })).topics.get(topic)
    const state = found?.partitions[partition]
    if (found === undefined || state === undefined)
      throw new Error(`${topic} partition ${partition}: no such partition`)
    const wanted = {
      partition,
      fetchOffset: from,
      partitionMaxBytes: bytesMax,
      currentLeaderEpoch: -1,
      lastFetchedEpoch: -1,
    }
    try {
      const { responses } = await consumer.fetch({
        node: state.leader,
        // Read uncommitted: our topics have no transactions, and a hanging one must not block reads.
        isolationLevel: 0,
        maxWaitTime: waitMs,
        minBytes: waitMs === 0 ? 0 : 1,
        maxBytes: bytesMax,
        topics: [{ topicId: found.id, partitions: [wanted] }],
      })
      const answer = responses
        .find(({ topicId }) => topicId === found.id)
        ?.partitions.find(({ partitionIndex }) => partitionIndex === partition)
      // A session leaves out partitions where nothing changed: there are no records from here on.
      return answer === undefined ? { end: from, records: [] } : fetchedFrom(answer, from)
    } catch (error) {
      if (says(error, 'OFFSET_OUT_OF_RANGE')) return 'out of range'
      throw error
    }
  }

  async #request<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await throughFailover(
        (attempt) => {
          if (attempt > 0) this.#consumer.clearMetadata()
          return work()
        },
        (error) => this.#consumer.closed || isFinal(error),
      )
    } catch (error) {
      throw explained(error)
    }
  }

  close(): Promise<void> {
    return this.#consumer.close(true)
  }
}

type Answer = Readonly<{ highWatermark: bigint; records?: RecordsBatch[] | null }>

function fetchedFrom({ highWatermark, records }: Answer, from: bigint): Fetched {
  const batches = (records ?? []).filter(({ attributes }) => (attributes & IS_CONTROL) === 0)
  return { end: highWatermark, records: batches.flatMap(recordsOf).filter(({ offset }) => offset >= from) }
}

function recordsOf({ firstOffset, records }: RecordsBatch): FetchedRecord[] {
  return records.map(({ offsetDelta, key, value, headers }) => {
    const record = { offset: firstOffset + BigInt(offsetDelta), key: String(key ?? ''), value: String(value ?? '') }
    const traceparent = headers.find(([name]) => String(name) === 'traceparent')?.[1]
    return traceparent == null ? record : { ...record, traceparent: String(traceparent) }
  })
}
