import { setTimeout as delay } from 'node:timers/promises'
import { OBSERVATION_PARTITIONS, TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import kafkajs, {
  type Admin,
  type Cluster,
  Kafka,
  type KafkaConfig,
  logLevel,
  PartitionAssigners,
  Partitioners,
  type RetryOptions,
} from 'kafkajs'
import { followTopics } from './kafka-subscription.ts'
import { BATCH_RECORDS_MAX, type EventLog, type LogRecord, type PartitionRange } from './log.ts'

/** What hears of errors that kafkajs met and goes on from; what it cannot go on from is thrown. */
export type KafkaLogger = { error(details: object, message: string): void }

export type KafkaLogOptions = Readonly<{
  /** host:port,host:port of some brokers; the others are found by them. */
  brokers: string
  /** Before the names of topics and groups, so that several catalogs share a cluster. */
  prefix?: string
  /** Counts only where the topic is made; a topic that is there keeps its own. */
  observationPartitions?: number
  logger?: KafkaLogger
  /** A member of a group that is silent for so long loses its partitions to the others. */
  sessionTimeoutMs?: number
  /** A subscription whose partition has records and that handles none for so long rejects. */
  stallTimeoutMs?: number
  /** How the client reaches the brokers. */
  connection?: Pick<KafkaConfig, 'ssl' | 'sasl' | 'socketFactory'>
}>

/** Bytes of one send at most: with its overhead below the 1 MiB that a broker takes (message.max.bytes). */
const SEND_BYTES_MAX = 900_000
/** Kafka's own bytes beside a record's key and value, at most. */
const RECORD_OVERHEAD_BYTES = 64
const SEND_TIMEOUT_MS = 30_000
/** Bytes of one read at most; the broker gives one batch of records even if it is larger. */
const READ_BYTES_MAX = 1_048_576
/** A leader that dies is replaced within 10 s; together these attempts wait for some 20 s. */
const RETRY = { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 2_000, retries: 14 } as const
/** kafkajs tries to connect inside of each of them: a dead broker must not use up the time for finding another. */
const CONNECT_RETRY = { ...RETRY, retries: 2 } as const
/** Members of a group wait here for their coordinator too, which may be loading for some seconds. */
const GROUP_RETRY = { ...RETRY, retries: 6 } as const
const REPLICAS_MAX = 3
const LEADER_POLL_MS = 50
const CREATE_TIMEOUT_MS = 30_000
const SESSION_TIMEOUT_MS = 30_000
const STALL_TIMEOUT_MS = 60_000

/**
 * The log in Kafka 2.1 or later, by kafkajs 2.2.4. Topics are made when they are not there; one that is compacted, that
 * forgets, or whose partitions do not fit is refused. An append is in the log at least once: a send whose answer is
 * lost is sent again, in order, so a record may stand there twice.
 */
export async function openKafkaLog({
  brokers,
  prefix = '',
  observationPartitions = OBSERVATION_PARTITIONS,
  logger,
  sessionTimeoutMs = SESSION_TIMEOUT_MS,
  stallTimeoutMs = STALL_TIMEOUT_MS,
  connection = {},
}: KafkaLogOptions): Promise<EventLog> {
  silenceNegativeTimeouts()
  const client = (retry: RetryOptions) =>
    new Kafka({
      ...connection,
      clientId: `${prefix}catalog`,
      brokers: brokers.split(','),
      retry,
      logLevel: logLevel.ERROR,
      logCreator:
        () =>
        ({ namespace, log: { message, timestamp: _, logger: __, ...details } }) =>
          logger?.error({ kafkajs: namespace, ...details }, message),
    })
  const kafka = client(CONNECT_RETRY)
  const nameOf = (topic: Topic) => `${prefix}${topic}`
  await withAdmin(kafka, (admin) =>
    prepareTopics(admin, [
      { name: nameOf(TOPICS.observations), partitions: observationPartitions, fixed: false },
      { name: nameOf(TOPICS.decisions), partitions: 1, fixed: true },
      { name: nameOf(TOPICS.items), partitions: 1, fixed: true },
    ]),
  )
  const cluster = await openCluster(kafka, Object.values(TOPICS).map(nameOf))
  // Not idempotent: kafkajs gives the sequence numbers of a failed send to the next, different one, which the broker
  // then takes for a repetition and acknowledges without storing it.
  const producer = kafka.producer({
    idempotent: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    retry: RETRY,
  })
  await producer.connect()
  const choosePartition = Partitioners.DefaultPartitioner()

  const partitionsOf = (topic: Topic) =>
    cluster.ask((given) => {
      const partitionMetadata = given.findTopicPartitionMetadata(nameOf(topic))
      if (partitionMetadata.length === 0) throw new Error(`${nameOf(topic)}: the brokers name no partitions of it`)
      return partitionMetadata
    })

  async function send(topic: Topic, events: readonly KeyedEvent[]): Promise<void> {
    const partitionMetadata = await partitionsOf(topic)
    const byPartition = Map.groupBy(events, (message) =>
      choosePartition({ topic: nameOf(topic), partitionMetadata, message: { ...message } }),
    )
    // One send per partition: of a send to several leaders kafkajs drops the part whose leader died, and acknowledges
    // it, when the new leader had answered for its own part. All are awaited, because the caller sends again what was
    // rejected, and nothing of this call may come after that.
    const sends = await Promise.allSettled(
      [...byPartition].map(async ([partition, messages]) => {
        for (const part of splitByBytes(messages)) {
          const sent = part.map(({ key, value }) => ({ key, value, partition }))
          await producer.send({ topic: nameOf(topic), acks: -1, timeout: SEND_TIMEOUT_MS, messages: sent })
        }
      }),
    )
    const failed = sends.find((result) => result.status === 'rejected')
    if (failed) throw new Error(`${nameOf(topic)}: not appended`, { cause: failed.reason })
  }

  // Sends of one process stand in a row: of two at once, a retry of the first could come after the second.
  let lastSend: Promise<unknown> = Promise.resolve()
  const log: EventLog = {
    async identity() {
      const { clusterId } = (await cluster.ask((given) => given.metadata())) as unknown as { clusterId: string }
      return `${clusterId}/${prefix}`
    },
    async partitions(topic) {
      return cluster.ask((given) => rangesOf(given, nameOf(topic)))
    },
    append(topic, events) {
      const appended = lastSend.then(async () => {
        for (let start = 0; start < events.length; start += BATCH_RECORDS_MAX) {
          await send(topic, events.slice(start, start + BATCH_RECORDS_MAX))
        }
      })
      lastSend = appended.catch(() => {})
      return appended
    },
    async read(topic, partition, from, max) {
      const fetched = await cluster.ask((given) =>
        oneByOne(given, () => fetchFrom(given, { name: nameOf(topic), partition, from })),
      )
      const where = `${nameOf(topic)} partition ${partition}`
      if (fetched === 'out of range') {
        const range = (await log.partitions(topic)).find((range) => range.partition === partition)
        if (range === undefined) throw new Error(`${where}: there is no such partition`)
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
        { kafka: client(GROUP_RETRY), nameOf, prefix, log, logger, sessionTimeoutMs, stallTimeoutMs },
        subscription,
      ),
    async [Symbol.asyncDispose]() {
      await lastSend
      await Promise.all([producer.disconnect(), cluster.close()])
    },
  }
  return log
}

type KeyedEvent = { readonly key: string; readonly value: string }

/** Runs of at most SEND_BYTES_MAX, in order; an event above it goes alone, and the broker says whether it takes it. */
function splitByBytes(events: readonly KeyedEvent[]): KeyedEvent[][] {
  const parts: KeyedEvent[][] = []
  let bytes = SEND_BYTES_MAX
  for (const event of events) {
    const size = Buffer.byteLength(event.key) + Buffer.byteLength(event.value) + RECORD_OVERHEAD_BYTES
    bytes += size
    if (bytes > SEND_BYTES_MAX) {
      parts.push([])
      bytes = size
    }
    parts.at(-1)?.push(event)
  }
  return parts
}

async function withAdmin<T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin({ retry: RETRY })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

/** What keeps records for ever; a topic that says otherwise is no log. */
const KEPT_FOR_EVER = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' } as const

type WantedTopic = Readonly<{ name: string; partitions: number; fixed: boolean }>

/** Makes the topics that are not there, and throws when one that is there cannot be the log. */
async function prepareTopics(admin: Admin, wanted: readonly WantedTopic[]): Promise<void> {
  const { brokers } = await admin.describeCluster()
  const replicas = Math.min(REPLICAS_MAX, brokers.length)
  const settings = {
    ...KEPT_FOR_EVER,
    'min.insync.replicas': String(Math.max(1, replicas - 1)),
    'unclean.leader.election.enable': 'false',
  }
  const existing = new Set(await admin.listTopics())
  for (const { name, partitions, fixed } of wanted) {
    const topic = {
      topic: name,
      numPartitions: partitions,
      replicationFactor: replicas,
      configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
    }
    const made =
      !existing.has(name) &&
      (await admin.createTopics({ topics: [topic], waitForLeaders: false, timeout: CREATE_TIMEOUT_MS }))
    if (made) {
      await untilLed(admin, name)
      continue
    }
    const { topics } = await admin.fetchTopicMetadata({ topics: [name] })
    const count = topics[0]?.partitions.length
    if (fixed && count !== partitions) throw new Error(`${name} has ${count} partitions, expected ${partitions}`)
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames: Object.keys(KEPT_FOR_EVER) }],
    })
    for (const { configName, configValue } of resources[0]?.configEntries ?? []) {
      const expected = KEPT_FOR_EVER[configName as keyof typeof KEPT_FOR_EVER]
      if (configValue !== expected) {
        throw new Error(`${name} does not keep its records: ${configName} is ${configValue}, expected ${expected}`)
      }
    }
  }
}

