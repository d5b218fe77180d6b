import type { Bc3Entry, ConceptEntry, DecompositionEntry } from '@catalog/formats/bc3/entries.ts'
import { describe, expect, test } from 'vitest'
import { contentOfEntries, differences, parseAnswer, type ReaderAnswer } from './book-content.ts'

const concept = (code: string, given: Partial<ConceptEntry> = {}): Bc3Entry => ({
  letter: 'C',
  line: 1,
  code,
  suffix: '',
  synonyms: [],
  unit: 'm2',
  summary: 'Wall',
  prices: ['2.50', '3'],
  dates: [],
  type: '0',
  ...given,
})
const line = (code: string, factor: string | null, rate: string | null) => ({
  code,
  suffix: '' as const,
  factor,
  yield: rate,
  percentages: [],
})
const recipe = (letter: 'D' | 'Y', lines: DecompositionEntry['lines']): Bc3Entry => ({
  letter,
  line: 1,
  code: 'W',
  suffix: '',
  lines,
})

const ENTRIES = [concept('W'), recipe('D', [line('B', '1', '0.020'), line('%CI', null, null)])]
const SAID = contentOfEntries([ENTRIES], 'UTF-8')
const WALL = { code: 'W##', unit: 'm2', summary: 'Wall', prices: [2.5, '3.00'] }
const LINES = [
  { code: 'B', factor: 1, yield: '.02' },
  { code: '%CI', factor: null, yield: null },
]
const ANSWER: ReaderAnswer = { concepts: [WALL], decompositions: [{ code: 'W', lines: LINES }] }

test('equivalent spellings of a reader are no differences', () => {
  expect(differences(SAID, ANSWER)).toEqual({ found: [], concepts: 1, lines: 2 })
})

describe('reports as a difference', () => {
  const withWall = (given: Partial<typeof WALL>): ReaderAnswer => ({ ...ANSWER, concepts: [{ ...WALL, ...given }] })
  const withLines = (lines: ReaderAnswer['decompositions'][number]['lines']): ReaderAnswer => ({
    ...ANSWER,
    decompositions: [{ code: 'W', lines }],
  })
  const [brick, percentage] = LINES as [(typeof LINES)[number], (typeof LINES)[number]]
  test.each<[string, ReaderAnswer, string[]]>([
    ['no concept', { ...ANSWER, concepts: [] }, ['W: not there']],
    ['one more', { ...ANSWER, concepts: [WALL, { ...WALL, code: 'X' }] }, ['X: nobody wrote it']],
    ['a unit', withWall({ unit: 'm' }), ['W unit: "m", expected "m2"']],
    ['a text', withWall({ summary: 'Wáll' }), ['W summary: "Wáll", expected "Wall"']],
    ['a price', withWall({ prices: [2.51, 3] }), ['W price 1: 2.51, expected 2.5']],
    ['a price too few', withWall({ prices: [2.5] }), ['W price 2: null, expected 3']],
    ['a price too many', withWall({ prices: [2.5, 3, 4] }), ['W price 3: 4, expected null']],
    ['no recipe', { ...ANSWER, decompositions: [] }, ['W lines: 0, expected 2']],
    ['a line too few', withLines([brick]), ['W lines: 1, expected 2']],
    ['another code', withLines([{ ...brick, code: 'C' }, percentage]), ['W line 1: "C", expected "B"']],
    ['a factor', withLines([{ ...brick, factor: 2 }, percentage]), ['W line 1 factor: 2, expected 1']],
    ['a yield', withLines([{ ...brick, yield: 20 }, percentage]), ['W line 1 yield: 20, expected 0.02']],
    ['0 for a blank', withLines([brick, { ...percentage, yield: 0 }]), ['W line 2 yield: 0, expected null']],
  ])('%s', (_, answer, found) => {
    expect(differences(SAID, answer).found).toEqual(found)
  })
})

test('declared blanks and unread prices are no differences', () => {
  const lines = [LINES[0], { code: '%CI', factor: 1, yield: 0 }] as ReaderAnswer['decompositions'][number]['lines']
  const answer = { concepts: [{ ...WALL, prices: [2.5] }], decompositions: [{ code: 'W', lines }] }
  expect(differences(SAID, { ...answer, blank: { factor: 1, yield: 0 }, pricesMax: 1 }).found).toEqual([])
  expect(differences(SAID, answer).found).toHaveLength(3)
})

test('the last record of a concept counts, ~D replaces and ~Y appends, in the characters of the charset', () => {
  const later = concept('W', { suffix: '#', summary: 'Ladrillo “½” 東', prices: ['', '4'] })
  const entries = [...ENTRIES, later, recipe('D', [line('C', '1', '1')]), recipe('Y', [line('D', '1', '2')])]
  const { concepts, decompositions } = contentOfEntries([entries], 'ANSI')
  expect([...concepts]).toEqual([['W', { unit: 'm2', summary: 'Ladrillo “½” ?', prices: [null, '4'] }]])
  expect(decompositions.get('W')?.map(({ code }) => code)).toEqual(['C', 'D'])
  expect(contentOfEntries([entries], '850').concepts.get('W')?.summary).toBe('Ladrillo "½" ?')
})

test('a malformed answer is refused with its text', () => {
  expect(() => parseAnswer('{"concepts": []}')).toThrow(
    '{"concepts": []}: expected { concepts: […], decompositions: […] }',
  )
})
