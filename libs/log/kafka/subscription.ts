import { setTimeout as delay } from 'node:timers/promises'
import type { Topic } from '@catalog/core/events/topics.ts'
import type { Batch, KafkaClient, KafkaLogger, MemberListener, Membership } from '@catalog/log/kafka/client/client.ts'
import { type EventLog, LogHole, type LogRecord, type Subscription } from '@catalog/log/log.ts'

export type SubscriptionDeps = Readonly<{
  client: Pick<KafkaClient, 'member'>
  nameOf: (topic: Topic) => string
  prefix: string
  log: Pick<EventLog, 'partitions'>
  logger: KafkaLogger | undefined
  sessionTimeoutMs: number
  stallTimeoutMs: number
}>

/** Records of one handler call share the fixed cost of its transaction: ten statements and a commit. */
const HANDLED_RECORDS_MAX = 4_000
/** Handlers of more partitions at once gain nothing on one store. */
const PARTITIONS_AT_ONCE_MAX = 4
/** The group waits this long for a member in the middle of a chunk. */
const REBALANCE_TIMEOUT_MS = 60_000
/** A failed handler gets the same records after this wait, up to the attempts below. Then the caller gets its error. */
const HANDLER_RETRY_MS = 500
const HANDLER_ATTEMPTS_MAX = 3
const PROGRESS_CHECKS_PER_STALL_TIMEOUT = 6

/** The subscriber's position in a partition that this member owns. */
type Place = {
  readonly topic: Topic
  readonly partition: number
  /** The next offset: everything below it was handled. */
  next: bigint
  /** Consecutive reads that met a hole. */
  holes: number
  /** Monotonic time of the last handled record, or of the last check that found none to handle. */
  movedAtMs: number
}

/**
 * Delivers the records of the topics until the signal aborts.
 *
 * Law: the subscriber's position alone says what was handled. Committed offsets are hints, a client's seeks may race its
 * reads, and after an offset out of range it may silently continue elsewhere. So records below the position are dropped, and
 * a hole above it is never skipped.
 *
 * Rejects, and the caller subscribes again, when:
 * - a hole is still there on the second read,
 * - the log ends before the position,
 * - the client gives up,
 * - a handler keeps failing,
 * - no record is handled although there are some.
 */
export async function followTopics(deps: SubscriptionDeps, subscription: Subscription): Promise<void> {
  if (!subscription.signal.aborted) await new GroupMember(deps, subscription).run()
}

class GroupMember implements MemberListener {
  readonly #deps: SubscriptionDeps
  readonly #subscription: Subscription
  readonly #membership: Membership
  readonly #topicOf: ReadonlyMap<string, Topic>
  readonly #stopping = new AbortController()
  readonly #ended = Promise.withResolvers<void>()
  /** The partitions that this member owns now; each join of the group replaces the map. */
  #places = new Map<string, Promise<Place>>()

  constructor(deps: SubscriptionDeps, subscription: Subscription) {
    const { client, nameOf, prefix, sessionTimeoutMs } = deps
    this.#deps = deps
    this.#subscription = subscription
    this.#topicOf = new Map(subscription.topics.map((topic) => [nameOf(topic), topic]))
    this.#membership = client.member(
      {
        group: `${prefix}${subscription.group}`,
        topics: [...this.#topicOf.keys()],
        sessionTimeoutMs,
        rebalanceTimeoutMs: REBALANCE_TIMEOUT_MS,
        partitionsAtOnceMax: PARTITIONS_AT_ONCE_MAX,
      },
      this,
    )
    // It may reject before run() awaits it.
    this.#ended.promise.catch(() => {})
  }

  async run(): Promise<void> {
    const { logger, stallTimeoutMs } = this.#deps
    const { signal } = this.#subscription
    const progressCheck = setInterval(
      () => void this.#checkProgress().catch((error) => logger?.error({ err: error }, 'the progress check failed')),
      stallTimeoutMs / PROGRESS_CHECKS_PER_STALL_TIMEOUT,
    )
    const abort = () => this.#ended.resolve()
    signal.addEventListener('abort', abort)
    try {
      this.#membership.join().catch(this.#ended.reject)
      await this.#ended.promise
    } finally {
      this.#stopping.abort()
      clearInterval(progressCheck)
      signal.removeEventListener('abort', abort)
      await this.#leave()
    }
  }

