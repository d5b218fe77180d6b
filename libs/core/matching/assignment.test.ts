import { describe, expect, test } from 'vitest'
import { markMutual, rivalFeatures, type ScoredPair } from './assignment.ts'

/** A pair of offers, each written as vendor and number: "a1" is offer 1 of vendor a. */
const pair = (a: string, b: string, score: number): ScoredPair => ({
  a,
  b,
  sourceA: a.slice(0, 1),
  sourceB: b.slice(0, 1),
  score,
  isSameLanguage: true,
})
const swapped = ({ a, b, sourceA, sourceB, ...rest }: ScoredPair): ScoredPair => ({
  a: b,
  b: a,
  sourceA: sourceB,
  sourceB: sourceA,
  ...rest,
})

describe('of two offers of one vendor', () => {
  test('the better one wins, and neither wins a tie', () => {
    const pairs = [pair('a1', 'b1', 0.9), pair('a1', 'b2', 0.8), pair('a2', 'b3', 0.7), pair('a2', 'b4', 0.7)]
    const mutual = markMutual(
      pairs,
      pairs.map(({ score }) => score),
    )
    expect(mutual.map(({ isMutual }) => isMutual)).toEqual([true, false, false, false])
  })

  test('both may match offers of other vendors', () => {
    const pairs = [pair('a1', 'b1', 0.9), pair('a1', 'c1', 0.8)]
    const mutual = markMutual(
      pairs,
      pairs.map(({ score }) => score),
    )
    expect(mutual.every(({ isMutual }) => isMutual)).toBe(true)
  })
})

describe('the features of a pair among its rivals', () => {
  const pairs = [
    pair('a1', 'b1', 0.9),
    pair('a1', 'b2', 0.6),
    pair('a1', 'c1', 0.95),
    pair('b1', 'c1', 0.9),
    pair('b2', 'c1', 0.01),
  ]

  test('do not depend on the order of the pairs, nor of the two SKUs of a pair', () => {
    const rows = rivalFeatures(pairs)
    expect(rivalFeatures(pairs.toReversed())).toEqual(rows.toReversed())
    expect(rivalFeatures(pairs.map(swapped))).toEqual(rows)
  })

  test('count the lead over the best rival, and third offers that agree and disagree', () => {
    const [first, second] = rivalFeatures(pairs)
    const odds = (chance: number) => Math.log(chance / (1 - chance))
    expect(first?.[1]).toBeCloseTo(odds(0.9) - odds(0.6))
    expect(second?.[1]).toBeCloseTo(odds(0.6) - odds(0.9))
    expect(first?.slice(6, 8)).toEqual([1, 0])
    expect(second?.slice(6, 8)).toEqual([0, 2])
  })

  test('are missing where there is no rival', () => {
    expect(rivalFeatures([pair('a1', 'b1', 0.9)])[0]?.slice(1, 4)).toEqual([Number.NaN, Number.NaN, 0])
  })

  test('stay finite for scores of 0 and 1', () => {
    for (const row of rivalFeatures([pair('a1', 'b1', 1), pair('a1', 'b2', 0)])) {
      expect(row.every((value) => Number.isNaN(value) || Number.isFinite(value))).toBe(true)
    }
  })
})
