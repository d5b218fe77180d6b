import { mkdtempDisposableSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aggregate } from '@catalog/aggregator/run.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { verifyCatalog } from '@catalog/projector/verify/verify.ts'
import { type Environment, readEnvironment } from '@catalog/runtime/env.ts'
import { emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { testDataDir } from '@catalog/stack/testing/store.ts'
import { catalogRoot, readCounts, readSeq, vendorRoot } from '@catalog/store/builds/status.ts'
import { openEmbedded } from '@catalog/store/embedded/embedded.ts'
import { NewerSchema, SCHEMA_VERSION, schemaVersion } from '@catalog/store/migrations/migrate.ts'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { loadEmbedded, readFixture, releases } from './releases.ts'

const missing = unavailable('postgres')

async function openPostgresFixture(sql: string): Promise<Environment> {
  const url = await emptyDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
  const data = mkdtempDisposableSync(join(tmpdir(), 'catalog-upgrade-'))
  onTestFinished(() => data.remove())
  return readEnvironment({ DATABASE_URL: url, CATALOG_DATA: data.path, LOG_LEVEL: 'silent' })
}

async function openEmbeddedFixture(sql: string): Promise<Environment> {
  const dir = await testDataDir()
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  await loadEmbedded(sql, dir)
  return readEnvironment({ CATALOG_DATA: dir, LOG_LEVEL: 'silent' })
}

const KINDS = { postgres: openPostgresFixture, embedded: openEmbeddedFixture }
const CASES = releases().flatMap((version) => (['postgres', 'embedded'] as const).map((kind) => ({ version, kind })))

test.skipIf(missing !== null).each(CASES)(
  `${missing ?? ''}a store of $version on $kind is upgraded as it opens: same roots, still the fold of its log, and runs go on`,
  async ({ version, kind }) => {
    const { sql, holds } = readFixture(version)
    const env = await KINDS[kind](sql)
    await using catalog = await openCatalog(env)
    const { store } = catalog
    expect(await schemaVersion(store)).toBe(SCHEMA_VERSION)
    expect(Number(await readSeq(store))).toBe(holds.seq)
    expect({ catalog: await catalogRoot(store), vendor: await vendorRoot(store) }).toEqual(holds.roots)
    expect(await readCounts(store)).toEqual(holds.counts)
    const { ok, checks } = await verifyCatalog(catalog)
    expect([ok, checks.filter(({ ok }) => !ok)]).toEqual([true, []])
    expect(await store.query('select name from workspaces')).toEqual([{ name: 'Estimators' }])
    const reports = await aggregate(catalog.aggregator, { asOf: '2026-11-20T12:00:00Z' })
    expect(reports.at(-1)).toMatchObject({ resumed: false, asOf: '2026-11-20T12:00:00Z' })
    expect((await verifyCatalog(catalog)).ok).toBe(true)
  },
)

test('a store of newer code is refused, and the error says how to go back', async () => {
  const dir = await testDataDir()
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  {
    await using embedded = await openEmbedded({ dir })
    await embedded.store.query(`insert into schema_migrations (version) values ($1)`, [SCHEMA_VERSION + 1])
  }
  const opened = openCatalog(readEnvironment({ CATALOG_DATA: dir, LOG_LEVEL: 'silent' }))
  await expect(opened).rejects.toThrow(NewerSchema)
  await expect(opened).rejects.toThrow('run the newer code, or restore a backup')
})
