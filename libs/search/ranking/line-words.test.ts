import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'
import { describe, expect, test } from 'vitest'
import { countsDiffer, countsOf, isOtherHead, nameWords, shareOf, wordsIn } from './line-words.ts'

const wordsOf = (line: string) => new Map(wordsIn(line).map((word) => [word, conceptsOf(word)]))

describe('how many of something a line says', () => {
  test.each([
    ['Encofrado de muros a dos caras', 'Encofrado de muro a una cara', true],
    ['Encofrado de muros a dos caras', 'Encofrado de muro a 2 caras', false],
    ['Fábrica de ladrillo de un pie', 'Fábrica de ladrillo de 1/2 pie', true],
    ['tijolo 8 furos', 'TIJOLO 6 FUROS 9X14X19', true],
    ['tijolo 8 furos 9x19x19', 'Tijolo cerâmico 8 furos', false],
    ['Luminaria de dos tubos', 'Luminaria de un tubo', true],
    ['Lampada a due tubi', 'Lampada a un tubo', true],
    ['Cómoda de cuatro cajones', 'Cómoda de 2 cajones', true],
    ['2x4x8 framing lumber', '2x4 framing lumber', false],
    ['Pintura dos manos', 'Pintura plástica', false],
    ['20 kg cemento', '25 kg cemento', false],
  ])('%s, %s: differs %s', (line, name, differs) => {
    expect(countsDiffer({ counts: countsOf(line) }, nameWords(name))).toBe(differs)
  })
})

describe('another thing by the first words', () => {
  const likeness = (line: string, name: string, meaning: number) => {
    const words = wordsOf(line)
    const share = shareOf(words, nameWords(name))
    const score = 1 - (1 - share) * (1 - meaning)
    const head = wordsIn(line)[0] ?? null
    return isOtherHead({ words, head }, { names: [nameWords(name)], words: share, meaning, score })
  }
  test.each([
    ['Riego de adherencia con emulsión', 'Lámina drenante con emulsión', 0.6, true],
    ['Riego de adherencia con emulsión', 'Riego de imprimación con emulsión', 0.6, false],
    ['Compuerta mural', 'Válvula de compuerta latón', 0.5, true],
    ['multicapa prensar latón', 'Tubo multicapa', 0.75, false],
    ['escav manual baldrame', 'Escavação manual de valas', 0.7, false],
    ['Riego de adherencia', 'Emulsión bituminosa', 0.85, false],
  ])('%s, %s with meaning %s: %s', (line, name, meaning, isOther) => {
    expect(likeness(line, name, meaning)).toBe(isOther)
  })

  test('is never said where the place of the word tells nothing', () => {
    const likeness = { names: [nameWords('Lean concrete')], words: 0, meaning: 0.5, score: 0.5 }
    expect(isOtherHead({ words: wordsOf('dense block'), head: null }, likeness)).toBe(false)
  })
})
