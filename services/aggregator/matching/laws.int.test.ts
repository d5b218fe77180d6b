import { dryRun } from '@catalog/aggregator/differences.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { itemIdOf, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { openPath } from '@catalog/stack/path/path.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { plainRule } from '@catalog/stack/path/plain-rule.ts'
import { event, itemsMerged, observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { foundedCounts, openProposals } from '@catalog/store/vendor/matching.ts'
import { allItemIds } from '@catalog/store/vendor/runs.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { readPendingSkus } from './pending-skus.ts'

const path = await pathOfFile({ joinRule: plainRule().rule })
beforeEach(() => path.reset())

/** Each line names one product as vendors of several countries call it. */
const NAMES = [
  ['Placa de yeso laminado 12,5 mm', 'Plasterboard 12.5 mm', 'Plaque de plâtre 12,5 mm', 'Gipskartonplatte 12,5 mm'],
  ['Placa de yeso laminado 15 mm', 'Plasterboard 15 mm', 'Plaque de plâtre 15 mm', 'Gipskartonplatte 15 mm'],
  ['Lana de roca 60 mm', 'Rock wool 60 mm', 'Laine de roche 60 mm', 'Steinwolle 60 mm'],
  ['Lana de vidrio 50 mm', 'Glass wool 50 mm', 'Laine de verre 50 mm', 'Glaswolle 50 mm'],
]
const VENDORS = ['Norte', 'Leeds', 'Lyon', 'Köln', 'Sur']
const LANGS = ['es', 'en', 'fr', 'de', 'es']
const registrations = VENDORS.map((vendor) => registration({ vendor }))
const offer = (vendor: number, product: number, say: Parameters<typeof observation>[0] = {}) =>
  observation({
    vendor: VENDORS[vendor] as string,
    ref: `P${product}`,
    name: (NAMES[product] as string[])[vendor % 4] as string,
    unit: product === 3 ? 'kg' : 'm2',
    cents: 500 + 10 * product + vendor,
    more: { lang: LANGS[vendor] as string },
    ...say,
  })
const everything = VENDORS.flatMap((_, vendor) => NAMES.map((_, product) => offer(vendor, product)))
const ends = async () => ({
  roots: await path.roots(),
  seq: await path.seq(),
  open: await openProposals(path.store, { after: null, limit: 100 }),
})
const holds = async () => expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])

test('one day gives one catalog, whatever order its SKUs arrive in', async () => {
  await path.append([...registrations, ...everything])
  await path.run('2026-01-10T00:00:00Z')
  const first = await ends()
  expect((await path.store.query(`select from items where state = 'active'`)).length).toBe(NAMES.length)
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(everything, { minLength: everything.length }), async (shuffled) => {
      await path.reset()
      await path.append([...registrations, ...shuffled])
      await path.run('2026-01-10T00:00:00Z')
      expect(await ends()).toEqual(first)
    }),
    { numRuns: 5 },
  )
})

test('a text that an item holds is kept under block keys once, and leads later vendors to all of the item', async () => {
  const [norte, leeds, , koln, sur] = VENDORS.map((_, vendor) => offer(vendor, 0))
  await path.append([...registrations, norte, sur] as CatalogEvent[])
  await path.run('2026-01-10T00:00:00Z')
  const sellers = await path.store.query<{ sku: number }>(`select distinct sku from match_keys where key like 'b:%'`)
  expect(sellers.length).toBe(1)
  await path.append([leeds, koln] as CatalogEvent[])
  const [report] = await path.run('2026-01-11T00:00:00Z')
  expect(report?.itemsJoined).toBe(2)
  const items = await path.store.query<{ skus: number }>(
    `select cardinality(vendor_sku_ids) as skus from items where state = 'active'`,
  )
  expect(items).toEqual([{ skus: 4 }])
  await holds()
})

