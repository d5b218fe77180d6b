import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { listening, tell } from '@catalog/stack/testing/cli.ts'
import { event, observation, published, registration } from '@catalog/stack/testing/events.ts'
import { readFacts, readLastBackup } from '@catalog/store/backup/backup.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import { takeLock } from '@catalog/store/embedded/embedded.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backup, findBackup, listBackups } from './backup.ts'
import { type BackupManifest, readManifest } from './manifest.ts'
import { restore } from './restore.ts'
import { verifyBackup } from './verify.ts'

const signal = new AbortController().signal

/** A catalog with a source, a price, a published item and a run. */
async function openFilled(variables: Record<string, string> = {}) {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-backup-'))
  const at = (name: string) => join(folder.path, name)
  const envOf = (data: string, more = variables) =>
    readEnvironment({ CATALOG_DATA: at(data), LOG_LEVEL: 'silent', ...more })
  const env = envOf('data')
  const catalog = await openCatalog(env)
  const run = event({ type: 'RunMarked', run_id: 'run_1', as_of: '2026-01-05T00:00:00Z', items_published: 1 })
  await tell(catalog, [registration(), observation(), published({ id: 'ci_a' }), run])
  const save = async (keep?: number) => {
    const { terminal } = listening()
    await backup({ catalog, env, terminal, signal }, { to: at('backups'), ...(keep !== undefined && { keep }) })
    return await findBackup(at('backups'))
  }
  return { folder, at, env, envOf, catalog, save }
}

/** Restores into a folder, and returns the answer with what the tables then say. */
async function restored(env: ReturnType<typeof readEnvironment>, from: string, flags: { replace?: true } = {}) {
  const { heard, terminal } = listening()
  await restore(env, terminal, { from, flags, signal })
  await using catalog = await openCatalog(env)
  expect(await readLastBackup(catalog.store)).toMatchObject({ folder: (heard.answers[0] as { from: string }).from })
  return { answer: heard.answers[0] as { gen: { to: string } }, facts: await readFacts(catalog.store) }
}

const said = ({ seq, roots, positions }: Pick<BackupManifest, 'seq' | 'roots' | 'positions'>) => ({
  seq,
  roots,
  positions,
})

// One embedded catalog for all: opening one takes a second.
let filled: Awaited<ReturnType<typeof openFilled>>
let before: Awaited<ReturnType<typeof readFacts>>
let kept: Awaited<ReturnType<typeof findBackup>>
/** What a backup leaves that is killed. */
const BROKEN_OFF = '2026-01-01T00-00-00.123Z'
beforeAll(async () => {
  filled = await openFilled()
  before = await readFacts(filled.catalog.store)
  const first = await filled.save()
  mkdirSync(join(filled.at('backups'), 'of-somebody-else', 'postgres'), { recursive: true })
  mkdirSync(join(filled.at('backups'), BROKEN_OFF, 'postgres'), { recursive: true })
  kept = await filled.save(1)
  expect([first.folder, filled.at(join('backups', BROKEN_OFF))].map(existsSync)).toEqual([false, false])
})
afterAll(() => filled.folder.remove())

test('a backup holds the tables of one instant for this user alone; those beyond --keep go, and what is none stays', async () => {
  const { at, catalog } = filled
  const { folder, manifest } = kept
  expect([said(manifest), manifest.gen]).toEqual([said(before), before.gen])
  expect([statSync(folder).mode & 0o777, manifest.kind]).toEqual([0o700, 'embedded'])
  expect(await readLastBackup(catalog.store)).toMatchObject({ at: manifest.created_at, folder })
  const { heard, terminal } = listening()
  await listBackups(terminal, at('backups'))
  expect(heard.answers).toEqual([{ backups: [expect.objectContaining({ backup: basename(folder), state: 'whole' })] }])
  expect(existsSync(join(at('backups'), 'of-somebody-else'))).toBe(true)
  await expect(findBackup(at('nothing'))).rejects.toThrow('expected the folder that catalog backup --to named')
  await expect(readManifest(at('backups'))).rejects.toThrow('is no backup: expected manifest.json')
})

