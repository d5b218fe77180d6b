import { randomBytes } from 'node:crypto'
import { type CatalogEvent, itemIdOf, vendorSkuIdOf } from '@catalog/core/events.ts'
import { event, observation, registration, sourceNamed } from '@catalog/core/testing.ts'
import { openKafkaLog } from '@catalog/log/kafka.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrate.ts'
import { foundedCounts } from '@catalog/store/votes.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPath, type Path } from './path.ts'
import { sharedServer, unavailable } from './servers.ts'

const missing = unavailable('kafka') ?? unavailable('postgres')

const VENDORS = ['Norte', 'Sur', 'Costa']
const PRODUCTS = 40

/** What three vendors list in a week: a common number brings their SKUs together, and prices move. */
const listed = (week: number, crawl = `week-${week}`): CatalogEvent[] =>
  VENDORS.flatMap((vendor, v) =>
    Array.from({ length: PRODUCTS }, (_, n) =>
      observation({
        ...{ vendor, ref: `R${n}`, name: `Ceramic brick type ${n}`, unit: ['u', 'kg', 'm2'][n % 3] as string, crawl },
        cents: 100 + 10 * n + 7 * v + (n % 4 === 0 ? week : 0),
        at: `2026-01-${String(1 + 7 * week).padStart(2, '0')}T00:00:00Z`,
        more: { gtin: String(40_000_000 + n) },
      }),
    ),
  )

/** Lists, three runs, and between them an old list, one that is taken back, a change of trust and a split. */
async function live(path: Path) {
  await path.tell([...VENDORS.map((vendor, v) => registration({ vendor, trust: 30 + 20 * v })), ...listed(0)])
  await path.run('2026-01-02T00:00:00Z')

  await path.tell([...listed(1), ...listed(0, 'an old list'), ...listed(1)])
  await path.tell([
    event({
      type: 'ObservationRetracted',
      source_id: sourceNamed('Sur').id,
      target: { scope: 'crawl', crawl_id: 'week-1' },
      reason: 'a list of another branch',
    }),
    event({
      ...{ type: 'TrustChanged', decided_at: '2026-01-08T00:00:00Z', reason: 'audited' },
      ...{ source_id: sourceNamed('Costa').id, trust_score: 5 },
    }),
  ])
  await path.run('2026-01-09T00:00:00Z')

  const sku = vendorSkuIdOf(sourceNamed('Sur').id, 'R3')
  const n = (await foundedCounts(path.store, [sku])).get(sku) ?? 0
  await path.tell([
    event({
      ...{ type: 'SkuSplit', decided_at: '2026-01-10T00:00:00Z', reason: 'another colour' },
      ...{
        vendor_sku_id: sku,
        source_id: sourceNamed('Sur').id,
        item_id: itemIdOf(sku, n),
        founding: { n, unit: 'u' },
      },
    }),
    ...listed(2),
  ])
  await path.run('2026-01-16T00:00:00Z')
  return { ...(await path.roots()), seq: await path.seq() }
}

describe.skipIf(missing !== null)(missing ?? 'the roots on Kafka and PostgreSQL', () => {
  let embedded: Awaited<ReturnType<typeof live>>
  let servers: { brokers: string; url: string }
  beforeAll(async () => {
    servers = { brokers: await sharedServer('kafka'), url: await sharedServer('postgres') }
    await using path = await openPath()
    embedded = await live(path)
  })

  test.each([1, 3, 6].flatMap((partitions) => [1, 7, 1000].map((batchRecords) => ({ partitions, batchRecords }))))(
    'are those of the embedded path with $partitions partitions and batches of $batchRecords',
    async ({ partitions, batchRecords }) => {
      const name = `orders_${randomBytes(4).toString('hex')}`
      await using log = await openKafkaLog({
        brokers: servers.brokers,
        prefix: `${name}.`,
        observationPartitions: partitions,
      })
      await using store = await openStore({ kind: 'postgres', connection: { url: servers.url }, schema: name })
      await migrate(store, name)
      const path = await openPath({ parts: { store, log }, batchRecords })
      expect(await live(path)).toEqual(embedded)
      expect((await log.partitions('vendor.observations')).length).toBe(partitions)
    },
  )
})
