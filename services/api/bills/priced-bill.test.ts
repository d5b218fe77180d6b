import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { additionsTo, type Markups } from './priced-bill.ts'

describe('what is added to a sum', () => {
  const centsOf = (sum: number, markups: Markups) => additionsTo(sum, markups).map(({ cents }) => cents)

  test('is waste on the sum, and overhead and profit on both', () => {
    const cents = centsOf(100_000, { waste: '5', overhead: '13', profit: '6' })
    expect(cents).toEqual([5_000, 13_650, 6_300, 124_950])
  })

  test('is rounded half away from zero, as ROUND of a workbook does', () => {
    expect([50, -50, 1].map((sum) => centsOf(sum, { profit: '13' })[2])).toEqual([7, -7, 0])
    expect(centsOf(9_007_199_254_740_001, { overhead: '0.01' })[1]).toBe(900_719_925_474)
  })

  test('adds up to the total, and is nothing without a share', () => {
    const share = fc.integer({ min: 1, max: 10_000 }).map((hundredths) => (hundredths / 100).toFixed(2))
    fc.assert(
      fc.property(fc.integer(), share, share, share, (sum, waste, overhead, profit) => {
        const cents = centsOf(sum, { waste, overhead, profit })
        expect(cents[3]).toBe(sum + (cents[0] ?? 0) + (cents[1] ?? 0) + (cents[2] ?? 0))
        expect(centsOf(sum, { waste: '0' })).toEqual([])
      }),
    )
  })
})
