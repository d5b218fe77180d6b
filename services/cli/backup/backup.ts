import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Context } from '@catalog/cli/shared/context.ts'
import { runPostgresTool } from '@catalog/cli/shared/postgres-tools.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { instant } from '@catalog/core/time.ts'
import {
  type BackupFacts,
  copyEmbedded,
  dumpPostgres,
  type LastBackup,
  saveLastBackup,
} from '@catalog/store/backup/backup.ts'
import { takeLock } from '@catalog/store/embedded/embedded.ts'
import { isWriteRefusal } from '@catalog/store/failure.ts'
import { type BackupManifest, MANIFEST_FILE, NoBackup, readManifest, sealFiles, writeManifest } from './manifest.ts'

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
  const folder = resolve(to, folderName(begun))
  await mkdir(dirname(folder), { recursive: true })
  using lock = takeLock(dirname(folder))
  if (lock === undefined) throw new Error(`${to}: another process writes a backup into it, expected one at a time`)
  await mkdir(folder, { mode: 0o700 })
  const manifest = await writeBackup(context, { folder, begun }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const bytes = sizeOf(manifest)
  await noteBackup(context, { at: begun, folder, bytes })
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

/** A store that takes no writes, as a read-only one, is backed up all the same. */
async function noteBackup({ catalog, terminal }: Context, made: LastBackup): Promise<void> {
  try {
    await saveLastBackup(catalog.store, made)
  } catch (error) {
    if (!isWriteRefusal(error)) throw error
    terminal.note(
      `the backup is whole, and the database took no note of it (${(error as Error).message}): catalog doctor and the metrics show the one before`,
    )
  }
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
type Unusable = Readonly<{ folder: string; state: 'damaged' | 'unfinished'; reason: string }>

/** How `catalog backup` names the folder of a backup. */
const folderName = (createdAt: string) => createdAt.replaceAll(':', '-')
const FOLDER_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d{3})?Z$/

/**
 * The backups below a folder, oldest first. One whose manifest cannot be read is damaged; one without a manifest is
 * unfinished: broken off, or being written. Other folders are none.
 */
async function backupsIn(dir: string): Promise<readonly (Found | Unusable)[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch((cause: Error) => {
    throw new NoBackup(`${dir} cannot be read: expected the folder that catalog backup --to named`, { cause })
  })
  const found: { at: string; backup: Found | Unusable }[] = []
  for (const entry of entries) {
    if (!entry.isDirectory()) continue
    const folder = join(dir, entry.name)
    const backup = await readManifest(folder).then(
      (manifest) => ({ folder, manifest }),
      ({ message: reason }: Error) => {
        const state = existsSync(join(folder, MANIFEST_FILE)) ? 'damaged' : 'unfinished'
        return { folder, state, reason } as const
      },
    )
    if ('manifest' in backup) found.push({ at: folderName(backup.manifest.created_at), backup })
    else if (backup.state === 'damaged' || FOLDER_NAME.test(entry.name)) found.push({ at: entry.name, backup })
  }
  return found.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ backup }) => backup)
}

/**
 * The backup that a folder is, or the newest below it; `note` hears of newer ones that are unfinished. Throws NoBackup where
 * there is none, and where the newest is damaged: nobody takes an older one unawares.
 */
export async function findBackup(given: string, note: (line: string) => void = () => {}): Promise<Found> {
  const dir = resolve(given)
  // The folder of one backup has others only as a part of its own.
  if (existsSync(join(dir, MANIFEST_FILE))) return { folder: dir, manifest: await readManifest(dir) }
  for (const backup of (await backupsIn(dir)).toReversed()) {
    if ('manifest' in backup) return backup
    const { folder, state, reason } = backup
    if (state === 'damaged')
      throw new NoBackup(`${reason}. To take an older one, name its folder: ${listCommand(folder)}`)
    note(`${folder} is unfinished, broken off or still being written, and is left out`)
  }
  return { folder: dir, manifest: await readManifest(dir) }
}

/** The command that lists the backups beside this one. */
export const listCommand = (folder: string): string => `catalog backup list ${dirname(folder)}`

/** Removes whole backups beyond the newest `keep`, and unfinished ones: nobody else writes here now. Returns their names. */
async function removeOldest(dir: string, keep: number): Promise<string[]> {
  const all = await backupsIn(dir)
  const whole = all.filter((backup) => 'manifest' in backup)
  const unfinished = all.filter((backup) => 'state' in backup && backup.state === 'unfinished')
  const removed = [...whole.slice(0, Math.max(whole.length - keep, 0)), ...unfinished]
  for (const { folder } of removed) await rm(folder, { recursive: true, force: true })
  return removed.map(({ folder }) => basename(folder))
}

/** In bytes. */
export const sizeOf = ({ files }: BackupManifest): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** `catalog backup list`: the backups below a folder, whole or not. */
export async function listBackups(terminal: Terminal, dir: string): Promise<void> {
  const backups = await backupsIn(resolve(dir))
  const rows = backups.map((backup) => {
    const manifest = 'manifest' in backup ? backup.manifest : undefined
    return {
      backup: basename(backup.folder),
      state: 'state' in backup ? backup.state : 'whole',
      kind: manifest?.kind ?? null,
      seq: manifest === undefined ? null : Number(manifest.seq),
      schema: manifest?.schema_version ?? null,
      bytes: manifest === undefined ? null : sizeOf(manifest),
    }
  })
  terminal.answer({ backups: rows }, () => table(rows))
  for (const backup of backups) if ('state' in backup && backup.state === 'damaged') terminal.note(backup.reason)
  terminal.next(rows.length === 0 ? `catalog backup --to ${dir}` : `catalog backup verify ${dir}`)
}
