import { toText } from '@catalog/core/money/rational.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideLine, type LineCandidate } from './bill-of-materials.ts'
import { readItem } from './item-reading.ts'
import { unitFit } from './line-units.ts'

const candidate = (name: string, unit: string): LineCandidate => ({
  itemId: `${name} ${unit}`,
  names: [name],
  unit,
  score: 1,
  cos: 0.9,
})
const decide = (text: string, unit: string, ...candidates: LineCandidate[]) =>
  decideLine({ text, unit }, { candidates, margin: null })

/** Item units by hand: EN 10080 and ASTM A615 for bars, EN 1991-1-1 for loose goods, 8 h a day. */
const CONVERTED = [
  ['barra corrugada 12 mm', 'kg', 'Barra corrugada 12 mm', 'm', 1 / 0.888, '0.888 kg/m', 'nominal'],
  ['barra corrugada 12 mm', 't', 'Barra corrugada 12 mm', '12 m', 1000 / 0.888 / 12, '0.888 kg/m', 'nominal'],
  ['barra corrugada 10 mm', 'm', 'Barra corrugada 10 mm', 'kg', 0.617, '0.617 kg/m', 'nominal'],
  ['barra corrugada Ø16 mm', 'm', 'Barra corrugada 16 mm', 't', 0.00158, '1.58 kg/m', 'nominal'],
  ['vergalhão CA-50 12,5 mm', 'kg', 'Vergalhão CA-50 12,5 mm', '12 m', 1 / 0.963 / 12, '0.963 kg/m', 'nominal'],
  [
    'varilla corrugada 3/8" tramo 12 m',
    'pza',
    'Varilla corrugada 3/8"',
    'kg',
    12 * 0.56,
    '12 m × 0.560 kg/m',
    'nominal',
  ],
  ['varilla corrugada 1/2"', 'ton', 'Varilla corrugada 1/2"', '12 m', 1000 / 0.994 / 12, '0.994 kg/m', 'nominal'],
  ['rebar #4 grade 60', 'lb', 'Rebar #4 (1/2 in) grade 60', 'ft', 0.45359237 / 0.994 / 0.3048, '0.994 kg/m', 'nominal'],
  ['Bewehrungsstahl B500B 12 mm', 't', 'Betonstahl B500B 12 mm', '12 m', 1000 / 0.888 / 12, '0.888 kg/m', 'nominal'],
  ['arena fina', 'm3', 'Arena fina', 't', 1.6, '1.6 t/m³', 'approximate'],
  ['brita 1', 'm3', 'Brita 1', 't', 1.6, '1.6 t/m³', 'approximate'],
  ['gravier lavé', 't', 'Gravier lavé', 'm3', 1 / 1.6, '1.6 t/m³', 'approximate'],
  ['ghiaia', 'm3', 'Ghiaia', 'kg', 1600, '1.6 t/m³', 'approximate'],
  ['cemento gris a granel', 'm3', 'Cemento gris a granel', 't', 1.6, '1.6 t/m³', 'approximate'],
  ['Oberboden', 'm3', 'Oberboden', 't', 1.5, '1.5 t/m³', 'approximate'],
  ['zahorra artificial', 'm3', 'Zahorra artificial', 't', 1.9, '1.9 t/m³', 'approximate'],
  ['masonry sand', 'cy', 'Masonry sand', 'short ton', (0.764554857984 * 1600) / 907.18474, '1.6 t/m³', 'approximate'],
  ['triplay 18 mm 1.22x2.44 m', 'hoja', 'Triplay 18 mm', 'm2', 1.22 * 2.44, '2.9768 m²', 'exact'],
  ['triplay 18 mm', 'm2', 'Triplay 18 mm 1.22x2.44 m', 'hoja', 1 / (1.22 * 2.44), '0.335931 sheet', 'exact'],
  ['plasterboard 12.5 mm 2400x1200', 'sheet', 'Plasterboard 12.5 mm', 'm2', 2.88, '2.88 m²', 'exact'],
  ['gypsum board 1/2 in 4x8', 'sheet', 'Gypsum board 1/2 in', 'ft2', 32, '32 ft²', 'exact'],
  ['plywood 18 mm', 'm2', 'Plywood 18 mm 1.22x2.44 m', 'u', 1 / (1.22 * 2.44), '0.335931 u', 'exact'],
  ['desmoldante 114 l', 'tambo', 'Desmoldante', '19 l', 6, '6 × 19 l', 'exact'],
  ['thinner', 'tambo 200 l', 'Thinner', 'l', 200, '200 l', 'exact'],
  ['cable THW 12 AWG', 'm', 'Cable THW 12 AWG', '100 m', 0.01, '1/100 × 100 m', 'exact'],
  ['cable H07V-K 2,5 mm2 100 m', 'drum', 'Cable H07V-K 2,5 mm2', 'm', 100, '100 m', 'exact'],
  ['acero B 500 S', 'kg', 'Acero B 500 S', 't', 0.001, '0.001 t', 'exact'],
  ['tabique rojo', 'millar', 'Tabique rojo', 'pza', 1000, '1000 u', 'exact'],
  ['facing brick', 'thou', 'Facing brick', '100 u', 10, '10 × 100 u', 'exact'],
  ['oficial albañil', 'jornal', 'Oficial albañil', 'h', 8, '8 h/d', 'nominal'],
  ['carpenter', 'day', 'Carpenter', 'hour', 8, '8 h/d', 'nominal'],
  ['cemento gris', 'bto', 'Cemento gris', '50 kg', 1, '1 × 50 kg', 'nominal'],
] as const

