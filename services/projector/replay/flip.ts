import { eventId, TOPICS } from '@catalog/core/events/events.ts'
import { instant } from '@catalog/core/time.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import { feedIndex } from '@catalog/projector/search-feeder.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import {
  type BuildPosition,
  buildSchemaOf,
  flip,
  isLockRefused,
  lockPositions,
  readPositions,
  within,
} from '@catalog/store/builds/builds.ts'
import type { Difference } from '@catalog/store/builds/comparison.ts'
import { loadHeads } from '@catalog/store/catalog/items.ts'
import type { Store, Transaction } from '@catalog/store/db.ts'
import { fold, UNPACED } from './fold.ts'
import type { ReplayDeps } from './replay-deps.ts'

export const PROJECTIONS = [vendorProjection, itemsProjection]

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

/** Records that a flip folds itself while projectors wait: a fraction of a second. */
const GAP_RECORDS_MAX = 5_000
/** A projector that is faster than the replay for so long will not be caught up with. */
const FLIP_ATTEMPTS_MAX = 100

/** While no run publishes: the marker goes into the log, and the build takes the place of the served one. */
export async function flipTo(
  build: number,
  { foldTo, ...deps }: ReplayDeps & { foldTo: (until: readonly BuildPosition[]) => Promise<void> },
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
