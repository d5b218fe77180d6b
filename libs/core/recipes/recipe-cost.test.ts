import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { Recipe, RecipeRule } from '@catalog/core/events/recipes.ts'
import { add, multiply, ONE, parseDecimal, type Rational, rational, toText } from '@catalog/core/money/rational.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalText, rounded, ZERO } from './amounts.ts'
import { type Kind, RecipeCosts } from './recipe-cost.ts'

const SOURCE = { id: 'src_bank', name: 'Bank', region: 'ES', url: null }
const skuOf = (ref: string) => vendorSkuIdOf(SOURCE.id, ref)

/** Reference, yield and price; a % in the reference makes a percentage, a null price an auxiliary. */
type Line = readonly [ref: string, rate: string, price: string | null]

function recipeOf(ref: string, lines: readonly Line[], currency = 'EUR'): readonly [string, Recipe] {
  const kindOf = (code: string, price: string | null): Kind =>
    /[%&]/.test(code) ? 'percentage' : price === null ? 'auxiliary' : 'material'
  const components = lines.map(([vendor_ref, rate, price], i) => ({
    position: i + 1,
    kind: kindOf(vendor_ref, price),
    vendor_ref,
    name: '',
    unit: 'kg',
    factor: '1',
    yield: rate,
    price,
  }))
  const base = { source: SOURCE, vendor_ref: ref, unit: 'u', declared_price: null, currency }
  return [skuOf(ref), { ...base, components, observed_at: '2026-01-01T00:00:00Z' }]
}

const amounts = (lines: readonly Line[], scale = ONE) =>
  new RecipeCosts(new Map([recipeOf('A', lines)]), new Map())
    .costOf(skuOf('A'), scale)
    .lines.map(({ amount }) => amount && decimalText(amount, { places: 2 }))

describe('a percentage', () => {
  test('without a sign in its reference applies to all lines before it', () => {
    const [sku, recipe] = recipeOf('A', [
      ['PN', '2', '20.00'],
      ['AUX', '0.04', '4'],
    ])
    const components = recipe.components.map((one) =>
      one.vendor_ref === 'AUX' ? { ...one, kind: 'percentage' as const } : one,
    )
    const { lines } = new RecipeCosts(new Map([[sku, { ...recipe, components }]]), new Map()).costOf(sku, ONE)
    expect(lines.map(({ amount }) => amount && decimalText(amount, { places: 2 }))).toEqual(['40.00', '1.60'])
  })

  test('applies to all lines before it, earlier percentages included', () => {
    const lines: Line[] = [
      ['M', '1', '2.00'],
      ['%CI', '0.03', null],
      ['%BAJA', '-0.2', null],
      ['N', '1', '1.00'],
      ['%', '0.1', null],
    ]
    // 2.00; 0.06; 2.06 × -0.2 = -0.412; 1.00; (2.06 - 0.41 + 1.00) × 0.1 = 0.265
    expect(amounts(lines)).toEqual(['2.00', '0.06', '-0.41', '1.00', '0.27'])
  })

  test('with a mask applies to lines whose code begins with it', () => {
    const lines: Line[] = [
      ['A1', '1', '1.00'],
      ['B1', '1', '5.00'],
      ['A%X', '0.5', null],
      ['A%Y', '1', null],
      ['B%', '1', null],
      ['C%', '1', null],
    ]
    expect(amounts(lines)).toEqual(['1.00', '5.00', '0.50', '1.50', '5.00', '0.00'])
  })

  test('of a scaled recipe applies to the scaled amounts', () => {
    expect(
      amounts(
        [
          ['M', '1', '0.33'],
          ['%', '0.1', null],
        ],
        rational(100n),
      ),
    ).toEqual(['33.00', '3.30'])
  })
})

test('rounding is half away from zero, on both sides', () => {
  const text = (value: string, places: number) => decimalText(parseDecimal(value), { places })
  expect([text('0.005', 2), text('-0.005', 2), text('0.0049', 2), text('2.5', 0), text('-0.004', 2)]).toEqual([
    '0.01',
    '-0.01',
    '0.00',
    '3',
    '0.00',
  ])
  expect(decimalText(parseDecimal('1.2300'), { places: 6, least: 2 })).toBe('1.23')
  expect(decimalText(parseDecimal('100'), { places: 9, least: 0 })).toBe('100')
})

