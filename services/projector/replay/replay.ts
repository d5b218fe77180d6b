import { setTimeout as delay } from 'node:timers/promises'
import { eventId, TOPICS } from '@catalog/core/events/events.ts'
import { instant } from '@catalog/core/time.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { feedIndex } from '@catalog/projector/search-feeder.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import { vendorLoading, vendorProjection } from '@catalog/projector/vendor.ts'
import type { BesideIndex } from '@catalog/search/search.ts'
import {
  type Build,
  type BuildPosition,
  buildSchemaOf,
  createBuild,
  dropBuild,
  finishLoad,
  flip,
  isLockRefused,
  lockPositions,
  readBuilding,
  readBuilds,
  readPositions,
  settleStatistics,
  steerBuild,
  within,
} from '@catalog/store/builds/builds.ts'
import { atOneInstant, compareBuilds, type Difference, unhurried } from '@catalog/store/builds/comparison.ts'
import { catalogRoot, vendorRoot } from '@catalog/store/builds/status.ts'
import { loadHeads } from '@catalog/store/catalog/items.ts'
import type { Store, Transaction } from '@catalog/store/db.ts'
import { takeLease, withLease } from '@catalog/store/lease.ts'
import { type FoldThread, fold, type Pace, UNPACED } from './fold.ts'

/**
 * A replay: a new build of all read models from the beginning of the log, beside the one that serves; compared with it,
 * and put in its place.
 *
 * Law: nothing of it shows before the flip, and the flip shows at one instant to all. A build of the same events by the
 * same code has the same rows, so the flip changes no answer and no feed. Where rows differ, the replay ends before the
 * flip and says which; what the vendor side may differ in, by a corrected upcaster, a person accepts; the item side, whose
 * numbers readers and mirrors hold, never differs.
 */
export type ReplayDeps = Readonly<{
  store: Store
  log: EventLog
  /** The same log, read through a store whose transaction is open: on the embedded store nobody else is answered then. */
  logOn: (store: Store) => Promise<EventLog>
  /** The search index of a build, which is read through the build's store. */
  indexBeside: (build: number, store: Store) => BesideIndex
  /** Begins threads that help to fold into the read models of this schema; none where the store has one backend. */
  openThreads?: (readModels: string) => readonly (FoldThread & AsyncDisposable)[]
  /** Deletes the search index of a build that is not served, where it has one. */
  dropIndex: (build: number) => Promise<void>
  embedder: Embedder | null
  /** Returns when everything that is in the log has been projected; throws ProjectorNotRunning when nobody does it. */
  catchUp: () => Promise<void>
  now: () => Date
  /** Who asks for the leases. */
  holder: string
  signal?: AbortSignal
  onProgress?: (progress: ReplayProgress) => void
}>

export type Stage = 'fold' | 'settle' | 'compare' | 'search' | 'flip'
/** `total` is null where it is not known. */
export type ReplayProgress = Readonly<{ build: number; stage: Stage; done: number; total: number | null }>

export type ReplayReport = Readonly<{
  build: number
  /** Whether the build went on that a replay before had left. */
  resumed: boolean
  /** Records that this replay folded, and how long that took, settling included. */
  records: number
  foldMs: number
  rowsCompared: number
  /** Vendor-side differences that were accepted. */
  accepted: readonly Difference[]
  roots: Readonly<{ catalog: string; vendor: string }>
  /** How long readers could be held up. */
  flipMs: number
}>

export class ReplayRunning extends Error {
  override name = 'ReplayRunning'
  constructor(build: number | undefined) {
    super(`another process is making build ${build ?? 'of a replay'}: expected it to end, or catalog replay --pause`)
  }
}

export class ReplayPaused extends Error {
  override name = 'ReplayPaused'
}

/** The build is not what is served; it stays as it is, to be looked at. */
export class BuildDiffers extends Error {
  override name = 'BuildDiffers'
  readonly differences: readonly Difference[]
  constructor(build: number, differences: readonly Difference[]) {
    const [first] = differences as [Difference]
    const said = (row: string | null) => row ?? 'no such row'
    super(
      `build ${build} differs from what is served in ${differences.map(({ facts }) => facts).join(', ')}. ` +
        `The first difference, of ${first.facts} ${first.key}: served ${said(first.served)}, build ${said(first.build)}`,
    )
    this.differences = differences
  }
}

