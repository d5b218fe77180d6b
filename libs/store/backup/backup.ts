import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { readPositions } from '@catalog/store/builds/builds.ts'
import { catalogRoot, readSeq, vendorRoot } from '@catalog/store/builds/status.ts'
import { readMeta, saveMeta } from '@catalog/store/checkpoints.ts'
import { type Queryable, type Store, servedSchemaOf } from '@catalog/store/db.ts'
import { DATA_FOLDER } from '@catalog/store/embedded/embedded.ts'

/** What the tables say of themselves at the instant of a backup. */
export type BackupFacts = Readonly<{
  schema_version: number
  postgres_version: string
  gen: string
  /** Number of the newest change. */
  seq: string
  /** Over all active items, and over all observations that count. */
  roots: { catalog: string; vendor: string }
  /** The next record of each partition that the tables had not applied. */
  positions: { projection: string; topic: string; partition: number; next: string }[]
}>

/** The embedded store disconnects a transaction that is silent for five seconds. */
const KEEP_ALIVE_MS = 1_000

/**
 * Copies the data folder of an embedded store that others use. They wait for as long as the copy takes: some tenths of a
 * second for a hundred megabytes, less where the file system shares blocks. Returns what the copy holds.
 */
export function copyEmbedded(store: Store, { dir, into }: { dir: string; into: string }): Promise<BackupFacts> {
  return store.transaction(async (tx) => {
    const facts = await readFacts(tx)
    // While this transaction is open the only backend writes nothing: after the checkpoint the files are the store.
    await tx.query('checkpoint')
    const alive = setInterval(() => void tx.query('select 1').catch(() => {}), KEEP_ALIVE_MS)
    try {
      await cp(join(dir, DATA_FOLDER), join(into, DATA_FOLDER), {
        recursive: true,
        errorOnExist: true,
        force: false,
        mode: constants.COPYFILE_FICLONE,
      })
    } finally {
      clearInterval(alive)
    }
    // Fails where the store ended the transaction meanwhile, so that the files may have moved under the copy.
    await tx.query('select 1')
    return facts
  })
}

/**
 * Dumps the tables of PostgreSQL while all go on: operational ones and served read models, of one instant. Builds beside the
 * served one are left out. `dump` gets the schemas, and the snapshot that pg_dump reads. Returns what the dump holds.
 */
export function dumpPostgres(
  store: Store,
  dump: (from: { snapshot: string; schemas: readonly string[] }) => Promise<void>,
): Promise<BackupFacts> {
  return store.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    await tx.query(
      `select set_config('idle_in_transaction_session_timeout', '0', true), set_config('statement_timeout', '0', true)`,
    )
    const [row] = await tx.query<{ snapshot: string }>(`select pg_export_snapshot() as snapshot`)
    const { snapshot } = row as { snapshot: string }
    const facts = await readFacts(tx)
    await dump({ snapshot, schemas: [store.schema, servedSchemaOf(store.schema)] })
    return facts
  })
}

export async function readFacts(db: Queryable): Promise<BackupFacts> {
  const [row] = await db.query<{ postgres_version: string; schema_version: number }>(
    `select current_setting('server_version') as postgres_version, max(version)::int as schema_version
     from schema_migrations`,
  )
  const { postgres_version, schema_version } = row as { postgres_version: string; schema_version: number }
  return {
    schema_version,
    postgres_version,
    gen: (await readMeta(db, 'gen')) as string,
    seq: String(await readSeq(db)),
    roots: { catalog: await catalogRoot(db), vendor: await vendorRoot(db) },
    positions: (await readPositions(db)).map(({ projection, topic, partition, next }) => {
      return { projection, topic, partition, next: String(next) }
    }),
  }
}

/** Key of meta: the last backup that was made from here, as JSON. */
const BACKED_UP = 'backed_up'

export type LastBackup = Readonly<{ at: string; folder: string; bytes: number }>

export const saveLastBackup = (store: Queryable, backup: LastBackup): Promise<void> =>
  saveMeta(store, BACKED_UP, JSON.stringify(backup))

/** Undefined before the first one. */
export async function readLastBackup(store: Queryable): Promise<LastBackup | undefined> {
  const value = await readMeta(store, BACKED_UP)
  return value === undefined ? undefined : (JSON.parse(value) as LastBackup)
}
