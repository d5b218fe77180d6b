import { openEvaluator } from '@catalog/aggregator/evaluate.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { plainRule } from '@catalog/stack/path/plain-rule.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { event, observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { readCounts } from '@catalog/store/builds/status.ts'
import { openProposals } from '@catalog/store/vendor/matching.ts'
import { allItemIds, runById } from '@catalog/store/vendor/runs.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const { rule, scored } = plainRule()

const path = await pathOfFile({ joinRule: rule })
beforeEach(() => path.reset())

const VENDORS = ['Norte', 'Sur', 'Leeds', 'Lyon', 'Köln']
const registrations = VENDORS.map((vendor) => registration({ vendor }))
const board = (vendor: string, name: string, say: Parameters<typeof observation>[0] = {}) =>
  observation({ vendor, ref: name, name, unit: 'm2', cents: 500, ...say })
const skuOf = (vendor: string, name: string) => vendorSkuIdOf(sourceNamed(vendor).id, name)

/** The contents of each published item, by the vendors' names. */
async function shelves(): Promise<string[][]> {
  const rows = await path.store.query<{ names: string[] }>(
    `select (select array_agg(vendor_ref order by vendor_ref collate "C") from unnest(vendor_sku_ids) id
       join vendor_skus on vendor_sku_id = id) as names from items where state = 'active'`,
  )
  return rows.map(({ names }) => names).sort()
}
const mergesByRule = () =>
  path.store.query<{ from: string; into: string; evidence: Record<string, unknown> }>(
    `select subject as "from", payload::jsonb->>'into_item_id' as "into", payload::jsonb->'evidence' as evidence
     from decisions where type = 'ItemsMerged' and payload::jsonb->>'by' = 'rule' order by "offset"`,
  )
const proposals = () => openProposals(path.store, { after: null, limit: 100 })
/** Decisions of people, by names, dated after the examined run. */
const keptApart = (a: string, b: string, at = '2026-01-11T00:00:00Z') =>
  event({
    type: 'SkusKeptApart',
    decided_at: at,
    vendor_sku_ids: [a, b].sort() as [string, string],
    reason: 'another board',
  })

const PLACA = 'Placa de yeso laminado 12,5 mm'
const PLASTERBOARD = 'Plasterboard 12.5 mm'
const PLAQUE = 'Plaque de plâtre 12,5 mm'
const market = [
  ...registrations,
  board('Norte', PLACA, { more: { lang: 'es' } }),
  board('Leeds', PLASTERBOARD, { more: { lang: 'en' } }),
  board('Lyon', PLAQUE, { more: { lang: 'fr' } }),
  board('Leeds', 'Plasterboard 15 mm', { more: { lang: 'en' } }),
]

describe('new items that are one product in several languages', () => {
  test('are published as one, and the merged items vanish', async () => {
    await path.append(market)
    const [report] = await path.run('2026-01-10T00:00:00Z')
    expect(await shelves()).toEqual([[PLACA, PLAQUE, PLASTERBOARD].sort(), ['Plasterboard 15 mm']].sort())
    expect(report).toMatchObject({ matched: 4, itemsFounded: 4, itemsJoined: 2, changed: 2 })
    expect(await path.store.query(`select count(*)::int from items`)).toEqual([{ count: 2 }])
    expect((await readCounts(path.store)).items).toBe(2)
    expect(await path.seq()).toBe(2)
    expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
  })

  test('record with each join the two SKUs, their score and the rule', async () => {
    await path.append(market)
    await path.run('2026-01-10T00:00:00Z')
    const merges = await mergesByRule()
    expect(merges.map(({ evidence }) => [evidence.score, evidence.meaning])).toEqual([
      [1, 1],
      [1, 1],
    ])
    expect(merges[0]?.evidence).toHaveProperty('a', expect.stringMatching(/^vsku_/))
  })

  test('join the existing item, which keeps its id', async () => {
    await path.append([...registrations, board('Norte', PLACA)])
    await path.run('2026-01-09T00:00:00Z')
    const before = await path.store.query(`select item_id from items`)
    await path.append(market)
    const [report] = await path.run('2026-01-10T00:00:00Z')
    expect(report).toMatchObject({ itemsJoined: 2 })
    expect(
      await path.store.query(`select item_id from items where vendor_sku_ids @> array[$1]`, [
        skuOf('Leeds', PLASTERBOARD),
      ]),
    ).toEqual(before)
  })

  test('leave existing items alone and propose them to people', async () => {
    await path.append([...registrations, board('Norte', PLACA)])
    await path.run('2026-01-08T00:00:00Z')
    await path.append([board('Leeds', PLASTERBOARD)])
    await path.run('2026-01-09T00:00:00Z')
    await path.append([split('Leeds', PLASTERBOARD, 1), board('Lyon', PLAQUE)])
    await path.run('2026-01-12T00:00:00Z')
    expect((await shelves()).map((names) => names.length).sort()).toEqual([1, 2])
    const [open, ...more] = await proposals()
    expect(open).toMatchObject({ score: 1, why: ['both items were there before'] })
    expect([open?.a, open?.b]).toContain(skuOf('Lyon', PLAQUE))
    expect(more).toEqual([])
  })

  test.each([
    ['one market', 'ES', 1001, 2],
    ['one market', 'ES', 1000, 1],
    ['two markets', 'FR', 1001, 1],
    ['two markets', 'FR', 1501, 2],
  ])('in %s (%s) a second price of %i gives %i items', async (_, region, cents, items) => {
    const price = { vendor: 'Leeds', region, ref: 'R', name: PLASTERBOARD, unit: 'm2', more: { lang: 'en' } }
    await path.append([
      ...registrations,
      registration({ vendor: 'Leeds', region }),
      board('Norte', PLACA),
      observation({ ...price, cents }),
    ])
    await path.run('2026-01-10T00:00:00Z')
    expect((await shelves()).length).toBe(items)
  })

  test('stay apart when one price is over three times the other, and go to a person', async () => {
    await path.append([...registrations, board('Norte', PLACA), board('Leeds', PLASTERBOARD, { cents: 1501 })])
    await path.run('2026-01-10T00:00:00Z')
    expect((await shelves()).length).toBe(2)
    expect((await proposals()).map(({ score, why }) => [score, why])).toEqual([[1, ['price']]])
  })

  test('are one at every instant, before the run that joined them and in a reprinted run too', async () => {
    await path.append(market)
    const [report] = await path.run('2026-01-10T00:00:00Z')
    // Neither the run nor a read of an earlier instant sees a later decision.
    await path.append([split('Leeds', PLASTERBOARD, 1)])
    const run = await runById(path.store, report?.runId as string)
    for (const cut of [
      { asOf: '2026-01-06T00:00:00Z', positions: null },
      { asOf: '2026-01-10T00:00:00Z', positions: run?.positions ?? null },
    ]) {
      const evaluator = await openEvaluator(path.store, cut)
      const items = await evaluator.evaluate(await allItemIds(path.store))
      expect(items.map(({ members }) => members.skuIds.length).sort()).toEqual([0, 0, 1, 3])
    }
  })

  test('are scored once, and a run without new SKUs scores none', async () => {
    await path.append(market)
    await path.run('2026-01-10T00:00:00Z')
    const before = scored()
    expect(before).toBeGreaterThan(0)
    await path.append([board('Norte', PLACA, { at: '2026-01-10T00:00:00Z', crawl: 'again', cents: 510 })])
    const [report] = await path.run('2026-01-11T00:00:00Z')
    expect(report).toMatchObject({ matched: 0, itemsEvaluated: 1 })
    expect(scored()).toBe(before)
  })
})

/** A person's split of a SKU that founded `n` items before. */
function split(vendor: string, name: string, n: number): CatalogEvent {
  return event({
    type: 'SkuSplit',
    decided_at: '2026-01-10T12:00:00Z',
    vendor_sku_id: skuOf(vendor, name),
    source_id: sourceNamed(vendor).id,
    item_id: `ci_split${vendor}`,
    founding: { n, unit: 'm2' },
    reason: 'another board',
  })
}

describe("a person's decision", () => {
  test('to keep two SKUs apart holds against the rule, a merge and a match, before and after a rebuild', async () => {
    await path.append([...registrations, board('Norte', PLACA)])
    await path.run('2026-01-09T00:00:00Z')
    const [placa, plasterboard] = [skuOf('Norte', PLACA), skuOf('Leeds', PLASTERBOARD)]
    await path.append([board('Leeds', PLASTERBOARD), keptApart(placa, plasterboard)])
    await path.run('2026-01-12T00:00:00Z')
    expect((await shelves()).length).toBe(2)
    expect(await proposals()).toEqual([])

    const [from, into] = (await path.store.query<{ item_id: string }>(`select item_id from items`)).map(
      ({ item_id }) => item_id,
    ) as [string, string]
    await path.append([merge(from, into)])
    for (const again of [false, true]) {
      if (again) await path.rebuild()
      const parked = await path.store.query<{ reason: string; detail: string }>(`select reason, detail from parked`)
      expect(parked.map(({ reason }) => reason)).toEqual(['MERGE_CONFLICT'])
      expect(parked[0]?.detail).toContain('since 2026-01-11T00:00:00Z: another board')
      await path.run(again ? '2026-01-14T00:00:00Z' : '2026-01-13T00:00:00Z')
      expect((await shelves()).length).toBe(2)
      expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
    }
  })

  test('to merge two items stays, and the old id leads to the survivor, after a rebuild too', async () => {
    await path.append([...market, board('Sur', 'Placa de escayola 60x60 cm')])
    await path.run('2026-01-10T00:00:00Z')
    const idOf = async (vendor: string, name: string) => {
      const rows = await path.store.query<{ item_id: string }>(
        `select item_id from items where vendor_sku_ids @> array[$1]`,
        [skuOf(vendor, name)],
      )
      return rows[0]?.item_id as string
    }
    const [from, into] = [await idOf('Sur', 'Placa de escayola 60x60 cm'), await idOf('Norte', PLACA)]
    await path.append([merge(from, into)])
    await path.run('2026-01-12T00:00:00Z')
    const roots = await path.roots()
    for (const again of [false, true]) {
      if (again) await path.rebuild()
      expect(await path.roots()).toEqual(roots)
      const api = testApi(path.store, testClock())
      const response = await api.inject(`/v1/items/${from}`)
      expect([response.statusCode, response.json().id ?? response.json().item?.id]).toEqual([200, into])
      expect(response.headers['content-location']).toMatch(new RegExp(`/v1/items/${into}$`))
      await api.close()
    }
  })
})

/** A person's merge of two items. */
function merge(from: string, into: string): CatalogEvent {
  const decision = { decided_at: '2026-01-11T12:00:00Z', from_item_id: from, into_item_id: into, reason: 'one product' }
  return event({ type: 'ItemsMerged', ...decision })
}