/** A process that was killed is replaced after this. */
const LEASE_TTL_MS = 5_000
const LEASE_AGAIN_MS = 250
const AGGREGATOR_LEASE_TTL_MS = 30_000
/** Records that a flip folds itself while projectors wait: a fraction of a second. */
const GAP_RECORDS_MAX = 5_000
/** A projector that is faster than the replay for so long will not be caught up with. */
const FLIP_ATTEMPTS_MAX = 100

/** Makes a build, or goes on with the one that was left, up to the flip. Throws BuildDiffers, ReplayPaused, ReplayRunning, Halt. */
export async function replay(
  deps: ReplayDeps,
  {
    accept = false,
    rateMax,
    batchRecords,
  }: {
    /** Flips in spite of differences of the vendor side. */
    accept?: boolean
    /** Records a second at most, of a build that is begun; one that is left keeps its own. Null: as fast as it goes. */
    rateMax?: number | null
    /** Records of one transaction. */
    batchRecords?: number
  } = {},
): Promise<ReplayReport> {
  return alone(deps, async (signal) => {
    const { store, log } = deps
    const before = await readBuilding(store)
    const build = before ?? (await createBuild(store, rateMax ?? null))
    await using green = await store.beside(buildSchemaOf(store.schema, build.build))
    const tell = (stage: Stage) => (done: number, total: number | null) =>
      deps.onProgress?.({ build: build.build, stage, done, total })

    const begunMs = performance.now()
    const pace = openPace(store, build, { signal, onProgress: tell('fold') })
    const folding = { store: green, log, pace, ...(batchRecords && { batchRecords }) }
    await deps.catchUp()
    if (!build.isLoaded) {
      await using threads = openThreads(deps, buildSchemaOf(store.schema, build.build))
      const loading = vendorLoading()
      const until = await readPositions(store)
      await fold({ ...folding, projections: [loading, itemsProjection], loading, threads: threads.all, until })
      tell('settle')(0, null)
      await finishLoad(green, build.build)
    }
    await fold({ ...folding, projections: PROJECTIONS, until: await readPositions(store) })
    const foldMs = performance.now() - begunMs
    await settleStatistics(green)

    const { rows, differences, roots } = await atOneInstant(store, async (served, positions) => {
      await fold({ ...folding, projections: PROJECTIONS, until: positions })
      signal.throwIfAborted()
      return await unhurried(green, async (made) => ({
        ...(await compareBuilds(served, made, { onFacts: tell('compare') })),
        roots: { catalog: await catalogRoot(made), vendor: await vendorRoot(made) },
      }))
    })
    const refused = differences.filter(({ side }) => !(accept && side === 'vendor'))
    if (refused.length > 0) throw new BuildDiffers(build.build, refused)

    tell('search')(0, null)
    const { embedder } = deps
    await feedIndex({ store: green, index: deps.indexBeside(build.build, green), embedder, signal })
    signal.throwIfAborted()
    await pace.look()
    tell('flip')(0, null)
    const flipMs = await withLease(
      store,
      { name: 'aggregator', holder: deps.holder, ttlMs: AGGREGATOR_LEASE_TTL_MS },
      () =>
        flipTo(build.build, { ...deps, green, fold: (until) => fold({ ...folding, projections: PROJECTIONS, until }) }),
      signal,
    )
    return {
      build: build.build,
      resumed: before !== undefined,
      records: pace.records(),
      foldMs,
      rowsCompared: rows,
      accepted: differences,
      roots,
      flipMs,
    }
  })
}

function openThreads(deps: ReplayDeps, readModels: string): AsyncDisposable & { all: readonly FoldThread[] } {
  const all = deps.openThreads?.(readModels) ?? []
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const thread of all) await thread[Symbol.asyncDispose]()
    },
  }
}

