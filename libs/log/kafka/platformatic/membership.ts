import {
  HEARTBEATS_PER_SESSION,
  type KafkaClientOptions,
  MEMBER_FETCH,
  type MemberListener,
  type MemberOptions,
  type Membership,
  type Place,
} from '@catalog/log/kafka/client/client.ts'
import { GROUP_RETRIES, waitMsOf } from '@catalog/log/kafka/client/retry.ts'
import { Consumer, type GroupAssignment } from '@platformatic/kafka'
import { connectionTo, explained } from './connection.ts'
import { Reader } from './reader.ts'

/** The name by which kafkajs offers the same assignment: members of both clients may share a group. */
const ASSIGNMENT = { name: 'RoundRobinAssigner', version: 0 }
/** A join is answered when the group has settled, and a little later. */
const REQUEST_GRACE_MS = 5_000

/** A partition that this member owns, since one join of the group. */
type Cursor = { readonly topic: string; readonly partition: number; next: bigint }

/**
 * A member of a group that reads each of its partitions by itself, from the offsets that its listener seeks. The library's own
 * streams are not used: they begin where the group or a fallback says.
 */
export class PlatformaticMembership implements Membership {
  readonly #client: KafkaClientOptions
  readonly #options: MemberOptions
  readonly #listener: MemberListener
  readonly #consumer: Consumer
  readonly #turns: Turns
  /** By partition, for as long as this member owns it. */
  readonly #readers = new Map<string, Reader>()
  /** By partition; each join of the group replaces the map. */
  #cursors = new Map<string, Cursor | null>()
  #joining: Promise<unknown> | undefined
  #leaving = false

  constructor(client: KafkaClientOptions, options: MemberOptions, listener: MemberListener) {
    const { group, sessionTimeoutMs, rebalanceTimeoutMs } = options
    this.#client = client
    this.#options = options
    this.#listener = listener
    this.#turns = new Turns(options.partitionsAtOnceMax)
    this.#consumer = new Consumer({
      ...connectionTo(client),
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: rebalanceTimeoutMs,
      heartbeatInterval: sessionTimeoutMs / HEARTBEATS_PER_SESSION,
      heartbeatStallTimeout: sessionTimeoutMs,
      requestTimeout: rebalanceTimeoutMs + REQUEST_GRACE_MS,
      retries: GROUP_RETRIES,
      retryDelay: (_client, _operation, attempt) => waitMsOf(attempt - 1),
      protocols: [ASSIGNMENT],
    })
    this.#consumer.on('consumer:group:join', ({ assignments }) => this.#assign(assignments ?? []))
    this.#consumer.on('consumer:heartbeat:stalled', ({ lastError }) =>
      listener.failed(new Error(`no heartbeat was answered in ${sessionTimeoutMs} ms`, { cause: lastError })),
    )
    this.#consumer.on('error', (error) => listener.failed(explained(error)))
  }

  async join(): Promise<void> {
    this.#consumer.topics.trackAll(...this.#options.topics)
    const joining = this.#consumer.joinGroup({})
    this.#joining = joining
    await joining.catch((error: unknown) => {
      throw explained(error)
    })
  }

  #assign(assignments: readonly GroupAssignment[]): void {
    if (this.#leaving) return
    const partitions = assignments.flatMap(({ topic, partitions }) =>
      partitions.map((partition) => ({ topic, partition })),
    )
    this.#cursors = new Map(partitions.map((owned) => [keyOf(owned), null]))
    for (const [key, reader] of this.#readers) {
      if (this.#cursors.has(key)) continue
      this.#readers.delete(key)
      void reader.close().catch(() => {})
    }
    this.#listener.assigned(partitions)
  }

  seek({ topic, partition, from }: Place): void {
    const key = keyOf({ topic, partition })
    const cursor = this.#cursors.get(key)
    if (cursor === undefined) return
    if (cursor !== null) {
      cursor.next = from
      return
    }
    const begun = { topic, partition, next: from }
    this.#cursors.set(key, begun)
    void this.#read(key, begun)
  }

  /** Reads and delivers until the group joins anew or this member leaves. */
  async #read(key: string, cursor: Cursor): Promise<void> {
    const { topic, partition } = cursor
    const isCurrent = () => this.#cursors.get(key) === cursor
    const reader = this.#readers.get(key) ?? new Reader(this.#client)
    this.#readers.set(key, reader)
    try {
      while (isCurrent()) {
        const fetched = await fetchNearest(reader, { topic, partition, from: cursor.next })
        if (!isCurrent() || (fetched.records.length === 0 && fetched.end >= cursor.next)) continue
        await this.#turns.take(() =>
          this.#listener.batch({
            topic,
            partition,
            ...fetched,
            isCurrent,
            handled: async (next) => {
              cursor.next = next
              if (this.#consumer.isActive()) this.#commit({ topic, partition, from: next })
            },
          }),
        )
      }
    } catch (error) {
      if (isCurrent()) this.#listener.failed(error)
    }
  }

  #commit({ topic, partition, from }: Place): void {
    const offsets = [{ topic, partition, offset: from, leaderEpoch: -1 }]
    void this.#consumer.commit({ offsets }).catch(() => {})
  }

  async leave(): Promise<void> {
    this.#leaving = true
    this.#cursors = new Map()
    // A member that joins after it left would keep its partitions.
    await this.#joining?.catch(() => {})
    await Promise.all([...this.#readers.values()].map((reader) => reader.close()))
    await this.#consumer.close(true)
  }
}

const keyOf = ({ topic, partition }: Pick<Place, 'topic' | 'partition'>) => `${topic}/${partition}`

/**
 * The records from here on. Where the partition begins later, from its beginning: the listener sees the hole. Where it ends
 * before, none: the listener sees the end.
 */
async function fetchNearest(reader: Reader, place: Place) {
  const bounds = { waitMs: MEMBER_FETCH.waitMs, bytesMax: MEMBER_FETCH.partitionBytesMax }
  const fetched = await reader.fetch(place, bounds)
  if (fetched !== 'out of range') return fetched
  const range = (await reader.ranges(place.topic)).find(({ partition }) => partition === place.partition)
  const { earliest = 0n, next = 0n } = range ?? {}
  if (next < place.from) return { end: next, records: [] }
  const nearest = await reader.fetch({ ...place, from: earliest }, bounds)
  return nearest === 'out of range' ? { end: place.from, records: [] } : nearest
}

/** Lets so much work run at once; the rest waits in order. */
class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(free: number) {
    this.#free = free
  }

  async take(work: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
