import { openRows } from './rows.ts'

/** Vectors of fixed texts, for measuring a query before anything is indexed. */
export type AnchorSet = Readonly<{
  /** The largest cosine of a unit vector to one of the set, at least 0. */
  nearest: (vector: Float32Array) => number
}>

/** Opens packed rows of fixed unit vectors. */
export function openAnchors(bytes: Uint8Array, dims: number): AnchorSet {
  const rows = openRows(bytes, { dims })
  const vectors = new Float32Array(rows.count * dims)
  for (let row = 0; row < rows.count; row++) {
    const vector = vectors.subarray(row * dims, (row + 1) * dims)
    rows.addTo(vector, row, 1)
    // Normalise: quantisation changes the length by up to a percent.
    const length = Math.sqrt(vector.reduce((square, component) => square + component * component, 0))
    if (length > 0) for (let d = 0; d < dims; d++) vector[d] = (vector[d] as number) / length
  }

  function cosine(vector: Float32Array, at: number): number {
    // Four independent sums are twice as fast as one.
    let [a, b, c, d] = [0, 0, 0, 0]
    for (let i = 0; i < dims; i += 4) {
      a += (vector[i] as number) * (vectors[at + i] as number)
      b += (vector[i + 1] as number) * (vectors[at + i + 1] as number)
      c += (vector[i + 2] as number) * (vectors[at + i + 2] as number)
      d += (vector[i + 3] as number) * (vectors[at + i + 3] as number)
    }
    return a + b + c + d
  }

  return {
    nearest(vector) {
      let largest = 0
      for (let row = 0; row < rows.count; row++) largest = Math.max(largest, cosine(vector, row * dims))
      return largest
    },
  }
}
