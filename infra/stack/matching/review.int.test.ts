import { PAIRS } from '@catalog/cli/review/review-lists.ts'
import { showList } from '@catalog/cli/shared/list.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { mergeItems, rejectPair, splitSkus } from '@catalog/operations/decisions/items.ts'
import { catalogOf, heardBy } from '@catalog/stack/path/commands.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { plainRule } from '@catalog/stack/path/plain-rule.ts'
import { event, observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const path = await pathOfFile({ joinRule: plainRule().rule })
beforeEach(() => path.reset())

/** Runs a command and returns its answer for programs and its text for people. */
async function run(command: Parameters<typeof heardBy>[1]) {
  const heard = await heardBy(
    catalogOf(path, () => new Date('2026-01-20T00:00:00Z')),
    command,
  )
  return { value: heard.answers[0], text: heard.text }
}
type Listed = {
  pairs: {
    score: number
    why: string[]
    a: { vendor_sku_id: string; item_id: string; name: string; unit: string; source: string }
    b: { vendor_sku_id: string; item_id: string; name: string; unit: string; source: string }
  }[]
  cursor: string | null
}
const list = async (options: { after?: string; limit?: number } = {}) =>
  (await run((catalog, terminal) => showList(PAIRS, { catalog, terminal }, { limit: 50, ...options }))).value as Listed

const offer = (vendor: string, name: string, cents = 500, at = '2026-01-05T06:00:00Z') =>
  observation({ vendor, ref: name, name, unit: 'm2', cents, at })
const skuOf = (vendor: string, name: string) => vendorSkuIdOf(sourceNamed(vendor).id, name) as string
const NAMES = ['Placa de yeso laminado 12,5 mm', 'Plasterboard 12.5 mm moisture resistant']
const VENDORS = ['Norte', 'Leeds', 'Lyon']
const names = async () =>
  (
    await path.store.query<{ names: string[] }>(
      `select array_agg(vendor_ref order by vendor_ref) as names from memberships join vendor_skus using (sku) group by item`,
    )
  )
    .map((row) => row.names.join(' + '))
    .sort()

/** Two boards similar enough for a review, and rolls whose prices are too far apart. */
const market: CatalogEvent[] = [
  ...VENDORS.map((vendor) => registration({ vendor })),
  offer('Norte', 'Placa de yeso laminado 12,5 mm'),
  offer('Leeds', 'Plasterboard rail 12.5 mm'),
  offer('Norte', 'Lana de roca 60 mm'),
  offer('Lyon', 'Laine de roche 60 mm', 1600),
]

describe('the review list', () => {
  beforeEach(async () => {
    await path.append(market)
    await path.run('2026-01-10T00:00:00Z')
  })

  test('names both sides of each pair, the surest first, with the reason for the review', async () => {
    const { pairs, cursor } = await list()
    expect(pairs[0]).toMatchObject({ score: 1, why: ['price'] })
    expect([pairs[0]?.a, pairs[0]?.b].map((side) => [side?.name, side?.unit, side?.source]).sort()).toEqual([
      ['Laine de roche 60 mm', 'm²', 'Lyon'],
      ['Lana de roca 60 mm', 'm²', 'Norte'],
    ])
    expect(pairs.slice(1).every(({ why }) => why.includes('score'))).toBe(true)
    expect(cursor).toBeNull()
    const { text } = await run((catalog, terminal) => showList(PAIRS, { catalog, terminal }, { limit: 50 }))
    expect(text).toContain('1.000  not automatic: price; prices 3.2 times apart\n')
    expect(text).toMatch(
      new RegExp(
        `${pairs[0]?.a.name} \\| m² \\| [0-9.]+ EUR \\| ${pairs[0]?.a.source} \\| .*${pairs[0]?.a.vendor_sku_id} in ci_`,
      ),
    )
  })

  test('continues at the end of a page and refuses an unknown cursor', async () => {
    const all = (await list()).pairs
    const walked: unknown[] = []
    for (let after: string | undefined; ; ) {
      const page = await list({ limit: 1, ...(after === undefined ? {} : { after }) })
      walked.push(...page.pairs)
      if (page.cursor === null) break
      after = page.cursor
    }
    expect(all.length).toBeGreaterThan(1)
    expect(walked).toEqual(all)
    await expect(list({ after: 'x9' })).rejects.toThrow("--after 'x9': expected a cursor of catalog review")
  })

  test('drops merged pairs and permanently rejected pairs', async () => {
    const before = (await list()).pairs
    const [wool, board] = before as [Listed['pairs'][0], Listed['pairs'][0]]
    await run((catalog) =>
      mergeItems(catalog, { from: wool.a.item_id, into: wool.b.item_id, reason: 'dear, but the same' }),
    )
    const reject = { a: board.b.vendor_sku_id, b: board.a.vendor_sku_id, reason: 'a rail' }
    await run((catalog) => rejectPair(catalog, reject))
    const left = (await list()).pairs
    expect(left.length).toBe(before.length - 2)
    await path.rebuild()
    expect((await list()).pairs).toEqual(left)
    await expect(
      run((catalog) => mergeItems(catalog, { from: board.a.item_id, into: board.b.item_id, reason: 'no, one' })),
    ).rejects.toThrow('since 2026-01-20T00:00:00Z: a rail; a decision keeps them apart')
    await expect(run((catalog) => rejectPair(catalog, reject))).rejects.toThrow(
      'kept apart since 2026-01-20T00:00:00Z already: a rail',
    )
  })

  test('refuses a rejection of equal SKUs, SKUs of one item and unknown SKUs', async () => {
    const a = skuOf('Norte', 'Lana de roca 60 mm')
    const words = { a, reason: 'another' }
    await expect(run((c) => rejectPair(c, { ...words, b: a }))).rejects.toThrow('expected two different ones')
    await expect(run((c) => rejectPair(c, { ...words, b: 'vsku_none' }))).rejects.toThrow(
      "vendor SKU 'vsku_none': expected one that is in an item",
    )
    const [wool] = (await list()).pairs as [Listed['pairs'][0]]
    await run((c) => mergeItems(c, { from: wool.a.item_id, into: wool.b.item_id, reason: 'the same' }))
    await expect(
      run((c) => rejectPair(c, { a: wool.a.vendor_sku_id, b: wool.b.vendor_sku_id, reason: 'another' })),
    ).rejects.toThrow('take one out with catalog review split SKU')
  })
})

test('a split SKU stays out after runs, a rebuild and the offers of a new vendor', async () => {
  await path.append([
    ...VENDORS.map((vendor) => registration({ vendor })),
    offer('Norte', NAMES[0] as string),
    offer('Leeds', 'Plasterboard 12.5 mm'),
  ])
  const [report] = await path.run('2026-01-10T00:00:00Z')
  expect(report?.itemsJoined).toBe(1)
  const skuId = skuOf('Leeds', 'Plasterboard 12.5 mm')
  const { value } = await run((catalog) => splitSkus(catalog, { skuIds: [skuId], reason: 'foil-backed' }))
  expect(value).toMatchObject({ kept_apart_from: [skuOf('Norte', NAMES[0] as string)] })
  const apart = ['Placa de yeso laminado 12,5 mm', 'Plasterboard 12.5 mm']
  await path.run('2026-01-21T00:00:00Z')
  expect(await names()).toEqual(apart)
  await path.rebuild()
  expect(await names()).toEqual(apart)
  await path.run('2026-01-22T00:00:00Z')
  expect(await names()).toEqual(apart)

  // The two stay apart whatever joins one of them, and no later review lists the pair.
  await path.append([offer('Lyon', 'Plaque de plâtre 12,5 mm', 500, '2026-01-22T00:00:00Z')])
  await path.run('2026-01-23T00:00:00Z')
  expect((await names()).length).toBe(2)
  expect((await list()).pairs).toEqual([])
  const [from, into] = (
    await path.store.query<{ item_id: string }>(`select item_id from items where state = 'active' order by item_id`)
  ).map(({ item_id }) => item_id) as [string, string]
  await expect(run((catalog) => mergeItems(catalog, { from, into, reason: 'the same after all' }))).rejects.toThrow(
    'foil-backed',
  )
})

test('the projector parks a merge event that joins SKUs a person keeps apart', async () => {
  await path.append([...market])
  await path.run('2026-01-10T00:00:00Z')
  const [wool] = (await list()).pairs as [Listed['pairs'][0]]
  const decision = { decided_at: '2026-01-11T00:00:00Z', reason: 'not the same' }
  const ids = [wool.a.vendor_sku_id, wool.b.vendor_sku_id].sort() as [string, string]
  await path.append([
    event({ type: 'SkusKeptApart', vendor_sku_ids: ids, ...decision }),
    event({ type: 'ItemsMerged', from_item_id: wool.a.item_id, into_item_id: wool.b.item_id, ...decision }),
  ])
  expect(await path.store.query(`select reason from parked`)).toEqual([{ reason: 'MERGE_CONFLICT' }])
})
