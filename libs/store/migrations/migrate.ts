import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { sha256Hex } from '@catalog/core/digest.ts'
import { nextGeneration } from '@catalog/store/catalog/generation.ts'
import { claimMeta } from '@catalog/store/checkpoints.ts'
import { type Queryable, type Store, servedSchemaOf } from '@catalog/store/db.ts'
import { withLease } from '@catalog/store/lease.ts'

/** Migrations take seconds; after this time another process replaces a killed holder. */
const LEASE_TTL_MS = 30_000

const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

/** The read models of this code version; a build gets the observation indexes after its load. */
const TABLES = textOf('../read-models/tables.sql')
const OBSERVATION_INDEXES = textOf('../read-models/observation-indexes.sql')

/**
 * A step from one version to the next. A step that changes read models must also change read-models/, which holds their
 * final form for new builds.
 */
type Migration = Readonly<{ version: number; sql: string }>

const MIGRATIONS: readonly Migration[] = readdirSync(new URL('./', import.meta.url))
  .filter((file) => /^\d{4}\.sql$/.test(file))
  .sort()
  .map((file) => ({
    version: Number(file.slice(0, 4)),
    sql: textOf(`./${file}`),
  }))

/** Changes with any migration; identifies stores prepared for this schema. */
export const SCHEMA_SHA = sha256Hex([...MIGRATIONS.map(({ sql }) => sql), TABLES, OBSERVATION_INDEXES].join('\n'))

/** The schema version that this code needs. */
export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0

/**
 * Migrates the schema to SCHEMA_VERSION; forward only, each file in one transaction. Several processes may call it at
 * once: one migrates, the others wait. Writes nothing where nothing is to do, so a server that takes no writes can be read.
 * Throws NewerSchema when the schema is newer than this code.
 */
export async function migrate(store: Store, migrations = MIGRATIONS): Promise<void> {
  const { schema } = store
  const target = migrations.at(-1)?.version ?? 0
  if ((await presentVersion(store)) !== target) {
    await bootstrap(store, schema)
    await migrateTo(store, { target, migrations })
  }
  await claimMeta(store, 'gen', nextGeneration(null, new Date()))
  await claimMeta(store, 'cursor_secret', randomBytes(32).toString('hex'))
}

async function migrateTo(
  store: Store,
  { target, migrations }: { target: number; migrations: readonly Migration[] },
): Promise<void> {
  const { schema } = store
  await withLease(store, { name: 'migrate', holder: randomBytes(8).toString('hex'), ttlMs: LEASE_TTL_MS }, async () => {
    const present = await schemaVersion(store)
    if (present > target) throw new NewerSchema(present, target)
    for (const { version, sql } of migrations.filter(({ version }) => version > present)) {
      await store.transaction(async (tx) => {
        // New tables are operational unless a step says otherwise.
        await tx.query(`set local search_path = ${schema}, ${servedSchemaOf(schema)}`)
        await tx.query(sql)
        await tx.query(`insert into schema_migrations (version) values ($1)`, [version])
        if (version !== FIRST_VERSION) return
        await createReadModels(tx, servedSchemaOf(schema))
        await indexObservations(tx)
      })
    }
  })
}

const FIRST_VERSION = 1

/** Creates a schema with empty tables for all read models, and puts it first in the search path. */
export async function createReadModels(tx: Queryable, readModels: string): Promise<void> {
  await tx.query(`create schema ${readModels}`)
  await tx.query(`select set_config('search_path', $1 || ', ' || current_setting('search_path'), true)`, [readModels])
  await tx.query(TABLES)
}

/** Creates the keys and indexes of observations; throws unique_violation when two share an id. */
export async function indexObservations(tx: Queryable): Promise<void> {
  await tx.query(OBSERVATION_INDEXES)
}

/** The version of the schema; 0 for an empty one. */
export async function schemaVersion(store: Store): Promise<number> {
  const [row] = await store.query<{ version: number }>(
    `select coalesce(max(version), 0)::int as version from schema_migrations`,
  )
  return row?.version ?? 0
}

/** As schemaVersion, also before the first migration. */
async function presentVersion(store: Store): Promise<number> {
  const [row] = await store.query<{ is: boolean }>(`select to_regclass($1) is not null as is`, [
    `${store.schema}.schema_migrations`,
  ])
  return row?.is === true ? schemaVersion(store) : 0
}

async function bootstrap(store: Store, schema: string): Promise<void> {
  const statements = [
    `create schema if not exists ${schema}`,
    `create table if not exists ${schema}.schema_migrations (version int primary key, applied_at timestamptz not null default now())`,
    `create table if not exists ${schema}.leases (name text primary key, holder text not null, expires_at timestamptz not null)`,
  ]
  for (const statement of statements) {
    await store.query(statement).catch((error: { code?: string }) => {
      // Two first starts at once: `if not exists` does not see the other's uncommitted catalog row.
      if (!ALREADY_EXISTS.includes(error.code ?? '')) throw error
    })
  }
}

/** unique_violation, duplicate_table, duplicate_schema; duplicate_object for the row type of a table. */
const ALREADY_EXISTS = ['23505', '42P07', '42P06', '42710']

export class NewerSchema extends Error {
  override name = 'NewerSchema'
  constructor(present: number, expected: number) {
    super(`the schema has version ${present}, this code expects ${expected}; run the newer code, or restore a backup`)
  }
}
