import { expect, test } from 'vitest'
import { availabilityOf } from './availability.ts'
import { bareUnit, isPeriod, unitPriceOf } from './unit-price.ts'

test.each([
  ['12,50 €/tk', '12,50 €', 'tk'],
  ['$3.49 / sq. ft.', '$3.49', 'sq. ft.'],
  ['19.90 EUR per m²', '19.90 EUR', 'm²'],
  ['1 250 руб. за м2', '1 250 руб.', 'м2'],
  ['4,20 €/100 m', '4,20 €', '100 m'],
])('given %s, when it is split, then the price stands apart from its unit', (text, price, unit) => {
  expect(unitPriceOf(text)).toEqual({ price, unit })
})

test.each(['S/ 12.50', '12.50', '12.50 EUR', '12/15', 'from 12 €', '10.00/EUR', 'B/. 3'])(
  'given %s, when it is split, then it has no unit',
  (text) => {
    expect(unitPriceOf(text)).toBeNull()
  },
)

test.each([
  ['per m²', 'm²'],
  ['/sqft', 'sqft'],
  ['€/tk', 'tk'],
  ['за м2', 'м2'],
  ['m²', 'm²'],
  ['c/u', 'c/u'],
  ['100/box', '100/box'],
  ['par de guantes', 'par de guantes'],
  ['per', 'per'],
])('given the unit %s, when it is read, then it is %s', (text, unit) => {
  expect(bareUnit(text)).toBe(unit)
})

test.each([
  ['per day', true],
  ['Monat', true],
  ['/week', true],
  ['h', false],
  ['m²', false],
])('given the unit %s, when it is asked for a period, then the answer is %s', (unit, expected) => {
  expect(isPeriod(unit)).toBe(expected)
})

test.each([
  ['http://schema.org/InStock', 'InStock'],
  ['https://schema.org/OutOfStock/', 'OutOfStock'],
  ['in_stock', 'InStock'],
  ['IN STOCK', 'InStock'],
  ['Agotado', 'OutOfStock'],
  ['Auf Lager', 'InStock'],
  ['preorder', 'PreOrder'],
  ['discontinued', 'Discontinued'],
  ['ask us', null],
  ['', null],
])('given the availability %j, when it is read, then it is %s', (text, expected) => {
  expect(availabilityOf(text)).toBe(expected)
})
