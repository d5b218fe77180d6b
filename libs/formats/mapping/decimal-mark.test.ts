import { expect, test } from 'vitest'
import { detectDecimalMark } from './decimal-mark.ts'

test.each([
  [['1.234,50', '12', '900'], ','],
  [['12,5 €', '1.234'], ','],
  [['1.234.567'], ','],
  [['0.125', '3'], '.'],
  [['$1,234.50', '1,234'], '.'],
  [['1234.567'], '.'],
  [['1.234', '2.500', '7'], null],
  [['1.5', '1,5'], null],
  [['12', ''], null],
])('the prices %j prove the decimal mark %j', (prices, mark) => {
  expect(detectDecimalMark(prices)).toBe(mark)
})
