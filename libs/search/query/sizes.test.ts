import { sizesOf } from '@catalog/core/units/sizes.ts'
import { expect, test } from 'vitest'
import { compareSizes, sizeDifferences } from './sizes.ts'

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

test.each([
  ['cemento 35 kg', 'Cemento gris 25 kg', [{ about: 'size', asked: '35 kg', stocked: '25 kg' }]],
  ['tubo 40 mm', 'Tubo PVC 32 mm 2 m', [{ about: 'size', asked: '40 mm', stocked: '32 mm' }]],
  ['placa 13 mm', 'Placa 12,5 mm', []],
  ['placa 13 mm', 'Placa', []],
  ['cable 2.5 mm2', 'Cable 6 mm2', [{ about: 'size', asked: '2.5 mm²', stocked: '6 mm²' }]],
  ['window 36x48 in', 'Window 1/2 x 46 in', [{ about: 'size', asked: '0.9144 x 1.219 m', stocked: '12.7 x 1168 mm' }]],
])('what %j is stocked in instead, by %j', (asked, named, differences) => {
  expect(sizeDifferences(sizesOf(asked), sizesOf(named))).toEqual(differences)
})

test('each value of a size is another value of the larger one', () => {
  expect(overlap('placa 1200x13 mm', 'Placa 1200x2500x13 mm')).toBeGreaterThan(0.6)
  expect(overlap('mallazo 20x20', 'Mallazo 20x30')).toBeLessThan(0)
})
