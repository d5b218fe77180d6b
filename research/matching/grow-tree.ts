import type { Tree } from '@catalog/core/matching/gradient-boosting.ts'
import { type Binned, LEAF_DIGITS, rounded } from './feature-bins.ts'

export type TrainOptions = Readonly<{
  /** One whole boosting per seed; the model is the mean of their log-odds. */
  seeds: readonly number[]
  iterations: number
  learningRate: number
  leavesMax: number
  /** Added to the curvature of a leaf: the smaller the leaf, the nearer its value to 0. */
  l2: number
  rowsInLeafMin: number
  /** Share of the features that each cut may choose from, drawn anew for each. */
  featureShare: number
  /** Called after each tree. */
  onTree?: (progress: { grown: number; of: number }) => void
}>

type Growing = Readonly<{
  binned: Binned
  labels: ArrayLike<number>
  logOdds: Float64Array
  random: () => number
  options: TrainOptions
  /** Histograms that no leaf needs any more, for reuse. */
  spare: Float64Array[]
}>

/** Slope and curvature of the logistic loss, row by row. */
type Gradients = Readonly<{ slopes: Float64Array; curvatures: Float64Array }>
type Cut = Readonly<{ gain: number; feature: number; bin: number; missingLeft: boolean }>

/** Rows `from` up to `until` of the order. The histogram is absent where no cut can follow. */
type Leaf = Readonly<{
  from: number
  until: number
  slope: number
  curvature: number
  histogram: Float64Array | null
  cut: Cut | null
  /** The side and cut whose child the leaf is; null for the root. */
  place: Readonly<{ side: number[]; cut: number }> | null
}>

type MutableTree = {
  feature: number[]
  threshold: number[]
  missingLeft: (0 | 1)[]
  left: number[]
  right: number[]
  leaf: number[]
}

/** Grows one tree on the slope of the logistic loss, and adds its leaves to `logOdds`. */
export function growTree(growing: Growing): Tree {
  const { options } = growing
  const grower = openGrower(growing)
  const tree: MutableTree = { feature: [], threshold: [], missingLeft: [], left: [], right: [], leaf: [] }
  const leaves = [grower.root()]
  while (leaves.length < options.leavesMax) {
    let best = 0
    for (const [at, { cut }] of leaves.entries()) if ((cut?.gain ?? 0) > (leaves[best]?.cut?.gain ?? 0)) best = at
    const { histogram, cut, ...leaf } = leaves[best] as Leaf
    if (!histogram || !cut) break
    const isLast = leaves.length + 1 === options.leavesMax
    const [left, right] = grower.split({ ...leaf, histogram, cut }, tree, isLast)
    leaves[best] = left
    leaves.push(right)
  }
  for (const [at, leaf] of leaves.entries()) {
    if (leaf.place) leaf.place.side[leaf.place.cut] = ~at
    tree.leaf.push(grower.close(leaf))
  }
  return tree
}

function openGrower(growing: Growing) {
  const { binned, labels, logOdds, options, spare } = growing
  const gradients = gradientsOf(logOdds, labels)
  const order = Int32Array.from({ length: logOdds.length }, (_, row) => row)
  const histogramOf = (from: number, until: number) =>
    addRows(spare.pop()?.fill(0) ?? new Float64Array((binned.starts.at(-1) as number) * SUMS), {
      rows: order.subarray(from, until),
      binned,
      gradients,
    })
  const leafOf = (from: number, until: number, histogram: Float64Array | null, place: Leaf['place']): Leaf => {
    let [slope, curvature] = [0, 0]
    for (const row of order.subarray(from, until)) {
      slope += gradients.slopes[row] as number
      curvature += gradients.curvatures[row] as number
    }
    const cut = histogram && bestCut(histogram, { ...growing, count: until - from, slope, curvature })
    return { from, until, slope, curvature, histogram, cut, place }
  }
  return {
    root: () => leafOf(0, order.length, histogramOf(0, order.length), null),

    /** Adds the leaf's cut to the tree; returns the left and the right child. The last split needs no histograms. */
    split(
      leaf: Readonly<{ from: number; until: number; histogram: Float64Array; cut: Cut; place: Leaf['place'] }>,
      tree: MutableTree,
      isLast: boolean,
    ): [left: Leaf, right: Leaf] {
      const { from, until, histogram, cut, place } = leaf
      const middle = from + partition(order.subarray(from, until), cut, binned)
      const isLeftSmaller = middle - from <= until - middle
      let smaller: Float64Array | null = null
      let larger: Float64Array | null = null
      if (!isLast && Math.max(middle - from, until - middle) >= 2 * options.rowsInLeafMin) {
        // Counts the smaller side only; the parent's histogram less that one is the larger side's.
        smaller = isLeftSmaller ? histogramOf(from, middle) : histogramOf(middle, until)
        larger = histogram
        for (let i = 0; i < larger.length; i++) larger[i] = (larger[i] as number) - (smaller[i] as number)
      } else spare.push(histogram)

      const at = tree.feature.length
      if (place) place.side[place.cut] = at
      tree.feature.push(cut.feature)
      tree.threshold.push(edgeOf(binned, cut))
      tree.missingLeft.push(cut.missingLeft ? 1 : 0)
      tree.left.push(0)
      tree.right.push(0)
      return [
        leafOf(from, middle, isLeftSmaller ? smaller : larger, { side: tree.left, cut: at }),
        leafOf(middle, until, isLeftSmaller ? larger : smaller, { side: tree.right, cut: at }),
      ]
    },

    /** Adds the leaf's step to the log-odds of its rows; returns its share in the mean over all seeds. */
    close({ from, until, slope, curvature, histogram }: Leaf): number {
      if (histogram) spare.push(histogram)
      const step = (-options.learningRate * slope) / (curvature + options.l2)
      for (const row of order.subarray(from, until)) logOdds[row] = (logOdds[row] as number) + step
      return rounded(step / options.seeds.length, LEAF_DIGITS)
    },
  }
}

