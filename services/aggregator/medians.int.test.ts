import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event, observation, registration } from '@catalog/stack/testing/events.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'
import { allItemIds } from '@catalog/store/vendor/runs.ts'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { openEvaluator } from './evaluate.ts'
import { mediansAt } from './medians.ts'

const path = await pathOfFile()
beforeEach(() => path.reset())

const day = (n: number) => instant(new Date(Date.UTC(2026, 0, 1) + n * DAY_MS))
const today = 60
const now: Cut = { asOf: day(today), positions: null }

/** All headlines computed both ways, as comparable lines. */
async function bothWays(cut: Cut) {
  const { cents, exactItems, ...lists } = await mediansAt(path.store, cut)
  const [itemIds, currencies] = [lists.itemIds(), lists.currencies()]
  const evaluator = await openEvaluator(path.store, cut)
  const evaluated = await evaluator.evaluate(await allItemIds(path.store))
  const headlines = new Map(
    evaluated.map(({ itemId, repriced: { headline } }) => [
      itemId,
      headline && `${headline.cents} ${headline.currency}`,
    ]),
  )
  return {
    columns: itemIds.map((id, i) => `${id} ${Number.isNaN(cents[i]) ? 'none' : cents[i]} ${currencies[i]}`).sort(),
    // The evaluator leaves out items that were not founded at the cut.
    oneByOne: itemIds.map((id) => `${id} ${headlines.get(id) ?? 'none null'}`).sort(),
    exactItems,
  }
}

const vendors = ['One', 'Two', 'Three', 'Four', 'Five']
/** Prefers the first value, so that an item with few observations is often plain in all but one respect. */
const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
type Tax = ObservationRecorded['price']['tax']
const observed = fc.record({
  vendor: fc.constantFrom(...vendors),
  ref: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
  cents: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(100, 101, 110, 130, 150) },
    { weight: 1, arbitrary: fc.constantFrom(0, 9, 169, 171, 290, 400, 1000) },
  ),
  ago: fc.constantFrom(-1, 0, 1, 1, 5, 29.99, 30, 31),
  unit: mostly<string | null>('kg', 'Kg', 't', 'm2', null),
  currency: mostly('EUR', 'MXN'),
  perQuantity: mostly(1, 100),
  minQuantity: mostly<string | undefined>(undefined, '1', '10', '100'),
  tax: mostly<Tax>(
    { included: false },
    { included: null },
    { included: false, rate: '0.21' },
    { included: true, rate: '0.21' },
    { included: true },
  ),
  lang: fc.constantFrom('es', 'en', undefined),
  availability: mostly<ObservationRecorded['availability']>(undefined, 'InStock', 'Discontinued'),
})
const fate = fc.record({
  kind: fc.constantFrom('retract', 'quarantine', 'trust', 'split', 'disable', 'tax'),
  nth: fc.nat(20),
  score: fc.constantFrom(0, 20, 100),
})

/** Lets the log go on 2 places before a chunk of columns ends, so that the first observations of a partition are packed. */
async function nearlyFillChunks(): Promise<void> {
  await path.store.query(`update log_heads set next = 65534 where topic = 'vendor.observations'`)
  await path.store.query(
    `insert into checkpoints (projection, topic, partition, next)
     select 'vendor', topic, partition, next from log_heads where topic = 'vendor.observations'
     on conflict (projection, topic, partition) do update set next = excluded.next`,
  )
}
const packedChunks = () =>
  path.store.query<{ chunk: bigint }>(
    `select chunk, octet_length(cents) / 8 as count from packed_observations order by chunk`,
  )

