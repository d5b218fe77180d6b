import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { logTail, startGuarded } from '@catalog/stack/servers/child-guard.ts'
import { findJava, freePort, JAVA_PLACES } from '@catalog/stack/servers/machine.ts'
import { type Classpath, fetchClasspath } from '@catalog/stack/servers/maven.ts'
import type { PostgresServer } from '@catalog/stack/servers/postgres.ts'
import pg from 'pg'

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

/** From 4.2 on it reads plain JSON by a schema in the settings (KIP-1054); brokers may be older. */
const CONNECT_VERSION = '4.3.1'
/** The newest one with all dependencies on Maven Central. */
const DEBEZIUM_VERSION = '3.5.0.Final'
const SOCKET_VERSION = '2.10.1'
const JARS: Classpath = {
  name: `debezium-jdbc-${DEBEZIUM_VERSION}`,
  artifacts: [
    { group: 'org.apache.kafka', artifact: 'connect-runtime', version: CONNECT_VERSION },
    { group: 'org.apache.kafka', artifact: 'connect-json', version: CONNECT_VERSION },
    { group: 'org.apache.kafka', artifact: 'connect-transforms', version: CONNECT_VERSION },
    { group: 'io.debezium', artifact: 'debezium-connector-jdbc', version: DEBEZIUM_VERSION },
    { group: 'org.postgresql', artifact: 'postgresql', version: '42.7.14' },
    // The Java driver needs it for Unix sockets, and our servers listen on nothing else.
    { group: 'com.kohlschutter.junixsocket', artifact: 'junixsocket-common', version: SOCKET_VERSION },
    { group: 'com.kohlschutter.junixsocket', artifact: 'junixsocket-native-common', version: SOCKET_VERSION },
    // Without it the worker does not log why it ended.
    { group: 'org.apache.logging.log4j', artifact: 'log4j-slf4j-impl', version: '2.24.3' },
  ],
  sha256: '8bfb97ab4d0da028005f4f73cf194f799431fb0d0e488d6be3e283b2a197967d',
}
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
  const classpath = join(await fetchClasspath(JARS), '*')
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

type Settings = Readonly<Record<string, string | number | boolean>>

function workerSettings({ brokers, dir, url }: { brokers: string; dir: string; url: string }): Settings {
  return {
    'bootstrap.servers': brokers,
    listeners: url,
    'offset.storage.file.filename': join(dir, 'offsets'),
    'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'connector.client.config.override.policy': 'All',
    'plugin.discovery': 'service_load',
  }
}

/** Takes the least processor time per row in the range of 1,000 to 10,000. */
const BATCH_ROWS = 2_500

/** The fastest settings found for two cores and six partitions; the gains were measured on 100,000 observations. */
function sinkSettings({ server, topic, table }: { server: PostgresServer; topic: string; table: string }): Settings {
  return {
    'connector.class': 'io.debezium.connector.jdbc.JdbcSinkConnector',
    topics: topic,
    // One task takes half as long again; three or six gain nothing.
    'tasks.max': 2,
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter.schemas.enable': true,
    'value.converter.schema.content': JSON.stringify(OBSERVATION),
    transforms: 'flatten',
    'transforms.flatten.type': 'org.apache.kafka.connect.transforms.Flatten$Value',
    'transforms.flatten.delimiter': '_',
    ...connection(server),
    'collection.name.format': table,
    'schema.evolution': 'basic',
    'insert.mode': 'upsert',
    'primary.key.mode': 'record_value',
    'primary.key.fields': 'event_id',
    // One statement per batch with an array per column takes a sixth less time than rows in VALUES
    // (reWriteBatchedInserts).
    'dialect.postgres.unnest.insert.enabled': true,
    // Otherwise PostgreSQL refuses a batch with a repeated observation, and the task ends.
    'use.reduction.buffer': true,
    'batch.size': BATCH_ROWS,
    'consumer.override.max.poll.records': BATCH_ROWS,
    'consumer.override.max.partition.fetch.bytes': 8 * 1024 * 1024,
    // The first task learns of the second with a heartbeat: the default of 3 s adds up to 1 s to a run.
    'consumer.override.heartbeat.interval.ms': 200,
  }
}

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
    // A task uses one connection at a time; the default opens 32 first.
    'connection.pool.min_size': 1,
    'connection.pool.max_size': 2,
    'connection.pool.acquire_increment': 1,
  }
}

const field = (name: string, type: string) => ({ field: name, type, optional: false })
const text = (name: string) => field(name, 'string')
const instant = (name: string) => ({ ...text(name), name: 'io.debezium.time.ZonedTimestamp', version: 1 })
const struct = (name: string, fields: readonly object[]) => ({ ...field(name, 'struct'), fields })
/**
 * The fields of an event to read, as a Connect schema; nested fields become columns such as price_cents. It leaves out
 * category_path in the sink's favour: the sink cannot unnest array columns.
 */
const OBSERVATION = struct('observation', [
  text('event_id'),
  text('type'),
  field('v', 'int32'),
  struct('source', [text('id'), text('name'), text('region'), text('url')]),
  text('vendor_ref'),
  text('name'),
  text('unit'),
  struct('price', [
    field('cents', 'int64'),
    text('currency'),
    field('per_quantity', 'int32'),
    struct('tax', [field('included', 'boolean')]),
    text('kind'),
  ]),
  instant('observed_at'),
  instant('recorded_at'),
  text('crawl_id'),
])

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
