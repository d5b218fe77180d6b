import { describe, expect, test } from 'vitest'
import { type AttributesByRole, attributeDifference, valueTexts } from './attribute-differences.ts'
import { attributesOf, type NamedSku } from './attributes-of.ts'
import { InvalidVocabulary, readVocabulary } from './vocabulary.ts'

const byRole = (sku: NamedSku): AttributesByRole => Map.groupBy(attributesOf(sku), ({ role }) => role)
const difference = (a: string, b: string) =>
  attributeDifference(byRole({ name: a }), byRole({ name: b }))?.about ?? null

describe('attributes', () => {
  test('have a role, exact values, a unit and the text that says them', () => {
    expect(attributesOf({ name: 'Ready mix concrete 3000 psi' })).toEqual([
      { role: 'concrete strength', values: ['21'], unit: 'MPa', text: '3000 psi' },
    ])
    expect(attributesOf({ name: 'Tubo 20 mm', lang: 'es' })).toContainEqual({
      role: 'length',
      values: ['1/50'],
      unit: 'm',
      text: '20 mm',
    })
  })

  test('take the trade from the category, where the name does not say it', () => {
    const roles = (categoryPath: readonly string[]) =>
      attributesOf({ name: 'C25/30 XC2', categoryPath }).map(({ role }) => role)
    expect(roles(['Materials', 'Concrete'])).toContain('concrete strength')
    expect(roles(['Materials', 'Timber'])).not.toContain('concrete strength')
  })

  test('are shown to people in short numbers with their unit', () => {
    expect(valueTexts(attributesOf({ name: 'Window 60 x 48 in' }))).toEqual(['1524 x 1219 mm'])
    expect(valueTexts(attributesOf({ name: 'Perno 1.5 m' }))).toEqual(['1.5 m'])
  })

  test.each([
    'Ceramic brick type',
    'Expansion type anchor',
    'Tipos de cal',
    'Tuyau PVC classe',
    'Pipe series',
    'Puerta grados',
  ])('are not read from the ending of a word: %j has no type, class or series', (name) => {
    expect(attributesOf({ name })).toEqual([])
  })

  test.each([
    ['Tuyau PVC classe A', 'Tuyau PVC classe B', 'class'],
    ['Concrete 3000 psi', 'Concrete 5000 psi', 'concrete strength'],
    ['Hormigón HA-25', "Concreto f'c 210 kg/cm²", 'concrete strength'],
    ['Hormigón C25/30', 'Concrete C30/37', 'concrete strength'],
    ['Hormigón HA-25/B/20/XC2', 'Hormigón HA-25/F/20/XC2', 'consistency'],
    ['Aluminum window 100x120 cm', 'Aluminium window 120x120 cm', 'face'],
    ['Aluminum window 60 x 48 in', 'Vinyl window 60 x 48 in', 'frame'],
    ['Prehung door 3-0 x 6-8', 'Prehung door 2-8 x 6-8', 'face'],
    ['HMA TYPE C', 'HMA TYPE D', 'type'],
    ['Concrete pipe class III', 'Concrete pipe class IV', 'class'],
    ['Recycled asphalt millings', 'Asphalt concrete AC 14', 'asphalt product'],
    ['Binder PG 64-22', 'Asphalt binder PG 76-22', 'binder grade'],
    ['Rebar grade 40', 'Rebar grade 60', 'steel yield'],
    ['Cable 3x2,5 mm²', 'Cable 5x2,5 mm²', 'section'],
    ['Interruptor diferencial 2P 40 A', 'Interruptor diferencial 4P 40 A', 'poles'],
    ['Circuit breaker 16 A', 'Circuit breaker 20 A', 'rated current'],
    ['Cemento CEM II/B-L 32,5 N', 'Cemento CEM II/A-L 32,5 N', 'cement constituents'],
    ['Pipe 8 IN', 'Pipe 10 IN', 'length'],
    ['Tubo PN 10 32 mm', 'Tubo PN 16 32 mm', 'nominal pressure'],
    ['PVC pipe SCH 40', 'PVC pipe SCH 80', 'schedule'],
    ['Excavadora 20 t', 'Excavator 30 t', 'machine mass'],
  ])('%j and %j differ in %s', (a, b, about) => {
    expect([difference(a, b), difference(b, a)]).toContain(about)
    expect(difference(a, b)).not.toBeNull()
  })

  test.each([
    ['Concreto 3000 psi', 'Hormigón elaborado H-21'],
    ['Concreto 3000 psi', "Concreto f'c 210 kg/cm²"],
    ['Concreto fck 25 MPa', 'Betão C25/30'],
    ['Varilla grado 42', 'Rebar grade 60'],
    ['Fierro A63-42H', 'Varilla 60.000 psi'],
    ['Aluminium window 100x120 cm', 'Aluminum window 1200 x 1000 mm'],
    ['Prehung door 3-0 x 6-8', 'Prehung door 36 x 80 in'],
    ['Drywall 1/2 in', 'Placa de yeso 12,5 mm'],
    ['Mortero M-7,5', 'Masonry mortar M7.5'],
    ['2x4 stud', 'Timber stud 38x89 mm'],
    ['Excavator 44,000 lb', 'Excavadora 20 t'],
    ['Portland cement Type I/II', 'Portland cement Type II'],
    ['Pipe class III', 'Pipe class 3'],
    ['Cement', 'Cement CEM II/B-L 32,5 N'],
    ['Cable 2,5 mm²', 'Cable 3x2,5 mm²'],
    ['Disjuntor bipolar 20 A', 'Breaker 2P 20A'],
  ])('%j and %j may be one product', (a, b) => {
    expect(difference(a, b)).toBeNull()
    expect(difference(b, a)).toBeNull()
  })
})

describe('a vocabulary that breaks the schema names the place', () => {
  const role = { role: 'size', forms: [{ write: '{n} mm', examples: { 'Bar 3 mm': 3 } }] }
  test.each([
    [{ trade: 'x', roles: [{ ...role, forms: [{ write: '{n} mm', examples: {} }] }] }, 'roles.0.forms.0.examples'],
    [{ trade: 'x', roles: [{ ...role, forms: [{ words: ['a'], examples: { a: 'b' } }] }] }, 'expected words with is'],
    [{ trade: 'x', roles: [{ ...role, forms: [{ write: '{size}', examples: { a: 'b' } }] }] }, '{size}: expected'],
    [{ trade: 'x', roles: [{ ...role, forms: [{ write: '(', examples: { a: 'b' } }] }] }, 'a regular expression'],
  ])('%j', (content, message) => {
    expect(() => readVocabulary(content, 'x.yaml')).toThrow(InvalidVocabulary)
    expect(() => readVocabulary(content, 'x.yaml')).toThrow(message)
  })
  test('with a unit of another quantity', () => {
    const forms = [{ write: '{n} kg', unit: 'kg', examples: { 'Bar 3 kg': 3 } }]
    expect(() => readVocabulary({ trade: 'x', roles: [{ role: 'size', unit: 'mm', forms }] }, 'x.yaml')).toThrow(
      "x.yaml: size: 'kg' in 'mm': expected two units of one quantity",
    )
  })
})
