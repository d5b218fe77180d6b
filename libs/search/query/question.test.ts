import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interpretationOf, readQuestion } from './question.ts'
import { TRADE_WORDS } from './question-words.ts'
import { spellingOf, tokensOf, trigramsOf, trigramsShared } from './text.ts'

const read = (text: string, market: string | null = null) => interpretationOf(readQuestion(text, market))

describe('a question', () => {
  test.each([
    ['what does a bag of cement cost in spain', { thing: 'cement', market: 'ES', unit: 'bag' }],
    ['¿Cuánto cuesta la hora de un albañil?', { thing: 'albanil', unit: 'hora', kind: 'labour' }],
    ['quanto custa um saco de cimento', { thing: 'cimento', unit: 'saco' }],
    ["prix de l'heure d'un plombier", { thing: 'plombier', unit: 'heure', kind: 'labour' }],
    ['was kostet ein Sack Zement 25 kg', { thing: 'zement 25 kg', unit: 'sack', pack: '25 kg' }],
    ['cubo pintura plástica 15 l', { thing: 'pintura plastica 15 l', unit: 'cubo', pack: '15 l' }],
    ['arena fina p/ mortero', { thing: 'arena fina para mortero' }],
    ['puerta c/marco 80', { thing: 'puerta con marco 80' }],
    ['cemento 50k', { thing: 'cemento 50 kg', pack: '50 kg' }],
    ['arena 3 mts', { sizes: ['3 m'] }],
    ['foco 3000k', { thing: 'foco 3000k' }],
    ['camión 14 m3', { thing: 'camion 14 m3' }],
    ['innenputz m2', { unit: 'm2' }],
    ['copper elbow 22', { sizes: ['22'] }],
    ['copper pipe type l', { thing: 'copper pipe type l' }],
    ['quanto cobram o m2 para levantar parede', { thing: 'levantar parede', unit: 'm2' }],
    ['price per m2 of block paving', { filler: ['price per'] }],
  ])('%s is read as %j', (text, expected) => {
    expect(read(text)).toMatchObject(expected)
  })

  test('keeps a shape that is the thing itself', () => {
    for (const text of ['placa de yeso', 'barra de acero', 'cubo de obra', 'tubo de cobre', 'plaque de plâtre 13mm']) {
      expect(readQuestion(text).unit).toBeNull()
    }
  })

  test('of filler alone asks for the filler', () => {
    expect(readQuestion('precio').thing).toBe('precio')
    expect(readQuestion('cost').thing).toBe('cost')
  })

  test('takes a word as its market does', () => {
    expect(readQuestion('varilla 3/8', 'MX').thing).toBe('varilla corrugada 3/8')
    expect(readQuestion('varilla roscada M10', 'MX').thing).toBe('varilla roscada m10')
    expect(readQuestion('disjuntor 20 A', 'BR').thing).toBe('disjuntor 20 a')
  })

  test('takes a short name in the plural too', () => {
    expect(readQuestion('tablarocas', 'MX').thing).toBe(readQuestion('tablaroca', 'MX').thing)
    expect(readQuestion('2 tablarocas, 13 mm', 'MX').thing).toBe(readQuestion('2 tablaroca, 13 mm', 'MX').thing)
    expect(readQuestion('tablarocax', 'MX').shortNames).toEqual([])
    expect(readQuestion('tablaroca-9', 'MX').shortNames).toEqual([])
  })

  test('takes what a thing is for as part of its name only where both are one', () => {
    expect(readQuestion('cola para cano', 'BR').thing).toBe('adesivo plastico para pvc')
    expect(readQuestion('parafuso para drywall', 'BR').thing).toContain('parafuso')
    expect(readQuestion('tinta para reboco', 'BR').thing).toBe('tinta para reboco')
  })

  test('takes a word of several meanings only where the words beside it leave it one', () => {
    expect(readQuestion('angular 40x40', 'ES').thing).toBe('perfil angular 40x40')
    expect(readQuestion('amoladora angular', 'ES').thing).toBe('amoladora angular')
    expect(readQuestion('piso 60x60', 'BR').thing).toBe('piso ceramico 60x60')
    expect(readQuestion('piso laminado', 'BR').thing).toBe('piso laminado')
    expect(readQuestion('massa para juntas', 'BR').thing).toBe('massa para juntas')
  })

  test('says once what a short name and the words beside it both say', () => {
    expect(readQuestion('cable rv-k 4x16', 'ES').thing).toBe('cable rv-k 4x16')
    expect(readQuestion('cimento cp2', 'BR').thing).toBe('cimento cp ii')
  })

  test('leaves a longer term of the lexicon whole', () => {
    expect(readQuestion('diferencial 40 a', 'MX').thing).toBe('interruptor diferencial 40 a')
    expect(readQuestion('diferencial de cadena', 'MX').thing).toBe('diferencial de cadena')
    expect(readQuestion('fierro galvanizado', 'CL').thing).toBe('fierro galvanizado')
  })

  test('hides no short name behind a longer one of another country', () => {
    expect(readQuestion('thw 12', 'MX').thing).toBe('cable thw 12')
    expect(readQuestion('thw 12', 'CL').thing).toBe('cable de cobre thw 12')
  })

  test('finds no short name within a number', () => {
    expect(readQuestion('Circular hollow section 60.3x3 mm', 'GB').shortNames).toEqual([])
    expect(readQuestion('3x3 post', 'GB').shortNames).toMatchObject([{ text: '3x3' }])
  })

  test('writes no short name out that only says what the thing is for', () => {
    expect(readQuestion('tornillos para pladur', 'ES').shortNames).toEqual([])
  })

  test('reads the number of a bar as its size, and a grade as none', () => {
    expect(readQuestion('rebar #4').sizes.map(({ text }) => text)).toEqual(['127/10000'])
    expect(readQuestion('cemento CPC 40', 'MX').sizes).toEqual([])
  })

  test('with a letter or digit always asks for something', () => {
    const words = fc.constantFrom(
      'price',
      'of',
      'cuánto cuesta',
      'in spain',
      'bag of',
      'per hour',
      'el',
      'cement',
      '25 kg',
      '?',
    )
    fc.assert(
      fc.property(fc.array(words, { minLength: 1 }), (parts) => {
        const text = parts.join(' ')
        expect(/[a-z0-9]/.test(readQuestion(text).thing)).toBe(/[a-z0-9]/.test(text))
      }),
    )
  })
})