test('medians of the whole catalog equal those of its items one by one, for any observations and decisions', async () => {
  let plainItems = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(observed, { minLength: 1, maxLength: 24 }),
      fc.array(fate, { maxLength: 4 }),
      fc.constantFrom('twm/1', 'twm/3'),
      async (observations, fates, method) => {
        await path.reset()
        await nearlyFillChunks()
        await path.append([event({ type: 'MethodChanged', decided_at: day(0), method, reason: 'tried' })])
        await path.append(vendors.map((vendor, i) => registration({ vendor, trust: 40 + 20 * (i % 3) })))
        const made = observations.map(
          ({ ago, unit, perQuantity, minQuantity, tax, lang, availability, cents, currency, ...say }, i) =>
            observation({
              ...say,
              name: `Product ${say.ref}`,
              at: day(today - ago),
              crawl: `crawl-${i % 3}`,
              more: {
                unit,
                gtin: `400638133393${say.ref.charCodeAt(0) % 10}`,
                price: {
                  cents,
                  currency,
                  per_quantity: perQuantity,
                  ...(minQuantity && { min_quantity: minQuantity }),
                  tax,
                  kind: 'list',
                },
                ...(lang && { lang }),
                ...(availability && { availability }),
              },
            }),
        )
        await path.append(made)
        await path.run(day(today))
        for (const [i, { kind, nth, score }] of fates.entries()) {
          const chosen = made[nth % made.length] as (typeof made)[0]
          const reason = `fate ${i}`
          const sourceId = chosen.source.id
          if (kind === 'retract') {
            const target = { scope: 'observation' as const, observation_id: chosen.event_id }
            await path.append([event({ type: 'ObservationRetracted', source_id: sourceId, target, reason })])
          } else if (kind === 'quarantine') {
            const id = { observation_id: chosen.event_id }
            await path.append([event({ type: 'ObservationQuarantined', decided_at: day(today), ...id, reason })])
          } else if (kind === 'trust') {
            const id = { source_id: sourceId, trust_score: score }
            await path.append([event({ type: 'TrustChanged', decided_at: day(today - 1), ...id, reason })])
          } else if (kind === 'tax') {
            const rule = { not_stated: 'majority' as const, gross_without_rate: 'standard_rate' as const }
            await path.append([
              event({ type: 'TaxRuleChanged', decided_at: day(today - 1), region: 'ES', ...rule, reason }),
            ])
          } else if (kind === 'split') {
            await path.append([
              event({
                type: 'SkuSplit',
                decided_at: day(today),
                vendor_sku_id: vendorSkuIdOf(sourceId, chosen.vendor_ref),
                source_id: sourceId,
                item_id: `ci_split${i}`,
                founding: { n: i + 1, unit: 'kg' },
                reason,
              }),
            ])
          } else {
            await path.store.query('update sources set enabled = false where source_id = $1', [sourceId])
          }
        }
        // The second cut lies before some decisions of people, which exercises a past membership.
        for (const cut of [now, { asOf: day(today - 1), positions: null }]) {
          const { columns, oneByOne, exactItems } = await bothWays(cut)
          expect(columns).toEqual(oneByOne)
          plainItems += columns.length - exactItems
        }
      },
    ),
    { numRuns: 15 },
  )
  // The run exercised the columns, not only the fallback.
  expect(plainItems).toBeGreaterThan(20)
})

test('observations are packed once, when the projector has passed all places of their chunk', async () => {
  await path.append([registration({ vendor: 'One', trust: 50 })])
  await nearlyFillChunks()
  const priced = (ref: string, cents: number) => observation({ vendor: 'One', ref, name: ref, cents, at: day(50) })
  const refs = Array.from({ length: 16 }, (_, i) => `R${i}`)
  await path.append(refs.slice(0, 1).map((ref) => priced(ref, 100)))
  await path.run(day(today))
  expect((await bothWays(now)).columns).toHaveLength(1)
  expect(await packedChunks()).toEqual([])

  await path.append(refs.slice(1).map((ref, i) => priced(ref, 101 + i)))
  await path.run(day(today))
  const before = await bothWays(now)
  expect(before.columns).toEqual(before.oneByOne)
  const packed = await packedChunks()
  expect(packed.length).toBeGreaterThan(0)
  expect(packed).toEqual(packed.map(({ chunk }) => ({ chunk, count: 2 })))

  // Packed columns are read: a row that no table has shows. Whoever deletes them gets them again.
  await path.store.query(`update packed_observations set cents = substring(cents for 8) || int8send(7)`)
  expect((await mediansAt(path.store, now)).cents).toContain(7)
  await path.store.query(`delete from packed_observations`)
  expect((await bothWays(now)).columns).toEqual(before.columns)
  expect(await packedChunks()).toEqual(packed)
})

