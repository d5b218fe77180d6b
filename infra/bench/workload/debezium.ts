import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { logTail, startGuarded } from '@catalog/stack/servers/child-guard.ts'
import { type Classpath, fetchClasspath } from '@catalog/stack/servers/fetched/maven.ts'
import { findJava, freePort, JAVA_PLACES } from '@catalog/stack/servers/machine.ts'
import type { PostgresServer } from '@catalog/stack/servers/postgres.ts'
import pg from 'pg'
import { parse } from 'yaml'

/** A Kafka Connect worker with Debezium's JDBC sink. It stays warm between runs and ends on disposal. */
interface DebeziumSink extends AsyncDisposable {
  /**
   * Upserts every observation of the topic into a new table by id. Returns milliseconds from the creation of the
   * connector until a count finds all rows. Throws if the sink fails, or if `rows` or `samples` do not match; then only
   * disposal is left. Removes connector and table.
   */
  run(task: SinkTask): Promise<number>
}

type SinkTask = Readonly<{
  server: PostgresServer
  /** Its full name; it contains observations only. */
  topic: string
  /** Number of distinct observations in the topic. */
  rows: number
  /** Some of them, to compare with their rows. */
  samples: readonly ObservationRecorded[]
}>

/** The artifacts, the settings of worker and sink, and the schema of an observation. */
const {
  jars,
  worker: WORKER,
  sink: SINK,
  observation: OBSERVATION,
} = parse(readFileSync(new URL('./debezium.yaml', import.meta.url), 'utf8')) as Readonly<{
  jars: Classpath
  worker: Settings
  sink: Settings
  observation: object
}>
type Settings = Readonly<Record<string, string | number | boolean>>

const JAVA = { majorMin: 17, program: 'java' } as const
/** Java chooses collector and compiler, as for a server. */
const JVM = ['-Xms1g', '-Xmx1g']
/** The worker is ready in 3 to 8 s on two shared cores. */
const START_TIMEOUT_MS = 120_000
const REQUEST_TIMEOUT_MS = 60_000
const RUN_TIMEOUT_MS = 300_000
const POLL_MS = 200
/** Counting slows the sink: count again when half of the rest should be written, within these bounds. */
const COUNT_MS_MIN = 50
const COUNT_MS_MAX = 1_000

export async function startDebezium({ brokers }: { brokers: string }): Promise<DebeziumSink> {
  const home = findJava(JAVA)
  if (home === undefined) throw new Error(`no Java ${JAVA.majorMin} or later: expected ${JAVA_PLACES}`)
  const classpath = join(await fetchClasspath(jars), '*')
  const dir = mkdtempSync(join(tmpdir(), 'catalog-connect-'))
  const logFile = join(dir, 'worker.log')
  const url = `http://127.0.0.1:${await freePort()}`
  const properties = join(dir, 'worker.properties')
  const settings = Object.entries(workerSettings({ brokers, dir, url }))
  writeFileSync(properties, settings.map(([name, value]) => `${name}=${value}\n`).join(''))
  const main = ['-cp', classpath, 'org.apache.kafka.connect.cli.ConnectStandalone', properties]
  const command = [join(home, 'bin', 'java'), ...JVM, ...main]
  const worker = startGuarded({ name: 'Kafka Connect', command, dir, logFile })
  const connect = new ConnectClient(url, { logFile, failure: () => worker.failure() })
  async function dispose(): Promise<void> {
    await worker.kill()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await connect.untilReady()
  } catch (error) {
    await dispose()
    throw error
  }
  return { run: (task) => runSink(connect, task), [Symbol.asyncDispose]: dispose }
}

async function runSink(connect: ConnectClient, { server, topic, rows, samples }: SinkTask): Promise<number> {
  // The name is also the consumer group: a new one reads the topic from its beginning.
  const name = `sink_${randomBytes(4).toString('hex')}`
  const table = `${name}.observations`
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query(`create schema ${name}`)
    const begun = performance.now()
    await connect.request('POST', '/connectors', { name, config: sinkSettings({ server, topic, table }) })
    await untilWritten({ client, table, rows, check: () => connect.requireTasks(name) })
    const ms = performance.now() - begun
    await requireRows({ client, table, samples })
    await connect.request('DELETE', `/connectors/${name}`)
    await client.query(`drop schema ${name} cascade`)
    return ms
  } finally {
    await client.end()
  }
}

/** The REST interface of one Kafka Connect worker. */
class ConnectClient {
  readonly #url: string
  readonly #logFile: string
  readonly #failure: () => Error | undefined

