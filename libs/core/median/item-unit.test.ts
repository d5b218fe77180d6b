import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foundingUnit, itemUnitAt } from './item-unit.ts'
import type { Observed, SkuPrices } from './sku-prices.ts'

const AS_OF = '2026-11-20T00:00:00Z'
const observed = (unit: string | null, say: Partial<Observed> = {}): Observed => ({
  observationId: `${unit} ${say.observedAt}`,
  observedAt: '2026-11-01T00:00:00Z',
  cents: 100,
  currency: 'EUR',
  perQuantity: 1,
  minQuantity: null,
  taxIncluded: false,
  taxRate: null,
  unit,
  pack: null,
  override: null,
  ...say,
})
const sku = (name: string, unit: string | null, say: Partial<SkuPrices> = {}): SkuPrices => ({
  vendorSkuId: name,
  sourceId: name,
  kind: 'shop',
  region: 'ES',
  trust: 50,
  validityDays: 30,
  enabled: true,
  observations: [observed(unit)],
  ...say,
})
const unitOf = (founded: string | null, ...skus: readonly SkuPrices[]) =>
  itemUnitAt({ unit: founded, pack: null, skus }, AS_OF).unit

describe('the unit of an item', () => {
  test('stays the founded one where that is known', () => {
    expect(unitOf('m²', sku('a', 'tramex'), sku('b', 'kg'), sku('c', 'kg'))).toBe('m²')
  })

  test('is a known one of its SKUs where it was founded with an unknown one, or with none', () => {
    expect(unitOf('tramex', sku('a', 'tramex'), sku('b', 'ft²'), sku('c', 'm²'))).toBe('ft²')
    expect(
      unitOf(
        null,
        sku('a', null),
        sku('b', 'bag', { observations: [observed('bag', { pack: { quantity: '25', unit: 'kg' } })] }),
      ),
    ).toBe('25 kg')
    expect(unitOf('tramex', sku('a', 'tramex'), sku('b', 'other'))).toBe('tramex')
  })

  test('of two dimensions is the one with most trust, and a source without a vote decides last', () => {
    expect(unitOf('tramex', sku('a', 'kg'), sku('b', 'm²'), sku('c', 'yd²'))).toBe('m²')
    expect(unitOf('tramex', sku('a', 'kg', { enabled: false }), sku('b', 'm²', { trust: 1 }))).toBe('m²')
    expect(unitOf('tramex', sku('a', 'kg', { enabled: false }), sku('b', 'tramex'))).toBe('kg')
  })

  test('follows the latest observation up to the instant', () => {
    const observations = [
      observed('kg', { observedAt: '2026-10-01T00:00:00Z' }),
      observed('m²', { observedAt: '2026-11-02T00:00:00Z' }),
      observed('l', { observedAt: '2026-12-01T00:00:00Z' }),
    ]
    expect(unitOf('tramex', sku('a', null, { observations }))).toBe('m²')
  })

  test('changes for an alias that replaces the known founded one, and for nothing else', () => {
    const aliased = sku('a', 'm²', { observations: [observed('m²', { isAliased: true })] })
    expect(unitOf('sheet', aliased)).toBe('m²')
    expect(unitOf('sheet', aliased, sku('b', 'sheet'))).toBe('sheet')
    expect(unitOf('sheet', sku('a', 'm²'))).toBe('sheet')
  })

  test('does not depend on the order of SKUs and observations', () => {
    const units = fc.constantFrom('tramex', 'm²', 'ft²', 'kg', 'other', null)
    const skus = fc.array(fc.record({ unit: units, trust: fc.integer({ min: 0, max: 3 }) }), { maxLength: 6 })
    fc.assert(
      fc.property(skus, fc.infiniteStream(fc.nat()), (drawn, numbers) => {
        const members = drawn.map(({ unit, trust }, i) => sku(`s${i}`, unit, { trust }))
        const shuffled = members
          .map((member) => ({ member, at: numbers.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ member }) => member)
        expect(unitOf('tramex', ...shuffled)).toBe(unitOf('tramex', ...members))
      }),
    )
  })
})

describe('the unit of a new item', () => {
  const founded = (unit: string, cents: number, perQuantity = 1, rate?: string) =>
    foundingUnit(
      { unit, lang: 'es' },
      { cents, per_quantity: perQuantity, tax: { included: rate !== undefined, ...(rate && { rate }) } },
    )

  test('is that of its founder while a cent is exact enough', () => {
    expect([founded('ud', 485), founded('m2', 2), founded('saco 25 kg', 201)]).toEqual(['u', 'm²', '25 kg'])
    // 100.4 cents are published as 100: 0.4 % less.
    expect(founded('ud', 1004, 10)).toBe('u')
  })

  test('is ten, a hundred or a thousand of them where a price has few cents', () => {
    expect(founded('ud', 1_250, 1_000)).toBe('100 u')
    expect(founded('ud', 145, 100)).toBe('100 u')
    expect(founded('ud', 8, 10)).toBe('10 u')
    expect(founded('m', 453, 100)).toBe('100 m')
    expect(founded('kg', 12_345, 1_000_000)).toBe('1000 kg')
  })

  test('is the largest where even a thousand lose figures, and stays where no text states a multiple', () => {
    expect(founded('ud', 1_250, 100_000)).toBe('1000 u')
    expect(founded('tramex', 5, 4)).toBe('tramex')
  })

  test('counts the price without its tax', () => {
    expect([founded('ud', 121, 100), founded('ud', 121, 100, '0.21')]).toEqual(['100 u', 'u'])
  })

  test('errs by at most 0.5 % for every price of a tenth of a cent or more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 100_000 }),
        (cents, perQuantity) => {
          fc.pre(cents * 10 >= perQuantity)
          const label = founded('ud', cents, perQuantity) as string
          const exact = (cents / perQuantity) * (Number.parseInt(label, 10) || 1)
          expect(Math.abs(Math.round(exact) - exact)).toBeLessThanOrEqual(exact * 0.005 + 1e-9)
        },
      ),
    )
  })
})
