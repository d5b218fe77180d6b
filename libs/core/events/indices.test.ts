import { indexPoint } from '@catalog/stack/testing/events.ts'
import { expect, test } from 'vitest'
import { parseEvent } from './events.ts'
import { frequencyOf, indexIdOf, periodAt } from './indices.ts'
import { TOPICS } from './topics.ts'

test.each([
  ['2026-09', 'month', '2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z'],
  ['2026-12', 'month', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['2026-Q1', 'quarter', '2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z'],
  ['2026-Q4', 'quarter', '2026-10-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['2026', 'year', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
] as const)('%s is a %s from %s to %s, and holds its first and last instant', (period, frequency, start, next) => {
  expect(frequencyOf(period)).toBe(frequency)
  const last = new Date(Date.parse(next) - 1).toISOString()
  expect([periodAt(start, frequency), periodAt(last, frequency)]).toEqual([period, period])
  expect(periodAt(next, frequency)).not.toBe(period)
})

test.each(['2026-13', '2026-Q5', '26', '2026-9', '1799', '2026-00', ''])('%s is no period', (period) => {
  expect(frequencyOf(period)).toBeNull()
})

test.each<[string, Record<string, unknown>]>([
  ['a period of another frequency', { period: '2026-Q1' }],
  ['a value that is no exact decimal', { value: '1e3' }],
  ['a region that is none', { region: 'Spain' }],
  ['an id that no retraction can name', { event_id: 'point' }],
  ['an instant with an offset', { observed_at: '2026-01-01T00:00:00+01:00' }],
])('%s is refused', (_what, wrong) => {
  expect(() => parseEvent(TOPICS.observations, { ...indexPoint(), ...wrong })).toThrow()
  expect(parseEvent(TOPICS.observations, indexPoint())).toEqual(indexPoint())
})

test('an index is one series of one publisher', () => {
  expect(new Set([indexIdOf('a', 'b'), indexIdOf('a', 'c'), indexIdOf('ab', ''), indexIdOf('a', 'b')]).size).toBe(3)
  expect(indexIdOf('a', 'b')).toMatch(/^idx_[a-z2-7]{20,}$/)
})
