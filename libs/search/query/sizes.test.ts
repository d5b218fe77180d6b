import { sizesOf } from '@catalog/core/units/sizes.ts'
import { expect, test } from 'vitest'
import { compareSizes } from './sizes.ts'

const overlap = (wanted: string, named: string) => compareSizes(sizesOf(wanted), sizesOf(named)).overlap

test.each([
  ['cement 42.5 kg', 'Portland cement 94 lb'],
  ['paint 19 l', 'Paint 5 gal'],
])('a weight or volume is nearly that of a rounded conversion: %s, %s', (wanted, named) => {
  expect(overlap(wanted, named)).toBeGreaterThan(0.7)
})

test.each([
  ['cement 40 kg', 'Cement 42.5 kg'],
  ['paint 18 l', 'Paint 5 gal'],
])('and contradicts any other: %s, %s', (wanted, named) => {
  expect(overlap(wanted, named)).toBeLessThan(0)
})
