import type { Concept, Language } from '@catalog/research/embedder/corpus/concepts.ts'
import { expect, test } from 'vitest'
import { evaluateAcross, vocabularyOf } from './evaluation.ts'
import type { Scorer } from './scorers.ts'

const concept = (id: string, group: string, strings: Partial<Record<Language, string>>): Concept => ({
  id,
  source: 'cpv',
  group,
  strings: Object.fromEntries(Object.entries(strings).map(([language, text]) => [language, [text, 'not asked']])),
})
const SOURCE = [
  concept('1', 'pipe', { en: 'pipe small', de: 'rohr klein', es: 'tubo corto' }),
  concept('2', 'pipe', { en: 'pipe large', de: 'rohr lang', es: 'tubo largo' }),
  concept('3', 'brick', { en: 'brick', de: 'ziegel' }),
  concept('4', 'slate', { en: 'slate', de: 'schiefer', es: 'pizarra' }),
]
const CONCEPT_OF = new Map(
  SOURCE.flatMap(({ strings }, i) => Object.values(strings).map(([text]) => [text, i] as const)),
)

/** Knows every translation, but cannot tell the two pipes apart. */
const knowing: Scorer = (index) =>
  function* (queries) {
    const at = (text: string) => Math.max(1, CONCEPT_OF.get(text) as number)
    for (const query of queries) yield index.map((text) => (at(text) === at(query) ? 1 : 0))
  }
const found = await evaluateAcross({
  source: SOURCE,
  heldOut: new Set(['1', '3']),
  vocabulary: vocabularyOf(SOURCE.slice(2)),
  scorer: knowing,
})

test('queries held-out concepts in every ordered pair of their languages', () => {
  const { pairs } = found.group
  expect(Object.keys(pairs).sort()).toEqual(['de>en', 'de>es', 'en>de', 'en>es', 'es>de', 'es>en'])
  // The brick has no Spanish string.
  expect(
    Object.values(pairs)
      .map(({ queries }) => queries)
      .sort(),
  ).toEqual([1, 1, 1, 1, 2, 2])
})

test('queries only the selected pairs', async () => {
  const { name } = await evaluateAcross({
    source: SOURCE,
    heldOut: new Set(['1', '3']),
    vocabulary: vocabularyOf(SOURCE),
    scorer: knowing,
    isAsked: (pair) => pair === 'de>en',
  })
  expect(name.pairs).toEqual({ 'de>en': found.name.pairs['de>en'] })
})

test('all sizes of a group are relevant, or only the queried one', () => {
  expect(found.group.all).toMatchObject({ r1: 1, r10: 1 })
  // The relevant pipe ties with the other one: rank 1.5.
  expect(found.name.pairs['en>de']).toEqual({ queries: 2, r1: 0.5, r10: 1, mrr10: (1 + 1 / 1.5) / 2 })
  expect(found.name.intoGerman.r1).toBe((0.5 + 0) / 2)
})

test('a query is known when training saw all its longer words in that language', () => {
  const { known, unknown } = found.group
  expect({ known: known.queries, unknown: unknown.queries }).toEqual({ known: 2, unknown: 6 })
  const { knows } = vocabularyOf(SOURCE)
  expect([knows('Pipe brick of', 'en'), knows('pipe', 'de'), knows('pipes', 'en')]).toEqual([true, false, false])
})
