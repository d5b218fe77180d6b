import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseNumber } from './number.ts'

test.each([
  ['12.50', '12.50', null],
  ['-0.25', '-0.25', null],
  ['0', '0', null],
  ['007', '007', null],
  ['12,5', '12.5', null],
  ['+3', '3', null],
  ['.5', '0.5', null],
  ['-,5', '-0.5', null],
  ['5.', '5', null],
  ['1234.5678901234567', '1234.5678901234567', null],
  // By the standard, one mark before three digits is a decimal point.
  ['1.234', '1.234', null],
  ['1.234,56', '1234.56', 'NUMBER_REPAIRED'],
  ['1,234,567.8', '1234567.8', 'NUMBER_REPAIRED'],
  ['1.234.567', '1234567', 'NUMBER_REPAIRED'],
  ['1E-05', '0.00001', 'NUMBER_REPAIRED'],
  ['-2.5e+3', '-2500', 'NUMBER_REPAIRED'],
  ['1.25E2', '125', 'NUMBER_REPAIRED'],
  ['12.50 €', '12.50', 'CURRENCY_IN_NUMBER'],
  ['€12,50', '12.50', 'CURRENCY_IN_NUMBER'],
  ['EUR 1.234,56', '1234.56', 'CURRENCY_IN_NUMBER'],
  ['300 ptas.', '300', 'CURRENCY_IN_NUMBER'],
])('%s reads as %s, with the oddity %s', (text, decimal, oddity) => {
  expect(parseNumber(text)).toEqual({ decimal, oddity })
})

test.each([
  ['EUR'],
  ['€'],
  ['-'],
  ['.'],
  ['1-2'],
  ['1.2.3'],
  ['12 34'],
  ['1e99'],
  ['NUL'],
  ['consultar'],
  ['9'.repeat(61)],
])('%s is no number', (text) => {
  expect(parseNumber(text)).toBeNull()
})

test('the result is always a plain decimal', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0123456789.,+-eE€ EURpts'), maxLength: 70 })
  fc.assert(
    fc.property(text, (text) => {
      expect(parseNumber(text)?.decimal ?? '0').toMatch(/^-?\d+(\.\d+)?$/)
    }),
  )
})