/** Takes the build that is being made away; whoever makes it stops at its next batch. Answers which one it was. */
export async function abortReplay(
  deps: Pick<ReplayDeps, 'store' | 'holder' | 'signal' | 'dropIndex'>,
): Promise<number> {
  const { store } = deps
  const building = await readBuilding(store)
  if (building === undefined) throw new Error('no replay is under way: expected one to abort')
  const { build } = building
  await steerBuild(store, build, { paused: true })
  await alone(deps, async () => {
    await deps.dropIndex(build)
    await dropBuild(store, build)
  })
  return build
}

/** Takes the builds away that were served before. Answers which ones. */
export async function retireBuilds(
  deps: Pick<ReplayDeps, 'store' | 'holder' | 'signal' | 'dropIndex'>,
): Promise<readonly number[]> {
  const { store } = deps
  return alone(deps, async () => {
    const former = (await readBuilds(store)).filter(({ state }) => state === 'former').map(({ build }) => build)
    for (const build of former) {
      await deps.dropIndex(build)
      await dropBuild(store, build)
    }
    return former
  })
}

/** Runs the work while no other process replays; throws ReplayRunning where one does. */
async function alone<T>(
  { store, holder, signal }: Pick<ReplayDeps, 'store' | 'holder' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = { name: 'replay', holder, ttlMs: LEASE_TTL_MS }
  // The lease of a process that was killed runs out meanwhile.
  const deadlineMs = performance.now() + LEASE_TTL_MS + 2 * LEASE_AGAIN_MS
  while (!(await takeLease(store, lease))) {
    signal?.throwIfAborted()
    if (performance.now() > deadlineMs) throw new ReplayRunning((await readBuilding(store))?.build)
    await delay(LEASE_AGAIN_MS)
  }
  return withLease(store, lease, work, signal)
}

const PROJECTIONS = [vendorProjection, itemsProjection]

/** Bounds the rate, and looks for what people ask of a replay that runs: to pause, to be slower, to end. */
type ReplayPace = Pace &
  Readonly<{
    /** Throws ReplayPaused where somebody asked for it. */
    look: () => Promise<void>
    records: () => number
  }>

const LOOK_MS = 1_000

function openPace(
  store: Store,
  build: Build,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number, total: number | null) => void },
): ReplayPace {
  let { rateMax } = build
  let [done, total] = [0, 0]
  let [lookedMs, pacedMs, paced] = [performance.now(), performance.now(), 0]
  async function look(): Promise<void> {
    lookedMs = performance.now()
    const now = await readBuilding(store)
    if (now === undefined || now.build !== build.build) throw new ReplayPaused(`build ${build.build} was aborted`)
    if (now.paused) throw new ReplayPaused(`build ${build.build} is paused: catalog replay goes on with it`)
    if (now.rateMax !== rateMax) [rateMax, pacedMs, paced] = [now.rateMax, performance.now(), 0]
  }
  return {
    expect(records) {
      total = done + records
      onProgress(done, total)
    },
    records: () => done,
    look,
    async after(records) {
      done += records
      paced += records
      onProgress(done, total)
      signal.throwIfAborted()
      if (performance.now() - lookedMs >= LOOK_MS) await look()
      // In steps, each of which looks whether the rate is another one by now.
      for (;;) {
        const waitMs = rateMax === null ? 0 : pacedMs + (paced * 1000) / rateMax - performance.now()
        if (waitMs <= 0) return
        await delay(Math.min(waitMs, LOOK_MS), undefined, { signal })
        await look()
      }
    },
  }
}

