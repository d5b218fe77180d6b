import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Reading, readingOf } from './reading.ts'
import { compareSizes } from './sizes.ts'
import { distinctTokens, documentTerms, leadingTerms, queryTerms } from './terms.ts'

const sharedTerms = (query: string, name: string) => {
  const held = new Set(documentTerms(new Reading({ name, body: '' })))
  return queryTerms(query).flatMap(({ term }) => (held.has(term) ? [term.replace(/-?\d+$/, '')] : []))
}

test.each([
  ['pladur', 'Gipskartonplatte', ['concept:plasterboard']],
  ['drywall', 'Placa de yeso', ['concept:plasterboard']],
  ['1/2 in', 'Losa 13 mm', ['size:length:']],
  ['12,5', 'Losa 13 mm', ['size:length:']],
  ['13 mm', 'Losa 1,3 cm', ['size:length:']],
  ['25 kg', 'Saco 55 lb', ['size:mass:']],
])('the query %j finds %j by %j', (query, name, terms) => {
  expect(sharedTerms(query, name)).toEqual(terms)
})

test.each([
  ['pladur', 'Ventana'],
  ['15 mm', 'Losa 13 cm'],
  ['25 kg', 'Saco 25.4 mm'],
])('%j shares nothing with %j', (query, name) => {
  expect(sharedTerms(query, name)).toEqual([])
})

test("the query's own terms weigh twice as much as its expansions", () => {
  const weights = queryTerms('pladur 13 mm').map(({ term, weight }) => [term.split(':')[0], weight])
  expect(weights).toEqual([
    ...['pladur', '13'].map((word) => [word, 1]),
    ...['concept', 'size', 'size', 'size'].map((kind) => [kind, 0.5]),
  ])
  expect(distinctTokens('pladur 13 mm pladur')).toEqual(['pladur', '13', 'concept:plasterboard'])
  // Where a unit is all that is asked, it counts.
  expect(distinctTokens('mm')).toEqual(['mm'])
})

test('frequent terms retrieve no documents, unless the rarer ones match too few', () => {
  const of = (counts: number[], wanted = 50) => leadingTerms(counts, { documents: 100_000, wanted })
  expect(of([95, 40_000, 5_000, 5_001])).toEqual([true, false, true, false])
  expect(of([3, 40_000])).toEqual([true, true])
  expect(of([3, 40_000], 3)).toEqual([true, false])
  expect(leadingTerms([1_000, 1_001], { documents: 2_000, wanted: 50 })).toEqual([true, false])
})

test('a document keeps repeated words and has each other term once', () => {
  const terms = documentTerms(new Reading({ name: 'Placa de yeso y placa de yeso 13 mm 13 mm', body: 'u placa' }))
  expect(terms.filter((term) => term === 'placa')).toHaveLength(3)
  expect(terms.filter((term) => term.includes(':'))).toHaveLength(2)
})

test('nominally equal sizes always share a term', () => {
  const millimetres = fc.integer({ min: 1, max: 40_000 }).map((tenths) => tenths / 10)
  fc.assert(
    fc.property(millimetres, fc.double({ min: 1, max: 1.02, noNaN: true }), (mm, factor) => {
      const near = (mm * factor).toFixed(4)
      expect(sharedTerms(`${mm} mm`, `x ${near} mm`)).toContain('size:length:')
    }),
  )
})

test('the overlap of sizes is between -.5 and 1, and 1 for equal sizes', () => {
  const size = fc.constantFrom('13 mm', '12,5 mm', '1200x2500', '3x1.5 mm2', '25 kg', '25', '1/2 in', '4 m', '100 u')
  const name = fc.uniqueArray(size, { maxLength: 4 }).map((sizes) => `x ${sizes.join(' y ')}`)
  fc.assert(
    fc.property(name, name, (a, b) => {
      const [asked, named] = [a, b].map((text) => readingOf({ name: text, body: '' }).names[0]?.sizes ?? [])
      const { overlap } = compareSizes(asked ?? [], named ?? [])
      expect(overlap).toBeGreaterThanOrEqual(-0.5)
      expect(overlap).toBeLessThanOrEqual(1)
      expect(compareSizes(asked ?? [], asked ?? []).overlap).toBe(asked?.length === 0 ? 0 : 1)
    }),
  )
})

test('a stored reading equals the computed one', () => {
  const name = fc.constantFrom(
    'Placa de yeso laminado 12,5 mm 1200x2500',
    'drywall',
    'B500S 12',
    'Manguera 3G1,5',
    '',
    '½"',
  )
  fc.assert(
    fc.property(name, fc.string(), (text, body) => {
      const texts = { name: text, otherNames: ['Gypsum board 1/2 in'], body, unit: 'bag 25 kg' }
      const read = new Reading(texts)
      const again = new Reading(texts, JSON.parse(JSON.stringify(read.stored())))
      expect(again.bodyWords).toEqual(read.bodyWords)
      expect(again.names).toHaveLength(2)
      for (const [at, name] of read.names.entries()) {
        for (const each of ['words', 'letterCount', 'concepts', 'sizes', 'trigramCount'] as const) {
          expect(again.names[at]?.[each]).toEqual(name[each])
        }
      }
    }),
  )
})

test('readings are cached, and a full cache still reads new texts', () => {
  const texts = { name: 'Placa de yeso', body: 'm2' }
  expect(readingOf(texts)).toBe(readingOf({ ...texts }))
  for (let i = 0; i < 20_001; i++) readingOf({ name: `x${i}`, body: '' })
  expect(readingOf(texts)).toMatchObject({ names: [{ words: ['placa', 'de', 'yeso'] }], bodyWords: ['m2'] })
})
