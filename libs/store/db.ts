import { finished } from 'node:stream/promises'
import { instant } from '@catalog/core/time.ts'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type BinaryRow, type Cells, type CellType, decodeRows, encodeRows } from './binary-copy.ts'
import type { Sealing } from './sealing.ts'

/** Runs SQL. Rows arrive as plain objects; see query for the types of cells. */
export interface Queryable {
  /** One statement with `$1` parameters. bigint columns arrive as bigint, timestamptz as ISO text, bytea as Buffer. */
  query<Row extends object = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** How secrets in it are sealed; absent: they are in clear. */
  readonly sealing?: Sealing | undefined
}

/** A transaction can also insert in bulk. */
export interface Transaction extends Queryable {
  /**
   * Appends rows to a table, with cells in the order of `columns` (name → type). Uses binary COPY. The embedded store
   * gets one JSON parameter, because COPY FROM breaks the connection there. Throws the errors of an insert.
   */
  insertRows(table: string, columns: Readonly<Record<string, CellType>>, rows: readonly Cells[]): Promise<void>
  /**
   * Runs a text that somebody else wrote as the one statement that it must be, by the extended protocol. `query` without
   * parameters would run all that stand in it, also behind a commit. Answers the columns of its rows.
   */
  queryOne(sql: string): Promise<readonly Column[]>
  /** Calls back once the transaction is committed, unless it was rolled back, be it to a savepoint. */
  onCommit(effect: () => void): void
}

/** `typeId` is the OID of its type. */
export type Column = Readonly<{ name: string; typeId: number }>

/**
 * Postgres, native or embedded, always reached through `pg`. Callers must not use session state (SET, advisory locks,
 * LISTEN, temporary tables): all clients of the embedded store share one backend.
 */
export interface Store extends Queryable, AsyncDisposable {
  /** Real Postgres, or PGlite behind its socket. */
  readonly kind: 'postgres' | 'embedded'
  /**
   * Runs the work in one transaction (read committed): commits when it resolves, rolls back when it throws. Does not
   * retry deadlocks and serialisation failures. Keep it short: on the embedded store all other clients wait.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * The rows of one query by binary COPY, each field as Postgres sends it (network byte order), or null. Fast for large
   * bytea values, which `query` receives as hexadecimal text. COPY takes no parameters: see {@link literal}.
   */
  copyOut(sql: string): Promise<BinaryRow[]>
  /** The schema of the tables that are not folded from the log; migrate() creates it. */
  readonly schema: string
  /** Why it refused a write lately; absent, or undefined: it refused none. */
  readonly refusedWrite?: () => WriteRefusal | undefined
  /**
   * The same database through separate connections. Unqualified names refer to another set of read models first, then
   * to `schema`. Serves to fill and compare a build while another is read.
   */
  withReadModels(readModels: string): Promise<Store>
}

/** Why a store that answers takes no writes: it is read-only, or its disk is full or fails. */
export type WriteRefusal = 'read_only' | 'disk'

export type StoreOptions = Readonly<{
  kind: Store['kind']
  /** postgres://..., or the folder of the embedded store's socket. */
  connection: { url: string } | { socketDir: string }
  schema?: string
  /** Schema of the read models, searched first for unqualified names (default: the served ones). */
  readModels?: string
  connectionsMax?: number
  sealing?: Sealing | undefined
}>

/** The schema of the served read models; see builds.ts. */
export const servedSchemaOf = (schema: string): string => `${schema}_live`

/** Full rebuild queries over millions of rows finish well below this. */
const STATEMENT_TIMEOUT_MS = 120_000
/** A frozen owner of a row lock (SIGSTOP) blocks others for at most this long. */
const LOCK_TIMEOUT_MS = 5_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000

const { builtins } = pg.types
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [builtins.INT8]: BigInt,
  [builtins.TIMESTAMPTZ]: (text) => instant(new Date(text)),
}
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS[oid]) || pg.types.getTypeParser(oid, format as 'text')) as never,
}

class StoreAway extends Error {
  override name = 'StoreAway'
}