/** While no run publishes: the marker goes into the log, and the build takes the place of the served one. */
async function flipTo(
  build: number,
  {
    green,
    fold: foldTo,
    ...deps
  }: ReplayDeps & { green: Store; fold: (until: readonly BuildPosition[]) => Promise<void> },
): Promise<number> {
  const { store, log } = deps
  await deps.catchUp()
  const content = { type: 'BuildFlipped' as const, v: 1 as const, build: String(build) }
  const recordedAt = instant(deps.now())
  const marker = { ...content, event_id: eventId({ ...content, at: recordedAt }), recorded_at: recordedAt }
  await log.append(TOPICS.items, [{ key: marker.build, value: JSON.stringify(marker) }])
  const end = (await log.partitions(TOPICS.items))[0]?.next as bigint
  for (let attempt = 1; attempt <= FLIP_ATTEMPTS_MAX; attempt++) {
    await foldTo(await readPositions(store))
    const begunMs = await store
      .transaction((tx) => flipWhenEqual(tx, { ...deps, build, end }))
      .catch((error: unknown) => {
        // A projector's batch that takes long.
        if (isLockRefused(error)) return null
        throw error
      })
    if (begunMs !== null) return performance.now() - begunMs
    await deps.catchUp()
  }
  throw new Error(
    'records are projected faster than a build is brought up to date: expected a quieter hour for the flip',
  )
}

/**
 * Folds the last records into the build while projectors wait, and flips; null where they are too many. `end` is behind
 * the marker in the log. Answers when readers began to be held up, which they are until the commit.
 */
async function flipWhenEqual(
  tx: Transaction,
  { store, build, end, embedder, ...deps }: ReplayDeps & { build: number; end: bigint },
): Promise<number | null> {
  const served = await lockPositions(tx)
  const isOfItems = ({ projection }: BuildPosition) => projection === itemsProjection.name
  // The marker changes no row, so a build that has it is compared with one that may not have it yet.
  if (!served.some((at) => isOfItems(at) && at.next >= end - 1n)) return null
  const until = served.map((at) => (isOfItems(at) && at.next < end ? { ...at, next: end } : at))
  const heads = await loadHeads(tx)
  const { schema } = store
  const isEqual = await within(tx, { schema, readModels: buildSchemaOf(schema, build) }, async () => {
    if (behind(await readPositions(tx), until) > GAP_RECORDS_MAX) return false
    const bound = boundTo(tx, store)
    const log = await deps.logOn(bound)
    await fold({ store: bound, log, projections: PROJECTIONS, until, pace: UNPACED, sideBySide: 1 })
    refuseOtherHeads(build, heads, await loadHeads(tx))
    const beside = deps.indexBeside(build, bound)
    await feedIndex({ store: bound, index: beside, embedder })
    // Fed to the end, and nothing is projected before the commit: either index is right for either build.
    await beside.takeOver()
    return true
  })
  return isEqual ? flip(tx, { schema, build }) : null
}

function behind(stands: readonly BuildPosition[], until: readonly BuildPosition[]): number {
  const key = ({ projection, topic, partition }: BuildPosition) => `${projection} ${topic} ${partition}`
  const nextOf = new Map(stands.map((at) => [key(at), at.next]))
  return until.reduce((sum, at) => sum + Number(at.next - (nextOf.get(key(at)) ?? 0n)), 0)
}

type Heads = Awaited<ReturnType<typeof loadHeads>>

/** The chains stand for every number and every byte that readers ever saw. */
function refuseOtherHeads(build: number, served: Heads, made: Heads): void {
  const lines = ({ scopes }: Heads) =>
    new Map([...scopes].map(([scope, { rseq, chain }]) => [scope, `${rseq} ${chain.toString('hex')}`]))
  const [here, there] = [lines(served), lines(made)]
  const key = [...new Set([...here.keys(), ...there.keys()])].find((scope) => here.get(scope) !== there.get(scope))
  if (key === undefined) return
  const [said, holds] = [here.get(key) ?? null, there.get(key) ?? null]
  throw new BuildDiffers(build, [{ facts: 'scope heads', side: 'items', key, served: said, build: holds }])
}

/** A store whose every statement is one of the transaction's. */
function boundTo(tx: Transaction, store: Store): Store {
  return {
    ...store,
    query: tx.query,
    async transaction(work) {
      await tx.query('savepoint bound')
      try {
        const result = await work(tx)
        await tx.query('release savepoint bound')
        return result
      } catch (error) {
        await tx.query('rollback to savepoint bound')
        throw error
      }
    },
    async [Symbol.asyncDispose]() {},
  }
}
