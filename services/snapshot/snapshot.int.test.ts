import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { SCOPES } from '@catalog/core/changes/protocol.ts'
import { isSignedBy, type Signed } from '@catalog/core/changes/signature.ts'
import { bucketHashes, bucketOf, rootOf, sha256Bytes, sha256Hex } from '@catalog/core/digest.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { readTable } from '@catalog/stack/snapshot/parquet.ts'
import { event, observation, observationRetracted, published, registration } from '@catalog/stack/testing/events.ts'
import { catalogRoot } from '@catalog/store/builds/status.ts'
import { readNewestMark, readScopesAt } from '@catalog/store/catalog/digests.ts'
import { readSnapshots } from '@catalog/store/catalog/snapshots.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import { readFeedKeys } from '@catalog/store/feed-keys.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NothingToSnapshot, type SnapshotOptions, takeSnapshot } from './snapshot.ts'
import { SnapshotDiffers } from './write.ts'

const path = await pathOfFile()
const gen = (await readMeta(path.store, 'gen')) as string
let folder: string
let runs = 0

beforeEach(async () => {
  await path.reset()
  await path.store.query('truncate digests, snapshots, feed_floors')
  folder = mkdtempSync(join(tmpdir(), 'catalog-snapshot-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const mark = (asOf = '2026-01-05T00:00:00Z') =>
  event({ type: 'RunMarked', run_id: `run_${++runs}`, as_of: asOf, items_published: 1 })

const snapshot = (options: Partial<SnapshotOptions> = {}, at = '2026-11-20T03:30:00Z') =>
  takeSnapshot({ store: path.store, folder, licence: null, now: () => new Date(at), ...options })

/** A catalog of 600 items in several regions; some left a region and some are gone. */
async function publishMany(): Promise<void> {
  const ids = Array.from({ length: 600 }, (_, i) => `ci_${String(i).padStart(4, '0')}`)
  await path.append([
    ...ids.map((id, i) => published({ id, cents: i + 1, regions: i % 3 === 0 ? ['ES', 'UY'] : ['ES'] })),
    ...ids.slice(0, 60).map((id, i) => published({ id, cents: i + 1, regions: ['GB'], version: 2 })),
    ...ids.slice(60, 90).map((id) => published({ id, cents: null, regions: [], state: 'gone', version: 2 })),
    mark(),
    // Later than the mark, so not part of the snapshot.
    published({ id: 'ci_later', cents: 9, asOf: '2026-01-06T00:00:00Z' }),
    published({ id: ids[100] as string, cents: 9_999, version: 2, asOf: '2026-01-06T00:00:00Z' }),
  ])
}

type Manifest = {
  seq: number
  count: number
  state_root: string
  licence: unknown
  scopes: Record<string, { seq: number; chain: string; count: number; state_root: string }>
  shards: { bucket: number; file: string; count: number; bytes: number; sha256: string }[]
  scope_files: Record<string, { file: string; count: number; bytes: number; sha256: string }>
  files: { file: string; rows: number; bytes: number; sha256: string }[]
}
const place = (seq: number | bigint) => join(folder, gen, String(seq))
const manifestAt = (seq: number | bigint) =>
  JSON.parse(readFileSync(join(place(seq), 'manifest.json'), 'utf8')) as Manifest
const linesOf = (seq: number | bigint, file: string) =>
  gunzipSync(readFileSync(join(place(seq), file)))
    .toString()
    .split('\n')
    .slice(0, -1)

describe('a snapshot', () => {
  test('holds the state at the mark in its shards and proves it for every scope', async () => {
    await publishMany()
    const progress: number[] = []
    const licence = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' }
    const report = await snapshot({ licence, onProgress: ({ done, total }) => progress.push(done, total) })
    const { seq, count, manifestSha, bytes } = report.snapshot
    expect(report).toMatchObject({ isNew: true, removed: [] })
    expect([seq, count]).toEqual([690n, 570])
    expect(progress.slice(-2)).toEqual([570, 570])
    const manifest = manifestAt(seq)
    expect(manifest).toMatchObject({ seq: 690, count: 570, licence })
    expect(sha256Hex(readFileSync(join(place(seq), 'manifest.json')))).toBe(manifestSha)
    expect(manifest.shards.map(({ bucket }) => bucket)).toEqual(Array.from({ length: 256 }, (_, i) => i))
    const states: { id: string; sha: Buffer; regions: readonly string[] }[] = []
    for (const { bucket, file, ...says } of manifest.shards) {
      const packed = readFileSync(join(place(seq), file))
      const lines = linesOf(seq, file)
      expect(says).toEqual({ count: lines.length, bytes: packed.length, sha256: sha256Hex(packed) })
      const found = lines.map((line) => ({ line, ...(JSON.parse(line) as PublicState) }))
      const ids = found.map(({ item }) => item.id)
      expect(ids).toEqual(ids.toSorted())
      expect(ids.every((id) => bucketOf(id) === bucket)).toBe(true)
      states.push(...found.map(({ line, item, regions }) => ({ id: item.id, sha: sha256Bytes(line), regions })))
    }
    expect(bytes).toBe(manifest.shards.reduce((sum, shard) => sum + shard.bytes, 0))
    for (const scope of SCOPES) {
      const present = states.filter(({ regions }) => scope === 'items' || regions.includes(scope.slice(7)))
      const root = rootOf(bucketHashes(present))
      expect(manifest.scopes[scope]).toMatchObject({ count: present.length, state_root: root })
    }
    expect(Object.values(manifest.scopes).map(({ count }) => count)).toContain(60)
    expect(manifest.state_root).toBe(manifest.scopes.items?.state_root)
  })

  test('holds the states of each scope that has some in one file, in ascending id order', async () => {
    await publishMany()
    const { seq } = (await snapshot()).snapshot
    const { shards, scopes, scope_files } = manifestAt(seq)
    const idOf = (line: string) => (JSON.parse(line) as PublicState).item.id
    const all = shards.flatMap(({ file }) => linesOf(seq, file)).toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    expect(Object.keys(scope_files)).toEqual(SCOPES.filter((scope) => (scopes[scope]?.count ?? 0) > 0))
    for (const [scope, { file, ...says }] of Object.entries(scope_files)) {
      const packed = readFileSync(join(place(seq), file))
      const present = all.filter(
        (line) => scope === 'items' || (JSON.parse(line) as PublicState).regions.includes(scope.slice(7)),
      )
      expect(linesOf(seq, file)).toEqual(present)
      expect(says).toEqual({ count: present.length, bytes: packed.length, sha256: sha256Hex(packed) })
    }
    expect(scope_files['region/ES']?.file).toBe('region-ES.ndjson.gz')
  })

  test('says in its manifest whose it is, signed by the key of the catalog', async () => {
    await publishMany()
    const { snapshot: taken } = await snapshot()
    const { catalog, keys } = await readFeedKeys(path.store)
    const { signatures, ...said } = manifestAt(taken.seq) as Manifest & Signed
    expect([said.catalog, signatures.map(({ key }) => key)]).toEqual([catalog, keys.map(({ id }) => id)])
    const [key, signature] = [keys[0]?.public_key as string, signatures[0]?.signature as string]
    const holds = (document: object) => isSignedBy(key, { kind: 'manifest', document: { ...document }, signature })
    expect([holds(said), holds({ ...said, count: 1 })]).toEqual([true, false])
  })

  test("gives each scope's number and chain at the mark, where a region's mirror continues", async () => {
    await publishMany()
    const { snapshot: taken } = await snapshot()
    const { scopes } = manifestAt(taken.seq)
    for (const scope of SCOPES) {
      const [last] = await path.store.query<{ rseq: bigint; chain: Buffer }>(
        `select rseq, chain from change_scopes where scope = $1 and seq <= $2 order by rseq desc limit 1`,
        [scope, taken.seq],
      )
      expect(scopes[scope]?.seq).toBe(Number(last?.rseq ?? 0n))
      if (last !== undefined) expect(scopes[scope]?.chain).toBe(last.chain.toString('hex'))
    }
    expect(scopes['region/CO']).toMatchObject({ seq: 0, count: 0 })
  })

  test('has the same shards byte for byte when taken again in another folder', async () => {
    await publishMany()
    const [first] = [(await snapshot()).snapshot.seq]
    const shards = manifestAt(first).shards
    const elsewhere = join(folder, 'elsewhere')
    const copy = await snapshot({ folder: elsewhere, isCopy: true }, '2026-12-01T03:30:00Z')
    expect(copy).toMatchObject({ isNew: true, snapshot: { seq: first, edition: null } })
    const copied = JSON.parse(readFileSync(join(elsewhere, gen, String(first), 'manifest.json'), 'utf8')) as Manifest
    expect(copied.shards).toEqual(shards)
    const [row] = await readSnapshots(path.store)
    expect(row?.createdAt).toBe('2026-11-20T03:30:00Z')
    expect(existsSync(join(elsewhere, 'index.json'))).toBe(false)
  })

  test('is not taken again at the same mark', async () => {
    await publishMany()
    const first = await snapshot()
    const bytes = readFileSync(join(place(first.snapshot.seq), 'manifest.json'))
    const second = await snapshot({}, '2026-11-21T03:30:00Z')
    expect(second).toMatchObject({ isNew: false, snapshot: first.snapshot })
    expect(readFileSync(join(place(first.snapshot.seq), 'manifest.json'))).toEqual(bytes)
  })

  test('is refused for a catalog without a finished run', async () => {
    await expect(snapshot()).rejects.toThrow(NothingToSnapshot)
    await path.append([published({ id: 'ci_a' })])
    await expect(snapshot()).rejects.toThrow(NothingToSnapshot)
    expect(readdirSync(folder)).toEqual([])
  })

  test("is not published when its states differ from the digest's root, and the error names both roots", async () => {
    await publishMany()
    await snapshot()
    rmSync(place(690), { recursive: true })
    const root = '0'.repeat(64)
    await path.store.query(`update digests set state_root = $1 where scope = 'region/UY'`, [root])
    await expect(snapshot()).rejects.toThrow(SnapshotDiffers)
    await expect(snapshot()).rejects.toThrow(new RegExp(`region/UY at 690: .* [0-9a-f]{64}, the digest ${root}`))
    expect(existsSync(place(690))).toBe(false)
  })
})

describe('a killed run', () => {
  test('leaves an unfinished folder that the next run removes', async () => {
    await publishMany()
    const left = join(folder, `.unfinished-${gen}-690`)
    mkdirSync(join(left, 'text'), { recursive: true })
    // Simulates text that was written twice.
    writeFileSync(join(left, 'text', '00.ndjson'), '{"half":')
    const { snapshot: taken } = await snapshot()
    expect(existsSync(left)).toBe(false)
    expect(manifestAt(taken.seq).state_root).toBe((await scopesAtMark())[0]?.stateRoot)
    expect(readdirSync(folder).sort()).toEqual([gen, 'index.json'].sort())
  })

  test('is adopted unchanged when its folder is complete but has no row', async () => {
    await publishMany()
    const first = await snapshot()
    await path.store.query('truncate snapshots')
    const bytes = readFileSync(join(place(690), 'manifest.json'))
    const second = await snapshot({}, '2026-12-24T03:30:00Z')
    expect(second.snapshot).toEqual(first.snapshot)
    expect(readFileSync(join(place(690), 'manifest.json'))).toEqual(bytes)
  })

  test('that stopped while writing leaves nothing that is served', async () => {
    await publishMany()
    const stopping = new AbortController()
    const stopped = snapshot({ signal: stopping.signal, onProgress: () => stopping.abort(new Error('stopped')) })
    await expect(stopped).rejects.toThrow('stopped')
    expect(existsSync(place(690))).toBe(false)
    expect(await readSnapshots(path.store)).toEqual([])
    expect((await snapshot()).isNew).toBe(true)
  })

  test('is refused when the folder holds another history under the same numbers', async () => {
    await publishMany()
    await snapshot()
    await path.store.query('truncate snapshots')
    const manifest = manifestAt(690)
    const other = {
      ...manifest,
      scopes: { ...manifest.scopes, items: { ...manifest.scopes.items, chain: 'ab'.repeat(32) } },
    }
    writeFileSync(join(place(690), 'manifest.json'), JSON.stringify(other))
    await expect(snapshot()).rejects.toThrow(/catalog restored/)
    expect(await readSnapshots(path.store)).toEqual([])
  })
})

const scopesAtMark = async () => {
  const newest = await readNewestMark(path.store)
  return newest === undefined ? [] : readScopesAt(path.store, newest)
}

test('keeps the first snapshot of a month forever, and the newest few of the others', async () => {
  const dates = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-12-01']
  for (const [i, date] of dates.entries()) {
    await path.append([published({ id: 'ci_a', cents: i + 1, version: i + 1 }), mark()])
    await snapshot({ keep: 2 }, `${date}T03:30:00Z`)
  }
  const rows = await readSnapshots(path.store)
  expect(rows.map(({ seq, edition }) => [Number(seq), edition])).toEqual([
    [7, '2026-12'],
    [6, null],
    [5, null],
    [3, '2026-11'],
    [1, '2026-10'],
  ])
  expect(readdirSync(join(folder, gen)).sort()).toEqual(['1', '3', '5', '6', '7'])
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))
  expect(index.snapshots.map(({ url }: { url: string }) => url)).toEqual(
    [7, 6, 5, 3, 1].map((seq) => `${gen}/${seq}/manifest.json`),
  )
  for (const { url, sha256, edition } of index.snapshots) {
    expect(sha256Hex(readFileSync(join(folder, url)))).toBe(sha256)
    expect(edition === null || /^2026-1[012]$/.test(edition)).toBe(true)
  }
})

describe('the Parquet files', () => {
  test('hold the items, the markets and the history at the mark, typed', async () => {
    await publishMany()
    const { snapshot: taken } = await snapshot()
    const { files } = manifestAt(taken.seq)
    expect(files.map(({ file, rows }) => [file, rows])).toEqual([
      ['items.parquet', 570],
      ['markets.parquet', 170 + 570],
      ['names.parquet', 0],
      ['price_history.parquet', await pointsAtMark()],
      ['observations.parquet', 0],
      ['votes.parquet', 0],
      ['exclusions.parquet', 0],
    ])
    for (const { file, bytes, sha256 } of files) {
      const content = readFileSync(join(place(taken.seq), file))
      expect([content.length, sha256Hex(content)]).toEqual([bytes, sha256])
    }
    const at = new Date('2026-01-05T00:00:00Z')
    const items = await tableOf(690, 'items')
    expect(items.rows.map(({ id }) => id)).toEqual(items.rows.map(({ id }) => id).toSorted())
    expect(items.rows.filter(({ id }) => id === 'ci_0100')).toEqual([
      {
        id: 'ci_0100',
        name: 'Item ci_0100',
        unit: 'kg',
        cpv: null,
        category_id: null,
        vendor_count: 1,
        observation_count: 1,
        median_price_cents: 101n,
        median_price_currency: 'EUR',
        median_price_recorded_at: at,
        updated_at: at,
        kind: null,
        regions: ['ES'],
      },
    ])
    const markets = await tableOf(690, 'markets')
    expect(markets.rows.filter(({ item_id }) => item_id === 'ci_0003')).toEqual([
      {
        item_id: 'ci_0003',
        region: 'GB',
        vendor_count: 1,
        median_price_cents: 4n,
        median_price_currency: 'EUR',
        median_price_recorded_at: at,
      },
    ])
    // A run after the mark is not part of the snapshot.
    const history = await tableOf(690, 'price_history')
    const point = { item_id: 'ci_0100', recorded_at: at, price_cents: 101n, currency: 'EUR' }
    expect(history.rows.filter(({ item_id }) => item_id === 'ci_0100')).toEqual([
      { ...point, price_region: null },
      { ...point, price_region: 'ES' },
    ])
    expect(history.types).toEqual([
      'item_id BYTE_ARRAY UTF8',
      'price_region BYTE_ARRAY UTF8',
      'recorded_at INT64 TIMESTAMP_MICROS UTC',
      'price_cents INT64 INT_64',
      'currency BYTE_ARRAY UTF8',
    ])
  })

  test('keep names unchanged in any script', async () => {
    const name = `Hormigón "HA-25" 'B'\\20 \u{1f9f1} , ; \t`
    const names = [
      { lang: 'es', name, regions: ['ES', 'EU'] },
      { lang: null, name: 'X', regions: ['BR'], minor_regions: ['LATAM'] },
    ]
    await path.append([published({ id: 'ci_a', name, names, cents: 9_007_199_254_740_991 }), mark()])
    await snapshot()
    const { rows } = await tableOf(1, 'items')
    expect(rows).toMatchObject([{ name, median_price_cents: 9_007_199_254_740_991n }])
    expect((await tableOf(1, 'names')).rows).toEqual([
      { item_id: 'ci_a', place: 1, lang: 'es', name, regions: ['ES', 'EU'], minor_regions: [] },
      { item_id: 'ci_a', place: 2, lang: null, name: 'X', regions: ['BR'], minor_regions: ['LATAM'] },
    ])
  })

  test('hold the observations at the cut, and votes from which anybody can compute the median', async () => {
    const priced = (vendor: string, cents: number, at: string) =>
      observation({
        vendor,
        region: 'ES',
        ref: 'r1',
        name: 'Cement',
        cents,
        at,
        crawl: 'c1',
        more: { gtin: '4006381333931' },
      })
    const retracted = priced('Sur', 90, '2026-01-04T00:00:00Z')
    await path.append([
      registration({ vendor: 'Norte', region: 'ES', trust: 60 }),
      registration({ vendor: 'Sur', region: 'ES', trust: 50 }),
      registration({ vendor: 'Nadie', region: 'ES', trust: 0 }),
      priced('Norte', 100, '2026-01-01T00:00:00Z'),
      priced('Sur', 120, '2026-01-02T00:00:00Z'),
      priced('Nadie', 999, '2026-01-02T00:00:00Z'),
      retracted,
      observationRetracted(retracted.source.id, { scope: 'observation', observation_id: retracted.event_id }),
    ])
    await path.run('2026-01-05T00:00:00Z')
    await path.append([priced('Norte', 130, '2026-01-06T00:00:00Z')])
    const { snapshot: taken } = await snapshot()
    const rowsOf = async (name: string) => (await tableOf(taken.seq, name)).rows
    const observed = await rowsOf('observations')
    expect(observed.map(({ price_cents }) => price_cents)).toEqual([100n, 120n, 999n])
    expect(observed[0]).toEqual({
      observation_id: expect.stringMatching(/^[0-9a-f]{64}$/),
      vendor_sku_id: expect.any(String),
      item_id: expect.stringMatching(/^ci_/),
      source_id: expect.stringMatching(/^src_/),
      vendor_ref: 'r1',
      name: 'Cement',
      category_path: null,
      gtin: '4006381333931',
      lang: null,
      unit: 'kg',
      pack_quantity: null,
      pack_unit: null,
      price_cents: 100n,
      currency: 'EUR',
      per_quantity: 1n,
      min_quantity: null,
      tax_included: false,
      tax_rate: null,
      price_kind: 'list',
      observed_at: new Date('2026-01-01T00:00:00Z'),
      recorded_at: expect.any(Date),
      crawl_id: 'c1',
    })
    const votes = await rowsOf('votes')
    expect(votes.map(({ vendor_sku_id }) => vendor_sku_id)).toEqual(
      votes.map(({ vendor_sku_id }) => vendor_sku_id).toSorted(),
    )
    expect(votes.toSorted((a, b) => a.trust - b.trust)).toMatchObject([
      { price_exact: '120', price_cents: 120, trust: 50, markets: ['ES', 'EU'] },
      { price_exact: '100', price_cents: 100, trust: 60, observed_at: new Date('2026-01-01T00:00:00Z') },
    ])
    expect(await rowsOf('exclusions')).toMatchObject([{ reason: 'NO_TRUST', as_of: new Date('2026-01-05T00:00:00Z') }])
    // The lower weighted median of the votes is the published one.
    const trustUpTo = (cents: number) =>
      votes.filter(({ price_cents }) => price_cents <= cents).reduce((sum, { trust }) => sum + trust, 0)
    const prices = votes.map(({ price_cents }) => price_cents).toSorted((a, b) => a - b)
    expect(prices.find((cents) => 2 * trustUpTo(cents) >= trustUpTo(Infinity))).toBe(100)
    const [item] = await rowsOf('items')
    expect(item?.median_price_cents).toBe(100n)
  })

  test('exist even without items', async () => {
    await path.append([
      published({ id: 'ci_a' }),
      published({ id: 'ci_a', state: 'gone', cents: null, regions: [], version: 2 }),
      mark(),
    ])
    const { snapshot: taken } = await snapshot()
    expect(taken.count).toBe(0)
    expect(manifestAt(2).files.map(({ rows }) => rows)).toEqual([0, 0, 0, await pointsAtMark(), 0, 0, 0])
    expect(manifestAt(2).state_root).toBe(await catalogRoot(path.store))
  })
})

async function pointsAtMark(): Promise<number> {
  const [row] = await path.store.query<{ n: number }>(
    `select count(*)::int as n from price_points where recorded_at <= '2026-01-05T00:00:00Z'`,
  )
  return row?.n ?? 0
}

const tableOf = (seq: number | bigint, name: string) => readTable(join(place(seq), `${name}.parquet`))