describe('a line in another unit is converted, and says how:', () => {
  test.each(CONVERTED)('%j, %s: %j by %s', (text, unit, name, sold, itemUnits, shown, exactness) => {
    const { status, best } = decide(text, unit, candidate(name, sold))
    const { n, d } = best?.itemUnits ?? { n: 0n, d: 1n }
    expect(Number(n) / Number(d)).toBeCloseTo(itemUnits, 9)
    expect(best?.conversion).toMatchObject({ text: shown, exactness, source: expect.stringMatching(/\w/) })
    expect(status).toBe('matched')
  })
})

test.each([
  ['barra corrugada', 'kg', 'Barra corrugada 12 mm', 'm', 'a diameter that the line leaves open'],
  ['barra corrugada 8 mm y 10 mm', 'kg', 'Barra corrugada', 'm', 'two bars'],
  ['barra corrugada 23 mm', 'kg', 'Barra corrugada', 'm', 'a bar of no standard'],
  ['mortero cemento-arena', 'm3', 'Mortero cemento-arena', 't', 'a mortar, which is no sand'],
  ['arena fina', 'm3', 'Arena fina', '25 kg', 'retail bags'],
  ['retroexcavadora', 'day', 'Retroexcavadora', 'h', 'the day of a machine'],
  ['cemento gris 35 kg', 'saco', 'Cemento gris', '25 kg', 'a bag of another size'],
  ['ventana aluminio', 'm2', 'Ventana aluminio 1.20x1.00 m', 'u', 'windows by the area'],
  ['cemento gris', 'saco', 'Cemento gris', 'kg', 'a bag of unknown contents'],
  ['pasta de juntas saco 20 kg', 'saco', 'Pasta de juntas', 'kg', 'a bag of what is sold loose'],
  ['arena fina', 'm2', 'Arena fina', 't', 'an area of sand'],
])('%j, %s is not priced by %j per %s: %s', (text, unit, name, sold) => {
  const { status, best } = decide(text, unit, candidate(name, sold))
  expect([status === 'matched', best?.itemUnits ?? null]).toEqual([false, null])
})