test('a run sees what a person decides while it matches', async () => {
  // More than one chunk of SKUs; each product is there at two vendors.
  const named = (vendor: number, n: number) => offer(vendor, 0, { ref: `N${n}`, name: `Tornillo modelo ${n}` })
  const products = [...Array(600).keys()].flatMap((n) => [named(0, n), named(4, n)])
  const ids = products.map(({ source, vendor_ref }) => vendorSkuIdOf(source.id, vendor_ref) as string)
  const isFirst = (id: string) => ids.toSorted().indexOf(id) < 1_000
  // Two products of which the first chunk holds one vendor's SKU each: at once they are one item of both vendors.
  const halves = [0, 1].map((vendor) =>
    ids.find((id, at) => at % 2 === vendor && isFirst(id) && !isFirst(ids[at + 1 - 2 * vendor] as string)),
  )
  const [from, into] = halves.map((id) => itemIdOf(id as string, 0)) as [string, string]
  await path.append([...registrations, ...products])
  let appends = 0
  const log: EventLog = {
    ...path.log,
    async append(topic, events) {
      await path.log.append(topic, events)
      if (++appends > 1) return
      await path.append([itemsMerged(from, into, '2026-01-10T00:00:00Z')])
    },
  }
  await path.run('2026-01-10T00:00:00Z', { log })
  expect(await path.store.query('select reason, detail from parked')).toEqual([])
  await holds()
})

test('a merge into a merged item shows on the survivor', async () => {
  const names = ['Ladrillo perforado', 'Teja curva', 'Bloque de hormigón']
  const sole = names.map((name, n) => offer(n, 0, { name, ref: `S${n}`, more: { lang: 'es' } }))
  await path.append([...registrations, ...sole])
  await path.run('2026-01-10T00:00:00Z')
  const idOf = async (name: string) => {
    const [row] = await path.store.query<{ id: string }>(`select item_id as id from items where name = $1`, [name])
    return row?.id as string
  }
  const [brick, tile, block] = (await Promise.all(names.map(idOf))) as [string, string, string]
  const merged = (from: string, into: string) => itemsMerged(from, into, '2026-01-10T01:00:00Z')
  await path.append([merged(tile, block)])
  await path.run('2026-01-11T00:00:00Z')
  await path.append([merged(brick, tile)])
  await path.run('2026-01-12T00:00:00Z')
  const [survivor] = await path.store.query<{ skus: number }>(
    `select cardinality(vendor_sku_ids) as skus from items where item_id = $1`,
    [block],
  )
  expect(survivor?.skus).toBe(3)
  await holds()
})

/** A log whose n-th append fails after it wrote a part. */
const failing = (log: EventLog, at: number, part: (events: number) => number): EventLog => {
  let appends = 0
  return {
    ...log,
    async append(topic, events) {
      if (++appends !== at) return log.append(topic, events)
      await log.append(topic, events.slice(0, part(events.length)))
      throw new Error('killed')
    },
  }
}

describe('a run killed while it matches', () => {
  const parts = {
    none: () => 0,
    one: () => 1,
    most: (events: number) => Math.max(0, events - 1),
    all: (n: number) => n,
  }

  test.each(Object.entries(parts))(
    'at any append, with %s of it written, ends as if undisturbed',
    async (_name, part) => {
      const before = [...registrations, offer(0, 0), offer(1, 2)]
      await path.append(before)
      await path.run('2026-01-09T00:00:00Z')
      await path.append(everything)
      const [report] = await path.run('2026-01-10T00:00:00Z')
      expect(report?.itemsJoined).toBeGreaterThan(5)
      const undisturbed = await ends()
      for (const at of [1, 2, 3, 4]) {
        await path.reset()
        await path.append(before)
        await path.run('2026-01-09T00:00:00Z')
        await path.append(everything)
        await expect(path.run('2026-01-10T00:00:00Z', { log: failing(path.log, at, part) })).rejects.toThrow('killed')
        await path.run('2026-01-10T00:00:00Z')
        expect(await ends()).toEqual(undisturbed)
      }
      await holds()
    },
  )
})

