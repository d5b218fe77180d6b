import { expect, test } from 'vitest'
import { openExports } from './export-limits.ts'

test('exports under way are limited for each caller and for all, and ended ones make room', () => {
  const open = openExports({ max: 3, perCaller: 2 })
  const leave = open.enter('a')
  open.enter('a')
  expect(() => open.enter('a')).toThrow('overloaded: 2 exports of this caller are under way, expected at most 2')
  open.enter('b')
  expect(() => open.enter('c')).toThrow('overloaded: 3 exports are under way, expected at most 3')
  leave()
  open.enter('a')
})
