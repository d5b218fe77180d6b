import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { expect, test } from 'vitest'
import { openNetwork } from './network.ts'

const DIMS = 32
/** Texts 0 to 11, two a pair, each with three features from few buckets, so that pairs share some. */
const TEXTS = Array.from({ length: 12 }, (_, text) => [
  {
    buckets: Int32Array.from([text % 5, 5 + (text % 7), 12 + text]),
    weights: Float32Array.from([1, 0.5, 0.25]),
  },
])
const BATCH = [0, 1, 2, 3, 4, 5].map((i) => ({ a: 2 * i, b: 2 * i + 1, group: i === 5 ? 4 : i }))
const ROWS_USED = 24

/** A network with a random table of its own, and without dropout, because .5 exceeds the dropout share. */
function given() {
  const network = openNetwork({
    dims: DIMS,
    batchMax: BATCH.length,
    wordsOf: (text) => TEXTS[text] as (typeof TEXTS)[number],
    random: () => 0.5,
  })
  const random = randomOf(3)
  network.table.forEach((_, i) => {
    if (i < ROWS_USED * DIMS) network.table[i] = random() - 0.5
  })
  return network
}

test('the loss covers both directions, with a margin on each pair’s own cosine and without pairs of one group', () => {
  const { table, step } = given()
  const vectors = TEXTS.map(([word]) => {
    const sum = Array.from({ length: DIMS }, (_, d) =>
      [...(word?.buckets ?? [])].reduce(
        (total, bucket, f) => total + (word?.weights[f] as number) * (table[bucket * DIMS + d] as number),
        0,
      ),
    )
    const length = Math.sqrt(sum.reduce((square, component) => square + component ** 2, 0))
    return sum.map((component) => component / length)
  })
  const power = (a: number, b: number, margin = 0) => {
    const cosine = (vectors[a] ?? []).reduce((sum, component, d) => sum + component * (vectors[b]?.[d] as number), 0)
    return Math.exp((cosine - margin) / 0.08)
  }
  const losses = BATCH.map((pair) => {
    const others = BATCH.filter((other) => other !== pair && other.group !== pair.group)
    // A pair's own cosine has to exceed the others by a margin.
    const own = power(pair.a, pair.b, 0.2)
    const across = others.reduce((sum, { b }) => sum + power(pair.a, b), own)
    const down = others.reduce((sum, { a }) => sum + power(a, pair.b), own)
    return Math.log(across / own) / 2 + Math.log(down / own) / 2
  })
  expect(step(BATCH, 0)).toBeCloseTo(losses.reduce((sum, loss) => sum + loss, 0) / BATCH.length, 4)
})

test('the first step moves every component against the slope of the loss', () => {
  const measured = given()
  const moved = given()
  const before = moved.table.slice(0, ROWS_USED * DIMS)
  moved.step(BATCH, 0.001)
  const lossWith = (component: number, value: number) => {
    const kept = measured.table[component] as number
    measured.table[component] = value
    const loss = measured.step(BATCH, 0)
    measured.table[component] = kept
    return loss
  }
  let compared = 0
  for (let component = 0; component < before.length; component += 5) {
    const start = before[component] as number
    const slope = (lossWith(component, start + 0.01) - lossWith(component, start - 0.01)) / 0.02
    if (Math.abs(slope) < 1e-3) continue
    // The mean of slopes over the root of the mean of squares: .1 and .01 of them, so the sign of the slope.
    expect((moved.table[component] as number) - start).toBeCloseTo(-0.001 * Math.sign(slope), 5)
    compared++
  }
  expect(compared).toBeGreaterThan(100)
})

test('a row outside the batch stays unchanged', () => {
  const { table, step } = given()
  const before = table.slice(0, ROWS_USED * DIMS)
  step(BATCH.slice(0, 2), 0.001)
  const touched = new Set([0, 1, 2, 3].flatMap((text) => [...(TEXTS[text]?.[0]?.buckets ?? [])]))
  for (let row = 0; row < ROWS_USED; row++) {
    const isSame = before.subarray(row * DIMS, (row + 1) * DIMS).every((value, d) => table[row * DIMS + d] === value)
    expect(isSame).toBe(!touched.has(row))
  }
})