test('a run of an earlier day between a killed run and its resumption keeps all its joins', async () => {
  const before = [...registrations, offer(0, 0), offer(1, 2)]
  const later = VENDORS.flatMap((_, vendor) =>
    NAMES.map((_, product) => offer(vendor, product, { at: '2026-01-09T12:00:00Z' })),
  )
  const begin = async () => {
    await path.reset()
    await path.append(before)
    await path.run('2026-01-09T00:00:00Z')
    await path.append(later)
  }
  await begin()
  const [report] = await path.run('2026-01-10T00:00:00Z')
  expect(report?.itemsJoined).toBeGreaterThan(5)
  const undisturbed = await ends()
  for (const at of [1, 2, 3]) {
    for (const part of [0, 1, 7]) {
      await begin()
      const log = failing(path.log, at, (events) => Math.min(part, events))
      await expect(path.run('2026-01-10T00:00:00Z', { log })).rejects.toThrow('killed')
      // A restart from the first command repeats that day, and is refused when the later day had begun.
      const again = path.run('2026-01-09T00:00:00Z')
      await again.catch(({ code }: { code?: string }) => expect([at, code]).toEqual([3, 'AS_OF_PAST']))
      await path.run('2026-01-10T00:00:00Z')
      expect([at, part, await ends()]).toEqual([at, part, undisturbed])
    }
  }
  await holds()
})

test('a run killed after its joins reads the items as they were before the joins', async () => {
  await path.append([...registrations, ...everything])
  // The first append holds matches, the next one joins.
  const log = failing(path.log, 2, (events) => events)
  await expect(path.run('2026-01-10T00:00:00Z', { log })).rejects.toThrow('killed')
  await path.project()
  const fresh = await readPendingSkus(path.store, '2026-01-10T00:00:00Z')
  expect(fresh.joinedTo.size).toBeGreaterThan(5)
  expect(fresh.skus.map(({ skuId }) => fresh.itemOf(skuId))).toEqual(fresh.skus.map(({ givenItemId }) => givenItemId))
  expect(fresh.skus.some(({ givenItemId, itemId }) => givenItemId !== itemId)).toBe(true)
})

test('no item holds two SKUs whose prices do not convert, whatever the rule decides', async () => {
  // This rule takes everything for one product, so only the gates separate items.
  await using mad = await openPath({ joinRule: plainRule({ score: () => 1 }).rule })
  const units = ['kg', 'm2', 'm', 'u', 'h', 'saco', 'bag', 'm3', 'lb', 'zzz', null, 'sheet', 'l']
  const packs = [undefined, undefined, { quantity: '25', unit: 'kg' }, { quantity: '5', unit: 'l' }]
  const skus = fc.array(
    fc.record({
      vendor: fc.nat(VENDORS.length - 1),
      product: fc.nat(NAMES.length - 1),
      unit: fc.constantFrom(...units),
      pack: fc.constantFrom(...packs),
    }),
    { minLength: 10, maxLength: 40 },
  )
  let joined = 0
  await fc.assert(
    fc.asyncProperty(skus, async (made) => {
      await mad.reset()
      const offers = made.map(({ vendor, product, unit, pack }, n) =>
        offer(vendor, product, { ref: `R${n}`, unit, more: { lang: 'es', ...(pack && { pack }) } }),
      )
      const soldOf = new Map(
        offers.map(({ source, vendor_ref, unit, pack, lang }) => [
          vendorSkuIdOf(source.id, vendor_ref) as string,
          soldUnit({ unit, pack, lang }),
        ]),
      )
      await mad.append([...registrations, ...offers.slice(0, 5)])
      await mad.run('2026-01-09T00:00:00Z')
      await mad.append(offers.slice(5))
      const [report] = await mad.run('2026-01-10T00:00:00Z')
      joined += report?.itemsJoined ?? 0
      const items = await mad.store.query<{ ids: string[] }>(
        `select array_agg(vendor_sku_id) as ids from memberships join vendor_skus using (sku) group by item`,
      )
      for (const { ids } of items) {
        const [one, ...others] = ids.map((id) => soldOf.get(id) as ReturnType<typeof soldUnit>)
        for (const other of others) {
          expect(one && conversionFactor(one, other), `${one?.label} and ${other.label}`).not.toBeNull()
        }
      }
    }),
    { numRuns: 12 },
  )
  expect(joined).toBeGreaterThan(3)
})

