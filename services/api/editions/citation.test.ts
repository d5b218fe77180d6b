import { item } from '@catalog/api/docs/examples.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import { expect, test } from 'vitest'
import { citeEdition, citeItem } from './citation.ts'

const at = { edition: '2026-10', asOf: '2026-10-31T02:00:00Z', url: 'https://catalog.example.org/v1/editions/2026-10' }
const state = {
  item: item as PublicItem,
  markets: [
    { region: 'CL', median_price: { cents: 12_990, currency: 'CLP', recorded_at: null }, vendor_count: 1 },
    { region: 'MX', median_price: null, vendor_count: 1 },
  ],
}

test('an edition is cited by month, instant, id and address', () => {
  expect(citeEdition(at)).toBe(
    'Construction Cost Catalog, edition 2026-10: median prices as of 2026-10-31T02:00:00Z. ccc:2026-10. https://catalog.example.org/v1/editions/2026-10',
  )
})

test.each([
  [undefined, 'median 4.85 EUR per m² as of'],
  ['CL', 'median 12990 CLP per m² in CL as of'],
  ['MX', 'no median in MX as of'],
  ['GB', 'no median in GB as of'],
])('an item is cited with the median of region %s', (region, expected) => {
  const line = citeItem(state, { ...at, region })
  expect(line).toContain(`edition 2026-10: “${item.name}”, ${expected} 2026-10-31T02:00:00Z. ccc:2026-10:${item.id}. `)
})
