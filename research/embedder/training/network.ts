import { BUCKETS } from '@catalog/embed/builtin/features.ts'
import type { Pair } from '@catalog/research/embedder/corpus/pairs.ts'
import { openKernels } from '@catalog/research/embedder/kernels/kernels.ts'

/**
 * The table that is trained, and one step of its training: InfoNCE in both directions on the cosines of a batch of
 * pairs, less a margin, where every other pair of the batch is a negative unless its group is the same, and lazy Adam on the rows that
 * the batch touched. All matrices lie in one memory, where the kernels work on them.
 */
export type Network = Readonly<{
  /** BUCKETS rows; changes with every step. */
  table: Float32Array
  /** Trains on a batch, with this learning rate; the mean loss of its pairs, in nats. */
  step: (batch: readonly Pair[], rate: number) => number
}>

/** Buckets and weights of the features of a word, place by place. */
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
  const rowBytes = dims * WORD
  const texts = 2 * fours(batchMax)
  const { memory, kernels, at } = openMemory({
    table: BUCKETS * rowBytes,
    mean: BUCKETS * rowBytes,
    variance: BUCKETS * rowBytes,
    // Of the rows that a batch touches, in the order in which it does.
    gradients: BUCKETS * rowBytes,
    touched: BUCKETS * WORD,
    sums: texts * rowBytes,
    units: texts * rowBytes,
    slopes: texts * rowBytes,
    products: fours(batchMax) ** 2 * WORD,
    starts: (texts + 1) * WORD,
    rows: texts * FEATURES_MEAN_MAX * WORD,
    slots: texts * FEATURES_MEAN_MAX * WORD,
    weights: texts * FEATURES_MEAN_MAX * WORD,
  })
  const floats = (place: number, length: number) => new Float32Array(memory, place, length)
  const integers = (place: number, length: number) => new Int32Array(memory, place, length)
  const table = floats(at.table, BUCKETS * dims)
  const touched = integers(at.touched, BUCKETS)
  const sums = floats(at.sums, texts * dims)
  const units = floats(at.units, texts * dims)
  const slopes = floats(at.slopes, texts * dims)
  const products = floats(at.products, fours(batchMax) ** 2)
  const starts = integers(at.starts, texts + 1)
  const rows = integers(at.rows, texts * FEATURES_MEAN_MAX)
  const slots = integers(at.slots, texts * FEATURES_MEAN_MAX)
  const weights = floats(at.weights, texts * FEATURES_MEAN_MAX)
  const slotOf = new Int32Array(BUCKETS)
  const lengths = new Float64Array(texts)
  const [rowSums, columnSums] = [new Float64Array(batchMax), new Float64Array(batchMax)]
  const groups = new Int32Array(batchMax)
  fillNormal(table, random)

  /** Lists the features of one side of the pairs, less those that are dropped out; the sides' gaps have none. */
  function list(batch: readonly Pair[]): { width: number; touchedCount: number } {
    const width = fours(batch.length)
    let [used, touchedCount] = [0, 0]
    slotOf.fill(-1)
    for (let place = 0; place < 2 * width; place++) {
      starts[place] = used
      const pair = batch[place % width]
      if (pair === undefined) continue
      for (const { buckets, weights: wordWeights } of wordsOf(place < width ? pair.a : pair.b)) {
        if (used + buckets.length > rows.length) throw new Error(`a batch of more than ${rows.length} features`)
        for (let f = 0; f < buckets.length; f++) {
          if (random() < DROPOUT) continue
          const bucket = buckets[f] as number
          let slot = slotOf[bucket] as number
          if (slot < 0) {
            slot = touchedCount++
            slotOf[bucket] = slot
            touched[slot] = bucket * rowBytes
          }
          rows[used] = bucket * rowBytes
          slots[used] = slot * rowBytes
          weights[used] = wordWeights[f] as number
          used++
        }
      }
    }
    starts[2 * width] = used
    return { width, touchedCount }
  }

  /** Divides the sums by their lengths; one without features stays zero. */
  function normalise(count: number): void {
    for (let text = 0; text < count; text++) {
      const [from, to] = [text * dims, (text + 1) * dims]
      let square = 0
      for (let d = from; d < to; d++) square += (sums[d] as number) ** 2
      lengths[text] = Math.sqrt(square)
      const factor = square === 0 ? 0 : 1 / (lengths[text] as number)
      for (let d = from; d < to; d++) units[d] = (sums[d] as number) * factor
    }
  }

  /** Turns slopes of the loss by unit vectors into slopes by the sums they came from. */
  function throughNormalisation(count: number): void {
    for (let text = 0; text < count; text++) {
      const [from, to] = [text * dims, (text + 1) * dims]
      let along = 0
      for (let d = from; d < to; d++) along += (slopes[d] as number) * (units[d] as number)
      const factor = lengths[text] === 0 ? 0 : 1 / (lengths[text] as number)
      for (let d = from; d < to; d++) slopes[d] = ((slopes[d] as number) - along * (units[d] as number)) * factor
    }
  }

  /** Turns cosines into the slopes of the loss by them, in place; gives the mean loss. */
  function loss(batch: readonly Pair[], width: number): number {
    const count = batch.length
    for (const [i, { group }] of batch.entries()) groups[i] = group
    columnSums.fill(0)
    let sum = 0
    for (let i = 0; i < count; i++) {
      const group = groups[i]
      let rowSum = 0
      for (let j = 0; j < count; j++) {
        const place = i * width + j
        const isMasked = i !== j && groups[j] === group
        // No cosine exceeds 1, so this is at most e⁰, and no maximum has to be found first.
        const exponent = ((products[place] as number) - 1 - (i === j ? MARGIN : 0)) / TEMPERATURE
        const power = isMasked ? 0 : Math.exp(exponent)
        if (i === j) sum -= 2 * exponent
        products[place] = power
        rowSum += power
        columnSums[j] = (columnSums[j] as number) + power
      }
      rowSums[i] = rowSum
      products.fill(0, i * width + count, (i + 1) * width)
    }
    products.fill(0, count * width, width * width)
    const scale = 1 / (count * TEMPERATURE)
    for (let i = 0; i < count; i++) {
      sum += Math.log(rowSums[i] as number) + Math.log(columnSums[i] as number)
      for (let j = 0; j < count; j++) {
        const share = 0.5 / (rowSums[i] as number) + 0.5 / (columnSums[j] as number)
        products[i * width + j] = ((products[i * width + j] as number) * share - (i === j ? 1 : 0)) * scale
      }
    }
    return sum / (2 * count)
  }

  return {
    table,
    step(batch, rate) {
      const { width, touchedCount } = list(batch)
      kernels.gather(at.rows, at.weights, at.starts, at.table, at.sums, 2 * width, dims)
      normalise(2 * width)
      const other = width * rowBytes
      kernels.dots(at.units, at.units + other, at.products, width, width, dims)
      const mean = loss(batch, width)
      const [down, across] = [width * WORD, WORD]
      kernels.mix(at.products, down, across, at.units + other, at.slopes, width, width, dims)
      kernels.mix(at.products, across, down, at.units, at.slopes + other, width, width, dims)
      throughNormalisation(2 * width)
      kernels.scatter(at.slots, at.weights, at.starts, at.gradients, at.slopes, 2 * width, dims)
      kernels.adam(at.touched, at.gradients, at.table, at.mean, at.variance, touchedCount, dims, rate)
      return mean
    },
  }
}

