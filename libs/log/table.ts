import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sha256Bytes } from '@catalog/core/digest.ts'
import { OBSERVATION_PARTITIONS, TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { textsParameter } from '@catalog/store/binary-copy.ts'
import { claimMeta, readMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import { BATCH_RECORDS_MAX, type EventLog, type LogRecord, type Subscription } from './log.ts'

/** PGlite delivers NOTIFY to one client only, so subscribers poll. */
const POLL_MS = 100

/**
 * The embedded log: a table of the store. Law: an append draws its offsets from the head row of the partition, which it
 * locks in its own transaction, never from a sequence. So offsets commit in order, without a hole, and a reader that saw n
 * can read everything below n.
 */
export async function openTableLog(
  store: Store,
  { observationPartitions = OBSERVATION_PARTITIONS }: { observationPartitions?: number } = {},
): Promise<EventLog> {
  await claimMeta(store, 'log_id', randomBytes(8).toString('hex'))
  const partitionCounts = await preparePartitions(store, observationPartitions)
  const partitionOf = (topic: Topic, key: string) => {
    const count = partitionCounts.get(topic) as number
    return count === 1 ? 0 : sha256Bytes(key).readUInt32BE() % count
  }
  const log: EventLog = {
    identity: async () => (await readMeta(store, 'log_id')) as string,
    risks: async () => [],
    partitions: (topic) =>
      store.query(`select partition, 0::bigint as earliest, next from log_heads where topic = $1 order by partition`, [
        topic,
      ]),
    async append(topic, events) {
      for (let start = 0; start < events.length; start += BATCH_RECORDS_MAX) {
        const batch = events.slice(start, start + BATCH_RECORDS_MAX)
        const partitions = batch.map(({ key }) => partitionOf(topic, key))
        await appendBatch(store, { topic, partitions, events: batch })
      }
    },
    async read(topic, partition, from, max) {
      const records = await store.query<Pick<LogRecord, 'offset' | 'key' | 'value'>>(
        `select "offset", key, value from log_records
         where topic = $1 and partition = $2 and "offset" >= $3 order by "offset" limit $4`,
        [topic, partition, from, max],
      )
      return records.map((record) => ({ topic, partition, ...record }))
    },
    subscribe: (subscription) => poll(log, partitionCounts, subscription),
    async [Symbol.asyncDispose]() {},
  }
  return log
}

/** Creates missing head rows; returns topic → number of partitions. */
async function preparePartitions(store: Store, observationPartitions: number): Promise<ReadonlyMap<Topic, number>> {
  const known = await readPartitions(store)
  // A store that takes no writes can still be read.
  if (Object.values(TOPICS).every((topic) => known.has(topic))) return known
  // The first process fixes the partition counts: a different count would send a key's later events elsewhere.
  await store.query(
    `insert into log_heads (topic, partition, next)
     select topic, partition, 0 from (values ($1, $2::int), ($3, 1), ($4, 1)) topics (topic, partitions),
       lateral generate_series(0, partitions - 1) partition
     where not exists (select from log_heads where log_heads.topic = topics.topic)
     on conflict do nothing`,
    [TOPICS.observations, observationPartitions, TOPICS.decisions, TOPICS.items],
  )
  return readPartitions(store)
}

async function readPartitions(store: Store): Promise<ReadonlyMap<Topic, number>> {
  const heads = await store.query<{ topic: Topic; partitions: number }>(
    `select topic, count(*)::int as partitions from log_heads group by topic`,
  )
  return new Map(heads.map(({ topic, partitions }) => [topic, partitions]))
}

type Batch = Readonly<{
  topic: Topic
  /** Of each event. */
  partitions: readonly number[]
  events: Parameters<EventLog['append']>[1]
}>

/**
 * One statement, so one round trip: it locks the heads, draws the offsets, and moves the heads. The heads move last, because
 * they are counted from the rows that were appended.
 */
async function appendBatch(store: Store, { topic, partitions, events }: Batch): Promise<void> {
  const counts = new Map<number, number>()
  const ranks = partitions.map((partition) => {
    const rank = counts.get(partition) ?? 0
    counts.set(partition, rank + 1)
    return rank
  })
  await store.query(
    `with heads as materialized (
       select partition, next from log_heads
       where topic = $1 and partition = any($2::int[]) order by partition for update
     ),
     appended as (
       insert into log_records (topic, partition, "offset", key, value)
       select $1, partition, next + rank, key, value
       from unnest($2::int[], $3::int[], $4::text[], $5::text[]) as batch (partition, rank, key, value)
       join heads using (partition)
       returning partition
     )
     update log_heads set next = next + counts.count
     from (select partition, count(*) from appended group by partition) counts
     where log_heads.topic = $1 and log_heads.partition = counts.partition`,
    [
      topic,
      partitions,
      ranks,
      textsParameter(events.map(({ key }) => key)),
      textsParameter(events.map(({ value }) => value)),
    ],
  )
}

/** Every member of a group reads every partition; the consumer's checkpoint lock prevents double work. */
async function poll(
  log: Pick<EventLog, 'read'>,
  partitionCounts: ReadonlyMap<Topic, number>,
  { topics, position, handler, signal }: Subscription,
): Promise<void> {
  const positions = new Map<string, bigint>()
  while (!signal.aborted) {
    let isIdle = true
    for (const topic of topics) {
      for (let partition = 0; partition < (partitionCounts.get(topic) ?? 0) && !signal.aborted; partition++) {
        const name = `${topic}/${partition}`
        const from = positions.get(name) ?? (await position(topic, partition))
        const records = await log.read(topic, partition, from, BATCH_RECORDS_MAX)
        const last = records.at(-1)
        if (last === undefined) {
          positions.set(name, from)
          continue
        }
        isIdle = false
        // Forget the position first: after a throw the handler gets the same records again.
        positions.delete(name)
        await handler(topic, partition, records)
        positions.set(name, last.offset + 1n)
      }
    }
    if (isIdle) await delay(POLL_MS, undefined, { signal }).catch(() => {})
  }
}
