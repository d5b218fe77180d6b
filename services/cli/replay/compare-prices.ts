import { type Evaluated, type Evaluator, openEvaluator } from '@catalog/aggregator/evaluate.ts'
import { UnknownMethod } from '@catalog/core/median/methods.ts'
import type { Amount } from '@catalog/core/median/reprice.ts'
import { readPositions } from '@catalog/store/builds/builds.ts'
import { type PointInForce, pointsInForce } from '@catalog/store/catalog/price-points.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { RunRecord } from '@catalog/store/vendor/runs.ts'

/** Null: no price. */
export type Price = Amount | null

/** A price that the stored observations no longer give. */
export type PriceDifference = Readonly<{
  run_id: string
  as_of: string
  item_id: string
  /** Null: the headline. */
  region: string | null
  published: Price
  /** When the point in force was recorded; null without one. */
  recorded_at: string | null
  recomputed: Price
}>

/** A run with an evaluator at its own cut. */
type OpenedRun = Readonly<{
  run: RunRecord
  evaluator: Evaluator
  /** The checkpoints of the tables when the evaluator was opened. */
  checkpoints: string
}>

/** Null if this version does not know the run's method. */
export async function openRun(store: Queryable, run: RunRecord): Promise<OpenedRun | null> {
  const checkpoints = await checkpointsOf(store)
  try {
    const evaluator = await openEvaluator(store, { asOf: run.asOf, positions: run.positions })
    return evaluator.rule.method.name === run.method ? { run, evaluator, checkpoints } : null
  } catch (error) {
    if (error instanceof UnknownMethod) return null
    throw error
  }
}

async function checkpointsOf(store: Queryable): Promise<string> {
  const checkpoints = await readPositions(store)
  return checkpoints.map((row) => `${row.projection} ${row.topic} ${row.partition} ${row.next}`).join()
}

type Compared = Readonly<{
  /** Items of the chunk; then those that existed at the run. */
  evaluated: number
  items: number
  compared: number
  /** Sorted by item id, then region, the headline first. */
  differences: readonly PriceDifference[]
}>

/** Items to compute at once: bounds memory and changes no result. */
const CHUNK_ITEMS = 200

/**
 * Recomputes the prices of these items from the run's facts and compares them with the published ones, a chunk at a
 * time, in id order.
 */
export async function* replayRun(
  store: Queryable,
  { opened, itemIds, signal }: { opened: OpenedRun; itemIds: readonly string[]; signal: AbortSignal },
): AsyncGenerator<Compared> {
  const { run } = opened
  let { evaluator, checkpoints } = opened
  for (let start = 0; start < itemIds.length; start += CHUNK_ITEMS) {
    signal.throwIfAborted()
    const chunk = itemIds.slice(start, start + CHUNK_ITEMS)
    let found = await compareChunk(store, { run, chunk, evaluator })
    // Facts that arrived after the evaluator was opened can cause false differences: compare again with a new one.
    if (found.differences.length > 0 && (await checkpointsOf(store)) !== checkpoints) {
      ;({ evaluator, checkpoints } = (await openRun(store, run)) ?? opened)
      found = await compareChunk(store, { run, chunk, evaluator })
    }
    yield found
  }
}

async function compareChunk(
  store: Queryable,
  { run, chunk, evaluator }: { run: RunRecord; chunk: readonly string[]; evaluator: Evaluator },
): Promise<Compared> {
  const [items, points] = await Promise.all([
    evaluator.evaluate(chunk),
    pointsInForce(store, { itemIds: chunk, asOf: run.asOf }),
  ])
  const made = new Map(items.map((item) => [item.itemId, item]))
  const published = Map.groupBy(points, ({ item_id }) => item_id)
  const compared = chunk.map((itemId) =>
    comparePrices(run, { itemId, item: made.get(itemId), points: published.get(itemId) }),
  )
  return {
    evaluated: chunk.length,
    items: compared.filter(({ prices }) => prices > 0).length,
    compared: compared.reduce((sum, { prices }) => sum + prices, 0),
    differences: compared.flatMap(({ differences }) => differences),
  }
}

/**
 * Compares the headline and every market that has, or had, a median. An item that was neither founded nor published has
 * none.
 */
function comparePrices(
  run: RunRecord,
  {
    itemId,
    item,
    points = [],
  }: { itemId: string; item: Evaluated | undefined; points?: readonly PointInForce[] | undefined },
): { prices: number; differences: readonly PriceDifference[] } {
  if (item === undefined && points.length === 0) return { prices: 0, differences: [] }
  const { headline = null, markets = [] } = item?.repriced ?? {}
  const recomputed = new Map<string, Price>([
    ['', headline],
    ...markets.map(({ region, median }) => [region, median] as const),
  ])
  const published = new Map(points.map((point) => [point.market, point]))
  const all = [...new Set([...recomputed.keys(), ...published.keys()])].sort()
  const differences = all.flatMap((market): PriceDifference[] => {
    const point = published.get(market)
    const was =
      point === undefined || point.cents === null ? null : { cents: point.cents, currency: point.currency as string }
    const is = recomputed.get(market) ?? null
    if (was?.cents === is?.cents && was?.currency === is?.currency) return []
    return [
      {
        run_id: run.runId,
        as_of: run.asOf,
        item_id: itemId,
        region: market === '' ? null : market,
        published: was,
        recorded_at: point?.recorded_at ?? null,
        recomputed: is,
      },
    ]
  })
  return { prices: all.length, differences }
}