describe('every entry of the trade words', () => {
  const examples = TRADE_WORDS.flatMap(({ countries = [null], examples }) =>
    Object.entries(examples).map(([query, name]) => ({ query, name, country: countries[0] ?? null })),
  )

  const known = [...new Set(examples.map(({ name }) => name))].map((name) => {
    const words = tokensOf(name)
    return { name, words, count: trigramsOf(words).size, things: conceptsOf(name) }
  })

  test.each(examples)('$query asks for $name before all names of other things', ({ query, name, country }) => {
    const asked = trigramsOf(tokensOf(readQuestion(query, country).thing))
    const likeness = ({ words, count }: (typeof known)[number]) =>
      trigramsShared(asked, spellingOf(words)) / Math.sqrt(asked.size * count)
    const wanted = known.find((other) => other.name === name) as (typeof known)[number]
    const others = known.filter((other) => other.things.isDisjointFrom(wanted.things))
    expect(likeness(wanted)).toBeGreaterThan(0)
    expect(Math.max(...others.map(likeness))).toBeLessThanOrEqual(likeness(wanted))
  })

  test('has one meaning in a country', () => {
    const meanings = TRADE_WORDS.flatMap(({ words, countries = ['every'] }) =>
      words.flatMap((word) => countries.map((country) => `${word} in ${country}`)),
    )
    expect(meanings.filter((meaning, at) => meanings.indexOf(meaning) !== at)).toEqual([])
  })
})
