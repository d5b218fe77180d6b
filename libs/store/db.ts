import { instant } from '@catalog/core/time.ts'
import pg from 'pg'

/** Runs SQL. Rows come as plain objects; int8 and timestamptz as the types below say. */
export interface Queryable {
  /** One statement with `$1` parameters. bigint columns arrive as bigint, timestamptz as ISO text, bytea as Buffer. */
  query<Row extends object = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
}

/** What a transaction can do besides. */
export interface Transaction extends Queryable {
  /**
   * Appends rows to a table, their cells in the order of `columns` (name → type): by binary COPY, on the embedded store by
   * one JSON parameter, because COPY FROM breaks the connection there. Throws what an insert throws.
   */
  insertRows(table: string, columns: Readonly<Record<string, CellType>>, rows: readonly Cells[]): Promise<void>
}

/** bytea is given as hexadecimal text, timestamptz as ISO 8601 text with Z. */
export type CellType = 'int4' | 'int8' | 'text' | 'bytea' | 'timestamptz'
export type Cells = readonly (string | number | bigint | null)[]

/**
 * Postgres, native or embedded, always reached by `pg`. No session state may be used (no SET, advisory locks, LISTEN,
 * temporary tables): the embedded store has one backend that all clients share.
 */
export interface Store extends Queryable, AsyncDisposable {
  /** Who answers: real Postgres, or PGlite behind its socket. */
  readonly kind: 'postgres' | 'embedded'
  /**
   * Runs the work in one transaction (read committed): committed when it resolves, rolled back when it throws.
   * Deadlocks and serialisation failures are not retried here. Keep it short: on the embedded store all others wait.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * The rows of one query by binary COPY: each field as Postgres sends it (network byte order), or null. The fast way out
   * for large bytea values, which `query` receives as hexadecimal text. COPY takes no parameters: see {@link literal}.
   */
  copyOut(sql: string): Promise<(Buffer | null)[][]>
  /** The schema of what is not folded from the log; made by migrate(). */
  readonly schema: string
  /**
   * The same database, with connections of its own, for which unqualified names are those of another set of read models,
   * then those of `schema`: how a build is filled and compared while the served one is read.
   */
  beside(readModels: string): Promise<Store>
}

export type StoreOptions = Readonly<{
  kind: Store['kind']
  /** postgres://... or, for the embedded store, the folder of its socket. */
  connection: { url: string } | { socketDir: string }
  schema?: string
  /** Schema of the read models, which unqualified names are looked up in first (default: the served ones). */
  readModels?: string
  connectionsMax?: number
}>

/** The schema of the read models that are served; see builds.ts. */
export const servedSchemaOf = (schema: string): string => `${schema}_live`

/** A statement may run this long: full rebuild queries over millions of rows finish well below it. */
const STATEMENT_TIMEOUT_MS = 120_000
/** A frozen owner of a row lock (SIGSTOP) costs its rivals at most this (notes: 5 s lock, 30 s idle in transaction). */
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

