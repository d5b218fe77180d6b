import { canonicalJson } from '@catalog/core/digest.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemJson } from './items.ts'

const money = fc.option(
  fc.record({
    cents: fc.integer(),
    currency: fc.constantFrom('EUR', 'CLP'),
    recorded_at: fc.constantFrom('2026-11-20T02:00:00Z', null),
  }),
  { nil: null },
)
/** Generates names that contain the patterns that the replacement searches for. */
const names = fc.oneof(
  fc.string(),
  fc.constantFrom('"median_price":null', '\\"median_price":', '","median_price":{"cents":1}', '{}"}', '\\'),
)

test("the region's median replaces the headline and nothing else", () => {
  fc.assert(
    fc.property(names, money, money, names, (name, headline, regional, unit) => {
      const item = { id: 'ci_a', name, median_price: headline, unit, category_id: name }
      const row = { item_json: canonicalJson(item), median_json: regional && canonicalJson(regional) }
      expect(JSON.parse(itemJson(row, 'ES'))).toEqual({ ...item, median_price: regional })
      expect(itemJson(row, undefined)).toBe(row.item_json)
    }),
  )
})
