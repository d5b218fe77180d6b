import { sayIn } from '@catalog/explorer/languages/language.ts'
import { formatsOf } from '@catalog/explorer/pages/view.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PriceChart, priceChart, type Step } from './price-chart.ts'
import { dateMarks, roundMarks, shownSpan } from './scale.ts'

const words = { say: sayIn('en'), formats: formatsOf('en', { now: new Date('2026-11-25T00:00:00Z') }) }
const chartOf = (steps: readonly Step[], more: Partial<PriceChart> = {}) =>
  priceChart(
    {
      lines: [{ name: 'Median', steps }],
      currency: 'EUR',
      from: '2026-01-01T00:00:00Z',
      to: '2026-11-25T00:00:00Z',
      title: 'Median',
      ...more,
    },
    words,
  )
/** The path of the first line; the legend has samples of lines too. */
const pathIn = (markup: string) =>
  /<path class="median a" d="([^"]+)"/.exec(markup.split('</svg>')[0] as string)?.[1] ?? ''

test('a line is made of levels and jumps, never of slopes', () => {
  const step = fc.record({
    at: fc.integer({ min: 0, max: 300 }).map((day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString()),
    cents: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: null }),
  })
  fc.assert(
    fc.property(fc.uniqueArray(step, { minLength: 1, maxLength: 30, selector: ({ at }) => at }), (given) => {
      const steps = given.toSorted((a, b) => a.at.localeCompare(b.at))
      const path = pathIn(chartOf(steps))
      let x = Number.NaN
      for (const [, command, first] of path.matchAll(/([MLH])([\d.]+)/g)) {
        // A jump stands at the end of the level before it.
        if (command === 'L') expect(Number(first)).toBeCloseTo(x, 1)
        x = Number(first)
      }
      // One piece for each run of steps with a price.
      const pieces = steps.filter(({ cents }, i) => cents !== null && (steps[i - 1]?.cents ?? null) === null)
      if (steps.every(({ at }) => at > '2026-01-01T00:00:00.000Z' && at < '2026-10-20'))
        expect(path.match(/M[\d.]/g)?.length ?? 0).toBe(pieces.length)
    }),
  )
})

test('a gap stays a gap, and the table tells it', () => {
  const markup = chartOf([
    { at: '2026-02-01T00:00:00Z', cents: 100 },
    { at: '2026-03-01T00:00:00Z', cents: null },
    { at: '2026-06-01T00:00:00Z', cents: 120 },
  ])
  expect(pathIn(markup).match(/M/g)).toHaveLength(2)
  expect(markup).toContain('<td class="number">—</td>')
  expect(markup).toContain('€1.20')
})

test('one spike does not flatten the axis: it becomes a mark at the edge', () => {
  const steps = [{ at: '2026-02-01T00:00:00Z', cents: 100 }]
  const spike = { at: '2026-03-01T00:00:00Z', cents: 9_000, title: 'Vendor: €90.00', isLeftOut: true }
  const near = { at: '2026-03-01T00:00:00Z', cents: 110, title: 'Vendor: €1.10', isLeftOut: false }
  const markup = chartOf(steps, { dots: [spike, near] })
  expect(markup).toMatch(/<path class="excluded"[^>]*><title>Vendor: €90.00/)
  expect(markup).toMatch(/<circle class="vote"[^>]*><title>Vendor: €1.10/)
  expect(shownSpan([100], [9_000, 110])[1]).toBeLessThan(200)
})

test('marks are round, few, and within the span', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.double({ min: 0.01, max: 1e6, noNaN: true }),
      (low, span) => {
        const marks = roundMarks(low, low + span, 4)
        expect(marks.length).toBeLessThanOrEqual(5)
        for (const mark of marks) {
          expect(mark).toBeGreaterThanOrEqual(low - span * 1e-6)
          expect(mark).toBeLessThanOrEqual(low + span * (1 + 1e-6))
        }
      },
    ),
  )
  const marks = dateMarks(Date.UTC(2026, 0, 15), Date.UTC(2026, 10, 25), 6).map((ms) => new Date(ms).toISOString())
  expect(marks).toEqual([
    '2026-03-01T00:00:00.000Z',
    '2026-05-01T00:00:00.000Z',
    '2026-07-01T00:00:00.000Z',
    '2026-09-01T00:00:00.000Z',
    '2026-11-01T00:00:00.000Z',
  ])
})
