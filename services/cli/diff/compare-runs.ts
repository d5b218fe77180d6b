import { type Evaluator, openEvaluator } from '@catalog/aggregator/evaluate.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { dirtyItemIds } from '@catalog/store/vendor/dirty-items.ts'
import type { RunRecord } from '@catalog/store/vendor/runs.ts'
import { type ItemChange, itemChangeOf } from './item-change.ts'

/** Items to compute at once: bounds memory and changes no result. */
const CHUNK_ITEMS = 200

export type ComparedChunk = Readonly<{ done: number; total: number; changes: readonly ItemChange[] }>

/**
 * The items that differ between two runs, in id order, a chunk at a time. Both runs are computed again from their own
 * facts, which gives their published prices to the cent, so the comparison needs no history. Only items that a fact or a
 * decision between the runs can have changed are computed.
 */
export async function* compareRuns(
  store: Queryable,
  { from, to, signal }: { from: RunRecord; to: RunRecord; signal: AbortSignal },
): AsyncGenerator<ComparedChunk> {
  const [past, next] = [await openRunEvaluator(store, from), await openRunEvaluator(store, to)]
  const itemIds = await dirtyItemIds(store, { from, to })
  for (let start = 0; start < itemIds.length; start += CHUNK_ITEMS) {
    signal.throwIfAborted()
    const chunk = itemIds.slice(start, start + CHUNK_ITEMS)
    const before = new Map((await past.evaluate(chunk)).map((item) => [item.itemId, item]))
    const after = new Map((await next.evaluate(chunk)).map((item) => [item.itemId, item]))
    const changes = chunk.flatMap((id) => itemChangeOf(before.get(id), after.get(id)) ?? [])
    yield { done: start + chunk.length, total: itemIds.length, changes }
  }
}

async function openRunEvaluator(store: Queryable, run: RunRecord): Promise<Evaluator> {
  const evaluator = await openEvaluator(store, { asOf: run.asOf, positions: run.positions })
  if (evaluator.rule.method.name === run.method) return evaluator
  throw new Error(
    `run '${run.runId}' was priced by ${run.method}, and the decisions at its cut now name ${evaluator.rule.method.name}`,
  )
}
