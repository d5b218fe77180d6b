import type { ItemPreview } from '@catalog/aggregator/differences.ts'
import { KINDS, kindOf, type Price, percentText, relativeOf } from '@catalog/operations/price-change.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Line, openTally, total } from './report.ts'
import { binText } from './words.ts'

const eur = (cents: number): Price => ({ cents, currency: 'EUR' })
const usd = (cents: number): Price => ({ cents, currency: 'USD' })

/** A line of an item whose only market, if any, has its headline's prices. */
function line(
  itemId: string,
  [before, after]: readonly [Price | null, Price | null],
  say: { category?: string; region?: string; present?: Price | null; difference?: 'change' | 'basis' } = {},
): Line {
  const { category = 'a', region, present = before, difference } = say
  const markets = (price: Price | null) => (region === undefined ? [] : [{ region, median_price: price }])
  const preview = {
    priorState: { markets: markets(before) },
    present: { repriced: { headline: present } },
    next: { state: { markets: markets(after) } },
    difference: difference === undefined ? null : { kind: difference },
  } as unknown as ItemPreview
  const [kind, relative] = [kindOf(before, after), relativeOf(before, after)]
  return { itemId, name: itemId, unit: null, category, kind, before, after, relative, preview }
}
function tallied(lines: readonly Line[], top = 10) {
  const tally = openTally(top)
  for (const one of lines) tally.add(one)
  return tally.result()
}

describe('a price', () => {
  test.each([
    [null, null, 'unpriced', null],
    [null, eur(1), 'gained', null],
    [eur(1), null, 'lost', null],
    [eur(5), eur(5), 'unchanged', null],
    [eur(5), usd(5), 'other_currency', null],
    [eur(4), eur(5), 'changed', 0.25],
    [eur(4), eur(0), 'changed', -1],
    [eur(0), eur(4), 'changed', null],
  ] as const)('%j, then %j, is %s by %j', (before, after, kind, relative) => {
    expect([kindOf(before, after), relativeOf(before, after)]).toEqual([kind, relative])
  })

  test.each([
    [0.05, '+5.00 %'],
    [-0.5, '-50.00 %'],
    [0.0005, '+0.0500 %'],
    [null, ''],
  ])('changes by %j as %s', (relative, text) => {
    expect(percentText(relative)).toBe(text)
  })
})

describe('the tally', () => {
  const price = fc.option(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('EUR', 'EUR', 'USD')))
  const pair = fc.tuple(price, price, fc.constantFrom('a', 'b', 'c'), fc.constantFrom('ES', 'US', undefined))
  const priceOf = (given: [number, string] | null) => given && { cents: given[0], currency: given[1] }

  test('adds kinds, categories, regions, bins and signs up to the items', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), fc.integer({ min: 0, max: 5 }), (given, top) => {
        const lines = given.map(([before, after, category, region], i) =>
          line(`ci_${i}`, [priceOf(before), priceOf(after)], { category, ...(region && { region }) }),
        )
        const { items, categories, regions, changes, largest } = tallied(lines, top)
        expect(total(items)).toBe(lines.length)
        for (const kind of KINDS) {
          const own = lines.filter((one) => one.kind === kind)
          expect(items[kind]).toBe(own.length)
          expect(categories.reduce((sum, { counts }) => sum + counts[kind], 0)).toBe(own.length)
          const inRegions = own.filter(({ preview }) => preview.next.state.markets.length > 0)
          expect(regions.reduce((sum, { counts }) => sum + counts[kind], 0)).toBe(inRegions.length)
          if (kind !== 'unchanged' && kind !== 'unpriced') expect(largest[kind].length).toBe(Math.min(top, own.length))
        }
        expect(changes.items + changes.from_zero).toBe(items.changed)
        expect(changes.rises + changes.falls).toBe(changes.items)
        expect(changes.histogram.reduce((sum, bin) => sum + bin.items, 0)).toBe(changes.items)
      }),
    )
  })

  test('counts events by kind, and prices that are not reproduced', () => {
    const result = tallied([
      line('ci_1', [eur(1), eur(2)], { difference: 'change' }),
      line('ci_2', [eur(1), eur(1)], { difference: 'basis' }),
      line('ci_3', [eur(1), eur(1)], { present: eur(3) }),
      line('ci_4', [eur(1), eur(1)], { present: null }),
    ])
    expect(result.events).toEqual({ changes: 1, basis_only: 1 })
    expect(result.not_reproduced).toBe(2)
  })
})

describe('the distribution', () => {
  const changes = (...percents: number[]) =>
    percents.map((percent, i) => line(`ci_${i}`, [eur(1000), eur(1000 + 10 * percent)]))

  test('has half-open bins from edge to edge', () => {
    const { histogram } = tallied(changes(-60, -50, -5, -4, 4, 5, 9, 100, 300)).changes
    expect(histogram.filter(({ items }) => items > 0).map((bin) => [binText(bin), bin.items])).toEqual([
      ['below -50 %', 1],
      ['-50 % to -20 %', 1],
      ['-5 % to -2 %', 2],
      ['+2 % to +5 %', 1],
      ['+5 % to +10 %', 2],
      ['+100 % and more', 2],
    ])
  })

  test('has quantiles that are existing changes', () => {
    const { quantiles } = tallied(changes(40, 10, -20, 30)).changes
    expect(quantiles.map(({ part, relative }) => [part, relative])).toEqual([
      [0, -0.2],
      [0.05, -0.2],
      [0.25, -0.2],
      [0.5, 0.1],
      [0.75, 0.3],
      [0.95, 0.4],
      [1, 0.4],
    ])
    expect(tallied([]).changes.quantiles).toEqual([])
  })
})

describe('the largest changes', () => {
  test('are sorted by factor, halving equal to doubling, then by id', () => {
    const lines = [
      line('ci_c', [eur(100), eur(200)]),
      line('ci_b', [eur(100), eur(50)]),
      line('ci_a', [eur(100), eur(110)]),
      line('ci_e', [eur(0), eur(1)]),
      line('ci_d', [eur(1), eur(0)]),
    ]
    const ids = (given: readonly Line[], top: number) => tallied(given, top).largest.changed.map(({ itemId }) => itemId)
    expect(ids(lines, 10)).toEqual(['ci_d', 'ci_e', 'ci_b', 'ci_c', 'ci_a'])
    expect(ids(lines.toReversed(), 3)).toEqual(['ci_d', 'ci_e', 'ci_b'])
    expect(ids(lines, 0)).toEqual([])
  })

  test('are sorted by id where a price is lost or gained', () => {
    const lost = ['ci_3', 'ci_1', 'ci_2'].map((id) => line(id, [eur(1), null]))
    expect(tallied(lost, 2).largest.lost.map(({ itemId }) => itemId)).toEqual(['ci_1', 'ci_2'])
  })

  test('come from the groups with most differences first', () => {
    const { categories } = tallied([
      line('ci_1', [eur(1), eur(1)], { category: 'still' }),
      line('ci_2', [eur(10), eur(11)], { category: 'b' }),
      line('ci_3', [eur(10), null], { category: 'a' }),
      line('ci_4', [eur(10), eur(12)], { category: 'most' }),
      line('ci_5', [null, usd(12)], { category: 'most' }),
    ])
    expect(categories.map(({ name, median }) => [name, median])).toEqual([
      ['most', 0.2],
      ['a', null],
      ['b', 0.1],
      ['still', null],
    ])
  })
})
