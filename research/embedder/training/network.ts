import { BUCKETS } from '@catalog/embed/builtin/features.ts'
import type { Pair } from '@catalog/research/embedder/corpus/pairs.ts'
import { adam, dots, gather, multiply, scatter, transpose } from '@catalog/research/embedder/kernels.ts'

/**
 * The trained table and one step of its training: InfoNCE in both directions on the cosines of a batch of pairs, less a
 * margin. Every other pair of the batch is a negative unless its group is the same. Lazy Adam moves only the rows of the
 * batch's features.
 */
export type Network = Readonly<{
  /** BUCKETS rows; changes with every step. */
  table: Float32Array
  /** Trains on a batch with this learning rate; returns the mean loss of its pairs, in nats. */
  step: (batch: readonly Pair[], rate: number) => number
}>

/** Buckets and weights of the features of a word, in parallel. */
export type WordFeatures = Readonly<{ buckets: Int32Array; weights: Float32Array }>

/** `wordsOf` gives the features of a text's words by the text's number. */
export function openNetwork({
  dims,
  batchMax,
  wordsOf,
  random,
}: {
  dims: number
  batchMax: number
  wordsOf: (text: number) => readonly WordFeatures[]
  random: () => number
}): Network {
  const matrix = (rows: number) => new Float32Array(rows * dims)
  const adamState = { table: matrix(BUCKETS), mean: matrix(BUCKETS), variance: matrix(BUCKETS) }
  const { table } = adamState
  fillNormal(table, random)
  // A row per distinct bucket of the batch, in the order of the first use.
  const gradients = matrix(BUCKETS)
  const sumsMax = matrix(2 * batchMax)
  const unitsMax = matrix(2 * batchMax)
  const slopesMax = matrix(2 * batchMax)
  const productsMax = new Float32Array(batchMax ** 2)
  const featuresOf = openBatchFeatures({ textsMax: 2 * batchMax, wordsOf, random })

  return {
    table,
    step(batch, rate) {
      const count = batch.length
      const { buckets, slots, weights, starts, touched } = featuresOf(batch)
      // The first sides of all pairs, then the second sides.
      const half = count * dims
      const [sums, units, slopes] = [sumsMax, unitsMax, slopesMax].map((all) => all.subarray(0, 2 * half)) as [
        Float32Array,
        Float32Array,
        Float32Array,
      ]
      const products = productsMax.subarray(0, count ** 2)
      gather({ rows: buckets, weights, starts }, table, sums, dims)
      const lengths = normalise(sums, units, dims)
      const [a, b] = [units.subarray(0, half), units.subarray(half)]
      dots(a, b, products, dims)
      const meanLoss = lossToSlopes(products, batch)
      multiply(products, b, slopes.subarray(0, half), dims)
      multiply(transpose(products, count), a, slopes.subarray(half), dims)
      slopesBeforeNormalisation(slopes, { units, lengths, dims })
      scatter({ rows: slots, weights, starts }, gradients, slopes, dims)
      adam(touched, gradients, adamState, { dims, rate })
      return meanLoss
    },
  }
}

/** Logit scale of a cosine: at .08 a negative that is .18 nearer than another weighs ten times as much. */
const TEMPERATURE = 0.08
/**
 * By how much a pair's own cosine must exceed the others' to count as equal. With it, training still pulls pairs together
 * that it already tells apart, and unseen concepts gain from that.
 */
const MARGIN = 0.2
const DROPOUT = 0.1
/** Standard deviation of a component before the first step. */
const START_DEVIATION = 0.05
/** Bound on the mean number of features of the texts of a batch, repeats included. Names have some 80. */
const FEATURES_MEAN_MAX = 800

/**
 * The features of a batch as sparse rows, by bucket and by slot, which numbers the distinct buckets from 0. `touched` lists
 * the buckets by slot.
 */
type BatchFeatures = Readonly<{
  buckets: Int32Array
  slots: Int32Array
  weights: Float32Array
  starts: Int32Array
  touched: Int32Array
}>

