import { randomOf } from '@catalog/core/random.ts'

/**
 * Gradient-boosted trees for two classes: learned from rows of numbers, kept as JSON, scored here. Pure and seeded: equal
 * rows, labels and options give an equal model on every machine.
 *
 * As in histogram boosting generally: each feature is cut into at most BINS_MAX bins of about equally many rows; a tree
 * grows by the leaf whose best cut gains most; a value that is missing (NaN) goes to the side that gained more in training.
 */

/** A tree as parallel arrays of its cuts, the root first. A child ≥ 0 is a cut, a child < 0 the leaf `~child`. */
export type Tree = Readonly<{
  feature: readonly number[]
  /** A value at or below it goes left. */
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

export type TrainOptions = Readonly<{
  /** One whole boosting a seed; the model is the mean of their log-odds. */
  seeds: readonly number[]
  iterations: number
  learningRate: number
  leavesMax: number
  /** Added to the curvature of a leaf: the smaller the leaf, the nearer its value to 0. */
  l2: number
  rowsInLeafMin: number
  /** Share of the features that each cut may choose from, drawn anew for each. */
  featureShare: number
  /** Called after each tree with how many of all are grown. */
  onTree?: (progress: { grown: number; of: number }) => void
}>

/** As measured best on public product pairs; see the model's figures for what they give. */
const TRAIN_DEFAULTS: TrainOptions = {
  seeds: [1, 2, 3],
  iterations: 250,
  learningRate: 0.06,
  leavesMax: 15,
  l2: 1,
  rowsInLeafMin: 20,
  featureShare: 0.5,
}

/** One byte a value: 255 bins, and one more for the missing. */
const BINS_MAX = 255
/** Digits of thresholds and leaves: enough to tell rows apart, and short in JSON. */
const THRESHOLD_DIGITS = 6
const LEAF_DIGITS = 4
/** A leaf whose rows are all certain already has no curvature left to divide by. */
const CURVATURE_MIN = 1e-3

/**
 * Learns from `rows` (all of one length; NaN = missing) which have label 1 and which 0. Throws on no rows, ragged rows, or
 * labels of one kind only.
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
      trees.push(grow({ binned, labels, logOdds, random, options, spare }))
      options.onTree?.({ grown: trees.length, of })
    }
  }
  return { features: binned.edges.length, base, trees }
}

/** Chance of label 1, in (0, 1). Throws when the row has another length than those of the training. */
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

// Binning -------------------------------------------------------------------------------------------------------------

type Binned = Readonly<{
  /** Per feature the upper edges of its bins but the last, ascending. */
  edges: readonly Float64Array[]
  /** Bin of each value, row after row; the missing have the one behind the last. */
  bins: Uint8Array
  /** Where a feature's bins begin among those of all features. */
  starts: Int32Array
}>

function bin(rows: readonly ArrayLike<number>[]): Binned {
  const features = rows[0]?.length ?? 0
  if (features === 0) throw new Error('rows: none, or without features; expected at least one of each')
  const ragged = rows.findIndex((row) => row.length !== features)
  if (ragged >= 0) throw new Error(`row ${ragged}: ${rows[ragged]?.length} features; expected ${features}`)

  const edges = Array.from({ length: features }, (_, feature) =>
    edgesOf(Float64Array.from(rows, (row) => row[feature] as number).filter((value) => !Number.isNaN(value))),
  )
  const bins = new Uint8Array(rows.length * features)
  for (const [at, row] of rows.entries()) {
    for (let feature = 0; feature < features; feature++) {
      bins[at * features + feature] = binOf(edges[feature] as Float64Array, row[feature] as number)
    }
  }
  const starts = new Int32Array(features + 1)
  for (const [feature, { length }] of edges.entries()) starts[feature + 1] = (starts[feature] as number) + length + 2
  return { edges, bins, starts }
}

/** Edges between distinct values: between all of them where they are few, else where equally many rows lie between two. */
function edgesOf(values: Float64Array): Float64Array {
  values.sort()
  const distinct = values.filter((value, at) => at === 0 || value !== values[at - 1])
  const edges = new Set<number>()
  const between = (below: number, above: number) => {
    const middle = rounded((below + above) / 2, THRESHOLD_DIGITS)
    edges.add(middle >= below && middle < above ? middle : below)
  }
  if (distinct.length <= BINS_MAX) {
    for (let at = 1; at < distinct.length; at++) between(distinct[at - 1] as number, distinct[at] as number)
  } else {
    for (let cut = 1; cut < BINS_MAX; cut++) {
      const at = Math.floor((cut * values.length) / BINS_MAX)
      const below = values[at - 1] as number
      const above = values.subarray(at).find((value) => value > below)
      if (above !== undefined) between(below, above)
    }
  }
  return Float64Array.from(edges).sort()
}

function binOf(edges: Float64Array, value: number): number {
  if (Number.isNaN(value)) return edges.length + 1
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= (edges[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}

function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits))
}

// Growing -------------------------------------------------------------------------------------------------------------

type Cut = Readonly<{ gain: number; feature: number; bin: number; missingLeft: boolean }>
/** Rows `from` up to `until` of the order, with their slope and curvature; sums of each bin only where a cut was looked for. */
type Leaf = Readonly<{
  from: number
  until: number
  slope: number
  curvature: number
  sums: Float64Array | null
  cut: Cut | null
  /** The child that the leaf is: of which side of which cut; null for the root. */
  place: Readonly<{ side: number[]; cut: number }> | null
}>
type Growing = Readonly<{
  binned: Binned
  labels: ArrayLike<number>
  logOdds: Float64Array
  random: () => number
  options: TrainOptions
  /** Sums that no leaf needs any more, to be used again. */
  spare: Float64Array[]
}>

