import { describe, expect, test } from 'vitest'
import { withPlainDigits } from './text.ts'

describe('special digits of a name', () => {
  test.each([
    ['Perfil 5⁰', 'Perfil 5 special0 '],
    ['2²', '2 special2 '],
    ['Serie ⑤ y ⑩', 'Serie  special5  y  special10 '],
    ['CO₂', 'CO special2 '],
    ['10⁻³', '10⁻ special3 '],
    ['5¼0', '5 ¼ 0'],
    ['Tubo ½2', 'Tubo  ½ 2'],
    ['Serie ❶', 'Serie ❶'],
  ])('%s is read as %s', (written, read) => {
    expect(withPlainDigits(written)).toBe(read)
  })

  test.each([
    ['Teja 12 m²', 'Teja 12 m2'],
    ['Cable 2,5mm²', 'Cable 2,5mm2'],
    ['Lana 30 kg/m³', 'Lana 30 kg/m3'],
    ['Perfil 50', 'Perfil 50'],
  ])('a power of a unit of length stays plain: %s', (written, read) => {
    expect(withPlainDigits(written)).toBe(read)
  })
})
