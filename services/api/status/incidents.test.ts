import { mkdtempDisposableSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { incidentsIn, openIncidents } from './incidents.ts'

const incident = (id: string, more: object = {}) => ({
  id,
  title: 'Search is slow',
  impact: 'degraded',
  began_at: '2026-11-20T09:00:00Z',
  ...more,
})

test('open incidents come first, then the newest, at most twenty', () => {
  const all = [
    incident('old', { ended_at: '2026-11-20T10:00:00Z' }),
    incident('new', { began_at: '2026-11-21T09:00:00Z', ended_at: '2026-11-21T10:00:00Z' }),
    incident('open', { began_at: '2026-01-01T00:00:00Z' }),
    ...Array.from({ length: 30 }, (_, i) =>
      incident(`x${i}`, { began_at: '2025-01-01T00:00:00Z', ended_at: '2025-01-02T00:00:00Z' }),
    ),
  ]
  const shown = incidentsIn(JSON.stringify(all), 'a.json')
  expect(shown.slice(0, 3).map(({ id }) => id)).toEqual(['open', 'new', 'old'])
  expect(shown).toHaveLength(20)
  expect(shown[0]).toMatchObject({ text: null, ended_at: null })
})

test.each([
  ['{', 'a.json: expected JSON'],
  ['{}', 'a.json: the file: '],
  [JSON.stringify([incident('A')]), 'a.json: 0.id: expected small letters, digits and -'],
  [JSON.stringify([incident('a'), incident('b', { impact: 'huge' })]), 'a.json: 1.impact: '],
  [JSON.stringify([incident('a', { titel: 'x' })]), 'a.json: 0: Unrecognized key: "titel"'],
  [JSON.stringify([incident('a', { title: 'a\u202eb' })]), 'a.json: 0.title: expected no control characters'],
  [JSON.stringify([incident('a', { text: 'x'.repeat(2_001) })]), 'a.json: 0.text: expected at most 2000 characters'],
  [JSON.stringify([incident('a', { began_at: 'today' })]), 'a.json: 0.began_at: '],
  [
    JSON.stringify(Array.from({ length: 201 }, () => incident('a'))),
    'a.json: the file: expected at most 200 incidents',
  ],
])('%s is refused with its place', (text, expected) => {
  expect(() => incidentsIn(text, 'a.json')).toThrow(expected)
})

test('a file is read again when it changed; what cannot be read is told once and leaves the last good incidents', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'incidents-'))
  const file = join(folder.path, 'incidents.json')
  const problems: string[] = []
  const incidents = openIncidents(file, (problem) => problems.push(problem))
  const ids = async () => (await incidents()).map(({ id }) => id)
  expect([await ids(), problems]).toEqual([[], []])
  writeFileSync(file, JSON.stringify([incident('a')]))
  expect(await ids()).toEqual(['a'])
  writeFileSync(file, '[ half')
  for (let i = 0; i < 3; i++) expect(await ids()).toEqual(['a'])
  expect(problems).toEqual([expect.stringContaining('expected JSON')])
  writeFileSync(file, JSON.stringify([incident('a'), incident('longer')]))
  expect(await ids()).toEqual(['a', 'longer'])
  writeFileSync(file, `${' '.repeat(300_000)}[]`)
  expect(await ids()).toEqual(['a', 'longer'])
  expect(problems[1]).toContain('expected a file of at most 262144 bytes')
  rmSync(file)
  expect(await ids()).toEqual([])
  symlinkSync('/dev/zero', file)
  expect(await ids()).toEqual([])
  expect(problems[2]).toContain('expected a file')
})