test.each([
  ['ladrillo cara vista 24x11,5x5', 'm2', 'Ladrillo cara vista 24x11,5x5', 'u', '32 to 67 u/m²'],
  ['bloco de concreto 14x19x39', 'm2', 'Bloco de concreto 14x19x39', 'millar', '13 to 17 u/m²'],
])('bricks of a wall are a choice: %j per %s', (text, unit, name, sold, shown) => {
  const brick = candidate(name, sold)
  const alone = decide(text, unit, brick)
  expect(alone).toMatchObject({ status: 'ambiguous', best: { itemUnits: null, evidence: { unit: 'unknown' } } })
  expect(alone.best?.conversion).toMatchObject({ text: shown, exactness: 'approximate' })
  const work = candidate(`Fábrica de ${name}`, 'm2')
  expect(decide(text, unit, work, brick)).toMatchObject({
    status: 'ambiguous',
    alternatives: [{ itemId: brick.itemId }],
  })
})

describe('of one article in two packs, the one that measures the line is meant', () => {
  test.each([
    ['m', 'm'],
    ['100 m', '100 m'],
    ['500 m', '100 m'],
    ['rollo', '100 m'],
  ])('a line in %s: that of %s', (unit, sold) => {
    const packs = [
      candidate('Cable THW calibre 12 AWG rollo 100 m', '100 m'),
      candidate('Cable THW calibre 12 AWG', 'm'),
    ]
    const { status, best, alternatives } = decide('cable THW cal 12', unit, ...packs)
    expect([status, best?.itemId.endsWith(` ${sold}`), alternatives.length]).toEqual(['matched', true, 1])
  })

  test('and two articles stay two', () => {
    const [l, m] = ['L', 'M'].map((type) =>
      candidate(`Cemento CEM II/B-${type} 32,5`, type === 'L' ? '25 kg' : '10 kg'),
    )
    expect(decide('cemento CEM II 32,5', 'kg', l as LineCandidate, m as LineCandidate).status).toBe('ambiguous')
  })
})

test('there and back is the same quantity, to the last digit', () => {
  const goods = [
    ['Barra corrugada 12 mm', ['kg', 't', 'm', '12 m', 'ft']],
    ['Arena fina', ['m3', 't', 'kg', 'cy', 'short ton']],
    ['Oficial albañil', ['jornal', 'h']],
    ['Cable', ['m', '100 m', 'km', 'ft']],
    ['Triplay 1.22x2.44 m', ['hoja', 'm2', 'ft2']],
  ] as const
  const pairs = fc
    .constantFrom(...goods)
    .chain(([name, units]) => fc.tuple(fc.constant(name), fc.constantFrom(...units), fc.constantFrom(...units)))
  const unitsOf = (name: string, unit: string, sold: string) => {
    const item = readItem({ names: [name], unit: sold })
    const { itemUnits } = unitFit(soldUnit({ unit }), item, item)
    return itemUnits ?? { n: 0n, d: 1n }
  }
  fc.assert(
    fc.property(pairs, ([name, one, other]) => {
      const [there, back] = [unitsOf(name, one, other), unitsOf(name, other, one)]
      expect([there.n * back.n, there.d * back.d]).toEqual([there.d * back.d, there.d * back.d])
      expect(there.n).toBeGreaterThan(0n)
    }),
  )
})

test('dimensions without a row never convert', () => {
  const units = ['m2', 'h', 'kWh', 'u', 'day'] as const
  fc.assert(
    fc.property(fc.constantFrom(...units), fc.constantFrom(...units, 'kg', 'm3', 't'), (unit, sold) => {
      fc.pre(soldUnit({ unit }).dimension !== soldUnit({ unit: sold }).dimension)
      const item = readItem({ names: ['Arena fina'], unit: sold })
      const { fit, itemUnits } = unitFit(soldUnit({ unit }), item, item)
      expect([['unknown', 'differs'].includes(fit), itemUnits && toText(itemUnits)]).toEqual([true, null])
    }),
  )
})
