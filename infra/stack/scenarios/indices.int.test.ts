import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { type IndexRecorded, indexIdOf } from '@catalog/core/events/indices.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event, indexPoint, observation, registration } from '@catalog/stack/testing/events.ts'
import { readCounts } from '@catalog/store/builds/status.ts'
import { readIndexPoints, readIndices } from '@catalog/store/indices/index-points.ts'
import { retractionEffect, skuOfObservation, sourcesOfCrawl } from '@catalog/store/vendor/retraction.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const path = await pathOfFile()
beforeEach(() => path.reset())

const INDEX = indexIdOf('xx-statistics', 'BUILD.1')
const JANUARY = indexPoint()
const REVISED = indexPoint({ value: '121.0', observed_at: '2026-03-15T00:00:00Z', crawl_id: 'import-2' })
const FEBRUARY = indexPoint({ period: '2026-02', value: '122.3', crawl_id: 'import-2' })
const POINTS = [JANUARY, REVISED, FEBRUARY]

const values = async (options?: Parameters<typeof readIndexPoints>[2]) =>
  (await readIndexPoints(path.store, INDEX, options)).map(({ period, value, revisions }) => [period, value, revisions])
const retraction = (target: Extract<CatalogEvent, { type: 'ObservationRetracted' }>['target'], recordedAt?: string) => {
  const whole = event({ type: 'ObservationRetracted', source_id: 'xx-statistics', target, reason: 'a wrong file' })
  return recordedAt === undefined ? whole : { ...whole, recorded_at: recordedAt }
}

describe('a series', () => {
  test.each([[POINTS], [POINTS.toReversed()], [[FEBRUARY, JANUARY, REVISED, JANUARY]]])(
    'has the last stated value of each period, in any order of arrival',
    async (points) => {
      await path.append(points)
      expect(await values()).toEqual([
        ['2026-01', '121.0', 1],
        ['2026-02', '122.3', 0],
      ])
      const described = { index_id: INDEX, title: 'Cost of building', region: 'ES', base: '2021=100', points: 2 }
      expect(await readIndices(path.store, { indexId: INDEX })).toMatchObject([
        { ...described, first_period: '2026-01', last_period: '2026-02', last_value: '122.3', licence: null },
      ])
    },
  )

  test('takes the same value again for no revision, and an older one that holds again for two', async () => {
    const again = { crawl_id: 'import-3', observed_at: '2026-04-15T00:00:00Z' }
    await path.append([JANUARY, indexPoint({ ...again, observed_at: '2026-03-01T00:00:00Z' }), REVISED])
    expect(await values()).toEqual([['2026-01', '121.0', 1]])
    await path.append([indexPoint(again)])
    expect(await values()).toEqual([['2026-01', '120.4', 2]])
  })

  test('is read from a period to another, as it was stated by an instant', async () => {
    await path.append(POINTS)
    expect(await values({ until: '2026-03-01T00:00:00Z' })).toEqual([
      ['2026-01', '120.4', 0],
      ['2026-02', '122.3', 0],
    ])
    expect(await values({ from: '2026-02' })).toEqual([['2026-02', '122.3', 0]])
    expect(await values({ to: '2026-01' })).toEqual([['2026-01', '121.0', 1]])
    expect(await values({ from: '2026', to: '2026' })).toHaveLength(2)
  })

  test.each<[string, Parameters<typeof retraction>[0], number, readonly unknown[]]>([
    [
      'by its id',
      { scope: 'observation', observation_id: REVISED.event_id },
      1,
      [
        ['2026-01', '120.4', 0],
        ['2026-02', '122.3', 0],
      ],
    ],
    ['by its import', { scope: 'crawl', crawl_id: 'import-2' }, 2, [['2026-01', '120.4', 0]]],
    ['by its publisher', { scope: 'source' }, 3, []],
  ])('loses what is retracted %s, before or after it arrives', async (_how, target, count, left) => {
    await path.append(POINTS)
    const { scope } = target
    const until = '2026-12-01T00:00:00Z'
    const effect =
      scope === 'source'
        ? { sourceIds: ['xx-statistics'], until }
        : scope === 'crawl'
          ? { crawlId: target.crawl_id }
          : { observationId: target.observation_id }
    expect(await retractionEffect(path.store, effect)).toMatchObject({ index_points: count, covered: 0, hidden: 0 })
    await path.append([retraction(target, until)])
    expect(await values()).toEqual(left)
    expect(await retractionEffect(path.store, effect)).toMatchObject({ index_points: 0 })
    expect(await readIndices(path.store, { after: undefined, limit: 10 })).toHaveLength(left.length === 0 ? 0 : 1)
    await path.reset()
    await path.append([retraction(target, until), ...POINTS])
    expect(await values()).toEqual(left)
  })

  test('is found by retractions of an import and of a point, and belongs to its publisher alone', async () => {
    await path.append(POINTS)
    expect(await sourcesOfCrawl(path.store, 'import-2')).toEqual(['xx-statistics'])
    const found = { sourceId: 'xx-statistics', vendorRef: 'BUILD.1' }
    expect(await skuOfObservation(path.store, REVISED.event_id)).toEqual(found)
    await path.append([{ ...retraction({ scope: 'source' }, '2026-12-01T00:00:00Z'), source_id: 'other' }])
    expect(await values()).toHaveLength(2)
  })
})

