import { DatabaseSync } from 'node:sqlite'
import { bucketOf } from '@catalog/core/digest.ts'
import { type CopyPosition, openPosition } from './copy-position.ts'
import {
  type CopyItem,
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
 * The copy of one scope in SQLite: its rows, and in the same transactions where it stands. Law: at every instant, and after
 * any crash, the rows are the state of the origin at the position.
 */
export type Copy = Disposable & {
  readonly position: () => CopyPosition | null
  /** Applies changes in their order and moves on, in one transaction; with `replaces` the rows that are there go first. */
  readonly apply: (step: {
    from: Position | null
    replaces: boolean
    changes: readonly CheckedChange[]
    to: Position
  }) => void
  /** Remembers how far the origin said that it is. */
  readonly recordHead: (head: number) => void
  /** Remembers that the root was that of the origin at the position, where the copy stands. */
  readonly recordProof: (at: Position, root: string) => void
  readonly count: () => number
  readonly digest: (table?: CopyTable) => Digest
  /** In the order of ids, a batch at a time: the copy may move on between two batches. */
  readonly items: () => Generator<CopyItem>
  readonly staging: Staging
}

/** Rows on their way into the copy, kept across a crash. */
export type Staging = Readonly<{
  clear: () => void
  /** SHA-256 of the file of the bucket whose rows are there; undefined: none are. */
  shardOf: (bucket: number) => string | undefined
  put: (shard: { bucket: number; fileSha: string; rows: readonly CopyItem[] }) => void
  /** Applies changes of these buckets. What is there is then no shard any more, so that a crash begins anew. */
  apply: (changes: readonly CheckedChange[], buckets: ReadonlySet<number>) => void
  count: () => number
  /** Puts the staged rows in the place of all rows, in one transaction. */
  adopt: (step: { from: CopyPosition | null; to: Position }) => void
  /** Puts them in the place of the rows of these buckets; the position stays. */
  adoptBuckets: (at: Position, buckets: readonly number[]) => void
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
    digest: (table = 'items') => tables[table].digest(),
    items: tables.items.items,
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
    apply: (changes, buckets) =>
      inTransaction(db, () => {
        for (const bucket of buckets) dropShard.run(bucket)
        staged.apply(changes.filter(({ itemId }) => buckets.has(bucketOf(itemId))))
      }),
    count: staged.count,
    adopt: ({ from, to }) =>
      inTransaction(db, () => {
        position.require(from)
        items.clear()
        db.exec('insert into items select * from staged_items')
        position.restart(to)
        clear()
      }),
    adoptBuckets: (at, buckets) =>
      inTransaction(db, () => {
        position.require(at)
        for (const bucket of buckets) {
          items.clearBucket(bucket)
          adoptBucket.run(bucket)
        }
        clear()
      }),
  }
}