/**
 * A topic that was just made is not known to every broker at once. kafkajs waits for its leaders by itself, but takes a
 * broker's "unknown topic" for its last word.
 */
async function untilLed(admin: Admin, name: string): Promise<void> {
  const deadline = performance.now() + CREATE_TIMEOUT_MS
  for (;;) {
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [name] })
      if (topics[0]?.partitions.every(({ leader }) => leader >= 0)) return
    } catch (error) {
      const { type } = error as { type?: string }
      if (type !== 'UNKNOWN_TOPIC_OR_PARTITION' && type !== 'LEADER_NOT_AVAILABLE') throw error
    }
    if (performance.now() > deadline) throw new Error(`${name}: no leader in ${CREATE_TIMEOUT_MS} ms after it was made`)
    await delay(LEADER_POLL_MS)
  }
}

type OpenCluster = {
  /** Asks, and after a failure asks again with fresh knowledge of who leads; throws what the last attempt met. */
  ask<T>(question: (cluster: Cluster) => T | Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The brokers, for reads at any offset. kafkajs reads only as a member of a group, which takes seconds to join, answers
 * no question for one record, and resets an offset that is out of range in silence. But it hands its typed Cluster to
 * assigners of partitions; so this consumer never joins, and lends its cluster.
 */
async function openCluster(kafka: Kafka, topics: string[]): Promise<OpenCluster> {
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
    async ask(question) {
      for (let attempt = 0, waitMs: number = RETRY.initialRetryTime; ; attempt++, waitMs *= RETRY.multiplier) {
        try {
          if (closed) throw new Error('the log is closed')
          if (!cluster.isConnected()) await lender.connect()
          if (attempt > 0) await cluster.refreshMetadata()
          await cluster.addMultipleTargetTopics(topics)
          await cluster.refreshMetadataIfNecessary()
          return await question(cluster)
        } catch (error) {
          if (closed || attempt === RETRY.retries) throw error
          const { name, host, port } = error as { name: string; host: string; port: number }
          if (name === 'KafkaJSConnectionClosedError') cluster.removeBroker({ host, port })
          await delay(Math.min(waitMs, RETRY.maxRetryTime))
        }
      }
    },
    close() {
      closed = true
      return lender.disconnect()
    },
  }
  await open.ask(() => {})
  return open
}

async function rangesOf(cluster: Cluster, topic: string): Promise<PartitionRange[]> {
  const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ partition: partitionId }))
  if (partitions.length === 0) throw new Error(`${topic}: the brokers name no partitions of it`)
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

