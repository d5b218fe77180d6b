import { expect, test } from 'vitest'
import { documentText, SOURCES } from './tree.ts'
import { readGlossary, unknownWords } from './words.ts'

const glossary = readGlossary(documentText('docs/glossary.md'))

test('the glossary gives terms and words', () => {
  expect(glossary.terms.size).toBeGreaterThan(20)
  expect(glossary.words.size).toBeGreaterThan(100)
})

test('every word of a file name stands in docs/glossary.md', () => {
  expect(unknownWords(SOURCES, glossary)).toEqual([])
})

test('a word that the glossary does not list is named with its file', () => {
  const planted = [{ path: 'libs/core/money/leash.ts', text: '' }]
  expect(unknownWords(planted, glossary)).toEqual(["libs/core/money/leash.ts: 'leash'"])
})

test('no word of a file name is one that the glossary replaces', () => {
  const replaced = [...glossary.terms.keys()].filter((ours) => /^[a-z]+$/.test(ours))
  expect(replaced.filter((word) => glossary.words.has(word))).toEqual([])
})
