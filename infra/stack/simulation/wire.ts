import { instant } from '@catalog/core/time.ts'
import { ensureTemplate } from '@catalog/stack/store/template.ts'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { MemoryFiles } from './memory-files.ts'

/**
 * PostgreSQL in this thread, which answers a statement within the call: nothing of a simulated history depends on when
 * a socket becomes readable. Each text is planned once for all histories, which takes ten times as long as a point read.
 */
export type Wire = AsyncDisposable & {
  /** Runs one statement. Throws with the SQLSTATE as `code`. */
  readonly run: <Row extends object = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]) => Row[]
  /** Rolls back the transaction of a history. The next one takes as long as the first, and meets the same tables. */
  readonly reset: () => void
}

export class SqlError extends Error {
  override name = 'SqlError'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Opens a migrated, empty database in memory. */
export async function openWire(): Promise<Wire> {
  const database = new PGlite({
    fs: new MemoryFiles(await ensureTemplate()),
    startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
  })
  await database.waitReady
  await database.exec('set search_path = catalog_live, catalog; set timezone = UTC')
  const run = statements(sender(database)) as Wire['run']
  return { run, reset: resetting(run), [Symbol.asyncDispose]: () => database.close() }
}

const SETTINGS = [
  // A plan for the parameters at hand would be made again for each.
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  'shared_buffers=16MB',
  // Nobody reads the log of changes to the pages, nor counts them.
  'wal_level=minimal',
  'max_wal_senders=0',
  'full_page_writes=off',
  'min_wal_size=32MB',
  'max_wal_size=32MB',
  'track_counts=off',
  'track_activities=off',
]

/** Rows that were rolled back stay in tables and indexes, and every search passes them. */
const HISTORIES_UNTIL_VACUUM = 50

function resetting(run: Wire['run']): () => void {
  const tables = run<{ name: string }>(
    `select oid::regclass as name from pg_class
     where relkind = 'r' and relnamespace in ('catalog_live'::regnamespace, 'catalog'::regnamespace)`,
  )
  const vacuum = `vacuum ${tables.map(({ name }) => name)}`
  let histories = 0
  return () => {
    run('rollback')
    if (++histories % HISTORIES_UNTIL_VACUUM !== 0) return
    run(vacuum)
    // A backend without others makes no checkpoint by itself, and keeps its log of changes until one.
    run('checkpoint')
  }
}

/** Sends messages and returns their answer, past PGlite's own reading of it, which keeps every message for ever. */
function sender(database: PGlite): (messages: Uint8Array) => Buffer {
  let failure: unknown = null
  return (messages) => {
    if (failure !== null) throw failure
    const chunks: Buffer[] = []
    // PGlite runs the statement before it returns the promise. Its memory is overwritten by the next answer.
    const onRawData = (bytes: Uint8Array) => void chunks.push(Buffer.from(bytes))
    database.execProtocolRawStream(messages, { syncToFs: false, onRawData }).catch((error: unknown) => {
      failure = error
    })
    if (chunks.length === 0) throw new Error('PGlite gave no answer within the call')
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  }
}

type Column = Readonly<{ name: string; parse: (text: string) => unknown }>
type Prepared = Readonly<{ name: string; columns: readonly Column[] }>

function statements(send: (messages: Uint8Array) => Buffer) {
  const prepared = new Map<string, Prepared>()
  const bind = binder()
  const prepare = (sql: string): Prepared => {
    const name = `s${prepared.size}`
    const described = message('D', Buffer.concat([Buffer.from('S'), text(name)]))
    const answer = send(
      Buffer.concat([message('P', Buffer.concat([text(name), text(sql), int16(0)])), described, SYNC]),
    )
    const statement = { name, columns: read(answer).columns }
    prepared.set(sql, statement)
    return statement
  }
  return (sql: string, parameters: readonly unknown[] = []) => {
    const { name, columns } = prepared.get(sql) ?? prepare(sql)
    return read(send(bind(name, parameters)), columns).rows
  }
}

/** The messages of one answer: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function read(answer: Buffer, given: readonly Column[] = []) {
  let columns = given
  const rows: Record<string, unknown>[] = []
  for (let at = 0; at < answer.length; ) {
    const kind = answer[at]
    const end = at + 1 + answer.readInt32BE(at + 1)
    if (kind === ERROR_RESPONSE) throw errorIn(answer.subarray(at + 5, end))
    if (kind === ROW_DESCRIPTION) columns = columnsIn(answer.subarray(at + 5, end))
    if (kind === DATA_ROW) rows.push(rowIn(answer.subarray(at + 5, end), columns))
    at = end
  }
  return { columns, rows }
}
const [ERROR_RESPONSE, ROW_DESCRIPTION, DATA_ROW] = [0x45, 0x54, 0x44]

function errorIn(body: Buffer): SqlError {
  const fields = new Map(
    body
      .toString()
      .split('\0')
      .map((field) => [field.charAt(0), field.slice(1)]),
  )
  return new SqlError(fields.get('C') ?? '', fields.get('M') ?? '')
}

function columnsIn(body: Buffer): Column[] {
  const columns: Column[] = []
  for (let at = 2; at < body.length; ) {
    const end = body.indexOf(0, at)
    columns.push({ name: body.toString('utf8', at, end), parse: parserOf(body.readUInt32BE(end + 7)) })
    at = end + 19
  }
  return columns
}

function rowIn(body: Buffer, columns: readonly Column[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  let at = 2
  for (const { name, parse } of columns) {
    const length = body.readInt32BE(at)
    at += 4
    row[name] = length < 0 ? null : parse(body.toString('utf8', at, at + length))
    at += Math.max(0, length)
  }
  return row
}

/** Cells as the Store port promises them: bigint, ISO text, Buffer. */
function parserOf(typeId: number): (text: string) => unknown {
  if (typeId === pg.types.builtins.INT8) return BigInt
  if (typeId === pg.types.builtins.TIMESTAMPTZ) return (text) => instant(new Date(text))
  return pg.types.getTypeParser(typeId, 'text')
}

const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const text = (value: string) => Buffer.from(`${value}\0`)
const message = (kind: string, body: Buffer) => Buffer.concat([Buffer.from(kind), int32(body.length + 4), body])
const SYNC = message('S', Buffer.alloc(0))
const EXECUTED = Buffer.concat([message('E', Buffer.concat([text(''), int32(0)])), SYNC])

/** Writes the messages that run a prepared statement, always into the same bytes: many small ones take longer than the statement. */
function binder(): (name: string, parameters: readonly unknown[]) => Uint8Array {
  let bytes = Buffer.alloc(64 * 1024)
  return (name, parameters) => {
    const cells = parameters.map(cellOf)
    const most = cells.reduce((sum, cell) => sum + 4 + 3 * (cell?.length ?? 0), name.length + 16 + EXECUTED.length)
    if (most > bytes.length) bytes = Buffer.alloc(2 * most)
    let at = bytes.write('B', 0, 'latin1') + 4
    at = bytes.writeInt8(0, at)
    at += bytes.write(name, at, 'latin1')
    at = bytes.writeInt8(0, at)
    at = bytes.writeInt16BE(0, at)
    at = bytes.writeInt16BE(cells.length, at)
    for (const cell of cells) {
      const length = cell === null ? 0 : bytes.write(cell, at + 4)
      bytes.writeInt32BE(cell === null ? -1 : length, at)
      at += 4 + length
    }
    at = bytes.writeInt16BE(0, at)
    bytes.writeInt32BE(at - 1, 1)
    return bytes.subarray(0, at + EXECUTED.copy(bytes, at))
  }
}

const cellOf = (value: unknown): string | null => (value === null || value === undefined ? null : literalOf(value))

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(elementOf)}}`
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return value instanceof Date ? value.toISOString() : String(value)
}

const elementOf = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : `"${literalOf(value).replace(/["\\]/g, '\\$&')}"`