test('a newer backup that is damaged or unfinished is told, and no older one stands in for a damaged one', async () => {
  const { at, envOf } = filled
  const later = join(at('backups'), '2999-01-01T00-00-00Z')
  mkdirSync(later)
  const { heard, terminal } = listening()
  expect(await findBackup(at('backups'), terminal.note)).toEqual(kept)
  expect(heard.notes).toEqual([expect.stringContaining(`${later} is unfinished`)])
  writeFileSync(join(later, 'manifest.json'), '{ "format": 1')
  await listBackups(terminal, at('backups'))
  expect(heard.answers).toMatchObject([
    {
      backups: [
        { backup: basename(kept.folder), state: 'whole' },
        { backup: '2999-01-01T00-00-00Z', state: 'damaged', seq: null },
      ],
    },
  ])
  const refused = `To take an older one, name its folder: catalog backup list ${at('backups')}`
  const asked = { flags: {}, signal }
  await expect(verifyBackup(envOf('new'), terminal, { dir: at('backups'), ...asked })).rejects.toThrow(refused)
  await expect(restore(envOf('new'), terminal, { from: at('backups'), ...asked })).rejects.toThrow(refused)
  rmSync(later, { recursive: true })
})

test('a database that takes no writes is backed up, and one backup at a time is written into a folder', async () => {
  const { at, env, catalog } = filled
  const lock = takeLock(at('backups'))
  await expect(filled.save()).rejects.toThrow('another process writes a backup into it')
  lock?.close()
  const query = async (sql: string, parameters?: readonly unknown[]) => {
    if (/insert into meta/.test(sql)) throw Object.assign(new Error('in a read-only transaction'), { code: '25006' })
    return catalog.store.query(sql, parameters)
  }
  const { heard, terminal } = listening()
  const readOnly = { ...catalog, store: { ...catalog.store, query } as typeof catalog.store }
  await backup({ catalog: readOnly, env, terminal, signal }, { to: at('read-only') })
  expect(heard.answers).toHaveLength(1)
  expect(heard.notes).toEqual([expect.stringContaining('the backup is whole, and the database took no note of it')])
  expect((await readLastBackup(catalog.store))?.folder).toBe(kept.folder)
})

