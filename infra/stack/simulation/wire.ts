import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instant } from '@catalog/core/time.ts'
import { DATA_FOLDER } from '@catalog/store/embedded/embedded.ts'
import { copyTemplate, ensureTemplate } from '@catalog/store/embedded/template.ts'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

/**
 * PostgreSQL in this thread, which answers a statement within the call: nothing of a simulated history depends on when
 * a socket becomes readable. Each text is planned once for all histories, which takes ten times as long as a point read.
 */
export type Wire = AsyncDisposable & {
  /** Runs one statement. Throws with the SQLSTATE as `code`. */
  readonly run: <Row extends object = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]) => Row[]
}

export class SqlError extends Error {
  override name = 'SqlError'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Opens a migrated, empty database in a temporary folder, which disposal removes. */
export async function openWire(): Promise<Wire> {
  await ensureTemplate()
  const folder = mkdtempSync(join(tmpdir(), 'catalog-simulation-'))
  copyTemplate(folder)
  // A plan for the parameters at hand would be made again for each; fsync would wait for files that nobody reads.
  const settings = ['plan_cache_mode=force_generic_plan', 'fsync=off', 'jit=off', 'shared_buffers=16MB']
  const database = new PGlite(join(folder, DATA_FOLDER), {
    startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])],
  })
  await database.waitReady
  await database.exec('set search_path = catalog_live, catalog; set timezone = UTC')
  const run = statements((message) => Buffer.from(database.execProtocolRawSync(message)))
  return {
    run: run as Wire['run'],
    async [Symbol.asyncDispose]() {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Column = Readonly<{ name: string; parse: (text: string) => unknown }>
type Prepared = Readonly<{ name: string; columns: readonly Column[] }>

function statements(send: (message: Buffer) => Buffer) {
  const prepared = new Map<string, Prepared>()
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
    const bound = Buffer.concat([
      text(''),
      text(name),
      int16(0),
      int16(parameters.length),
      ...parameters.map(cell),
      int16(0),
    ])
    return read(send(Buffer.concat([message('B', bound), EXECUTE, SYNC])), columns).rows
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
const EXECUTE = message('E', Buffer.concat([text(''), int32(0)]))

function cell(value: unknown): Buffer {
  if (value === null || value === undefined) return int32(-1)
  const bytes = Buffer.from(literalOf(value))
  return Buffer.concat([int32(bytes.length), bytes])
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(elementOf)}}`
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return value instanceof Date ? value.toISOString() : String(value)
}

const elementOf = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : `"${literalOf(value).replace(/["\\]/g, '\\$&')}"`
