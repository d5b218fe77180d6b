import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { bucketOf, rootOf, sha256Bytes, sha256Hex } from '@catalog/core/digest.ts'
import type { CheckedChange } from './feed-document.ts'

/** Tables of a copy in SQLite: the items, and staged items on their way into them. */

export type CopyItem = Readonly<{ id: string; state: string }>
/** An item with the columns that follow from it. */
export type CopyRow = CopyItem & Readonly<{ bucket: number; sha256: string }>
export type CopyTable = 'items' | 'staged_items'
export type Digest = Readonly<{ root: string; buckets: readonly Buffer[] }>

/** Version 2 added the identity. Its tables are created beside those of a copy of version 1. */
const SCHEMA_VERSION = 2
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
-- Whose copy it is: one row once the origin proved it, and the keys that the copy trusts.
create table if not exists identity (
  catalog text not null,
  -- Ids of the keys that signed the last state.json, separated by spaces.
  signed_by text not null,
  generated_at text not null,
  valid_until text not null
) strict;
create table if not exists trusted_keys (key_id text primary key, public_key text not null) strict;
`

/** Throws when a later version of the mirror wrote the database. */
export function requireKnownVersion(db: DatabaseSync): void {
  const version = db.prepare('pragma user_version').get()?.user_version as number
  if (version > SCHEMA_VERSION) throw new Error(`the copy has version ${version}, expected at most ${SCHEMA_VERSION}`)
}

/** Creates missing tables and binds a new copy to the scope. Throws when the copy holds another scope. */
export function createTables(db: DatabaseSync, scope: string): void {
  db.exec(`${SCHEMA}; pragma user_version = ${SCHEMA_VERSION}`)
  db.prepare('insert into position (scope) select ? where not exists (select 1 from position)').run(scope)
  const storedScope = db.prepare('select scope from position').get()?.scope
  if (storedScope !== scope) throw new Error(`the copy is of scope ${storedScope}, expected ${scope}`)
}

/** Runs `work` in a transaction that rolls back when it throws. */
export function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('begin immediate')
  try {
    work()
    db.exec('commit')
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}

/** Items of one table. */
export type ItemTable = ReturnType<typeof openItemTable>

export function openItemTable(db: DatabaseSync, table: CopyTable) {
  const upsert = db.prepare(
    `insert into ${table} (id, bucket, sha256, state) values (?, ?, ?, ?)
     on conflict (id) do update set sha256 = excluded.sha256, state = excluded.state`,
  )
  const remove = db.prepare(`delete from ${table} where id = ?`)
  const clearAll = db.prepare(`delete from ${table}`)
  const clearOne = db.prepare(`delete from ${table} where bucket = ?`)
  const countRows = db.prepare(`select count(*) as count from ${table}`)
  const countSome = db.prepare(
    `select count(*) as count from ${table} where bucket in (select value from json_each(?))`,
  )
  const list = db.prepare(`select id, state from ${table} where id > ? order by id limit ?`)
  const listRows = db.prepare(`select id, bucket, sha256, state from ${table} where id > ? order by id limit ?`)
  const hashes = db.prepare(`select id, sha256 from ${table} where bucket = ? order by id`)
  return {
    clear: () => clearAll.run(),
    clearBucket: (bucket: number) => clearOne.run(bucket),
    count: () => countRows.get()?.count as number,
    countIn: (buckets: readonly number[]) => countSome.get(JSON.stringify(buckets))?.count as number,
    put(bucket: number, { id, state }: CopyItem) {
      upsert.run(id, bucket, sha256Hex(state), state)
    },
    apply(changes: readonly CheckedChange[]) {
      for (const { itemId, sha, state, isSuperseded } of changes) {
        if (isSuperseded) continue
        if (state === null) remove.run(itemId)
        else upsert.run(itemId, bucketOf(itemId), sha, state)
      }
    },
    remove: (id: string) => remove.run(id),
    items: () => inBatches<CopyItem>(list),
    rows: () => inBatches<CopyRow>(listRows),
    /** Of one bucket, as stored. */
    hashes: (bucket: number) => hashes.all(bucket) as { id: string; sha256: string }[],
    /** Hashes one bucket at a time, which bounds memory. SQLite compares ids by bytes, as the protocol demands. */
    digest(): Digest {
      const buckets = Array.from({ length: 256 }, (_, bucket) => {
        const rows = hashes.all(bucket) as { id: string; sha256: string }[]
        return sha256Bytes(...rows.flatMap(({ id, sha256 }) => [`${id}\0`, Buffer.from(sha256, 'hex')]))
      })
      return { root: rootOf(buckets), buckets }
    },
  }
}

/** Reads in id order, a batch at a time; the copy may move between batches. */
function* inBatches<Row extends CopyItem>(list: StatementSync): Generator<Row> {
  for (let after = ''; ; ) {
    const batch = list.all(after, ITEMS_PER_READ) as unknown as Row[]
    yield* batch
    if (batch.length < ITEMS_PER_READ) return
    after = (batch.at(-1) as Row).id
  }
}

/** Whether SQLite finds tables and indexes whole, if need be after it made the indexes again. */
export function isSound(db: DatabaseSync): 'whole' | 'reindexed' | 'damaged' {
  const isWhole = () => db.prepare('pragma integrity_check(1)').get()?.integrity_check === 'ok'
  try {
    if (isWhole()) return 'whole'
    db.exec('reindex')
    return isWhole() ? 'reindexed' : 'damaged'
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SQLITE_ERROR') return 'damaged'
    throw error
  }
}
