import { setTimeout as delay } from 'node:timers/promises'
import type { Topic } from '@catalog/core/events/topics.ts'
import type { EachBatchPayload, Kafka } from 'kafkajs'
import type { KafkaLogger } from './kafka.ts'
import { type EventLog, LogHole, type LogRecord, type Subscription } from './log.ts'

/** What a subscription needs of its log. */
export type Following = Readonly<{
  kafka: Pick<Kafka, 'consumer'>
  nameOf: (topic: Topic) => string
  prefix: string
  log: Pick<EventLog, 'partitions'>
  logger: KafkaLogger | undefined
  sessionTimeoutMs: number
  stallTimeoutMs: number
}>

/** Records of one call of the handler: its transaction's fixed cost, ten statements and a commit, is shared by so many. */
const HANDLED_RECORDS_MAX = 4_000
/** Partitions whose handlers run at once; more gain nothing on one store. */
const PARTITIONS_AT_ONCE_MAX = 4
/** kafkajs looks at its clock only between chunks. */
const HEARTBEATS_PER_SESSION = 10
/** How long the group waits for a member that is in the middle of a chunk. */
const REBALANCE_TIMEOUT_MS = 60_000
const FETCH_WAIT_MS = 250
const FETCH_PARTITION_BYTES_MAX = 4_194_304
const FETCH_BYTES_MAX = 8_388_608
/** Some 6 s: then the subscription rejects, and the caller subscribes again. */
const RETRY = { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 2_000, retries: 6 } as const
/** A handler that failed gets the same records after this wait, and so often in all; then its error is the caller's. */
const HANDLER_RETRY_MS = 500
const HANDLER_ATTEMPTS_MAX = 3
/** Looks at progress in one stall timeout. */
const WATCHES_PER_STALL = 6

/** Where the subscriber stands in a partition that this member has taken over. */
type Place = {
  readonly topic: Topic
  readonly partition: number
  /** The offset that comes next: everything below it was handled. */
  next: bigint
  /** Holes met in a row. */
  gaps: number
  /** When a record was last handled or there was none to handle, by the monotonic clock. */
  movedAtMs: number
}

/**
 * Delivers the records of the topics until the signal aborts.
 *
 * kafkajs decides only when a member reads, never what counts as handled: its committed offsets are hints, its seeks
 * race its reads, and after an offset out of range it goes on somewhere else without a word. So the position is asked
 * from the subscriber, records below it are dropped, and a hole above it is never stepped over. It rejects when that
 * hole is still there after a second look, when the log ends before the position, when kafkajs gives up, when a handler
 * keeps failing, and when nothing moves although there are records; the caller subscribes again.
 */
