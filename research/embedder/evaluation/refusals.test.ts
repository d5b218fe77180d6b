import type { Concept } from '@catalog/research/embedder/corpus/concepts.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { expect, test } from 'vitest'
import { mistyped, typoQueries } from './refusals.ts'

test('a typing error changes only one or two of the longer words, by one letter each', () => {
  const random = randomOf(1)
  const words = ['Placa', 'de', 'yeso', '13', 'mm', 'estándar']
  let changedTwice = 0
  for (let i = 0; i < 500; i++) {
    const typed = mistyped(words.join(' '), random).split(' ')
    expect(typed).toHaveLength(words.length)
    const changed = typed.flatMap((word, at) => (word === words[at] ? [] : [at]))
    for (const at of changed) {
      expect([0, 2, 5]).toContain(at)
      expect(Math.abs((typed[at] as string).length - (words[at] as string).length)).toBeLessThanOrEqual(1)
      expect(typed[at]?.[0]).toBe(words[at]?.[0])
    }
    expect(changed.length).toBeLessThanOrEqual(2)
    if (changed.length === 2) changedTwice++
  }
  expect(changedTwice).toBeGreaterThan(100)
})

test('a text without a long word stays as it is', () => {
  expect(mistyped('M 12 de', randomOf(1))).toBe('M 12 de')
})

test('held-out names are mistyped the same way each time, in each language that they have', () => {
  const concept: Concept = { id: 'cpv:1', source: 'cpv', group: 'brick', strings: { en: ['brick'], es: ['ladrillo'] } }
  const queries = typoQueries([concept])
  expect(queries.map(({ language }) => language)).toEqual(['en', 'es'])
  expect(queries.map(({ query }) => query)).not.toContain('brick')
  expect(typoQueries([concept])).toEqual(queries)
})
