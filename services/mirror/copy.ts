import { DatabaseSync } from 'node:sqlite'
import { bucketOf, rootOf, sha256Bytes, sha256Hex } from '@catalog/core/digest.ts'
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
  readonly digest: (table?: CopyTable) => { root: string; buckets: readonly Buffer[] }
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

export type CopyTable = 'items' | 'staged_items'
export type CopyItem = Readonly<{ id: string; state: string }>
export type CopyPosition = Position & {
  /** The furthest that the origin said it is, in this generation. */
  readonly head: number
  /** Where the root was last proved to be the origin's; null: not yet in this generation. */
  readonly proved: Readonly<{ seq: number; root: string }> | null
}

/** Another process moved the copy since this one read where it stands. */
export class CopyMoved extends Error {
  override name = 'CopyMoved'
}

const SCHEMA_VERSION = 1
/** A writer waits so long for another process. */
const BUSY_TIMEOUT_MS = 10_000
const ITEMS_PER_READ = 1_000

const ITEM_COLUMNS = `(
  id text primary key,
  -- First byte of the SHA-256 of the id.
  bucket integer not null,
  -- Of the bytes of the state, hex.
  sha256 text not null,
  -- The public state in canonical JSON, exactly the bytes of the origin.
  state text not null
) strict`
const SCHEMA = `
create table if not exists items ${ITEM_COLUMNS};
create index if not exists items_digest on items (bucket, id, sha256);
create table if not exists staged_items ${ITEM_COLUMNS};
create index if not exists staged_items_digest on staged_items (bucket, id, sha256);
create table if not exists staged_shards (bucket integer primary key, file_sha256 text not null) strict;
-- Where the copy stands: one row.
create table if not exists position (
  scope text primary key,
  -- Null until the copy has begun.
  gen text,
  seq integer not null default 0,
  chain text not null default '',
  head integer not null default 0,
  proved_seq integer,
  proved_root text
) strict;
`

/** Opens a file of SQLite, or takes an open database, as the copy of a scope. Throws when it is the copy of another. */
export function openCopy(place: string | DatabaseSync, scope: string): Copy {
  const ownsDatabase = typeof place === 'string'
  const db = ownsDatabase ? new DatabaseSync(place) : place
  try {
    return copyIn(db, { scope, isOurs: ownsDatabase })
  } catch (error) {
    if (ownsDatabase) db.close()
    throw error
  }
}