test('incremental runs equal a full run after any history of offers, splits, merges and pairs kept apart', {
  // About thirty full runs; a history with many rebuilds takes twice as long.
  timeout: 300_000,
}, async () => {
  const day = (n: number) => instant(new Date(Date.UTC(2026, 0, 1) + n * DAY_MS))
  const sku = fc.record({ vendor: fc.nat(VENDORS.length - 1), product: fc.nat(NAMES.length - 1) })
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('offer' as const),
        skus: fc.array(sku, { minLength: 1, maxLength: 6 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('split' as const), of: sku }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('apart' as const), of: sku, from: sku }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), from: fc.nat(8), into: fc.nat(8) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const) }) },
  )
  const idOf = ({ vendor, product }: { vendor: number; product: number }) =>
    vendorSkuIdOf(sourceNamed(VENDORS[vendor]).id, `P${product}`) as string
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), async (steps) => {
      await path.reset()
      await path.append(registrations)
      for (const [n, action] of steps.entries()) {
        const now = day(20 + n)
        const decision = { decided_at: now, reason: `step ${n}` }
        if (action.kind === 'offer') {
          await path.append(
            action.skus.map(({ vendor, product }) => offer(vendor, product, { at: now, crawl: `c${n}` })),
          )
        } else if (action.kind === 'split') {
          await path.append(await splitOf(action.of, decision))
        } else if (action.kind === 'apart' && idOf(action.of) !== idOf(action.from)) {
          const ids = [idOf(action.of), idOf(action.from)].sort() as [string, string]
          await path.append([event({ type: 'SkusKeptApart', vendor_sku_ids: ids, ...decision })])
        } else if (action.kind === 'merge') {
          const ids = await allItemIds(path.store)
          const [from, into] = [ids[action.from % (ids.length || 1)], ids[action.into % (ids.length || 1)]]
          if (from && into)
            await path.append([event({ type: 'ItemsMerged', from_item_id: from, into_item_id: into, ...decision })])
        } else if (action.kind === 'rebuild') {
          const roots = await path.roots()
          await path.rebuild()
          expect(await path.roots()).toEqual(roots)
        }
        await path.run(now)
        const dry = { store: path.store, now: () => new Date(path.nowMs), newRunId: () => 'dry' }
        expect((await dryRun(dry, { asOf: now })).map(({ kind, event }) => [kind, event.item_id])).toEqual([])
      }
      await holds()
    }),
    { numRuns: 4 },
  )

  /** Empty when the SKU is in no item yet. */
  async function splitOf(
    of: { vendor: number; product: number },
    decision: { decided_at: string; reason: string },
  ): Promise<CatalogEvent[]> {
    const [member] = await path.store.query(
      `select from memberships join vendor_skus using (sku) where vendor_sku_id = $1`,
      [idOf(of)],
    )
    if (member === undefined) return []
    const n = (await foundedCounts(path.store, [idOf(of)])).get(idOf(of)) ?? 0
    const founding = { n, unit: 'm2' }
    const [vendor_sku_id, item_id] = [idOf(of), itemIdOf(idOf(of), n)]
    const source_id = sourceNamed(VENDORS[of.vendor]).id
    return [event({ type: 'SkuSplit', vendor_sku_id, source_id, item_id, founding, ...decision })]
  }
})