type Fetched = Readonly<{ end: bigint; records: readonly Pick<LogRecord, 'offset' | 'key' | 'value'>[] }>

/** What the leader of the partition has from this offset on, at once and unchecked. */
async function fetchFrom(
  cluster: Cluster,
  { name, partition, from }: { name: string; partition: number; from: bigint },
): Promise<Fetched | 'out of range'> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(name, [partition]))
  if (nodeId === undefined) throw new Error(`${name} partition ${partition} has no leader`)
  const broker = await cluster.findBroker({ nodeId })
  try {
    const { responses } = (await broker.fetch({
      // What transactions write is read as it stands: our topics know none, and one that hangs must not stop us.
      isolationLevel: 0,
      maxWaitTime: 0,
      minBytes: 0,
      maxBytes: READ_BYTES_MAX,
      topics: [{ topic: name, partitions: [{ partition, fetchOffset: String(from), maxBytes: READ_BYTES_MAX }] }],
    })) as FetchResponse
    const answer = responses[0]?.partitions[0]
    if (answer === undefined) throw new Error(`${name} partition ${partition}: the broker answered nothing`)
    const records = answer.messages
      .filter(({ isControlRecord, offset }) => !isControlRecord && BigInt(offset) >= from)
      .map(({ offset, key, value }) => ({ offset: BigInt(offset), key: String(key ?? ''), value: String(value ?? '') }))
    return { end: BigInt(answer.highWatermark), records }
  } catch (error) {
    if ((error as Error).name === 'KafkaJSOffsetOutOfRange') return 'out of range'
    throw error
  }
}

