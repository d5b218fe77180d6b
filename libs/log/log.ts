import type { Positions } from '@catalog/core/events/runs.ts'
import type { Topic } from '@catalog/core/events/topics.ts'

/** One record of a partition. `value` is the event as JSON text, exactly as it was appended. */
export type LogRecord = Readonly<{
  topic: Topic
  partition: number
  offset: bigint
  key: string
  value: string
  /** The trace context that it was appended in (W3C traceparent), where the log keeps one and traces were on. */
  traceparent?: string
}>

/** The first stored offset, and the offset that the next record will get. */
export type PartitionRange = Readonly<{ partition: number; earliest: bigint; next: bigint }>

/**
 * The durable, ordered, partitioned log that all other state is folded from.
 *
 * Promises, held by infra/stack/conformance/event-log.ts on every adapter:
 * 1. Offsets of a partition are gapless, and rise in the order in which readers see the records. A reader that saw
 *    offset n has seen, or can read, every offset below n.
 * 2. When append resolves, its records survive a crash; a retried send may have stored some twice. When it rejects, a
 *    prefix in each partition may be stored, and the caller sends again. Consumers drop duplicates.
 * 3. Records of one key go to one partition, in the order of the calls.
 * 4. Nothing is ever removed or rewritten.
 */
export interface EventLog extends AsyncDisposable {
  /** Changes when the log is replaced (a new cluster, a wiped folder). */
  identity(): Promise<string>
  /** Settings by which acknowledged records could be lost, a sentence each; none where a database keeps the log. */
  risks(): Promise<readonly string[]>
  partitions(topic: Topic): Promise<readonly PartitionRange[]>
  /** Appends in order. Await each call before the next one where the order between calls matters. */
  append(topic: Topic, events: readonly { readonly key: string; readonly value: string }[]): Promise<void>
  /** At most `max` records from `from` on, in offset order; empty at the end. Throws when `from` is below `earliest`. */
  read(topic: Topic, partition: number, from: bigint, max: number): Promise<readonly LogRecord[]>
  /**
   * Delivers batches at least once until the signal aborts. Members of a group share the partitions of the topics. The
   * subscriber owns its position: the log calls `position` whenever a member takes a partition over. A handler that
   * throws gets the same records again.
   */
  subscribe(options: Subscription): Promise<void>
}

/** Records of a partition are missing while later ones exist; {@link EventLog.subscribe} rejects with it. */
export class LogHole extends Error {
  override name = 'LogHole'
}

export type Subscription = Readonly<{
  group: string
  topics: readonly Topic[]
  position: (topic: Topic, partition: number) => Promise<bigint>
  handler: (topic: Topic, partition: number, records: readonly LogRecord[]) => Promise<void>
  signal: AbortSignal
}>

/** Records per append or delivered batch, at most. Callers of append may pass more; adapters split them. */
export const BATCH_RECORDS_MAX = 1_000

/** The present end of a topic as text for events and reports: partition → next offset. */
export async function endOf(log: EventLog, topic: Topic): Promise<Positions[string]> {
  const ranges = await log.partitions(topic)
  return Object.fromEntries(ranges.map(({ partition, next }) => [String(partition), next.toString()]))
}
