import { expect, test } from 'vitest'
import { likenessOf } from './likeness.ts'

const ofName = (question: string, name: string, body = '') => likenessOf(question, { name, body })

test('a long name is near by the word that a question asks for in another language', () => {
  const name = 'TELHA ONDULADA EM ACO ZINCADO, ALTURA DE 17 MM, ESPESSURA DE 0,50 MM'
  const [tile, mortar] = [ofName('tuile', name), ofName('mortier', name)]
  expect(tile.words).toBeGreaterThan(0.6)
  expect(mortar.words).toBeLessThan(0.5)
  expect(tile.heads).toBeGreaterThan(mortar.heads)
})

test('what a name is about counts apart from what it only mentions', () => {
  const [tile, flashing] = ['Teja cerámica curva', 'Remate metálico para teja cerámica'].map((name) =>
    ofName('teja', name),
  )
  expect(tile?.words).toBeCloseTo(flashing?.words as number, 1)
  expect(tile?.headWords).toBeGreaterThan(flashing?.headWords as number)
  expect([tile?.subject, flashing?.subject]).toEqual([1, 0])
})

test('one word that the name does not have shows in the least of the words', () => {
  const { words, leastWord } = ofName('entrada concierto', 'Puerta de entrada')
  expect(words).toBeGreaterThan(leastWord)
  expect(leastWord).toBeLessThan(0.6)
})

test('the category path is compared too', () => {
  expect(ofName('plomberie', 'Codo 22', 'fontaneria tuberias u').bodyWords).toBeGreaterThan(
    ofName('plomberie', 'Codo 22', 'aridos t').bodyWords,
  )
})

test('a name without words is unlike any question', () => {
  expect(ofName('teja', '40 x 60')).toMatchObject({ heads: 0, words: 0, leastWord: 0, headWords: 0, nameWords: 0 })
})

test('texts without words are unlike, and no concept is unknown', () => {
  expect(ofName('12 x 34', '50')).toEqual({
    heads: 0,
    words: 0,
    leastWord: 1,
    headWords: 0,
    nameWords: 0,
    bodyWords: 0,
    subject: -1,
    ownSubject: -1,
  })
})
