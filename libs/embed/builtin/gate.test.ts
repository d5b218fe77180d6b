import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cosineMin, isUnknown } from './gate.ts'

const GATE = { base: 0.6, slope: 0.4, unknown: 0.7 }
const least = (building: number, foreign: number, isUnknown = false) =>
  cosineMin(GATE, { building, foreign, isUnknown })

test('the least cosine rises with closeness to other topics and falls with closeness to building', () => {
  expect(least(0.5, 0.5)).toBe(0.6)
  expect(least(0.4, 0.9)).toBeCloseTo(0.8, 9)
  expect(least(0.9, 0.6)).toBeCloseTo(0.48, 9)
})

test('a query of unknown words has a higher least cosine, at least that of its anchors', () => {
  expect(least(0.5, 0.5, true)).toBe(0.7)
  expect(least(0.4, 0.9, true)).toBeCloseTo(0.8, 9)
})

test('the least cosine is from .4 to 1 for any anchors', () => {
  const cosine = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(cosine, cosine, fc.boolean(), (building, foreign, isUnknown) => {
      expect(least(building, foreign, isUnknown)).toBeGreaterThanOrEqual(0.4)
      expect(least(building, foreign, isUnknown)).toBeLessThanOrEqual(1)
    }),
  )
  expect(least(1, 0)).toBe(0.4)
  expect(cosineMin({ ...GATE, slope: 2 }, { building: 0, foreign: 1, isUnknown: false })).toBe(1)
})

test('one known word suffices, but not a word of two letters, which every language has', () => {
  const knowsWord = (word: string) => ['placa', 'yeso', 'de'].includes(word)
  expect(isUnknown('placa xqzvw', knowsWord)).toBe(false)
  expect(isUnknown('de xqzvw', knowsWord)).toBe(true)
  expect(isUnknown('12 34', knowsWord)).toBe(false)
})
