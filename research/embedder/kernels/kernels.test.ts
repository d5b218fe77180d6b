import { randomOf } from '@catalog/core/random.ts'
import { expect, test } from 'vitest'
import { openKernels } from './kernels.ts'

const DIMS = 32
const ROWS = 8
const COLUMNS = 12
const FEATURES = 40

/** A memory with random matrices at known places, and the same as arrays for the plain loops. */
function given() {
  const { memory, kernels } = openKernels({ bytes: 65_536 })
  const random = randomOf(7)
  let end = 0
  const floats = (length: number, fill = () => random() - 0.5) => {
    const array = new Float32Array(memory, end, length).map(fill)
    new Float32Array(memory, end, length).set(array)
    const at = end
    end += length * 4
    return { at, array, now: () => [...new Float32Array(memory, at, length)] }
  }
  const integers = (values: readonly number[]) => {
    new Int32Array(memory, end, values.length).set(values)
    const at = end
    end += values.length * 4
    return at
  }
  return { kernels, random, floats, integers }
}

function expectClose(actual: readonly number[], expected: readonly number[]) {
  expect(actual).toHaveLength(expected.length)
  const worst = Math.max(...actual.map((value, i) => Math.abs(value - (expected[i] as number))))
  expect(worst).toBeLessThan(1e-5)
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i)
const item = (array: Float32Array, row: number, column: number, width = DIMS) => array[row * width + column] as number

test('dots gives every product of two rows', () => {
  const { kernels, floats } = given()
  const [a, b, out] = [floats(ROWS * DIMS), floats(COLUMNS * DIMS), floats(ROWS * COLUMNS)]
  kernels.dots(a.at, b.at, out.at, ROWS, COLUMNS, DIMS)
  const expected = range(ROWS).flatMap((i) =>
    range(COLUMNS).map((j) => range(DIMS).reduce((sum, d) => sum + item(a.array, i, d) * item(b.array, j, d), 0)),
  )
  expectClose(out.now(), expected)
})

test.each(['as it stands', 'transposed'])('mix sums rows by a matrix of factors %s', (how) => {
  const { kernels, floats } = given()
  const [factors, b, out] = [floats(ROWS * COLUMNS), floats(COLUMNS * DIMS), floats(ROWS * DIMS)]
  const [rowBytes, columnBytes] = how === 'transposed' ? [4, ROWS * 4] : [COLUMNS * 4, 4]
  kernels.mix(factors.at, rowBytes, columnBytes, b.at, out.at, ROWS, COLUMNS, DIMS)
  const factor = (i: number, j: number) => factors.array[(i * rowBytes + j * columnBytes) / 4] as number
  const expected = range(ROWS).flatMap((i) =>
    range(DIMS).map((d) => range(COLUMNS).reduce((sum, j) => sum + factor(i, j) * item(b.array, j, d), 0)),
  )
  expectClose(out.now(), expected)
})

test('gather sums weighted rows of the table, and scatter is its transpose', () => {
  const { kernels, random, floats, integers } = given()
  const [table, dense, weights] = [floats(ROWS * DIMS), floats(3 * DIMS), floats(FEATURES)]
  const rows = range(FEATURES).map(() => Math.floor(random() * ROWS))
  // The second of three texts has no feature.
  const starts = [0, 15, 15, FEATURES]
  const rowsAt = integers(rows.map((row) => row * DIMS * 4))
  const startsAt = integers(starts)
  const featuresOf = (i: number) => range(FEATURES).slice(starts[i], starts[i + 1])

  kernels.gather(rowsAt, weights.at, startsAt, table.at, dense.at, 3, DIMS)
  const gathered = range(3).flatMap((i) =>
    range(DIMS).map((d) =>
      featuresOf(i).reduce((sum, f) => sum + (weights.array[f] as number) * item(table.array, rows[f] as number, d), 0),
    ),
  )
  expectClose(dense.now(), gathered)

  const before = [...table.array]
  kernels.scatter(rowsAt, weights.at, startsAt, table.at, dense.at, 3, DIMS)
  for (const i of range(3)) {
    for (const f of featuresOf(i)) {
      for (const d of range(DIMS)) {
        const at = (rows[f] as number) * DIMS + d
        before[at] = (before[at] as number) + (weights.array[f] as number) * (gathered[i * DIMS + d] as number)
      }
    }
  }
  expectClose(table.now(), before)
})

test('adam moves the listed rows alone, against their gradients, and clears these', () => {
  const { kernels, floats, integers } = given()
  const size = ROWS * DIMS
  const [table, mean, gradients] = [floats(size), floats(size), floats(2 * DIMS)]
  const variance = floats(size, () => 0.25)
  const listed = [5, 2]
  const rowsAt = integers(listed.map((row) => row * DIMS * 4))
  kernels.adam(rowsAt, gradients.at, table.at, mean.at, variance.at, 2, DIMS, 0.02)
  const expected = [...table.array]
  for (const [i, row] of listed.entries()) {
    for (const d of range(DIMS)) {
      const slope = item(gradients.array, i, d)
      const m = 0.9 * item(mean.array, row, d) + 0.1 * slope
      const v = 0.99 * 0.25 + 0.01 * slope * slope
      expected[row * DIMS + d] = item(table.array, row, d) - (0.02 * m) / (Math.sqrt(v) + 1e-8)
    }
  }
  expectClose(table.now(), expected)
  expect(gradients.now()).toEqual(Array(2 * DIMS).fill(0))
})
