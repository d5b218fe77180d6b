import { readdirSync, readFileSync } from 'node:fs'
import { foldText } from '@catalog/core/text.ts'
import { describe, expect, test } from 'vitest'
import { lexiconConcepts, parseConcepts } from './lexicon.ts'

const concepts = lexiconConcepts()
const LANGUAGES = ['en', 'es', 'pt', 'fr', 'de', 'it'] as const

describe('the concepts', () => {
  test('are at least 800, with distinct ids', () => {
    expect(concepts.length).toBeGreaterThanOrEqual(800)
    expect(new Set(concepts.map(({ id }) => id)).size).toBe(concepts.length)
  })

  test('have an unambiguous term in each of the six languages', () => {
    for (const { id, terms } of concepts) {
      for (const lang of LANGUAGES) {
        const plain = terms.filter((term) => term.lang === lang && !term.isAmbiguous)
        expect(plain.length, `'${id}' has only ambiguous terms or none in '${lang}'`).toBeGreaterThan(0)
      }
    }
  })

  test('have terms of all fourteen countries', () => {
    const countOf = new Map<string, number>()
    for (const { lang, country } of concepts.flatMap(({ terms }) => terms)) {
      // French, German and Italian have one country each.
      const key = country ?? (['fr', 'de', 'it'].includes(lang) ? lang.toUpperCase() : '')
      countOf.set(key, (countOf.get(key) ?? 0) + 1)
    }
    for (const country of ['ES', 'MX', 'AR', 'CL', 'CO', 'PE', 'UY', 'BR', 'PT', 'GB', 'US', 'FR', 'DE', 'IT']) {
      expect(countOf.get(country) ?? 0, `terms of ${country}`).toBeGreaterThanOrEqual(60)
    }
  })
})

describe('the terms', () => {
  test('are composed, trimmed and of printable letters, digits and few marks', () => {
    for (const { id, terms } of concepts) {
      for (const { term } of terms) {
        expect(term, `in '${id}'`).toBe(term.normalize('NFC').trim())
        expect(term, `in '${id}'`).toMatch(/^[\p{L}\p{N}][\p{L}\p{N} '\-./+]*$/u)
      }
    }
  })

  test('occur once in their concept, ignoring accents', () => {
    for (const { id, terms } of concepts) {
      const keys = terms.map(({ term, lang, country }) => `${lang} ${country} ${foldText(term)}`)
      expect(keys.length - new Set(keys).size, `terms that stand twice in '${id}'`).toBe(0)
    }
  })

  test('name one concept in their language, unless marked as ambiguous', () => {
    const homeOf = new Map<string, string>()
    for (const { id, terms } of concepts) {
      for (const { term, lang, isAmbiguous } of terms) {
        if (isAmbiguous) continue
        // "pre-stressed" and "pre stressed" are one search term.
        const key = `${lang} ${foldText(term).replace(/[^a-z0-9]+/g, ' ')}`
        expect(homeOf.get(key) ?? id, `'${term}' (${lang}) stands under '${id}' too`).toBe(id)
        homeOf.set(key, id)
      }
    }
  })
})

test('the files are read in less than 30 ms', () => {
  const folder = new URL('../lexicon/', import.meta.url)
  const timesMs = Array.from({ length: 10 }, () => {
    const started = performance.now()
    const taken = new Map<string, string>()
    for (const file of readdirSync(folder)) parseConcepts(readFileSync(new URL(file, folder), 'utf8'), file, taken)
    return performance.now() - started
  })
  // The best of ten: other tests may slow the machine.
  expect(Math.min(...timesMs)).toBeLessThan(30)
})

const PLASTERBOARD = `# Boards
plasterboard  noun
  en: plasterboard, gypsum board | US: drywall
  es: placa de yeso | AR UY: durlock, placa?
  pt: BR: gesso acartonado
  fr: plaque de plâtre, BA13
  de: Gipskartonplatte
  it: cartongesso
`
const SCREW = PLASTERBOARD.replace('plasterboard  noun', 'screw  noun')

describe('a file', () => {
  test('gives concepts with language, country and ambiguity of each term', () => {
    const [concept, ...others] = parseConcepts(PLASTERBOARD, 'boards.txt')
    expect(others).toEqual([])
    expect(concept).toMatchObject({ id: 'plasterboard', pos: 'noun' })
    const written = concept?.terms.map(
      ({ term, lang, country, isAmbiguous }) => `${lang}-${country ?? '*'} ${term}${isAmbiguous ? '?' : ''}`,
    )
    expect(written).toEqual([
      'en-* plasterboard',
      'en-* gypsum board',
      'en-US drywall',
      'es-* placa de yeso',
      'es-AR durlock',
      'es-UY durlock',
      'es-AR placa?',
      'es-UY placa?',
      'pt-BR gesso acartonado',
      'fr-* plaque de plâtre',
      'fr-* BA13',
      'de-* Gipskartonplatte',
      'it-* cartongesso',
    ])
  })

  test('has one concept a block, separated by blank lines', () => {
    const ids = parseConcepts(`${PLASTERBOARD}\n\n${SCREW}`, 'boards.txt').map(({ id }) => id)
    expect(ids).toEqual(['plasterboard', 'screw'])
  })

  test.each([
    ['a head without part of speech', 'plasterboard  noun', 'plasterboard', /boards\.txt:2: .*noun, verb, adjective/],
    ['an id that is no English word', 'plasterboard  noun', 'Pladur  noun', /boards\.txt:2: .*'id-in-english {2}part'/],
    ['a language out of order', '  pt: BR', '  fr: BR', /boards\.txt:5: .*starts with ' {2}pt: '/],
    ['a language too few', '\n  it: cartongesso', '', /boards\.txt:8: 'plasterboard': expected its line ' {2}it: '/],
    ['a language too many', 'cartongesso', 'cartongesso\n  it: lastra', /boards\.txt:9: .*blank line/],
    ['a country of another language', 'US: drywall', 'MX: drywall', /boards\.txt:3: 'MX': expected .* GB, US/],
    ['a bar without country', '| US: drywall', '| drywall', /boards\.txt:3: 'drywall': expected a country/],
    ['an empty term', 'plâtre, BA13', 'plâtre, , BA13', /boards\.txt:6: '': expected a term/],
    ['a blank at the end', 'Gipskartonplatte', 'Gipskartonplatte ', /boards\.txt:7: 'Gipskartonplatte ': expected/],
    ['a decomposed letter', 'plâtre', 'plâtre'.normalize('NFD'), /boards\.txt:6: .*composed \(NFC\)/],
    ['a term twice', 'plaque de plâtre, BA13', 'BA13, BA13', /boards\.txt:6: 'BA13': expected .* once/],
    ['a term that a country repeats', 'US: drywall', 'US: gypsum board', /boards\.txt:3: 'gypsum board': expected/],
  ])('with %s is refused, with the line and the expectation', (_, from, to, message) => {
    expect(() => parseConcepts(PLASTERBOARD.replace(from, to), 'boards.txt')).toThrow(message)
  })

  test('with a duplicate id is refused, naming the other position', () => {
    const taken = new Map<string, string>()
    parseConcepts(PLASTERBOARD, 'boards.txt', taken)
    expect(() => parseConcepts(PLASTERBOARD, 'walls.txt', taken)).toThrow(
      /walls\.txt:2: 'plasterboard': expected .*boards\.txt:2/,
    )
  })
})
