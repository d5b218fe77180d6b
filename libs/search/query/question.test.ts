import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interpretationOf, readQuestion } from './question.ts'
import { TRADE_WORDS } from './question-words.ts'
import { tokensOf, trigramsOf, trigramsShared } from './text.ts'

const read = (text: string, market: string | null = null) => interpretationOf(readQuestion(text, market))

describe('a question', () => {
  test.each([
    ['what does a bag of cement cost in spain', { thing: 'cement', market: 'ES', unit: 'bag' }],
    ['¿Cuánto cuesta la hora de un albañil?', { thing: 'albanil', unit: 'hora', kind: 'labour' }],
    ['quanto custa um saco de cimento', { thing: 'cimento', unit: 'saco' }],
    ["prix de l'heure d'un plombier", { thing: 'plombier', unit: 'heure', kind: 'labour' }],
    ['was kostet ein Sack Zement 25 kg', { thing: 'zement 25 kg', unit: 'sack', pack: '25 (mass)' }],
    ['cubo pintura plástica 15 l', { thing: 'pintura plastica 15 l', unit: 'cubo', pack: '15 (volume)' }],
    ['arena fina p/ mortero', { thing: 'arena fina para mortero' }],
    ['price per m2 of block paving', { filler: ['price per'] }],
  ])('%s is read as %j', (text, expected) => {
    expect(read(text)).toMatchObject(expected)
  })

  test('keeps a shape that is the thing itself', () => {
    for (const text of ['placa de yeso', 'barra de acero', 'tubo de cobre', 'plaque de plâtre 13mm']) {
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

  test.each(examples)('$query asks for $name before all other examples', ({ query, name, country }) => {
    const asked = trigramsOf(tokensOf(readQuestion(query, country).thing))
    const likeness = (other: string) => {
      const words = tokensOf(other)
      return trigramsShared(asked, words) / Math.sqrt(asked.size * trigramsOf(words).size)
    }
    const others = examples.map((example) => example.name).filter((other) => other !== name)
    expect(Math.max(...others.map(likeness))).toBeLessThanOrEqual(likeness(name))
  })
})