function copyIn(db: DatabaseSync, { scope, isOurs }: { scope: string; isOurs: boolean }): Copy {
  // A commit may be lost when the power fails, and is then made again: rows and position are lost together.
  db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma journal_mode = wal; pragma synchronous = normal`)
  const version = db.prepare('pragma user_version').get()?.user_version as number
  if (version > SCHEMA_VERSION) throw new Error(`the copy has version ${version}, expected at most ${SCHEMA_VERSION}`)
  const inTransaction = (work: () => void) => {
    db.exec('begin immediate')
    try {
      work()
      db.exec('commit')
    } catch (error) {
      db.exec('rollback')
      throw error
    }
  }
  inTransaction(() => {
    db.exec(`${SCHEMA}; pragma user_version = ${SCHEMA_VERSION}`)
    db.prepare('insert into position (scope) select ? where not exists (select 1 from position)').run(scope)
  })
  const storedScope = db.prepare('select scope from position').get()?.scope
  if (storedScope !== scope) throw new Error(`the copy is of scope ${storedScope}, expected ${scope}`)

  const tables = { items: statementsOf(db, 'items'), staged_items: statementsOf(db, 'staged_items') }
  const readPosition = db.prepare('select gen, seq, chain, head, proved_seq, proved_root from position')
  const begin = db.prepare(
    'update position set gen = ?, seq = ?, chain = ?, head = 0, proved_seq = null, proved_root = null',
  )
  const move = db.prepare('update position set seq = ?, chain = ?')
  const raiseHead = db.prepare('update position set head = max(head, ?)')
  const storeProof = db.prepare('update position set proved_seq = ?, proved_root = ? where gen = ? and seq = ?')
  const markShard = db.prepare('insert into staged_shards (bucket, file_sha256) values (?, ?)')
  const dropShard = db.prepare('delete from staged_shards where bucket = ?')
  const findShard = db.prepare('select file_sha256 from staged_shards where bucket = ?')
  const adoptBucket = db.prepare('insert into items select * from staged_items where bucket = ?')

  const position = (): CopyPosition | null => {
    const row = readPosition.get() as PositionRow
    if (row.gen === null) return null
    const { gen, seq, chain, head, proved_seq, proved_root } = row
    const proved = proved_seq === null ? null : { seq: proved_seq, root: proved_root as string }
    return { gen, seq, chain, head, proved }
  }
  const requirePosition = (at: Position | null) => {
    const now = position()
    if (now?.gen !== at?.gen || now?.seq !== at?.seq || now?.chain !== at?.chain) throw new CopyMoved(`from ${at?.seq}`)
  }
  const clearStaging = () => db.exec('delete from staged_items; delete from staged_shards')

  return {
    position,
    apply: ({ from, replaces, changes, to }) =>
      inTransaction(() => {
        requirePosition(from)
        if (replaces) {
          tables.items.clear.run()
          begin.run(to.gen, to.seq, to.chain)
        } else {
          move.run(to.seq, to.chain)
        }
        applyTo(tables.items, changes)
      }),
    recordHead: (head) => {
      raiseHead.run(head)
    },
    recordProof: ({ gen, seq }, root) => {
      storeProof.run(seq, root, gen, seq)
    },
    count: () => tables.items.count.get()?.count as number,
    digest: (table = 'items') => digestOf(tables[table]),
    *items() {
      for (let after = ''; ; ) {
        const batch = tables.items.list.all(after, ITEMS_PER_READ) as CopyItem[]
        yield* batch
        if (batch.length < ITEMS_PER_READ) return
        after = (batch.at(-1) as CopyItem).id
      }
    },
    staging: {
      clear: () => inTransaction(clearStaging),
      shardOf: (bucket) => findShard.get(bucket)?.file_sha256 as string | undefined,
      put: ({ bucket, fileSha, rows }) =>
        inTransaction(() => {
          tables.staged_items.clearBucket.run(bucket)
          dropShard.run(bucket)
          for (const { id, state } of rows) tables.staged_items.put.run(id, bucket, sha256Hex(state), state)
          markShard.run(bucket, fileSha)
        }),
      apply: (changes, buckets) =>
        inTransaction(() => {
          for (const bucket of buckets) dropShard.run(bucket)
          applyTo(
            tables.staged_items,
            changes.filter(({ itemId }) => buckets.has(bucketOf(itemId))),
          )
        }),
      count: () => tables.staged_items.count.get()?.count as number,
      adopt: ({ from, to }) =>
        inTransaction(() => {
          requirePosition(from)
          tables.items.clear.run()
          db.exec('insert into items select * from staged_items')
          begin.run(to.gen, to.seq, to.chain)
          clearStaging()
        }),
      adoptBuckets: (at, buckets) =>
        inTransaction(() => {
          requirePosition(at)
          for (const bucket of buckets) {
            tables.items.clearBucket.run(bucket)
            adoptBucket.run(bucket)
          }
          clearStaging()
        }),
    },
    [Symbol.dispose]: () => {
      if (isOurs && db.isOpen) db.close()
    },
  }
}

type PositionRow = Readonly<{
  gen: string | null
  seq: number
  chain: string
  head: number
  proved_seq: number | null
  proved_root: string | null
}>

type Statements = ReturnType<typeof statementsOf>

function statementsOf(db: DatabaseSync, table: CopyTable) {
  return {
    put: db.prepare(
      `insert into ${table} (id, bucket, sha256, state) values (?, ?, ?, ?)
       on conflict (id) do update set sha256 = excluded.sha256, state = excluded.state`,
    ),
    drop: db.prepare(`delete from ${table} where id = ?`),
    clear: db.prepare(`delete from ${table}`),
    clearBucket: db.prepare(`delete from ${table} where bucket = ?`),
    count: db.prepare(`select count(*) as count from ${table}`),
    list: db.prepare(`select id, state from ${table} where id > ? order by id limit ?`),
    bucket: db.prepare(`select id, sha256 from ${table} where bucket = ? order by id`),
  }
}

function applyTo(table: Statements, changes: readonly CheckedChange[]): void {
  for (const { itemId, sha, state, isSuperseded } of changes) {
    if (isSuperseded) continue
    if (state === null) table.drop.run(itemId)
    else table.put.run(itemId, bucketOf(itemId), sha, state)
  }
}

/** By the hashes beside the states; ids compare by bytes, as SQLite does. A bucket at a time is in memory. */
function digestOf(table: Statements): { root: string; buckets: Buffer[] } {
  const buckets = Array.from({ length: 256 }, (_, bucket) => {
    const rows = table.bucket.all(bucket) as { id: string; sha256: string }[]
    if (rows.length === 0) return EMPTY_BUCKET
    return sha256Bytes(...rows.flatMap(({ id, sha256 }) => [`${id}\0`, Buffer.from(sha256, 'hex')]))
  })
  return { root: rootOf(buckets), buckets }
}
const EMPTY_BUCKET = sha256Bytes()
