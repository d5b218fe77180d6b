import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patternProblems, ratioProblems } from './first-crawl.ts'
import type { ComparedRecord, SampledRecord } from './record-figures.ts'

const comparedAt = (ratios: readonly number[]): ComparedRecord[] =>
  ratios.map((ratio, n) => ({ record: recordOf({ ref: `S-${n}`, cents: 450 }), ratio }))
const recordOf = ({ ref, cents }: { ref: string; cents: number }): SampledRecord => ({
  vendor_ref: ref,
  name: 'Brick',
  unit: null,
  price: { cents, currency: 'EUR', per_quantity: 1, tax: { included: null }, kind: 'list' },
  observed_at: '2026-01-05T00:00:00Z',
})
const codes = (ratios: readonly number[]) => ratioProblems(comparedAt(ratios)).map(({ code }) => code)
const times = (count: number, ratio: number) => Array.from({ length: count }, () => ratio)

describe('ratios to the prices of others', () => {
  test('within three times hold no crawl, whatever their number and order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.34, max: 2.9, noNaN: true })), (ratios) => codes(ratios).length === 0),
    )
  })

  test.each([3.1, 0.3, 100])('with a median of %d hold it', (ratio) => {
    expect(codes([...times(5, ratio), ...times(4, 1)])).toEqual(['FIRST_CRAWL_FAR'])
  })

  test('that lie far on both sides hold it', () => {
    expect(codes([...times(4, 5), ...times(4, 0.2), ...times(3, 1)])).toEqual(['FIRST_CRAWL_DISPERSED'])
  })

  test('at steps of ten hold it, and as many at other distances do not', () => {
    expect(codes([...times(20, 1), 100, 10.5, 0.0098])).toEqual(['FIRST_CRAWL_DISPERSED'])
    expect(codes([...times(20, 1), 40, 30, 0.03])).toEqual([])
  })

  test('are shown by those that stand farthest', () => {
    const [problem] = ratioProblems(comparedAt([...times(5, 100), 0.001, 1]))
    expect(problem?.examples?.[0]).toBe('S-5, Brick: 4.50 EUR, 0.001 times the price of others')
    expect(problem?.examples).toHaveLength(3)
  })

  test('of fewer than five SKUs say nothing', () => {
    expect(codes(times(4, 100))).toEqual([])
  })
})

describe('the prices of a sample', () => {
  const priced = (cents: number, n = 0) => recordOf({ ref: `S-${n}`, cents })

  test('that are nearly all one price hold a crawl', () => {
    const uniform = [...times(28, 999).map(priced), priced(1), priced(2)]
    const examples = ['S-0, Brick: 9.99 EUR', 'S-1, Brick: 9.99 EUR', 'S-2, Brick: 9.99 EUR']
    expect(patternProblems(uniform)).toMatchObject([{ code: 'FIRST_CRAWL_UNIFORM', examples }])
    expect(patternProblems(uniform.slice(0, 19))).toEqual([])
    expect(patternProblems([...uniform, priced(3), priced(4)])).toEqual([])
  })
})
