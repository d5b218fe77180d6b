import { mkdirSync, mkdtempDisposableSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aggregate } from '@catalog/aggregator/run.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { pageChangesOf } from '@catalog/core/changes/protocol.ts'
import { digestNewestMark } from '@catalog/projector/digests.ts'
import { verifyCatalog } from '@catalog/projector/verify/verify.ts'
import { type Environment, readEnvironment } from '@catalog/runtime/env.ts'
import { addressOf, answerOf, feedState, startCatalog } from '@catalog/stack/servers/command.ts'
import { emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { testDataDir } from '@catalog/stack/testing/store.ts'
import { catalogRoot, readCounts, readSeq, vendorRoot } from '@catalog/store/builds/status.ts'
import { openEmbedded } from '@catalog/store/embedded/embedded.ts'
import { NewerSchema, SCHEMA_VERSION, schemaVersion } from '@catalog/store/migrations/migrate.ts'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { loadEmbedded, readFixture, readMirror, releases } from './releases.ts'

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

const MIRRORED = releases().filter((version) => readMirror(version) !== undefined)

test.skipIf(missing !== null).each(MIRRORED)(
  `${missing ?? ''}a mirror of %s follows an origin that was upgraded into a generation of smaller pages, to equal roots`,
  async (version) => {
    // given: the store, its log and its mirror as that code left them, opened by this code
    const { sql, holds } = readFixture(version)
    const origin = await openPostgresFixture(sql)
    const into = join(origin.CATALOG_DATA, 'mirror')
    mkdirSync(into)
    writeFileSync(join(into, 'items.sqlite'), readMirror(version) as Buffer)
    const options = { data: origin.CATALOG_DATA, env: { DATABASE_URL: origin.DATABASE_URL as string } }
    await using serving = startCatalog(['serve', '--json', '--port', '0'], options)
    const address = await addressOf(serving)
    const url = `${address}/feeds`
    const pass = async () => ((await answerOf(['mirror', url, '--into', into], options)) as Mirrored).scopes.items

    // when: it passes before and after a crawl and a run of this code
    const first = await pass()
    const list = join(origin.CATALOG_DATA, 'list.csv')
    writeFileSync(list, 'ref,name,unit,price\nH60,Roof hatch 60x80,u,124.00\n')
    await answerOf(
      ['crawl', list, ...'--source Norte --region ES --currency EUR --observed-at 2026-11-11'.split(' ')],
      options,
    )
    await using catalog = await openCatalog(origin)
    await aggregate(catalog.aggregator, { asOf: '2026-11-12T12:00:00Z' })
    await digestNewestMark(catalog.store)
    const second = await pass()

    // then: it needed no change that it had, and has each item of the origin, proved
    const proved = { seq: holds.seq, root: holds.roots.catalog }
    expect(pageChangesOf(/'gen', '(\w+)'/.exec(sql)?.[1] as string)).toBe(500)
    expect(await feedState(address)).toMatchObject({ gen: first.gen, page_size: 50 })
    expect(first).toMatchObject({ began: 'adopted', seq: holds.seq, applied: 0, proved })
    const seq = Number(await readSeq(catalog.store))
    expect(seq).toBeGreaterThan(holds.seq)
    const reached = { seq, root: await catalogRoot(catalog.store) }
    expect(second).toMatchObject({ seq, count: (await readCounts(catalog.store)).items_priced, proved: reached })
  },
)
type Mirrored = {
  scopes: {
    items: { gen: string; began: string | null; seq: number; applied: number; count: number; proved: object | null }
  }
}

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
