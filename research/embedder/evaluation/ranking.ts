/**
 * The rank of the best relevant entry, by scores. Entries of equal score share the mean of their ranks, so the order of
 * the index does not matter. Infinity when no relevant entry has a score above 0.
 */
export function rankOf(scores: ArrayLike<number>, relevant: ReadonlySet<number>): number {
  let best = 0
  for (const entry of relevant) best = Math.max(best, scores[entry] as number)
  if (best <= 0) return Number.POSITIVE_INFINITY
  let [above, equal] = [0, 0]
  for (let entry = 0; entry < scores.length; entry++) {
    const difference = (scores[entry] as number) - best
    if (difference < -EQUAL_WITHIN || relevant.has(entry)) continue
    if (difference > EQUAL_WITHIN) above++
    else equal++
  }
  return 1 + above + equal / 2
}

/** Sums of the same rows in another order differ in the seventh digit. */
const EQUAL_WITHIN = 1e-6

/** Shares of queries with a rank of at most 1 and 10, and the mean of 1/rank down to the tenth; all in [0, 1]. */
export type Figures = Readonly<{ queries: number; r1: number; r10: number; mrr10: number }>

/** Figures of a list of ranks; all 0 for an empty one. */
export function figuresOf(ranks: readonly number[]): Figures {
  const mean = (value: (rank: number) => number) =>
    ranks.length === 0 ? 0 : ranks.reduce((sum, rank) => sum + value(rank), 0) / ranks.length
  return {
    queries: ranks.length,
    r1: mean((rank) => (rank <= 1 ? 1 : 0)),
    r10: mean((rank) => (rank <= 10 ? 1 : 0)),
    mrr10: mean((rank) => (rank <= 10 ? 1 / rank : 0)),
  }
}

/** Mean figures with equal weight for each list of ranks, however long. The caller leaves out null lists. */
export function meanOf(all: readonly Figures[]): Figures {
  const mean = (key: 'r1' | 'r10' | 'mrr10') => all.reduce((sum, each) => sum + each[key], 0) / Math.max(1, all.length)
  const queries = all.reduce((sum, each) => sum + each.queries, 0)
  return { queries, r1: mean('r1'), r10: mean('r10'), mrr10: mean('mrr10') }
}