/** Connects; throws when the server does not answer within 10 s. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const schema = options.schema ?? 'catalog'
  const readModels = options.readModels ?? servedSchemaOf(schema)
  for (const name of [schema, readModels]) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`schema '${name}': expected [a-z_][a-z0-9_]*`)
  }
  // Clients of the embedded store share one backend, whose search path names the served read models. A store over other
  // read models sets the path in each transaction.
  const setPath =
    options.kind === 'embedded' && options.readModels !== undefined
      ? `set local search_path = ${readModels}, ${schema}`
      : null
  const pool = openPool(options, `${readModels},${schema}`)
  const statement = options.kind === 'postgres' ? namedStatements() : unnamedStatement
  const transaction: Store['transaction'] = async (work) => {
    let effects: (() => void)[] = []
    const result = await inTransaction(pool, async (client) => {
      if (setPath !== null) await client.query(setPath)
      const query: Queryable['query'] = async <Row extends object>(
        sql: string,
        parameters: readonly unknown[] = [],
      ) => {
        if (sql.startsWith('rollback to savepoint')) effects = []
        return (await client.query<Row>(statement(sql, parameters))).rows
      }
      const insertRows: Transaction['insertRows'] = async (table, columns, rows) => {
        if (rows.length === 0) return
        if (options.kind === 'embedded') await query(...insertOf(table, columns, rows))
        else await copyIn(client, table, columns, rows)
      }
      const queryOne = async (text: string) => {
        const { fields } = await client.query({ text, values: [], queryMode: 'extended' } as pg.QueryConfig)
        return fields.map(({ name, dataTypeID: typeId }) => ({ name, typeId }))
      }
      const onCommit = (effect: () => void) => effects.push(effect)
      return work({ query, insertRows, queryOne, onCommit, sealing: options.sealing })
    })
    for (const effect of effects) effect()
    return result
  }
  const store: Store = {
    kind: options.kind,
    schema,
    sealing: options.sealing,
    withReadModels: (readModels) => openStore({ ...options, readModels }),
    async query<Row extends object>(sql: string, parameters: readonly unknown[] = []) {
      if (setPath !== null) return transaction((tx) => tx.query<Row>(sql, parameters))
      return (await pool.query<Row>(statement(sql, parameters))).rows
    },
    transaction,
    copyOut: (sql) => copyOut(pool, sql),
    [Symbol.asyncDispose]: () => pool.end(),
  }
  try {
    await store.query('select 1')
  } catch (cause) {
    await pool.end().catch(() => {})
    throw new StoreAway('the store does not answer; expected a running Postgres (DATABASE_URL) or `catalog up`', {
      cause,
    })
  }
  return store
}

/** Long texts compress in a quarter of the time by LZ4, which some builds of the server lack. */
const COMPRESS_QUICKLY = `select set_config(name, 'lz4', false) from pg_settings
  where name = 'default_toast_compression' and 'lz4' = any(enumvals)`

