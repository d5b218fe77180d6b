import { DatabaseSync } from 'node:sqlite'
import { bucketOf } from '@catalog/core/digest.ts'
import { type CopyPosition, type IdentityStore, openIdentity, openPosition } from './copy-position.ts'
import {
  type CopyItem,
  type CopyRow,
  type CopyTable,
  createTables,
  type Digest,
  type ItemTable,
  inTransaction,
  openItemTable,
  requireKnownVersion,
} from './copy-tables.ts'
import type { CheckedChange, Position } from './feed-document.ts'

/**
 * The copy of one scope in SQLite: rows and position, changed in the same transactions. Law: at every instant, and
 * after any crash, the rows are the state of the origin at the position.
 */
export type Copy = Disposable & {
  readonly position: () => CopyPosition | null
  /** Applies changes in order and moves the position, in one transaction. With `replaces` it first deletes all rows. */
  readonly apply: (step: {
    from: Position | null
    replaces: boolean
    changes: readonly CheckedChange[]
    to: Position
  }) => void
  /** Stores the head that the origin announced. */
  readonly recordHead: (head: number) => void
  /** Stores that the root at this position equals the origin's. */
  readonly recordProof: (at: Position, root: string) => void
  readonly count: () => number
  /** Rows of these buckets. */
  readonly countIn: (buckets: readonly number[]) => number
  readonly digest: (table?: CopyTable) => Digest
  /** Reads in id order, a batch at a time; the copy may move between batches. */
  readonly items: () => Generator<CopyItem>
  /** The same with all columns. */
  readonly rows: () => Generator<CopyRow>
  /** Ids of a bucket with the SHA-256 of their states, as stored. */
  readonly hashesIn: (table: CopyTable, bucket: number) => readonly { id: string; sha256: string }[]
  readonly staging: Staging
  readonly identity: IdentityStore
}

/** Staged rows on their way into the copy; they survive a crash. */
export type Staging = Readonly<{
  clear: () => void
  /** SHA-256 of the staged shard file of the bucket; undefined when none is staged. */
  shardOf: (bucket: number) => string | undefined
  put: (shard: { bucket: number; fileSha: string; rows: readonly CopyItem[] }) => void
  /** Begins buckets anew, for rows that `add` brings; only `complete` makes `shardOf` know them. */
  begin: (buckets: readonly number[]) => void
  add: (rows: readonly CopyItem[]) => void
  complete: (shards: readonly Readonly<{ bucket: number; fileSha: string }>[]) => void
  /** Applies changes to these buckets. They no longer equal a shard, so a crash restarts the staging. */
  apply: (changes: readonly CheckedChange[], buckets: ReadonlySet<number>) => void
  count: () => number
  countIn: (buckets: readonly number[]) => number
  /** Replaces all rows by the staged ones, in one transaction. */
  adopt: (step: { from: CopyPosition | null; to: Position }) => void
  /**
   * Replaces the rows of these buckets by the staged ones and moves to `to`, where given, in one transaction. `rotten`:
   * ids of rows that may stand in another bucket than theirs, which go.
   */
  adoptBuckets: (step: { from: Position; to?: Position; buckets: readonly number[]; rotten?: Iterable<string> }) => void
}>

/** Waits this long for another process that writes. */
const BUSY_TIMEOUT_MS = 10_000

/** Opens an SQLite file, or takes an open database, as the copy of a scope. Throws when it holds another scope. */
export function openCopy(place: string | DatabaseSync, scope: string): Copy {
  const ownsDatabase = typeof place === 'string'
  const db = ownsDatabase ? new DatabaseSync(place) : place
  try {
    // A power failure may lose the last commits, rows and position together; the next pass repeats them.
    db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma journal_mode = wal; pragma synchronous = normal`)
    requireKnownVersion(db)
    inTransaction(db, () => createTables(db, scope))
    return copyIn(db, { ownsDatabase })
  } catch (error) {
    if (ownsDatabase) db.close()
    throw error
  }
}

function copyIn(db: DatabaseSync, { ownsDatabase }: { ownsDatabase: boolean }): Copy {
  const tables = { items: openItemTable(db, 'items'), staged_items: openItemTable(db, 'staged_items') }
  const position = openPosition(db)
  return {
    position: position.read,
    apply: ({ from, replaces, changes, to }) =>
      inTransaction(db, () => {
        position.require(from)
        if (replaces) {
          tables.items.clear()
          position.restart(to)
        } else {
          position.move(to)
        }
        tables.items.apply(changes)
      }),
    recordHead: position.raiseHead,
    recordProof: position.prove,
    count: tables.items.count,
    countIn: tables.items.countIn,
    digest: (table = 'items') => tables[table].digest(),
    items: tables.items.items,
    rows: tables.items.rows,
    hashesIn: (table, bucket) => tables[table].hashes(bucket),
    identity: openIdentity(db),
    staging: openStaging(db, { items: tables.items, staged: tables.staged_items, position }),
    [Symbol.dispose]: () => {
      if (ownsDatabase && db.isOpen) db.close()
    },
  }
}

function openStaging(
  db: DatabaseSync,
  { items, staged, position }: { items: ItemTable; staged: ItemTable; position: ReturnType<typeof openPosition> },
): Staging {
  const markShard = db.prepare('insert into staged_shards (bucket, file_sha256) values (?, ?)')
  const dropShard = db.prepare('delete from staged_shards where bucket = ?')
  const findShard = db.prepare('select file_sha256 from staged_shards where bucket = ?')
  const adoptBucket = db.prepare('insert into items select * from staged_items where bucket = ?')
  const clear = () => db.exec('delete from staged_items; delete from staged_shards')
  return {
    clear: () => inTransaction(db, clear),
    shardOf: (bucket) => findShard.get(bucket)?.file_sha256 as string | undefined,
    put: ({ bucket, fileSha, rows }) =>
      inTransaction(db, () => {
        staged.clearBucket(bucket)
        dropShard.run(bucket)
        for (const row of rows) staged.put(bucket, row)
        markShard.run(bucket, fileSha)
      }),
    begin: (buckets) =>
      inTransaction(db, () => {
        for (const bucket of buckets) {
          staged.clearBucket(bucket)
          dropShard.run(bucket)
        }
      }),
    add: (rows) =>
      inTransaction(db, () => {
        for (const row of rows) staged.put(bucketOf(row.id), row)
      }),
    complete: (shards) =>
      inTransaction(db, () => {
        for (const { bucket, fileSha } of shards) markShard.run(bucket, fileSha)
      }),
    apply: (changes, buckets) =>
      inTransaction(db, () => {
        for (const bucket of buckets) dropShard.run(bucket)
        staged.apply(changes.filter(({ itemId }) => buckets.has(bucketOf(itemId))))
      }),
    count: staged.count,
    countIn: staged.countIn,
    adopt: ({ from, to }) =>
      inTransaction(db, () => {
        position.require(from)
        items.clear()
        db.exec('insert into items select * from staged_items')
        position.restart(to)
        clear()
      }),
    adoptBuckets: ({ from, to, buckets, rotten = [] }) =>
      inTransaction(db, () => {
        position.require(from)
        for (const id of rotten) items.remove(id)
        for (const bucket of buckets) {
          items.clearBucket(bucket)
          adoptBucket.run(bucket)
        }
        if (to !== undefined) position.restart(to)
        clear()
      }),
  }
}