test('a restore overwrites nothing: it refuses a place that is open, or has a store already', async () => {
  const { at, env, envOf, catalog } = filled
  const again = (flags: { replace?: true }, into = env) =>
    restore(into, listening().terminal, { from: kept.folder, flags, signal })
  await expect(again({ replace: true })).rejects.toThrow('is open in another process')
  await catalog[Symbol.asyncDispose]()
  await expect(again({})).rejects.toThrow(`${at('data')} has a store already`)
  const into = envOf('other', { DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  await expect(again({}, into)).rejects.toThrow('is of an embedded store, and DATABASE_URL names PostgreSQL')
})

test('a backup with one other byte or file is refused, and the place stays as it was', async () => {
  const { at, envOf } = filled
  const { folder, manifest } = kept
  const { path } = manifest.files.find(({ path }) => path.endsWith('PG_VERSION')) as { path: string }
  const place = join(folder, path)
  const bytes = readFileSync(place)
  const { terminal } = listening()
  const asked = { flags: {}, signal }
  writeFileSync(place, Buffer.from(bytes.map((byte, i) => (i === 0 ? byte ^ 1 : byte))))
  const refused = `${folder} is damaged: ${path} has other bytes than were backed up. To take an older one, name its folder: catalog backup list ${at('backups')}`
  await expect(restore(envOf('new'), terminal, { from: folder, ...asked })).rejects.toThrow(refused)
  await expect(verifyBackup(envOf('new'), terminal, { dir: folder, ...asked })).rejects.toThrow(refused)
  writeFileSync(place, bytes)
  const strange = join(folder, 'postgres', 'strange')
  writeFileSync(strange, '')
  await expect(restore(envOf('new'), terminal, { from: folder, ...asked })).rejects.toThrow(
    'postgres/strange was not backed up',
  )
  rmSync(strange)
  expect(existsSync(at('new'))).toBe(false)
})

test('a verified backup is restored as it was, in a new generation with a snapshot, and the former store is set aside', async () => {
  const { at, env, envOf } = filled
  const { heard, terminal } = listening()
  expect(await verifyBackup(envOf('nowhere'), terminal, { dir: at('backups'), flags: {}, signal })).toBe(true)
  expect(heard.answers).toEqual([
    expect.objectContaining({ ok: true, folded: true, roots: before.roots, seq: Number(before.seq) }),
  ])
  expect(existsSync(at('nowhere'))).toBe(false)

  const { answer, facts } = await restored(env, at('backups'), { replace: true })
  expect(said(facts)).toEqual(said(before))
  expect(facts.gen > before.gen).toBe(true)
  expect(answer).toMatchObject({ gen: { from: before.gen, to: facts.gen }, snapshot: join(at('data'), 'snapshots') })
  expect(readdirSync(join(at('data'), 'snapshots'))).toContain(facts.gen)
  const asides = () => readdirSync(at('data')).filter((name) => name.startsWith('replaced-'))
  expect(asides()).toHaveLength(1)
  expect(existsSync(join(at('data'), asides()[0] as string, 'PG_VERSION'))).toBe(true)
  // The same backup goes back as often as it is asked for: it replaces another store each time.
  const { facts: again } = await restored(env, kept.folder, { replace: true })
  expect(asides()).toHaveLength(2)
  // A folder that is copied by hand begins a generation once; one that is moved goes on.
  const genOf = async (data: string) => {
    await using opened = await openCatalog(envOf(data))
    return (await readMeta(opened.store, 'gen')) as string
  }
  renameSync(at('data'), at('moved'))
  expect(await genOf('moved')).toBe(again.gen)
  cpSync(at('moved'), at('copied'), { recursive: true })
  const copied = await genOf('copied')
  expect(copied > again.gen).toBe(true)
  // Its snapshot is there when it begins, for mirrors.
  expect(readdirSync(at(join('copied', 'snapshots')))).toEqual(expect.arrayContaining([copied, 'index.json']))
  expect(await genOf('copied')).toBe(copied)
  // Where none can be written it begins all the same.
  cpSync(at('copied'), at('full'), { recursive: true })
  rmSync(at(join('full', 'snapshots')), { recursive: true })
  writeFileSync(at(join('full', 'snapshots')), 'no folder')
  expect((await genOf('full')) > copied).toBe(true)
})

const missing = unavailable('postgres')

test.skipIf(missing !== null)(
  `${missing ?? ''}tables of PostgreSQL are dumped at one instant, tried in a scratch database, and restored`,
  async () => {
    const from = await emptyDatabase()
    const { folder: files, at, env, envOf, catalog, save } = await openFilled({ DATABASE_URL: from })
    using _files = files
    await using _catalog = catalog
    const before = await readFacts(catalog.store)
    const { folder, manifest } = await save()
    expect([manifest.kind, said(manifest)]).toEqual(['postgres', said(before)])
    const scratches = () => catalog.store.query(`select from pg_database where datname like 'catalog_scratch_%'`)
    const { terminal } = listening()
    expect(await verifyBackup(env, terminal, { dir: at('backups'), flags: {}, signal })).toBe(true)
    expect(await scratches()).toEqual([])

    const { terminal: unheard } = listening()
    const refused = restore(env, unheard, { from: folder, flags: {}, signal })
    await expect(refused).rejects.toThrow('the database has the schema catalog and catalog_live already')
    const into = envOf('other', { DATABASE_URL: await emptyDatabase() })
    const { answer, facts } = await restored(into, folder)
    expect(said(facts)).toEqual(said(before))
    expect(facts.gen > before.gen).toBe(true)
    // The generation began once, at the first opening.
    expect(answer.gen.to).toBe(facts.gen)
    await using here = await openCatalog(env)
    expect(await readMeta(here.store, 'gen')).toBe(before.gen)
  },
)
