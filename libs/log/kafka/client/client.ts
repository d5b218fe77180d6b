import type { LogRecord, PartitionRange } from '@catalog/log/log.ts'

/** The libraries by which the log can reach Kafka. */
export const KAFKA_CLIENTS = ['kafkajs', 'platformatic'] as const
export type KafkaClientName = (typeof KAFKA_CLIENTS)[number]

/** Logs errors that a client recovers from; others are thrown. */
export type KafkaLogger = { error(details: object, message: string): void }

export type KafkaClientOptions = Readonly<{
  /** host:port,host:port of some brokers; they name the others. */
  brokers: string
  /** Prepended to the names of topics and groups, so that several catalogs can share a cluster. */
  prefix?: string
  logger?: KafkaLogger | undefined
  /** TLS and credentials of connections to brokers. */
  connection?: Readonly<{
    /** Encrypts connections; `ca`: the authority (PEM) that signed the brokers' certificates, if Node does not know it. */
    tls?: Readonly<{ ca?: Buffer }>
    sasl?: Readonly<{
      mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
      username: string
      password: string
    }>
  }>
}>

/** Where a read begins. `topic` is the name in the cluster, with its prefix. */
export type Place = Readonly<{ topic: string; partition: number; from: bigint }>
export type FetchedRecord = Pick<LogRecord, 'offset' | 'key' | 'value' | 'traceparent'>
/** `end`: the offset that the next record of the partition will get. */
export type Fetched = Readonly<{ end: bigint; records: readonly FetchedRecord[] }>

export type NewTopic = Readonly<{
  name: string
  partitions: number
  replicas: number
  settings: Readonly<Record<string, string>>
}>
/** `leader` is below 0 while the partition has none. */
export type PartitionState = Readonly<{ partition: number; leader: number; copies: number }>

/** Records of one partition; a client never splits them. */
export type Sending = Readonly<{
  topic: string
  partition: number
  records: readonly Readonly<{ key: string; value: string }>[]
  headers: Readonly<Record<string, string>>
}>

/**
 * What the log needs of a client of Kafka. Topics are names in the cluster. Each call outlasts the fail-over of a broker, and
 * then throws the client's own error.
 *
 * The log relies on these promises alone, and kafka.int.test.ts holds them for each client:
 * 1. When `send` resolves, all in-sync replicas have the records. When it rejects, they may be stored, wholly or not at all.
 *    No send arrives after it rejected.
 * 2. `fetch` returns records from `from` on in the order of the partition, or says that the offset is out of range.
 * 3. A membership may deliver records more than once, too early, or with holes: the log compares offsets.
 */
export interface KafkaClient extends AsyncDisposable {
  clusterId(): Promise<string>
  /** Brokers that are alive. */
  brokerCount(): Promise<number>
  topicNames(): Promise<ReadonlySet<string>>
  /** False when the topic exists. */
  createTopic(topic: NewTopic): Promise<boolean>
  /** By partition. Throws for an unknown topic. */
  describeTopic(topic: string): Promise<readonly PartitionState[]>
  /** The values of these settings, by topic and setting. */
  settings(
    topics: readonly string[],
    names: readonly string[],
  ): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>
  partitionCount(topic: string): Promise<number>
  /** By partition. */
  ranges(topic: string): Promise<readonly PartitionRange[]>
  /** Does not wait for records. At most about {@link READ_BYTES_MAX}, and at least one record unless at the end. */
  fetch(place: Place): Promise<Fetched | 'out of range'>
  send(sending: Sending): Promise<void>
  /** Whether the error says that no broker was reached, or that one is not ready yet. */
  isOutage(error: unknown): boolean
  /** Prepares a member of a group, which the caller joins once and leaves once. */
  member(options: MemberOptions, listener: MemberListener): Membership
}

export type MemberOptions = Readonly<{
  /** The name in the cluster. */
  group: string
  topics: readonly string[]
  /** A member that is silent for this long loses its partitions. */
  sessionTimeoutMs: number
  /** The group waits this long for its members when one comes or goes. */
  rebalanceTimeoutMs: number
  /** Batches of more partitions than this are never with the listener at once. */
  partitionsAtOnceMax: number
}>

export type MemberListener = Readonly<{
  /** From now on these partitions are this member's, and no others. Reading of each begins by {@link Membership.seek}. */
  assigned(partitions: readonly Readonly<{ topic: string; partition: number }>[]): void
  batch(batch: Batch): Promise<void>
  /** The member reads no more. */
  failed(error: unknown): void
}>

/** Records of a partition in its order; those of one partition follow each other. Where `end` is before a sought offset, none. */
export type Batch = Fetched &
  Readonly<{
    topic: string
    partition: number
    /** False once the partition may have another owner. */
    isCurrent(): boolean
    /** Everything below `next` was handled. Also a hint for others who look at the group. */
    handled(next: bigint): Promise<void>
  }>

export interface Membership {
  /** Resolves once it is a member, and rejects when it cannot become one. */
  join(): Promise<void>
  /** The next read of the partition begins at this offset; a client may still deliver others before it. */
  seek(place: Place): void
  /** Waits for a join under way, and leaves the group. */
  leave(): Promise<void>
}

/** Bytes of one read at most; a broker always returns one whole batch of records, even a larger one. */
export const READ_BYTES_MAX = 1_048_576
/** A member's reads wait so long for records, and are of so many bytes: a partition, and all partitions of a broker. */
export const MEMBER_FETCH = { waitMs: 250, partitionBytesMax: 4_194_304, bytesMax: 8_388_608 } as const
/** A broker answers a send within this time, or refuses it. */
export const SEND_TIMEOUT_MS = 30_000
/** Heartbeats of a member in one session timeout. */
export const HEARTBEATS_PER_SESSION = 10
export const CREATE_TIMEOUT_MS = 30_000
