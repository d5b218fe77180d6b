import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAnchors } from './anchors.ts'
import { packRows } from './rows.ts'

const DIMS = 4
const unit = (vector: readonly number[]) => {
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}
const unitVector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMS, maxLength: DIMS })
  .filter((vector) => vector.some((component) => component !== 0))
  .map(unit)

test('the nearest anchor has the largest cosine', () => {
  fc.assert(
    fc.property(fc.array(unitVector, { maxLength: 20 }), unitVector, (vectors, query) => {
      const anchors = openAnchors(packRows(Float32Array.from(vectors.flat()), DIMS), DIMS)
      const cosines = vectors.map((vector) =>
        vector.reduce((sum, component, d) => sum + component * (query[d] as number), 0),
      )
      // Half a quantisation step in each of four components.
      expect(Math.abs(anchors.nearest(Float32Array.from(query)) - Math.max(0, ...cosines))).toBeLessThan(0.15)
    }),
  )
})

test('an anchor has cosine 1 to its set, and an empty set has cosine 0', () => {
  const vector = unit([7, -7, 3, 0])
  const anchors = openAnchors(packRows(Float32Array.from([...vector, ...unit([0, 0, 0, 1])]), DIMS), DIMS)
  expect(anchors.nearest(Float32Array.from(vector))).toBeCloseTo(1, 3)
  expect(openAnchors(new Uint8Array(), DIMS).nearest(Float32Array.from(vector))).toBe(0)
})
