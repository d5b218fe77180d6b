import { describe, expect, test } from 'vitest'
import { sizesInFigures, withoutMisleadingUnits } from './size-words.ts'

describe('sizes as people say them', () => {
  test.each([
    ['half inch cdx', '1/2 in cdx'],
    ['three-quarter inch plywood', '3/4 in plywood'],
    ['pipe inch and a half', 'pipe 1-1/2 in'],
    ['tubo cobre media pulgada', 'tubo cobre 1/2 in'],
    ['codo de tres cuartos de pulgada', 'codo de 3/4 in'],
    ['tuberia de pulgada y media', 'tuberia de 1-1/2 in'],
    ['varilla corrugada de media', 'varilla corrugada 1/2 in'],
    ['joelho de tres quartos', 'joelho 3/4 in'],
    ['tube demi pouce', 'tube 1/2 in'],
    ['rohr dreiviertel zoll', 'rohr 3/4 in'],
    ['two by six lumber', '2x6 lumber'],
    // Words that only look like sizes.
    ['media cana de pino', 'media cana de pino'],
    ['pala de media luna', 'pala de media luna'],
    ['quarter round molding', 'quarter round molding'],
  ])('%s', (said, figures) => {
    expect(sizesInFigures(said, 'ES')).toBe(figures)
  })

  test.each([
    ['24x24 porcelain', '24x24 in porcelain'],
    ['vinyl window 48 x 48', 'vinyl window 48 x 48 in'],
    ['window 60x48 in', 'window 60x48 in'],
    ['2x12 doug fir', '2x12 doug fir'],
    ['block 8x8x16', 'block 8x8x16'],
    ['w 8x10 beam', 'w 8x10 beam'],
    ['600x600 tile', '600x600 tile'],
    ['r13 insulation', 'r-13 insulation'],
    ['mini split r32', 'mini split r32'],
  ])('in the United States: %s', (said, figures) => {
    expect(sizesInFigures(said, 'US')).toBe(figures)
  })

  test('a face has no inches elsewhere', () => {
    expect(sizesInFigures('azulejo 20x20', 'ES')).toBe('azulejo 20x20')
  })
})

describe('units that mislead', () => {
  test.each([
    ['cable 2.5 mm', 'cable 2.5'],
    ['twin and earth cable 1.5mm', 'twin and earth cable 1.5'],
    ['cabo flexivel 4 mm', 'cabo flexivel 4'],
    ['cable 2.5 mm²', 'cable 2.5 mm²'],
    ['cable 3x2,5 mm', 'cable 3x2,5 mm'],
    ['cable de acero 6 mm', 'cable de acero 6 mm'],
    ['cable tray 50 mm', 'cable tray 50 mm'],
    ['tondino 12', 'tondino 12 mm'],
    ['corrugado del 16 en barras', 'corrugado del 16 mm en barras'],
    ['acier a beton 12', 'acier a beton 12 mm'],
    ['fierro 12 m', 'fierro 12 m'],
    ['fer plat 40', 'fer plat 40'],
  ])('%s', (thing, plain) => {
    expect(withoutMisleadingUnits(thing, 'ES')).toBe(plain)
  })

  test('bars are numbered and mils are thin in the United States', () => {
    expect(withoutMisleadingUnits('rebar 8', 'US')).toBe('rebar 8')
    expect(withoutMisleadingUnits('polyethylene 6 mil', 'US')).toBe('polyethylene 6')
  })
})
