import { expect, test } from 'vitest'
import { linesOf, withRows } from './page.ts'

const order = ['first', 'second', 'third']
const row = { stage: 'a page', beside: 'a peer', oursMs: 10, besideMs: 20, ratioMax: 0.6 }
const rows = [row, { ...row, ratioMax: null }, { stage: 'memory', figure: 7, unit: 'MB', max: 5 }]

test('a bench measured again replaces its rows alone, and a new one takes its place in the order', () => {
  let page = ''
  for (const [name, day] of [
    ['third', '2026-11-01'],
    ['first', '2026-11-01'],
    ['second', '2026-11-02'],
    ['third', '2026-11-03'],
  ] as const) {
    page = withRows(page, { name, lines: linesOf(name, [row], day), order })
  }
  expect([...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(order)
  expect([...page.matchAll(/2026-11-0\d/g)].map(([day]) => day)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
  expect(page).toMatch(/^# Benchmarks\n/)
  expect(withRows(page, { name: 'third', lines: linesOf('third', [row], '2026-11-03'), order })).toBe(page)
})

test('rows without an aim are left out', () => {
  expect(linesOf('first', rows, '2026-11-01')).toEqual([
    '| `first` | a page / a peer | 0.500 | <= 0.600 | met | 2026-11-01 |',
    '| `first` | memory | 7 MB | <= 5 | missed | 2026-11-01 |',
  ])
})
