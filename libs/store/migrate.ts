import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { sha256Hex } from '@catalog/core/digest.ts'
import { claimMeta } from './checkpoints.ts'
import type { Store } from './db.ts'
import { nextGeneration } from './generation.ts'
import { withLease } from './lease.ts'

/** Migrations run for seconds; a holder that was killed is replaced after this. */
const LEASE_TTL_MS = 30_000

type Migration = Readonly<{ version: number; sql: string }>

const MIGRATIONS: readonly Migration[] = readdirSync(new URL('./migrations/', import.meta.url))
  .filter((file) => /^\d{4}\.sql$/.test(file))
  .sort()
  .map((file) => ({
    version: Number(file.slice(0, 4)),
    sql: readFileSync(new URL(`./migrations/${file}`, import.meta.url), 'utf8'),
  }))

/** Changes with any migration: what a prepared store is prepared for. */
export const SCHEMA_SHA = sha256Hex(MIGRATIONS.map(({ sql }) => sql).join('\n'))

/** The schema version that this code is written for. */
export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0

/**
 * Brings the schema to SCHEMA_VERSION; forward only, each file in one transaction. Several processes may call it at
 * once: one migrates, the others wait. Throws NewerSchema when a later version of the code was here.
 */
export async function migrate(store: Store, schema = 'catalog', migrations = MIGRATIONS): Promise<void> {
  await bootstrap(store, schema)
  const target = migrations.at(-1)?.version ?? 0
  if ((await schemaVersion(store)) !== target) await migrateTo(store, target, migrations)
  await claimMeta(store, 'gen', nextGeneration(null, new Date()))
  await claimMeta(store, 'cursor_secret', randomBytes(32).toString('hex'))
}

async function migrateTo(store: Store, target: number, migrations: readonly Migration[]): Promise<void> {
  await withLease(store, { name: 'migrate', holder: randomBytes(8).toString('hex'), ttlMs: LEASE_TTL_MS }, async () => {
    const present = await schemaVersion(store)
    if (present > target) throw new NewerSchema(present, target)
    for (const { version, sql } of migrations.filter(({ version }) => version > present)) {
      await store.transaction(async (tx) => {
        await tx.query(sql)
        await tx.query(`insert into schema_migrations (version) values ($1)`, [version])
      })
    }
  })
}

/** The version that the schema has; 0 for an empty one. */
export async function schemaVersion(store: Store): Promise<number> {
  const [row] = await store.query<{ version: number }>(
    `select coalesce(max(version), 0)::int as version from schema_migrations`,
  )
  return row?.version ?? 0
}

async function bootstrap(store: Store, schema: string): Promise<void> {
  const statements = [
    `create schema if not exists ${schema}`,
    `create table if not exists schema_migrations (version int primary key, applied_at timestamptz not null default now())`,
    `create table if not exists leases (name text primary key, holder text not null, expires_at timestamptz not null)`,
  ]
  for (const statement of statements) {
    await store.query(statement).catch((error: { code?: string }) => {
      // Two first starts at once: `if not exists` does not see the other's uncommitted catalog row.
      if (!BORN_TWICE.includes(error.code ?? '')) throw error
    })
  }
}

/** unique_violation, duplicate_table, duplicate_schema; duplicate_object for the row type of a table. */
const BORN_TWICE = ['23505', '42P07', '42P06', '42710']

export class NewerSchema extends Error {
  override name = 'NewerSchema'
  constructor(present: number, expected: number) {
    super(`the schema has version ${present}, this code expects ${expected}; run the newer code, or restore a backup`)
  }
}
