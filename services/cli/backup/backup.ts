import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Context } from '@catalog/cli/shared/context.ts'
import { runPostgresTool } from '@catalog/cli/shared/postgres-tools.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { instant } from '@catalog/core/time.ts'
import { type BackupFacts, copyEmbedded, dumpPostgres, saveLastBackup } from '@catalog/store/backup/backup.ts'
import { type BackupManifest, NoBackup, readManifest, sealFiles, writeManifest } from './manifest.ts'

export type BackupFlags = Readonly<{ to: string; keep?: number }>

/** The folder of pg_dump's files within a backup. */
export const DUMP_FOLDER = 'dump'
const DUMP_JOBS = 2

/**
 * `catalog backup`: writes all tables, of one instant, into a folder of its own below `--to`, while everything else goes on.
 * The log is among them unless it is in Kafka.
 */
export async function backup(context: Context, { to, keep }: BackupFlags): Promise<void> {
  const { catalog, terminal } = context
  const begun = instant(catalog.now())
  const folder = resolve(to, begun.replaceAll(':', '-'))
  await mkdir(dirname(folder), { recursive: true })
  await mkdir(folder, { mode: 0o700 })
  const manifest = await writeBackup(context, { folder, begun }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const bytes = sizeOf(manifest)
  await saveLastBackup(catalog.store, { at: begun, folder, bytes })
  const removed = keep === undefined ? [] : await removeOldest(dirname(folder), keep)
  const { gen, seq, kind, files } = manifest
  terminal.answer({ folder, created_at: begun, kind, gen, seq: Number(seq), files: files.length, bytes, removed }, () =>
    [
      `backup of ${kind === 'embedded' ? 'the data folder' : 'the database'} at change ${seq}, ${files.length} files, ${bytes} bytes`,
      `  ${folder}`,
      ...removed.map((name) => `removed ${name}`),
    ].join('\n'),
  )
  if (catalog.mode === 'distributed') {
    terminal.note('the log is in Kafka and not in this backup: docs/backup.md says how to keep both')
  }
  terminal.next(`catalog backup verify ${to}`)
}

async function writeBackup(
  context: Context,
  { folder, begun }: { folder: string; begun: string },
): Promise<BackupManifest> {
  const { catalog, terminal, signal } = context
  const facts = await writeTables(context, folder)
  const progress = terminal.progress('bytes read back')
  const files = await sealFiles(folder, { signal, onProgress: progress.to }).finally(progress.done)
  const { mode, store } = catalog
  const manifest: BackupManifest = { format: 1, kind: store.kind, mode, created_at: begun, ...facts, files }
  await writeManifest(folder, manifest)
  return manifest
}

function writeTables({ catalog: { store }, env, signal }: Context, folder: string): Promise<BackupFacts> {
  const databaseUrl = env.DATABASE_URL
  if (databaseUrl === undefined) return copyEmbedded(store, { dir: env.CATALOG_DATA, into: folder })
  return dumpPostgres(store, ({ snapshot, schemas }) =>
    runPostgresTool('pg_dump', { databaseUrl, signal }, [
      '--format=directory',
      `--jobs=${DUMP_JOBS}`,
      '--no-owner',
      '--no-privileges',
      ...schemas.map((schema) => `--schema=${schema}`),
      `--snapshot=${snapshot}`,
      `--file=${join(folder, DUMP_FOLDER)}`,
    ]),
  )
}

type Found = Readonly<{ folder: string; manifest: BackupManifest }>

/** The backups below a folder, oldest first. A backup that was broken off has no manifest, and is none. */
async function backupsIn(dir: string): Promise<readonly Found[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch((cause: Error) => {
    throw new NoBackup(`${dir} cannot be read: expected the folder that catalog backup --to named`, { cause })
  })
  const found: Found[] = []
  for (const entry of entries) {
    if (!entry.isDirectory()) continue
    const folder = join(dir, entry.name)
    const manifest = await readManifest(folder).catch(() => undefined)
    if (manifest !== undefined) found.push({ folder, manifest })
  }
  return found.sort((a, b) => (a.manifest.created_at < b.manifest.created_at ? -1 : 1))
}

/** The backup that a folder is, or the newest below it. Throws NoBackup where there is none. */
export async function findBackup(given: string): Promise<Found> {
  const folder = resolve(given)
  const newest = (await backupsIn(folder)).at(-1)
  return newest ?? { folder, manifest: await readManifest(folder) }
}

/** Removes whole backups beyond the newest `keep`; returns their names. */
async function removeOldest(dir: string, keep: number): Promise<string[]> {
  const all = await backupsIn(dir)
  const removed = all.slice(0, Math.max(all.length - keep, 0))
  for (const { folder } of removed) await rm(folder, { recursive: true, force: true })
  return removed.map(({ folder }) => basename(folder))
}

const sizeOf = ({ files }: BackupManifest): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** `catalog backup list`: the backups below a folder. */
export async function listBackups(terminal: Terminal, dir: string): Promise<void> {
  const rows = (await backupsIn(resolve(dir))).map(({ folder, manifest }) => ({
    backup: basename(folder),
    kind: manifest.kind,
    seq: Number(manifest.seq),
    schema: manifest.schema_version,
    bytes: sizeOf(manifest),
  }))
  terminal.answer({ backups: rows }, () => table(rows))
  terminal.next(rows.length === 0 ? `catalog backup --to ${dir}` : `catalog backup verify ${dir}`)
}
