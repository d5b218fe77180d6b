import { expect, test } from 'vitest'
import { bareUnit, isShare } from './unit-price.ts'

test.each([
  ...['%', '% s/ total', '‰', '15 %', '-2,5%', '%mo', 'v.H.', 'Pct.'],
  ...['percent', 'per cent', 'por ciento', 'tanto por ciento', 'porcentaje', 'por cento', 'percentagem', 'per cento'],
  ...['percentuale', 'pour cent', 'pourcentage', 'Prozent', 'procent', 'procento', 'százalék', 'prosentti', 'yüzde'],
])('%s is a share', (text) => {
  expect(isShare(text)).toBe(true)
})

test.each(['cento', 'ciento', 'hundred', 'per 100', 'por mil', 'per m²', 'al cento', 'percha', '12.50', 'cent', 'u'])(
  '%s is no share',
  (text) => {
    expect(isShare(text)).toBe(false)
  },
)

test.each([
  ['per 1000', '1000 u'],
  ['/100', '100 u'],
  ['je 1.000', '1000 u'],
  ['por 100', '100 u'],
  ['per 100 m', '100 m'],
  ['per m²', 'm²'],
  ['1000', '1000'],
  ['par de guantes', 'par de guantes'],
])('%s names the unit %s', (text, unit) => {
  expect(bareUnit(text)).toBe(unit)
})
