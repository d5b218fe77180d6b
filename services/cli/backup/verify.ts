import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { verifyCatalog } from '@catalog/projector/verify/verify.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { openScratchDatabase } from '@catalog/store/backup/restore.ts'
import { openStore } from '@catalog/store/db.ts'
import { findBackup } from './backup.ts'
import type { BackupManifest } from './manifest.ts'
import { expectSame, expectWhole, putBack } from './restore.ts'

export type VerifyBackupFlags = Readonly<{ scratch?: string }>

/**
 * `catalog backup verify`: restores the backup into a scratch place, compares its roots with those of its instant, folds the
 * log again, and throws all away. Returns whether all hold. Throws for a damaged backup.
 */
export async function verifyBackup(
  env: Environment,
  terminal: Terminal,
  { dir, flags, signal }: { dir: string; flags: VerifyBackupFlags; signal: AbortSignal },
): Promise<boolean> {
  const { folder, manifest } = await findBackup(dir, terminal.note)
  await expectWhole({ folder, manifest }, terminal, signal)
  await using scratch = await openScratch(env, manifest, flags)
  await putBack(scratch.env, { folder, manifest, aside: null, signal })
  await using catalog = await openCatalog(scratch.env)
  const { seq, roots } = await expectSame(catalog, manifest)
  const isFolded = manifest.mode !== 'distributed' || scratch.env.KAFKA_BROKERS !== undefined
  const progress = terminal.progress('records and rows')
  const { ok, checks } = isFolded
    ? await verifyCatalog(catalog, { signal, onProgress: progress.to }).finally(progress.done)
    : { ok: true, checks: [] }
  const value = {
    ok,
    backup: folder,
    created_at: manifest.created_at,
    seq: Number(seq),
    roots,
    folded: isFolded,
    checks,
  }
  terminal.answer(value, () =>
    [
      `${folder}: every file is whole, and restored it has the roots of ${manifest.created_at}`,
      ...(isFolded
        ? [table(checks.map(({ name, ok, log, tables }) => ({ check: name, holds: ok ? 'yes' : 'NO', log, tables })))]
        : ['the log was not folded: it is in Kafka, expected KAFKA_BROKERS']),
      ...checks.flatMap(({ name, first_difference }) => (first_difference ? [`\n${name}: ${first_difference}`] : [])),
    ].join('\n'),
  )
  return ok
}

/** The environment of a trial: an empty place of the backup's kind, and its log. */
async function openScratch(
  env: Environment,
  { kind, mode }: BackupManifest,
  { scratch }: VerifyBackupFlags,
): Promise<AsyncDisposable & Readonly<{ env: Environment }>> {
  const {
    DATABASE_URL: url,
    KAFKA_BROKERS: brokers,
    ELASTICSEARCH_URL: _index,
    EMBEDDINGS_URL: _embedder,
    SNAPSHOT_DIR: _snapshots,
    ...rest
  } = env
  await using resources = new AsyncDisposableStack()
  const isFolder = kind === 'embedded' && scratch !== undefined
  const dir = await mkdtemp(join(isFolder ? resolve(scratch) : tmpdir(), 'catalog-scratch-'))
  resources.defer(() => rm(dir, { recursive: true, force: true }))
  const log = mode === 'distributed' && brokers !== undefined ? { KAFKA_BROKERS: brokers } : {}
  const trial = { ...rest, ...log, CATALOG_DATA: join(dir, 'data') }
  const databaseUrl = kind === 'embedded' ? undefined : (scratch ?? (await openScratchBeside(url, resources)))
  const running = resources.move()
  return {
    env: databaseUrl === undefined ? trial : { ...trial, DATABASE_URL: databaseUrl },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** The address of an empty database on the same server; it goes with the resources. */
async function openScratchBeside(url: string | undefined, resources: AsyncDisposableStack): Promise<string> {
  if (url === undefined) {
    throw new Error('the backup is of PostgreSQL: expected DATABASE_URL of a server for the trial, or --scratch')
  }
  const beside = resources.use(await openStore({ kind: 'postgres', connection: { url } }))
  const { name } = resources.use(await openScratchDatabase(beside))
  const database = new URL(url)
  database.pathname = `/${name}`
  return String(database)
}
