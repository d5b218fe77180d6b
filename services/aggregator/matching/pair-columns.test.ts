import { PAIR_SCORE_MIN } from '@catalog/core/matching/assignment.ts'
import { beforeEach, expect, test } from 'vitest'
import { ScoredPairs } from './pair-columns.ts'

let scored: ScoredPairs
let [bolt, screw, nut] = [0, 0, 0]
const numbered = (skuId: string, lang?: string) =>
  scored.numberOf({ skuId, sourceId: `source of ${skuId}`, itemId: `item of ${skuId}`, lang })

beforeEach(() => {
  scored = new ScoredPairs()
  ;[bolt, screw, nut] = [numbered('bolt', 'en'), numbered('screw', 'en'), numbered('nut', 'de')]
})

test('a pair that was scored is known in both orders, also one that scored low', () => {
  scored.reserve(1)
  scored.note(screw, bolt, 0.9)
  scored.note(screw, nut, PAIR_SCORE_MIN / 2)
  expect([scored.has(bolt, 'screw'), scored.has(screw, 'bolt')]).toEqual([true, true])
  expect([scored.has(nut, 'screw'), scored.has(nut, 'bolt'), scored.has(nut, 'unknown')]).toEqual([true, false, false])
})

test('columns hold the pairs of all queries from the least score on', () => {
  scored.reserve(1)
  scored.note(screw, bolt, 0.9)
  scored.note(screw, nut, PAIR_SCORE_MIN / 2)
  scored.reserve(1)
  scored.note(bolt, nut, 0.5)
  const { skus, scores, isSameLanguage, sources } = scored.columns()
  expect([...skus]).toEqual([screw, bolt, bolt, nut])
  expect([...scores]).toEqual([0.9, 0.5])
  expect([...isSameLanguage]).toEqual([1, 0])
  expect(new Set(sources).size).toBe(3)
})

test('a set of pairs answers for two ids in any order', () => {
  const isLow = scored.pairSet(Int32Array.from([screw, bolt, bolt, nut]), (at) => at === 1)
  expect([isLow('bolt', 'nut'), isLow('nut', 'bolt')]).toEqual([true, true])
  expect([isLow('bolt', 'screw'), isLow('screw', 'nut'), isLow('bolt', 'unknown')]).toEqual([false, false, false])
})
