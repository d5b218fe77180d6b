import { chmodSync, rmSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

/** Tables of a replica in SQLite. Every row follows from the store, so a file is deleted rather than migrated. */

/** Part of the file's name: another version of the code fills a file of its own. */
export const TABLES_VERSION = 7

const TABLES = withChecksums(`
-- Active items. A page of the catalog is one range of this table, so that rows hold only what lists show or select by.
create table items (
  item_id text primary key,
  seq integer not null,
  item_json text not null,
  names_json text,
  folded_name text not null,
  category_id text,
  kind text,
  unit text,
  currency text,
  cents integer,
  updated_ms integer not null,
  cpv text,
  -- Its regions as a JSON array, for counts.
  regions text not null,
  -- The order of lists by name; index entries and cursors are bounded.
  name_key text generated always as (substr(folded_name, 1, 100)) virtual
) strict, without rowid;
create index items_seq on items (seq);
create index items_category on items (category_id, item_id);
-- The items of a category that changed last.
create index items_category_seq on items (category_id, seq);
create index items_kind on items (kind, item_id);
create index items_unit on items (unit, item_id);
create index items_price on items (currency, cents, item_id);
create index items_cpv on items (cpv) where cpv is not null;
create index items_name on items (name_key, item_id);

-- Items that were merged, or are gone.
create table former_items (
  item_id text primary key,
  seq integer not null,
  merged_into text
) strict, without rowid;

create table item_regions (
  region text,
  item_id text,
  primary key (region, item_id)
) strict, without rowid;
create index item_regions_item on item_regions (item_id);
create table item_markets (
  item_id text,
  region text,
  median_json text,
  currency text,
  cents integer,
  primary key (item_id, region)
) strict, without rowid;
create index item_markets_price on item_markets (region, currency, cents, item_id);

create table bases (
  item_id text primary key,
  basis text not null
) strict, without rowid;
-- The SKUs of an item in its order.
create table item_skus (
  item_id text,
  place integer,
  vendor_sku_id text not null,
  primary key (item_id, place)
) strict, without rowid;
create index item_skus_sku on item_skus (vendor_sku_id);

-- The present price of a SKU as details show it: JSON before and after its source; null without a price.
create table skus (
  vendor_sku_id text primary key,
  source_id text not null,
  json_before text,
  json_after text,
  -- The source when the price was read; details prefer that of a registered source.
  source_json text,
  -- The legal vendor by the same name.
  vendor text,
  -- The prices that nobody retracted.
  observations integer not null
) strict, without rowid;
create index skus_source on skus (source_id);
-- source_json is null while a source is not registered.
create table sources (
  source_id text primary key,
  fields text not null,
  source_json text,
  -- The legal vendor; null while its name is unknown.
  vendor text
) strict, without rowid;

-- All points of a year in one row: a filling writes a third of the rows, and a change rewrites a bounded text.
create table price_points (
  item_id text,
  market text,
  year integer,
  -- JSON array of [microseconds since 1970, cents, currency], ascending.
  points text not null,
  primary key (item_id, market, year)
) strict, without rowid;

create table categories (
  category_id text primary key,
  parent_id text,
  name text not null
) strict, without rowid;
create index categories_parent on categories (parent_id, category_id);
-- By offset of catalog.items.
create table runs (
  offset integer primary key,
  as_of text not null,
  as_of_ms integer not null,
  seq integer not null
) strict;

-- The feeds: changes by their number, their numbers in each scope, and the digests of this generation.
create table changes (
  seq integer primary key,
  item_id text not null,
  version integer not null,
  updated_us integer not null,
  state_sha blob not null,
  state text,
  merged_into text,
  former_median text
) strict;
create index changes_item on changes (item_id, seq);
create table change_scopes (
  scope text,
  rseq integer,
  seq integer not null,
  op text not null,
  chain blob not null,
  primary key (scope, rseq)
) strict, without rowid;
create table digests (
  mark integer,
  scope text,
  seq integer not null,
  count integer not null,
  buckets blob not null,
  state_root text not null,
  -- The catalog and the signatures as JSON; null for a digest without.
  signed text,
  primary key (mark, scope)
) strict;
-- The state of the feeds as JSON: one row.
create table feed_state (
  only integer primary key check (only = 1),
  json text not null
) strict;
create index runs_seq on runs (seq);

-- Whose copy the file is: one row, written with the tables. A file of another catalog may bear the same name.
create table origin (
  only integer primary key check (only = 1),
  catalog text not null,
  tables_version integer not null,
  gen text not null,
  build integer not null,
  -- 0 while the process that writes checks a file that an earlier one left.
  is_checked integer not null
) strict;
-- Where the replica stands: one row, once it was filled.
create table position (
  only integer primary key check (only = 1),
  -- JSON of the version that the rows reach at least.
  version text not null
) strict;
`)

/**
 * Adds the checksum of each row: a stored column, so that the writes need not know it. Reads of a row do not compute it.
 */
function withChecksums(tables: string): string {
  return tables.replace(/(?<=^create table \w+ \(\n).*?(?=(?:,\n {2}primary key [^\n]*)?\n\) strict)/gms, (columns) => {
    const names = [...columns.matchAll(/^ {2}(\w+) (?!.* generated )/gm)].map(([, name]) => name)
    return `${columns},\n  row_crc integer not null generated always as (crc_of(${names.join(', ')})) stored`
  })
}

/** One statement each. */
const INDEXES = /^create index .*;$/gm

/** Adds the indexes of new tables. A filling does it last: an entry in the order of the rows costs a multiple. */
export function addIndexes(tables: Tables): void {
  tables.transaction(() => {
    for (const [statement] of TABLES.matchAll(INDEXES)) tables.run(statement)
  })
}

/** In place of a file: tables in memory. */
export const MEMORY = ':memory:'
/** 64 MB of pages in each process, beside those that the system caches. */
const CACHE_KIB = 65_536
/** The writer commits within milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

/** A database with prepared statements. */
export type Tables = Disposable &
  Readonly<{
    all: <Row>(sql: string, ...values: SQLInputValue[]) => Row[]
    /** Rows as arrays of their columns: objects take half as long again. */
    arrays: <Row extends readonly unknown[]>(sql: string, ...values: SQLInputValue[]) => Row[]
    get: <Row extends object>(sql: string, ...values: SQLInputValue[]) => Row | undefined
    run: (sql: string, ...values: SQLInputValue[]) => void
    /** Reads one state of the file, whatever another process writes meanwhile. */
    read: <T>(work: (tables: Tables) => T) => T
    /** Runs `work` in a transaction that rolls back when it throws. */
    transaction: (work: () => void) => void
    /** What is wrong with the file, once a read, a write or a check found it: nothing should be read from it any more. */
    damage: () => unknown
    isTorn: () => boolean
    tear: (damage: unknown) => void
    /**
     * Says that a row could not be shown, for its bytes or for a fault of the code. Returns whether the file is out of use
     * until a check found which; false for some time after one found no damage.
     */
    suspect: (error: unknown) => boolean
    /** What was suspected last, while nothing was checked since. */
    suspicion: () => unknown
    /** A check found no damage. */
    trust: (untilMs: number) => void
  }>

/** Opens a file for reading. Throws when it does not exist. */
export function openTables(file: string, cacheKib = CACHE_KIB): Tables {
  return tablesOf(new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS }), { cacheKib, isWriter: false })
}

