import { describe, expect, test } from 'vitest'
import { conceptsOf, headConcepts, readConcepts } from './concepts.ts'
import { lexiconConcepts } from './lexicon.ts'

test.each([
  ['pladur 13 mm', 'plasterboard'],
  ['Gipskartonplatten', 'plasterboard'],
  ['PLACAS DE YESO', 'plasterboard'],
  ['varillas corrugadas 1/2"', 'rebar'],
])('%s names %s', (text, id) => {
  expect([...conceptsOf(text)]).toContain(id)
})

test('a name is about what stands before its first qualifier', () => {
  expect(headConcepts('PLACA DE YESO LAMINADO 13 MM')).toContain('plasterboard')
  expect(headConcepts('Cinta de papel para placa de yeso')).not.toContain('plasterboard')
  expect(conceptsOf('Cinta de papel para placa de yeso')).toContain('plasterboard')
})

test('the longest term counts: cement mortar is mortar, not cement', () => {
  const mortar = conceptsOf('mortero de cemento')
  expect(mortar.size).toBeGreaterThan(0)
  expect(mortar).not.toContain('cement')
  expect(conceptsOf('cemento')).toContain('cement')
})

test('an exact word outranks one with another ending', () => {
  expect(conceptsOf('ripio')).toContain('gravel')
  expect(conceptsOf('ripio')).not.toContain('batten')
})

test.each([
  ['machines', 'nipple', 'machón'],
  ['bomba', 'lock-cylinder', 'bombín'],
  ['electric winch', 'electrician', 'électricien'],
  ['charge', 'loader', 'chargeuse'],
])('%s does not name %s, as %s does: it is another word', (text, id, word) => {
  expect(conceptsOf(word)).toContain(id)
  expect(conceptsOf(text)).not.toContain(id)
})

test.each([
  ['camiones', 'camión'],
  ['caminhões', 'caminhão'],
  ['Maschinen', 'Maschine'],
  ['Ziegeln', 'Ziegel'],
  ['Waschbeckens', 'Waschbecken'],
  ['mattoni', 'mattone'],
  ['tuyaux', 'tuyau'],
  ['paredes', 'pared'],
])('%s names what %s names', (plural, word) => {
  expect(conceptsOf(`${plural}, pladur`)).toEqual(conceptsOf(`${word}, pladur`))
})

test('a code belongs to its term: a fire door is "puerta EI2", and a door no fire door', () => {
  expect(conceptsOf('Puerta EI2 60')).toContain('fire-door')
  expect(conceptsOf('puerta')).not.toContain('fire-door')
  expect(conceptsOf('BA13')).toContain('plasterboard')
})

test.each([
  ['lã de rocha', 1],
  ['xqzvw plasterboard', 1 / 2],
  ['plasterboard 12.5 mm', 1],
  ['xqzvw', 0],
  ['', 0],
])('of the words of "%s" the share %d names concepts', (text, share) => {
  expect(readConcepts(text).share).toBe(share)
})

describe('an ambiguous term', () => {
  test('names its concepts only beside another word of the lexicon', () => {
    const ambiguous = lexiconConcepts()
      .filter(({ pos }) => pos === 'noun')
      .flatMap(({ id, terms }) => terms.filter(({ isAmbiguous }) => isAmbiguous).map(({ term }) => ({ id, term })))
      .filter(({ term }) => /^[a-z]{5,}$/.test(term))
    expect(ambiguous.length).toBeGreaterThan(50)
    const isNamed = ({ id, term }: { id: string; term: string }, beside: string) =>
      conceptsOf(`${term} ${beside}`).has(id)
    // A few are plain terms of the same concept elsewhere, in another number or gender.
    expect(ambiguous.filter((each) => isNamed(each, '')).length / ambiguous.length).toBeLessThan(0.1)
    expect(ambiguous.filter((each) => isNamed(each, ', pladur')).length / ambiguous.length).toBeGreaterThan(0.9)
    expect(ambiguous.filter((each) => isNamed(each, 'xqzvw')).length / ambiguous.length).toBeLessThan(0.1)
  })
})

test('every noun of the lexicon is found by its unambiguous terms, also in the plural', () => {
  const lost: string[] = []
  for (const { id, pos, terms } of lexiconConcepts()) {
    if (pos !== 'noun') continue
    for (const { term, isAmbiguous } of terms) {
      if (!isAmbiguous && /^[\p{L} ]+$/u.test(term) && !conceptsOf(term).has(id)) lost.push(`${term} of ${id}`)
    }
  }
  expect(lost).toEqual([])
})
