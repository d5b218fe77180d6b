import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureTemplate } from '@catalog/stack/store/template.ts'
import pg from 'pg'
import { elasticsearchAvailable, startElasticsearch } from './elasticsearch.ts'
import { kafkaAvailable, startKafka } from './kafka.ts'
import { serveHttp } from './machine.ts'
import { postgresAvailable, startPostgres } from './postgres.ts'
import { realInputsFolder } from './real-inputs.ts'

/**
 * Servers that the tests of one run share: the first test that asks starts each kind, the end of the run stops it. A
 * test keeps to its own prefix, schema or database.
 */
type Shared = AsyncDisposable & Readonly<{ url: string }>
const STARTERS = {
  // No test crashes this server, so it need not sync; each worker holds many small pools.
  postgres: async (): Promise<Shared> =>
    startPostgres({ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }),
  kafka: async (): Promise<Shared> => {
    const server = await startKafka()
    return { url: server.brokers, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  },
  elasticsearch: async (): Promise<Shared> => startElasticsearch(),
}
type Kind = keyof typeof STARTERS

const AVAILABLE: Readonly<Record<Kind, () => string | null>> = {
  postgres: postgresAvailable,
  kafka: kafkaAvailable,
  elasticsearch: elasticsearchAvailable,
}
const NAMES: Readonly<Record<Kind, string>> = { postgres: 'PostgreSQL', kafka: 'Kafka', elasticsearch: 'Elasticsearch' }

/** Address at which test processes ask for servers; {@link setup} sets it before they start. */
const ADDRESS = 'CATALOG_TEST_SERVERS'
/** A folder for files of tests that outlive their test; the end of the run removes it. */
const FOLDER = 'CATALOG_TEST_FOLDER'

/** Why a server of this kind cannot run here, in one line; null where it can. With CI=true it throws instead. */
export const unavailable = (kind: Kind): string | null => AVAILABLE[kind]()

/** Address of the run's one server of this kind: a postgres:// URL, host:port,host:port, or an http:// URL. */
export async function sharedServer(kind: Kind): Promise<string> {
  const address = process.env[ADDRESS]
  if (address === undefined) throw new Error(`${ADDRESS} is not set: expected a test that vitest runs`)
  const response = await fetch(`${address}/${kind}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${kind}: ${text}`)
  return text
}

/** postgres://... of a new, empty database on the run's PostgreSQL. */
export const emptyDatabase = (): Promise<string> => createDatabase('template1')

/** postgres://... of a new database with the content of another one, to which nobody is connected. */
export const copiedDatabase = (url: string): Promise<string> => createDatabase(new URL(url).pathname.slice(1))

async function createDatabase(template: string): Promise<string> {
  const url = await sharedServer('postgres')
  const name = `test_${randomBytes(4).toString('hex')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  return url.replace(/\/postgres$/, `/${name}`)
}

/**
 * Runs before the tests: reports once which suites this machine cannot run and why, and offers the servers. With
 * CI=true a server that cannot start is a failure.
 */
export async function setup(): Promise<() => Promise<void>> {
  for (const kind of Object.keys(STARTERS) as Kind[]) {
    const reason = unavailable(kind)
    if (reason !== null) process.stderr.write(`skipped: the suites on a real ${NAMES[kind]}: ${reason}\n`)
  }
  if (realInputsFolder() === null) {
    process.stderr.write(
      'skipped: the suites on real inputs: expected their folder at REAL_INPUTS_DIR or ../shared/data\n',
    )
  }
  // Stores and commands of tests begin with a copy of it.
  await ensureTemplate()
  const started = new Map<Kind, Promise<Shared>>()
  const serverOf = (kind: Kind) => {
    const server = started.get(kind) ?? STARTERS[kind]()
    // The caller receives the failure; until then it must not count as unhandled.
    server.catch(() => {})
    started.set(kind, server)
    return server
  }
  // A fresh machine downloads the servers first, which takes longer than a test may wait: start them at once.
  if (process.env.CI === 'true') for (const kind of Object.keys(STARTERS) as Kind[]) serverOf(kind)
  const office = await serveHttp(async (request, response) => {
    const kind = request.url?.slice(1) as Kind
    try {
      if (!Object.hasOwn(STARTERS, kind)) throw new Error(`expected one of ${Object.keys(STARTERS).join(', ')}`)
      response.end((await serverOf(kind)).url)
    } catch (error) {
      response.writeHead(500).end((error as Error).message)
    }
  })
  const folder = mkdtempSync(join(tmpdir(), 'catalog-tests-'))
  process.env[FOLDER] = folder
  process.env[ADDRESS] = office.url
  return async () => {
    await office[Symbol.asyncDispose]()
    const servers = await Promise.allSettled(started.values())
    await Promise.all(servers.map((server) => server.status === 'fulfilled' && server.value[Symbol.asyncDispose]()))
    rmSync(folder, { recursive: true, force: true })
  }
}
