import { expect, test } from 'vitest'
import { isCpvCode } from './cpv.ts'

test.each([
  ['44111200', true],
  ['44111200-3', true],
  ['45000000-7', true],
  ['99999999', false],
  ['00000000', false],
  ['44111201', false],
  ['', false],
])('%s is a code of the vocabulary: %s', (code, isCode) => {
  expect(isCpvCode(code)).toBe(isCode)
})
