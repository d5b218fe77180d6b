import { setTimeout as delay } from 'node:timers/promises'
import { itemsProjection } from '@catalog/projector/items.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { feedIndex } from '@catalog/projector/search-feeder.ts'
import { vendorLoading } from '@catalog/projector/vendor.ts'
import {
  type BuildPosition,
  buildSchemaOf,
  createBuild,
  dropBuild,
  finishLoad,
  readBuilding,
  readBuilds,
  readPositions,
  updateBuildSettings,
  updateStatistics,
} from '@catalog/store/builds/builds.ts'
import {
  compareBuilds,
  type Difference,
  inSnapshot,
  withoutStatementTimeout,
} from '@catalog/store/builds/comparison.ts'
import { catalogRoot, vendorRoot } from '@catalog/store/builds/status.ts'
import type { Store } from '@catalog/store/db.ts'
import { AGGREGATOR_LEASE, acquireLease, withLease } from '@catalog/store/lease.ts'
import { BuildDiffers, flipTo } from './flip.ts'
import { type Folding, type FoldThread, fold } from './fold.ts'
import { openPace } from './pacing.ts'
import type { ReplayDeps, Stage } from './replay-deps.ts'

/**
 * A replay builds all read models anew from the beginning of the log, beside the served ones, compares the two, and
 * replaces the served ones.
 *
 * Law: the build shows nothing before the flip, and the flip shows to all at one instant. The same code builds the same
 * rows from the same events, so the flip changes no answer and no feed. Where rows differ, the replay stops before the
 * flip and names them. A person may accept differences of the vendor side, which a corrected upcaster makes. The item
 * side may never differ, since readers and mirrors hold its numbers.
 */
export type ReplayReport = Readonly<{
  build: number
  /** Whether the replay resumed an unfinished build. */
  resumed: boolean
  /** Records that this replay folded, and how long that took, with the keys and statistics. */
  records: number
  foldMs: number
  rowsCompared: number
  /** Accepted differences of the vendor side. */
  accepted: readonly Difference[]
  roots: Readonly<{ catalog: string; vendor: string }>
  /** How long readers could have to wait. */
  flipMs: number
}>

export class ReplayRunning extends Error {
  override name = 'ReplayRunning'
  constructor(build: number | undefined) {
    super(`another process is making build ${build ?? 'of a replay'}: expected it to end, or catalog replay --pause`)
  }
}

/** After this another process may replace a killed one. */
const LEASE_TTL_MS = 5_000
const LEASE_AGAIN_MS = 250
/**
 * Makes a build, or resumes an unfinished one, up to and including the flip. Throws BuildDiffers, ReplayPaused,
 * ReplayRunning, Halt.
 */
export async function replay(
  deps: ReplayDeps,
  {
    accept = false,
    rateMax,
    batchRecords,
  }: {
    /** Flips in spite of differences of the vendor side. */
    accept?: boolean
    /** Records a second for a new build; an unfinished one keeps its own rate. Null: as fast as possible. */
    rateMax?: number | null
    /** Records of one transaction. */
    batchRecords?: number
  } = {},
): Promise<ReplayReport> {
  return alone(deps, async (signal) => {
    const { store, embedder } = deps
    const before = await readBuilding(store)
    const build = before ?? (await createBuild(store, rateMax ?? null))
    await using green = await store.withReadModels(buildSchemaOf(store.schema, build.build))
    const report = (stage: Stage) => (done: number, total: number | null) =>
      deps.onProgress?.({ build: build.build, stage, done, total })

    const begunMs = performance.now()
    const pace = openPace(store, build, { signal, onProgress: report('fold') })
    const folding = { store: green, log: deps.log, pace, ...(batchRecords && { batchRecords }) }
    const foldTo = (until: readonly BuildPosition[]) => fold({ ...folding, projections: PROJECTIONS, until })
    await deps.catchUp()
    if (!build.isLoaded) await load(deps, { build: build.build, folding, onSettle: () => report('settle')(0, null) })
    await foldTo(await readPositions(store))
    const foldMs = performance.now() - begunMs
    await updateStatistics(green)

    const { rows, differences, roots } = await compare({ store, green, foldTo, signal, onFacts: report('compare') })
    const refused = differences.filter(({ side }) => !(accept && side === 'vendor'))
    if (refused.length > 0) throw new BuildDiffers(build.build, refused)

    report('search')(0, null)
    await feedIndex({ store: green, index: deps.indexBeside(build.build, green), embedder, signal })
    signal.throwIfAborted()
    await pace.checkRequests()
    report('flip')(0, null)
    const lease = { ...AGGREGATOR_LEASE, holder: deps.holder }
    const flipMs = await withLease(store, lease, () => flipTo(build.build, { ...deps, foldTo }), signal)
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

type BuildFolding = Omit<Folding, 'projections' | 'until'>

/** Loads a new build in bulk, and then builds its keys. */
async function load(
  deps: ReplayDeps,
  { build, folding, onSettle }: Readonly<{ build: number; folding: BuildFolding; onSettle: () => void }>,
): Promise<void> {
  await using threads = openThreads(deps, buildSchemaOf(deps.store.schema, build))
  const loading = vendorLoading()
  const until = await readPositions(deps.store)
  await fold({ ...folding, projections: [loading, itemsProjection], loading, threads: threads.all, until })
  onSettle()
  await finishLoad(folding.store, build)
}

/** Compares the build with the served one at one position of the log. */
async function compare({
  store,
  green,
  foldTo,
  signal,
  onFacts,
}: Readonly<{
  store: Store
  green: Store
  foldTo: (until: readonly BuildPosition[]) => Promise<void>
  signal: AbortSignal
  onFacts: (done: number, total: number | null) => void
}>) {
  return inSnapshot(store, async (served, positions) => {
    await foldTo(positions)
    signal.throwIfAborted()
    return await withoutStatementTimeout(green, async (made) => ({
      ...(await compareBuilds(served, made, { onFacts })),
      roots: { catalog: await catalogRoot(made), vendor: await vendorRoot(made) },
    }))
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

/** Deletes the unfinished build. A process that makes it stops at its next batch. Returns the build's number. */
export async function abortReplay(
  deps: Pick<ReplayDeps, 'store' | 'holder' | 'signal' | 'dropIndex'>,
): Promise<number> {
  const { store } = deps
  const building = await readBuilding(store)
  if (building === undefined) throw new Error('no replay is in progress: expected one to abort')
  const { build } = building
  await updateBuildSettings(store, build, { paused: true })
  await alone(deps, async () => {
    await deps.dropIndex(build)
    await dropBuild(store, build)
  })
  return build
}

/** Deletes the builds that were served before. Returns their numbers. */
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

/** Runs the work while no other process replays. Throws ReplayRunning where one does. */
async function alone<T>(
  { store, holder, signal }: Pick<ReplayDeps, 'store' | 'holder' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = { name: 'replay', holder, ttlMs: LEASE_TTL_MS }
  // Meanwhile the lease of a killed process expires.
  const deadlineMs = performance.now() + LEASE_TTL_MS + 2 * LEASE_AGAIN_MS
  while (!(await acquireLease(store, lease))) {
    signal?.throwIfAborted()
    if (performance.now() > deadlineMs) throw new ReplayRunning((await readBuilding(store))?.build)
    await delay(LEASE_AGAIN_MS)
  }
  return withLease(store, lease, work, signal)
}
