import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kindDifference } from './differences.ts'
import { type KindReading, type KindTexts, kindOf } from './kind-of.ts'
import { readVocabulary, SUBJECTS, type Subject } from './vocabulary.ts'

/** Units of examples that state none. */
const UNITS: Readonly<Record<Subject, string>> = {
  kinds: 'u',
  grades: 'h',
  trades: 'h',
  machines: 'h',
  operators: 'h',
  actions: 'm2',
}

function says(subject: Subject, reading: KindReading): readonly (string | null)[] {
  if (subject === 'grades') return [reading.grade]
  if (subject === 'trades') return reading.trades
  if (subject === 'actions') return [reading.action]
  if (subject === 'operators') return [reading.operator]
  return [reading.kind]
}

describe('the vocabularies', () => {
  test.each(SUBJECTS)('every example of %s is read as its entry says', (subject) => {
    const wrong: string[] = []
    for (const { value, examples } of readVocabulary(subject)) {
      for (const example of examples) {
        const [name = '', unit = UNITS[subject], category] = example.split(' | ')
        const found = kindOf({ name, unit, ...(category ? { categoryPath: [category] } : {}) })
        const expected = subject === 'machines' ? 'machinery' : value
        if (!says(subject, found).includes(expected)) wrong.push(`${value}: ${example}: ${JSON.stringify(found)}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

const read = (name: string, unit: string | null = 'h', more: Partial<KindTexts> = {}) => kindOf({ name, unit, ...more })

describe('the kind of a SKU', () => {
  test.each([
    ['Oficial 1ª electricista', 'h', 'labour'],
    ['Excavadora de cadenas 20 t con maquinista', 'h', 'machinery'],
    ['Alquiler miniexcavadora 2 t sin maquinista', 'day', 'hire'],
    ['Site dumper 1.5 t', 'h', 'machinery'],
    ['Suministro y colocación de bordillo', 'm', 'work'],
    ['Demolición de solera', 'm2', 'work'],
    ['PAVED SIDE DITCH, C, REMOVE', 'm', 'work'],
    ['Cemento gris CEM II', 'saco 25 kg', 'material'],
    ['Pump', 'u', null],
    ['GUARDRAIL W-BEAM', 'm', null],
  ] as const)('%s by the %s is %s', (name, unit, kind) => {
    expect(read(name, unit).kind).toBe(kind)
  })

  test('says which word, unit, structure or category told it', () => {
    expect(read('Oficial 1ª electricista').evidence).toEqual([
      { about: 'kind', value: 'labour', by: 'unit', text: 'h' },
      { about: 'kind', value: 'labour', by: 'word', text: 'oficial 1a' },
      { about: 'grade', value: 'first', by: 'word', text: 'oficial 1a' },
      { about: 'trade', value: 'electrician', by: 'word', text: 'electricista' },
    ])
    expect(read('Bentonita', 'u', { categoryPath: ['Materiales', 'Varios'] }).evidence).toEqual([
      { about: 'kind', value: 'material', by: 'category', text: 'materiales' },
    ])
    expect(read('Drill', 'u', { gtin: '4006381333931' }).evidence).toEqual([
      { about: 'kind', value: 'material', by: 'structure', text: 'gtin 4006381333931' },
    ])
  })

  test('tells the person who runs a machine from the machine that comes with one', () => {
    expect(read('Excavator operator')).toMatchObject({ kind: 'labour', trades: ['machine operator'] })
    expect(read('Maquinista de excavadora')).toMatchObject({ kind: 'labour' })
    expect(read('Crawler excavator 44,000 lb with operator')).toMatchObject({ kind: 'machinery', operator: 'with' })
    expect(read('Skid steer loader with operator')).toMatchObject({ kind: 'machinery', operator: 'with' })
    expect(read('Grúa autopropulsada 30 t con gruista')).toMatchObject({ kind: 'machinery', operator: 'with' })
  })

  test('reads no work into goods that are named after one', () => {
    expect(read('Mortero de reparación R4', 'kg')).toMatchObject({ kind: 'material', action: null })
    expect(read('Cold patch asphalt repair', 'bag')).toMatchObject({ kind: 'material', action: null })
    expect(read('Recycled asphalt millings', 't')).toMatchObject({ kind: 'material', action: null })
  })

  test('reads the words of the stated language alone', () => {
    expect(read('Location de bétonnière', 'day', { lang: 'fr' }).kind).toBe('hire')
    expect(read('Location marker', 'u', { lang: 'en' }).kind).toBeNull()
  })
})

describe('what kinds contradict each other in', () => {
  const differs = (one: KindReading, other: KindReading) => kindDifference(one, other)?.about ?? null

  test.each([
    [read('Electrician'), read('Electrician helper'), 'grade'],
    [read('Oficial 1ª albañil'), read('Oficial 2ª albañil'), 'grade'],
    [read('Oficial 1ª albañil'), read('Encargado albañil'), 'grade'],
    [read('Oficial primera electricista'), read('Oficial primera fontanero'), 'trade'],
    [read('Crawler excavator 44,000 lb'), read('Excavator operator'), 'kind'],
    [read('PAVED SIDE DITCH, C', 'm'), read('PAVED SIDE DITCH, C, REMOVE', 'm'), 'action'],
    [read('Suministro de bordillo', 'm'), read('Demolición de bordillo', 'm'), 'kind'],
    [read('Pose de bordure', 'm'), read('Dépose de bordure', 'm'), 'action'],
    [read('Alquiler de andamio', 'u'), read('Andamio', 'u', { gtin: '4006381333931' }), 'kind'],
    [read('Alquiler de andamio', 'u'), read('Andamio', 'u'), 'kind'],
    [read('Skid steer loader with operator'), read('Backhoe loader 70 kW with operator'), 'machine'],
    [read('Excavación en material común', 'm3'), read('Relleno con material común', 'm3'), 'action'],
    [read('Minibagger 2 t ohne Fahrer', 'day'), read('Minibagger 2 t mit Fahrer', 'day'), 'operator'],
  ] as const)('%#: both ways', (one, other, about) => {
    expect(differs(one, other)).toBe(about)
    expect(differs(other, one)).toBe(about)
  })

  test.each([
    [read('Electrician'), read('Electrician journeyman')],
    [read('Oficial albañil'), read('Oficial 1ª albañil')],
    [read('Oficial albañil'), read('Albañil')],
    [read('Tower crane hire 40 m jib', 'day'), read('Grúa torre 40 m de flecha', 'day')],
    [read('Carrelage 60x60', 'm2'), read('Pose de carrelage 60x60', 'm2')],
    [read('Pump', 'u'), read('Bomba', 'u')],
  ])('%#: nothing', (one, other) => {
    expect(differs(one, other)).toBeNull()
  })

  test('law: reading is pure, no text contradicts itself, and swapped sides swap the values', () => {
    const words = fc.constantFrom(
      ...SUBJECTS.flatMap((subject) => readVocabulary(subject).flatMap(({ examples }) => examples)),
    )
    const units = fc.constantFrom('h', 'day', 'm2', 'kg', 'u', 'bag', null)
    const skus = fc.record({ name: fc.oneof(words, fc.string()), unit: units })
    fc.assert(
      fc.property(skus, skus, (a, b) => {
        expect(kindOf(a)).toEqual(kindOf({ ...a }))
        expect(kindDifference(kindOf(a), kindOf(a))).toBeNull()
        const there = kindDifference(kindOf(a), kindOf(b))
        const back = kindDifference(kindOf(b), kindOf(a))
        expect(back).toEqual(there && { about: there.about, one: there.other, other: there.one })
      }),
    )
  })
})
