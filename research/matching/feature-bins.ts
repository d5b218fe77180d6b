/** One byte a value: 255 bins, and one more for missing values. */
const BINS_MAX = 255
/** Digits of thresholds and leaves: enough to separate rows, and short in JSON. */
const THRESHOLD_DIGITS = 6
export const LEAF_DIGITS = 4

export type Binned = Readonly<{
  /** Upper edges of each feature's bins but the last, ascending. */
  edges: readonly Float64Array[]
  /** Bin of each value, row after row; missing values have the bin after the last. */
  bins: Uint8Array
  /** First bin of each feature among those of all features. */
  starts: Int32Array
}>

export function bin(rows: readonly ArrayLike<number>[]): Binned {
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

/** Edges between distinct values: between all of them if they are few, otherwise at equal numbers of rows. */
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

export function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits))
}
