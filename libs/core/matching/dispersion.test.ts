import fc from 'fast-check'
import { expect, test } from 'vitest'
import { APART_RATIO, dispersionOf } from './dispersion.ts'

const vote = (vendor_sku_id: string, price: string, markets = ['ES']) => ({ vendor_sku_id, price, markets })

test('one vote of a market disperses nothing', () => {
  const expected = { ratio: null, region: null, markets: [], apart: false, groups: null }
  expect(dispersionOf([])).toEqual(expected)
  expect(dispersionOf([vote('a', '500/1'), vote('b', '9000/1', ['MX'])])).toEqual(expected)
})

test('the widest market counts, by exact prices', () => {
  expect(
    dispersionOf([vote('a', '1000/3'), vote('b', '500/1'), vote('c', '100/1', ['MX']), vote('d', '110/1', ['MX'])]),
  ).toEqual({
    ratio: 1.5,
    region: 'ES',
    markets: [
      { region: 'ES', voters: 2, ratio: 1.5 },
      { region: 'MX', voters: 2, ratio: 1.1 },
    ],
    apart: false,
    groups: null,
  })
})

test('two products in one item fall into two groups at the widest gap', () => {
  const { apart, groups, ratio } = dispersionOf([
    vote('helper1', '1800/1'),
    vote('first1', '3700/1'),
    vote('helper2', '1900/1'),
    vote('first2', '4000/1'),
  ])
  expect({ apart, groups, ratio }).toEqual({
    apart: true,
    groups: [
      ['helper1', 'helper2'],
      ['first1', 'first2'],
    ],
    ratio: 2.22,
  })
})

test('law: groups are all votes of the market, in order, each within the ratio; no order of votes matters', () => {
  const votes = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), fc.integer({ min: 1, max: 100_000 })), {
    selector: ([id]) => id,
    maxLength: 12,
  })
  fc.assert(
    fc.property(votes, (drawn) => {
      const prices = new Map(drawn)
      const found = dispersionOf(drawn.map(([id, cents]) => vote(id, `${cents}/1`)))
      expect(dispersionOf(drawn.toReversed().map(([id, cents]) => vote(id, `${cents}/1`)))).toEqual(found)
      if (!found.apart) return
      expect(found.groups?.length).toBeGreaterThan(1)
      expect(found.groups?.flat().sort()).toEqual([...prices.keys()].sort())
      for (const group of found.groups ?? []) {
        const cents = group.map((id) => prices.get(id) as number)
        expect(cents).toEqual(cents.toSorted((a, b) => a - b))
        expect((cents.at(-1) as number) / (cents[0] as number)).toBeLessThanOrEqual(APART_RATIO)
      }
    }),
  )
})
