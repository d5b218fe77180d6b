import { DatabaseSync } from 'node:sqlite'
import { openTableLog } from '@catalog/log/table.ts'
import { openMirror } from '@catalog/mirror/mirror.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import { follow, untilProjected } from '@catalog/projector/pump.ts'
import { replay, retireBuilds } from '@catalog/projector/replay/replay.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { untilReplicated } from '@catalog/stack/servers/command.ts'
import { testDatabase } from '@catalog/stack/testing/store.ts'
import { readBuilds } from '@catalog/store/builds/builds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beside, openWitness } from './moving.ts'
import { replayDepsOf } from './path.ts'
import { asBefore, longestStallMs, type Place, readWhile } from './readers.ts'
import { askAnew, liveLong, movingWeek, openReplayServer, placesOf, type ReplayServer } from './server.ts'

/** Longest wait of a reader around a flip on a busy machine. */
const STALL_MS_MAX = 2_000
const REPLAYS = Number(process.env.TEST_RUNS ?? 2)
const REPLAYS_TIMEOUT_MS = 120_000 + 30_000 * REPLAYS
/** Leaves time to compare two builds, which the embedded store does between publications. */
const PUBLICATION_PAUSE_MS = 4_000
/** The history has 15 weeks; replays go on until this many are published. */
const PUBLISHED_WEEKS_MIN = 17
const MOVING_TIMEOUT_MS = 300_000

describe('readers of a server, while a replay runs,', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>
  let server: ReplayServer
  let places: readonly Place[]
  beforeAll(async () => {
    database = await testDatabase()
    server = await openReplayServer(database?.url ?? null)
    await liveLong(server.path)
    await untilReplicated(`${server.base}/v1`)
    places = await placesOf(server)
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
  })

  test(`notice nothing of ${REPLAYS} replays, and mirrors have nothing to download`, {
    timeout: REPLAYS_TIMEOUT_MS,
  }, async () => {
    const { path, base } = server
    using mirror = openMirror({ url: `${base}/v1`, scope: 'items', into: new DatabaseSync(':memory:') })
    const synced = await mirror.sync()
    const before = { seq: await path.seq(), roots: await path.roots() }
    const judge = await asBefore(base, places)
    const ends: { flipMs: number; fromMs: number; toMs: number }[] = []
    const { tally } = await readWhile({ base, places, judge }, async () => {
      for (let left = REPLAYS; left > 0; left--) {
        let fromMs = Number.POSITIVE_INFINITY
        const deps = replayDepsOf(path, {
          onProgress({ stage }) {
            if (stage === 'flip') fromMs = Math.min(fromMs, performance.now())
          },
        })
        const { flipMs } = await replay(deps)
        ends.push({ flipMs, fromMs, toMs: performance.now() })
        await retireBuilds(deps)
      }
    })
    const flips = ends.map((end) => ({ flipMs: end.flipMs, stallMs: longestStallMs(tally, end) }))
    expect(tally.failed).toEqual([])
    expect(tally.mixed).toEqual([])
    expect(tally.reads).toBeGreaterThan(100)
    const anew = await askAnew(server, places)
    expect(anew.flatMap((asked) => judge(asked) ?? [])).toEqual([])
    expect({ seq: await path.seq(), roots: await path.roots() }).toEqual(before)
    const again = await mirror.sync()
    expect([again.applied, again.state]).toEqual([0, synced.state])
    // The request by which every pass learns that nothing is new.
    expect(again.requests).toBeLessThanOrEqual(1)
    expect((await readBuilds(path.store)).map(({ state }) => state)).toEqual(['served'])
    const { reads, shed } = tally
    process.stdout.write(`${JSON.stringify({ reads, shed, flips })}\n`)
    for (const { stallMs } of flips) expect(stallMs).toBeLessThan(STALL_MS_MAX)
  })

  test(
    'see whole states while a projector follows, lists arrive and runs publish',
    async () => {
      const { path, base } = server
      await using other = await server.openStore()
      const log = await openTableLog(other)
      const projections = [vendorProjection, itemsProjection]
      const stopping = new AbortController()
      const following = follow({ store: other, log, projections, signal: stopping.signal })
      following.catch(() => {})
      const witness = openWitness()
      let week = 15
      const { tally } = await readWhile({ base, places, judge: witness.judge }, () =>
        beside(
          async () => {
            for (let n = 0; n < 2 || week < PUBLISHED_WEEKS_MIN; n++) {
              const catchUp = () => untilProjected({ store: path.store, log: path.log, projections })
              await replay(replayDepsOf(path, { catchUp }))
            }
          },
          () => movingWeek(path, week++),
          PUBLICATION_PAUSE_MS,
        ),
      )
      stopping.abort()
      await following
      expect(tally.failed).toEqual([])
      expect(tally.mixed).toEqual([])
      await path.project()
      expect(await witness.contradictions(path)).toEqual([])
      expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
      expect(week).toBeGreaterThanOrEqual(PUBLISHED_WEEKS_MIN)
      const after = await path.roots()
      await replay(replayDepsOf(path))
      expect(await path.roots()).toEqual(after)
    },
    MOVING_TIMEOUT_MS,
  )
})
