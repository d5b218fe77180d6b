/**
 * The inner loops of training and of exact search, over row-major f32 matrices of `dims` columns. Sums run in double
 * precision and in a fixed order, so the same input gives the same bytes on every machine.
 */

/** Sparse rows: row i has the features from starts[i] up to starts[i + 1], each a row number of a dense matrix. */
export type SparseRows = Readonly<{ rows: Int32Array; weights: Float32Array; starts: Int32Array }>

/** out[i][j] = a[i] · b[j] */
export function dots(a: Float32Array, b: Float32Array, out: Float32Array, dims: number): void {
  const [rows, columns] = [a.length / dims, b.length / dims]
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let sum = 0
      for (let d = 0; d < dims; d++) sum += (a[i * dims + d] as number) * (b[j * dims + d] as number)
      out[i * columns + j] = sum
    }
  }
}

/** The matrix product: out[i] = Σ_j factors[i][j] b[j] */
export function multiply(factors: Float32Array, b: Float32Array, out: Float32Array, dims: number): void {
  dots(factors, transpose(b, dims), out, b.length / dims)
}

/** The transpose of a matrix of `columns` columns. */
export function transpose(matrix: Float32Array, columns: number): Float32Array {
  const rows = matrix.length / columns
  const out = new Float32Array(matrix.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      out[column * rows + row] = matrix[row * columns + column] as number
    }
  }
  return out
}

/** out[i] = Σ_f weights[f] table[rows[f]] over the features f of sparse row i */
export function gather(
  { rows, weights, starts }: SparseRows,
  table: Float32Array,
  out: Float32Array,
  dims: number,
): void {
  const sums = new Float64Array(dims)
  for (let i = 0; i < out.length / dims; i++) {
    sums.fill(0)
    for (let f = starts[i] as number; f < (starts[i + 1] as number); f++) {
      const weight = weights[f] as number
      const row = (rows[f] as number) * dims
      for (let d = 0; d < dims; d++) sums[d] = (sums[d] as number) + weight * (table[row + d] as number)
    }
    out.set(sums, i * dims)
  }
}

/** target[rows[f]] += weights[f] from[i] over the features f of sparse row i: the transpose of `gather` */
export function scatter(
  { rows, weights, starts }: SparseRows,
  target: Float32Array,
  from: Float32Array,
  dims: number,
): void {
  for (let i = 0; i < from.length / dims; i++) {
    for (let f = starts[i] as number; f < (starts[i + 1] as number); f++) {
      const weight = weights[f] as number
      const row = (rows[f] as number) * dims
      for (let d = 0; d < dims; d++) {
        target[row + d] = (target[row + d] as number) + weight * (from[i * dims + d] as number)
      }
    }
  }
}

/** Adam's state beside the table: decaying means of the gradient and of its square. */
export type AdamState = Readonly<{ table: Float32Array; mean: Float32Array; variance: Float32Array }>

/**
 * One step of Adam without bias correction on the listed rows. `gradients` has one row per listed row, in the order of the
 * list, and is zero afterwards.
 */
export function adam(
  rows: Int32Array,
  gradients: Float32Array,
  { table, mean, variance }: AdamState,
  { dims, rate }: { dims: number; rate: number },
): void {
  for (const [i, row] of rows.entries()) {
    for (let d = 0; d < dims; d++) {
      const at = row * dims + d
      const gradient = gradients[i * dims + d] as number
      const m = MEAN_DECAY * (mean[at] as number) + (1 - MEAN_DECAY) * gradient
      const v = VARIANCE_DECAY * (variance[at] as number) + (1 - VARIANCE_DECAY) * gradient ** 2
      mean[at] = m
      variance[at] = v
      table[at] = (table[at] as number) - (rate * m) / (Math.sqrt(v) + EPSILON)
    }
  }
  gradients.fill(0, 0, rows.length * dims)
}

/** A rare row must forget soon: it moves only every few hundred steps. */
const MEAN_DECAY = 0.9
const VARIANCE_DECAY = 0.99
const EPSILON = 1e-8
