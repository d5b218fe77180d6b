import { setTimeout as delay } from 'node:timers/promises'
import { sha256Hex } from '@catalog/core/digest.ts'
import { RAW_BYTES_MAX } from '@catalog/core/events/crawls.ts'
import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import type { Topic } from '@catalog/core/events/topics.ts'
import type { EventLog, LogRecord, PartitionRange } from '@catalog/log/log.ts'
import { BATCH_RECORDS_MAX, LogHole } from '@catalog/log/log.ts'
import { runConcurrently } from '@catalog/runtime/run.ts'
import { span } from '@catalog/runtime/tracing.ts'
import {
  type Checkpoint,
  claimMeta,
  FOLDED_LOG,
  lockCheckpoint,
  moveCheckpoint,
  readCheckpoint,
  readCheckpoints,
} from '@catalog/store/checkpoints.ts'
import type { Queryable, Store, Transaction } from '@catalog/store/db.ts'
import { insertDeadLetters } from '@catalog/store/vendor/dead-letter.ts'

/** An event with its place in the log. */
export type Placed = Readonly<{ event: CatalogEvent; topic: Topic; partition: number; offset: bigint }>

/** A set of read models with one checkpoint for each partition. */
export type Projection = Readonly<{
  name: string
  topics: readonly Topic[]
  /** Applies events of one partition in offset order, within the given transaction. */
  apply: (tx: Transaction, events: readonly Placed[]) => Promise<void>
}>

export type HaltCode = 'RETENTION_GAP' | 'LOG_TRUNCATED' | 'LOG_DIVERGED' | 'LOG_GAP'

/** The log is not the one that the read models were folded from. The projector stops until a person has looked. */
export class Halt extends Error {
  override name = 'Halt'
  readonly code: HaltCode
  constructor(code: HaltCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options)
    this.code = code
  }
}

/**
 * Applies records of one partition and moves the checkpoint, in one transaction. Returns how many records were new.
 *
 * Law: the checkpoint row is locked first. Records below it were applied before and are skipped. The first remaining
 * record must be exactly the next, or the projector halts with LOG_GAP. So redelivery, a second instance or a zombie
 * changes nothing, and no hole is skipped.
 */
export async function applyBatch(
  { store, projection }: { store: Store; projection: Projection },
  records: readonly LogRecord[],
): Promise<number> {
  const first = records[0]
  if (first === undefined) return 0
  const parsed = records.map(parse)
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyAll({ store, projection }, parsed)
    } catch (error) {
      if (!isDeadlock(error) || attempt === DEADLOCKS_MAX) throw error
      await delay(attempt * DEADLOCK_PAUSE_MS)
    }
  }
}

/** Applies a batch as a whole, or where PostgreSQL refuses some of its data, without that. */
async function applyAll(where: { store: Store; projection: Projection }, parsed: readonly Parsed[]): Promise<number> {
  const { projection } = where
  try {
    return await applyParsed(where, parsed, (tx, events) => projection.apply(tx, events))
  } catch (error) {
    if (!isDataError(error)) throw error
    return applyParsed(where, parsed, (tx, events, park) => applyOrPark(tx, projection, events, park))
  }
}

/**
 * Deadlocks of one batch: two partitions that park records by halves insert the same new keys in different orders. The
 * pause, longer after each, lets the rival commit: an attempt at once would take the next keys that the rival needs.
 */
const DEADLOCKS_MAX = 10
const DEADLOCK_PAUSE_MS = 200
const isDeadlock = (error: unknown) => (error as { code?: unknown }).code === '40P01'

type Park = (event: Placed, error: Error) => void

/** The transaction of a batch. `apply` parks records that PostgreSQL refuses, or throws. */
async function applyParsed(
  { store, projection }: { store: Store; projection: Projection },
  parsed: readonly Parsed[],
  apply: (tx: Transaction, events: readonly Placed[], park: Park) => Promise<void>,
): Promise<number> {
  const { topic, partition } = (parsed[0] as Parsed).record
  const place = { projection: projection.name, topic, partition }
  return store.transaction(async (tx) => {
    const { next } = await lockCheckpoint(tx, place)
    const todo = parsed.filter(({ record }) => record.offset >= next)
    const [head] = todo
    const last = todo.at(-1)
    if (head === undefined || last === undefined) return 0
    if (head.record.offset !== next) {
      throw new Halt('LOG_GAP', `${at(head.record)} came where offset ${next} was expected`)
    }
    const events = todo.flatMap(({ event }) => event ?? [])
    const poison = todo.flatMap(({ record, poison }) => (poison ? [{ record, ...poison }] : []))
    await apply(tx, events, (event, error) => {
      const record = todo.find(({ record }) => record.offset === event.offset)?.record as LogRecord
      poison.push({ record, reason: 'NOT_APPLICABLE', detail: error.message })
    })
    await insertDeadLetters(
      tx,
      poison.map(({ record, reason, detail }) => ({
        parked_id: `${record.topic}/${record.partition}/${record.offset}`,
        origin: 'projector',
        topic: record.topic,
        partition: record.partition,
        offset: record.offset,
        position: at(record),
        reason,
        detail: detail.slice(0, 2000),
        raw: printable(record.value),
      })),
    )
    await moveCheckpoint(tx, place, { next: last.record.offset + 1n, lastSha: sha256Hex(last.record.value) })
    return todo.length
  })
}

