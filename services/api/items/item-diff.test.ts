import type { PublicState } from '@catalog/core/events/items.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DiffedState, differences, publishedState } from './item-diff.ts'

const money = fc.option(
  fc.record({ cents: fc.integer({ min: -3, max: 3 }), currency: fc.constantFrom('EUR', 'CLP') }),
  { nil: null },
)
const state: fc.Arbitrary<PublicState> = fc
  .record({
    name: fc.constantFrom('Cement', 'Lime'),
    unit: fc.constantFrom('kg', null),
    kind: fc.constantFrom('material' as const, undefined),
    vendors: fc.nat(3),
    regions: fc.uniqueArray(fc.constantFrom('ES', 'CL', 'MX')),
    headline: money,
    market: money,
  })
  .map(({ name, unit, kind, vendors, regions, headline, market }) => ({
    item: {
      id: 'ci_a',
      name,
      unit,
      cpv: null,
      category_id: null,
      vendor_count: vendors,
      observation_count: vendors,
      median_price: headline && { ...headline, recorded_at: null },
      updated_at: '2026-11-01T00:00:00Z',
    },
    regions: regions.sort(),
    markets: regions.map((region) => ({
      region,
      median_price: market && { ...market, recorded_at: null },
      vendor_count: vendors,
    })),
    state: 'active' as const,
    merged_into: null,
    ...(kind && { kind }),
  }))
const NOTHING: DiffedState = { fields: null, markets: new Map() }

describe('differences', () => {
  test('are none between equal states', () => {
    fc.assert(
      fc.property(state, (given) => {
        const [a, b] = [publishedState(given), publishedState(structuredClone(given))]
        expect(differences(a, b)).toEqual({ fields: [], markets: [] })
      }),
    )
  })

  test('applied to the earlier state give the later one', () => {
    fc.assert(
      fc.property(state, state, (from, to) => {
        const [before, after] = [publishedState(from), publishedState(to)]
        const { fields, markets } = differences(before, after)
        const patched = { ...before.fields, ...Object.fromEntries(fields.map(({ field, to }) => [field, to])) }
        expect(patched).toEqual(after.fields)
        const shown = new Map([...before.markets].map(([region, { median }]) => [region, median]))
        for (const { region, median } of markets) shown.set(region ?? '', median.to)
        for (const [region, { median }] of after.markets)
          expect([region, shown.get(region) ?? null]).toEqual([region, median])
      }),
    )
  })

  test('backwards exchange both sides', () => {
    fc.assert(
      fc.property(state, state, (a, b) => {
        const there = differences(publishedState(a), publishedState(b))
        const back = differences(publishedState(b), publishedState(a))
        expect(back.fields.map(({ field, from, to }) => ({ field, from: to, to: from }))).toEqual(there.fields)
        expect(back.markets.map(({ region, median }) => [region, median.to, median.from])).toEqual(
          there.markets.map(({ region, median }) => [region, median.from, median.to]),
        )
      }),
    )
  })

  test('from an item that was not published name every value that it has', () => {
    fc.assert(
      fc.property(state, (given) => {
        const after = publishedState(given)
        const { fields } = differences(NOTHING, after)
        const values = Object.entries(after.fields ?? {}).filter(([, value]) => value !== null)
        expect(fields).toEqual(values.map(([field, to]) => ({ field, from: null, to })))
      }),
    )
  })

  test('where one side is not kept are those of medians alone', () => {
    const before: DiffedState = {
      fields: undefined,
      markets: new Map([
        ['', { median: { cents: 400, currency: 'EUR' }, vendors: null }],
        ['ES', { median: { cents: 500, currency: 'EUR' }, vendors: null }],
      ]),
    }
    const after: DiffedState = {
      fields: { name: 'Cement' },
      markets: new Map([
        ['', { median: { cents: 500, currency: 'EUR' }, vendors: 2 }],
        ['ES', { median: { cents: 500, currency: 'EUR' }, vendors: 1 }],
      ]),
    }
    expect(differences(before, after)).toEqual({
      fields: [],
      markets: [
        {
          region: null,
          median: { from: { cents: 400, currency: 'EUR' }, to: { cents: 500, currency: 'EUR' } },
          change_percent: 25,
          vendor_count: { from: null, to: 2 },
        },
      ],
    })
  })

  test.each([
    [{ cents: 300, currency: 'EUR' }, { cents: 301, currency: 'EUR' }, 0.33],
    [{ cents: 300, currency: 'EUR' }, { cents: 300, currency: 'USD' }, null],
    [{ cents: 0, currency: 'EUR' }, { cents: 300, currency: 'EUR' }, null],
    [null, { cents: 300, currency: 'EUR' }, null],
    [{ cents: -200, currency: 'EUR' }, { cents: -100, currency: 'EUR' }, 50],
  ])('from %j to %j in percent: %j', (from, to, expected) => {
    const side = (median: typeof from): DiffedState => ({
      fields: {},
      markets: new Map([['', { median, vendors: 1 }]]),
    })
    expect(differences(side(from), side(to)).markets[0]?.change_percent).toBe(expected)
  })
})
