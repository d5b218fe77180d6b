import { expect, test } from 'vitest'
import { sectionOf, withSection } from './page.ts'

const order = ['first', 'second', 'third']
const row = { stage: 'a page', beside: 'a peer', oursMs: 10, besideMs: 20, ratioMax: 0.6 }

test('a bench measured again replaces its section alone, and a new one takes its place in the order', () => {
  const section = (name: string, day: string) => sectionOf(name, [row], { title: `Of ${name}`, day })
  let page = ''
  for (const name of ['third', 'first']) page = withSection(page, { name, section: section(name, '2026-11-01'), order })
  page = withSection(page, { name: 'second', section: section('second', '2026-11-02'), order })
  page = withSection(page, { name: 'third', section: section('third', '2026-11-03'), order })
  expect([...page.matchAll(/^## (\S+)$/gm)].map(([, name]) => name)).toEqual(order)
  expect([...page.matchAll(/2026-11-0\d/g)].map(([day]) => day)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
  expect(page).toMatch(/^# Benchmarks\n/)
  expect(page).toContain('a page  a peer  10.0     20.0       0.500  <= 0.600  met')
  expect(withSection(page, { name: 'third', section: section('third', '2026-11-03'), order })).toBe(page)
})
