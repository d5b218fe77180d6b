import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { expect, test } from 'vitest'
import type { Concept } from './concepts.ts'
import { openPairs } from './pairs.ts'

const concept = (id: string, source: Concept['source'], strings: Concept['strings']): Concept => ({
  id,
  source,
  group: id.split('/')[0] as string,
  strings,
})
const CONCEPTS = [
  concept('board/1', 'cwicr', { en: ['board one'], es: ['placa una'] }),
  concept('board/2', 'cwicr', { en: ['board two'], es: ['placa dos'] }),
  concept('drywall', 'lexicon', { en: ['drywall'], es: ['pladur', 'tablaroca'], de: ['Gipskarton'] }),
  concept('colour', 'values', { en: ['colour'], fr: ['couleur'] }),
]

test('a pair is two strings of one concept, and concepts of one group share its number', () => {
  const { texts, draw } = openPairs(CONCEPTS)
  const random = randomOf(1)
  const groups = new Map<string, number>()
  for (let round = 0; round < 200; round++) {
    for (const { a, b, group } of draw(3, random)) {
      const owner = CONCEPTS.find(({ strings }) =>
        Object.values(strings)
          .flat()
          .includes(texts[a] as string),
      ) as Concept
      expect(Object.values(owner.strings).flat()).toContain(texts[b])
      expect(groups.get(owner.group) ?? group).toBe(group)
      groups.set(owner.group, group)
    }
  }
  expect(new Set(groups.values()).size).toBe(3)
  expect([...groups.keys()].sort()).toEqual(['board', 'colour', 'drywall'])
})

test('a concept is in a batch once, and about as often as its source weighs', () => {
  const { texts, draw } = openPairs(CONCEPTS)
  const random = randomOf(2)
  const count = new Map<string, number>()
  for (let round = 0; round < 20_000; round++) {
    const [pair] = draw(1, random)
    const text = texts[pair?.a as number] as string
    count.set(text, (count.get(text) ?? 0) + 1)
  }
  const drawn = (...names: string[]) => names.reduce((sum, name) => sum + (count.get(name) ?? 0), 0)
  // Weights 3 + 3 + 3 + .4
  expect(drawn('board one', 'placa una') / 20_000).toBeCloseTo(3 / 9.4, 1)
  expect(drawn('colour', 'couleur') / 20_000).toBeCloseTo(0.4 / 9.4, 1)
  expect(draw(50, random).length).toBeLessThanOrEqual(CONCEPTS.length)
})

test('most pairs cross languages, some are synonyms of one, few are one string twice', () => {
  const { texts, draw } = openPairs([CONCEPTS[2] as Concept])
  const random = randomOf(3)
  const pairs = Array.from({ length: 4_000 }, () => draw(1, random)[0] as { a: number; b: number })
  const isSpanish = (at: number) => ['pladur', 'tablaroca'].includes(texts[at] as string)
  const same = pairs.filter(({ a, b }) => a === b).length
  const synonyms = pairs.filter(({ a, b }) => a !== b && isSpanish(a) && isSpanish(b)).length
  expect(same / pairs.length).toBeLessThan(0.05)
  expect(synonyms / pairs.length).toBeGreaterThan(0.05)
  expect(synonyms / pairs.length).toBeLessThan(0.2)
})

test('equal seeds draw equal pairs', () => {
  const draws = [4, 4, 5].map((seed) => {
    const random = randomOf(seed)
    return Array.from({ length: 20 }, () => openPairs(CONCEPTS).draw(3, random))
  })
  expect(draws[0]).toEqual(draws[1])
  expect(draws[0]).not.toEqual(draws[2])
})