/**
 * Opens a file for writing; creates it with its tables, and again where it is torn. Nobody else on the host may read it: it
 * holds what only details show.
 */
export function createTables(file: string): Tables {
  try {
    return openForWriting(file)
  } catch (error) {
    if (!isFileError(error)) throw error
    removeTables(file)
    return openForWriting(file)
  }
}

export function removeTables(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

/** SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_CANTOPEN and SQLITE_NOTADB; the low byte of extended codes. */
const FILE_ERRORS = [10, 11, 14, 26]

/** Whether the file is at fault, and not the statement. */
export const isFileError = (error: unknown): boolean =>
  FILE_ERRORS.includes(((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff)

/**
 * Whether a row that a replica gave cannot be shown: bytes that are no JSON, a field that is missing, a number out of range.
 * A fault of the code may be the same error.
 */
export const isRowError = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError

/** CRC-32 of the values of a row with their types and lengths, signed: SQLite keeps it in four bytes. */
function crcOf(...values: readonly SQLOutputValue[]): number {
  let text = ''
  for (const value of values) {
    if (value === null) text += 'n'
    else if (typeof value === 'string') text += `${value.length}:${value}`
    else if (value instanceof Uint8Array) text += `b${Buffer.from(value).toString('latin1')};`
    else text += `${value};`
  }
  return crc32(text) | 0
}

function openForWriting(file: string): Tables {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    addFunctions(db)
    if (file !== MEMORY) chmodSync(file, 0o600)
    // A power failure may lose the last transactions, rows and position together; they are copied again.
    db.exec('pragma journal_mode = wal; pragma synchronous = normal')
    const isEmpty = db.prepare(`select 1 from sqlite_schema where name = 'position'`).get() === undefined
    if (isEmpty) db.exec(`begin; ${TABLES.replace(INDEXES, '')}; commit`)
    return tablesOf(db)
  } catch (error) {
    db.close()
    throw error
  }
}

const addFunctions = (db: DatabaseSync) => db.function('crc_of', { deterministic: true, varargs: true }, crcOf)

function tablesOf(db: DatabaseSync, { cacheKib = CACHE_KIB, isWriter = true } = {}): Tables {
  addFunctions(db)
  // Not mapped into memory: a file that somebody truncates would end the process with SIGBUS.
  db.exec(`pragma cache_size = -${cacheKib}; pragma mmap_size = 0`)
  let damage: unknown
  let suspicion: unknown
  let trustedUntilMs = 0
  /** Every read and write passes here, so that a bad page is met once. */
  function checked<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (isFileError(error)) damage ??= error
      throw error
    }
  }
  const statements = new Map<string, StatementSync>()
  const arrayStatements = new Map<string, StatementSync>()
  const statement = (sql: string) => preparedIn(statements, sql, () => db.prepare(sql))
  const arrayStatement = (sql: string) =>
    preparedIn(arrayStatements, sql, () => {
      const prepared = db.prepare(sql)
      prepared.setReturnArrays(true)
      return prepared
    })
  const tables: Tables = {
    all: <Row>(sql: string, ...values: SQLInputValue[]) => checked(() => statement(sql).all(...values)) as Row[],
    arrays: <Row extends readonly unknown[]>(sql: string, ...values: SQLInputValue[]) =>
      checked(() => arrayStatement(sql).all(...values)) as unknown as Row[],
    get: <Row extends object>(sql: string, ...values: SQLInputValue[]) =>
      checked(() => statement(sql).get(...values)) as Row | undefined,
    run(sql, ...values) {
      checked(() => statement(sql).run(...values))
    },
    read(work) {
      // Nobody else writes, and no write comes between two reads of one call.
      if (isWriter) return work(tables)
      tables.run('begin')
      try {
        return work(tables)
      } finally {
        if (db.isTransaction) tables.run('commit')
      }
    },
    transaction(work) {
      checked(() => db.exec('begin immediate'))
      try {
        work()
        checked(() => db.exec('commit'))
      } catch (error) {
        // Some errors, such as a full disk, have ended the transaction already.
        if (db.isTransaction) db.exec('rollback')
        throw error
      }
    },
    damage: () => damage,
    isTorn: () => damage !== undefined,
    tear(found) {
      damage ??= found
    },
    suspect(error) {
      if (performance.now() < trustedUntilMs) return false
      suspicion ??= error
      return true
    },
    suspicion: () => suspicion,
    trust(untilMs) {
      suspicion = undefined
      trustedUntilMs = untilMs
    },
    [Symbol.dispose]() {
      statements.clear()
      arrayStatements.clear()
      if (db.isOpen) db.close()
    },
  }
  return tables
}

function preparedIn(known: Map<string, StatementSync>, sql: string, prepare: () => StatementSync): StatementSync {
  let prepared = known.get(sql)
  if (prepared === undefined) {
    if (known.size >= STATEMENTS_MAX) known.clear()
    prepared = prepare()
    known.set(sql, prepared)
  }
  return prepared
}

/** Lists by any filters have some hundred texts. */
const STATEMENTS_MAX = 500