  constructor(url: string, { logFile, failure }: { logFile: string; failure: () => Error | undefined }) {
    this.#url = url
    this.#logFile = logFile
    this.#failure = failure
  }

  async request(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const headers = { 'content-type': 'application/json' }
    const request = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${this.#url}${path}`, request).catch((cause: unknown) => {
      throw new Error(`Kafka Connect does not answer ${method} ${path}: ${logTail(this.#logFile)}`, { cause })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Kafka Connect answered ${method} ${path} with ${response.status}: ${text}`)
    return text && JSON.parse(text)
  }

  async untilReady(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS
    while ((await this.request('GET', '/connectors').catch(() => undefined)) === undefined) {
      const late = `Kafka Connect is not ready after ${START_TIMEOUT_MS} ms: ${logTail(this.#logFile)}`
      const failed = this.#failure() ?? (performance.now() > deadline ? new Error(late) : undefined)
      if (failed) throw failed
      await delay(POLL_MS)
    }
  }

  /** Throws when the worker or a task of this connector failed. */
  async requireTasks(name: string): Promise<void> {
    const failed = this.#failure()
    if (failed) throw failed
    const { tasks } = (await this.request('GET', `/connectors/${name}/status`)) as { tasks: { trace?: string }[] }
    const trace = tasks.find((task) => task.trace !== undefined)?.trace
    // Keep the causes, drop Connect's stack.
    if (trace !== undefined) throw new Error(`the JDBC sink failed: ${trace.replaceAll(/\n\s.*/g, '')}`)
  }
}

const workerSettings = ({ brokers, dir, url }: { brokers: string; dir: string; url: string }): Settings => ({
  ...WORKER,
  'bootstrap.servers': brokers,
  listeners: url,
  'offset.storage.file.filename': join(dir, 'offsets'),
})

const sinkSettings = ({
  server,
  topic,
  table,
}: {
  server: PostgresServer
  topic: string
  table: string
}): Settings => ({
  ...SINK,
  topics: topic,
  'value.converter.schema.content': JSON.stringify(OBSERVATION),
  ...connection(server),
  'collection.name.format': table,
})

/** Through the server's Unix socket if it has one, as our own clients connect. */
function connection({ url }: PostgresServer): Settings {
  const { hostname, port, pathname, username, password } = new URL(url)
  const host = decodeURIComponent(hostname)
  const factory = 'socketFactory=org.newsclub.net.unix.AFUNIXSocketFactory$FactoryArg'
  const place = host.startsWith('/')
    ? `localhost${pathname}?${factory}&socketFactoryArg=${host}/.s.PGSQL.5432&`
    : `${host}:${port}${pathname}?`
  return {
    'connection.url': `jdbc:postgresql://${place}reWriteBatchedInserts=true`,
    'connection.username': username,
    'connection.password': decodeURIComponent(password),
  }
}

type Table = Readonly<{ client: pg.Client; table: string }>

async function untilWritten({
  client,
  table,
  rows,
  check,
}: Table & { rows: number; check: () => Promise<void> }): Promise<void> {
  const begun = performance.now()
  for (;;) {
    const written = await countRows({ client, table })
    if (written === rows) return
    await check()
    const elapsed = performance.now() - begun
    if (written > rows || elapsed > RUN_TIMEOUT_MS) {
      throw new Error(`the JDBC sink wrote ${written} rows in ${Math.round(elapsed)} ms, expected ${rows}`)
    }
    const restMs = written === 0 ? 0 : (elapsed / written) * (rows - written)
    await delay(Math.min(Math.max(restMs / 2, COUNT_MS_MIN), COUNT_MS_MAX))
  }
}

async function countRows({ client, table }: Table): Promise<number> {
  // The sink creates the table itself, after a moment.
  const made = await client.query('select from pg_class where oid = to_regclass($1)', [table])
  if (made.rowCount === 0) return 0
  return (await client.query(`select count(*)::int as n from ${table}`)).rows[0].n
}

async function requireRows({ client, table, samples }: Table & Pick<SinkTask, 'samples'>): Promise<void> {
  for (const { event_id, source, vendor_ref, price, observed_at } of samples) {
    const { rows } = await client.query(
      `select source_id, vendor_ref, price_cents::float8 as cents, observed_at from ${table} where event_id = $1`,
      [event_id],
    )
    const expected = [{ source_id: source.id, vendor_ref, cents: price.cents, observed_at: new Date(observed_at) }]
    if (!isDeepStrictEqual(rows, expected)) {
      throw new Error(`observation ${event_id}: found ${JSON.stringify(rows)}, expected ${JSON.stringify(expected)}`)
    }
  }
}
