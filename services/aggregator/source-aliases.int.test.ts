import type { Basis } from '@catalog/core/events/items.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event, observation, registration, sourceNamed, trustChanged } from '@catalog/stack/testing/events.ts'
import { allItemIds } from '@catalog/store/vendor/runs.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { dryRun } from './differences.ts'
import { openEvaluator } from './evaluate.ts'

const path = await pathOfFile()
beforeEach(() => path.reset())

const idOf = (vendor: string) => sourceNamed(vendor).id
const cement = (vendor: string, cents: number, say: { ref?: string; at?: string; recordedAt?: string } = {}) =>
  observation({ vendor, cents, ...say, more: { gtin: '40000008' } })
const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T00:00:00Z`
const aliased = (vendor: string, canonical: string | null, n = 7) =>
  event({
    type: 'SourceAliased',
    decided_at: day(n),
    source_id: idOf(vendor),
    canonical_id: canonical === null ? null : idOf(canonical),
    reason: 'one tax number',
  })

type Shown = { vendors: number; shown: number; cents: number | null; voters: number; trust: number; excluded: string[] }
async function published(): Promise<Shown[]> {
  const rows = await path.store.query<{ item_json: string; basis: string; shown: number }>(
    `select item_json, basis, cardinality(vendor_sku_ids) as shown from items where state = 'active' order by item_id`,
  )
  return rows.map((row) => {
    const item = JSON.parse(row.item_json)
    const basis = JSON.parse(row.basis) as Basis
    return {
      vendors: item.vendor_count,
      // The vendors that readers see, each once.
      shown: row.shown,
      cents: item.median_price?.cents ?? null,
      voters: basis.voters,
      trust: basis.trust_total,
      excluded: basis.excluded.map(({ reason }) => reason),
    }
  })
}

/** One vendor under two spellings, the later price under its older one, beside two others. */
async function twoSpellings(): Promise<void> {
  await path.append([
    registration({ vendor: 'Milestone LP', trust: 40 }),
    registration({ vendor: 'MILESTONE, L.P.', trust: 90 }),
    registration({ vendor: 'C' }),
    registration({ vendor: 'D' }),
    cement('Milestone LP', 500),
    cement('MILESTONE, L.P.', 520, { at: '2026-01-05T08:00:00Z' }),
    cement('C', 300),
    cement('D', 400),
  ])
  await path.run(day(6))
  expect(await published()).toMatchObject([{ vendors: 4, voters: 4, trust: 230, excluded: [] }])
}

/** Replay and a full run give what was published. */
async function expectOneTruth(last: string): Promise<void> {
  const roots = await path.roots()
  expect(await path.run(last, { full: true })).toMatchObject([{ changed: 0, basisOnly: 0 }])
  expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
  await path.rebuild()
  expect(await path.roots()).toEqual(roots)
}

describe.each(['twm/1', 'twm/2', 'twm/3'])('an aliased source by %s', (method) => {
  beforeEach(() => path.append([event({ type: 'MethodChanged', decided_at: day(1), method, reason: 'chosen' })]))

  test('casts one vote with its canonical one, the latest, by the canonical terms, until it is taken back', async () => {
    await twoSpellings()
    await path.append([aliased('MILESTONE, L.P.', 'Milestone LP', 7)])
    await path.run(day(7))
    const [joined] = await published()
    expect(joined).toMatchObject({ vendors: 3, shown: 3, voters: 3, trust: 140, excluded: ['SAME_VENDOR'] })
    await path.append([aliased('MILESTONE, L.P.', null, 8)])
    await path.run(day(8))
    expect(await published()).toMatchObject([{ vendors: 4, shown: 4, voters: 4, trust: 230, excluded: [] }])
    await expectOneTruth(day(8))
  })
})

describe('the vote of one vendor', () => {
  test('is its latest price, whichever spelling brings it', async () => {
    await twoSpellings()
    await path.append([aliased('MILESTONE, L.P.', 'Milestone LP')])
    await path.run(day(7))
    expect(await published()).toMatchObject([{ cents: 400 }])
    await path.append([cement('Milestone LP', 310, { at: day(8), recordedAt: day(8) })])
    await path.run(day(9))
    const [row] = await path.store.query<{ basis: string }>(`select basis from items`)
    const { votes } = JSON.parse(row?.basis ?? '') as Basis
    expect(votes.map(({ price }) => price).sort()).toEqual(['300', '310', '400'])
  })

  test('follows trust and switch of the canonical source, and its validity, in increments too', async () => {
    await twoSpellings()
    await path.append([aliased('MILESTONE, L.P.', 'Milestone LP')])
    await path.run(day(7))
    await path.append([trustChanged(idOf('Milestone LP'), 99, day(8))])
    await path.run(day(8))
    expect(await published()).toMatchObject([{ trust: 140 }])
    const cut = { asOf: day(8), positions: null }
    const [now] = await (await openEvaluator(path.store, cut)).evaluate(await allItemIds(path.store))
    expect(now?.repriced.basis.trust_total).toBe(199)
    await path.append([
      event({
        type: 'SourceSwitched',
        decided_at: day(9),
        source_id: idOf('Milestone LP'),
        enabled: false,
        reason: 'r',
      }),
    ])
    await path.run(day(9))
    expect(await published()).toMatchObject([
      { vendors: 3, voters: 2, excluded: ['SOURCE_DISABLED', 'SOURCE_DISABLED'] },
    ])
    await expectOneTruth(day(9))
  })

  test('expires by the canonical validity, also where the alias alone holds the item', async () => {
    await path.append([
      registration({ vendor: 'Bank', kind: 'bank' }),
      registration({ vendor: 'Shop' }),
      cement('Bank', 500),
      aliased('Bank', 'Shop', 4),
    ])
    await path.run(day(6))
    expect(await published()).toMatchObject([{ cents: 500 }])
    await path.run('2026-02-10T00:00:00Z')
    expect(await published()).toMatchObject([{ cents: null, excluded: ['EXPIRED'] }])
    await expectOneTruth('2026-02-10T00:00:00Z')
  })

  test('resolves chains, also when a later link closes them', async () => {
    await twoSpellings()
    await path.append([aliased('MILESTONE, L.P.', 'Milestone LP')])
    await path.run(day(7))
    await path.append([aliased('Milestone LP', 'D', 8)])
    await path.run(day(8))
    expect(await published()).toMatchObject([{ vendors: 2, voters: 2, trust: 100 }])
    await expectOneTruth(day(8))
  })

  test('counts from the decision on, and not at an instant before it', async () => {
    await twoSpellings()
    await path.append([aliased('MILESTONE, L.P.', 'Milestone LP', 9)])
    const deps = { ...path, now: () => new Date(path.nowMs), newRunId: () => 'dry' }
    expect(await dryRun(deps, { asOf: day(8) })).toEqual([])
    expect(await dryRun(deps, { asOf: day(9) })).toHaveLength(1)
  })

  test('confirms no price of its vendor: a jump under both spellings waits', async () => {
    await path.append([
      registration({ vendor: 'A' }),
      registration({ vendor: 'B' }),
      cement('A', 100),
      cement('B', 110),
    ])
    await path.run(day(6))
    await path.append([aliased('A', 'B', 6), cement('A', 9000, { at: day(7) }), cement('B', 9000, { at: day(7) })])
    await path.run(day(8))
    expect(await published()).toMatchObject([{ cents: 110, vendors: 1, voters: 1 }])
  })
})

describe('matching', () => {
  test.each([
    ['another reference', 'A2', [1, 3], [1, 4]],
    ['one reference', 'A1', [3], [5]],
  ])('puts %s of an aliased vendor where it belongs, and leaves what is there', async (_, ref, counts, skus) => {
    await twoSpellings()
    await path.append([
      aliased('MILESTONE, L.P.', 'Milestone LP'),
      aliased('E', 'C'),
      registration({ vendor: 'E' }),
      cement('E', 350, { ref }),
    ])
    await path.run(day(7))
    const vendors = (await published()).map((item) => item.vendors).sort()
    expect(vendors).toEqual(counts)
    const rows = await path.store.query<{ skus: bigint }>(`select count(*) as skus from memberships group by item`)
    expect(rows.map((row) => Number(row.skus)).sort()).toEqual(skus)
  })
})