/** Parks a well-formed event that contradicts earlier events. */
export async function parkEvent(
  tx: Queryable,
  { event, topic, partition, offset }: Placed,
  { reason, detail }: { reason: string; detail: string },
): Promise<void> {
  await insertDeadLetters(tx, [
    {
      parked_id: `${topic}/${partition}/${offset}`,
      origin: 'projector',
      topic,
      partition,
      offset,
      position: at({ topic, partition, offset }),
      reason,
      detail,
      raw: JSON.stringify(event),
      recorded_at: event.recorded_at,
    },
  ])
}

/** Text that fits into a text column, of bounded length. */
function printable(value: string): string {
  return value.replaceAll('\u0000', '\ufffd').slice(0, RAW_BYTES_MAX)
}

const at = ({ topic, partition, offset }: { topic: string; partition: number; offset: bigint }) =>
  `${topic} partition ${partition} offset ${offset}`

type Parsed = { record: LogRecord; event?: Placed; poison?: { reason: string; detail: string } }

function parse(record: LogRecord): Parsed {
  const { topic, partition, offset, value } = record
  try {
    return { record, event: { event: parseEvent(topic, JSON.parse(value)), topic, partition, offset } }
  } catch (error) {
    const { name, message } = error as Error
    return { record, poison: { reason: name === 'UnknownEvent' ? 'UNKNOWN_EVENT' : 'INVALID_EVENT', detail: message } }
  }
}

/**
 * Applies a batch, and parks records whose data PostgreSQL refuses (SQLSTATE class 22 or 23), which would roll it back
 * for ever. Savepoints halve the batch down to such a record; the rest is applied. Other errors come from the
 * infrastructure and end the transaction.
 */
async function applyOrPark(
  tx: Transaction,
  projection: Projection,
  events: readonly Placed[],
  park: Park,
  { isAgain = false } = {},
): Promise<void> {
  const [only] = events
  if (only === undefined) return
  await tx.query('savepoint batch')
  try {
    await projection.apply(tx, events)
    await tx.query('release savepoint batch')
  } catch (error) {
    if (!isDataError(error)) throw error
    await tx.query('rollback to savepoint batch')
    await tx.query('release savepoint batch')
    // Another partition inserted the same row at the same moment. Now that it exists, the insert is no conflict.
    if (error.code === UNIQUE_VIOLATION && !isAgain) {
      await applyOrPark(tx, projection, events, park, { isAgain: true })
      return
    }
    if (events.length === 1) {
      park(only, error)
      return
    }
    const middle = events.length >> 1
    await applyOrPark(tx, projection, events.slice(0, middle), park)
    await applyOrPark(tx, projection, events.slice(middle), park)
  }
}

const UNIQUE_VIOLATION = '23505'

function isDataError(error: unknown): error is Error & { code: string } {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^2[23]/.test(code)
}

/**
 * Compares a partition with its checkpoint before anything is applied: the log's identity, its earliest record, its
 * end, and the last applied record must match. Throws Halt.
 */
export async function checkLog(
  { store, log, projection }: { store: Store; log: EventLog; projection: Projection },
  topic: Topic,
): Promise<void> {
  const identity = await log.identity()
  const folded = await claimMeta(store, FOLDED_LOG, identity)
  if (folded !== identity) {
    throw new Halt('LOG_DIVERGED', `the read models were folded from log ${folded}, this is log ${identity}`)
  }
  const applied = new Map<number, Checkpoint>()
  for (const { partition } of await log.partitions(topic)) {
    applied.set(partition, await readCheckpoint(store, { projection: projection.name, topic, partition }))
  }
  // Read after the checkpoints: another process may append and apply meanwhile.
  for (const { partition, earliest, next: end } of await log.partitions(topic)) {
    const { next, lastSha } = applied.get(partition) ?? { next: 0n, lastSha: null }
    const where = `${topic} partition ${partition}`
    if (earliest > next) throw new Halt('RETENTION_GAP', `${where} begins at ${earliest}, offset ${next} is needed`)
    if (end < next) throw new Halt('LOG_TRUNCATED', `${where} ends at ${end}, offset ${next - 1n} was applied before`)
    if (next > earliest && lastSha !== null) {
      const [last] = await log.read(topic, partition, next - 1n, 1)
      if (last === undefined || sha256Hex(last.value) !== lastSha) {
        throw new Halt('LOG_DIVERGED', `${where} offset ${next - 1n} is not the record that was applied`)
      }
    }
  }
}