describe('the rule of a file', () => {
  const text = (value: Rational) => decimalText(value, { places: 18, least: 0 })
  const costOf = (lines: readonly Line[], rule: Partial<RecipeRule>, scale = ONE) => {
    const [skuId, recipe] = recipeOf('A', lines)
    const fullRule = { percentages: 'share' as const, line_decimals: 2, indirect_rate: '0', total_decimals: 2, ...rule }
    const medians = new Map([[skuOf('M'), rational(2n)]])
    return new RecipeCosts(new Map([[skuId, { ...recipe, rule: fullRule }]]), medians).costOf(skuId, scale)
  }
  const LINES: Line[] = [
    ['M', '1', '0.335'],
    ['N', '3', '0.333'],
  ]

  test("adds the indirect cost to the sum of the lines, today's too, then rounds", () => {
    const cost = costOf(LINES, { indirect_rate: '0.05', total_decimals: 1 })
    // 0.34 + 1.00 = 1.34 × 1.05 = 1.407; today 2.00 + 1.00, of which 1.00 is the file's price
    expect([text(cost.direct), text(cost.total)]).toEqual(['1.34', '1.4'])
    expect([cost.now && text(cost.now.amount), cost.now && text(cost.now.atFilePrices)]).toEqual(['3.2', '1.05'])
  })

  test('may round nothing', () => {
    const cost = costOf(LINES, { line_decimals: null, total_decimals: null, indirect_rate: '0.01' })
    expect([text(cost.direct), text(cost.total)]).toEqual(['1.334', '1.34734'])
  })

  test('may treat percentages as priced components', () => {
    const lines: Line[] = [
      ['M', '1', '2.00'],
      ['%', '0.07', '7'],
      ['%X', '1', null],
    ]
    const cost = costOf(lines, { percentages: 'price' }, rational(10n))
    expect(cost.lines.map(({ amount, base }) => [amount && text(amount), base])).toEqual([
      ['20', null],
      ['4.9', null],
      [null, null],
    ])
    expect(cost.unpriced).toBe(1)
  })

  test('applies to the recipe of an auxiliary without a price', () => {
    const [outer, inner] = [recipeOf('A', [['B', '1', null]]), recipeOf('B', [['N', '1', '10.00']])]
    const rule = { percentages: 'share', line_decimals: 2, indirect_rate: '0.1', total_decimals: 0 } as const
    const recipes = new Map([outer, inner].map(([skuId, recipe]) => [skuId, { ...recipe, rule }]))
    const costs = new RecipeCosts(recipes, new Map())
    expect(text(costs.costOf(skuOf('A'), ONE).total)).toBe('12')
    // The resources exclude the indirect cost.
    expect(text(costs.resourcesOf(skuOf('A')).get('material') ?? ZERO)).toBe('10')
  })
})

test('percentages that name lines apply to those lines alone', () => {
  const [skuId, recipe] = recipeOf('A', [
    ['M', '1', '1.00'],
    ['N', '1', '10.00'],
    ['%X', '0.5', null],
    ['%Y', '1', null],
  ])
  const named: Record<string, string[]> = { M: ['%X', '%Y'], N: ['%Y'], '%X': ['%Y'] }
  const components = recipe.components.map((component) => ({
    ...component,
    percentages: named[component.vendor_ref] ?? [],
  }))
  const { lines } = new RecipeCosts(new Map([[skuId, { ...recipe, components }]]), new Map()).costOf(skuId, ONE)
  expect(lines.map(({ amount }) => amount && decimalText(amount, { places: 2 }))).toEqual([
    '1.00',
    '10.00',
    '0.50',
    '11.50',
  ])
})

test('amounts in dinars have three decimals', () => {
  const costs = new RecipeCosts(new Map([recipeOf('A', [['M', '1', '0.0005']], 'KWD')]), new Map())
  expect(toText(costs.costOf(skuOf('A'), ONE).total)).toBe('1/1000')
})