test('plain prices need no exact arithmetic; prices with tax, at one instant or with a jump do', async () => {
  const sources = ['One', 'Two']
  await path.append(sources.map((vendor) => registration({ vendor, trust: 50 })))
  const plain = sources.flatMap((vendor, i) => [
    observation({ vendor, ref: 'P', name: 'Plain', cents: 100 + i, at: day(40), more: { gtin: '4006381333931' } }),
    observation({ vendor, ref: 'P', name: 'Plain', cents: 121 + i, at: day(50), more: { gtin: '4006381333931' } }),
  ])
  const tax = { included: true, rate: '0.21' }
  const price = { cents: 121, currency: 'EUR', per_quantity: 1, tax, kind: 'list' as const }
  await path.append([
    ...plain,
    observation({ ref: 'T', vendor: 'One', name: 'Taxed', at: day(50), more: { price } }),
    observation({ ref: 'I', vendor: 'One', name: 'Instant', cents: 100, at: day(50) }),
    observation({ ref: 'I', vendor: 'One', name: 'Instant', cents: 110, at: day(50) }),
    observation({ ref: 'J', vendor: 'Two', name: 'Jumps', cents: 100, at: day(40) }),
    observation({ ref: 'J', vendor: 'Two', name: 'Jumps', cents: 171, at: day(50) }),
  ])
  await path.run(day(today))
  const { columns, oneByOne, exactItems } = await bothWays(now)
  expect(columns).toEqual(oneByOne)
  expect(columns.map((line) => line.split(' ').slice(1).join(' ')).sort()).toEqual([
    '100 EUR',
    '100 EUR',
    '122 EUR',
    '171 EUR',
  ])
  expect(exactItems).toBe(3)
})

test('by twm/3 a far first price, a tier and a tax for a rule to settle need exact arithmetic, plain items do not', async () => {
  const names = ['One', 'Two', 'Three', 'Four', 'Five']
  const price = { currency: 'EUR', per_quantity: 1, kind: 'list' as const }
  const net = { included: false }
  await path.append([
    event({ type: 'MethodChanged', decided_at: day(0), method: 'twm/3', reason: 'tried' }),
    ...names.map((vendor) => registration({ vendor, trust: 50 })),
    ...names.flatMap((vendor, i) => [
      observation({ vendor, ref: 'P', name: 'Plain', cents: 100 + i, at: day(50), more: { gtin: '4006381333931' } }),
      observation({
        vendor,
        ref: 'F',
        name: 'Far',
        cents: vendor === 'Five' ? 5 : 471 + i,
        at: day(50),
        more: { gtin: '4006381333948' },
      }),
    ]),
    observation({
      ref: 'T',
      vendor: 'One',
      name: 'Tier',
      at: day(50),
      more: { price: { ...price, cents: 90, min_quantity: '100', tax: net } },
    }),
    observation({
      ref: 'N',
      vendor: 'One',
      name: 'Not stated',
      at: day(50),
      more: { price: { ...price, cents: 90, tax: { included: null } } },
    }),
  ])
  await path.run(day(today))
  const first = await bothWays(now)
  expect(first.columns).toEqual(first.oneByOne)
  expect(first.columns.map((line) => line.split(' ')[1]).sort()).toEqual(['102', '472', '90', '90'])
  // The far price and the tier.
  expect(first.exactItems).toBe(2)
  const rule = { not_stated: 'majority' as const, gross_without_rate: 'as_is' as const }
  await path.append([event({ type: 'TaxRuleChanged', decided_at: day(1), region: 'ES', ...rule, reason: 'asked' })])
  const second = await bothWays(now)
  expect(second.columns).toEqual(second.oneByOne)
  expect(second.exactItems).toBe(3)
})
