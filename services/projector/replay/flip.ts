import { eventId } from '@catalog/core/events/ids.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { appendEvents } from '@catalog/log/append-events.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { feedIndex } from '@catalog/projector/search-feeder.ts'
import {
  type BuildPosition,
  buildSchemaOf,
  flip,
  inBuildSchema,
  isLockRefused,
  lockPositions,
  readPositions,
} from '@catalog/store/builds/builds.ts'
import type { Difference } from '@catalog/store/builds/comparison.ts'
import { loadHeads } from '@catalog/store/catalog/items.ts'
import type { Store, Transaction } from '@catalog/store/db.ts'
import { fold, UNPACED } from './fold.ts'
import type { ReplayDeps } from './replay-deps.ts'

/** The build differs from the served one. It stays as it is, for inspection. */
export class BuildDiffers extends Error {
  override name = 'BuildDiffers'
  readonly differences: readonly Difference[]
  constructor(build: number, differences: readonly Difference[]) {
    const [first] = differences as [Difference]
    const shown = (row: string | null) => row ?? 'no such row'
    super(
      `build ${build} differs from what is served in ${differences.map(({ facts }) => facts).join(', ')}. ` +
        `The first difference, of ${first.facts} ${first.key}: served ${shown(first.served)}, build ${shown(first.build)}`,
    )
    this.differences = differences
  }
}

/** Records that a flip folds while projectors wait: a fraction of a second. */
const GAP_RECORDS_MAX = 5_000
/** Attempts to catch up with a projector that is faster than the replay. */
const FLIP_ATTEMPTS_MAX = 100

/**
 * Appends the marker to the log while no run publishes, and puts the build in place of the served one. Returns for how
 * many milliseconds readers could have to wait.
 */
export async function flipTo(
  build: number,
  { foldTo, ...deps }: ReplayDeps & { foldTo: (until: readonly BuildPosition[]) => Promise<void> },
): Promise<number> {
  const { store, log } = deps
  await deps.catchUp()
  const content = { type: 'BuildFlipped' as const, v: 1 as const, build: String(build) }
  const recordedAt = instant(deps.now())
  const marker = { ...content, event_id: eventId({ ...content, at: recordedAt }), recorded_at: recordedAt }
  await appendEvents(log, TOPICS.items, [{ key: marker.build, event: marker }])
  const end = (await log.partitions(TOPICS.items))[0]?.next as bigint
  for (let attempt = 1; attempt <= FLIP_ATTEMPTS_MAX; attempt++) {
    await foldTo(await readPositions(store))
    const begunMs = await store
      .transaction((tx) => flipWhenEqual(tx, { ...deps, build, end }))
      .catch((error: unknown) => {
        // A projector's batch takes long.
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
 * Folds the last records into the build while projectors wait, and flips; null where they are too many. `end` is the
 * offset after the marker. Returns when readers began to wait, which they do until the commit.
 */
async function flipWhenEqual(
  tx: Transaction,
  { store, build, end, embedder, ...deps }: ReplayDeps & { build: number; end: bigint },
): Promise<number | null> {
  const served = await lockPositions(tx)
  const isOfItems = ({ projection }: BuildPosition) => projection === itemsProjection.name
  // The marker changes no row, so the served build may be compared without it.
  if (!served.some((at) => isOfItems(at) && at.next >= end - 1n)) return null
  const until = served.map((at) => (isOfItems(at) && at.next < end ? { ...at, next: end } : at))
  const heads = await loadHeads(tx)
  const { schema } = store
  const isEqual = await inBuildSchema(tx, { schema, readModels: buildSchemaOf(schema, build) }, async () => {
    if (behind(await readPositions(tx), until) > GAP_RECORDS_MAX) return false
    const bound = boundTo(tx, store)
    const log = await deps.logOn(bound)
    await fold({ store: bound, log, projections: PROJECTIONS, until, pace: UNPACED, sideBySide: 1 })
    refuseOtherHeads(build, heads, await loadHeads(tx))
    const beside = deps.indexBeside(build, bound)
    await feedIndex({ store: bound, index: beside, embedder })
    // The index is complete and nothing is projected before the commit, so it fits either build.
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

/** The chains cover every number and every byte that readers ever saw. */
function refuseOtherHeads(build: number, served: Heads, made: Heads): void {
  const lines = ({ scopes }: Heads) =>
    new Map([...scopes].map(([scope, { rseq, chain }]) => [scope, `${rseq} ${chain.toString('hex')}`]))
  const [here, there] = [lines(served), lines(made)]
  const key = [...new Set([...here.keys(), ...there.keys()])].find((scope) => here.get(scope) !== there.get(scope))
  if (key === undefined) return
  const difference = { key, served: here.get(key) ?? null, build: there.get(key) ?? null }
  throw new BuildDiffers(build, [{ facts: 'scope heads', side: 'items', ...difference }])
}

/** A store that runs every statement in the transaction. */
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
