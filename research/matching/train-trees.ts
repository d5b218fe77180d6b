import type { Tree, TreeModel } from '@catalog/core/matching/gradient-boosting.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { bin, LEAF_DIGITS, rounded } from './feature-bins.ts'
import { growTree, type TrainOptions } from './grow-tree.ts'

/** The best settings on public product pairs. */
const TRAIN_DEFAULTS: TrainOptions = {
  seeds: [1, 2, 3],
  iterations: 250,
  learningRate: 0.06,
  leavesMax: 15,
  l2: 1,
  rowsInLeafMin: 20,
  featureShare: 0.5,
}

/**
 * Learns to separate label 1 from label 0 for `rows` of one length; NaN marks a missing value. Throws on no rows,
 * ragged rows, or labels of one kind only.
 */
export function trainTrees(
  rows: readonly ArrayLike<number>[],
  labels: ArrayLike<number>,
  wanted: Partial<TrainOptions> = {},
): TreeModel {
  const options = { ...TRAIN_DEFAULTS, ...wanted }
  const binned = bin(rows)
  let positive = 0
  for (let row = 0; row < rows.length; row++) positive += labels[row] as number
  if (labels.length !== rows.length || positive === 0 || positive === rows.length) {
    throw new Error(`labels: ${positive} of ${labels.length} are 1; expected ${rows.length}, some of each kind`)
  }
  const base = rounded(Math.log(positive / (rows.length - positive)), LEAF_DIGITS)
  const trees: Tree[] = []
  const spare: Float64Array[] = []
  const of = options.seeds.length * options.iterations
  for (const seed of options.seeds) {
    const random = randomOf(seed)
    const logOdds = new Float64Array(rows.length).fill(base)
    for (let iteration = 0; iteration < options.iterations; iteration++) {
      trees.push(growTree({ binned, labels, logOdds, random, options, spare }))
      options.onTree?.({ grown: trees.length, of })
    }
  }
  return { features: binned.edges.length, base, trees }
}
