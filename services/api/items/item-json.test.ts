import { canonicalJson } from '@catalog/core/digest.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemJson } from './item-json.ts'

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
      const row = { item_json: canonicalJson(item), median_json: regional && canonicalJson(regional), names_json: null }
      expect(JSON.parse(itemJson(row, { priceRegion: 'ES' }))).toEqual({ ...item, median_price: regional })
      expect(itemJson(row, {})).toBe(row.item_json)
    }),
  )
})

test('the name of a market or language replaces the name and nothing else', () => {
  fc.assert(
    fc.property(names, names, names, (headline, brazilian, unit) => {
      const item = { id: 'ci_a', name: headline, median_price: null, unit, category_id: headline }
      const named = [{ lang: 'pt', name: brazilian, regions: ['BR'] }]
      const row = { item_json: canonicalJson(item), median_json: null, names_json: canonicalJson(named) }
      for (const shown of [
        { priceRegion: 'BR' },
        { lang: 'pt-BR' },
        { lang: 'pt', priceRegion: 'BR' },
        { lang: 'pt-PT' },
      ]) {
        expect(JSON.parse(itemJson(row, shown))).toEqual({ ...item, name: brazilian })
      }
      for (const shown of [{ priceRegion: 'MX' }, { lang: 'de' }]) {
        expect(JSON.parse(itemJson(row, shown))).toEqual(item)
      }
    }),
  )
})