const lastOf = new WeakMap<Cluster, Promise<unknown>>()
/**
 * Fetches of one client, one after the other. kafkajs has a connection of its own for them; where several come before it
 * stands, each makes one, and all but the last are forgotten: they keep the process alive.
 */
function oneByOne<T>(cluster: Cluster, fetch: () => Promise<T>): Promise<T> {
  const fetched = (lastOf.get(cluster) ?? Promise.resolve()).then(fetch)
  lastOf.set(
    cluster,
    fetched.catch(() => {}),
  )
  return fetched
}

/** The part of kafkajs' answer to a fetch that is read here; its own type says any. */
type FetchResponse = Readonly<{
  responses: readonly {
    partitions: readonly {
      highWatermark: string
      messages: readonly { offset: string; key: Buffer | null; value: Buffer | null; isControlRecord: boolean }[]
    }[]
  }[]
}>

let negativeTimeoutsSilenced = false
/** kafkajs asks for timers in the past, which Node 24 warns of each time and treats as it always did. */
function silenceNegativeTimeouts(): void {
  if (negativeTimeoutsSilenced) return
  negativeTimeoutsSilenced = true
  const emitWarning = process.emitWarning as (...args: unknown[]) => void
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] === 'TimeoutNegativeWarning' && new Error().stack?.includes('/kafkajs/')) return
    emitWarning.apply(process, args)
  }
}