/** Connects; throws when the server does not answer within 10 s. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const schema = options.schema ?? 'catalog'
  const readModels = options.readModels ?? servedSchemaOf(schema)
  for (const name of [schema, readModels]) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`schema '${name}': expected [a-z_][a-z0-9_]*`)
  }
  // The embedded store's clients share one backend, whose path is that of the served read models: others set theirs for
  // each transaction.
  const path =
    options.kind === 'embedded' && options.readModels !== undefined
      ? `set local search_path = ${readModels}, ${schema}`
      : null
  const pool = new pg.Pool({
    ...('url' in options.connection
      ? { connectionString: options.connection.url }
      : { host: options.connection.socketDir, port: 5432, user: 'postgres', database: 'postgres' }),
    max: options.connectionsMax ?? 8,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types,
    // Start-up parameters, not SET: they belong to the connection and are inert on the embedded store.
    ...(options.kind === 'postgres'
      ? {
          // Compiling takes longer than any of our statements, which are many and short.
          options:
            `-c search_path=${readModels},${schema} -c timezone=UTC -c jit=off` +
            // What a build loses with its server it reads again, and its checkpoint is lost with it.
            (options.readModels === undefined ? '' : ' -c synchronous_commit=off'),
          statement_timeout: STATEMENT_TIMEOUT_MS,
          lock_timeout: LOCK_TIMEOUT_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
        }
      : {}),
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const statement = options.kind === 'postgres' ? namedStatements() : unnamedStatement
  const store: Store = {
    kind: options.kind,
    schema,
    beside: (readModels) => openStore({ ...options, readModels }),
    async query<Row extends object>(sql: string, parameters: readonly unknown[] = []) {
      if (path !== null) return store.transaction((tx) => tx.query<Row>(sql, parameters))
      return (await pool.query<Row>(statement(sql, parameters))).rows
    },
    async transaction(work) {
      const client = await pool.connect()
      let broken: Error | undefined
      // A connection that dies while it is checked out reports here; the running query rejects as well.
      const onError = (error: Error) => {
        broken = error
      }
      client.on('error', onError)
      try {
        await client.query('begin')
        if (path !== null) await client.query(path)
        const query: Queryable['query'] = async <Row extends object>(
          sql: string,
          parameters: readonly unknown[] = [],
        ) => (await client.query<Row>(statement(sql, parameters))).rows
        const result = await work({
          query,
          async insertRows(table, columns, rows) {
            if (rows.length === 0) return
            if (options.kind === 'embedded') {
              await query(...insertOf(table, columns, rows))
              return
            }
            const bytes = copyBytes(Object.values(columns), rows)
            const copy = new CopyIn(`copy ${table} (${Object.keys(columns).map(quoted)}) from stdin with binary`, bytes)
            client.query(copy)
            await copy.done
          },
        })
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
    },
    async copyOut(sql) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        const copy = new CopyOut(sql)
        client.query(copy)
        return (await copy.messages).flatMap(copyRow)
      } catch (error) {
        // Whether the server is still sending is not known here, and a new connection is cheap.
        broken = error as Error
        throw error
      } finally {
        client.release(broken)
      }
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
    },
  }
  try {
    await store.query('select 1')
  } catch (cause) {
    await pool.end().catch(() => {})
    throw new Error('the store does not answer; expected a running Postgres (DATABASE_URL) or `catalog up`', { cause })
  }
  return store
}

const unnamedStatement = (text: string, parameters: readonly unknown[]): pg.QueryConfig => ({
  text,
  values: [...parameters],
})

/** Every connection keeps the plans of so many statements; texts that are put together from filters are many more. */
const NAMED_STATEMENTS_MAX = 200

/**
 * Names a statement by its text, so that a connection plans it a few times and not always: planning takes several times
 * as long as running our point reads. The embedded store's clients share one backend, where names would collide.
 */
function namedStatements(): typeof unnamedStatement {
  const names = new Map<string, string>()
  return (text, parameters) => {
    const config = unnamedStatement(text, parameters)
    // Without parameters it may be several statements in one text, which no name can stand for.
    if (parameters.length === 0) return config
    let name = names.get(text)
    if (name === undefined && names.size < NAMED_STATEMENTS_MAX) {
      name = `s${names.size}`
      names.set(text, name)
    }
    return name === undefined ? config : { ...config, name }
  }
}

/** What `pg` runs in its queue of queries: it hands over the messages of `copy ... to stdout`. */
class CopyOut implements pg.Submittable {
  readonly #sql: string
  readonly #messages: Buffer[] = []
  readonly #answer = Promise.withResolvers<Buffer[]>()
  readonly messages = this.#answer.promise

  constructor(sql: string) {
    this.#sql = `copy (${sql}) to stdout with binary`
  }
  submit(connection: pg.Connection): void {
    connection.query(this.#sql)
  }
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The connection writes over its buffer.
    this.#messages.push(Buffer.from(chunk))
  }
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    this.#answer.resolve(this.#messages)
  }
  handleError(error: Error): void {
    this.#answer.reject(error)
  }
}

/** The other way: it sends the bytes when the server is ready for them. */
class CopyIn implements pg.Submittable {
  readonly #sql: string
  readonly #bytes: Buffer
  readonly #answer = Promise.withResolvers<void>()
  readonly done = this.#answer.promise

  constructor(sql: string, bytes: Buffer) {
    this.#sql = sql
    this.#bytes = bytes
  }
  submit(connection: pg.Connection): void {
    connection.query(this.#sql)
  }
  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#bytes)
    connection.endCopyFrom()
  }
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    this.#answer.resolve()
  }
  handleError(error: Error): void {
    this.#answer.reject(error)
  }
}

/** What `pg` has and its types leave out. */
type CopyConnection = {
  sendCopyFromChunk(bytes: Buffer): void
  endCopyFrom(): void
}

/** Between 1970 and 2000, where Postgres counts microseconds from. */
const EPOCH_2000_MS = Date.UTC(2000, 0, 1)
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** A UTF-16 code unit becomes so many bytes of UTF-8 at most. */
const UTF8_BYTES_MAX = 3
/** Of a cell of fixed length, and of its length before it. */
const FIXED_BYTES_MAX = 8
const LENGTH_BYTES = 4

