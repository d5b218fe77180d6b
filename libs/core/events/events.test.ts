import { instant } from '@catalog/core/time.ts'
import { event } from '@catalog/stack/testing/events.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CrawlFinished, PROBLEMS_MAX } from './crawls.ts'
import { parseEvent } from './events.ts'
import { RunMarked } from './runs.ts'
import { TOPICS } from './topics.ts'

const asOf = RunMarked.shape.as_of
const two = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'))

test('accepts an instant in its one spelling only', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }), (date) => {
      expect(asOf.safeParse(instant(date)).success).toBe(true)
      expect(asOf.safeParse(date.toISOString()).success).toBe(date.getUTCMilliseconds() !== 0)
    }),
  )
})

test('accepts text in the form of an instant exactly when calendar and clock have it', () => {
  const form = fc.tuple(
    fc.integer({ min: 1000, max: 9999 }),
    two,
    two,
    two,
    two,
    two,
    fc.constantFrom('', '.000', '.120'),
  )
  fc.assert(
    fc.property(form, ([year, month, day, hour, minute, second, milliseconds]) => {
      const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${milliseconds}Z`
      const at = new Date(text)
      const isSpelledSo = !Number.isNaN(at.getTime()) && instant(at) === text
      expect(asOf.safeParse(text).success).toBe(isSpelledSo)
    }),
    {
      numRuns: 2_000,
      examples: [[[2026, '02', '30', '00', '00', '00', '']], [[2026, '01', '01', '24', '00', '00', '']]],
    },
  )
})

test.each([
  ['more problems than fit', { problems: Array(PROBLEMS_MAX + 1).fill({ code: 'GONE', detail: 'x' }) }, ['problems']],
  ['a code in prose', { problems: [{ code: 'not found', detail: 'x' }] }, ['problems', 0, 'code']],
  ['a detail of a page', { problems: [{ code: 'GONE', detail: 'x'.repeat(501) }] }, ['problems', 0, 'detail']],
  ['an outcome that is none', { outcome: 'lost' }, ['outcome']],
  [
    'a share above one',
    { health: { known: 0, vanished: 0, changed: 0, layout: { gtin: 1.01 } } },
    ['health', 'layout', 'gtin'],
  ],
  ['more SKUs than were known', { health: { known: 3, vanished: 2, changed: 2, layout: {} } }, ['health']],
] as const)('refuses a crawl report with %s', (_name, said, path) => {
  const finished = event({
    type: 'CrawlFinished',
    source_id: 's',
    crawl_id: 'c',
    complete: true,
    read: 0,
    appended: 0,
    duplicates: 0,
    parked: 0,
  })
  expect(parseEvent(TOPICS.observations, finished)).toEqual(finished)
  expect(CrawlFinished.safeParse({ ...finished, ...said }).error?.issues.map(({ path }) => path)).toEqual([path])
})
