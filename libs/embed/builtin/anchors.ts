import { Vectors } from '@catalog/embed/vectors.ts'
import { openRows } from './rows.ts'

/** Vectors of fixed texts, for measuring a query before anything is indexed. */
export type AnchorSet = Readonly<{
  /** The largest cosine of a unit vector to one of the set, at least 0. */
  nearest: (vector: Float32Array) => number
}>

/** Opens packed rows of fixed unit vectors. */
export function openAnchors(bytes: Uint8Array, dims: number): AnchorSet {
  const rows = openRows(bytes, { dims })
  const vectors = new Vectors(dims)
  vectors.reserve(rows.count)
  for (let row = 0; row < rows.count; row++) {
    const vector = new Float32Array(dims)
    rows.addTo(vector, row, 1)
    // Normalise: quantisation changes the length by up to a percent.
    const length = Math.sqrt(vector.reduce((square, component) => square + component * component, 0))
    vectors.set(row, length > 0 ? vector.map((component) => component / length) : null)
  }

  return {
    nearest(vector) {
      const best = {
        worst: 0,
        offer(_row: number, cosine: number) {
          best.worst = Math.max(best.worst, cosine)
        },
      }
      vectors.scan(vector, { slots: rows.count, isPassing: () => true, best })
      return best.worst
    },
  }
}
