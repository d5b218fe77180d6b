import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromRecipeRule, type PricingRule, ruleName, toRecipeRule } from './pricing-rule.ts'

test.each<[string, PricingRule]>([
  ['line_rounded_2', { percentages: 'share', line: 2, indirect: { units: 0n, places: 0 }, total: 2 }],
  [
    'line_rounded_2_with_ci_5_total_0',
    { percentages: 'share', line: 2, indirect: { units: 50n, places: 1 }, total: 0 },
  ],
  ['unrounded_percent_as_price', { percentages: 'price', line: null, indirect: { units: 0n, places: 0 }, total: null }],
])('%s keeps its name when recorded', (name, rule) => {
  expect([ruleName(rule), ruleName(fromRecipeRule(toRecipeRule(rule)))]).toEqual([name, name])
})

test('a recorded indirect cost is a fraction and comes back as the same percentage', () => {
  const rule: PricingRule = { percentages: 'share', line: 2, indirect: { units: 35n, places: 1 }, total: 2 }
  expect(toRecipeRule(rule).indirect_rate).toBe('0.035')
  const decimals = fc.option(fc.integer({ min: 0, max: 12 }))
  fc.assert(
    fc.property(decimals, decimals, fc.bigInt({ min: -999n, max: 9_999n }), fc.nat(6), (line, total, units, places) => {
      const rule: PricingRule = { percentages: 'share', line, indirect: { units, places }, total }
      expect(toRecipeRule(fromRecipeRule(toRecipeRule(rule)))).toEqual(toRecipeRule(rule))
      expect(ruleName(fromRecipeRule(toRecipeRule(rule)))).toBe(ruleName(rule))
    }),
  )
})
