import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { itemIdOf, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { instant } from '@catalog/core/time.ts'
import { event, observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { foundedCounts } from '@catalog/store/vendor/matching.ts'
import type { Path } from './path.ts'

/** A history for whole-path tests: lists of three vendors, week by week, and people's decisions between them. */
const VENDORS = ['Norte', 'Sur', 'Costa']
const PRODUCTS = 40

const dayOf = (week: number, day: number) => instant(new Date(Date.UTC(2026, 0, day + 7 * week)))

/** A week's list of each vendor: a shared number joins their SKUs, and prices move. */
export const listed = (week: number, crawl = `week-${week}`): CatalogEvent[] =>
  VENDORS.flatMap((vendor, v) =>
    Array.from({ length: PRODUCTS }, (_, n) =>
      observation({
        vendor,
        ref: `R${n}`,
        name: `Ceramic brick type ${n}`,
        unit: ['u', 'kg', 'm2'][n % 3] as string,
        crawl,
        cents: 100 + 10 * n + 7 * v + (n % 4 === 0 ? week : 0),
        at: dayOf(week, 1),
        more: { gtin: String(40_000_000 + n) },
      }),
    ),
  )

/** Three lists and runs; between them an old list, a retracted one, a change of trust and a split. */
export async function liveThreeWeeks(path: Path): Promise<void> {
  await path.append([...VENDORS.map((vendor, v) => registration({ vendor, trust: 30 + 20 * v })), ...listed(0)])
  await path.run(dayOf(0, 2))

  await path.append([...listed(1), ...listed(0, 'an old list'), ...listed(1)])
  await path.append([
    event({
      type: 'ObservationRetracted',
      source_id: sourceNamed('Sur').id,
      target: { scope: 'crawl', crawl_id: 'week-1' },
      reason: 'a list of another branch',
    }),
    event({
      type: 'TrustChanged',
      decided_at: dayOf(1, 1),
      reason: 'audited',
      source_id: sourceNamed('Costa').id,
      trust_score: 5,
    }),
  ])
  await path.run(dayOf(1, 2))

  const sku = vendorSkuIdOf(sourceNamed('Sur').id, 'R3')
  const n = (await foundedCounts(path.store, [sku])).get(sku) ?? 0
  await path.append([
    event({
      type: 'SkuSplit',
      decided_at: dayOf(1, 3),
      reason: 'another colour',
      vendor_sku_id: sku,
      source_id: sourceNamed('Sur').id,
      item_id: itemIdOf(sku, n),
      founding: { n, unit: 'u' },
    }),
    ...listed(2),
  ])
  await path.run(dayOf(2, 2))
}

/** Adds a week with lists and a run, from the fourth (3) on. */
export async function liveWeek(path: Path, week: number): Promise<void> {
  await path.append(listed(week))
  await path.run(dayOf(week, 2))
}