test('the log proves the points: verify finds one that was changed, lost or added', async () => {
  await path.append(POINTS)
  const wrong = async () => (await verify(path)).filter(({ ok }) => !ok).map(({ name }) => name)
  expect(await wrong()).toEqual([])
  await path.store.query(`update index_points set value = '999' where event_id = $1`, [REVISED.event_id])
  expect(await wrong()).toEqual(['index points'])
  await path.store.query(`delete from index_points where event_id = $1`, [REVISED.event_id])
  expect(await wrong()).toEqual(['index points'])
  await path.rebuild()
  expect(await wrong()).toEqual([])
  await path.store.query(`insert into index_points select (p).* from (
    select (jsonb_populate_record(p, '{"event_id": "added"}')) as p from index_points p limit 1) added`)
  expect(await wrong()).toEqual(['index points'])
})

/** What a reader may see of items, and what prices are made from. */
const PUBLIC = {
  items: 'item_id, version, seq, state, public_state, item_json, basis, vendor_sku_ids',
  item_regions: 'region, item_id',
  item_markets: 'item_id, region, median_json',
  price_points: 'item_id, market, recorded_at, cents, currency',
  changes: 'seq, item_id, op, version, state_sha, state',
  change_scopes: 'scope, rseq, seq, op, chain',
  search_docs: 'item_id, name, body, unit, regions',
  observations: 'observation_id, cents, payload',
  vendor_skus: 'vendor_sku_id, vendor_ref',
  sources: 'source_id, name',
} as const

describe('an index is no price', () => {
  const FACTS = [
    registration({ trust: 60 }),
    observation({ vendor: 'Almacenes Norte', ref: 'A1', cents: 100 }),
    registration({ vendor: 'Sur', trust: 40 }),
    observation({ vendor: 'Sur', ref: 'B1', cents: 140, more: { gtin: '4006381333931' } }),
  ]
  /** Points that a careless reader could take for prices of what is sold here. */
  const NEAR: readonly IndexRecorded[] = [
    ...POINTS,
    indexPoint({ source_id: registration().source.id, publisher: 'Almacenes Norte', series: 'A1', value: '1.00' }),
    indexPoint({ series: 'cement', title: 'Portland cement CEM II 42.5 R', value: '9999' }),
  ]

  async function published(more: readonly CatalogEvent[]) {
    await path.reset()
    await path.append([...more, ...FACTS])
    await path.run('2026-01-10T00:00:00Z')
    const rows: Record<string, unknown> = {}
    for (const [table, columns] of Object.entries(PUBLIC)) {
      rows[table] = await path.store.query(`select ${columns} from ${table} order by ${columns}`)
    }
    return { rows, roots: await path.roots(), seq: await path.seq(), counts: await readCounts(path.store) }
  }

  test('what readers see of items, feeds and search is the same with and without points', async () => {
    const without = await published([])
    expect(without.seq).toBeGreaterThan(0)
    const withPoints = await published(NEAR)
    expect(await readIndices(path.store, { after: undefined, limit: 10 })).toHaveLength(3)
    expect(withPoints).toEqual(without)
    expect(
      JSON.stringify(withPoints.rows, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toContain('9999')
  })

  test('points after a run give the next one nothing to do', async () => {
    const before = await published([])
    await path.append(NEAR)
    await path.run('2026-01-11T00:00:00Z')
    expect([await path.roots(), await path.seq()]).toEqual([before.roots, before.seq])
  })
})
