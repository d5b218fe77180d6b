import { createHash } from 'node:crypto'
import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breachesOf } from './quality-limits.ts'
import { RecordFigures, SAMPLE_MAX } from './record-figures.ts'

const content = (unit: string | null, included: boolean | null, at = '2026-01-01T00:00:00Z', name = 'Brick') =>
  ({
    name,
    unit,
    price: { cents: 100, currency: 'EUR', per_quantity: 1, tax: { included }, kind: 'list' },
    observed_at: at,
  }) as ObservationContent
const hashOf = (n: number) => createHash('sha256').update(String(n)).digest('hex')
const figuresOf = (contents: readonly ObservationContent[]) => {
  const figures = new RecordFigures({ isSampled: true })
  for (const [n, each] of contents.entries()) figures.add(each, hashOf(n))
  return figures
}

describe('the figures of a source’s records', () => {
  test('count unknown units, open taxes and the newest date', () => {
    const figures = figuresOf([
      content('m2', true),
      content('tramex', null, '2026-01-05T00:00:00Z'),
      content(null, false, '2026-01-03T00:00:00Z'),
      content('kg', null),
    ])
    expect(figures.unknownUnits(() => false)).toBe(0.25)
    expect(figures.unknownUnits((unit) => unit === 'tramex')).toBe(0)
    expect(figures.taxNotStated).toBe(0.5)
    expect(figures.newestObservedAt).toBe('2026-01-05T00:00:00Z')
    expect(new RecordFigures({ isSampled: true }).unknownUnits(() => false)).toBeNull()
  })

  test('keep one sample of bounded size, whatever the order of the records', () => {
    const all = Array.from({ length: 3 * SAMPLE_MAX }, (_, n) => n)
    const sampleOf = (order: readonly number[]) => {
      const figures = new RecordFigures({ isSampled: true })
      for (const n of order) figures.add(content('kg', true, undefined, `brick ${n}`), hashOf(n))
      return figures.sample.map(({ name }) => name)
    }
    const expected = sampleOf(all)
    expect(expected).toHaveLength(SAMPLE_MAX)
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (order) => {
        expect(sampleOf(order)).toEqual(expected)
      }),
      { numRuns: 10 },
    )
  })
})

describe('a threshold', () => {
  const figures = { unknownUnits: 0.2, parked: 0.2, taxNotStated: 0.2, dispersion: 0.2, ageDays: 9 }
  const at = (max: number, days: number) => ({
    unknownUnitsMax: max,
    parkedMax: max,
    taxNotStatedMax: max,
    dispersionMax: max,
    stalenessMaxDays: days,
  })

  test('is exceeded only by more than it says', () => {
    expect(breachesOf(figures, at(0.2, 9))).toEqual([])
    const breached = ['UNKNOWN_UNITS', 'TOO_MANY_PARKED', 'TAX_NOT_STATED', 'PRICES_DISPERSED', 'PRICES_STALE']
    expect(breachesOf(figures, at(0.19, 8)).map(({ code }) => code)).toEqual(breached)
    expect(breachesOf(figures, {})).toEqual([])
  })

  test('is not exceeded by what is not known', () => {
    const unknown = { unknownUnits: null, parked: null, taxNotStated: null, dispersion: null, ageDays: null }
    expect(breachesOf(unknown, at(0, 0))).toEqual([])
  })
})
