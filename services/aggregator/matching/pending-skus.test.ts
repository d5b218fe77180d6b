import { survivorOf } from '@catalog/core/matching/membership.ts'
import { expect, test } from 'vitest'
import { targetsOf } from './pending-skus.ts'

test('a merge that would close a circle does nothing, as in the fold of memberships', () => {
  const targets = targetsOf([
    { from: 'a', into: 'b' },
    { from: 'b', into: 'c' },
    { from: 'b', into: 'a' },
    { from: 'c', into: 'c' },
  ])
  expect(['a', 'b', 'c'].map((itemId) => survivorOf(targets, itemId))).toEqual(['c', 'c', 'c'])
})

test('a merge of an item that was merged moves the item that holds its SKUs', () => {
  const targets = targetsOf([
    { from: 'a', into: 'b' },
    { from: 'a', into: 'c' },
  ])
  expect(['a', 'b', 'c'].map((itemId) => survivorOf(targets, itemId))).toEqual(['c', 'c', 'c'])
})
