/**
 * Scores rows with gradient-boosted trees for two classes, kept as JSON. research/matching/train-trees.ts trains them.
 */

/** A tree as parallel arrays of its cuts, the root first. A child ≥ 0 is a cut, a child < 0 the leaf `~child`. */
export type Tree = Readonly<{
  feature: readonly number[]
  /** Values at or below it go left. */
  threshold: readonly number[]
  /** 1 where a missing value goes left. */
  missingLeft: readonly (0 | 1)[]
  left: readonly number[]
  right: readonly number[]
  /** Log-odds that each leaf adds. */
  leaf: readonly number[]
}>

/** `base` are the log-odds of a row before any tree; a tree without cuts has one leaf. */
export type TreeModel = Readonly<{ features: number; base: number; trees: readonly Tree[] }>

/** Chance of label 1, in (0, 1). Throws when the row has another length than the training rows. */
export function scoreTrees(model: TreeModel, row: ArrayLike<number>): number {
  if (row.length !== model.features) throw new Error(`row of ${row.length} features: expected ${model.features}`)
  let logOdds = model.base
  for (const { feature, threshold, missingLeft, left, right, leaf } of model.trees) {
    let at = feature.length === 0 ? -1 : 0
    while (at >= 0) {
      const value = row[feature[at] as number] as number
      const goesLeft = Number.isNaN(value) ? missingLeft[at] === 1 : value <= (threshold[at] as number)
      at = (goesLeft ? left[at] : right[at]) as number
    }
    logOdds += leaf[~at] as number
  }
  return 1 / (1 + Math.exp(-logOdds))
}
