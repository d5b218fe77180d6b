import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Rule, recordedRule, ruleName, ruleOfRecorded } from './pricing-rule.ts'

test.each<[string, Rule]>([
  ['line_rounded_2', { percentages: 'share', line: 2, indirect: { units: 0n, places: 0 }, total: 2 }],
  [
    'line_rounded_2_with_ci_5_total_0',
    { percentages: 'share', line: 2, indirect: { units: 50n, places: 1 }, total: 0 },
  ],
  ['unrounded_percent_as_price', { percentages: 'price', line: null, indirect: { units: 0n, places: 0 }, total: null }],
])('%s is called so, also when it was recorded', (name, rule) => {
  expect([ruleName(rule), ruleName(ruleOfRecorded(recordedRule(rule)))]).toEqual([name, name])
})

test('a recorded indirect cost is per one, and comes back as the same per cent', () => {
  const rule: Rule = { percentages: 'share', line: 2, indirect: { units: 35n, places: 1 }, total: 2 }
  expect(recordedRule(rule).indirect_rate).toBe('0.035')
  const decimals = fc.option(fc.integer({ min: 0, max: 12 }))
  fc.assert(
    fc.property(decimals, decimals, fc.bigInt({ min: -999n, max: 9_999n }), fc.nat(6), (line, total, units, places) => {
      const rule: Rule = { percentages: 'share', line, indirect: { units, places }, total }
      expect(recordedRule(ruleOfRecorded(recordedRule(rule)))).toEqual(recordedRule(rule))
      expect(ruleName(ruleOfRecorded(recordedRule(rule)))).toBe(ruleName(rule))
    }),
  )
})
