import type { Kind } from '@catalog/core/events/items.ts'
import { nameLanguage } from '@catalog/core/names/name-language.ts'
import { lexiconConcepts } from '@catalog/embed/concepts/lexicon.ts'
import { describe, expect, test } from 'vitest'
import { categoryOf } from './category-of.ts'
import { categoryTree, pathIn, readTree } from './tree.ts'

const KINDS_OF_ROOTS: Readonly<Record<string, Kind>> = {
  materials: 'material',
  labour: 'labour',
  machinery: 'machinery',
  works: 'work',
}

describe('the category tree', () => {
  const { byId, byConcept } = categoryTree()
  const examples = [...byId.values()].flatMap((category) => category.examples.map((example) => ({ category, example })))

  test.each(examples)('$category.id holds "$example"', ({ category, example }) => {
    const [path, name] = example.includes(' | ') ? (example.split(' | ') as [string, string]) : [null, example]
    const { lang } = nameLanguage({ name, region: null })
    const sku = { name, lang, path: path?.split(' > ') ?? null, trust: 50 }
    const kind = KINDS_OF_ROOTS[category.path[0]?.id as string] as Kind
    expect(categoryOf([sku], kind)?.category.id).toBe(category.id)
  })

  test('has a place for every thing of the lexicon', () => {
    const nouns = lexiconConcepts().filter(({ pos }) => pos === 'noun')
    expect(nouns.filter(({ id }) => !byConcept.has(id)).map(({ id }) => id)).toEqual([])
  })

  test('names each category by itself in every language', () => {
    for (const language of ['en', 'es', 'pt', 'fr', 'de', 'it'] as const) {
      const paths = [...byId.values()].map((category) => pathIn(category, language).join(' > '))
      expect(new Set(paths).size).toBe(paths.length)
    }
  })

  test.each([
    ['an unknown parent', 'under: nothing', /'nothing': expected the id of an entry/],
    ['an unknown concept', 'concepts: [no-such-thing]', /'no-such-thing': expected a noun of the lexicon/],
    ['an unknown file', 'lexicon: [no-such-file]', /'no-such-file': expected a file of the lexicon/],
    ['an unknown key', 'colour: red', /Unrecognized key/],
  ])('refuses %s', (_, line, message) => {
    const names = '{ en: Aa, es: Aa, pt: Aa, fr: Aa, de: Aa, it: Aa }'
    expect(() => readTree(`- id: one\n  names: ${names}\n  examples: [x]\n  ${line}`)).toThrow(message)
  })
})
