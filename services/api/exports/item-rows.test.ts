import { EXPORT_COLUMNS } from '@catalog/api/contract/contract.ts'
import { item } from '@catalog/api/docs/examples.ts'
import { expect, test } from 'vitest'
import { CSV, NDJSON } from './item-rows.ts'

const row = (given: object, shown = {}) => CSV.row(JSON.stringify({ ...item, ...given }), shown)

test('a CSV line has the documented columns, the median in major and in minor units', () => {
  expect(CSV.head).toBe(`${Object.keys(EXPORT_COLUMNS).join(',')}\r\n`)
  expect(row({})).toBe(
    `${item.id},Placa de yeso laminado 13 mm,m²,${item.category_id},,44112300,4.85,EUR,485,2026-11-20T02:00:00Z,headline,3,12,2026-11-20T02:00:00Z\r\n`,
  )
})

test('a currency without decimals, a market and a missing median stand as they are', () => {
  const median_price = { cents: 12_990, currency: 'CLP', recorded_at: null }
  expect(row({ median_price }, { priceRegion: 'CL' })).toContain(',12990,CLP,12990,,CL,')
  expect(row({ median_price: null, unit: null })).toContain(`13 mm,,${item.category_id},,44112300,,,,,headline,`)
})

test('a name that a spreadsheet would run is a text, and a negative median a number', () => {
  expect(row({ name: '=HYPERLINK("http://x")' })).toContain(`,"'=HYPERLINK(""http://x"")",`)
  expect(row({ median_price: { cents: -5, currency: 'EUR', recorded_at: null } })).toContain(',-0.05,EUR,-5,')
})

test('an NDJSON line is the item as lists show it', () => {
  expect(NDJSON.row('{"id":"ci_a"}', {})).toBe('{"id":"ci_a"}\n')
})
