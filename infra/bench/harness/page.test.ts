import { expect, test } from 'vitest'
import { linesOf, withRows } from './page.ts'

const order = ['first', 'second', 'third']
const row = { stage: 'a page', beside: 'a peer', oursMs: 10, besideMs: 20, ratioMax: 0.6 }

test('a bench measured again replaces its rows alone, and a new one takes its place in the order', () => {
  let page = ''
  for (const [name, oursMs] of [
    ['third', 10],
    ['first', 11],
    ['second', 12],
    ['third', 13],
  ] as const) {
    page = withRows(page, { name, lines: linesOf(name, [{ ...row, oursMs }]), order })
  }
  const rows = [...page.matchAll(/^\| `(\w+)` .* (\d\.\d+) \| <=/gm)].map(([, name, ratio]) => [name, ratio])
  expect(rows).toEqual([
    ['first', '0.550'],
    ['second', '0.600'],
    ['third', '0.650'],
  ])
  expect(page).toMatch(/^# Benchmarks\n/)
  expect(withRows(page, { name: 'third', lines: linesOf('third', [{ ...row, oursMs: 13 }]), order })).toBe(page)
})

test('rows without an aim are left out', () => {
  const memory = { stage: 'memory', figure: 7, unit: 'MB', max: 5 }
  expect(linesOf('first', [row, { ...row, ratioMax: null }, memory])).toEqual([
    '| `first` | a page / a peer | 0.500 | <= 0.600 | met |',
    '| `first` | memory | 7 MB | <= 5 | missed |',
  ])
})
