import { scoreTrees, type TreeModel } from '@catalog/core/matching/gradient-boosting.ts'
import { describe, expect, test } from 'vitest'
import { trainTrees } from './train-trees.ts'

const FEW = { seeds: [1], iterations: 40, rowsInLeafMin: 5 }

/** Deterministic rows of numbers in [0, 1), and their labels by `isOne`. */
function given(rows: number, features: number, isOne: (row: number[]) => boolean) {
  let state = 7
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
  const made = Array.from({ length: rows }, () => Array.from({ length: features }, random))
  return { rows: made, labels: made.map((row) => Number(isOne(row))) }
}

const accuracy = (model: TreeModel, { rows, labels }: { rows: number[][]; labels: number[] }) =>
  rows.filter((row, at) => scoreTrees(model, row) > 0.5 === (labels[at] === 1)).length / rows.length

describe('trees', () => {
  test('learn the exclusive or of two features', () => {
    const isOne = ([x = 0, y = 0]: number[]) => x > 0.5 !== y > 0.4
    const { rows, labels } = given(1_500, 4, isOne)
    const model = trainTrees(rows.slice(0, 1_000), labels.slice(0, 1_000), FEW)
    expect(accuracy(model, { rows: rows.slice(1_000), labels: labels.slice(1_000) })).toBeGreaterThan(0.97)
  })

  test('send a missing value to the side where such rows belong', () => {
    for (const missing of [0, 1]) {
      const { rows } = given(600, 2, () => true)
      const labels = rows.map((row, at) => {
        if (at % 3 === 0) row[0] = Number.NaN
        return at % 3 === 0 ? missing : Number((row[0] as number) > 0.5)
      })
      const model = trainTrees(rows, labels, FEW)
      expect(scoreTrees(model, [Number.NaN, 0.5]) > 0.5).toBe(missing === 1)
      expect(scoreTrees(model, [0.9, 0.5])).toBeGreaterThan(0.9)
      expect(scoreTrees(model, [0.1, 0.5])).toBeLessThan(0.1)
    }
  })

  test('separate missing from present values', () => {
    const rows = Array.from({ length: 200 }, (_, at) => [at % 2 === 0 ? 1 : Number.NaN])
    const model = trainTrees(
      rows,
      rows.map((_, at) => (at + 1) % 2),
      FEW,
    )
    expect(scoreTrees(model, [1])).toBeGreaterThan(0.9)
    expect(scoreTrees(model, [Number.NaN])).toBeLessThan(0.1)
  })

  test('are equal for equal rows and seed, and differ for another seed', () => {
    const { rows, labels } = given(400, 6, ([x = 0, y = 0]) => x + y > 1)
    const made = (seed: number) => JSON.stringify(trainTrees(rows, labels, { ...FEW, seeds: [seed] }))
    expect(made(1)).toBe(made(1))
    expect(made(1)).not.toBe(made(2))
  })

  test('score the same from JSON', () => {
    const { rows, labels } = given(400, 6, ([x = 0, y = 0]) => x * y > 0.2)
    const model = trainTrees(rows, labels, FEW)
    const read = JSON.parse(JSON.stringify(model)) as TreeModel
    for (const row of rows) expect(scoreTrees(read, row)).toBe(scoreTrees(model, row))
  })

  test('of two seeds are the mean of their log-odds', () => {
    const { rows, labels } = given(400, 6, ([x = 0, y = 0]) => x + y > 1)
    const oddsBy = (seeds: number[], row: number[]) => {
      const chance = scoreTrees(trainTrees(rows, labels, { ...FEW, seeds }), row)
      return Math.log(chance / (1 - chance))
    }
    const row = rows[3] as number[]
    expect(oddsBy([1, 2], row)).toBeCloseTo((oddsBy([1], row) + oddsBy([2], row)) / 2, 2)
  })

  test('keep few rows out of a leaf of their own', () => {
    const rows = Array.from({ length: 100 }, (_, at) => [at])
    const model = (isOne: (at: number) => boolean) =>
      trainTrees(
        rows,
        rows.map((_, at) => Number(isOne(at))),
        { ...FEW, rowsInLeafMin: 20 },
      )
    const [first, last] = [model((at) => at < 3), model((at) => at > 96)]
    expect(scoreTrees(first, [1])).toBe(scoreTrees(first, [15]))
    expect(scoreTrees(last, [98])).toBe(scoreTrees(last, [85]))
  })

  test('grow at most leavesMax leaves', () => {
    const { rows, labels } = given(500, 5, ([x = 0, y = 0, z = 0]) => x + y + z > 1.5)
    const { trees } = trainTrees(rows, labels, { ...FEW, leavesMax: 4 })
    expect(Math.max(...trees.map(({ leaf }) => leaf.length))).toBe(4)
    expect(trees.every(({ leaf, feature }) => leaf.length === feature.length + 1)).toBe(true)
  })

  test('give every row the share of ones when all rows are equal', () => {
    const rows = Array.from({ length: 80 }, () => [1, 1])
    const model = trainTrees(
      rows,
      rows.map((_, at) => Number(at % 4 === 0)),
      FEW,
    )
    expect(scoreTrees(model, [1, 1])).toBeCloseTo(0.25, 3)
  })

  test('report their progress', () => {
    const { rows, labels } = given(60, 2, ([x = 0]) => x > 0.5)
    const told: string[] = []
    const options = { ...FEW, seeds: [1, 2], iterations: 2 }
    trainTrees(rows, labels, { ...options, onTree: ({ grown, of }) => told.push(`${grown}/${of}`) })
    expect(told).toEqual(['1/4', '2/4', '3/4', '4/4'])
  })

  test('refuse rows that they cannot learn from or score', () => {
    expect(() => trainTrees([], [])).toThrow('rows: none')
    expect(() => trainTrees([[1], [1, 2]], [0, 1])).toThrow('row 1: 2 features; expected 1')
    expect(() => trainTrees([[1], [2]], [1, 1])).toThrow('labels: 2 of 2 are 1')
    const model = trainTrees([[1], [2]], [0, 1], FEW)
    expect(() => scoreTrees(model, [1, 2])).toThrow('row of 2 features: expected 1')
  })
})
