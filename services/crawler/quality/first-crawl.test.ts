import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patternProblems, ratioProblems } from './first-crawl.ts'

const codes = (ratios: readonly number[]) => ratioProblems(ratios).map(({ code }) => code)
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

  test('of fewer than five SKUs say nothing', () => {
    expect(codes(times(4, 100))).toEqual([])
  })
})

describe('the prices of a sample', () => {
  const priced = (cents: number) => ({
    price: { cents, currency: 'EUR', per_quantity: 1, tax: { included: null }, kind: 'list' as const },
  })

  test('that are nearly all one price hold a crawl', () => {
    const uniform = [...times(28, 999).map(priced), priced(1), priced(2)]
    expect(patternProblems(uniform)).toMatchObject([{ code: 'FIRST_CRAWL_UNIFORM' }])
    expect(patternProblems(uniform.slice(0, 19))).toEqual([])
    expect(patternProblems([...uniform, priced(3), priced(4)])).toEqual([])
  })
})