function gradientsOf(logOdds: Float64Array, labels: ArrayLike<number>): Gradients {
  const slopes = new Float64Array(logOdds.length)
  const curvatures = new Float64Array(logOdds.length)
  for (const [row, odds] of logOdds.entries()) {
    const chance = 1 / (1 + Math.exp(-odds))
    slopes[row] = chance - (labels[row] as number)
    curvatures[row] = chance * (1 - chance)
  }
  return { slopes, curvatures }
}

/** The upper edge of the cut's bin. A cut behind the last edge separates missing values from all others. */
function edgeOf({ edges }: Binned, { feature, bin }: Cut): number {
  return edges[feature]?.[bin] ?? Number.MAX_VALUE
}

/** Slope, curvature and number of rows, in this order for each bin. */
const SUMS = 3

function addRows(
  histogram: Float64Array,
  { rows, binned, gradients }: { rows: Int32Array; binned: Binned; gradients: Gradients },
): Float64Array {
  const { bins, starts, edges } = binned
  const features = edges.length
  for (const row of rows) {
    const slope = gradients.slopes[row] as number
    const curvature = gradients.curvatures[row] as number
    for (let feature = 0, at = row * features; feature < features; feature++, at++) {
      const slot = ((starts[feature] as number) + (bins[at] as number)) * SUMS
      histogram[slot] = (histogram[slot] as number) + slope
      histogram[slot + 1] = (histogram[slot + 1] as number) + curvature
      histogram[slot + 2] = (histogram[slot + 2] as number) + 1
    }
  }
  return histogram
}

/** The cut into two leaves that lowers the loss most; null when none does. */
function bestCut(
  histogram: Float64Array,
  leaf: Readonly<{ count: number; slope: number; curvature: number }> & Pick<Growing, 'binned' | 'random' | 'options'>,
): Cut | null {
  const { count, binned, random, options } = leaf
  if (count < 2 * options.rowsInLeafMin) return null
  const worth = (slope: number, curvature: number) => (slope * slope) / (curvature + options.l2)
  const before = worth(leaf.slope, leaf.curvature)
  let best: Cut | null = null
  for (const feature of drawn(binned.edges.length, options.featureShare, random)) {
    const start = binned.starts[feature] as number
    const missing = (binned.starts[feature + 1] as number) - 1
    const missingCount = histogram[missing * SUMS + 2] as number
    for (const missingLeft of missingCount > 0 ? [false, true] : [false]) {
      let slope = missingLeft ? (histogram[missing * SUMS] as number) : 0
      let curvature = missingLeft ? (histogram[missing * SUMS + 1] as number) : 0
      let rows = missingLeft ? missingCount : 0
      for (let slot = start; slot < missing; slot++) {
        const here = histogram[slot * SUMS + 2] as number
        // Most bins of a small leaf are empty, and a cut after an empty bin equals the cut before it.
        if (here === 0) continue
        slope += histogram[slot * SUMS] as number
        curvature += histogram[slot * SUMS + 1] as number
        rows += here
        if (rows < options.rowsInLeafMin || curvature < CURVATURE_MIN) continue
        if (count - rows < options.rowsInLeafMin || leaf.curvature - curvature < CURVATURE_MIN) break
        const gain = worth(slope, curvature) + worth(leaf.slope - slope, leaf.curvature - curvature) - before
        if (gain > (best?.gain ?? GAIN_MIN)) best = { gain, feature, bin: slot - start, missingLeft }
      }
    }
  }
  return best
}
/** Smaller gains are rounding. */
const GAIN_MIN = 1e-9

/** Moves rows that go left to the front, each side in its former order; returns their number. */
function partition(rows: Int32Array, { feature, bin, missingLeft }: Cut, { bins, edges }: Binned): number {
  const right: number[] = []
  const last = edges[feature]?.length as number
  let left = 0
  for (const row of rows) {
    const value = bins[row * edges.length + feature] as number
    if (value > last ? missingLeft : value <= bin) rows[left++] = row
    else right.push(row)
  }
  rows.set(right, left)
  return left
}

/**
 * A random share of the numbers below `count`, at least one, ascending, so that the first feature wins among equal
 * gains.
 */
function drawn(count: number, share: number, random: () => number): Int32Array {
  const all = Int32Array.from({ length: count }, (_, at) => at)
  const wanted = Math.max(1, Math.round(count * share))
  for (let at = 0; at < wanted; at++) {
    const other = at + Math.floor(random() * (count - at))
    const moved = all[at] as number
    all[at] = all[other] as number
    all[other] = moved
  }
  return all.subarray(0, wanted).sort()
}
/** A leaf of certain rows only has no curvature left to divide by. */
const CURVATURE_MIN = 1e-3