/** Bounds the records of one read, so that a transaction stays short. */
const READ_RECORDS_MAX = BATCH_RECORDS_MAX

/**
 * Applies everything in the log and returns how many records were new. The embedded path uses it to catch up, and tests
 * to wait without sleeping. `onProgress` gets the running total.
 */
export async function drain(
  { store, log, projections }: { store: Store; log: EventLog; projections: readonly Projection[] },
  onProgress: (applied: number) => void = () => {},
): Promise<number> {
  let applied = 0
  for (const projection of projections) {
    for (const topic of projection.topics) {
      const checkpoints = await readCheckpoints(store, { projection: projection.name, topic })
      const behind = (await log.partitions(topic)).filter(({ partition, next }) => checkpoints.get(partition) !== next)
      if (behind.length > 0) await checkLog({ store, log, projection }, topic)
      for (const { partition, next: end } of behind) {
        let next = checkpoints.get(partition) ?? 0n
        while (next < end) {
          const records = await log.read(topic, partition, next, READ_RECORDS_MAX)
          const last = records.at(-1)
          if (last === undefined) throw new Halt('LOG_GAP', `${topic} partition ${partition} gives nothing at ${next}`)
          applied += await applyBatch({ store, projection }, records)
          next = last.offset + 1n
          onProgress(applied)
        }
      }
    }
  }
  return applied
}

/** Outlasts a rebalance after a projector was killed. */
const STANDSTILL_MS = 60_000
const PROJECTED_POLL_MS = 50

class ProjectorNotRunning extends Error {
  override name = 'ProjectorNotRunning'
  constructor(behind: bigint, standstillMs: number) {
    super(
      `PROJECTOR_NOT_RUNNING: ${behind} records of the log are not projected, and none was in ${standstillMs / 1000} s; ` +
        'expected a process that runs `catalog project`',
    )
  }
}

/**
 * Resolves when other processes have projected everything that the log held at the call. Throws ProjectorNotRunning
 * after a minute without progress.
 */
export async function untilProjected(
  { store, log, projections }: { store: Store; log: EventLog; projections: readonly Projection[] },
  { standstillMs = STANDSTILL_MS }: { standstillMs?: number } = {},
): Promise<void> {
  const ends = new Map<Topic, readonly PartitionRange[]>()
  for (const topic of new Set(projections.flatMap(({ topics }) => topics))) ends.set(topic, await log.partitions(topic))
  let least: bigint | undefined
  let movedMs = performance.now()
  for (;;) {
    let behind = 0n
    for (const { name, topics } of projections) {
      for (const topic of topics) {
        const checkpoints = await readCheckpoints(store, { projection: name, topic })
        for (const { partition, next } of ends.get(topic) ?? []) {
          const applied = checkpoints.get(partition) ?? 0n
          if (applied < next) behind += next - applied
        }
      }
    }
    if (behind === 0n) return
    if (least === undefined || behind < least) {
      least = behind
      movedMs = performance.now()
    }
    if (performance.now() - movedMs > standstillMs) throw new ProjectorNotRunning(behind, standstillMs)
    await delay(PROJECTED_POLL_MS)
  }
}

/**
 * Follows the log until the signal aborts. Any number of instances may run. The caller retries infrastructure failures
 * (runtime's `retryForever`), but never a Halt.
 */
export async function follow({
  store,
  log,
  projections,
  signal,
}: {
  store: Store
  log: EventLog
  projections: readonly Projection[]
  signal: AbortSignal
}): Promise<void> {
  // When one ends, all end, and the caller restarts them together.
  await runConcurrently(signal, (signal) =>
    projections.map(async (projection) => {
      for (const topic of projection.topics) await checkLog({ store, log, projection }, topic)
      await log
        .subscribe({
          group: `projector-${projection.name}`,
          topics: projection.topics,
          position: async (topic, partition) =>
            (await readCheckpoint(store, { projection: projection.name, topic, partition })).next,
          handler: (topic, _partition, records) =>
            span(`project ${topic}`, tracedAs(projection, records), async () => {
              await applyBatch({ store, projection }, records).catch(asMovedCheckpoint)
            }),
          signal,
        })
        .catch((cause: unknown) => {
          throw cause instanceof LogHole ? new Halt('LOG_GAP', cause.message, { cause }) : cause
        })
    }),
  )
}

/**
 * A subscription delivers without a hole, or rejects with LogHole. So a gap before its records means that the checkpoint went
 * back, as after a failover that lost the newest transactions: the next subscription begins there.
 */
function asMovedCheckpoint(error: unknown): never {
  if (!(error instanceof Halt) || error.code !== 'LOG_GAP') throw error
  throw new Error(`the checkpoint went back: ${error.message}`, { cause: error })
}

const tracedAs = ({ name }: Projection, records: readonly LogRecord[]) => ({
  kind: 'consumer' as const,
  attributes: { projection: name, records: records.length },
  causes: [...new Set(records.flatMap(({ traceparent }) => traceparent ?? []))],
})