/** Lists the features of batches less a random share (dropout), reusing its arrays from batch to batch. */
function openBatchFeatures({
  textsMax,
  wordsOf,
  random,
}: {
  textsMax: number
  wordsOf: (text: number) => readonly WordFeatures[]
  random: () => number
}): (batch: readonly Pair[]) => BatchFeatures {
  const featuresMax = textsMax * FEATURES_MEAN_MAX
  const buckets = new Int32Array(featuresMax)
  const slots = new Int32Array(featuresMax)
  const weights = new Float32Array(featuresMax)
  const starts = new Int32Array(textsMax + 1)
  const touched = new Int32Array(BUCKETS)
  const slotOf = new Int32Array(BUCKETS)
  return (batch) => {
    let [used, touchedCount] = [0, 0]
    slotOf.fill(-1)
    const texts = [...batch.map(({ a }) => a), ...batch.map(({ b }) => b)]
    for (const [i, text] of texts.entries()) {
      starts[i] = used
      for (const word of wordsOf(text)) {
        if (used + word.buckets.length > featuresMax) throw new Error(`a batch of more than ${featuresMax} features`)
        for (const [f, bucket] of word.buckets.entries()) {
          if (random() < DROPOUT) continue
          if ((slotOf[bucket] as number) < 0) {
            touched[touchedCount] = bucket
            slotOf[bucket] = touchedCount++
          }
          buckets[used] = bucket
          slots[used] = slotOf[bucket] as number
          weights[used] = word.weights[f] as number
          used++
        }
      }
    }
    starts[texts.length] = used
    return { buckets, slots, weights, starts, touched: touched.subarray(0, touchedCount) }
  }
}

/** Writes the rows of `sums` as unit vectors; a row of zeros stays zero. Returns the lengths. */
function normalise(sums: Float32Array, units: Float32Array, dims: number): Float64Array {
  const lengths = new Float64Array(sums.length / dims)
  for (let text = 0; text < lengths.length; text++) {
    const [from, to] = [text * dims, (text + 1) * dims]
    let square = 0
    for (let d = from; d < to; d++) square += (sums[d] as number) ** 2
    const length = Math.sqrt(square)
    lengths[text] = length
    const factor = length === 0 ? 0 : 1 / length
    for (let d = from; d < to; d++) units[d] = (sums[d] as number) * factor
  }
  return lengths
}

/** Turns slopes of the loss by unit vectors, in place, into slopes by the sums before the normalisation. */
function slopesBeforeNormalisation(
  slopes: Float32Array,
  { units, lengths, dims }: { units: Float32Array; lengths: Float64Array; dims: number },
): void {
  for (const [text, length] of lengths.entries()) {
    const [from, to] = [text * dims, (text + 1) * dims]
    let along = 0
    for (let d = from; d < to; d++) along += (slopes[d] as number) * (units[d] as number)
    const factor = length === 0 ? 0 : 1 / length
    for (let d = from; d < to; d++) slopes[d] = ((slopes[d] as number) - along * (units[d] as number)) * factor
  }
}

/** Turns the cosines of a batch, in place, into the slopes of the loss by them; returns the mean loss. */
function lossToSlopes(products: Float32Array, batch: readonly Pair[]): number {
  const count = batch.length
  const groups = Int32Array.from(batch, ({ group }) => group)
  const [rowSums, columnSums] = [new Float64Array(count), new Float64Array(count)]
  let sum = 0
  for (let i = 0; i < count; i++) {
    let rowSum = 0
    for (let j = 0; j < count; j++) {
      const place = i * count + j
      const isMasked = i !== j && groups[j] === groups[i]
      // No cosine exceeds 1, so this is at most e⁰ and cannot overflow.
      const exponent = ((products[place] as number) - 1 - (i === j ? MARGIN : 0)) / TEMPERATURE
      const power = isMasked ? 0 : Math.exp(exponent)
      if (i === j) sum -= 2 * exponent
      products[place] = power
      rowSum += power
      columnSums[j] = (columnSums[j] as number) + power
    }
    rowSums[i] = rowSum
  }
  const scale = 1 / (count * TEMPERATURE)
  for (let i = 0; i < count; i++) {
    sum += Math.log(rowSums[i] as number) + Math.log(columnSums[i] as number)
    for (let j = 0; j < count; j++) {
      const share = 0.5 / (rowSums[i] as number) + 0.5 / (columnSums[j] as number)
      products[i * count + j] = ((products[i * count + j] as number) * share - (i === j ? 1 : 0)) * scale
    }
  }
  return sum / (2 * count)
}

/** Fills with normally distributed numbers, two at a time (Box and Muller). */
function fillNormal(target: Float32Array, random: () => number): void {
  for (let i = 0; i < target.length; i += 2) {
    const radius = START_DEVIATION * Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    target[i] = radius * Math.cos(angle)
    target[i + 1] = radius * Math.sin(angle)
  }
}
