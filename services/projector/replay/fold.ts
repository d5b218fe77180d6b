import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { BATCH_RECORDS_MAX, type EventLog, type LogRecord } from '@catalog/log/log.ts'
import { applyBatch, checkLog, type Projection } from '@catalog/projector/pump.ts'
import { type BuildPosition, readPositions } from '@catalog/store/builds/builds.ts'
import type { Store } from '@catalog/store/db.ts'

/** Folds the log into a build, which takes most of a replay's time. */

/** Partitions that one thread folds at once: while one waits for the store, another is read and parsed. */
const SIDE_BY_SIDE = 2
/** A load uses larger transactions to spread their fixed cost. */
const LOAD_RECORDS_MAX = 5 * BATCH_RECORDS_MAX
/** A transaction takes no further records past this length, in UTF-16 code units of their values. */
const BATCH_LENGTH_MAX = 8_388_608

export type Folding = Readonly<{
  store: Store
  log: EventLog
  projections: readonly Projection[]
  /** The one of the projections that bulk-loads. */
  loading?: Projection
  /** Exclusive positions; later records are left for later. */
  until: readonly BuildPosition[]
  pace: Pace
  batchRecords?: number
  sideBySide?: number
  /** Threads that take partitions of observations too. */
  threads?: readonly FoldThread[]
}>

/** Folds observations of the build in a thread of its own, so that several parse at once. */
export type FoldThread = Readonly<{
  /** Resolves when the stretch is folded; awaits `after` for each transaction. */
  fold: (order: FoldOrder, after: (records: number) => Promise<void>) => Promise<void>
}>
export type FoldOrder = Readonly<{
  partition: number
  next: bigint
  end: bigint
  isLoading: boolean
  batchRecords: number | undefined
}>

/** Folds the records between the build's checkpoints and the positions. */
export async function fold(folding: Folding): Promise<void> {
  const { store, log, projections, until, pace, threads = [] } = folding
  const { sideBySide = threads.length > 0 ? 1 : SIDE_BY_SIDE } = folding
  const stands = await readPositions(store)
  const nextOf = (positions: readonly BuildPosition[], at: Omit<Stretch, 'next' | 'end'>) =>
    positions.find(
      ({ projection, topic, partition }) =>
        projection === at.projection.name && topic === at.topic && partition === at.partition,
    )?.next ?? 0n
  const stretches: Stretch[] = []
  for (const projection of projections) {
    for (const topic of projection.topics) {
      for (const { partition } of until.filter((at) => at.projection === projection.name && at.topic === topic)) {
        const at = { projection, topic, partition }
        const [next, end] = [nextOf(stands, at), nextOf(until, at)]
        if (next < end) stretches.push({ ...at, next, end })
      }
    }
  }
  pace.expect(stretches.reduce((sum, { next, end }) => sum + Number(end - next), 0))
  for (const projection of projections) {
    for (const topic of projection.topics) {
      const own = stretches.filter((stretch) => stretch.projection === projection && stretch.topic === topic)
      if (own.length === 0) continue
      await checkLog({ store, log, projection }, topic)
      const oneByOne = async (work: (stretch: Stretch) => Promise<void>) => {
        for (let stretch = own.shift(); stretch !== undefined; stretch = own.shift()) await work(stretch)
      }
      const helping = topic === TOPICS.observations ? threads : []
      const workers = [
        ...Array.from({ length: sideBySide }, () => oneByOne((stretch) => foldStretch(folding, stretch))),
        ...helping.map((thread) => oneByOne((stretch) => foldIn(thread, stretch, folding))),
      ]
      // Throw after all have ended, so that none folds into a closed store.
      const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
      if (failed !== undefined) throw (failed as PromiseRejectedResult).reason
    }
  }
}

function foldIn(
  thread: FoldThread,
  { projection, partition, next, end }: Stretch,
  { pace, loading, batchRecords }: Folding,
): Promise<void> {
  return thread.fold({ partition, next, end, isLoading: projection === loading, batchRecords }, pace.after)
}

type Stretch = Readonly<{ projection: Projection; topic: Topic; partition: number; next: bigint; end: bigint }>

/** Folds a stretch of one partition, batch by batch. */
export async function foldStretch(
  { store, log, pace, loading, batchRecords }: Pick<Folding, 'store' | 'log' | 'pace' | 'loading' | 'batchRecords'>,
  { projection, topic, partition, next: from, end }: Stretch,
): Promise<void> {
  const max = batchRecords ?? (projection === loading ? LOAD_RECORDS_MAX : BATCH_RECORDS_MAX)
  const read = async (next: bigint) => {
    const records: LogRecord[] = []
    let [left, length] = [Math.min(max, Number(end - next)), 0]
    // The log bounds its own reads and may return fewer records.
    while (left > 0 && length < BATCH_LENGTH_MAX) {
      const offset = next + BigInt(records.length)
      const more = await log.read(topic, partition, offset, left)
      if (more.length === 0)
        throw new Error(`${topic} partition ${partition}: expected offset ${offset}, found nothing`)
      records.push(...more)
      left -= more.length
      length = more.reduce((sum, { value }) => sum + value.length, length)
    }
    return records
  }
  let next = from
  let ahead = read(next)
  while (next < end) {
    const records = await ahead
    next += BigInt(records.length)
    // Read ahead while the store writes.
    if (next < end) {
      ahead = read(next)
      ahead.catch(() => {})
    }
    await applyBatch({ store, projection }, records)
    await pace.after(records.length)
  }
}

/** Bounds the rate of a fold, and awaits after each transaction. */
export type Pace = Readonly<{
  expect: (records: number) => void
  after: (records: number) => Promise<void>
}>

export const UNPACED: Pace = { expect() {}, async after() {} }
