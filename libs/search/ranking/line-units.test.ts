import { toText } from '@catalog/core/money/rational.ts'
import { describe, expect, test } from 'vitest'
import { decideLine, type LineCandidate } from './bill-of-materials.ts'
import { lineUnit } from './line-units.ts'

const candidate = (name: string, unit: string): LineCandidate => ({
  itemId: `${name} ${unit}`,
  names: [name],
  unit,
  score: 1,
  cos: 0.9,
})
const decide = (text: string, unit: string, ...candidates: LineCandidate[]) =>
  decideLine({ text, unit }, { candidates, margin: null })

describe('a piece of a list is so much of what is sold by measure:', () => {
  test.each([
    ['varilla corrugada 3/8" tramo 12 m', 'pza', 'Varilla corrugada 3/8"', 'm', '12'],
    ['2x4x8 framing lumber', 'ea', '2x4 framing lumber', 'ft', '8'],
    ['2x4x8 framing lumber', 'ea', '2x4 framing lumber', 'm', '1524/625'],
    ['gypsum board 1/2 in 4x8', 'sheet', 'Gypsum board 1/2 in', 'm²', '1161288/390625'],
    ['placa de yeso 13 mm 1,2x2,5 m', 'ud', 'Placa de yeso 13 mm', 'm²', '3'],
    ['drywall screws #6', 'box', 'Drywall screws #6', '500 u', '1'],
    ['cimento cinza', 'sc', 'Cimento cinza', '50 kg', '1'],
  ])('%j, %s: %s per %s', (text, unit, name, sold, expected) => {
    const { status, best } = decide(text, unit, candidate(name, sold))
    expect([status, best?.itemUnits && toText(best.itemUnits)]).toEqual(['matched', expected])
  })

  test.each([
    ['tubo de cobre 22 mm', 'pza', 'Tubo de cobre 22 mm', 'm'],
    ['azulejo 20x20 cm', 'ud', 'Azulejo 20x20 cm', 'm²'],
    ['perfil 3 m o 6 m', 'pza', 'Perfil 3 m o 6 m', 'm'],
  ])('and unknown where its length or area is not stated: %j, %s', (text, unit, name, sold) => {
    const { best } = decide(`${text} azul`, unit, candidate(`${name} azul`, sold))
    expect(best?.itemUnits ?? null).toBe(null)
  })
})

test('of two alike, the one whose unit measures the line is meant', () => {
  const [loose, bag] = [candidate('Mortero de juntas CG2 gris', 'kg'), candidate('Mortero de juntas CG2 gris', '5 kg')]
  const { status, best } = decide('mortero juntas CG2 gris fino', 'saco', loose, bag)
  expect([status, best?.itemId]).toEqual(['matched', bag.itemId])
})

test('a strength that the item leaves open stays open', () => {
  const concrete = candidate('Ready-mixed concrete foamed', 'm³')
  expect(decide('ready-mixed concrete C28/35', 'm3', concrete).status).toBe('ambiguous')
  expect(decide('ready-mixed concrete', 'm3', concrete).status).toBe('matched')
})

test('a number that the name holds is found, and one size written twice is one', () => {
  expect(decide('codo pvc 110 a 87', 'ud', candidate('Codo PVC 110 mm 87º', 'u')).status).toBe('matched')
  expect(decide('vergalhao 10mm (3/8)', 'un', candidate('Vergalhão 10 mm', 'u')).status).toBe('matched')
})

describe('a unit is read as builders write it', () => {
  test.each([
    ['bag', 'bto bto. bulto saco sc. sco Sack sac sacco'],
    ['bar', 'tramo tr. barra br Stange barre verga'],
    ['sheet', 'hoja hja. placa chapa Tafel plaque lastra'],
    ['roll', 'rollo rll. rolo Rolle rouleau rotolo'],
    ['pack', 'VE Geb. paq'],
    ['man-day', 'jornal jor. jrn'],
    ['thousand', 'thou millar milheiro Tsd. millier migliaio'],
    ['hundred', 'cto. ciento cento Hundert'],
    ['m³', 'cum cu.m m3 cbm'],
    ['m²', 'SM sqm m2 qm mq'],
    ['m', 'lm lfm lfdm ml m.l. ML mts'],
    ['u', 'nr Nr. No. u. und. Und Stk Stk. St. pza ea pz un unité pezzo'],
    ['lump sum', 'Psch psch. glb GLB vb VB est. P.A. pschl item forfait corpo'],
    ['month', 'mth mes Monat'],
    ['t', 'ton tn to TM'],
  ])('%s: %s', (unit, spellings) => {
    const read = spellings.split(' ').map((spelling) => [spelling, lineUnit(spelling).label])
    expect(read).toEqual(spellings.split(' ').map((spelling) => [spelling, unit]))
  })

  test.each([
    ['US', 'ton', 'short ton'],
    ['GB', 'ton', 't'],
    ['US', 'M', 'thousand'],
    ['CL', 'gl', 'lump sum'],
    ['PE', 'gl', 'US gal'],
    ['BR', 'gl', 'gallon can'],
  ])('and as in its market: %s, %s is %s', (market, spelling, unit) => {
    expect(lineUnit(spelling, { market, text: 'face brick' }).label).toBe(unit)
  })
})
