import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunksOf, designationsOf, isNominallyEqual, preparedName, readSize, type Size, sizesOf } from './sizes.ts'

/** Sizes as "dimension values": "length 0.6x0.6". */
const read = (text: string, lang?: string) =>
  sizesOf(text, lang).map(({ dimension, values }) => `${dimension} ${values.join('x')}`)
const first = (text: string, lang?: string) => sizesOf(text, lang)[0] as Size

describe('the sizes of a name', () => {
  test.each([
    ['drywall 12,5', 'number 12.5'],
    ['drywall 12.5', 'number 12.5'],
    ['drywall 12.50', 'number 12.5'],
    ['placa 12,5 mm', 'length 0.0125'],
    ['placa 12.5mm', 'length 0.0125'],
    ['drywall 1/2 in', 'length 0.0127'],
    ['drywall ½"', 'length 0.0127'],
    ['drywall 1/2”', 'length 0.0127'],
    ["drywall 1/2''", 'length 0.0127'],
    ['tubo 1 1/2"', 'length 0.0381'],
    ['tubo 1½ pulgadas', 'length 0.0381'],
    ['Rohr 2 Zoll', 'length 0.0508'],
    ['codo 1/2', 'length 0.0127'],
    ['cable 3x1.5', 'number 3x1.5'],
    ['cable 3 x 1,5', 'number 3x1.5'],
    ['manguera 3G1,5', 'number 3x1.5'],
    ['cable 2,5 mm²', 'area 0.0000025'],
    ['cable 2.5 mm2', 'area 0.0000025'],
    ['baldosa 60x60 cm', 'length 0.6x0.6'],
    ['baldosa 60 × 60 cm', 'length 0.6x0.6'],
    ['baldosa 60cm x 60cm', 'length 0.6x0.6'],
    ['placa 1200x2500x12.5 mm', 'length 1.2x2.5x0.0125'],
    ["plywood 4' x 8'", 'length 1.2192x2.4384'],
    ['barra Ø12', 'length 0.012'],
    ['barra ø 12', 'length 0.012'],
    ['barra Ø 12 mm', 'length 0.012'],
    ['saco 25 kg', 'mass 25'],
    ['bag of 40 lb', 'mass 18.1436948'],
    ['cartucho 310 ml', 'volume 0.00031'],
    ['tornillo 100 uds', 'count 100'],
    ['Big Bag 1 m³', 'volume 1'],
    ['B 500 S 16 mm', 'length 0.016'],
  ])('%j is %s', (text, expected) => {
    expect(read(text, 'es').filter((size) => size !== '')).toEqual([expected])
  })

  test('stand in the order of the name, each with its unit', () => {
    expect(read('placa 12,5 mm 1.20x2.50 m 30 kg PLADUR 4')).toEqual([
      'length 0.0125',
      'length 1.2x2.5',
      'mass 30',
      'number 4',
    ])
    expect(read('60 cm x 25 kg')).toEqual(['length 0.6', 'mass 25'])
  })

  test.each([
    'DN50',
    'DN 50',
    'M8x40',
    'B500S',
    'B 500 SD',
    'C25/30',
    'HA-25',
    'PN-16',
    'aceite 20w50',
    'LR6',
    'cemento',
    '',
  ])('do not include the number of the designation %j', (text) => {
    expect(read(text)).toEqual([])
  })

  test.each([
    ['1.200 mm', undefined, ['length 1.2']],
    ['1.200 mm', 'es', ['length 1.2']],
    ['1,200 mm', 'es', ['length 1.2']],
    ['3.175 mm', 'en', ['length 0.003175']],
    ['1,200 mm', 'en', ['length 1.2']],
    ['1.200 kg', 'de', ['mass 1200']],
    ['1,200 kg', 'fr', ['mass 1.2']],
    ['1.200 kg', 'es', []],
    ['1.200', undefined, []],
    ['0.125 mm', 'de', ['length 0.000125']],
  ])('%j in %s is %j, as the language or the unit decides', (text, lang, expected) => {
    expect(read(text, lang)).toEqual(expected)
  })

  test('keep the numbers as written beside their values', () => {
    expect(first('1 1/2"')).toEqual({ dimension: 'length', values: [0.0381], written: [1.5], text: '381/10000' })
    expect(first('3x2,5 mm²')).toMatchObject({ written: [3, 2.5], text: '3/1000000x1/400000' })
  })

  test('have one text in any unit of their dimension, and another text for another size', () => {
    const number = fc.integer({ min: 1, max: 99_999 })
    fc.assert(
      fc.property(number, number, (a, b) => {
        const tenths = (n: number) => `${Math.floor(n / 10)},${n % 10}`
        expect(first(`tubo ${a} mm`).text).toBe(first(`tubo ${tenths(a)} cm`).text)
        expect(first(`tubo ${a} mm`).text === first(`tubo ${b} mm`).text).toBe(a === b)
      }),
    )
  })

  test('come from any text without an error, each with as many values as numbers', () => {
    const words = fc.constantFrom(
      '12',
      '1,5',
      '1.200',
      '½',
      '1/2',
      'x',
      '"',
      'Ø',
      'mm',
      'kg',
      '3G2,5',
      '60x60cm',
      "'",
      'DN',
      '/',
    )
    const phrases = fc.array(words, { maxLength: 8 }).map((parts) => parts.join(' '))
    fc.assert(
      fc.property(fc.oneof(phrases, fc.string()), fc.constantFrom(undefined, 'es', 'en', 'de'), (text, lang) => {
        for (const { values, written } of sizesOf(text, lang)) {
          expect(values.length).toBeGreaterThan(0)
          expect(written.length).toBe(values.length)
          expect(values.every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('two sizes', () => {
  test.each([
    ['12.5 mm', '13 mm'],
    ['13 mm', '1/2 in'],
    ['12,5 mm', '1/2 in'],
    ['12,5', '12.5 mm'],
    ['12,5', '1/2"'],
    ['13', '1/2"'],
    ['25 mm', '1"'],
    ['4 ft', '1.2 m'],
    ['25 kg', '55 lb'],
    ['25', '25 kg'],
    ['3x2,5', '3x2.5 mm²'],
    ['3G2,5', '3x2.5 mm²'],
    ['60x60', '60x60 cm'],
    ['60x60', '600x600 mm'],
    ['1.20x2.50', '1200x2500 mm'],
    ['Ø12', '12 mm'],
    ['9,5 mm', '3/8"'],
  ])('%s and %s are sold as one', (a, b) => {
    expect(isNominallyEqual(first(a), first(b))).toBe(true)
    expect(isNominallyEqual(first(b), first(a))).toBe(true)
  })

  test.each([
    ['12 mm', '12.5 mm'],
    ['10 mm', '12 mm'],
    ['15 mm', '16 mm'],
    ['24 cm', '25 cm'],
    ['3x1.5', '3x2.5'],
    ['3x1.5 mm²', '3x2.5 mm²'],
    ['3x1.5', '2x1.5'],
    ['3x1.5', '1.5'],
    ['25 kg', '25 lb'],
    ['25 kg', '25 l'],
    ['100 uds', '101 uds'],
    ['12', '12.5'],
    ['13', '1.2 kg'],
    ['60', '600 mm'],
    ['60x60', '60x60 mm2 60x120 cm'],
  ])('%s and %s are two', (a, b) => {
    const last = sizesOf(b).at(-1) as Size
    expect(isNominallyEqual(first(a), last)).toBe(false)
    expect(isNominallyEqual(last, first(a))).toBe(false)
  })
})

describe('what the matcher reads', () => {
  test('is certain: an exact value with its unit, or the written number', () => {
    expect(readSize('12,5', 'mm', 'es')).toEqual({ kind: 'length', numbers: ['1/80'], takesNext: true })
    expect(readSize('60x60cm', undefined, 'es')).toEqual({ kind: 'length', numbers: ['3/5', '3/5'], takesNext: false })
    expect(readSize('12.50', 'gris', 'es')).toEqual({ kind: 'number', numbers: ['12.5'], takesNext: false })
    expect(readSize('1.000', 'mm', 'es')).toEqual({ kind: 'number', numbers: ['1.000'], takesNext: false })
    expect(readSize('1.000mm', undefined, 'es')).toBeNull()
    expect(readSize('20w50', undefined, 'es')).toBeNull()
  })

  test('are the designations of a name, by family', () => {
    const designations = (name: string) =>
      designationsOf(preparedName(name)).map(({ family, value }) => `${family} ${value}`)
    expect(designations('Tubo DN-50 PN 16')).toEqual(['type dn 50', 'type pn 16'])
    expect(designations('CEM II / A-L 42,5 R')).toEqual(['type cem ii/a-l', 'strength 42.5'])
    expect(designations('Suelo 5 m2')).toEqual([])
    expect(chunksOf(preparedName('Hormigón HA 25, 3 1/2"'))).toEqual(['hormigon', 'ha25', '3.500000', 'in'])
  })
})
