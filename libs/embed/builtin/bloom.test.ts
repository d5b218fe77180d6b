import { expect, test } from 'vitest'
import { bloomOf, openBloom } from './bloom.ts'

const words = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

test('a set contains its items and few others, at ten bits an item', () => {
  const bytes = bloomOf([...words('in', 5_000), ...words('in', 5_000)])
  expect(bytes).toHaveLength(6_250)
  const has = openBloom(bytes)
  expect(words('in', 5_000).filter((word) => !has(word))).toEqual([])
  expect(words('out', 20_000).filter(has).length / 20_000).toBeLessThan(0.015)
})

test('an empty set contains nothing', () => {
  expect(openBloom(bloomOf([]))('yeso')).toBe(false)
})
