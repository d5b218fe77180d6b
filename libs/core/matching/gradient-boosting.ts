import { keptPer } from '@catalog/core/memo.ts'

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
  const { roots, feature, value, missingLeft, left, right } = columnsOf(model)
  let logOdds = model.base
  for (let tree = 0; tree < roots.length; tree++) {
    let at = roots[tree] as number
    for (let cut = feature[at] as number; cut >= 0; cut = feature[at] as number) {
      const asked = row[cut] as number
      const goesLeft = asked <= (value[at] as number) || (missingLeft[at] === 1 && Number.isNaN(asked))
      at = (goesLeft ? left[at] : right[at]) as number
    }
    logOdds += value[at] as number
  }
  return 1 / (1 + Math.exp(-logOdds))
}

/** All trees in one array a column, the leaves behind the cuts of each tree: a leaf has no feature, and its log-odds as value. */
const columnsOf = keptPer(({ trees }: TreeModel) => {
  const count = trees.reduce((sum, { feature, leaf }) => sum + feature.length + leaf.length, 0)
  const [feature, value] = [new Int32Array(count).fill(-1), new Float64Array(count)]
  const [left, right, missingLeft] = [new Int32Array(count), new Int32Array(count), new Uint8Array(count)]
  let from = 0
  const roots = trees.map((tree) => {
    const [root, leaves] = [from, from + tree.feature.length]
    const placeOf = (child: number) => (child >= 0 ? root + child : leaves + ~child)
    feature.set(tree.feature, root)
    value.set(tree.threshold, root)
    value.set(tree.leaf, leaves)
    left.set(tree.left.map(placeOf), root)
    right.set(tree.right.map(placeOf), root)
    missingLeft.set(tree.missingLeft, root)
    from = leaves + tree.leaf.length
    return root
  })
  return { roots, feature, value, missingLeft, left, right }
})
