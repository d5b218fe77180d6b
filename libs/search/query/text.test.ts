import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idfOf, isCode, tokensOf, trigramsOf } from './text.ts'

test.each([
  ['12,5', ['12.5']],
  ['12.50 mm', ['12.5', 'mm']],
  ['drywall 1/2 in', ['drywall', '0.5', 'in']],
  ['½ pulgada', ['0.5', 'pulgada']],
  ['12½', ['12', '0.5']],
  ['Placa 1200x2500x13mm', ['placa', '1200', '2500', '13', 'mm']],
  ['Barra Ø12 B500S', ['barra', '12', 'b500s']],
  ['HA-25/B/20', ['ha', '25', 'b', '20']],
  ['m² 100mm2', ['m2', '100', 'mm2']],
  ['GTIN 08412345678905', ['gtin', '8412345678905']],
  ['日本 Größe', ['日本', 'grosse']],
  ['--- ///', []],
])('%s gives the tokens %j', (text, tokens) => {
  expect(tokensOf(text)).toEqual(tokens)
})

test('a decimal comma and a decimal point give the same number', () => {
  fc.assert(
    fc.property(fc.nat(9999), fc.nat(99), (whole, cents) => {
      const decimals = String(cents).padStart(2, '0')
      expect(tokensOf(`a ${whole},${decimals} b`)).toEqual(tokensOf(`a ${whole}.${decimals} b`))
      expect(tokensOf(`${whole}.${decimals}`)).toEqual([String(Number(`${whole}.${decimals}`))])
    }),
  )
})

test('capitals, decomposed accents and outer blanks make no difference', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aß é1,5./x-½mØ²'), maxLength: 20 }), (text) => {
      expect(tokensOf(`  ${text.toUpperCase().normalize('NFD')} `)).toEqual(tokensOf(text))
    }),
  )
})

test('codes mix letters and digits or have five digits, unlike words, short sizes and numbers', () => {
  expect(['b500s', 'ba13', '12345', '8412345678905'].filter(isCode)).toHaveLength(4)
  expect(['placa', 'm2', 'c25', '2500', '12.5', '0.125'].filter(isCode)).toEqual([])
})

test('trigrams come from words only, padded with blanks', () => {
  expect([...trigramsOf(['ab', '12', 'b500s'])]).toEqual([' ab', 'ab '])
})

test('a rarer token weighs more, and an unknown one most', () => {
  const idf = [0, 1, 10, 100].map((count) => idfOf({ documents: 100, count }))
  expect(idf).toEqual([...idf].sort((a, b) => b - a))
  expect(idf[0]).toBeCloseTo(Math.log(101), 10)
  expect(idf[3]).toBeGreaterThan(0)
})
