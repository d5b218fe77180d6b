import { mainLanguage, nameLanguage } from '@catalog/core/names/name-language.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('the language of a name', () => {
  test.each([
    // The statement holds, unless the words are plainly of another language.
    [
      { name: 'Codo 22', lang: 'es', region: 'ES' },
      { lang: 'es', by: 'stated' },
    ],
    [
      { name: 'Placa de yeso', lang: 'pt', region: 'ES' },
      { lang: 'pt', by: 'stated' },
    ],
    [
      { name: 'Excavator with the operator', lang: 'es', region: 'ES' },
      { lang: 'en', by: 'words' },
    ],
    // Without one, the words tell it.
    [
      { name: 'Electrician for hire', region: 'ES' },
      { lang: 'en', by: 'words' },
    ],
    [
      { name: 'Pano de vidro com colocação', region: 'ES' },
      { lang: 'pt', by: 'words' },
    ],
    [
      { name: 'Schrauben für Holz', region: null },
      { lang: 'de', by: 'words' },
    ],
    // Names of numbers and codes take the language of the region.
    [
      { name: 'XPS 40 mm', region: 'BR' },
      { lang: 'pt', by: 'region' },
    ],
    [
      { name: 'XPS 40 mm', region: 'EU' },
      { lang: null, by: null },
    ],
    [
      { name: 'XPS 40 mm', region: null },
      { lang: null, by: null },
    ],
  ])('%j is %j', (given, expected) => {
    expect(nameLanguage(given)).toEqual(expected)
  })

  test('of any text is one of few letters, or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (name) => {
        expect(nameLanguage({ name, region: 'ES' }).lang).toMatch(/^[a-z]{2}$/)
      }),
    )
  })

  test('no region of several languages has a main one', () => {
    expect(['EU', 'LATAM', 'BE', 'LU', 'CY'].map(mainLanguage)).toEqual([null, null, null, null, null])
  })
})
