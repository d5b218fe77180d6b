import type { ItemEvent } from '@catalog/core/events/events.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { BuildDiffers } from '@catalog/projector/replay/flip.ts'
import { ReplayPaused } from '@catalog/projector/replay/pacing.ts'
import { abortReplay, ReplayRunning, replay, retireBuilds } from '@catalog/projector/replay/replay.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { liveThreeWeeks, liveWeek } from '@catalog/stack/path/history.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { scopeChangesOf } from '@catalog/stack/store/replica.ts'
import { event, observation, published } from '@catalog/stack/testing/events.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { buildSchemaOf, readBuilding, readBuilds, updateBuildSettings } from '@catalog/store/builds/builds.ts'
import { openDeadLetters, readSeq } from '@catalog/store/builds/status.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import { beginGeneration, nextGeneration } from '@catalog/store/catalog/generation.ts'
import { trimChanges } from '@catalog/store/catalog/retention.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Died, exactOn, interrupted, replayDepsOf } from './path.ts'

describe('a replay', () => {
  let path: Path
  let store: Store
  beforeEach(async () => {
    store = await openTestStore()
    const log = await openTableLog(store, { observationPartitions: 2 })
    path = await openPath({ parts: { store, log } })
  })
  afterEach(() => path[Symbol.asyncDispose]())

  const shown = async () => ({ roots: await path.roots(), seq: await path.seq() })
  const failures = async () => (await verify(path)).filter(({ ok }) => !ok)
  const states = async () => (await readBuilds(store)).map(({ build, state }) => `${build} ${state}`)
  const schemas = async () =>
    (
      await store.query<{ name: string }>(
        `select nspname as name from pg_namespace where starts_with(nspname, $1) order by 1`,
        [`${store.schema}_`],
      )
    ).map(({ name }) => name)

  test('after a restore gives the numbers of the new generation again, from the floors on', async () => {
    for (let version = 1; version <= 5; version++) await path.append(night(version))
    await indexed()
    await trimChanges(store, { before: new Date('2027-01-01'), snapshotSeq: await readSeq(store) })
    await beginGeneration(store, { gen: nextGeneration((await readMeta(store, 'gen')) ?? null, new Date()) })
    await path.append(night(6))
    expect(await failures()).toEqual([])
    const before = { ...(await shown()), feeds: await feeds() }
    expect(before.feeds.some(({ floor }) => floor > 0n)).toBe(true)
    await replay(replayDepsOf(path))
    expect({ ...(await shown()), feeds: await feeds() }).toEqual(before)
    expect(await failures()).toEqual([])
    // Changes that the log restored below the floors go when the floors move on.
    expect(await belowFloors()).toBeGreaterThan(0)
    for (const version of [7, 8]) await path.append(night(version))
    await indexed()
    await trimChanges(store, { before: new Date('2027-01-01'), snapshotSeq: await readSeq(store) })
    expect(await belowFloors()).toBe(0)
    expect(await failures()).toEqual([])
    await replay(replayDepsOf(path))
    expect(await failures()).toEqual([])
  })

  const belowFloors = async () =>
    (
      await store.query<{ n: number }>(
        `select count(*)::int as n from change_scopes join feed_floors using (scope) where rseq < floor`,
      )
    )[0]?.n

  async function feeds() {
    const { gen, scopes } = await readFeedState(store)
    return Promise.all(
      scopes.map(async ({ scope, head, floor }) => ({
        gen,
        scope,
        head,
        floor,
        changes: JSON.stringify(await scopeChangesOf(store, { scope, after: floor, limit: 10_000 }), (_key, value) =>
          typeof value === 'bigint' ? String(value) : value,
        ),
      })),
    )
  }
  const indexed = async () => {
    const { identity } = exactOn(store)
    await store.query(
      `insert into search_indexes (identity, next) values ($1, $2)
       on conflict (identity) do update set next = excluded.next`,
      [identity, (await readSeq(store)) + 1n],
    )
  }

  test('parks the same records for the same reasons', async () => {
    await liveThreeWeeks(path)
    const good = observation({ vendor: 'Norte', ref: 'P1', cents: 100, at: '2026-01-20T00:00:00Z' })
    const poison = [
      'not json',
      JSON.stringify({ ...good, v: 7 }),
      JSON.stringify({ ...good, price: null }),
      // These pass the schema, but PostgreSQL refuses them.
      ...['zz', 'abc', `${good.event_id}0`].map((event_id) => JSON.stringify({ ...good, event_id, vendor_ref: 'P2' })),
      JSON.stringify({ ...good, name: 'a\u0000b', vendor_ref: 'P3' }),
      JSON.stringify({ ...good, vendor_ref: 'P\u00004' }),
    ]
    for (const value of [...poison, JSON.stringify(good)]) {
      await path.log.append(TOPICS.observations, [{ key: `key ${value.length}`, value }])
    }
    await path.project()
    const parked = async () =>
      (await openDeadLetters(store, { limit: 100 })).map(({ parked_id, reason }) => `${parked_id} ${reason}`)
    const before = { parked: await parked(), ...(await shown()) }
    expect(before.parked.length).toBeGreaterThanOrEqual(6)
    for (const batchRecords of [1, 1000]) {
      await replay(replayDepsOf(path), { batchRecords })
      expect({ parked: await parked(), ...(await shown()) }).toEqual(before)
    }
  })

  test('ends before the flip and names a row that was changed by hand; accepted, it flips the vendor side only', async () => {
    await liveThreeWeeks(path)
    await store.query(`update sources set name = 'Somebody' where name = 'Sur'`)
    const differing = replay(replayDepsOf(path))
    await expect(differing).rejects.toThrow(BuildDiffers)
    await expect(differing).rejects.toThrow(/of sources src_[a-z2-7]+: served .*Somebody.* build .*Sur/)
    expect(await states()).toEqual(['2 building', '1 served'])
    const [item] = await store.query<{ id: string }>(
      `update items set name = 'Something' where item_id = (select min(item_id) from items) returning item_id as id`,
    )
    const both = replay(replayDepsOf(path), { accept: true })
    await expect(both).rejects.toThrow(new RegExp(`of items ${item?.id}: served .*Something`))
    expect(await states()).toEqual(['2 building', '1 served'])
    await store.query(`update items set name = (public_state::jsonb)->'item'->>'name' where item_id = $1`, [item?.id])
    const { accepted } = await replay(replayDepsOf(path), { accept: true })
    expect(accepted.map(({ facts }) => facts)).toEqual(['sources'])
    expect(await states()).toEqual(['2 served', '1 former'])
    expect(await store.query(`select from sources where name = 'Sur'`)).toHaveLength(1)
    expect(await failures()).toEqual([])
  })

  test('stops when paused, keeps to its throttle, and resumes', async () => {
    await liveThreeWeeks(path)
    const before = await shown()
    const begunMs = performance.now()
    const paused = replay(
      replayDepsOf(path, {
        onProgress: ({ build, stage, done }) => {
          if (stage === 'fold' && done > 150) void updateBuildSettings(store, build, { paused: true })
        },
      }),
      { batchRecords: 20, rateMax: 100 },
    )
    await expect(paused).rejects.toThrow(ReplayPaused)
    const building = await readBuilding(store)
    expect(building).toMatchObject({ paused: true, rateMax: 100 })
    // 150 records at 100 a second.
    expect(performance.now() - begunMs).toBeGreaterThan(1_000)
    expect(await shown()).toEqual(before)
    await updateBuildSettings(store, building?.build as number, { paused: false, rateMax: null })
    expect(await replay(replayDepsOf(path))).toMatchObject({ resumed: true, build: 2 })
    expect(await shown()).toEqual(before)
  })

  test('leaves nothing behind when aborted, and keeps the former build until it is retired', async () => {
    await liveThreeWeeks(path)
    const [before, none] = [await shown(), await schemas()]
    await store.query(`update sources set name = 'Somebody' where name = 'Sur'`)
    await expect(replay(replayDepsOf(path))).rejects.toThrow(BuildDiffers)
    expect(await schemas()).toEqual([...none, buildSchemaOf(store.schema, 2)].sort())
    expect(await abortReplay(replayDepsOf(path))).toBe(2)
    await store.query(`update sources set name = 'Sur' where name = 'Somebody'`)
    expect([await schemas(), await states()]).toEqual([none, ['1 served']])
    const { build } = await replay(replayDepsOf(path))
    expect(await states()).toEqual([`${build} served`, '1 former'])
    expect(await retireBuilds(replayDepsOf(path))).toEqual([1])
    expect([await schemas(), await states()]).toEqual([none, [`${build} served`]])
    expect(await shown()).toEqual(before)
    expect(await failures()).toEqual([])
  })

  test.each(['the marker is appended', 'all is exchanged'])('that dies when %s resumes to its flip', async (moment) => {
    await liveThreeWeeks(path)
    const [before, none] = [await shown(), await schemas()]
    const markers = async () =>
      (await path.log.read(TOPICS.items, 0, 0n, 1_000)).filter(({ value }) => value.includes('"BuildFlipped"')).length
    const die = async () => {
      throw new Died(0)
    }
    const deps = replayDepsOf(path)
    const { log } = deps
    const dying =
      moment === 'all is exchanged'
        ? interrupted(deps, { exchanged: die })
        : {
            ...deps,
            log: { ...log, append: (...said: Parameters<typeof log.append>) => log.append(...said).then(die) },
          }
    await expect(replay(dying)).rejects.toThrow(Died)
    expect(await markers()).toBe(1)
    expect([await shown(), await states()]).toEqual([before, ['2 building', '1 served']])
    // Both fold a run in between.
    await liveWeek(path, 3)
    const after = await shown()
    expect(await replay(deps)).toMatchObject({ build: 2, resumed: true })
    expect(await markers()).toBe(2)
    expect(await shown()).toEqual(after)
    expect(await failures()).toEqual([])
    await retireBuilds(deps)
    expect(await schemas()).toEqual(none)
  })

  test('is refused while another process makes one', async () => {
    await liveThreeWeeks(path)
    const first = replay(replayDepsOf(path, { holder: 'first' }), { batchRecords: 20, rateMax: 50 })
    first.catch(() => {})
    await expect.poll(async () => (await readBuilding(store))?.build, { timeout: 10_000 }).toBe(2)
    await expect(replay(replayDepsOf(path, { holder: 'second' }))).rejects.toThrow(ReplayRunning)
    await updateBuildSettings(store, 2, { rateMax: null })
    expect((await first).build).toBe(2)
    expect(await states()).toEqual(['2 served', '1 former'])
  })
})

/** Enough for a few nights to close pages of 500 changes. */
const ITEMS = 300

function night(version: number): ItemEvent[] {
  const asOf = instant(new Date(Date.UTC(2026, 0, 1) + version * DAY_MS))
  const run = { run_id: `run_${version}`, as_of: asOf, items_published: ITEMS }
  const publications = Array.from({ length: ITEMS }, (_, i) =>
    published({
      id: `ci_${String(i).padStart(20, '0')}`,
      cents: 100 + version * 7 + (i % 5),
      version,
      asOf,
      regions: (i + version) % 3 === 0 ? ['EU'] : ['ES', 'EU'],
    }),
  )
  return [...publications, event({ type: 'RunMarked', ...run })]
}
