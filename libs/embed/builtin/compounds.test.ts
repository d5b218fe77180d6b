import { expect, test } from 'vitest'
import { openSplitter } from './compounds.ts'

const split = openSplitter('gips karton platte platten bewehrung stahl eis eisen bahn bau arbeiten tor port'.split(' '))

test.each([
  ['gipskartonplatten', ['gips', 'karton', 'platten']],
  ['bewehrungsstahl', ['bewehrung', 'stahl']],
  ['plattenbau', ['platten', 'bau']],
  ['eisenbahnbauarbeiten', ['eisen', 'bahn', 'bau', 'arbeiten']],
])('%s has the parts %j', (word, parts) => {
  expect(split(word)).toEqual(parts)
})

test.each(['gipskartonwand', 'xgipskarton', 'gipskartonx', 'gips', 'bewehrungs', 'torbau', 'platten'])(
  '%s is not made of listed parts, or too short',
  (word) => {
    expect(split(word)).toEqual([])
  },
)

test('a listed word is split when others cover it, but not into itself', () => {
  expect(openSplitter(['stahlbeton', 'stahl', 'beton'])('stahlbeton')).toEqual(['stahl', 'beton'])
  expect(openSplitter(['stahlbeton', 'stahl'])('stahlbeton')).toEqual([])
})

test('an overlong run of letters is not split', () => {
  expect(split('bau'.repeat(20))).toHaveLength(20)
  expect(split('bau'.repeat(21))).toEqual([])
})

test('without parts nothing is split', () => {
  expect(openSplitter([])('gipskartonplatten')).toEqual([])
})
