import pg from 'pg'

/** Runs SQL. Rows come as plain objects; int8 and timestamptz as the types below say. */
export interface Queryable {
  /** One statement with `$1` parameters. bigint columns arrive as bigint, timestamptz as ISO text, bytea as Buffer. */
  query<Row extends object = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
}

/**
 * Postgres, native or embedded, always reached by `pg`. No session state may be used (no SET, advisory locks, LISTEN,
 * temporary tables, named statements): the embedded store has one backend that all clients share.
 */
export interface Store extends Queryable, AsyncDisposable {
  /** Who answers: real Postgres, or PGlite behind its socket. */
  readonly kind: 'postgres' | 'embedded'
  /**
   * Runs the work in one transaction (read committed): committed when it resolves, rolled back when it throws.
   * Deadlocks and serialisation failures are not retried here. Keep it short: on the embedded store all others wait.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  /**
   * The rows of one query by binary COPY: each field as Postgres sends it (network byte order), or null. The fast way out
   * for large bytea values, which `query` receives as hexadecimal text. COPY takes no parameters: see {@link literal}.
   */
  copyOut(sql: string): Promise<(Buffer | null)[][]>
}

export type StoreOptions = Readonly<{
  kind: Store['kind']
  /** postgres://... or, for the embedded store, the folder of its socket. */
  connection: { url: string } | { socketDir: string }
  /** Schema that unqualified names resolve to; made by migrate(). */
  schema?: string
  connectionsMax?: number
}>

/** A statement may run this long: full rebuild queries over millions of rows finish well below it. */
const STATEMENT_TIMEOUT_MS = 120_000
/** A frozen owner of a row lock (SIGSTOP) costs its rivals at most this (notes: 5 s lock, 30 s idle in transaction). */
const LOCK_TIMEOUT_MS = 5_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000

const { builtins } = pg.types
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [builtins.INT8]: BigInt,
  [builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString().replace('.000Z', 'Z'),
}
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS[oid]) || pg.types.getTypeParser(oid, format as 'text')) as never,
}

/** Connects; throws when the server does not answer within 10 s. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const schema = options.schema ?? 'catalog'
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error(`schema '${schema}': expected [a-z_][a-z0-9_]*`)
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
          options: `-c search_path=${schema} -c timezone=UTC -c jit=off`,
          statement_timeout: STATEMENT_TIMEOUT_MS,
          lock_timeout: LOCK_TIMEOUT_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
        }
      : {}),
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const store: Store = {
    kind: options.kind,
    async query<Row extends object>(sql: string, parameters: readonly unknown[] = []) {
      return (await pool.query<Row>(sql, [...parameters])).rows
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
        const result = await work({
          query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
            (await client.query<Row>(sql, [...parameters])).rows,
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
        return copyRows(await copy.bytes)
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

/** What `pg` runs in its queue of queries: it hands over the messages of `copy ... to stdout`. */
class CopyOut implements pg.Submittable {
  readonly #sql: string
  readonly #chunks: Buffer[] = []
  readonly #answer = Promise.withResolvers<Buffer>()
  readonly bytes = this.#answer.promise

  constructor(sql: string) {
    this.#sql = `copy (${sql}) to stdout with binary`
  }
  submit(connection: pg.Connection): void {
    connection.query(this.#sql)
  }
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The connection writes over its buffer.
    this.#chunks.push(Buffer.from(chunk))
  }
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    this.#answer.resolve(Buffer.concat(this.#chunks))
  }
  handleError(error: Error): void {
    this.#answer.reject(error)
  }
}

/** https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format": 11 bytes of signature, flags, extension. */
function copyRows(bytes: Buffer): (Buffer | null)[][] {
  const rows: (Buffer | null)[][] = []
  for (let at = 19 + bytes.readInt32BE(15); ; ) {
    const fieldCount = bytes.readInt16BE(at)
    if (fieldCount < 0) return rows
    at += 2
    const row: (Buffer | null)[] = []
    for (let field = 0; field < fieldCount; field++) {
      const length = bytes.readInt32BE(at)
      at += 4
      row.push(length < 0 ? null : bytes.subarray(at, at + length))
      at += Math.max(0, length)
    }
    rows.push(row)
  }
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