test("the total is the sum of the lines, and today's total that of medians and the remaining file prices", () => {
  const line = fc.tuple(
    fc.constantFrom('A1', 'A2', 'B1', 'A%', '%', 'B%X'),
    fc.integer({ min: -99, max: 999 }).map((n) => `${n < 0 ? '-' : ''}${Math.abs(n) / 100}`),
    fc.integer({ min: 0, max: 9_999 }).map((n) => `${n / 100}`),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 1, max: 500 }), (lines, scale) => {
      const medians = new Map([[skuOf('A1'), rational(3n)]])
      const recipes = new Map([recipeOf('R', lines)])
      const cost = new RecipeCosts(recipes, medians).costOf(skuOf('R'), rational(BigInt(scale), 7n))
      const sum = cost.lines.reduce((total, { amount }) => add(total, amount ?? ZERO), ZERO)
      expect(cost.total).toEqual(sum)
      const today = cost.lines.reduce((total, { now, amount }) => add(total, now?.amount ?? amount ?? ZERO), ZERO)
      expect(cost.now?.amount ?? today).toEqual(today)
      expect(cost.now !== null).toBe(lines.some(([ref]) => ref === 'A1'))
      // Each percentage applies to exactly the lines before it.
      for (const [i, { component, base }] of cost.lines.entries()) {
        if (base === null) continue
        const mask = component.vendor_ref.split('%')[0] as string
        const before = cost.lines.slice(0, i).filter((line) => line.component.vendor_ref.startsWith(mask))
        expect(base).toEqual(before.reduce((total, { amount }) => add(total, amount ?? ZERO), ZERO))
      }
    }),
  )
})

describe('nested recipes', () => {
  test('resolve into kinds, except one that leads back to itself', () => {
    const recipes = new Map([
      recipeOf('A', [
        ['B', '2', null],
        ['M', '1', '1.00'],
      ]),
      recipeOf('B', [
        ['N', '3', '2.00'],
        ['%', '0.5', null],
      ]),
      recipeOf('X', [
        ['Y', '1', null],
        ['M', '1', '1.00'],
      ]),
      recipeOf('Y', [['X', '1', null]]),
    ])
    const costs = new RecipeCosts(recipes, new Map())
    expect(toText(costs.costOf(skuOf('A'), ONE).total)).toBe('19')
    expect(new Map([...costs.resourcesOf(skuOf('A'))].map(([kind, value]) => [kind, toText(value)]))).toEqual(
      new Map([
        ['material', '13'],
        ['percentage', '6'],
      ]),
    )
    expect(costs.costOf(skuOf('X'), ONE)).toMatchObject({ total: ONE, unpriced: 1 })
  })

  test('of any size and number end in time', () => {
    const big = '999999999999999999'
    const chain = Array.from({ length: 60 }, (_, i) =>
      recipeOf(`L${i}`, [
        [`L${i + 1}`, big, null],
        ['M', big, big],
      ]),
    )
    const costs = new RecipeCosts(new Map(chain), new Map())
    const percentages = Array.from({ length: 5_000 }, (_, i): Line => [`${i % 40}%`, big, null])
    const lines: Line[] = [...Array.from({ length: 5_000 }, (_, i): Line => [`${i}`, '1', '1']), ...percentages]
    const begun = performance.now()
    expect(costs.costOf(skuOf('L0'), ONE).lines).toHaveLength(2)
    costs.resourcesOf(skuOf('L0'))
    const wide = new RecipeCosts(new Map([recipeOf('W', lines)]), new Map([[skuOf('1'), ONE]])).costOf(skuOf('W'), ONE)
    expect(wide.unpriced).toBeGreaterThan(0)
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})

test('a component costs exactly price × quantity, rounded once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 99_999 }), (price, rate) => {
      const cost = new RecipeCosts(new Map([recipeOf('A', [['M', `${rate / 1000}`, `${price / 100}`]])]), new Map())
      const exact = multiply(rational(BigInt(price), 100n), rational(BigInt(rate), 1000n))
      expect(cost.costOf(skuOf('A'), ONE).total).toEqual(rounded(exact, 2))
    }),
  )
})
