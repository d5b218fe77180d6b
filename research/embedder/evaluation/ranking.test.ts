import { expect, test } from 'vitest'
import { figuresOf, meanOf, rankOf } from './ranking.ts'

test('the rank counts entries that score above the best relevant one', () => {
  expect(rankOf([0.1, 0.9, 0.5, 0.7], new Set([2]))).toBe(3)
  expect(rankOf([0.1, 0.9, 0.5, 0.7], new Set([0, 3]))).toBe(2)
})

test('equal scores share the mean of their ranks, and relevant entries do not lower each other', () => {
  expect(rankOf([0.5, 0.5, 0.5, 0.2], new Set([1]))).toBe(2)
  expect(rankOf([0.5, 0.5, 0.5, 0.2], new Set([0, 1]))).toBe(1.5)
  expect(rankOf([0.5, 0.5 + 1e-8, 0.2], new Set([0]))).toBe(1.5)
})

test('a score of 0 is never a hit', () => {
  expect(rankOf([0, 0, 0], new Set([1]))).toBe(Number.POSITIVE_INFINITY)
  expect(rankOf([0.3, -0.1], new Set([1]))).toBe(Number.POSITIVE_INFINITY)
})

test('figures are shares of the queries, and 0 without queries', () => {
  expect(figuresOf([1, 1.5, 4, 11])).toEqual({ queries: 4, r1: 0.25, r10: 0.75, mrr10: (1 + 1 / 1.5 + 0.25) / 4 })
  expect(figuresOf([Number.POSITIVE_INFINITY])).toEqual({ queries: 1, r1: 0, r10: 0, mrr10: 0 })
  expect(figuresOf([])).toEqual({ queries: 0, r1: 0, r10: 0, mrr10: 0 })
})

test('a mean counts each list alike', () => {
  expect(meanOf([figuresOf([1]), figuresOf([11, 11, 11])])).toMatchObject({ queries: 4, r1: 0.5, r10: 0.5 })
})
