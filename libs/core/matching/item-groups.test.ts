import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideItem, REJECTED } from './item-groups.ts'

const never = () => false
/** SKUs are named by product and vendor: "b2" is vendor 2's offer of product b. */
const byName = {
  contradiction: (a: string, b: string) => (a[0] === b[0] ? null : `${[a[0], b[0]].sort().join(' and ')}`),
  isLinked: (a: string, b: string) => a[0] === b[0],
  isRejected: never,
}

test('the founder keeps the item, and every other product leaves as one group', () => {
  expect(divideItem(['a1', 'b2', 'a3', 'b4', 'c5'], 'a1', byName)).toEqual([
    [
      { skuId: 'b2', apartFrom: 'a1', reason: 'a and b' },
      { skuId: 'b4', apartFrom: 'a1', reason: 'a and b' },
    ],
    [{ skuId: 'c5', apartFrom: 'a1', reason: 'a and c' }],
  ])
})

test('an item of one product stays whole', () => {
  expect(divideItem(['a1', 'a2', 'a3'], 'a2', byName)).toEqual([])
})

test('without its founder the smallest id keeps the item', () => {
  expect(divideItem(['b2', 'a1'], 'x9', byName)).toEqual([[{ skuId: 'b2', apartFrom: 'a1', reason: 'a and b' }]])
})

test('a SKU without a link leaves only where the rule found two products', () => {
  const rule = { contradiction: () => null, isLinked: never }
  expect(divideItem(['a1', 'b2'], 'a1', { ...rule, isRejected: never })).toEqual([])
  expect(divideItem(['a1', 'b2'], 'a1', { ...rule, isRejected: () => true })).toEqual([
    [{ skuId: 'b2', apartFrom: 'a1', reason: REJECTED }],
  ])
})

test('a chain of links holds SKUs together, whatever the rule says of its ends', () => {
  const links = ['a1 b2', 'b2 c3']
  const rule = {
    contradiction: () => null,
    isLinked: (a: string, b: string) => links.includes([a, b].sort().join(' ')),
    isRejected: (a: string, b: string) => [a, b].sort().join(' ') === 'a1 c3',
  }
  expect(divideItem(['a1', 'b2', 'c3'], 'a1', rule)).toEqual([])
})

test('law: order changes nothing, no group holds a contradiction, and the rest divides no further', () => {
  const skus = fc.uniqueArray(
    fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(9)).map(([product, n]) => product + n),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(skus, fc.func(fc.boolean()), (skuIds, answer) => {
      const rule = { ...byName, isRejected: (a: string, b: string) => answer([a, b].sort().join(' ')) }
      const founder = skuIds[0] as string
      const groups = divideItem(skuIds, founder, rule)
      expect(divideItem(skuIds.toReversed(), founder, rule)).toEqual(groups)
      const left = groups.flat().map(({ skuId }) => skuId)
      for (const group of groups) expect(new Set(group.map(({ skuId }) => skuId[0])).size).toBe(1)
      const stays = skuIds.filter((skuId) => !left.includes(skuId))
      expect(new Set(stays.map((skuId) => skuId[0])).size).toBe(1)
      expect(divideItem(stays, founder, rule)).toEqual([])
    }),
  )
})
