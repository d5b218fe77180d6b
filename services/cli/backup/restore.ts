import { join } from 'node:path'
import { takeAndTrim } from '@catalog/cli/mirror/snapshot.ts'
import { runPostgresTool } from '@catalog/cli/shared/postgres-tools.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { instant } from '@catalog/core/time.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { topicPositions } from '@catalog/operations/log-positions.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { NothingToSnapshot } from '@catalog/snapshot/snapshot.ts'
import { readFacts, saveLastBackup } from '@catalog/store/backup/backup.ts'
import { dropAbsentBuilds, expectNoCatalog, restoreEmbedded } from '@catalog/store/backup/restore.ts'
import { requireSameClock } from '@catalog/store/clock.ts'
import { openStore } from '@catalog/store/db.ts'
import { NewerSchema, SCHEMA_VERSION } from '@catalog/store/migrations/migrate.ts'
import { DUMP_FOLDER, findBackup, listCommand, sizeOf } from './backup.ts'
import { type BackupManifest, damageOf, NoBackup } from './manifest.ts'

export type RestoreFlags = Readonly<{ replace?: true }>
type Restoring = Readonly<{ from: string; flags: RestoreFlags; signal: AbortSignal }>

/**
 * `catalog restore`: puts a backup in the place of an empty store, migrates it, and begins a new generation with a snapshot, so
 * that mirrors have where to begin. Touches nothing before every byte of the backup was read.
 */
export async function restore(env: Environment, terminal: Terminal, restoring: Restoring): Promise<void> {
  const { from, flags, signal } = restoring
  const { folder, manifest } = await findBackup(from, terminal.note)
  await expectWhole({ folder, manifest }, terminal, signal)
  const aside = flags.replace ? `replaced-${instant(new Date()).replaceAll(':', '-')}` : null
  await putBack(env, { folder, manifest, aside, signal })
  await using catalog = await openCatalog(env)
  const { store } = catalog
  const { gen, seq, roots } = await expectSame(catalog, manifest)
  const ahead = catalog.mode === 'distributed' ? await recordsAhead(catalog) : 0
  const snapshot = await takeAndTrim({ catalog, env, signal }, {}).catch((error: unknown) => {
    if (error instanceof NothingToSnapshot) return undefined
    throw error
  })
  const { created_at: createdAt } = manifest
  // The note of a backup is written after it: without this the restored tables would know of none.
  await saveLastBackup(store, { at: createdAt, folder, bytes: sizeOf(manifest) })
  const value = {
    from: folder,
    created_at: createdAt,
    kind: store.kind,
    gen: { from: manifest.gen, to: gen },
    seq: Number(seq),
    roots,
    snapshot: snapshot === undefined ? null : snapshot.folder,
    aside: flags.replace ? aside : null,
    records_ahead: ahead,
  }
  terminal.answer(value, () =>
    [
      `restored ${folder}: change ${seq}, as of ${createdAt}`,
      `  generation ${gen} began, ${manifest.gen} has ended: mirrors download what differs${snapshot === undefined ? '' : ', and new ones begin at the snapshot that was taken'}`,
      ...(ahead > 0 ? [`  the log has ${ahead} records that are newer: a projector applies them`] : []),
      `  keys, agents, members and sessions are those of ${createdAt}: revoke again what was revoked since`,
    ].join('\n'),
  )
  terminal.next('catalog verify')
}

type Found = Readonly<{ folder: string; manifest: BackupManifest }>

/** Throws NoBackup for the first file that is not what was backed up, and NewerSchema for a backup of newer code. */
export async function expectWhole({ folder, manifest }: Found, terminal: Terminal, signal: AbortSignal): Promise<void> {
  if (manifest.schema_version > SCHEMA_VERSION) throw new NewerSchema(manifest.schema_version, SCHEMA_VERSION)
  const progress = terminal.progress('bytes checked')
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const onProgress = (bytes: number) => progress.to(bytes, total)
  const damage = await damageOf(folder, manifest.files, { signal, onProgress }).finally(progress.done)
  if (damage !== undefined)
    throw new NoBackup(`${folder} is damaged: ${damage}. To take an older one, name its folder: ${listCommand(folder)}`)
}

type Place = Found & Readonly<{ aside: string | null; signal: AbortSignal }>

/** Fills the store that the environment names. Throws Occupied where there is one. */
export async function putBack(env: Environment, { folder, manifest, aside, signal }: Place): Promise<void> {
  const databaseUrl = env.DATABASE_URL
  if (manifest.kind === 'embedded') {
    if (databaseUrl !== undefined) {
      throw new Error(
        `${folder} is of an embedded store, and DATABASE_URL names PostgreSQL: expected it unset. To change over, carry the ` +
          'log: catalog log export and import',
      )
    }
    return restoreEmbedded({ dir: env.CATALOG_DATA, from: folder, aside })
  }
  if (databaseUrl === undefined) {
    throw new Error(`${folder} is of PostgreSQL: expected DATABASE_URL with an empty database`)
  }
  await using store = await openStore({ kind: 'postgres', connection: { url: databaseUrl } })
  await expectNoCatalog(store)
  await requireSameClock({ store, now: () => new Date() })
  const whole = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  await runPostgresTool('pg_restore', { databaseUrl, signal }, [...whole, join(folder, DUMP_FOLDER)])
  await dropAbsentBuilds(store)
}

/** Compares the opened tables with the manifest, and returns what they say. Throws where they differ. */
export async function expectSame({ store }: Catalog, manifest: BackupManifest) {
  const { gen, ...facts } = await readFacts(store)
  const said = (of: Pick<BackupManifest, 'seq' | 'roots' | 'positions'>) =>
    JSON.stringify([of.seq, of.roots.catalog, of.roots.vendor, of.positions])
  if (said(facts) === said(manifest)) return { gen, ...facts }
  throw new Error(
    `the restored tables are not those of the backup: change ${facts.seq}, catalog ${facts.roots.catalog}, vendor ${facts.roots.vendor}; ` +
      `expected change ${manifest.seq}, catalog ${manifest.roots.catalog}, vendor ${manifest.roots.vendor}`,
  )
}

/** Records of the log that the tables lack. Throws where they know more than the log has: it lost them. */
async function recordsAhead(catalog: Catalog): Promise<number> {
  const positions = await topicPositions(catalog)
  const beyond = positions.find(({ lag }) => lag < 0)
  if (beyond !== undefined) {
    throw new Error(
      `${beyond.topic} partition ${beyond.partition} ends at ${beyond.end}, and the backup knows ${beyond.next} records of it: the log lost ` +
        'some. Bring it back, or take a backup from before: docs/backup.md',
    )
  }
  return positions.reduce((sum, { lag }) => sum + lag, 0)
}