function openPool(options: StoreOptions, searchPath: string): pg.Pool {
  const pool = new pg.Pool({
    ...('url' in options.connection
      ? { connectionString: options.connection.url }
      : { host: options.connection.socketDir, port: 5432, user: 'postgres', database: 'postgres' }),
    max: options.connectionsMax ?? 8,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types,
    // Start-up parameters instead of SET: they belong to the connection, and the embedded store ignores them.
    ...(options.kind === 'postgres'
      ? {
          // Compiling takes longer than any of our many short statements.
          options:
            `-c search_path=${searchPath} -c timezone=UTC -c jit=off` +
            // A build loses its checkpoint with its rows when the server crashes, and reads both from the log again.
            (options.readModels === undefined ? '' : ' -c synchronous_commit=off'),
          statement_timeout: STATEMENT_TIMEOUT_MS,
          lock_timeout: LOCK_TIMEOUT_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
          onConnect: (client: pg.ClientBase) => client.query(COMPRESS_QUICKLY),
        }
      : {}),
  })
  // The pool replaces an idle connection that breaks; without a listener its error would end the process.
  pool.on('error', () => {})
  return pool
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection that dies while checked out reports here; the running query rejects as well.
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

async function copyIn(
  client: pg.PoolClient,
  ...[table, columns, rows]: Parameters<Transaction['insertRows']>
): Promise<void> {
  const bytes = encodeRows(Object.values(columns), rows)
  const names = Object.keys(columns).map(quoted)
  const stream = client.query(copyFrom(`copy ${table} (${names}) from stdin with binary`))
  stream.end(bytes)
  await finished(stream)
}

async function copyOut(pool: pg.Pool, sql: string): Promise<BinaryRow[]> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const stream = client.query(copyTo(`copy (${sql}) to stdout with binary`))
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    await finished(stream)
    return decodeRows(Buffer.concat(pieces))
  } catch (error) {
    // The server may still be sending; a new connection is cheap.
    broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

const unnamedStatement = (text: string, parameters: readonly unknown[]): pg.QueryConfig => ({
  text,
  values: [...parameters],
})

/** Prepared statements per connection; queries assembled from filters have many more texts. */
const NAMED_STATEMENTS_MAX = 200

/**
 * Names a statement by its text, so that a connection plans it only a few times: planning takes several times as long
 * as our point reads. Not for the embedded store, whose clients share one backend where names would collide.
 */
function namedStatements(): typeof unnamedStatement {
  const names = new Map<string, string>()
  return (text, parameters) => {
    const config = unnamedStatement(text, parameters)
    // A text without parameters may hold several statements, which cannot be prepared.
    if (parameters.length === 0) return config
    let name = names.get(text)
    if (name === undefined && names.size < NAMED_STATEMENTS_MAX) {
      name = `s${names.size}`
      names.set(text, name)
    }
    return name === undefined ? config : { ...config, name }
  }
}

const quoted = (name: string) => pg.escapeIdentifier(name)

/** Refuses texts such as 'yesterday', which Postgres would accept here and binary COPY cannot express. */
const jsonCell = (type: CellType | undefined, cell: Cells[number]) =>
  type === 'timestamptz' && cell !== null ? new Date(String(cell)).toISOString() : cell

/** An insert of the rows by one statement with one JSON parameter, for servers without COPY. */
export function insertOf(
  table: string,
  columns: Readonly<Record<string, CellType>>,
  rows: readonly Cells[],
): [sql: string, parameters: [string]] {
  const names = Object.keys(columns)
  const batch = Object.entries(columns).map(([name, type]) => `${quoted(name)} ${type === 'bytea' ? 'text' : type}`)
  const cells = names.map((name) => (columns[name] === 'bytea' ? `decode(${quoted(name)}, 'hex')` : quoted(name)))
  return [
    `insert into ${table} (${names.map(quoted)}) select ${cells} from jsonb_to_recordset($1::jsonb) as batch (${batch})`,
    [
      rowsParameter(
        rows.map((row) => Object.fromEntries(names.map((name, i) => [name, jsonCell(columns[name], row[i] ?? null)]))),
      ),
    ],
  ]
}

/** Runs a statement that ends in `returning`, on at most one row; true when it affected that row. */
export async function affectsRow(db: Queryable, sql: string, parameters: readonly unknown[]): Promise<boolean> {
  return (await db.query(sql, parameters)).length === 1
}

/** Quotes a text as an SQL literal, for statements without parameters. */
export const literal = (text: string): string => pg.escapeLiteral(text)

/**
 * Encodes rows as one JSON parameter for `jsonb_to_recordset($1)`. It avoids the limit of 65,535 parameters, works on
 * both stores, and is the fastest way into PGlite. A bigint becomes text, which Postgres reads back as int8.
 */
export function rowsParameter(rows: readonly object[]): string {
  // A replacer would be called for every value of every row.
  return JSON.stringify(rows.map(withTexts))
}

/** Runs a statement whose one parameter is these rows. */
export const queryRows = <Row extends object>(db: Queryable, sql: string, rows: readonly object[]) =>
  db.query<Row>(sql, [rowsParameter(rows)])

function withTexts(row: object): object {
  const numbers = Object.entries(row).filter(([, value]) => typeof value === 'bigint')
  if (numbers.length === 0) return row
  return { ...row, ...Object.fromEntries(numbers.map(([key, value]) => [key, String(value)])) }
}
