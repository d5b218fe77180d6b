import { setImmediate } from 'node:timers/promises'
import { sha256Hex } from '@catalog/core/digest.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { applyBatch } from '@catalog/projector/pump.ts'
import { replay } from '@catalog/projector/replay/replay.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { listed, liveThreeWeeks } from '@catalog/stack/path/history.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { copiedDatabase, emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { readBuilds, readPositions } from '@catalog/store/builds/builds.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { interrupted, replayDepsOf } from './path.ts'

/** Actions of others during a flip; only a real PostgreSQL allows them. */
const missing = unavailable('postgres')
describe.skipIf(missing !== null)(missing ?? 'at the moment of a flip', () => {
  let stack: AsyncDisposableStack
  let path: Path
  /** Another process on the same database. */
  let other: Store
  /** A database with three weeks, which each test copies. */
  let lived: string
  beforeAll(async () => {
    lived = await emptyDatabase()
    await using living = new AsyncDisposableStack()
    const { path } = await opened(lived, living)
    // Crawls of few records, whose keys show the order of partitions and so tell builds apart.
    await path.append([registration({ vendor: 'Norte', trust: 30 })])
    for (let n = 0; n < 8; n++) {
      await path.append([
        observation({ vendor: 'Norte', ref: `S${n}`, cents: 100 + n, crawl: `single-${n}`, at: FIRST }),
      ])
    }
    await liveThreeWeeks(path)
  })
  beforeEach(async () => {
    stack = new AsyncDisposableStack()
    const both = await opened(await copiedDatabase(lived))
    path = both.path
    other = both.other
  })
  /** A data path on a database, and another process there. */
  async function opened(url: string, open = stack) {
    const store = await openStore({ kind: 'postgres', connection: { url } })
    await migrate(store)
    const log = await openTableLog(store, { observationPartitions: 3 })
    return {
      path: open.use(await openPath({ parts: { store, log } })),
      other: open.use(await openStore({ kind: 'postgres', connection: { url } })),
    }
  }
  const FIRST = '2025-12-31T00:00:00Z'
  afterEach(() => stack.disposeAsync())

  /** Starts the work and returns when it waits for a lock; read its answer later. */
  async function whenWaiting<T>(
    work: () => Promise<T>,
    { store }: { store: Store } = path,
  ): Promise<{ answer: Promise<T> }> {
    let isDone = false
    const answer = work().finally(() => {
      isDone = true
    })
    answer.catch(() => {})
    for (const deadlineMs = performance.now() + WAITING_MS_MAX; !isDone; await setImmediate()) {
      const [row] = await store.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
      )
      if ((row?.n ?? 0) > 0) return { answer }
      if (performance.now() > deadlineMs) throw new Error(`expected to wait for a lock within ${WAITING_MS_MAX} ms`)
    }
    return { answer }
  }
  const WAITING_MS_MAX = 4_000

  const failures = async () => (await verify(path)).filter(({ ok }) => !ok)

  test.each([
    [
      'a table first',
      `select c.crawl_id || ' ' || encode(o.observation_id, 'hex') as line
       from crawls c join deliveries d using (crawl) join observations o using (observation) order by 1`,
    ],
    [
      'a view first',
      `select c.crawl_id || ' ' || encode(o.observation_id, 'hex') as line
       from deliveries d join crawls c using (crawl) join observations o using (observation) order by 1`,
    ],
    [
      'a function first',
      `select encode(o.observation_id, 'hex') as line from hidden_observations('{}') h
       join observations o using (observation) join vendor_skus using (sku) order by 1`,
    ],
    [
      'a merge of integer keys',
      `select vendor_sku_id || item_id as line from memberships
       join item_keys using (item) join vendor_skus using (sku) order by 1`,
    ],
  ])('a statement that names %s sees one build', async (_what, sql) => {
    const ask = async () => sha256Hex(JSON.stringify(await other.query(sql)))
    const before = await ask()
    const keys = await other.query('select crawl, crawl_id from crawls order by crawl')
    let waiting: { answer: Promise<string> } | undefined
    const deps = interrupted(replayDepsOf(path), {
      exchanged: async () => {
        waiting = await whenWaiting(ask)
      },
    })
    await replay(deps)
    expect(await waiting?.answer).toBe(before)
    expect(await ask()).toBe(before)
    expect(await other.query(sql)).not.toEqual([])
    expect(await other.query('select crawl, crawl_id from crawls order by crawl')).not.toEqual(keys)
  })

  test('a projector that waits at the checkpoint applies its records once, to the newly served build', async () => {
    let zombie: { answer: Promise<number> } | undefined
    const before = await path.roots()
    const deps = interrupted(replayDepsOf(path), {
      locked: async () => {
        if (zombie !== undefined) return
        const records = listed(3).map((event) => ({
          key: `${event.type === 'ObservationRecorded' ? event.vendor_ref : ''}`,
          value: JSON.stringify(event),
        }))
        await path.log.append(TOPICS.observations, records)
        const next = (await readPositions(other)).find(
          ({ topic, partition }) => topic === TOPICS.observations && partition === 0,
        )?.next as bigint
        const batch = await path.log.read(TOPICS.observations, 0, next, 1_000)
        expect(batch.length).toBeGreaterThan(0)
        zombie = await whenWaiting(() => applyBatch({ store: other, projection: vendorProjection }, batch))
      },
    })
    await replay(deps)
    expect(await zombie?.answer).toBeGreaterThan(0)
    await path.project()
    expect(await failures()).toEqual([])
    const after = await path.roots()
    expect(after.catalog).toBe(before.catalog)
    expect(after.vendor).not.toBe(before.vendor)
    const [counts] = await path.store.query<{ n: number }>('select count(*)::int as n from parked')
    expect(counts?.n).toBe(0)
    // The result equals a replay of the same log.
    await replay(replayDepsOf(path))
    expect(await path.roots()).toEqual(after)
  })

  test.each(['locked', 'exchanged'] as const)(
    'a projector that brings the first record of a partition when all is %s loses nothing',
    async (moment) => {
      const { path: lone, other: beside } = await opened(await emptyDatabase())
      const [sur] = [observation({ vendor: 'Sur', ref: 'R1', cents: 100, at: FIRST })]
      await lone.append([sur])
      let zombie: { answer: Promise<number> } | undefined
      const deps = interrupted(replayDepsOf(lone), {
        [moment]: async () => {
          if (zombie !== undefined) return
          const value = JSON.stringify(registration({ vendor: 'Sur', trust: 30 }))
          await lone.log.append(TOPICS.decisions, [{ key: 'key', value }])
          const batch = await lone.log.read(TOPICS.decisions, 0, 0n, 1_000)
          zombie = await whenWaiting(() => applyBatch({ store: beside, projection: vendorProjection }, batch), lone)
        },
      })
      await replay(deps)
      // Either it applied the batch, or the process that was asked to catch up.
      expect(await zombie?.answer).toBeLessThanOrEqual(1)
      expect((await verify(lone)).filter(({ ok }) => !ok)).toEqual([])
      expect((await readPositions(lone.store)).map(({ topic, next }) => [topic, next])).toContainEqual([
        TOPICS.decisions,
        1n,
      ])
    },
  )

  test('a reader in a long transaction delays the flip, which succeeds when it ends', async () => {
    const reading = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    const transaction = other.transaction(async (tx) => {
      await tx.query('select count(*) from items')
      reading.resolve()
      await read.promise
      return tx.query('select count(*)::int as n from items')
    })
    await reading.promise
    let isFlipped = false
    const replayed = replay(replayDepsOf(path)).finally(() => {
      isFlipped = true
    })
    // Other readers get answers meanwhile, however often the flip requests the tables.
    const slowestMs = await slowestRead(path.store, 2_000)
    expect(isFlipped).toBe(false)
    expect(slowestMs).toBeLessThan(1_000)
    read.resolve()
    expect((await transaction).length).toBe(1)
    await replayed
    expect((await readBuilds(path.store)).map(({ state }) => state)).toEqual(['served', 'former'])
  })
})

async function slowestRead(store: Store, forMs: number): Promise<number> {
  let slowestMs = 0
  for (const endMs = performance.now() + forMs; performance.now() < endMs; await setImmediate()) {
    const begunMs = performance.now()
    await store.query('select count(*) from items join item_regions using (item_id)')
    slowestMs = Math.max(slowestMs, performance.now() - begunMs)
  }
  return slowestMs
}
