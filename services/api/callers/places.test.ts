import { expect, test } from 'vitest'
import { openPlaces } from './places.ts'

test('places are limited for each owner and for all, and ended ones make room', () => {
  const open = openPlaces({ of: 'exports', max: 3, perOwner: 2 })
  const leave = open.enter('a')
  open.enter('a')
  expect(() => open.enter('a')).toThrow('overloaded: 2 exports of this caller are under way, expected at most 2')
  open.enter('b')
  expect(() => open.enter('c')).toThrow('overloaded: 3 exports are under way, expected at most 3')
  leave()
  open.enter('a')
})