/** Grows one tree on the slope of the logistic loss, and adds its leaves to `logOdds`. */
function grow({ binned, labels, logOdds, random, options, spare }: Growing): Tree {
  const rows = logOdds.length
  const slopes = new Float64Array(rows)
  const curvatures = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const chance = 1 / (1 + Math.exp(-(logOdds[row] as number)))
    slopes[row] = chance - (labels[row] as number)
    curvatures[row] = chance * (1 - chance)
  }
  const order = Int32Array.from({ length: rows }, (_, row) => row)
  const summed = (from: number, until: number) =>
    addSums(spare.pop()?.fill(0) ?? new Float64Array((binned.starts.at(-1) as number) * SUMS), {
      rows: order.subarray(from, until),
      binned,
      slopes,
      curvatures,
    })
  const leafOf = (from: number, until: number, sums: Float64Array | null, place: Leaf['place']): Leaf => {
    let [slope, curvature] = [0, 0]
    for (const row of order.subarray(from, until)) {
      slope += slopes[row] as number
      curvature += curvatures[row] as number
    }
    const cut = sums && bestCut(sums, { count: until - from, slope, curvature, binned, random, options })
    return { from, until, slope, curvature, sums, cut, place }
  }

  const tree = {
    feature: [] as number[],
    threshold: [] as number[],
    missingLeft: [] as (0 | 1)[],
    left: [] as number[],
    right: [] as number[],
    leaf: [] as number[],
  }
  const leaves = [leafOf(0, rows, summed(0, rows), null)]
  while (leaves.length < options.leavesMax) {
    let best = 0
    for (const [at, { cut }] of leaves.entries()) if ((cut?.gain ?? 0) > (leaves[best]?.cut?.gain ?? 0)) best = at
    const { from, until, sums, cut, place } = leaves[best] as Leaf
    if (!sums || !cut) break
    const middle = from + partition(order.subarray(from, until), cut, binned)
    const isLeftSmaller = middle - from <= until - middle
    const isLast = leaves.length + 1 === options.leavesMax
    let smaller: Float64Array | null = null
    let larger: Float64Array | null = null
    if (!isLast && Math.max(middle - from, until - middle) >= 2 * options.rowsInLeafMin) {
      // The sums of the smaller side are counted, those of the larger are what remains of the parent's.
      smaller = isLeftSmaller ? summed(from, middle) : summed(middle, until)
      larger = sums
      for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) - (smaller[at] as number)
    } else spare.push(sums)

    const at = tree.feature.length
    if (place) place.side[place.cut] = at
    tree.feature.push(cut.feature)
    tree.threshold.push(edgeOf(binned, cut))
    tree.missingLeft.push(cut.missingLeft ? 1 : 0)
    tree.left.push(0)
    tree.right.push(0)
    leaves[best] = leafOf(from, middle, isLeftSmaller ? smaller : larger, { side: tree.left, cut: at })
    leaves.push(leafOf(middle, until, isLeftSmaller ? larger : smaller, { side: tree.right, cut: at }))
  }
  for (const [at, { from, until, slope, curvature, sums, place }] of leaves.entries()) {
    if (place) place.side[place.cut] = ~at
    if (sums) spare.push(sums)
    const step = (-options.learningRate * slope) / (curvature + options.l2)
    for (const row of order.subarray(from, until)) logOdds[row] = (logOdds[row] as number) + step
    tree.leaf.push(rounded(step / options.seeds.length, LEAF_DIGITS))
  }
  return tree
}

/** The last edge is none: a cut there tells the missing from all others. */
function edgeOf({ edges }: Binned, { feature, bin }: Cut): number {
  return edges[feature]?.[bin] ?? Number.MAX_VALUE
}

/** Slope, curvature and number of rows, in this order for each bin. */
const SUMS = 3

function addSums(
  sums: Float64Array,
  {
    rows,
    binned,
    slopes,
    curvatures,
  }: { rows: Int32Array; binned: Binned; slopes: Float64Array; curvatures: Float64Array },
): Float64Array {
  const { bins, starts, edges } = binned
  const features = edges.length
  for (const row of rows) {
    const slope = slopes[row] as number
    const curvature = curvatures[row] as number
    for (let feature = 0, at = row * features; feature < features; feature++, at++) {
      const slot = ((starts[feature] as number) + (bins[at] as number)) * SUMS
      sums[slot] = (sums[slot] as number) + slope
      sums[slot + 1] = (sums[slot + 1] as number) + curvature
      sums[slot + 2] = (sums[slot + 2] as number) + 1
    }
  }
  return sums
}

/** The cut into two leaves that lowers the loss most; null where none does. */
function bestCut(
  sums: Float64Array,
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
    const missingCount = sums[missing * SUMS + 2] as number
    for (const missingLeft of missingCount > 0 ? [false, true] : [false]) {
      let slope = missingLeft ? (sums[missing * SUMS] as number) : 0
      let curvature = missingLeft ? (sums[missing * SUMS + 1] as number) : 0
      let rows = missingLeft ? missingCount : 0
      for (let slot = start; slot < missing; slot++) {
        const here = sums[slot * SUMS + 2] as number
        // Most bins of a small leaf are empty, and a cut behind one is the cut before it.
        if (here === 0) continue
        slope += sums[slot * SUMS] as number
        curvature += sums[slot * SUMS + 1] as number
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
/** Less is rounding. */
const GAIN_MIN = 1e-9

/** Rows that go left first, each side in its former order; answers how many they are. */
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

/** A share of the numbers below `count`, at least one, ascending: so that of equal gains the first feature's is taken. */
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
