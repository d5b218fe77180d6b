import { expect, test } from 'vitest'
import { isShare } from './unit-price.ts'

test.each([
  '%',
  '% s/ total',
  'per cento',
  'por ciento',
  'por cento',
  'percent',
  'per cent',
  'Pct.',
  'Prozent',
  'v.H.',
  'pour cent',
  'procent',
  '‰',
  '15 %',
  '-2,5%',
  'porcentaje',
  '%mo',
])('%s is a share', (text) => expect(isShare(text)).toBe(true))
test.each(['cento', 'ciento', 'hundred', 'per 100', 'por mil', 'per m²', 'al cento', 'percha', '12.50', 'cent', 'u'])(
  '%s is no share',
  (text) => expect(isShare(text)).toBe(false),
)
