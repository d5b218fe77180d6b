import { openSplitter } from '@catalog/embed/builtin/compounds.ts'
import { expect, test } from 'vitest'
import type { Concept } from './concepts.ts'
import { compoundParts } from './parts.ts'

const german = (...texts: string[]) =>
  compoundParts(
    texts.map((text, i): Concept => ({ id: `cpv:${i}`, source: 'cpv', group: text, strings: { de: [text] } })),
  )

test('parts are words that stand alone and make up others', () => {
  expect(german('Stahl', 'Beton', 'Platten aus Stahlbeton', 'Betonplatten', 'Fenster')).toEqual([
    'beton',
    'platten',
    'stahl',
  ])
})

test('a compound is no part, but its components are', () => {
  const parts = german('Stahl', 'Beton', 'Stahlbeton', 'Stahlbetonplatten', 'Platten')
  expect(openSplitter(parts)('stahlbetonplatten')).toEqual(['stahl', 'beton', 'platten'])
})

test('a leftover of several words is a part too, unless it is an ending', () => {
  const known = ['Schienen', 'Leitungen', 'Behälter', 'sicher']
  expect(german(...known, 'Sammelschienen', 'Sammelleitungen')).toEqual([])
  expect(german(...known, 'Sammelschienen', 'Sammelleitungen', 'Sammelbehälter')).toContain('sammel')
  const derived = ['Sicherheit', 'Schienenheit', 'Leitungenheit', 'Behälterheit']
  expect(german(...known, ...derived)).toEqual([])
})

test('a word of three letters is a part when it is common', () => {
  const gas = (count: number) => Array.from({ length: count }, () => 'Gas')
  expect(german('Leitung', 'Gasleitung', ...gas(4))).toEqual([])
  expect(german('Leitung', 'Gasleitung', ...gas(5))).toEqual(['gas', 'leitung'])
})

test('half a compound that ends in a hyphen gives way to the word itself', () => {
  const parts = german('Sicherheit', 'Sicherheits- und Alarmanlagen', 'Anlagen', 'Sicherheitsanlagen')
  expect(parts).toContain('sicherheit')
  expect(parts).not.toContain('sicherheits')
})