/** The rows in the binary format of COPY. */
function copyBytes(types: readonly CellType[], rows: readonly Cells[]): Buffer {
  // What a text takes at most is known from its length: looking at long texts twice takes twice as long.
  const isFixed = types.map((type) => type !== 'text' && type !== 'bytea')
  let size = SIGNATURE.length + 2 + rows.length * (2 + types.length * (LENGTH_BYTES + FIXED_BYTES_MAX))
  for (const row of rows) {
    for (let i = 0; i < types.length; i++) if (!isFixed[i]) size += String(row[i] ?? '').length * UTF8_BYTES_MAX
  }
  const bytes = Buffer.allocUnsafe(size)
  let at = SIGNATURE.copy(bytes)
  for (const row of rows) {
    at = bytes.writeInt16BE(types.length, at)
    for (let i = 0; i < types.length; i++) {
      const cell = row[i] ?? null
      const type = types[i]
      if (cell === null) at = bytes.writeInt32BE(-1, at)
      else if (type === 'int4') at = bytes.writeInt32BE(Number(cell), bytes.writeInt32BE(4, at))
      else if (type === 'int8') {
        at = bytes.writeInt32BE(8, at)
        at = typeof cell === 'number' ? writeInteger(bytes, cell, at) : bytes.writeBigInt64BE(BigInt(cell), at)
      } else if (type === 'timestamptz') at = writeInteger(bytes, microseconds(cell), bytes.writeInt32BE(8, at))
      else {
        const text = String(cell)
        const length = bytes.write(text, at + LENGTH_BYTES, type === 'text' ? 'utf8' : 'hex')
        // What is no hexadecimal digit ends the writing without a word; Postgres would refuse it.
        if (type === 'bytea' && length * 2 !== text.length) throw new NotHexadecimal(text)
        bytes.writeInt32BE(length, at)
        at += LENGTH_BYTES + length
      }
    }
  }
  at = bytes.writeInt16BE(-1, at)
  return bytes.subarray(0, at)
}

/** A value of bytea that holds no whole bytes; with the code that Postgres has for it. */
class NotHexadecimal extends Error {
  override name = 'NotHexadecimal'
  readonly code = '22023'
  constructor(text: string) {
    super(`'${text.slice(0, 100)}': expected whole bytes as hexadecimal digits`)
  }
}

/** As int8, which by a bigint takes several times as long. Throws RangeError on what is no safe integer. */
function writeInteger(bytes: Buffer, integer: number, at: number): number {
  if (!Number.isSafeInteger(integer)) throw new RangeError(`${integer}: expected an integer of at most 53 bits`)
  return bytes.writeUInt32BE(integer >>> 0, bytes.writeInt32BE(Math.floor(integer / 2 ** 32), at))
}

/** NaN on what is no instant. */
const microseconds = (instant: Exclude<Cells[number], null>) => (Date.parse(String(instant)) - EPOCH_2000_MS) * 1000

const quoted = (name: string) => pg.escapeIdentifier(name)

/** Postgres would take 'yesterday' for an instant, which COPY in binary cannot say. */
const jsonCell = (type: CellType | undefined, cell: Cells[number]) =>
  type === 'timestamptz' && cell !== null ? new Date(String(cell)).toISOString() : cell

/** The same rows as one statement with one JSON parameter. */
function insertOf(
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

/**
 * The row that a message holds (the server sends one in each); none in the last one. The first begins with 11 bytes of
 * signature, flags and an extension: https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format".
 */
function copyRow(message: Buffer, index: number): (Buffer | null)[][] {
  let at = index === 0 ? SIGNATURE.length : 0
  // The header may come by itself.
  if (at === message.length) return []
  const fieldCount = message.readInt16BE(at)
  if (fieldCount < 0) return []
  at += 2
  const row: (Buffer | null)[] = []
  for (let field = 0; field < fieldCount; field++) {
    const length = message.readInt32BE(at)
    at += 4
    row.push(length < 0 ? null : message.subarray(at, at + length))
    at += Math.max(0, length)
  }
  return [row]
}

/** A text as an SQL literal, for statements that take no parameters. */
export const literal = (text: string): string => pg.escapeLiteral(text)

/**
 * Rows as one JSON parameter for `jsonb_to_recordset($1)`: no limit of 65,535 parameters, works on both stores, and is
 * the fastest way into PGlite. bigint becomes text that Postgres reads back as int8.
 */
export function rowsParameter(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}