  /** A stopping process waits for one session at most: the group then drops a member that it does not hear. */
  async #leave(): Promise<void> {
    const left = this.#membership.leave()
    if (!this.#subscription.signal.aborted) return left
    const waiting = new AbortController()
    const late = delay(this.#deps.sessionTimeoutMs, undefined, { signal: waiting.signal }).catch(() => {})
    try {
      await Promise.race([left, late])
    } finally {
      waiting.abort()
    }
  }

  readonly failed = (error: unknown) => this.#ended.reject(error)

  readonly assigned: MemberListener['assigned'] = (partitions) => {
    const owned = new Map<string, Promise<Place>>()
    this.#places = owned
    for (const { topic: name, partition } of partitions) {
      const place = this.#takeOver(this.#topicOf.get(name) as Topic, partition)
      owned.set(`${name}/${partition}`, place)
      // The first read may come before this seek. Therefore batch() compares offsets with the place.
      place.then((place) => this.#places === owned && this.#seek(place)).catch(this.#ended.reject)
    }
  }

  async #takeOver(topic: Topic, partition: number): Promise<Place> {
    const next = await this.#subscription.position(topic, partition)
    return { topic, partition, next, holes: 0, movedAtMs: performance.now() }
  }

  #seek({ topic, partition, next }: Place): void {
    if (this.#stopping.signal.aborted) return
    this.#membership.seek({ topic: this.#deps.nameOf(topic), partition, from: next })
  }

  readonly batch = async ({ topic: name, partition, end, records: read, ...lease }: Batch): Promise<void> => {
    const key = `${name}/${partition}`
    const owned = this.#places.get(key)
    const place = await owned
    const isOurs = () => lease.isCurrent() && !this.#stopping.signal.aborted && this.#places.get(key) === owned
    if (place === undefined || !isOurs()) return
    if (end < place.next) await this.#checkEnd(place)
    for (let start = 0; start < read.length && isOurs(); start += HANDLED_RECORDS_MAX) {
      const chunk = read.slice(start, start + HANDLED_RECORDS_MAX)
      const records = chunk.flatMap((record): LogRecord[] =>
        record.offset < place.next ? [] : [{ topic: place.topic, partition, ...record }],
      )
      if (this.#hasHole(place, records)) return this.#seek(place)
      if (records.length > 0) {
        if (!(await this.#handle(records, isOurs)) || !isOurs()) return
        place.next += BigInt(records.length)
        place.holes = 0
        place.movedAtMs = performance.now()
      }
      await lease.handled(place.next)
    }
  }

  /** True on the first read of a hole, which is then read again. Throws LogHole on the second. */
  #hasHole(place: Place, records: readonly LogRecord[]): boolean {
    const hole = records.findIndex(({ offset }, i) => offset !== place.next + BigInt(i))
    if (hole === -1) return false
    place.holes += 1
    if (place.holes === 1) return true
    const expected = place.next + BigInt(hole)
    const found = records[hole]?.offset
    throw this.#fail(new LogHole(`${this.#nameOf(place)}: expected offset ${expected}, found ${found}, twice in a row`))
  }

  /** False when the records were not handled and the batch must be left. */
  async #handle(records: readonly LogRecord[], isOurs: () => boolean): Promise<boolean> {
    const { topic, partition, offset } = records[0] as LogRecord
    for (let attempt = 1; isOurs(); attempt++) {
      try {
        await this.#subscription.handler(topic, partition, records)
        return true
      } catch (error) {
        if (attempt === HANDLER_ATTEMPTS_MAX) {
          this.#ended.reject(error)
          return false
        }
        this.#deps.logger?.error({ err: error, topic, partition, offset: String(offset) }, 'a handler failed')
        await delay(HANDLER_RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
    return false
  }

  /** Ends the subscription with this error, and returns it to be thrown at the client. */
  #fail(error: Error): Error {
    this.#ended.reject(error)
    return error
  }

  /** Returns the end of the partition. Fails the subscription when it lies before the place: handled records were lost. */
  async #checkEnd(place: Place): Promise<bigint> {
    const { next } = place
    const range = (await this.#deps.log.partitions(place.topic)).find(({ partition }) => partition === place.partition)
    const end = range?.next ?? 0n
    if (end < next) {
      throw this.#fail(new Error(`${this.#nameOf(place)} ends at ${end}, offset ${next - 1n} was handled before`))
    }
    return end
  }

  /** A client can stop silently while its process lives on. Therefore progress is the health check. */
  async #checkProgress(): Promise<void> {
    const { stallTimeoutMs } = this.#deps
    for (const place of await Promise.all(this.#places.values())) {
      const before = place.next
      const isIdle = (await this.#checkEnd(place)) === before
      if (isIdle || place.next !== before) place.movedAtMs = performance.now()
      else if (performance.now() - place.movedAtMs > stallTimeoutMs) {
        this.#fail(new Error(`${this.#nameOf(place)}: nothing handled at offset ${before} in ${stallTimeoutMs} ms`))
      }
    }
  }

  #nameOf({ topic, partition }: Place): string {
    return `${this.#deps.nameOf(topic)}/${partition}`
  }
}
