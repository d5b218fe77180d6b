import { expect, test } from 'vitest'
import { scoreTrees, type TreeModel } from './gradient-boosting.ts'

/** One cut of feature 1 at 0.5, missing values to the left; and one leaf for every row. */
const MODEL: TreeModel = {
  features: 2,
  base: -1,
  trees: [
    { feature: [1], threshold: [0.5], missingLeft: [1], left: [~0], right: [~1], leaf: [2, -2] },
    { feature: [], threshold: [], missingLeft: [], left: [], right: [], leaf: [0.25] },
  ],
}
const oddsOf = (chance: number) => Math.log(chance / (1 - chance))

test.each([
  ['at the threshold', 0.5, 1.25],
  ['missing', Number.NaN, 1.25],
  ['above the threshold', 0.6, -2.75],
])('sums the log-odds of base and leaves for a value %s', (_, value, logOdds) => {
  expect(oddsOf(scoreTrees(MODEL, [9, value]))).toBeCloseTo(logOdds)
})

test('refuses a row of another length than the model', () => {
  expect(() => scoreTrees(MODEL, [1])).toThrow('row of 1 features: expected 2')
})
