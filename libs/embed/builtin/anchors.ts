import { dotProduct } from '@catalog/embed/dot-product.ts'
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

  return {
    nearest(vector) {
      let largest = 0
      for (let row = 0; row < rows.count; row++) largest = Math.max(largest, dotProduct(vector, vectors, row * dims))
      return largest
    },
  }
}
