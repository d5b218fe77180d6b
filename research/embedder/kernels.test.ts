import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { expect, test } from 'vitest'
import { adam, dots, gather, multiply, scatter, transpose } from './kernels.ts'

const DIMS = 32
const ROWS = 8
const COLUMNS = 12
const FEATURES = 40

/** Makes random matrices. */
function given() {
  const random = randomOf(7)
  return { random, floats: (length: number) => Float32Array.from({ length }, () => random() - 0.5) }
}

function expectClose(actual: Float32Array, expected: readonly number[]) {
  expect(actual).toHaveLength(expected.length)
  const worst = Math.max(...actual.map((value, i) => Math.abs(value - (expected[i] as number))))
  expect(worst).toBeLessThan(1e-5)
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i)
const item = (array: Float32Array, row: number, column: number, width = DIMS) => array[row * width + column] as number

test('dots gives every product of two rows', () => {
  const { floats } = given()
  const [a, b, out] = [floats(ROWS * DIMS), floats(COLUMNS * DIMS), floats(ROWS * COLUMNS)]
  dots(a, b, out, DIMS)
  const expected = range(ROWS).flatMap((i) =>
    range(COLUMNS).map((j) => range(DIMS).reduce((sum, d) => sum + item(a, i, d) * item(b, j, d), 0)),
  )
  expectClose(out, expected)
})

test.each(['as it stands', 'transposed'])('multiply sums rows by a matrix of factors %s', (how) => {
  const { floats } = given()
  const [factors, b, out] = [floats(ROWS * COLUMNS), floats(COLUMNS * DIMS), floats(ROWS * DIMS)]
  const isTransposed = how === 'transposed'
  multiply(isTransposed ? transpose(factors, ROWS) : factors, b, out, DIMS)
  const factor = (i: number, j: number) => factors[isTransposed ? j * ROWS + i : i * COLUMNS + j] as number
  const expected = range(ROWS).flatMap((i) =>
    range(DIMS).map((d) => range(COLUMNS).reduce((sum, j) => sum + factor(i, j) * item(b, j, d), 0)),
  )
  expectClose(out, expected)
})

test('gather sums weighted rows of the table, and scatter is its transpose', () => {
  const { random, floats } = given()
  const [table, dense, weights] = [floats(ROWS * DIMS), floats(3 * DIMS), floats(FEATURES)]
  const rows = Int32Array.from({ length: FEATURES }, () => Math.floor(random() * ROWS))
  // The second of three texts has no feature.
  const starts = Int32Array.of(0, 15, 15, FEATURES)
  const featuresOf = (i: number) => range(FEATURES).slice(starts[i], starts[i + 1])

  gather({ rows, weights, starts }, table, dense, DIMS)
  const gathered = range(3).flatMap((i) =>
    range(DIMS).map((d) =>
      featuresOf(i).reduce((sum, f) => sum + (weights[f] as number) * item(table, rows[f] as number, d), 0),
    ),
  )
  expectClose(dense, gathered)

  const expected = [...table]
  scatter({ rows, weights, starts }, table, dense, DIMS)
  for (const i of range(3)) {
    for (const f of featuresOf(i)) {
      for (const d of range(DIMS)) {
        const at = (rows[f] as number) * DIMS + d
        expected[at] = (expected[at] as number) + (weights[f] as number) * (gathered[i * DIMS + d] as number)
      }
    }
  }
  expectClose(table, expected)
})

test('adam moves the listed rows alone, against their gradients, and clears these', () => {
  const { floats } = given()
  const size = ROWS * DIMS
  const [table, mean, gradients] = [floats(size), floats(size), floats(2 * DIMS)]
  const variance = new Float32Array(size).fill(0.25)
  const [tableBefore, meanBefore, gradientsBefore] = [table.slice(), mean.slice(), gradients.slice()]
  const listed = [5, 2]
  adam(Int32Array.from(listed), gradients, { table, mean, variance }, { dims: DIMS, rate: 0.02 })
  const expected = [...tableBefore]
  for (const [i, row] of listed.entries()) {
    for (const d of range(DIMS)) {
      const slope = item(gradientsBefore, i, d)
      const m = 0.9 * item(meanBefore, row, d) + 0.1 * slope
      const v = 0.99 * 0.25 + 0.01 * slope * slope
      expected[row * DIMS + d] = item(tableBefore, row, d) - (0.02 * m) / (Math.sqrt(v) + 1e-8)
    }
  }
  expectClose(table, expected)
  expect([...gradients]).toEqual(Array(2 * DIMS).fill(0))
})
