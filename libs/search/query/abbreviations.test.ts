import { foldText } from '@catalog/core/text.ts'
import { describe, expect, test } from 'vitest'
import { inFull } from './abbreviations.ts'

describe('abbreviated words are written in full', () => {
  test.each([
    ['ES', 'inodoro susp. cisterna empotr.', 'inodoro suspendido cisterna empotrado'],
    ['MX', 'conc. premez. 250', 'concreto premezclado 250'],
    ['MX', 'var. 3/8"', 'varilla 3/8"'],
    ['BR', 'arame recoz. 18', 'arame recozido 18'],
    ['GB', 'bldg sand', 'building sand'],
    ['GB', '10mm pea shgl', '10mm pea shingle'],
    ['US', 'jst tape', 'joist tape'],
    ['EU', 'Facharb. Stuckateur', 'facharbeiter stuckateur'],
  ])('in %s %j is %j', (market, text, expected) => {
    expect(inFull(foldText(text), market)).toBe(expected)
  })

  test('by the words beside them: washed sand, and no washbasin', () => {
    expect(inFull('areia media lav.', 'BR')).toBe('areia media lavada')
  })

  test.each([
    ['ES', 'cemento gris'],
    ['ES', 'tubo pvc de 110'],
    ['GB', 'rip rap'],
    ['US', 'LUS210Z'],
    ['GB', 'xqz'],
  ])('in %s %j stays as it is', (market, text) => {
    expect(inFull(foldText(text), market)).toBe(foldText(text))
  })
})