/** How much a cosine counts: at .08 a negative that is .18 nearer than another weighs ten times as much. */
const TEMPERATURE = 0.08
/**
 * By how much a pair's own cosine must exceed the others' to be as good as equal to them. With it, pairs that are already
 * told apart go on being pulled together, and concepts that were not trained gain from it.
 */
const MARGIN = 0.2
const DROPOUT = 0.1
/** Standard deviation of a component before the first step. */
const START_DEVIATION = 0.05

/** Of the texts of a batch, repeats counted; names come to some 80. */
const FEATURES_MEAN_MAX = 800
const WORD = 4
const fours = (count: number) => Math.ceil(count / 4) * 4

/** Normally distributed numbers, two at a time (Box and Muller). */
function fillNormal(target: Float32Array, random: () => number): void {
  for (let i = 0; i < target.length; i += 2) {
    const radius = START_DEVIATION * Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    target[i] = radius * Math.cos(angle)
    target[i + 1] = radius * Math.sin(angle)
  }
}

/** Kernels with places of the given bytes in their memory, each aligned for vectors. */
function openMemory<Name extends string>(bytes: Readonly<Record<Name, number>>) {
  const at = {} as Record<Name, number>
  let end = 0
  for (const [name, size] of Object.entries(bytes) as [Name, number][]) {
    at[name] = end
    end = Math.ceil((end + size) / 16) * 16
  }
  return { ...openKernels({ bytes: end }), at: at as Readonly<Record<Name, number>> }
}
