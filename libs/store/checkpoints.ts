import type { Topic } from '@catalog/core/events/topics.ts'
import type { Queryable } from './db.ts'

export type Checkpoint = Readonly<{ next: bigint; lastSha: string | null }>
type Place = Readonly<{ projection: string; topic: Topic | 'changes'; partition: number }>

/**
 * Returns the checkpoint, and locks its row until the transaction ends. Law: every writer of a read model takes this
 * lock first. So a process that was frozen waits here when it wakes up, and then finds its whole batch already applied.
 */
export async function lockCheckpoint(tx: Queryable, { projection, topic, partition }: Place): Promise<Checkpoint> {
  const lock = () =>
    tx.query<Checkpoint>(
      `select next, last_sha as "lastSha" from checkpoints
       where projection = $1 and topic = $2 and partition = $3 for update`,
      [projection, topic, partition],
    )
  const [row] = await lock()
  if (row !== undefined) return row
  await tx.query(`insert into checkpoints (projection, topic, partition) values ($1, $2, $3) on conflict do nothing`, [
    projection,
    topic,
    partition,
  ])
  const [made] = await lock()
  return made as Checkpoint
}

export async function readCheckpoint(store: Queryable, { projection, topic, partition }: Place): Promise<Checkpoint> {
  const [row] = await store.query<Checkpoint>(
    `select next, last_sha as "lastSha" from checkpoints where projection = $1 and topic = $2 and partition = $3`,
    [projection, topic, partition],
  )
  return row ?? { next: 0n, lastSha: null }
}

/** Partition → next offset, for all partitions of a topic that have a checkpoint. */
export async function readCheckpoints(
  store: Queryable,
  { projection, topic }: Omit<Place, 'partition'>,
): Promise<Map<number, bigint>> {
  const rows = await store.query<{ partition: number; next: bigint }>(
    `select partition, next from checkpoints where projection = $1 and topic = $2`,
    [projection, topic],
  )
  return new Map(rows.map(({ partition, next }) => [partition, next]))
}

export async function moveCheckpoint(tx: Queryable, place: Place, { next, lastSha }: Checkpoint): Promise<void> {
  await tx.query(
    `update checkpoints set next = $4, last_sha = $5, moved_at = clock_timestamp()
      where projection = $1 and topic = $2 and partition = $3`,
    [place.projection, place.topic, place.partition, next, lastSha],
  )
}

/** The fact that names the log which the read models were folded from. */
export const FOLDED_LOG = 'folded_log_id'

/** One fact about this database (gen, cursor_secret, log_id ...); undefined when it is missing. */
export async function readMeta(store: Queryable, key: string): Promise<string | undefined> {
  const [row] = await store.query<{ value: string }>(`select value from meta where key = $1`, [key])
  return row?.value
}

/** Writes the fact, in the place of a former value. */
export async function saveMeta(store: Queryable, key: string, value: string): Promise<void> {
  await store.query(
    `insert into meta (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value`,
    [key, value],
  )
}

/** Writes the fact unless it exists; returns the stored value. */
export async function claimMeta(store: Queryable, key: string, value: string): Promise<string> {
  // A server that takes no writes has what was claimed before.
  const known = await readMeta(store, key)
  if (known !== undefined) return known
  await store.query(`insert into meta (key, value) values ($1, $2) on conflict (key) do nothing`, [key, value])
  return (await readMeta(store, key)) as string
}
