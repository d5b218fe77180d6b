import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import type { LogRecord } from '@catalog/log/log.ts'
import { type PostgresServer, postgresAvailable, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { observation, published } from '@catalog/stack/testing/events.ts'
import { catalogRoot, vendorRoot } from '@catalog/store/builds/status.ts'
import { readCheckpoint } from '@catalog/store/checkpoints.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemsProjection } from './items.ts'
import { applyBatch, type Projection } from './pump.ts'
import { vendorProjection } from './vendor.ts'

// The embedded store makes a client wait for another's whole transaction, so only a real server can show a race.
const unavailable = postgresAvailable()

describe.skipIf(unavailable !== null)(unavailable ?? 'two processes that apply the same records', () => {
  let server: PostgresServer
  /** One client for each of two processes. */
  let stores: readonly [Store, Store]
  beforeAll(async () => {
    server = await startPostgres()
    const open = () => openStore({ kind: 'postgres', connection: { url: server.url } })
    stores = [await open(), await open()]
    await migrate(stores[0])
  })
  afterAll(async () => {
    for (const store of stores) await store[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  const empty = () =>
    stores[0].query(
      `truncate checkpoints, sources, vendor_skus, observations, crawls, redeliveries, retractions, recipes, recipe_deliveries,
         parked, item_keys, memberships, match_keys, items, item_regions, item_markets, price_points, categories, changes, change_scopes,
         scope_heads restart identity`,
    )
  beforeEach(empty)

  const recordsOf = (topic: Topic, events: readonly object[]): LogRecord[] =>
    events.map((event, i) => ({ topic, partition: 0, offset: BigInt(i), key: 'k', value: JSON.stringify(event) }))
  /** 40 items, each published eight times: every event is a change that depends on the one before. */
  const publications = recordsOf(
    TOPICS.items,
    Array.from({ length: 320 }, (_, i) => {
      const version = 1 + Math.floor(i / 40)
      return published({ id: `ci_${i % 40}`, cents: 100 + i, version, regions: ['ES', 'EU'].slice(i % 2) })
    }),
  )
  const observations = recordsOf(
    TOPICS.observations,
    Array.from({ length: 320 }, (_, i) =>
      observation({ ref: `R${i % 90}`, cents: 100 + i, crawl: `crawl-${i % 7}`, at: '2026-01-05T06:00:00Z' }),
    ),
  )

  /** Applies the records in batches of this size. Returns how many were new. */
  async function applyAll(store: Store, projection: Projection, records: readonly LogRecord[], batch: number) {
    let applied = 0
    for (let start = 0; start < records.length; start += batch) {
      applied += await applyBatch({ store, projection }, records.slice(start, start + batch))
    }
    return applied
  }
  const numbers = async () => {
    const rows = await stores[0].query<{ seq: bigint }>('select seq from changes order by seq')
    return rows.map(({ seq }) => Number(seq))
  }
  const parked = () => stores[0].query('select reason, detail from parked')

  test('of two partitions with the same observations at once store each once and park none', async () => {
    const elsewhere = observations.map((record) => ({ ...record, partition: 1 }))
    // One at a time: applyBatch halves a larger batch down to the records that do not collide.
    for (let at = 0; at < 150; at++) {
      await Promise.all(
        [observations, elsewhere].map((records, i) =>
          applyBatch({ store: stores[i] as Store, projection: vendorProjection }, records.slice(at, at + 1)),
        ),
      )
    }
    expect(await parked()).toEqual([])
    expect(await stores[0].query('select count(*)::int as n from observations')).toEqual([{ n: 150 }])
    expect(await stores[0].query('select count(*)::int as n from deliveries')).toEqual([{ n: 150 }])
  })

  describe.each([
    { name: 'items', projection: itemsProjection, records: publications, root: catalogRoot },
    { name: 'vendor', projection: vendorProjection, records: observations, root: vendorRoot },
  ])('of the $name side', ({ projection, records, root }) => {
    test('apply each record exactly once, in any racing batches', async () => {
      await applyAll(stores[0], projection, records, 50)
      const alone = { root: await root(stores[0]), numbers: await numbers() }
      for (const [one, other] of [
        [10, 10],
        [10, 10],
        [7, 13],
        [25, 4],
        [60, 1],
      ] as const) {
        await empty()
        const applied = await Promise.all([
          applyAll(stores[0], projection, records, one),
          applyAll(stores[1], projection, records, other),
        ])
        expect(applied[0] + applied[1]).toBe(records.length)
        expect(await parked()).toEqual([])
        expect({ root: await root(stores[0]), numbers: await numbers() }).toEqual(alone)
        const place = { projection: projection.name, topic: records[0]?.topic as Topic, partition: 0 }
        expect((await readCheckpoint(stores[0], place)).next).toBe(BigInt(records.length))
      }
    })

    test('change nothing when every batch is redelivered', async () => {
      let [first, second] = [0, 0]
      for (let start = 0; start < records.length; start += 40) {
        first += await applyBatch({ store: stores[0], projection }, records.slice(start, start + 40))
        const before = { root: await root(stores[0]), numbers: await numbers() }
        // Some older records, and the whole batch.
        const again = records.slice(Math.max(0, start - 15), start + 40)
        second += await applyBatch({ store: stores[1], projection }, again)
        expect({ root: await root(stores[0]), numbers: await numbers() }).toEqual(before)
      }
      expect([first, second]).toEqual([records.length, 0])
      expect(await parked()).toEqual([])
    })
  })

  test('number the changes 1, 2, 3 ... without a hole', async () => {
    await Promise.all(stores.map((store) => applyAll(store, itemsProjection, publications, 15)))
    expect(await numbers()).toEqual(Array.from({ length: publications.length }, (_, i) => i + 1))
  })

  test('never apply a batch twice: the second waits for the checkpoint row and finds its records applied', async () => {
    await applyAll(stores[0], itemsProjection, publications.slice(0, 40), 40)
    const batch = publications.slice(40, 80)
    const entered: number[] = []
    const inside = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    /** Freezes after it has read the checkpoint and before it writes, like a suspended process. */
    const halting = (who: number): Projection => ({
      ...itemsProjection,
      async apply(tx, events) {
        entered.push(who)
        inside.resolve()
        await mayGoOn.promise
        await itemsProjection.apply(tx, events)
      },
    })
    const frozen = applyBatch({ store: stores[0], projection: halting(0) }, batch)
    await inside.promise
    const rival = applyBatch({ store: stores[1], projection: halting(1) }, batch)
    // Waits until the rival waits for a lock, or has entered as well, which would break the law.
    while (entered.length === 1) {
      const waiting = await stores[0].query(`select from pg_stat_activity where wait_event_type = 'Lock'`)
      if (waiting.length > 0) break
    }
    mayGoOn.resolve()
    expect(await Promise.all([frozen, rival])).toEqual([batch.length, 0])
    expect(entered).toEqual([0])
  })
})
