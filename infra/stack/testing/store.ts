import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTemplate, ensureTemplate } from '@catalog/stack/store/template.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { openEmbedded } from '@catalog/store/embedded/embedded.ts'
import { migrate, SCHEMA_SHA } from '@catalog/store/migrations/migrate.ts'
import pg from 'pg'

/**
 * A migrated, empty store: a database of its own on the test run's PostgreSQL, which opens and answers several times
 * faster. Embedded where the run has none, or with TEST_STORE=embedded. Disposal removes it.
 */
export async function openTestStore(): Promise<Store> {
  const server = process.env.TEST_STORE === 'embedded' ? null : await sharedPostgres()
  return server === null ? openEmbeddedTestStore() : openCopy(server)
}

/** A migrated, empty embedded store in a temporary folder; disposal removes both. */
export async function openEmbeddedTestStore(): Promise<Store> {
  const dir = await testDataDir()
  const embedded = await openEmbedded({ dir })
  await migrate(embedded.store)
  return {
    ...embedded.store,
    async [Symbol.asyncDispose]() {
      await embedded[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A folder with a migrated, empty embedded store that no process has open; the caller removes it. */
export async function testDataDir(): Promise<string> {
  await ensureTemplate()
  const dir = mkdtempSync(join(tmpdir(), 'catalog-test-'))
  copyTemplate(dir)
  return dir
}

/** A migrated, empty store on the test run's PostgreSQL. Throws where the run has none. */
export async function openPostgresTestStore(): Promise<Store> {
  const server = await sharedPostgres()
  if (server === null) throw new Error('expected a test run with PostgreSQL')
  return openCopy(server)
}

async function openCopy(server: string): Promise<Store> {
  const database = await createDatabase(server)
  const store = await openStore({ kind: 'postgres', connection: { url: database.url } })
  // Each store gets its own generation and cursor secret; the template has none.
  await migrate(store)
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type TestDatabase = AsyncDisposable & Readonly<{ url: string }>

/** A migrated, empty database for {@link openTestStore}'s server; null where tests use the embedded store. */
export async function testDatabase(): Promise<TestDatabase | null> {
  const server = process.env.TEST_STORE === 'embedded' ? null : await sharedPostgres()
  return server === null ? null : createDatabase(server)
}

async function createDatabase(server: string): Promise<TestDatabase> {
  template ??= makeTemplate(server)
  const name = `store_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name} template ${await template}`)
  return {
    url: databaseUrl(server, name),
    [Symbol.asyncDispose]: () => administer(server, `drop database ${name} with (force)`),
  }
}

/** Copying a migrated database takes a fifth of the time to migrate an empty one. */
let template: Promise<string> | undefined

/**
 * Returns the name of a migrated database without its own meta rows. The first process of a run creates it; the others
 * wait.
 */
async function makeTemplate(server: string): Promise<string> {
  const name = `template_${SCHEMA_SHA.slice(0, 16)}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount !== 0) return name
    const making = `${name}_making`
    await client.query(`drop database if exists ${making}`)
    await client.query(`create database ${making}`)
    {
      await using store = await openStore({ kind: 'postgres', connection: { url: databaseUrl(server, making) } })
      await migrate(store)
      await store.query(`delete from meta where key in ('gen', 'cursor_secret')`)
    }
    await client.query(`alter database ${making} rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

const databaseUrl = (server: string, name: string) => server.replace(/\/[^/]*$/, `/${name}`)

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The run's PostgreSQL (infra/stack/servers/servers.ts starts it), or null where this machine cannot run one. */
async function sharedPostgres(): Promise<string | null> {
  const servers = process.env.CATALOG_TEST_SERVERS
  if (servers === undefined) return null
  const response = await fetch(`${servers}/postgres`)
  return response.ok ? await response.text() : null
}

/** A new folder that the end of the test run removes, for files of servers that tests leave open. */
export function testFolder(): string {
  return mkdtempSync(join(process.env.CATALOG_TEST_FOLDER ?? tmpdir(), 'catalog-test-'))
}