export async function followTopics(
  { kafka, nameOf, prefix, log, logger, sessionTimeoutMs, stallTimeoutMs }: Following,
  { group, topics, position, handler, signal }: Subscription,
): Promise<void> {
  if (signal.aborted) return
  const consumer = kafka.consumer({
    groupId: `${prefix}${group}`,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: sessionTimeoutMs / HEARTBEATS_PER_SESSION,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    maxBytesPerPartition: FETCH_PARTITION_BYTES_MAX,
    maxBytes: FETCH_BYTES_MAX,
    allowAutoTopicCreation: false,
    readUncommitted: true,
    // One supervisor: a consumer that kafkajs restarts while we stop it would go on as a member that handles nothing.
    retry: { ...RETRY, restartOnFailure: async () => false },
  })
  const topicOf = new Map(topics.map((topic) => [nameOf(topic), topic]))
  const stopping = new AbortController()
  const ended = Promise.withResolvers<void>()
  // It may end before anybody waits for the end.
  ended.promise.catch(() => {})
  /** The places of the partitions that this member has now; each join of the group makes them anew. */
  let places = new Map<string, Promise<Place>>()

  consumer.on('consumer.group_join', ({ payload: { memberAssignment } }) => {
    const taken = new Map<string, Promise<Place>>()
    places = taken
    for (const [name, partitions] of Object.entries(memberAssignment)) {
      for (const partition of partitions) {
        const place = takeOver(topicOf.get(name) as Topic, partition)
        taken.set(`${name}/${partition}`, place)
        // The first read may come before this seek: that is why records are compared with the place, here and below.
        place.then((place) => places === taken && seek(place)).catch(ended.reject)
      }
    }
  })
  consumer.on('consumer.crash', ({ payload }) => ended.reject(payload.error))

  async function takeOver(topic: Topic, partition: number): Promise<Place> {
    return { topic, partition, next: await position(topic, partition), gaps: 0, movedAtMs: performance.now() }
  }

  function seek({ topic, partition, next }: Place): void {
    if (!stopping.signal.aborted) consumer.seek({ topic: nameOf(topic), partition, offset: String(next) })
  }

  async function eachBatch({ batch, resolveOffset, heartbeat, ...kafkajs }: EachBatchPayload): Promise<void> {
    const key = `${batch.topic}/${batch.partition}`
    const taken = places.get(key)
    const place = await taken
    const isOurs = () =>
      kafkajs.isRunning() && !kafkajs.isStale() && !stopping.signal.aborted && places.get(key) === taken
    if (place === undefined || !isOurs()) return
    const { topic, partition } = place
    if (BigInt(batch.highWatermark) < place.next) await checkEnd(place)
    for (let start = 0; start < batch.messages.length && isOurs(); start += HANDLED_RECORDS_MAX) {
      const messages = batch.messages.slice(start, start + HANDLED_RECORDS_MAX)
      const records = messages
        .map(({ offset, key, value }): LogRecord => {
          return { topic, partition, offset: BigInt(offset), key: String(key ?? ''), value: String(value ?? '') }
        })
        .filter(({ offset }) => offset >= place.next)
      const hole = records.findIndex(({ offset }, i) => offset !== place.next + BigInt(i))
      if (hole !== -1) {
        place.gaps += 1
        if (place.gaps === 1) return seek(place)
        const expected = place.next + BigInt(hole)
        const found = records[hole]?.offset
        throw failed(new LogHole(`${key}: expected offset ${expected}, found ${found}, twice in a row`))
      }
      if (records.length > 0) {
        if (!(await handle(records, isOurs)) || !isOurs()) return
        place.next += BigInt(records.length)
        place.gaps = 0
        place.movedAtMs = performance.now()
      }
      resolveOffset(messages.at(-1)?.offset as string)
      // A hint for the next member, after the handler and never instead of its own position.
      const partitions = [{ partition, offset: String(place.next) }]
      await kafkajs.commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] }).catch(() => {})
      await heartbeat()
    }
  }

  /** False when the records were not handled and the batch must be left. */
  async function handle(records: readonly LogRecord[], isOurs: () => boolean): Promise<boolean> {
    const { topic, partition } = records[0] as LogRecord
    for (let attempt = 1; isOurs(); attempt++) {
      try {
        await handler(topic, partition, records)
        return true
      } catch (error) {
        if (attempt === HANDLER_ATTEMPTS_MAX) {
          ended.reject(error)
          return false
        }
        logger?.error({ err: error, topic, partition, offset: String(records[0]?.offset) }, 'a handler failed')
        await delay(HANDLER_RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    return false
  }

  /** Ends the subscription with this error, which is also for kafkajs to stop the batch by. */
  function failed(error: Error): Error {
    ended.reject(error)
    return error
  }

  /** Ends the subscription when the log ends before the place: then records were lost that had been handled. */
  async function checkEnd(place: Place): Promise<bigint> {
    const { next } = place
    const range = (await log.partitions(place.topic)).find(({ partition }) => partition === place.partition)
    const end = range?.next ?? 0n
    if (end < next) {
      const where = `${nameOf(place.topic)}/${place.partition}`
      throw failed(new Error(`${where} ends at ${end}, offset ${next - 1n} was handled before`))
    }
    return end
  }

  /** kafkajs can stop without a word while its process lives on: so progress is what counts as health. */
  async function watch(): Promise<void> {
    for (const place of await Promise.all(places.values())) {
      const before = place.next
      const idle = (await checkEnd(place)) === before
      if (idle || place.next !== before) place.movedAtMs = performance.now()
      else if (performance.now() - place.movedAtMs > stallTimeoutMs) {
        const where = `${nameOf(place.topic)}/${place.partition}`
        failed(new Error(`${where}: nothing handled at offset ${before} in ${stallTimeoutMs} ms`))
      }
    }
  }

  const watching = setInterval(
    () => void watch().catch((error) => logger?.error({ err: error }, 'progress is not known')),
    stallTimeoutMs / WATCHES_PER_STALL,
  )
  const abort = () => ended.resolve()
  signal.addEventListener('abort', abort)
  let running: Promise<void> | undefined
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...topicOf.keys()], fromBeginning: true })
    running = consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE_MAX,
      eachBatch,
    })
    running.catch(ended.reject)
    await ended.promise
  } finally {
    stopping.abort()
    clearInterval(watching)
    signal.removeEventListener('abort', abort)
    // Stopped while it joins, a consumer of kafkajs would join all the same, and keep its partitions from the others.
    await running?.catch(() => {})
    await consumer.disconnect()
  }
}
