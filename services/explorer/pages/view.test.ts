import { expect, test } from 'vitest'
import { formatsOf } from './view.ts'

const NOW = new Date('2026-11-25T00:00:00Z')

test.each([
  ['en', 'ES', '2,500.5', '€1,420.25'],
  ['es', 'MX', '2,500.5', 'EUR 1,420.25'],
  ['de', 'ES', '2.500,5', '1.420,25 €'],
] as const)('%s in %s writes numbers and money with the same marks', (language, market, number, money) => {
  const formats = formatsOf(language, { market, now: NOW })
  expect(formats.decimal('2500.5')).toBe(number)
  expect(formats.money({ cents: 142_025, currency: 'EUR' }).replaceAll('\u00a0', ' ')).toBe(money)
})
