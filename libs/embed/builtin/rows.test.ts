import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openRows, packRows } from './rows.ts'

const DIMS = 8
const table = fc.array(fc.array(fc.float({ min: -9, max: 9, noNaN: true }), { minLength: DIMS, maxLength: DIMS }), {
  maxLength: 6,
})

test('rows store every component within half a quantisation step, at half a byte each', () => {
  fc.assert(
    fc.property(table, (rows) => {
      const bytes = packRows(Float32Array.from(rows.flat()), DIMS)
      expect(bytes).toHaveLength(rows.length * (DIMS / 2 + 2))
      const opened = openRows(bytes, { dims: DIMS })
      expect(opened.count).toBe(rows.length)
      for (const [at, row] of rows.entries()) {
        const sum = new Float32Array(DIMS)
        opened.addTo(sum, at, 1)
        const step = Math.max(...row.map(Math.abs)) / 7
        // A scale has eleven bits, and values below 2⁻²⁴ vanish.
        for (const [d, component] of row.entries()) {
          expect(Math.abs((sum[d] as number) - component)).toBeLessThanOrEqual(step * 0.51 + 1e-6)
        }
      }
    }),
  )
})

test('a row is added with its weight', () => {
  const rows = openRows(packRows(Float32Array.of(7, -7, 3, 0, 0, 0, 1, 2), DIMS), { dims: DIMS })
  const sum = new Float32Array(DIMS).fill(1)
  rows.addTo(sum, 0, 2)
  expect([...sum]).toEqual([15, -13, 7, 1, 1, 1, 3, 5])
})

test('an incomplete row and an unexpected number of rows are refused', () => {
  const bytes = packRows(new Float32Array(2 * DIMS), DIMS)
  expect(() => openRows(bytes.subarray(1), { dims: DIMS })).toThrow('rows of 11 bytes: expected 1 of 6 bytes each')
  expect(() => openRows(bytes, { dims: DIMS, count: 3 })).toThrow('rows of 12 bytes: expected 3 of 6 bytes each')
})
